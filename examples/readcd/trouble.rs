//! What went wrong with a command, and whether to try again.

use passthru::{
    Error, Verdict,
    scsi::{Cdb, DeviceType, SenseKey, Status, command_name, sense::Condition},
};

use crate::problem::{Code, Problem};

/// What became of reading some sectors.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The sectors could not be read; again may help.
    Sector(Cause),
    /// They could not be read, and will not be however often they are tried.
    Never(Cause),
    /// There are no such sectors, says the drive.
    Beyond(Cause),
    /// They are of another type than what was asked for.
    OtherType(Cause),
    /// Said to be good, and not all bytes came.
    Missing(Cause),
    /// Lost on the way.
    Transport(Cause),
    /// Something happened, and the command was not carried out.
    Attention(Cause),
    /// The drive does not do that.
    Refused(Cause),
    /// No other command would do better.
    Stop(Cause),
}

/// Why.
#[derive(Debug)]
pub(crate) struct Cause {
    pub(crate) problem: Problem,
    /// In short, without where it was: for the list of bad sectors.
    pub(crate) reason: String,
}

impl Fault {
    pub(crate) fn cause(self) -> Cause {
        match self {
            Self::Sector(cause)
            | Self::Never(cause)
            | Self::Beyond(cause)
            | Self::OtherType(cause)
            | Self::Missing(cause)
            | Self::Transport(cause)
            | Self::Attention(cause)
            | Self::Refused(cause)
            | Self::Stop(cause) => cause,
        }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        let condition = match &error {
            Error::Check(failure) => failure.outcome().sense().condition(),
            Error::Transport(_) => return Self::Transport(cause(error, "")),
            Error::Status(failure) if failure.outcome().status() == Status::TASK_ABORTED => {
                return Self::Transport(cause(error, ""));
            }
            // GOOD, and the bytes are missing.
            Error::Malformed { .. } => return Self::Missing(cause(error, "")),
            _ => return Self::Stop(cause(error, "")),
        };
        let is_attention = is_attention(&error);
        let is_other_kind = error.outcome().and_then(|outcome| outcome.sense().asc()) == Some(0x64);
        match condition {
            Condition::UnknownCommand => Self::Stop(cause(
                error,
                "; the drive has no such command: it cannot read sectors of CDs (`copy` reads \
                 discs of data by their blocks)",
            )),
            Condition::InvalidField => {
                Self::Refused(cause(error, "; the drive does not send that"))
            }
            Condition::MediumChanged => Self::Stop(cause(error, "; this may be another disc")),
            Condition::ElementsChanged => Self::Stop(cause(error, "; this may be another disc")),
            Condition::NoMedium => Self::Stop(cause(error, "; there is no disc")),
            Condition::Deferred => Self::Attention(cause(error, "")),
            // Warnings too come as such, once.
            _ if is_attention => Self::Attention(cause(error, "")),
            Condition::WrongMedium if is_other_kind => Self::OtherType(cause(
                error,
                "; not a sector of the kind that was asked for (`--sector raw` reads all kinds)",
            )),
            Condition::WrongMedium => Self::OtherType(cause(error, "")),
            Condition::OutOfRange => Self::Beyond(cause(error, "")),
            Condition::IllegalRequest | Condition::WriteProtected | Condition::DataProtect => {
                Self::Never(cause(error, ""))
            }
            // What 10h means on disks, drives of CDs say of a header's CRC and of ECC.
            Condition::ProtectionInformation
            | Condition::MediumError
            | Condition::HardwareError
            | Condition::Blank
            | Condition::TransferError
            | Condition::Aborted
            | Condition::VendorSpecific
            | Condition::Unknown
            | Condition::Nothing => Self::Sector(cause(error, "")),
            _ => Self::Stop(cause(error, "")),
        }
    }
}

/// `meaning` is added to what the error says.
fn cause(error: Error, meaning: &str) -> Cause {
    let reason = reason_of(&error);
    let mut problem = Problem::from(error);
    problem.message.push_str(meaning);
    Cause { problem, reason }
}

const OPTICAL: Option<u8> = Some(DeviceType::OPTICAL.0);

/// Two sectors with the same trouble have the same.
fn reason_of(error: &Error) -> String {
    let Some(outcome) = error.outcome() else {
        return error.to_string();
    };
    if outcome.verdict().is_success() {
        return "GOOD, without all bytes".into();
    }
    let sense = outcome.sense();
    match (outcome.verdict(), sense.key(), sense.additional()) {
        (Verdict::Transport, ..) => format!("host status {}", outcome.host()),
        (_, Some(key), Some(additional)) => format!("{key}, {additional}"),
        (_, Some(key), None) => key.to_string(),
        _ => outcome.to_string(),
    }
}

/// What an error says, in a note.
pub(crate) fn said(error: Error) -> String {
    Problem::from(error).message
}

/// How often a command is sent again because something happened.
pub(crate) const ATTENTIONS: u32 = 4;

/// Does it, and again while a unit attention is the answer. Who watches the drive
/// has seen it.
pub(crate) fn attended<R>(mut act: impl FnMut() -> Result<R, Error>) -> Result<R, Error> {
    let mut left = ATTENTIONS;
    loop {
        match act() {
            Err(error) if left > 0 && is_attention(&error) => left -= 1,
            result => return result,
        }
    }
}

/// It is about an earlier command, and this one was not carried out.
pub(crate) fn is_deferred(error: &Error) -> bool {
    let outcome = error.outcome();
    outcome.is_some_and(|outcome| outcome.sense().condition() == Condition::Deferred)
}

/// A unit attention, of whatever kind.
pub(crate) fn is_attention(error: &Error) -> bool {
    let Error::Check(failure) = error else {
        return false;
    };
    let sense = failure.outcome().sense();
    sense.key() == Some(SenseKey::UNIT_ATTENTION) && !sense.is_deferred()
}

/// The device said no: it will not do this, and others can be tried.
pub(crate) fn is_refusal(error: &Error) -> bool {
    let Error::Check(failure) = error else {
        return false;
    };
    matches!(
        failure.outcome().sense().condition(),
        Condition::UnknownCommand | Condition::InvalidField | Condition::IllegalRequest
    )
}

/// What a command that changes the drive could not do, and what would help.
///
/// `denied` is what opening the node for writing would take, if that was refused;
/// `meaning` is what follows from it.
pub(crate) fn set_up_problem(error: Error, denied: Option<&str>, meaning: &str) -> Problem {
    match (&error, denied) {
        (Error::ReadOnly { path, cdb, .. }, Some(needs)) => Problem::own(
            Code::System,
            "not_permitted",
            format!(
                "{}: {} is not permitted: it needs the node opened for writing, and that takes \
                 {needs}; {meaning}",
                path.display(),
                named(cdb),
            ),
        ),
        _ => {
            let mut problem = Problem::from(error);
            problem.message = format!("{}; {meaning}", problem.message);
            problem
        }
    }
}

fn named(cdb: &Cdb) -> String {
    let opcode = cdb.opcode();
    match command_name(cdb.as_bytes(), OPTICAL) {
        Some(name) => format!("{name} ({opcode:02x}h)"),
        None => format!("command {opcode:02x}h"),
    }
}

/// Sectors that could not be read: the first, how many, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadSectors {
    pub(crate) lba: i32,
    pub(crate) sectors: u32,
    pub(crate) reason: String,
    /// The drive said GOOD, so that nothing is known of them.
    pub(crate) missing: bool,
}

impl BadSectors {
    pub(crate) fn has(&self, lba: i32) -> bool {
        lba >= self.lba && lba.abs_diff(self.lba) < self.sectors
    }
}

/// Adds one to the list; those that touch and have the same reason are one.
pub(crate) fn add_bad(list: &mut Vec<BadSectors>, new: BadSectors) {
    match list.last_mut() {
        Some(last)
            if last.lba.saturating_add_unsigned(last.sectors) == new.lba
                && (&last.reason, last.missing) == (&new.reason, new.missing) =>
        {
            last.sectors = last.sectors.saturating_add(new.sectors);
        }
        _ => list.push(new),
    }
}

/// Takes those out of the list that do not lie before `end`.
pub(crate) fn cut_bad(list: &mut Vec<BadSectors>, end: i32) {
    list.retain(|bad| bad.lba < end);
    for bad in list {
        bad.sectors = bad.sectors.min(end.abs_diff(bad.lba));
    }
}

/// How many sectors the list has.
pub(crate) fn bad_count(list: &[BadSectors]) -> u64 {
    list.iter().map(|bad| u64::from(bad.sectors)).sum()
}

//! What went wrong with a command, and whether to try again.

use passthru::{
    Error, Verdict,
    scsi::{Cdb, DeviceType, command_name, sense::Condition},
};

use crate::problem::{Code, Problem};

/// What became of reading some sectors.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The sectors could not be read; again may help.
    Sector(Cause),
    /// They could not be read, and will not be however often they are tried.
    Never(Cause),
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
            // GOOD, and the bytes are missing.
            Error::Malformed { .. } => return Self::Missing(cause(error, "")),
            _ => return Self::Stop(cause(error, "")),
        };
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
            Condition::NoMedium => Self::Stop(cause(error, "; there is no disc")),
            Condition::Deferred
            | Condition::Reset
            | Condition::CapacityChanged
            | Condition::ReservationsChanged
            | Condition::ParametersChanged
            | Condition::LunsChanged
            | Condition::DeviceChanged
            | Condition::OperatorRequest
            | Condition::UnitAttention => Self::Attention(cause(error, "")),
            Condition::WrongMedium => Self::OtherType(cause(error, "")),
            Condition::OutOfRange | Condition::IllegalRequest => Self::Never(cause(error, "")),
            Condition::MediumError
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

/// Adds one to the list; those that touch and have the same reason are one.
pub(crate) fn add_bad(list: &mut Vec<BadSectors>, new: BadSectors) {
    match list.last_mut() {
        Some(last)
            if last.lba.saturating_add_unsigned(last.sectors) == new.lba
                && (&last.reason, last.missing) == (&new.reason, new.missing) =>
        {
            last.sectors += new.sectors;
        }
        _ => list.push(new),
    }
}

/// How many sectors the list has.
pub(crate) fn bad_count(list: &[BadSectors]) -> u64 {
    list.iter().map(|bad| u64::from(bad.sectors)).sum()
}

//! What a policy has swallowed.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

use crate::{
    Outcome,
    scsi::{Cdb, DeviceType, command_name},
};

/// How many entries are kept.
const MOST: usize = 64;

/// Why a command was sent again, or a TEST UNIT READY after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// UNIT ATTENTION.
    UnitAttention,
    /// NOT READY, and it was waited.
    NotReady,
    /// BUSY or TASK SET FULL.
    Busy,
    /// Lost on the transport.
    Transport,
    /// ABORTED COMMAND.
    Aborted,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnitAttention => "unit attention",
            Self::NotReady => "not ready",
            Self::Busy => "busy",
            Self::Transport => "transport error",
            Self::Aborted => "aborted",
        })
    }
}

/// An outcome that the caller did not get, because the command was sent again.
///
/// Outcomes of the same command that follow each other and differ in nothing but time, progress and
/// other details are one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swallowed {
    cdb: Cdb,
    outcome: Outcome,
    reason: Reason,
    times: u32,
    device_type: Option<DeviceType>,
}

impl Swallowed {
    /// The command: the caller's, or the TEST UNIT READY by which it was waited.
    #[must_use]
    pub const fn cdb(&self) -> &Cdb {
        &self.cdb
    }

    /// What it came to; the last one where there were several.
    #[must_use]
    pub const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Why something was sent after it.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// How many outcomes this entry stands for; at least 1.
    #[must_use]
    pub const fn times(&self) -> u32 {
        self.times
    }

    fn continues(&self, last: &Self) -> bool {
        let gist = |entry: &Self| {
            let (outcome, sense) = (&entry.outcome, entry.outcome.sense());
            (
                (entry.cdb, entry.reason),
                (outcome.status(), outcome.host(), outcome.driver()),
                (sense.key(), sense.additional(), sense.is_deferred()),
            )
        };
        gist(self) == gist(last)
    }
}

/// The command, what it came to, and how many times if that is more than once.
impl fmt::Display for Swallowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match command_name(self.cdb.as_bytes(), self.device_type.map(|kind| kind.0)) {
            Some(name) => write!(f, "{name} ({:02x}h)", self.cdb.opcode())?,
            None => write!(f, "command {:02x}h", self.cdb.opcode())?,
        }
        write!(f, ": {}", self.outcome)?;
        match self.times {
            1 => Ok(()),
            times => write!(f, ", {times} times"),
        }
    }
}

/// What was swallowed since the log was last taken, in the order in which it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RetryLog {
    entries: Vec<Swallowed>,
    left_out: u64,
}

impl RetryLog {
    /// The entries: the first 64.
    #[must_use]
    pub fn entries(&self) -> &[Swallowed] {
        &self.entries
    }

    /// How many outcomes came after the log was full, so that they are only counted.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// True when nothing was swallowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// The log while it is written.
#[derive(Debug, Default)]
pub(super) struct Log(Mutex<RetryLog>);

impl Log {
    pub(super) fn add(
        &self,
        cdb: &Cdb,
        outcome: &Outcome,
        reason: Reason,
        device_type: Option<DeviceType>,
    ) {
        let mut entry = Swallowed {
            device_type,
            cdb: *cdb,
            outcome: *outcome,
            reason,
            times: 1,
        };
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let RetryLog { entries, left_out } = &mut *log;
        let room = entries.len() < MOST;
        match entries.last_mut() {
            // Behind what was left out, an entry would stand for what was not next to it.
            Some(last) if *left_out == 0 && entry.continues(last) => {
                entry.times = last.times.saturating_add(1);
                *last = entry;
            }
            _ if room => entries.push(entry),
            _ => *left_out = left_out.saturating_add(1),
        }
    }

    pub(super) fn take(&self) -> RetryLog {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *log)
    }
}

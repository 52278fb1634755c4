//! What is counted.

use std::{collections::BTreeMap, time::Instant};

use passthru::{Error, NvmeErrorKind, device::RingFlags};

use crate::{latency::Latency, problem::Problem};

/// Commands that have ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) good: u64,
    pub(crate) failed: u64,
}

impl Count {
    pub(crate) const fn all(self) -> u64 {
        self.good + self.failed
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.good += other.good;
        self.failed += other.failed;
    }
}

/// How a command failed: the status field, if the controller gave one, and words.
pub(crate) type Cause = (Option<u16>, String);

/// What a thread came to.
pub(crate) struct Tally {
    pub(crate) flags: RingFlags,
    pub(crate) begun: Instant,
    pub(crate) ended: Instant,
    /// By the number of the device.
    pub(crate) devices: BTreeMap<usize, Count>,
    pub(crate) latency: Option<Latency>,
    pub(crate) system_calls: u64,
    pub(crate) causes: BTreeMap<Cause, u64>,
    /// The first thing that went wrong.
    pub(crate) problem: Option<Problem>,
}

impl Tally {
    pub(crate) fn count(&self) -> Count {
        let mut sum = Count::default();
        for count in self.devices.values() {
            sum.add(*count);
        }
        sum
    }

    /// Counts a command that failed, and says whether others may do better.
    #[cold]
    pub(crate) fn failed(&mut self, error: Error) -> bool {
        *self.causes.entry(cause(&error)).or_default() += 1;
        let go_on = is_of_the_command(&error);
        if self.problem.is_none() {
            self.problem = Some(error.into());
        }
        go_on
    }

    /// What ends the thread.
    #[cold]
    pub(crate) fn broken(&mut self, problem: Problem) {
        self.problem.get_or_insert(problem);
    }
}

fn cause(error: &Error) -> Cause {
    match error {
        Error::Nvme(nvme) => match (nvme.status(), nvme.kind()) {
            (Some(status), _) => (Some(status.raw()), status.to_string()),
            (None, NvmeErrorKind::Cancelled { .. }) => (None, "cancelled".to_owned()),
            (None, NvmeErrorKind::Os { source } | NvmeErrorKind::NotPermitted { source }) => {
                (None, source.to_string())
            }
            _ => (None, error.to_string()),
        },
        Error::Gone { source, .. } => (None, source.to_string()),
        _ => (None, error.to_string()),
    }
}

/// Whether it is this command that failed, and not all that would follow.
fn is_of_the_command(error: &Error) -> bool {
    match error {
        Error::Nvme(error) => matches!(
            error.kind(),
            NvmeErrorKind::Status(_) | NvmeErrorKind::Cancelled { .. }
        ),
        _ => false,
    }
}

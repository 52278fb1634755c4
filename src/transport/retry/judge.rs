//! Whether an outcome is one to try again after.

use std::time::Duration;

use super::{Reason, RetryPolicy, command};
use crate::{
    Outcome, Verdict,
    scsi::{Cdb, DeviceType, DriverStatus, HostStatus, SenseKey, sense::Condition},
};

/// How to go on after an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Return it.
    Return,
    /// Send the command again at once.
    Again(Reason),
    /// Send the command again after a pause, unless it was tried for so long.
    Pause(Duration),
    /// Ask by TEST UNIT READY, unless it was tried for so long.
    Wait(Duration),
}

/// What a policy has left for one call.
#[derive(Debug)]
pub(super) struct Budget {
    policy: RetryPolicy,
    unit_attentions: u32,
    repeats: bool,
    can_be_repeated: bool,
    reads_medium: bool,
}

impl Budget {
    pub(super) fn new(policy: RetryPolicy, cdb: &Cdb, device_type: Option<DeviceType>) -> Self {
        Self {
            policy,
            unit_attentions: policy.unit_attentions,
            repeats: policy.repeat_reads,
            can_be_repeated: command::can_be_repeated(cdb, device_type),
            reads_medium: command::reads_medium(cdb),
        }
    }

    /// What to do after `outcome` of the command, or of a TEST UNIT READY on its behalf.
    pub(super) fn step(&mut self, outcome: &Outcome) -> Step {
        match outcome.verdict() {
            Verdict::Check => self.after_check(outcome),
            Verdict::Status if outcome.status().is_busy() => {
                self.policy.busy.map_or(Step::Return, Step::Pause)
            }
            Verdict::Transport if passes(outcome) => self.once(Reason::Transport),
            _ => Step::Return,
        }
    }

    fn after_check(&mut self, outcome: &Outcome) -> Step {
        let sense = outcome.sense();
        let condition = sense.condition();
        match sense.key() {
            Some(SenseKey::UNIT_ATTENTION) => self.after_attention(condition),
            Some(SenseKey::NOT_READY) => match condition {
                Condition::BecomingReady(_) => self.policy.becoming_ready,
                Condition::OperationInProgress(_) | Condition::LongWriteInProgress(_) => {
                    self.policy.operations
                }
                _ => None,
            }
            .map_or(Step::Return, Step::Wait),
            Some(SenseKey::ABORTED_COMMAND) if condition != Condition::ProtectionInformation => {
                self.once(Reason::Aborted)
            }
            _ => Step::Return,
        }
    }

    fn after_attention(&mut self, condition: Condition) -> Step {
        let another_answer = condition == Condition::MediumChanged && self.reads_medium;
        if !self.can_be_repeated || another_answer {
            return Step::Return;
        }
        match self.unit_attentions.checked_sub(1) {
            Some(left) => {
                self.unit_attentions = left;
                Step::Again(Reason::UnitAttention)
            }
            None => Step::Return,
        }
    }

    fn once(&mut self, reason: Reason) -> Step {
        if self.can_be_repeated && std::mem::take(&mut self.repeats) {
            Step::Again(reason)
        } else {
            Step::Return
        }
    }
}

/// Whether a transport error is one that the next try may not meet: not a device that is gone,
/// not an error of the target's that a driver tells in this way.
fn passes(outcome: &Outcome) -> bool {
    let by_sense = outcome.sense().key().is_none_or(|key| {
        !matches!(
            key,
            SenseKey::MEDIUM_ERROR
                | SenseKey::HARDWARE_ERROR
                | SenseKey::ILLEGAL_REQUEST
                | SenseKey::DATA_PROTECT
        )
    });
    let host = matches!(
        outcome.host(),
        HostStatus::OK
            | HostStatus::BUS_BUSY
            | HostStatus::TIME_OUT
            | HostStatus::ABORT
            | HostStatus::PARITY
            | HostStatus::ERROR
            | HostStatus::RESET
            | HostStatus::BAD_INTR
            | HostStatus::SOFT_ERROR
            | HostStatus::IMM_RETRY
            | HostStatus::REQUEUE
            | HostStatus::TRANSPORT_DISRUPTED
            | HostStatus::TRANSPORT_MARGINAL
    );
    // DRIVER_BUSY and DRIVER_SOFT are of old kernels, as DRIVER_TIMEOUT is.
    let driver = matches!(
        outcome.driver().code(),
        DriverStatus::OK
            | DriverStatus::SENSE
            | DriverStatus::TIMEOUT
            | DriverStatus(0x01)
            | DriverStatus(0x02)
    );
    by_sense && !outcome.sense().is_deferred() && host && driver
}

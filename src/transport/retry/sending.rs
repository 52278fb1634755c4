//! The transport that sends again.

use std::{fmt, io::IoSliceMut, path::Path, time::Duration};

use super::{
    Clock, Reason, RetryLog, RetryPolicy, SystemClock,
    clock::Pauses,
    judge::{Budget, Step},
    log::Log,
};
use crate::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, Command, DeviceType, TestUnitReady},
    transport::cdb_of,
};

/// The first pause while a device becomes ready.
const READY_PAUSE: Duration = Duration::from_millis(100);
/// The first pause after BUSY.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A transport with a [`RetryPolicy`]; made by [`RetryPolicy::on`].
///
/// It can be used from several threads if the transport can; the log is one for all of them.
pub struct WithRetries<'a, T: ?Sized> {
    transport: &'a T,
    policy: RetryPolicy,
    device_type: Option<DeviceType>,
    clock: &'a (dyn Clock + Sync),
    log: Log,
}

impl<'a, T: ScsiTransport + ?Sized> WithRetries<'a, T> {
    pub(super) fn new(transport: &'a T, policy: RetryPolicy) -> Self {
        Self {
            transport,
            policy,
            device_type: transport.device_type(),
            clock: &SystemClock,
            log: Log::default(),
        }
    }

    /// What kind of device it is, for a transport that does not know. Without it no READ is
    /// known to be one.
    #[must_use]
    pub const fn for_type(mut self, device_type: DeviceType) -> Self {
        self.device_type = Some(device_type);
        self
    }

    /// Another clock than the system's.
    #[must_use]
    pub const fn clock(mut self, clock: &'a (dyn Clock + Sync)) -> Self {
        self.clock = clock;
        self
    }

    /// The policy.
    pub const fn policy(&self) -> RetryPolicy {
        self.policy
    }

    /// What carries the commands.
    #[must_use]
    pub const fn transport(&self) -> &'a T {
        self.transport
    }

    /// What was swallowed since this was last called.
    #[must_use]
    #[doc(alias = "swallowed")]
    pub fn take_log(&self) -> RetryLog {
        self.log.take()
    }

    fn note(&self, cdb: &Cdb, outcome: &Outcome, reason: Reason) {
        self.log.add(cdb, outcome, reason, self.device_type);
    }

    /// Goes on after an outcome that is no success.
    #[cold]
    fn go_on(
        &self,
        mut outcome: Outcome,
        cdb: &Cdb,
        data: &mut Data<'_>,
        options: &Options,
    ) -> Result<Outcome> {
        let mut budget = Budget::new(self.policy, cdb, self.device_type);
        let mut ready = Pauses::from(READY_PAUSE);
        let mut busy = Pauses::from(BUSY_PAUSE);
        while !outcome.verdict().is_success() {
            match budget.step(&outcome) {
                Step::Return => break,
                Step::Again(reason) => self.note(cdb, &outcome, reason),
                Step::Pause(longest) => {
                    if !busy.pause(self.clock, longest) {
                        break;
                    }
                    self.note(cdb, &outcome, Reason::Busy);
                }
                Step::Wait(longest) => {
                    let end = self.wait(&mut budget, &mut ready, longest, cdb, &outcome)?;
                    if let Some(end) = end {
                        outcome = in_place_of(&outcome, &end);
                        break;
                    }
                }
            }
            outcome = once(self.transport, cdb, data, options)?;
        }
        Ok(outcome)
    }

    /// Sends TEST UNIT READY until it goes well (`None`), or to the outcome that ends the waiting.
    /// `outcome` is the one that it begins with, of the command `cdb`.
    fn wait(
        &self,
        budget: &mut Budget,
        pauses: &mut Pauses,
        mut longest: Duration,
        cdb: &Cdb,
        outcome: &Outcome,
    ) -> Result<Option<Outcome>> {
        let poll = cdb_of(self.transport, &TestUnitReady, 0)?;
        let options = self
            .transport
            .default_options()
            .or_own(TestUnitReady.timeout());
        let (mut latest, mut of) = (*outcome, *cdb);
        let mut reason = Reason::NotReady;
        loop {
            // After a unit attention the device has more to say at once.
            if reason != Reason::UnitAttention && !pauses.pause(self.clock, longest) {
                return Ok(Some(latest));
            }
            self.note(&of, &latest, reason);
            latest = self.transport.send(&poll, Data::None, &options)?;
            of = poll;
            if latest.verdict().is_success() {
                return Ok(None);
            }
            reason = match budget.step(&latest) {
                Step::Wait(until) => {
                    longest = until;
                    Reason::NotReady
                }
                Step::Pause(_) => Reason::Busy,
                Step::Again(Reason::UnitAttention) => Reason::UnitAttention,
                Step::Again(_) | Step::Return => return Ok(Some(latest)),
            };
        }
    }
}

/// The answer to a TEST UNIT READY as that to the command which was not ready with `asked`.
fn in_place_of(asked: &Outcome, answer: &Outcome) -> Outcome {
    let mut outcome = *asked;
    outcome.set_status(answer.status());
    outcome.set_host(answer.host());
    outcome.set_driver(answer.driver());
    *outcome.sense_mut() = answer.sense_bytes().into();
    outcome
}

/// Sends it with a new borrow of its data.
fn once<T: ScsiTransport + ?Sized>(
    transport: &T,
    cdb: &Cdb,
    data: &mut Data<'_>,
    options: &Options,
) -> Result<Outcome> {
    match data {
        Data::None => transport.send(cdb, Data::None, options),
        Data::In(slice) => transport.send(cdb, Data::In(slice), options),
        Data::Out(slice) => transport.send(cdb, Data::Out(slice), options),
        Data::OutVectored(slices) => transport.send(cdb, Data::OutVectored(slices), options),
        // Such a list cannot be lent a second time, so it is made anew.
        Data::InVectored(slices) => {
            let mut again: Vec<_> = slices
                .iter_mut()
                .map(|slice| IoSliceMut::new(slice))
                .collect();
            transport.send(cdb, Data::InVectored(&mut again), options)
        }
    }
}

impl<T: ScsiTransport + ?Sized> ScsiTransport for WithRetries<'_, T> {
    /// Sends it, and again as the policy says.
    ///
    /// Data-in memory of several slices costs an allocation for the list of them.
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, options: &Options) -> Result<Outcome> {
        if self.policy == RetryPolicy::new() {
            return self.transport.send(cdb, data, options);
        }
        let mut result = once(self.transport, cdb, &mut data, options);
        if let Ok(outcome) = &result {
            if !outcome.verdict().is_success() {
                result = self.go_on(*outcome, cdb, &mut data, options);
            }
        }
        result
    }

    fn path(&self) -> &Path {
        self.transport.path()
    }

    fn default_options(&self) -> Options {
        self.transport.default_options()
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.device_type
    }
}

impl<T: ScsiTransport + ?Sized> fmt::Debug for WithRetries<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithRetries")
            .field("path", &self.path())
            .field("policy", &self.policy)
            .field("device_type", &self.device_type)
            .field("log", &self.log)
            .finish_non_exhaustive()
    }
}

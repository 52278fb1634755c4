//! Sending a command again: by an explicit policy, off unless asked for.
//!
//! A transport sends what it is given once, and whatever the device says comes back. That is
//! exact, and often not what a tool wants: the first command after a reset fails with UNIT
//! ATTENTION, a drive that spins up says NOT READY for a while. A [`RetryPolicy`] takes care of
//! these, and only of those that are switched on. [`RetryPolicy::on`] makes a transport of a
//! transport, so that every typed call and [`unit::Disk`](crate::unit::Disk) work through it.
//!
//! | answer | what is done, if switched on | for which commands |
//! |---|---|---|
//! | UNIT ATTENTION | sent again at once, `n` times in a call | those that can be repeated; after a change of the medium (28h) only those that do not read its data |
//! | NOT READY, becoming ready (04h/01h) | TEST UNIT READY until it is ready, or the deadline | all |
//! | NOT READY, operation in progress (04h/07h, 04h/08h) | the same, by a switch of its own | all |
//! | BUSY, TASK SET FULL | sent again after a pause, until the deadline | all |
//! | transport error that passes, ABORTED COMMAND | sent again, once in a call | those that can be repeated |
//! | any other NOT READY: no medium, START STOP UNIT needed, format, sanitize, self-test, a path | nothing | |
//! | MEDIUM ERROR, HARDWARE ERROR, ILLEGAL REQUEST, DATA PROTECT and the other keys | nothing | |
//! | RESERVATION CONFLICT, ACA ACTIVE, TASK ABORTED | nothing | |
//! | protection information error (10h), CHECK CONDITION without sense data | nothing | |
//! | a deferred error | nothing: it is about an earlier command, and it is returned | |
//! | an [`Error`](crate::Error) instead of an outcome | nothing | |
//!
//! # At most once
//!
//! A command that may write is sent again only when the device has said that it did not take
//! it: NOT READY and becoming ready, an operation in progress, BUSY, TASK SET FULL. So it is carried
//! out at most once by the policy, whatever happens on the transport. After a timeout or any
//! other transport error nobody knows whether it was carried out, and that is returned. After a UNIT
//! ATTENTION it was not carried out, but what the caller knew may not hold any more (another medium,
//! lost reservations, a cache that was lost with the power), so that is returned as well: let a
//! TEST UNIT READY take the unit attentions before the writing begins.
//!
//! Commands that can be repeated are those that change nothing
//! ([`is_read_only`](crate::scsi::is_read_only), by the transport's
//! [device type](crate::ScsiTransport::device_type)), except those whose answer is given only once
//! or depends on a position: REQUEST SENSE, GET EVENT STATUS NOTIFICATION, REPORT KEY, SECURITY
//! PROTOCOL IN, RECEIVE COPY RESULTS, LOG SENSE of the `TapeAlert` page, and on a tape everything that
//! reads or moves. ATA PASS-THROUGH and vendor commands never are.
//!
//! # What was swallowed
//!
//! Every outcome that a caller would have seen without the policy, and every answer to a TEST UNIT
//! READY of its own, is kept in a log ([`WithRetries::take_log`]) with its CDB, so that a unit
//! attention is not lost. What ends the trying is returned and not logged: the command's own last
//! outcome, or, when it was waited, the last answer to TEST UNIT READY in place of the command's
//! (which was not carried out). The log has a bound, and a command that goes well touches it not
//! at all.
//!
//! # Example
//!
//! ```
//! use std::{cell::RefCell, path::Path, time::Duration};
//! use passthru::{
//!     Data, Options, Outcome, Result, RetryPolicy, ScsiTransport, ScsiTransportExt,
//!     retry::Reason,
//!     scsi::{AdditionalSense, Cdb, DeviceType, Inquiry, SenseBuffer, SenseKey, Status},
//! };
//!
//! /// A drive that was just plugged in: it tells of that, spins up, and then answers.
//! struct Drive(RefCell<Vec<SenseBuffer>>);
//!
//! impl ScsiTransport for Drive {
//!     fn send(&self, _: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
//!         let mut outcome = Outcome::new(Status::GOOD, data.len());
//!         if let Some(sense) = self.0.borrow_mut().pop() {
//!             outcome.set_status(Status::CHECK_CONDITION);
//!             *outcome.sense_mut() = sense;
//!         } else {
//!             let reply = b"\0\0\x06\x02\x1f\0\0\0ACME    FAKE DRIVE      1.0 ";
//!             outcome.set_transferred(data.fill_from(reply));
//!         }
//!         Ok(outcome)
//!     }
//!
//!     fn path(&self) -> &Path {
//!         Path::new("drive")
//!     }
//!
//!     fn device_type(&self) -> Option<DeviceType> {
//!         Some(DeviceType::DISK)
//!     }
//! }
//!
//! let drive = Drive(RefCell::new(vec![
//!     SenseBuffer::fixed(SenseKey::NOT_READY, AdditionalSense::BECOMING_READY),
//!     SenseBuffer::fixed(SenseKey::UNIT_ATTENTION, AdditionalSense::POWER_ON_OR_RESET),
//! ]));
//! let patient = RetryPolicy::new()
//!     .unit_attentions(3)
//!     .becoming_ready(Duration::from_secs(30))
//!     .busy(Duration::from_secs(10))
//!     .repeat_reads(true);
//!
//! let device = patient.on(&drive);
//! assert_eq!(device.query(&Inquiry::standard())?.product(), "FAKE DRIVE");
//!
//! let log = device.take_log();
//! let reasons: Vec<_> = log.entries().iter().map(|entry| entry.reason()).collect();
//! assert_eq!(reasons, [Reason::UnitAttention, Reason::NotReady]);
//! for entry in log.entries() {
//!     eprintln!("{entry}");
//! }
//! # Ok::<(), passthru::Error>(())
//! ```

mod clock;
mod command;
mod judge;
mod log;
mod sending;

use std::time::Duration;

pub use clock::{Clock, SystemClock};
pub use log::{Reason, RetryLog, Swallowed};
pub use sending::WithRetries;

use super::ScsiTransport;

/// Which failures are tried again; nothing by default. The [module](self) says what each switch
/// does.
///
/// A policy is a value that can be kept and used for many devices.
///
/// ```no_run
/// use std::time::Duration;
/// use passthru::{RetryPolicy, ScsiDevice, ScsiTransportExt, scsi::TestUnitReady, unit::Disk};
///
/// let node = ScsiDevice::open_rw("/dev/sg1")?;
/// let policy = RetryPolicy::new()
///     .unit_attentions(3)
///     .becoming_ready(Duration::from_secs(60))
///     .busy(Duration::from_secs(10));
/// let device = policy.on(&node);
/// device.execute(&TestUnitReady)?; // takes the unit attentions before something is written
/// let disk = Disk::new(&device)?;
/// disk.write(0, &[0; 4096])?;
/// for entry in device.take_log().entries() {
///     eprintln!("tried again: {entry}");
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct RetryPolicy {
    unit_attentions: u32,
    becoming_ready: Option<Duration>,
    operations: Option<Duration>,
    busy: Option<Duration>,
    repeat_reads: bool,
}

impl RetryPolicy {
    /// Nothing is tried again.
    pub const fn new() -> Self {
        Self {
            unit_attentions: 0,
            becoming_ready: None,
            operations: None,
            busy: None,
            repeat_reads: false,
        }
    }

    /// Swallows up to `most` UNIT ATTENTIONs in a call. They come stacked: a reset is
    /// followed by changed parameters and a changed inventory, so 3 is a good number.
    pub const fn unit_attentions(mut self, most: u32) -> Self {
        self.unit_attentions = most;
        self
    }

    /// Waits while the device becomes ready (04h/01h), `longest` in a call.
    ///
    /// A drive becomes ready after somebody has changed the medium, too. Its unit attention
    /// (28h) is returned to a command that reads, unless another program, or the kernel's own
    /// look at the drive, has taken it: who reads a medium in many commands looks at the log, and
    /// whether it is still the same.
    ///
    /// The deadline is looked at between commands; one that is on its way is waited for, up to
    /// its own timeout.
    pub const fn becoming_ready(mut self, longest: Duration) -> Self {
        self.becoming_ready = Some(longest);
        self
    }

    /// Waits while an operation or a long write is in progress (04h/07h, 04h/08h), `longest`
    /// in a call: an optical drive closes a track so. Not for formats and the like.
    pub const fn operations(mut self, longest: Duration) -> Self {
        self.operations = Some(longest);
        self
    }

    /// Sends again after BUSY and TASK SET FULL, with growing pauses, for `longest` in a call.
    /// The kernel does it on its own before; what arrives is a device that stays busy.
    pub const fn busy(mut self, longest: Duration) -> Self {
        self.busy = Some(longest);
        self
    }

    /// Sends a command that can be repeated a second time when it was lost on the transport
    /// or aborted (ABORTED COMMAND). Never one that writes.
    pub const fn repeat_reads(mut self, repeat: bool) -> Self {
        self.repeat_reads = repeat;
        self
    }

    /// `transport` with this policy.
    pub fn on<T: ScsiTransport + ?Sized>(self, transport: &T) -> WithRetries<'_, T> {
        WithRetries::new(transport, self)
    }
}

#[cfg(test)]
mod tests;

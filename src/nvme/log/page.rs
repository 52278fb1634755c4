//! A log page with a type.

use core::{fmt, marker::PhantomData, time::Duration};

use super::GetLog;
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, Nsid, Query, Queue, Sqe,
    command::sealed::Sealed,
};

/// The longest page that a header may have the crate fetch as a whole: 1 GiB.
/// A longer one is read by [`Pieces`](super::Pieces).
pub const MAX_LENGTH: u64 = 1 << 30;

/// What a [`LogPage`] is asked for. Only this crate has such types.
pub trait LogReply: Sized + Sealed {
    /// Reads the bytes of a page, such as were kept in a file. Bytes behind the
    /// page's end do not matter.
    ///
    /// # Errors
    /// [`Malformed`] if they are not that.
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed>;
}

impl Sealed for Vec<u8> {}

impl LogReply for Vec<u8> {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        Ok(bytes)
    }
}

impl Sealed for () {}

/// A page of which only its being read matters.
impl LogReply for () {
    fn from_bytes(_: Vec<u8>) -> Result<Self, Malformed> {
        Ok(())
    }
}

/// A query for a log page, or a part of one, whose reply is an `R`. The
/// functions of `R` make it.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, Query, log::SmartHealth};
///
/// let page = SmartHealth::page().namespace(Nsid::new(1));
/// let sqe = page.sqe(Lengths::data(page.reply_length()))?;
/// assert_eq!((sqe.nsid, sqe.cdw10), (1, 0x007f_0002));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[must_use]
pub struct LogPage<R> {
    log: GetLog,
    length: usize,
    reply: PhantomData<fn() -> R>,
}

impl<R> LogPage<R> {
    pub(super) const fn new(log: GetLog, length: usize) -> Self {
        Self {
            log,
            length,
            reply: PhantomData,
        }
    }

    /// A page whose length a device told, rounded up to whole dwords.
    pub(super) fn told(log: GetLog, length: u64) -> Result<Self, Malformed> {
        match usize::try_from(length) {
            Ok(bytes) if length <= MAX_LENGTH => Ok(Self::new(log, bytes.next_multiple_of(4))),
            _ => Err(Malformed::Length {
                named: length,
                max: MAX_LENGTH,
            }),
        }
    }

    /// The command.
    pub const fn command(&self) -> GetLog {
        self.log
    }

    /// Of one namespace; of [`Nsid::ALL`] or `None` (NSID 0) the controller.
    pub const fn namespace(mut self, nsid: Option<Nsid>) -> Self {
        self.log = self.log.namespace(nsid);
        self
    }

    /// Whether the event that belongs to the page stays as it is (RAE), so that
    /// who waits for it does not miss it. All but the last piece of a page
    /// retain it anyway.
    #[doc(alias = "RAE")]
    pub const fn retain_event(mut self, retain: bool) -> Self {
        self.log = self.log.retain_event(retain);
        self
    }

    /// Which vendor's page it is, as an index of the UUID list.
    #[doc(alias = "UIDX")]
    pub const fn uuid_index(mut self, index: u8) -> Self {
        self.log = self.log.uuid_index(index);
        self
    }
}

impl<R> Clone for LogPage<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for LogPage<R> {}

impl<R> fmt::Debug for LogPage<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogPage")
            .field("log", &self.log)
            .field("length", &self.length)
            .finish()
    }
}

impl<R> PartialEq for LogPage<R> {
    fn eq(&self, other: &Self) -> bool {
        (self.log, self.length) == (other.log, other.length)
    }
}

impl<R> Eq for LogPage<R> {}

impl<R: LogReply> Sealed for LogPage<R> {}

impl<R: LogReply> Command for LogPage<R> {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        match lengths.data < self.length {
            true => self.log.retain_event(true).sqe(lengths),
            false => self.log.sqe(lengths),
        }
    }

    fn timeout(&self) -> Option<Duration> {
        self.log.timeout()
    }
}

impl<R: LogReply> DataIn for LogPage<R> {}

impl<R: LogReply> Query for LogPage<R> {
    type Reply = R;

    fn reply_length(&self) -> usize {
        self.length
    }

    fn at(&self, offset: u64) -> Option<Self> {
        let done = usize::try_from(offset).ok()?;
        Some(Self {
            log: self.log.at(offset)?,
            length: self.length.checked_sub(done)?,
            ..*self
        })
    }

    fn parse(&self, bytes: &[u8]) -> Result<R, Malformed> {
        R::from_bytes(bytes.to_vec())
    }
}

//! How a command is sent.

use std::time::Duration;

/// Where a command enters the device's queue in the kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QueuePosition {
    /// Behind those that wait already, so that order is kept
    /// (`SG_FLAG_Q_AT_TAIL`).
    #[default]
    #[doc(alias("SG_FLAG_Q_AT_TAIL", "BSG_FLAG_Q_AT_TAIL"))]
    Tail,
    /// Before all others (`SG_FLAG_Q_AT_HEAD`). Two commands sent so come out
    /// in the opposite order.
    #[doc(alias("SG_FLAG_Q_AT_HEAD", "BSG_FLAG_Q_AT_HEAD"))]
    Head,
}

/// How a command is to be sent.
///
/// ```
/// use std::time::Duration;
/// use passthru::{Options, QueuePosition};
///
/// let options = Options::new()
///     .timeout(Duration::from_secs(5))
///     .queue_position(QueuePosition::Head);
/// assert_eq!(options.timeout_or(Duration::from_secs(60)), Duration::from_secs(5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    timeout: Option<Duration>,
    queue_position: QueuePosition,
    direct: bool,
}

impl Options {
    /// The command's own timeout, at the tail of the queue, no direct I/O.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            timeout: None,
            queue_position: QueuePosition::Tail,
            direct: false,
        }
    }

    /// How long a command may take that has no timeout of its own
    /// ([`Command::timeout`](crate::scsi::Command::timeout)): 1 ms to `u32::MAX` ms, rounded up to whole
    /// milliseconds. Zero is refused when the command is sent. Block and
    /// bsg nodes raise less than 7 s to 7 s. When it ends, the kernel aborts
    /// the command and may reset the device.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Where the command enters the queue.
    #[must_use]
    pub const fn queue_position(mut self, position: QueuePosition) -> Self {
        self.queue_position = position;
        self
    }

    /// Asks an sg node to move the data straight to or from the caller's pages
    /// (`SG_FLAG_DIRECT_IO`). It does so if the module parameter `allow_dio` is
    /// set and the buffer is aligned, else it copies;
    /// [`Outcome::io_path`](crate::Outcome::io_path) says which. Block and bsg nodes do it by
    /// themselves whenever the buffer is aligned, and ignore this.
    #[must_use]
    #[doc(alias = "SG_FLAG_DIRECT_IO")]
    pub const fn direct(mut self, direct: bool) -> Self {
        self.direct = direct;
        self
    }

    /// The timeout that was set, or `default`.
    #[must_use]
    pub fn timeout_or(&self, default: Duration) -> Duration {
        self.timeout.unwrap_or(default)
    }

    /// The timeout, if one was set.
    pub(crate) const fn timeout_if_set(&self) -> Option<Duration> {
        self.timeout
    }

    /// The queue position.
    #[must_use]
    pub const fn position(&self) -> QueuePosition {
        self.queue_position
    }

    /// Whether direct I/O was asked for.
    #[must_use]
    pub const fn wants_direct(&self) -> bool {
        self.direct
    }

    /// The same, with the timeout that the command has of its own.
    pub(crate) fn or_own(mut self, own: Option<Duration>) -> Self {
        self.timeout = own.or(self.timeout);
        self
    }
}

/// Whole milliseconds, rounded up; `None` for zero, which is the kernel's own
/// default, and for more than a `u32`.
pub(crate) fn whole_milliseconds(timeout: Duration) -> Option<u32> {
    let seconds = u32::try_from(timeout.as_secs()).ok()?;
    let whole = seconds.checked_mul(1000)?;
    let rounded_up = match timeout.subsec_nanos() {
        0 => whole,
        rest => whole.checked_add(rest.div_ceil(1_000_000))?,
    };
    (rounded_up > 0).then_some(rounded_up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_round_up_and_have_bounds() {
        assert_eq!(whole_milliseconds(Duration::ZERO), None);
        assert_eq!(whole_milliseconds(Duration::from_nanos(1)), Some(1));
        assert_eq!(whole_milliseconds(Duration::from_micros(1001)), Some(2));
        assert_eq!(whole_milliseconds(Duration::from_secs(60)), Some(60_000));
        assert_eq!(
            whole_milliseconds(Duration::from_millis(u64::from(u32::MAX))),
            Some(u32::MAX)
        );
        assert_eq!(
            whole_milliseconds(Duration::from_millis(u64::from(u32::MAX) + 1)),
            None
        );
        assert_eq!(whole_milliseconds(Duration::MAX), None);
    }
}

//! What became of a command.

use std::{fmt, time::Duration};

use crate::scsi::{DriverStatus, HostStatus, Sense, SenseBuffer, SenseKey, Status};

/// How the kernel moved the data between the device and the caller's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IoPath {
    /// Through pages of the kernel, copied (`SG_INFO_INDIRECT_IO`).
    Indirect,
    /// Straight to or from the caller's pages (`SG_INFO_DIRECT_IO`).
    Direct,
    /// Partly one, partly the other (`SG_INFO_MIXED_IO`).
    Mixed,
    /// Through memory of this crate, copied: the kernel could not take the
    /// caller's pages (EFAULT), so nothing had been sent.
    Bounced,
    /// The interface does not say: block and bsg nodes never do.
    Unknown,
}

/// All that came back for one command that reached the kernel: every layer's
/// status, the sense data, how much was moved and how long it took.
///
/// An `Outcome` says what happened, [`verdict`](Self::verdict) what it means.
/// The calls of [`ScsiTransportExt`](crate::ScsiTransportExt) turn an outcome
/// that is no success into an [`Error`](crate::Error) which still holds it;
/// [`ScsiTransport::send`](crate::ScsiTransport::send) returns it as it is.
///
/// ```
/// use passthru::{Outcome, Verdict, scsi::Status};
///
/// let mut read = Outcome::new(Status::GOOD, 4096);
/// read.set_residual(1024);
/// assert_eq!(read.transferred(), 3072);
/// assert_eq!(read.verdict(), Verdict::Good);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias("sg_io_hdr", "sg_io_v4", "resid", "SG_INFO_DIRECT_IO"))]
pub struct Outcome {
    status: Status,
    host: HostStatus,
    driver: DriverStatus,
    sense: SenseBuffer,
    requested: usize,
    residual: i32,
    duration: Option<Duration>,
    io_path: IoPath,
}

/// What an [`Outcome`] amounts to, from looking at host status, driver status,
/// sense and SCSI status, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The command did what it was asked (GOOD, CONDITION MET, INTERMEDIATE).
    Good,
    /// It did, and the device has something to say (sense key RECOVERED ERROR,
    /// COMPLETED, or NO SENSE beside a GOOD status). The data is valid.
    GoodWithSense,
    /// The device failed the command and sense data says why. Whether data was
    /// moved is unknown: the residual is not to be trusted here.
    Check,
    /// Sense data about an *earlier* command (response code 71h or 73h). This
    /// one was not carried out, or nobody knows.
    Deferred,
    /// CHECK CONDITION, and no sense data that could be read.
    CheckWithoutSense,
    /// Another SCSI status: BUSY, RESERVATION CONFLICT, TASK SET FULL, ...
    Status,
    /// The command was lost on the way there or back: host or driver status is
    /// not zero. The SCSI status means nothing then.
    Transport,
}

impl Verdict {
    /// Whether the command was carried out.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Good | Self::GoodWithSense)
    }
}

impl Outcome {
    /// The outcome of a command that ended with `status` and for which
    /// `requested` bytes were to be moved, all of which were.
    ///
    /// Transports fill in the rest by the `set_` methods.
    #[must_use]
    pub const fn new(status: Status, requested: usize) -> Self {
        Self {
            status,
            host: HostStatus(0),
            driver: DriverStatus(0),
            sense: SenseBuffer::EMPTY,
            requested,
            residual: 0,
            duration: None,
            io_path: IoPath::Unknown,
        }
    }

    /// A new outcome for `fill` to complete, or its error. An outcome is large, so
    /// it is made where it stays and not moved there.
    #[inline]
    pub(crate) fn filled<E>(
        requested: usize,
        fill: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut result = Ok(Self::new(Status::GOOD, requested));
        if let Ok(outcome) = &mut result {
            if let Err(error) = fill(outcome) {
                result = Err(error);
            }
        }
        result
    }

    /// Puts in the SCSI status.
    pub const fn set_status(&mut self, status: Status) {
        self.status = status;
    }

    /// Puts in the host status.
    pub const fn set_host(&mut self, host: HostStatus) {
        self.host = host;
    }

    /// Puts in the driver status.
    pub const fn set_driver(&mut self, driver: DriverStatus) {
        self.driver = driver;
    }

    /// Puts in the residual, in bytes, as the transport reported it.
    pub const fn set_residual(&mut self, residual: i32) {
        self.residual = residual;
    }

    /// Puts in the residual by what was moved, in bytes.
    pub fn set_transferred(&mut self, moved: usize) {
        let residual = self.requested.saturating_sub(moved);
        self.residual = i32::try_from(residual).unwrap_or(i32::MAX);
    }

    /// Puts in the time that the command took.
    pub const fn set_duration(&mut self, duration: Duration) {
        self.duration = Some(duration);
    }

    /// Puts in how the data was moved.
    pub const fn set_io_path(&mut self, io_path: IoPath) {
        self.io_path = io_path;
    }

    /// The place for sense data, to be filled by a transport.
    pub const fn sense_mut(&mut self) -> &mut SenseBuffer {
        &mut self.sense
    }

    /// The SCSI status. Means nothing when [`host`](Self::host) is not zero.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.status
    }

    /// The host adapter's status (`DID_*`), 0 when the transport worked.
    #[must_use]
    pub const fn host(&self) -> HostStatus {
        self.host
    }

    /// The low-level driver's status: 08h only says that sense data is there.
    #[must_use]
    pub const fn driver(&self) -> DriverStatus {
        self.driver
    }

    /// The sense data, parsed as far as one asks; empty if there was none.
    /// It can come with any status, GOOD as well.
    #[must_use]
    pub fn sense(&self) -> Sense<'_> {
        Sense::parse(self.sense.as_bytes())
    }

    /// The sense bytes that were written, as they came.
    #[must_use]
    #[doc(alias = "sb_len_wr")]
    pub fn sense_bytes(&self) -> &[u8] {
        self.sense.as_bytes()
    }

    /// How many bytes were to be moved: the buffer's length.
    #[must_use]
    pub const fn requested(&self) -> usize {
        self.requested
    }

    /// `requested` less the bytes that were moved, as the transport reported
    /// it, raw. It can be negative or too large, and several host adapters
    /// leave it 0 when less was moved.
    #[must_use]
    pub const fn residual(&self) -> i32 {
        self.residual
    }

    /// How many bytes were moved by the residual: `requested` less
    /// [`residual`](Self::residual), within 0 and `requested`. For an outcome
    /// that is no success it is 0, because there the kernel reports a residual
    /// of 0 even when nothing was moved.
    ///
    /// Of a data-in buffer only so many bytes are the device's answer. What
    /// lies behind them is unspecified: zeros, the old content, or what another
    /// command has left in the kernel's buffer.
    #[must_use]
    pub fn transferred(&self) -> usize {
        if self.verdict().is_success() {
            self.claimed()
        } else {
            0
        }
    }

    /// As [`transferred`](Self::transferred), but for failed commands too:
    /// what the residual claims. Some drives do return good data beside CHECK
    /// CONDITION (a short tape block, a read that stopped at a bad sector).
    #[must_use]
    pub fn claimed(&self) -> usize {
        let residual = usize::try_from(self.residual).unwrap_or(0);
        self.requested.saturating_sub(residual)
    }

    /// How long the command took in whole milliseconds, by the kernel's clock, so
    /// that 0 is common; `None` on bsg, which does not measure.
    ///
    /// A success that took seconds where others take milliseconds may be none: some USB bridges
    /// give up on their drive by a timeout of their own, and then answer with GOOD and zeros.
    /// [`ScsiTransportExt::query`](crate::ScsiTransportExt::query) says how to see whether bytes
    /// came.
    #[must_use]
    pub const fn duration(&self) -> Option<Duration> {
        self.duration
    }

    /// How the data was moved, where the interface says.
    #[must_use]
    pub const fn io_path(&self) -> IoPath {
        self.io_path
    }

    /// What it amounts to. The order is: host status, driver status other than
    /// "sense valid", sense data, SCSI status. A failure can hide behind status
    /// GOOD (libata answers an ATA command to an ATAPI drive so), and CHECK
    /// CONDITION may be a success with a remark.
    #[must_use]
    #[inline]
    pub fn verdict(&self) -> Verdict {
        if self.is_plain() {
            return Verdict::Good;
        }
        self.verdict_by_layers()
    }

    /// GOOD, and no layer has anything to add, as nearly always.
    #[inline]
    fn is_plain(&self) -> bool {
        self.status == Status::GOOD
            && self.host.0 == 0
            && self.driver.0 == 0
            && self.sense.is_empty()
    }

    fn verdict_by_layers(&self) -> Verdict {
        if self.host.0 != 0 || !matches!(self.driver.0 & 0x0f, 0 | 8) {
            return Verdict::Transport;
        }
        let check = self.status.is_check_condition();
        let sense = self.sense();
        if let Some(key) = sense.key() {
            if sense.is_deferred() {
                return Verdict::Deferred;
            }
            return match key {
                SenseKey::RECOVERED_ERROR | SenseKey::COMPLETED if check => Verdict::GoodWithSense,
                // Under CHECK CONDITION no sense is no excuse: a tape's filemark
                // comes so, and a device that lost its sense data.
                SenseKey::NO_SENSE if check => Verdict::Check,
                key if key.is_informational() => self.by_status(Verdict::GoodWithSense),
                _ => Verdict::Check,
            };
        }
        if check {
            return Verdict::CheckWithoutSense;
        }
        self.by_status(Verdict::Good)
    }

    fn by_status(&self, success: Verdict) -> Verdict {
        if self.status.is_success() {
            success
        } else {
            Verdict::Status
        }
    }
}

impl fmt::Display for IoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Indirect => "indirect",
            Self::Direct => "direct",
            Self::Mixed => "mixed",
            Self::Bounced => "bounced",
            Self::Unknown => "unknown",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Good => "good",
            Self::GoodWithSense => "good, with sense data",
            Self::Check => "failed, with sense data",
            Self::Deferred => "an earlier command failed",
            Self::CheckWithoutSense => "failed, without sense data",
            Self::Status => "not carried out",
            Self::Transport => "lost on the way",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = self.verdict();
        match verdict {
            Verdict::Transport => {
                write!(f, "host status {}", self.host)?;
                if !matches!(self.driver.0 & 0x0f, 0 | 8) {
                    write!(f, ", driver status {}", self.driver)?;
                }
            }
            _ => write!(f, "{}", self.status)?,
        }
        if !self.sense.is_empty() {
            write!(f, ", {}", self.sense())?;
        } else if verdict == Verdict::CheckWithoutSense {
            write!(f, ", no sense data")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("verdict", &self.verdict())
            .field("status", &self.status)
            .field("host", &self.host)
            .field("driver", &self.driver)
            .field("sense", &self.sense)
            .field("requested", &self.requested)
            .field("residual", &self.residual)
            .field("duration", &self.duration)
            .field("io_path", &self.io_path)
            .finish()
    }
}

#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;

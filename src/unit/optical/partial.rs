//! A read that did not come to its end.

use std::fmt;

use super::ReadSectors;
use crate::{
    Error, Failure,
    scsi::{Malformed, mmc::Lba},
};

/// Why a [`read`](super::OpticalDrive::read) stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadFault {
    /// A command failed, or could not be sent.
    #[error(transparent)]
    Error(#[from] Error),
    /// A command ended with GOOD and did not bring all its bytes.
    #[error("{failure}: {bytes} bytes are missing")]
    MissingBytes {
        /// How many sectors of the whole read are complete, from the first on.
        sectors_complete: u32,
        /// How many bytes of that command are missing.
        bytes: usize,
        /// The command with its outcome, which is a success by itself.
        failure: Box<Failure>,
    },
}

/// A read of several commands that did not come to its end: why, and how far it
/// came.
///
/// `?` makes an [`Error`] of it where only that is wanted; missing bytes are an
/// [`Error::Malformed`] then.
///
/// Who goes on behind a bad sector begins at [`next`](Self::next), not behind
/// [`failed`](Self::failed): what lies between them counts as read only once a
/// read without the bad sector has brought it.
///
/// ```no_run
/// use passthru::Error;
/// use passthru::scsi::mmc::{Lba, MainChannel, SectorRequest, SectorType};
/// use passthru::unit::{OpticalDrive, ReadFault};
///
/// let drive = OpticalDrive::open("/dev/sg1")?;
/// let request = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
/// let (mut lba, end) = (Lba(0), Lba(1000));
/// let mut buffer = vec![0; 27 * 2352];
/// let mut most = 27;
/// while lba < end {
///     let sectors = most.min(lba.sectors_to(end) as usize);
///     let part = &mut buffer[..sectors * 2352];
///     lba = match drive.read(&request, lba, part) {
///         Ok(read) => {
///             // ... use read.of(part) ...
///             most = 27;
///             read.end()
///         }
///         Err(partial) if partial.sectors() > 0 => {
///             // ... use partial.read().of(part) ...
///             partial.next()
///         }
///         Err(partial) if sectors == 1 => {
///             let ReadFault::Error(Error::Check(_)) = partial.fault() else {
///                 return Err(partial.into());
///             };
///             eprintln!("{partial}");
///             most = 27;
///             lba.checked_add(1).unwrap_or(end)
///         }
///         Err(partial) => {
///             // Up to the bad sector, or one by one if the drive does not name it.
///             let good = partial.failed().map_or(0, |bad| lba.sectors_to(bad));
///             most = good.max(1) as usize;
///             lba
///         }
///     };
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
pub struct PartialRead(Box<Inner>);

struct Inner {
    read: ReadSectors,
    agreed: u32,
    failed: Option<Lba>,
    fault: ReadFault,
}

impl PartialRead {
    pub(super) fn new(read: ReadSectors, fault: ReadFault) -> Self {
        Self(Box::new(Inner {
            read,
            agreed: 0,
            failed: None,
            fault,
        }))
    }

    pub(super) fn at(mut self, failed: Option<Lba>, agreed: u32) -> Self {
        self.0.failed = failed;
        self.0.agreed = agreed;
        self
    }

    /// The sectors of commands that ended with GOOD, as far as they arrived. What
    /// lies behind them in the buffer is unspecified.
    #[must_use]
    pub fn read(&self) -> &ReadSectors {
        &self.0.read
    }

    /// How many sectors those are.
    #[must_use]
    pub fn sectors(&self) -> u32 {
        self.0.read.sectors
    }

    /// The first sector that is not among them: where to go on.
    #[must_use]
    pub fn next(&self) -> Lba {
        self.0.read.end()
    }

    /// The sector that the drive could not read, if its sense data names one of
    /// those that the failed command was to read.
    #[must_use]
    #[doc(alias = "INFORMATION")]
    pub fn failed(&self) -> Option<Lba> {
        self.0.failed
    }

    /// How many more sectors, behind [`sectors`](Self::sectors), the failed command
    /// has brought, where the residual and the sense data agree on it and nothing
    /// in the buffer speaks against it. They lie in the buffer. 0 if anything is
    /// amiss; whoever wants to be sure reads them again.
    #[must_use]
    pub fn agreed(&self) -> u32 {
        self.0.agreed
    }

    /// Why it stopped.
    #[must_use]
    pub fn fault(&self) -> &ReadFault {
        &self.0.fault
    }

    /// Why it stopped, for its own sake.
    #[must_use]
    pub fn into_fault(self) -> ReadFault {
        self.0.fault
    }
}

impl fmt::Debug for PartialRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartialRead")
            .field("read", &self.0.read)
            .field("agreed", &self.0.agreed)
            .field("failed", &self.0.failed)
            .field("fault", &self.0.fault)
            .finish()
    }
}

impl fmt::Display for PartialRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sectors = self.sectors();
        write!(f, "{} (after {sectors} sectors", self.0.fault)?;
        match self.0.failed {
            Some(lba) => write!(f, ", at sector {lba})"),
            None => write!(f, ")"),
        }
    }
}

impl std::error::Error for PartialRead {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.fault)
    }
}

impl From<ReadFault> for Error {
    fn from(fault: ReadFault) -> Self {
        match fault {
            ReadFault::Error(error) => error,
            ReadFault::MissingBytes { bytes, failure, .. } => {
                let need = failure.outcome().requested();
                let got = need.saturating_sub(bytes);
                Self::Malformed {
                    failure,
                    reason: Malformed::Short { need, got },
                }
            }
        }
    }
}

impl From<PartialRead> for Error {
    fn from(partial: PartialRead) -> Self {
        partial.0.fault.into()
    }
}

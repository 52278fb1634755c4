//! Firmware Image Download and Firmware Commit.

use core::{iter::FusedIterator, ops::Range, time::Duration};

use super::{dwords_less_one, no_data_command};
use crate::nvme::{
    Command, DataOut, FirmwareReset, LengthMismatch, Lengths, NvmeStatus, Queue, Sqe,
    command::sealed::Sealed,
};

/// What is a good size for a piece where the controller takes any, or does not
/// say: every controller takes a page.
const PAGE: usize = 4096;

/// Firmware Image Download (11h): a piece of an image. NVMe Base 2.1, 5.1.9.
///
/// The piece is what is written: a whole number of dwords, at a whole number of
/// dwords from the image's beginning. [`firmware_pieces`] cuts an image.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::FirmwareDownload};
///
/// let sqe = FirmwareDownload::at(8192).unwrap().sqe(Lengths::data(4096))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x11, 1023, 2048));
/// assert!(FirmwareDownload::at(2).is_none());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("fw-download", "nvme_admin_download_fw", "NUMD", "OFST"))]
pub struct FirmwareDownload {
    dwords: u32,
}

impl FirmwareDownload {
    /// The piece at `offset` bytes; `None` if that is no whole number of dwords
    /// or more than 16 GiB.
    #[must_use]
    pub fn at(offset: u64) -> Option<Self> {
        let dwords = u32::try_from(offset / 4).ok()?;
        (offset % 4 == 0).then_some(Self { dwords })
    }
}

impl Sealed for FirmwareDownload {}

impl Command for FirmwareDownload {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe {
            cdw10: dwords_less_one(lengths)?,
            cdw11: self.dwords,
            ..Sqe::new(0x11)
        })
    }
}

impl DataOut for FirmwareDownload {}

/// Why an image cannot be cut into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FirmwareImageError {
    /// It is empty.
    #[error("the firmware image is empty")]
    Empty,
    /// It is no whole number of dwords.
    #[error("the firmware image has {len} bytes, which is no whole number of dwords")]
    Dwords {
        /// Its length in bytes.
        len: usize,
    },
    /// It is longer than the command can name.
    #[error("the firmware image has {len} bytes, more than 16 GiB")]
    TooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// A piece may not be as long as the granularity asks for.
    #[error("pieces are to be multiples of {granularity} bytes, but one may have {max} at most")]
    Granularity {
        /// What the controller asks for, in bytes.
        granularity: usize,
        /// The most that one command moves, in bytes.
        max: usize,
    },
}

/// Cuts an image of `len` bytes into pieces, in order and without gaps.
///
/// `granularity` is FWUG of Identify Controller: units of 4 KiB that each piece
/// begins at and, but for the last, has a whole number of; 0 for not said, 255
/// for none. `max_transfer` is the most that one command moves, in bytes.
///
/// ```
/// use passthru::nvme::admin::firmware_pieces;
///
/// let pieces: Vec<_> = firmware_pieces(20_000, 2, 12_000)?.map(|piece| piece.range()).collect();
/// assert_eq!(pieces, [0..8192, 8192..16384, 16384..20_000]);
/// # Ok::<(), passthru::nvme::admin::FirmwareImageError>(())
/// ```
///
/// # Errors
/// [`FirmwareImageError`] if that cannot be done.
#[doc(alias = "FWUG")]
pub fn firmware_pieces(
    len: usize,
    granularity: u8,
    max_transfer: usize,
) -> Result<FirmwarePieces, FirmwareImageError> {
    if len == 0 {
        return Err(FirmwareImageError::Empty);
    }
    if len % 4 != 0 {
        return Err(FirmwareImageError::Dwords { len });
    }
    if len as u64 / 4 > u64::from(u32::MAX) {
        return Err(FirmwareImageError::TooLong { len });
    }
    let unit = match granularity {
        0 => PAGE,
        255 => 4,
        units => usize::from(units) * PAGE,
    };
    let max = max_transfer.min(len.next_multiple_of(unit));
    match max / unit * unit {
        0 => Err(FirmwareImageError::Granularity {
            granularity: unit,
            max: max_transfer,
        }),
        piece => Ok(FirmwarePieces { len, piece, at: 0 }),
    }
}

/// The pieces of an image: see [`firmware_pieces`].
#[derive(Clone, Debug)]
pub struct FirmwarePieces {
    len: usize,
    piece: usize,
    at: usize,
}

impl Iterator for FirmwarePieces {
    type Item = FirmwarePiece;

    fn next(&mut self) -> Option<FirmwarePiece> {
        if self.at >= self.len {
            return None;
        }
        let start = self.at;
        self.at = start.saturating_add(self.piece).min(self.len);
        Some(FirmwarePiece {
            command: FirmwareDownload::at(start as u64)?,
            start,
            end: self.at,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.len - self.at).div_ceil(self.piece);
        (left, Some(left))
    }
}

impl ExactSizeIterator for FirmwarePieces {}
impl FusedIterator for FirmwarePieces {}

/// A piece of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirmwarePiece {
    command: FirmwareDownload,
    start: usize,
    end: usize,
}

impl FirmwarePiece {
    /// Its bytes in the image.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The command that takes it.
    pub const fn command(&self) -> FirmwareDownload {
        self.command
    }
}

/// What Firmware Commit does (CA).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("CA", "nvme_fw_commit_ca"))]
pub enum FirmwareAction {
    /// Puts the downloaded image into the slot.
    Replace,
    /// Puts the downloaded image into the slot, which is used after the next
    /// reset.
    ReplaceAndActivate,
    /// The slot is used after the next reset.
    Activate,
    /// The slot is used at once: the downloaded image if there is one, else what
    /// the slot has.
    ActivateNow,
    /// Puts the downloaded image into a boot partition.
    ReplaceBootPartition,
    /// Makes a boot partition the active one.
    ActivateBootPartition,
}

/// Firmware Commit (10h). NVMe Base 2.1, 5.1.8.
///
/// A status may mean that the image was committed and runs after a reset, which
/// [`execute`](crate::NvmeTransportExt::execute) returns as an error as it does
/// with any status but 0: [`Committed::from_status`] tells.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::{FirmwareAction, FirmwareCommit}};
///
/// let commit = FirmwareCommit::new(2, FirmwareAction::ReplaceAndActivate);
/// let sqe = commit.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10), (0x10, 0x0a));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("fw-commit", "fw-activate", "nvme_admin_activate_fw"))]
pub struct FirmwareCommit {
    slot: u8,
    action: FirmwareAction,
    boot_partition: bool,
    timeout: Duration,
}

impl FirmwareCommit {
    /// For the slot 1 to 7, or 0 for the controller's choice; higher bits are
    /// dropped.
    pub const fn new(slot: u8, action: FirmwareAction) -> Self {
        Self {
            slot: slot & 7,
            action,
            boot_partition: false,
            timeout: Duration::from_secs(300),
        }
    }

    /// For boot partition 1 (`true`) or 0, with the actions for those.
    #[doc(alias = "BPID")]
    pub const fn boot_partition(mut self, one: bool) -> Self {
        self.boot_partition = one;
        self
    }

    /// Within another time than five minutes.
    pub const fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    fn entry(&self) -> Sqe {
        let action: u32 = match self.action {
            FirmwareAction::Replace => 0,
            FirmwareAction::ReplaceAndActivate => 1,
            FirmwareAction::Activate => 2,
            FirmwareAction::ActivateNow => 3,
            FirmwareAction::ReplaceBootPartition => 6,
            FirmwareAction::ActivateBootPartition => 7,
        };
        Sqe {
            cdw10: u32::from(self.boot_partition) << 31 | action << 3 | u32::from(self.slot),
            ..Sqe::new(0x10)
        }
    }
}

no_data_command!(
    FirmwareCommit,
    |commit| commit.entry(),
    Some(commit.timeout)
);

/// What a Firmware Commit that did its work came to.
///
/// ```
/// use passthru::nvme::{FirmwareReset, NvmeStatus, admin::Committed};
///
/// let status = NvmeStatus::from_raw(0x410b);
/// let waits = Some(Committed::NeedsReset(FirmwareReset::Conventional));
/// assert_eq!(Committed::from_status(status), waits);
/// assert_eq!(Committed::from_status(NvmeStatus::SUCCESS), Some(Committed::Done));
/// assert_eq!(Committed::from_status(NvmeStatus::from_raw(0x0107)), None, "invalid image");
/// ```
///
/// With a device:
///
/// ```no_run
/// use passthru::{Error, NvmeController, NvmeTransportExt};
/// use passthru::nvme::admin::{Committed, FirmwareAction, FirmwareCommit};
///
/// let drive = NvmeController::open_rw("/dev/nvme0")?;
/// let committed = match drive.execute(&FirmwareCommit::new(1, FirmwareAction::Activate)) {
///     Ok(completion) => Committed::from_status(completion.status()),
///     Err(Error::Nvme(error)) => error.status().and_then(Committed::from_status),
///     Err(error) => return Err(error),
/// };
/// println!("{committed:?}");
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Nothing else is asked for. If the action was one that activates at the
    /// next reset, that may be any.
    Done,
    /// The image runs after this reset.
    NeedsReset(FirmwareReset),
}

impl Committed {
    /// Of the status of a Firmware Commit; `None` if it failed.
    #[must_use]
    pub const fn from_status(status: NvmeStatus) -> Option<Self> {
        if status.is_success() {
            return Some(Self::Done);
        }
        match status.needs_reset() {
            Some(reset) => Some(Self::NeedsReset(reset)),
            None => None,
        }
    }
}

//! Sanitize Status (81h). NVMe Base 2.1, 5.1.12.1.

use core::{fmt, time::Duration};

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// The Sanitize Status page.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::SanitizeStatus};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let status = drive.query(&SanitizeStatus::page().retain_event(true))?;
/// println!("{}, {:.1} %", status.state(), status.fraction() * 100.0);
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("sanitize-log", "nvme_sanitize_log_page"))]
pub struct SanitizeStatus(Wire);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    progress: U16,
    status: U16,
    command: U32,
    overwrite: U32,
    block_erase: U32,
    crypto_erase: U32,
    overwrite_no_deallocate: U32,
    block_erase_no_deallocate: U32,
    crypto_erase_no_deallocate: U32,
    verification: U32,
    state: u8,
}

const LENGTH: usize = 512;
const _: () = assert!(size_of::<Wire>() == 37);

/// What became of the last sanitize operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "SOS")]
pub struct SanitizeState(u8);

impl SanitizeState {
    /// There was none.
    pub const NEVER: Self = Self(0);
    /// It ended well.
    pub const COMPLETED: Self = Self(1);
    /// It runs, or is to go on.
    pub const IN_PROGRESS: Self = Self(2);
    /// It failed.
    pub const FAILED: Self = Self(3);
    /// It ended well, and deallocated the blocks though it was asked not to.
    pub const COMPLETED_DEALLOCATED: Self = Self(4);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for SanitizeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NEVER => "never sanitized",
            Self::COMPLETED => "completed",
            Self::IN_PROGRESS => "in progress",
            Self::FAILED => "failed",
            Self::COMPLETED_DEALLOCATED => "completed with unexpected deallocation",
            Self(state) => return write!(f, "{state}"),
        })
    }
}

impl Sealed for SanitizeStatus {}

impl LogReply for SanitizeStatus {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

fn seconds(field: U32) -> Option<Duration> {
    match field.get() {
        u32::MAX => None,
        seconds => Some(Duration::from_secs(seconds.into())),
    }
}

impl SanitizeStatus {
    /// The page.
    pub const fn page() -> LogPage<Self> {
        LogPage::new(GetLog::new(LogId::SANITIZE_STATUS), LENGTH)
    }

    /// How much is done, in 65536ths; `FFFFh` if no operation runs.
    #[must_use]
    #[doc(alias("SPROG", "sprog"))]
    pub fn progress(&self) -> u16 {
        self.0.progress.get()
    }

    /// How much is done, 0 to 1; 1 if no operation runs.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        match self.progress() {
            0xffff => 1.0,
            progress => f32::from(progress) / 65536.0,
        }
    }

    /// What became of the last operation.
    #[must_use]
    #[doc(alias("SSTAT", "sstat"))]
    pub fn state(&self) -> SanitizeState {
        SanitizeState(self.status(0) & 0x07)
    }

    fn status(&self, byte: usize) -> u8 {
        let bytes = self.0.status.get().to_le_bytes();
        bytes.get(byte).copied().unwrap_or_default()
    }

    /// How many passes of an overwrite are done.
    #[must_use]
    #[doc(alias = "OPC")]
    pub fn completed_passes(&self) -> u8 {
        self.status(0) >> 3
    }

    /// Whether nothing was written since the last operation that ended well, or
    /// ever (GDE).
    #[must_use]
    #[doc(alias = "GDE")]
    pub fn is_erased(&self) -> bool {
        self.status(1) & 1 != 0
    }

    /// Command dword 10 of the Sanitize command that started it.
    #[must_use]
    #[doc(alias("SCDW10", "scdw10"))]
    pub fn command(&self) -> u32 {
        self.0.command.get()
    }

    /// How long an overwrite of 16 passes takes; 0 as long as the command,
    /// `None` if that is not told.
    #[must_use]
    #[doc(alias("ETO", "eto"))]
    pub fn overwrite_time(&self) -> Option<Duration> {
        seconds(self.0.overwrite)
    }

    /// How long a block erase takes, as
    /// [`overwrite_time`](Self::overwrite_time).
    #[must_use]
    #[doc(alias("ETBE", "etbe"))]
    pub fn block_erase_time(&self) -> Option<Duration> {
        seconds(self.0.block_erase)
    }

    /// How long a crypto erase takes, as
    /// [`overwrite_time`](Self::overwrite_time).
    #[must_use]
    #[doc(alias("ETCE", "etce"))]
    pub fn crypto_erase_time(&self) -> Option<Duration> {
        seconds(self.0.crypto_erase)
    }

    /// How long an overwrite of 16 passes takes that does not deallocate, as
    /// [`overwrite_time`](Self::overwrite_time).
    #[must_use]
    #[doc(alias("ETOND", "etond"))]
    pub fn overwrite_no_deallocate_time(&self) -> Option<Duration> {
        seconds(self.0.overwrite_no_deallocate)
    }

    /// How long a block erase takes that does not deallocate, as
    /// [`overwrite_time`](Self::overwrite_time).
    #[must_use]
    #[doc(alias("ETBEND", "etbend"))]
    pub fn block_erase_no_deallocate_time(&self) -> Option<Duration> {
        seconds(self.0.block_erase_no_deallocate)
    }

    /// How long a crypto erase takes that does not deallocate, as
    /// [`overwrite_time`](Self::overwrite_time).
    #[must_use]
    #[doc(alias("ETCEND", "etcend"))]
    pub fn crypto_erase_no_deallocate_time(&self) -> Option<Duration> {
        seconds(self.0.crypto_erase_no_deallocate)
    }

    /// How long deallocation after media verification takes, as
    /// [`overwrite_time`](Self::overwrite_time); 0 on controllers before NVMe
    /// 2.1.
    #[must_use]
    #[doc(alias("ETPVDS", "etpvds"))]
    pub fn verification_time(&self) -> Option<Duration> {
        seconds(self.0.verification)
    }

    /// The state of the sanitize state machine (SSI, bits 3:0 SANS, 7:4 FAILS);
    /// 0 on controllers before NVMe 2.1.
    #[must_use]
    #[doc(alias("SSI", "ssi"))]
    pub fn state_information(&self) -> u8 {
        self.0.state
    }
}

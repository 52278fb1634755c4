//! Device Self-test (06h). NVMe Base 2.1, 5.1.12.1.7.

use core::fmt;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, StatusCode, command::sealed::Sealed};

/// The Device Self-test page: the test that runs and the results of the last
/// 20. (NVMe Base 2.1, 5.1.12.1.7)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::SelfTest};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let log = drive.query(&SelfTest::page())?;
/// match log.running() {
///     Some(test) => println!("{test}: {} %", log.percentage()),
///     None => println!("last: {:?}", log.results().next().map(|last| last.outcome())),
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("self-test-log", "nvme_self_test_log"))]
pub struct SelfTest(Box<Wire>);

/// One result of [`SelfTest`].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_st_result")]
pub struct SelfTestResult(Entry);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    operation: u8,
    completion: u8,
    reserved: [u8; 2],
    results: [Entry; 20],
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Entry {
    status: u8,
    segment: u8,
    valid: u8,
    reserved: u8,
    power_on_hours: U64,
    nsid: U32,
    lba: U64,
    code_type: u8,
    code: u8,
    vendor: [u8; 2],
}

const _: () = assert!(size_of::<Entry>() == 28);
const _: () = assert!(size_of::<Wire>() == 564);

/// Which self-test (STC).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "STC")]
pub struct SelfTestCode(u8);

impl SelfTestCode {
    /// Short.
    pub const SHORT: Self = Self(0x1);
    /// Extended.
    pub const EXTENDED: Self = Self(0x2);
    /// Host-initiated refresh.
    pub const REFRESH: Self = Self(0x3);
    /// The vendor's.
    pub const VENDOR: Self = Self(0xe);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for SelfTestCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SHORT => f.write_str("short"),
            Self::EXTENDED => f.write_str("extended"),
            Self::REFRESH => f.write_str("refresh"),
            Self::VENDOR => f.write_str("vendor specific"),
            Self(code) => write!(f, "{code:X}h"),
        }
    }
}

/// How a self-test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "DSTR")]
pub struct SelfTestOutcome(u8);

impl SelfTestOutcome {
    /// Without an error.
    pub const PASSED: Self = Self(0x0);
    /// Aborted by a Device Self-test command.
    pub const ABORTED: Self = Self(0x1);
    /// Aborted by a reset.
    pub const ABORTED_BY_RESET: Self = Self(0x2);
    /// Aborted since a namespace went.
    pub const ABORTED_BY_REMOVAL: Self = Self(0x3);
    /// Aborted by Format NVM.
    pub const ABORTED_BY_FORMAT: Self = Self(0x4);
    /// A fatal error, or one that kept it from ending.
    pub const FATAL: Self = Self(0x5);
    /// It failed and the segment is not known.
    pub const FAILED: Self = Self(0x6);
    /// It failed in one or more segments.
    pub const FAILED_SEGMENT: Self = Self(0x7);
    /// Aborted for a reason that is not known.
    pub const ABORTED_UNKNOWN: Self = Self(0x8);
    /// Aborted by Sanitize.
    pub const ABORTED_BY_SANITIZE: Self = Self(0x9);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Whether it found the drive to be faulty.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::FATAL | Self::FAILED | Self::FAILED_SEGMENT)
    }
}

impl fmt::Display for SelfTestOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::PASSED => "passed",
            Self::ABORTED => "aborted by a command",
            Self::ABORTED_BY_RESET => "aborted by a reset",
            Self::ABORTED_BY_REMOVAL => "aborted by the removal of a namespace",
            Self::ABORTED_BY_FORMAT => "aborted by a format",
            Self::FATAL => "fatal error",
            Self::FAILED => "failed",
            Self::FAILED_SEGMENT => "failed in a segment",
            Self::ABORTED_UNKNOWN => "aborted for an unknown reason",
            Self::ABORTED_BY_SANITIZE => "aborted by a sanitize operation",
            Self(outcome) => return write!(f, "{outcome:X}h"),
        })
    }
}

impl Sealed for SelfTest {}

impl LogReply for SelfTest {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(|wire| Self(Box::new(wire)))
    }
}

impl SelfTest {
    /// The page.
    pub const fn page() -> LogPage<Self> {
        LogPage::new(GetLog::new(LogId::SELF_TEST), size_of::<Wire>())
    }

    /// The test that runs.
    #[must_use]
    #[doc(alias = "current_operation")]
    pub fn running(&self) -> Option<SelfTestCode> {
        match self.0.operation & 0x0f {
            0 => None,
            code => Some(SelfTestCode(code)),
        }
    }

    /// How much of it is done, in percent. Without a
    /// [running](Self::running) test it means nothing.
    #[must_use]
    #[doc(alias = "completion")]
    pub fn percentage(&self) -> u8 {
        self.0.completion & 0x7f
    }

    /// The results, the last test's first.
    pub fn results(&self) -> impl Iterator<Item = SelfTestResult> + '_ {
        // Fh marks an entry that is not used.
        self.0
            .results
            .iter()
            .filter(|entry| entry.status & 0x0f != 0x0f && entry.status >> 4 != 0)
            .map(|entry| SelfTestResult(*entry))
    }
}

impl SelfTestResult {
    /// How it ended.
    #[must_use]
    #[doc(alias = "DSTR")]
    pub fn outcome(&self) -> SelfTestOutcome {
        SelfTestOutcome(self.0.status & 0x0f)
    }

    /// Which test it was.
    #[must_use]
    pub fn code(&self) -> SelfTestCode {
        SelfTestCode(self.0.status >> 4)
    }

    /// The first segment that failed, if the
    /// [outcome](SelfTestOutcome::FAILED_SEGMENT) is about one.
    #[must_use]
    pub fn segment(&self) -> Option<u8> {
        (self.outcome() == SelfTestOutcome::FAILED_SEGMENT).then_some(self.0.segment)
    }

    /// For how many hours the drive had been powered on.
    #[must_use]
    #[doc(alias = "POH")]
    pub fn power_on_hours(&self) -> u64 {
        self.0.power_on_hours.get()
    }

    /// The namespace that failed, if it is told.
    #[must_use]
    pub fn nsid(&self) -> Option<Nsid> {
        let nsid = self.0.nsid.get();
        (self.0.valid & 1 != 0).then(|| Nsid::new(nsid)).flatten()
    }

    /// The block that failed, if it is told.
    #[must_use]
    #[doc(alias = "FLBA")]
    pub fn lba(&self) -> Option<u64> {
        (self.0.valid & 2 != 0).then(|| self.0.lba.get())
    }

    /// A status code about the failure, if its type and its number are told.
    #[must_use]
    pub fn status_code(&self) -> Option<StatusCode> {
        let code = u16::from(self.0.code_type & 0x07) << 8 | u16::from(self.0.code);
        (self.0.valid & 0x0c == 0x0c).then(|| StatusCode::from_raw(code))
    }

    /// Two bytes of the vendor's.
    #[must_use]
    pub fn vendor(&self) -> [u8; 2] {
        self.0.vendor
    }
}

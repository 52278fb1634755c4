//! Endurance Group Information (09h). NVMe Base 2.1, 5.1.12.1.10.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U128},
};

use super::{CriticalWarning, GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// The Endurance Group Information page: how an endurance group is.
/// (NVMe Base 2.1, 5.1.12.1.10)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::EnduranceGroup};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let group = drive.query(&EnduranceGroup::page(1))?;
/// println!("{} % used", group.percentage_used());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("endurance-log", "nvme_endurance_group_log"))]
pub struct EnduranceGroup(Box<Wire>);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    warning: u8,
    features: u8,
    reserved2: u8,
    available_spare: u8,
    spare_threshold: u8,
    percentage_used: u8,
    domain: U16,
    reserved8: [u8; 24],
    endurance: U128,
    data_read: U128,
    data_written: U128,
    media_written: U128,
    host_reads: U128,
    host_writes: U128,
    media_errors: U128,
    error_entries: U128,
    capacity: U128,
    unallocated: U128,
    rest: [u8; 320],
}

const _: () = assert!(size_of::<Wire>() == 512);

impl Sealed for EnduranceGroup {}

impl LogReply for EnduranceGroup {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(|wire| Self(Box::new(wire)))
    }
}

impl EnduranceGroup {
    /// Of the endurance group with this identifier, from 1 on.
    #[doc(alias = "ENDGID")]
    pub const fn page(group: u16) -> LogPage<Self> {
        let log = GetLog::new(LogId::ENDURANCE_GROUP).specific_identifier(group);
        LogPage::new(log, size_of::<Wire>())
    }

    /// What is critical: spare, reliability, read-only.
    #[must_use]
    #[doc(alias = "EGCW")]
    pub fn critical_warning(&self) -> CriticalWarning {
        CriticalWarning::new(self.0.warning)
    }

    /// Whether the group holds rotational media.
    #[must_use]
    #[doc(alias("EGFEAT", "EGRMEDIA"))]
    pub fn is_rotational(&self) -> bool {
        self.0.features & 1 != 0
    }

    /// What is left of the spare capacity, in percent.
    #[must_use]
    #[doc(alias = "AVSP")]
    pub fn available_spare(&self) -> u8 {
        self.0.available_spare
    }

    /// Below how much spare capacity there is a warning, in percent.
    #[must_use]
    #[doc(alias = "AVSPT")]
    pub fn available_spare_threshold(&self) -> u8 {
        self.0.spare_threshold
    }

    /// How much of its life is used, in percent: 100 and more is possible, 255
    /// means 255 or more.
    #[must_use]
    #[doc(alias = "PUSED")]
    pub fn percentage_used(&self) -> u8 {
        self.0.percentage_used
    }

    /// Which domain it is of; 0 without domains.
    #[must_use]
    #[doc(alias = "DID")]
    pub fn domain(&self) -> u16 {
        self.0.domain.get()
    }

    /// What can be written in its whole life if writes cost no more than they
    /// are, in units of 10^9 bytes, rounded up; 0 if that is not told.
    #[must_use]
    #[doc(alias = "EE")]
    pub fn endurance_estimate(&self) -> u128 {
        self.0.endurance.get()
    }

    /// What hosts read, in units of 10^9 bytes, rounded up.
    #[must_use]
    #[doc(alias = "DUR")]
    pub fn data_units_read(&self) -> u128 {
        self.0.data_read.get()
    }

    /// What hosts wrote, in units of 10^9 bytes, rounded up.
    #[must_use]
    #[doc(alias = "DUW")]
    pub fn data_units_written(&self) -> u128 {
        self.0.data_written.get()
    }

    /// What was written to the media, by hosts and by the controller itself, in
    /// units of 10^9 bytes, rounded up.
    #[must_use]
    #[doc(alias = "MUW")]
    pub fn media_units_written(&self) -> u128 {
        self.0.media_written.get()
    }

    /// How many read commands ended.
    #[must_use]
    #[doc(alias = "HRC")]
    pub fn host_read_commands(&self) -> u128 {
        self.0.host_reads.get()
    }

    /// How many write commands ended.
    #[must_use]
    #[doc(alias = "HWC")]
    pub fn host_write_commands(&self) -> u128 {
        self.0.host_writes.get()
    }

    /// How many errors of media or data integrity were not recovered.
    #[must_use]
    #[doc(alias = "MDIE")]
    pub fn media_errors(&self) -> u128 {
        self.0.media_errors.get()
    }

    /// How many entries of the error log were about the group.
    #[must_use]
    #[doc(alias = "NEILE")]
    pub fn error_log_entries(&self) -> u128 {
        self.0.error_entries.get()
    }

    /// Its capacity in bytes; 0 if that is not told.
    #[must_use]
    #[doc(alias = "TEGCAP")]
    pub fn capacity(&self) -> u128 {
        self.0.capacity.get()
    }

    /// How many bytes of it no NVM set has.
    #[must_use]
    #[doc(alias = "UEGCAP")]
    pub fn unallocated_capacity(&self) -> u128 {
        self.0.unallocated.get()
    }
}

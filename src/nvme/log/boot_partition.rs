//! Boot Partition (15h). NVMe Base 2.1, 5.1.12.1.21.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, byteorder::little_endian::U32};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// The Boot Partition page: what a machine may boot from before the drive is set
/// up. (NVMe Base 2.1, 5.1.12.1.21)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::BootPartition};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let header = drive.query(&BootPartition::header_page(0))?;
/// let partition = drive.query(&BootPartition::whole(0, &header)?)?;
/// std::fs::write("boot.bin", partition.data())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("boot-part-log", "nvme_boot_partition"))]
pub struct BootPartition {
    header: BootPartitionHeader,
    bytes: Vec<u8>,
}

/// The first 16 bytes of [`BootPartition`].
#[derive(Clone, Copy, Debug)]
pub struct BootPartitionHeader(Wire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    id: u8,
    reserved1: [u8; 3],
    information: U32,
    reserved8: [u8; 8],
}

const HEADER: usize = 16;
const _: () = assert!(size_of::<Wire>() == HEADER);

impl Sealed for BootPartition {}
impl Sealed for BootPartitionHeader {}

impl LogReply for BootPartitionHeader {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl LogReply for BootPartition {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let header = wire::read(&bytes).map(BootPartitionHeader)?;
        Ok(Self { header, bytes })
    }
}

/// Bit 0 of the log specific parameter is the partition's number.
const fn command(partition: u8) -> GetLog {
    GetLog::new(LogId::BOOT_PARTITION).specific_field(partition & 1)
}

impl BootPartition {
    /// The header of boot partition 0 or 1.
    #[doc(alias = "BPID")]
    pub const fn header_page(partition: u8) -> LogPage<BootPartitionHeader> {
        LogPage::new(command(partition), HEADER)
    }

    /// The whole of boot partition 0 or 1, which `header` is of.
    ///
    /// # Errors
    /// [`Malformed::Length`] if it is longer than
    /// [`MAX_LENGTH`](super::MAX_LENGTH).
    pub fn whole(partition: u8, header: &BootPartitionHeader) -> Result<LogPage<Self>, Malformed> {
        LogPage::told(command(partition), HEADER as u64 + header.size())
    }

    /// The header that came with it.
    #[must_use]
    pub fn header(&self) -> &BootPartitionHeader {
        &self.header
    }

    /// What is in the partition, as far as it was fetched.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        self.bytes.get(HEADER..).unwrap_or_default()
    }
}

impl BootPartitionHeader {
    /// Which partition is active, 0 or 1.
    #[must_use]
    #[doc(alias = "ABPID")]
    pub fn active(&self) -> u8 {
        u8::from(self.0.information.get() >> 31 != 0)
    }

    /// How many bytes each partition has, a multiple of 128 KiB.
    #[must_use]
    #[doc(alias = "BPSZ")]
    pub fn size(&self) -> u64 {
        u64::from(self.0.information.get() & 0x7fff) << 17
    }
}

//! Error Information (01h). NVMe Base 2.1, 5.1.12.1.2.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, NvmeStatus, command::sealed::Sealed};

/// The Error Information page: the commands that failed, the last one first.
/// (NVMe Base 2.1, 5.1.12.1.2)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::ErrorInformation};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// for entry in drive.query(&ErrorInformation::page(64))?.entries() {
///     println!("error {}: {}", entry.count(), entry.status());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("error-log", "nvme_error_log_page"))]
pub struct ErrorInformation(Vec<u8>);

/// One entry of [`ErrorInformation`].
#[derive(Clone, Copy, Debug)]
pub struct ErrorEntry(Wire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    count: U64,
    queue: U16,
    command: U16,
    status: U16,
    location: U16,
    lba: U64,
    nsid: U32,
    vendor_page: u8,
    transport: u8,
    command_set: u8,
    opcode: u8,
    command_specific: U64,
    transport_specific: U16,
    reserved: [u8; 21],
    version: u8,
}

const _: () = assert!(size_of::<Wire>() == 64);

impl Sealed for ErrorInformation {}

impl LogReply for ErrorInformation {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        Ok(Self(bytes))
    }
}

impl ErrorInformation {
    /// The last `entries` entries, at least one. A controller keeps ELPE + 1 of
    /// them (Identify Controller); more than that is an error on some.
    pub const fn page(entries: u16) -> LogPage<Self> {
        let entries = if entries == 0 { 1 } else { entries as usize };
        LogPage::new(
            GetLog::new(LogId::ERROR_INFORMATION),
            entries * size_of::<Wire>(),
        )
    }

    /// The entries that are in use, the last error first.
    pub fn entries(&self) -> impl Iterator<Item = ErrorEntry> + '_ {
        wire::entries::<Wire>(&self.0)
            .iter()
            .filter(|entry| entry.count.get() != 0)
            .map(|entry| ErrorEntry(*entry))
    }
}

impl ErrorEntry {
    /// The number of the error, counted from 1 over the drive's life.
    #[must_use]
    #[doc(alias = "error_count")]
    pub fn count(&self) -> u64 {
        self.0.count.get()
    }

    /// The submission queue of the command; `None` if it was no command's error
    /// (`FFFFh`).
    #[must_use]
    #[doc(alias = "SQID")]
    pub fn queue_id(&self) -> Option<u16> {
        Some(self.0.queue.get()).filter(|id| *id != 0xffff)
    }

    /// The identifier of the command; `None` if it was no command's error
    /// (`FFFFh`).
    #[must_use]
    #[doc(alias = "CID")]
    pub fn command_id(&self) -> Option<u16> {
        Some(self.0.command.get()).filter(|id| *id != 0xffff)
    }

    /// The status that the command ended with.
    #[must_use]
    #[doc(alias = "status_field")]
    pub fn status(&self) -> NvmeStatus {
        NvmeStatus::from_phase_tagged(self.0.status.get())
    }

    /// The byte and the bit of the command that is wrong; `None` if it is not
    /// about one (`FFFFh`).
    #[must_use]
    #[doc(alias = "parm_error_location")]
    pub fn location(&self) -> Option<(u8, u8)> {
        let [byte, bit] = self.0.location.get().to_le_bytes();
        (self.0.location.get() != 0xffff).then_some((byte, bit & 0x07))
    }

    /// The first block that had the error, if it is about blocks.
    #[must_use]
    pub fn lba(&self) -> u64 {
        self.0.lba.get()
    }

    /// The namespace, if it is about one.
    #[must_use]
    pub fn nsid(&self) -> Option<Nsid> {
        Nsid::new(self.0.nsid.get())
    }

    /// The vendor's log page that has more about it, if there is one.
    #[must_use]
    #[doc(alias("VSIA", "vs"))]
    pub fn vendor_page(&self) -> Option<LogId> {
        Some(self.0.vendor_page)
            .filter(|id| *id != 0)
            .map(LogId::new)
    }

    /// The transport (TRTYPE): 0 not told, 1 RDMA, 2 Fibre Channel, 3 TCP.
    #[must_use]
    #[doc(alias = "TRTYPE")]
    pub fn transport(&self) -> u8 {
        self.0.transport
    }

    /// The command set and the opcode, from version 1 of the page on.
    #[must_use]
    #[doc(alias("CSI", "OPC"))]
    pub fn opcode(&self) -> Option<(u8, u8)> {
        (self.0.version >= 1).then_some((self.0.command_set, self.0.opcode))
    }

    /// What the command defines.
    #[must_use]
    #[doc(alias("CSINFO", "cs"))]
    pub fn command_specific(&self) -> u64 {
        self.0.command_specific.get()
    }

    /// What the transport defines.
    #[must_use]
    #[doc(alias = "trtype_spec_info")]
    pub fn transport_specific(&self) -> u16 {
        self.0.transport_specific.get()
    }
}

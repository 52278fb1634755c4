//! Firmware Slot Information (03h). NVMe Base 2.1, 5.1.12.1.4.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed, text::text};

/// The Firmware Slot Information page: the firmware in each slot.
/// (NVMe Base 2.1, 5.1.12.1.4)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::FirmwareSlots};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let slots = drive.query(&FirmwareSlots::page())?;
/// println!("slot {} runs {:?}", slots.active(), slots.revision(slots.active()));
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("fw-log", "nvme_fw_slot_info_log"))]
pub struct FirmwareSlots(Wire);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    afi: u8,
    reserved: [u8; 7],
    revisions: [[u8; 8]; 7],
}

const LENGTH: usize = 512;
const _: () = assert!(size_of::<Wire>() == 64);

impl Sealed for FirmwareSlots {}

impl LogReply for FirmwareSlots {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl FirmwareSlots {
    /// The page.
    pub const fn page() -> LogPage<Self> {
        LogPage::new(GetLog::new(LogId::FIRMWARE_SLOTS), LENGTH)
    }

    /// The slot that the running firmware was loaded from, 1 to 7.
    #[must_use]
    #[doc(alias = "AFI")]
    pub fn active(&self) -> u8 {
        self.0.afi & 0x07
    }

    /// The slot that is loaded at the next reset, if the controller says so.
    #[must_use]
    #[doc(alias = "AFI")]
    pub fn next(&self) -> Option<u8> {
        Some(self.0.afi >> 4 & 0x07).filter(|slot| *slot != 0)
    }

    /// The revision in slot 1 to 7, without the blanks around it; `None` if the
    /// slot is empty or not there.
    #[must_use]
    #[doc(alias("FRS1", "frs"))]
    pub fn revision(&self, slot: u8) -> Option<String> {
        let index = usize::from(slot).checked_sub(1)?;
        let bytes = self.0.revisions.get(index)?;
        (*bytes != [0; 8]).then(|| text(bytes))
    }
}

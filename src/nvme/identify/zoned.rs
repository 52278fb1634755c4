//! What the Zoned Namespace Command Set adds (CNS 05h, 06h and 1Bh with CSI
//! 02h).

use bitflags::bitflags;
use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{CommandSet, queries, sqe, with_command_set};
use crate::memory::Page;
use crate::nvme::owned::{Owned, Structure};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks for the zones' size and limits of a zoned namespace.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt};
/// use passthru::nvme::{Nsid, identify::{IdentifyNamespace, IdentifyZonedNamespace}};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let nsid = Nsid::new(1).unwrap();
/// let index = drive.query(&IdentifyNamespace::new(nsid))?.format_index();
/// let zoned = drive.query(&IdentifyZonedNamespace::new(nsid))?;
/// println!("{:?} blocks a zone", zoned.zone_size(index));
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("zns id-ns", "nvme_zns_id_ns"))]
pub struct IdentifyZonedNamespace {
    nsid: Nsid,
    allocated: bool,
}

impl IdentifyZonedNamespace {
    /// Of the active namespace `nsid` (CNS 05h).
    #[must_use]
    pub const fn new(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: false,
        }
    }

    /// Of the allocated namespace `nsid`, attached or not (CNS 1Bh).
    #[must_use]
    pub const fn allocated(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: true,
        }
    }

    fn entry(&self) -> Sqe {
        let cns = if self.allocated { 0x1b } else { 0x05 };
        with_command_set(sqe(cns, Some(self.nsid)), CommandSet::ZONED)
    }
}

/// Asks for the limits of a controller for zoned namespaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("zns id-ctrl", "nvme_zns_id_ctrl"))]
pub struct IdentifyZonedController;

impl IdentifyZonedController {
    #[allow(clippy::unused_self)] // as all others
    fn entry(&self) -> Sqe {
        with_command_set(sqe(0x06, None), CommandSet::ZONED)
    }
}

queries!(keep: IdentifyZonedNamespace => ZonedNamespaceData);
queries!(
    IdentifyZonedController => ZonedControllerData,
);

bitflags! {
    /// How zones work (ZOC).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "ZOC")]
    pub struct ZoneCharacteristics: u16 {
        /// The capacity of a zone may change when it is reset (VZCAP).
        const VARIABLE_CAPACITY = 1 << 0;
        /// The controller may finish zones by itself (ZAE).
        const ACTIVE_EXCURSIONS = 1 << 1;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// What can be done with zones (OZCS).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "OZCS")]
    pub struct ZoneCommands: u16 {
        /// Reads may cross the boundaries of zones (RAZB).
        const READ_ACROSS_ZONES = 1 << 0;
        /// Zones can have a random write area (ZRWASUP).
        const RANDOM_WRITE_AREA = 1 << 1;
        // Later revisions may define more.
        const _ = !0;
    }
}

/// The Identify Namespace data structure of the Zoned Namespace Command Set 1.1,
/// 4.1.5.1.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_zns_id_ns")]
pub struct ZonedNamespaceData(Owned<Wire>);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    zoc: U16,
    ozcs: U16,
    mar: U32,
    mor: U32,
    rrl: [U32; 1],
    frl: [U32; 1],
    rrl_more: [U32; 3],
    frl_more: [U32; 3],
    numzrwa: U32,
    zrwafg: U16,
    zrwasz: U16,
    zrwacap: u8,
    reserved_53: [u8; 2763],
    lbafe: [Lbafe; 64],
}

impl Structure for Wire {
    const ZERO: &'static Self = &zerocopy::transmute!([0u8; size_of::<Self>()]);
}

/// An LBA Format Extension data structure.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Lbafe {
    zsze: U64,
    zdes: u8,
    reserved: [u8; 7],
}

const _: () = assert!(size_of::<Wire>() == 3840);

impl ZonedNamespaceData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 3840 bytes; the vendor's bytes behind
    /// them need not be there.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Owned::read(bytes).map(Self)
    }

    pub(super) fn keep(page: Page) -> Result<Self, Malformed> {
        Owned::keep(page).map(Self)
    }

    /// How zones work.
    #[must_use]
    #[doc(alias = "ZOC")]
    pub fn characteristics(&self) -> ZoneCharacteristics {
        ZoneCharacteristics::from_bits_retain(self.0.zoc.get())
    }

    /// What can be done with zones.
    #[must_use]
    #[doc(alias = "OZCS")]
    pub fn commands(&self) -> ZoneCommands {
        ZoneCommands::from_bits_retain(self.0.ozcs.get())
    }

    /// How many zones can be active, `None` for no limit (MAR).
    #[must_use]
    #[doc(alias = "MAR")]
    pub fn max_active(&self) -> Option<u32> {
        self.0.mar.get().checked_add(1)
    }

    /// How many zones can be open, `None` for no limit (MOR).
    #[must_use]
    #[doc(alias = "MOR")]
    pub fn max_open(&self) -> Option<u32> {
        self.0.mor.get().checked_add(1)
    }

    /// After how many seconds a reset of a zone is recommended (RRL, RRL1 to
    /// RRL3), `index` 0 to 3; `None` if that is not reported.
    #[must_use]
    #[doc(alias("RRL", "RRL1", "RRL2", "RRL3"))]
    pub fn reset_limit(&self, index: usize) -> Option<u32> {
        limit(&self.0.rrl, &self.0.rrl_more, index)
    }

    /// After how many seconds a finish of a zone is recommended (FRL, FRL1 to
    /// FRL3), `index` 0 to 3; `None` if that is not reported.
    #[must_use]
    #[doc(alias("FRL", "FRL1", "FRL2", "FRL3"))]
    pub fn finish_limit(&self, index: usize) -> Option<u32> {
        limit(&self.0.frl, &self.0.frl_more, index)
    }

    /// How many zones can have a random write area (NUMZRWA).
    #[must_use]
    #[doc(alias = "NUMZRWA")]
    pub fn random_write_areas(&self) -> u32 {
        self.0.numzrwa.get()
    }

    /// In which steps a random write area is flushed, in blocks (ZRWAFG).
    #[must_use]
    #[doc(alias = "ZRWAFG")]
    pub fn random_write_flush_granularity(&self) -> u16 {
        self.0.zrwafg.get()
    }

    /// How many blocks a random write area has (ZRWASZ).
    #[must_use]
    #[doc(alias = "ZRWASZ")]
    pub fn random_write_area_size(&self) -> u16 {
        self.0.zrwasz.get()
    }

    /// Whether a random write area can be flushed by a command (ZRWACAP).
    #[must_use]
    #[doc(alias = "ZRWACAP")]
    pub fn random_write_explicit_flush(&self) -> bool {
        self.0.zrwacap & 1 != 0
    }

    /// How many blocks a zone has with the LBA format `index` (LBAFE.ZSZE);
    /// `None` for a format that there is not.
    #[must_use]
    #[doc(alias("ZSZE", "LBAFE"))]
    pub fn zone_size(&self, index: u8) -> Option<u64> {
        let extension = self.0.lbafe.get(usize::from(index))?;
        Some(extension.zsze.get()).filter(|blocks| *blocks != 0)
    }

    /// How many bytes the extension of a zone descriptor has with the LBA format
    /// `index` (LBAFE.ZDES), 0 for none.
    #[must_use]
    #[doc(alias("ZDES", "LBAFE"))]
    pub fn zone_descriptor_extension(&self, index: u8) -> u32 {
        let extension = self.0.lbafe.get(usize::from(index));
        extension.map_or(0, |extension| u32::from(extension.zdes) * 64)
    }
}

fn limit(first: &[U32], more: &[U32], index: usize) -> Option<u32> {
    let seconds = first.iter().chain(more).nth(index)?.get();
    Some(seconds).filter(|seconds| *seconds != 0)
}

/// The Identify Controller data structure of the Zoned Namespace Command Set
/// 1.1, 4.1.5.2.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_zns_id_ctrl")]
pub struct ZonedControllerData(ZonedControllerDataWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ZonedControllerDataWire {
    zasl: u8,
}

impl ZonedControllerData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for no bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        super::prefix(bytes).map(|(data, _)| Self(data))
    }

    /// The most bytes that one Zone Append may write (ZASL), if `page_size` is
    /// the controller's least page size in bytes. `None` if only
    /// [MDTS](super::ControllerData::max_transfer) limits it.
    #[must_use]
    #[doc(alias = "ZASL")]
    pub fn max_append(&self, page_size: u32) -> Option<u64> {
        super::size_limit(self.0.zasl, page_size)
    }
}

//! Fields of Identify Namespace.

use core::fmt;

use zerocopy::byteorder::little_endian::U16;

use super::{
    MetadataCapabilities, NamespaceData, NamespaceFeatures, NamespaceSharing,
    ProtectionCapabilities, ReservationCapabilities,
};
use crate::nvme::identify::{Eui64, Nguid};

/// What deallocated blocks read as (DLFEAT bits 2:0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "DRB")]
pub struct DeallocatedReads(u8);

impl DeallocatedReads {
    /// It is not reported.
    pub const NOT_REPORTED: Self = Self(0);
    /// Bytes of 00h.
    pub const ZEROS: Self = Self(1);
    /// Bytes of FFh.
    pub const ONES: Self = Self(2);

    /// The behaviour of this number.
    #[must_use]
    pub const fn from_raw(raw: u8) -> Self {
        Self(raw)
    }

    /// The number.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }
}

impl fmt::Display for DeallocatedReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NOT_REPORTED => "not reported",
            Self::ZEROS => "zeros",
            Self::ONES => "ones",
            Self(other) => return write!(f, "behaviour {other}"),
        })
    }
}

/// A count of which 0 means none, and else one more than it says.
fn boundary(field: U16) -> Option<u32> {
    match field.get() {
        0 => None,
        last => Some(u32::from(last) + 1),
    }
}

impl NamespaceData {
    fn atomic(&self, field: U16) -> Option<u32> {
        let own = self.features().contains(NamespaceFeatures::ATOMIC);
        own.then(|| u32::from(field.get()) + 1)
    }

    fn preferred(&self, field: U16) -> Option<u32> {
        let any = NamespaceFeatures::OPTIMAL_WRITE | NamespaceFeatures::OPTIMAL_LARGE;
        let valid = self.features().intersects(any);
        valid.then(|| u32::from(field.get()) + 1)
    }

    /// Namespace size (NSZE), in blocks. 0 for a namespace that is not active.
    #[must_use]
    #[doc(alias = "NSZE")]
    pub fn size(&self) -> u64 {
        self.0.nsze.get()
    }

    /// Namespace capacity (NCAP): how many blocks can be allocated at a time.
    #[must_use]
    #[doc(alias = "NCAP")]
    pub fn capacity(&self) -> u64 {
        self.0.ncap.get()
    }

    /// Namespace utilization (NUSE): how many blocks are allocated.
    #[must_use]
    #[doc(alias = "NUSE")]
    pub fn utilization(&self) -> u64 {
        self.0.nuse.get()
    }

    /// Its features (NSFEAT).
    #[must_use]
    #[doc(alias = "NSFEAT")]
    pub fn features(&self) -> NamespaceFeatures {
        NamespaceFeatures::from_bits_retain(self.0.nsfeat)
    }

    /// How metadata can be moved (MC).
    #[must_use]
    #[doc(alias = "MC")]
    pub fn metadata(&self) -> MetadataCapabilities {
        MetadataCapabilities::from_bits_retain(self.0.mc)
    }

    /// Kinds and places of protection information that it can have (DPC).
    #[must_use]
    #[doc(alias = "DPC")]
    pub fn protection_capabilities(&self) -> ProtectionCapabilities {
        ProtectionCapabilities::from_bits_retain(self.0.dpc)
    }

    /// Type of the protection information that it has (DPS), 1 to 3; 0 for none.
    #[must_use]
    #[doc(alias = "DPS")]
    pub fn protection_type(&self) -> u8 {
        self.0.dps & 0x07
    }

    /// Whether the protection information is the first of the metadata, not the
    /// last (DPS).
    #[must_use]
    #[doc(alias = "DPS")]
    pub fn protection_first(&self) -> bool {
        self.0.dps & 0x08 != 0
    }

    /// How it may be shared (NMIC).
    #[must_use]
    #[doc(alias = "NMIC")]
    pub fn sharing(&self) -> NamespaceSharing {
        NamespaceSharing::from_bits_retain(self.0.nmic)
    }

    /// Reservations that it can have (RESCAP).
    #[must_use]
    #[doc(alias = "RESCAP")]
    pub fn reservations(&self) -> ReservationCapabilities {
        ReservationCapabilities::from_bits_retain(self.0.rescap)
    }

    /// How many percent of a format are left (FPI), 0 to 100; `None` if it does not
    /// report that.
    #[must_use]
    #[doc(alias = "FPI")]
    pub fn format_remaining(&self) -> Option<u8> {
        (self.0.fpi & 0x80 != 0).then_some(self.0.fpi & 0x7f)
    }

    /// What deallocated blocks read as (DLFEAT).
    #[must_use]
    #[doc(alias = "DLFEAT")]
    pub fn deallocated_reads(&self) -> DeallocatedReads {
        DeallocatedReads::from_raw(self.0.dlfeat & 0x07)
    }

    /// Whether Write Zeroes can deallocate (DLFEAT).
    #[must_use]
    #[doc(alias = "DLFEAT")]
    pub fn write_zeroes_deallocates(&self) -> bool {
        self.0.dlfeat & 0x08 != 0
    }

    /// Whether the guard of deallocated blocks is the CRC of what they read as, not
    /// ones (DLFEAT).
    #[must_use]
    #[doc(alias = "DLFEAT")]
    pub fn deallocated_guard_is_crc(&self) -> bool {
        self.0.dlfeat & 0x10 != 0
    }

    /// Blocks that are written atomically in normal operation (NAWUN); `None` if
    /// the controller's value holds.
    #[must_use]
    #[doc(alias = "NAWUN")]
    pub fn atomic_write_normal(&self) -> Option<u32> {
        self.atomic(self.0.nawun)
    }

    /// Blocks that are written atomically even if power fails (NAWUPF); `None` if
    /// the controller's value holds.
    #[must_use]
    #[doc(alias = "NAWUPF")]
    pub fn atomic_write_power_fail(&self) -> Option<u32> {
        self.atomic(self.0.nawupf)
    }

    /// Blocks that are written atomically by a fused Compare and Write (NACWU);
    /// `None` if the controller's value holds.
    #[must_use]
    #[doc(alias = "NACWU")]
    pub fn atomic_compare_write(&self) -> Option<u32> {
        self.atomic(self.0.nacwu)
    }

    /// How many blocks lie between the boundaries that no atomic write crosses
    /// (NABSN); `None` without boundaries.
    #[must_use]
    #[doc(alias = "NABSN")]
    pub fn atomic_boundary_normal(&self) -> Option<u32> {
        boundary(self.0.nabsn)
    }

    /// The block of the first boundary (NABO).
    #[must_use]
    #[doc(alias = "NABO")]
    pub fn atomic_boundary_offset(&self) -> u16 {
        self.0.nabo.get()
    }

    /// As [`atomic_boundary_normal`](Self::atomic_boundary_normal), if power fails
    /// (NABSPF).
    #[must_use]
    #[doc(alias = "NABSPF")]
    pub fn atomic_boundary_power_fail(&self) -> Option<u32> {
        boundary(self.0.nabspf)
    }

    /// How many blocks lie between the boundaries that reads and writes had better
    /// not cross (NOIOB); `None` if not reported.
    #[must_use]
    #[doc(alias = "NOIOB")]
    pub fn optimal_boundary(&self) -> Option<u16> {
        Some(self.0.noiob.get()).filter(|value| *value != 0)
    }

    /// Bytes of NVM that were allocated to it (NVMCAP); 0 if not reported.
    #[must_use]
    #[doc(alias = "NVMCAP")]
    pub fn nvm_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.nvmcap)
    }

    /// Preferred granularity of writes in blocks (NPWG). `None` if not reported.
    #[must_use]
    #[doc(alias = "NPWG")]
    pub fn write_granularity(&self) -> Option<u32> {
        self.preferred(self.0.npwg)
    }

    /// Preferred alignment of writes in blocks (NPWA). `None` if not reported.
    #[must_use]
    #[doc(alias = "NPWA")]
    pub fn write_alignment(&self) -> Option<u32> {
        self.preferred(self.0.npwa)
    }

    /// Preferred granularity of deallocation in blocks (NPDG). `None` if not
    /// reported.
    #[must_use]
    #[doc(alias = "NPDG")]
    pub fn deallocate_granularity(&self) -> Option<u32> {
        self.preferred(self.0.npdg)
    }

    /// Preferred alignment of deallocation in blocks (NPDA). `None` if not
    /// reported.
    #[must_use]
    #[doc(alias = "NPDA")]
    pub fn deallocate_alignment(&self) -> Option<u32> {
        self.preferred(self.0.npda)
    }

    /// Optimal size of writes in blocks (NOWS). `None` if not reported.
    #[must_use]
    #[doc(alias = "NOWS")]
    pub fn optimal_write_size(&self) -> Option<u32> {
        self.preferred(self.0.nows)
    }

    /// How many blocks one source range of a Copy may have (MSSRL).
    #[must_use]
    #[doc(alias = "MSSRL")]
    pub fn copy_range_maximum(&self) -> u16 {
        self.0.mssrl.get()
    }

    /// How many blocks one Copy may copy (MCL).
    #[must_use]
    #[doc(alias = "MCL")]
    pub fn copy_maximum(&self) -> u32 {
        self.0.mcl.get()
    }

    /// How many source ranges one Copy may name (MSRC), 1 to 256.
    #[must_use]
    #[doc(alias = "MSRC")]
    pub fn copy_ranges_maximum(&self) -> u16 {
        u16::from(self.0.msrc) + 1
    }

    /// Key per I/O (KPIOS): bit 0 enabled, bit 1 supported.
    #[must_use]
    #[doc(alias = "KPIOS")]
    pub fn key_per_io(&self) -> u8 {
        self.0.kpios
    }

    /// KPIODAAG: granularity and alignment in blocks of I/O with keys.
    #[must_use]
    #[doc(alias = "KPIODAAG")]
    pub fn key_per_io_granularity(&self) -> u32 {
        self.0.kpiodaag.get()
    }

    /// Its asymmetric namespace access group (ANAGRPID); 0 for none.
    #[must_use]
    #[doc(alias = "ANAGRPID")]
    pub fn ana_group(&self) -> u32 {
        self.0.anagrpid.get()
    }

    /// Whether it is write protected (NSATTR).
    #[must_use]
    #[doc(alias = "NSATTR")]
    pub fn is_write_protected(&self) -> bool {
        self.0.nsattr & 1 != 0
    }

    /// Its NVM set (NVMSETID); 0 for none.
    #[must_use]
    #[doc(alias = "NVMSETID")]
    pub fn nvm_set(&self) -> u16 {
        self.0.nvmsetid.get()
    }

    /// Its endurance group (ENDGID); 0 for none.
    #[must_use]
    #[doc(alias = "ENDGID")]
    pub fn endurance_group(&self) -> u16 {
        self.0.endgid.get()
    }

    /// Its NGUID, if it has one.
    #[must_use]
    #[doc(alias = "NGUID")]
    pub fn nguid(&self) -> Option<Nguid> {
        Nguid::not_zero(self.0.nguid)
    }

    /// Its EUI-64, if it has one.
    #[must_use]
    #[doc(alias = "EUI64")]
    pub fn eui64(&self) -> Option<Eui64> {
        Eui64::not_zero(self.0.eui64)
    }

    /// The vendor's bytes (VS).
    #[must_use]
    #[doc(alias = "VS")]
    pub fn vendor_specific(&self) -> &[u8; 3712] {
        &self.0.vendor
    }
}

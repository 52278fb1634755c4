//! What the NVM Command Set adds to namespaces (CNS 05h and 1Bh with CSI 00h,
//! CNS 0Ah).

use core::fmt;

use bitflags::bitflags;
use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U32, U64},
};

use super::{CommandSet, queries, sqe, with_command_set, with_identifier};
use crate::memory::Page;
use crate::nvme::owned::{Owned, Structure};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks how a namespace protects its blocks, and for its large granularities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("nvm-id-ns", "nvme_nvm_id_ns"))]
pub struct IdentifyNvmNamespace {
    nsid: Nsid,
    allocated: bool,
}

impl IdentifyNvmNamespace {
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
        with_command_set(sqe(cns, Some(self.nsid)), CommandSet::NVM)
    }
}

/// Asks what [`IdentifyNvmNamespace`] would say of any namespace that had a
/// certain LBA format (CNS 0Ah).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvm-id-ns-lba-format")]
pub struct IdentifyNvmNamespaceFormat {
    index: u16,
}

impl IdentifyNvmNamespaceFormat {
    /// The LBA format `index`.
    #[must_use]
    pub const fn new(index: u16) -> Self {
        Self { index }
    }

    fn entry(&self) -> Sqe {
        with_command_set(
            with_identifier(sqe(0x0a, None), self.index),
            CommandSet::NVM,
        )
    }
}

queries!(keep:
    IdentifyNvmNamespace => NvmNamespaceData,
    IdentifyNvmNamespaceFormat => NvmNamespaceData,
);

bitflags! {
    /// How protection information works (PIC).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "PIC")]
    pub struct GuardCapabilities: u8 {
        /// Storage tags with a guard of 16 bits (PIC16BPISTS).
        const STORAGE_TAG_16 = 1 << 0;
        /// With a guard of 16 bits the storage tag mask is all ones
        /// (PIC16BPISTM).
        const STORAGE_TAG_16_MASKED = 1 << 1;
        /// Reads can check storage tags (STCRS).
        const STORAGE_TAG_CHECK_READ = 1 << 2;
        /// Formats can name their guard in the qualified field (QPIFS).
        const QUALIFIED_FORMATS = 1 << 3;
        // Later revisions may define more.
        const _ = !0;
    }
}

/// The guard of protection information (PIF).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("PIF", "QPIF"))]
pub struct Guard(u8);

impl Guard {
    /// A CRC of 16 bits; protection information of 8 bytes.
    pub const BITS_16: Self = Self(0);
    /// A CRC of 32 bits; protection information of 16 bytes.
    pub const BITS_32: Self = Self(1);
    /// A CRC of 64 bits; protection information of 16 bytes.
    pub const BITS_64: Self = Self(2);

    /// The guard of this number.
    #[must_use]
    pub const fn from_raw(raw: u8) -> Self {
        Self(raw)
    }

    /// The number.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// How many bytes the protection information has; `None` for a guard that
    /// is not known.
    #[must_use]
    pub const fn protection_size(self) -> Option<u16> {
        match self {
            Self::BITS_16 => Some(8),
            Self::BITS_32 | Self::BITS_64 => Some(16),
            _ => None,
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::BITS_16 => "16-bit guard",
            Self::BITS_32 => "32-bit guard",
            Self::BITS_64 => "64-bit guard",
            Self(other) => return write!(f, "guard format {other:X}h"),
        })
    }
}

/// The I/O Command Set Specific Identify Namespace data structure of the NVM
/// Command Set 1.1, 4.1.5.3.
///
/// ```
/// use passthru::nvme::identify::{Guard, NvmNamespaceData};
///
/// let mut bytes = vec![0; 4096];
/// bytes[16..20].copy_from_slice(&(2_u32 << 7 | 32).to_le_bytes());
/// let data = NvmNamespaceData::parse(&bytes)?;
/// assert_eq!(data.guard(1), Some(Guard::BITS_64));
/// assert_eq!(data.storage_tag_size(1), Some(32));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "nvme_nvm_id_ns")]
pub struct NvmNamespaceData(Owned<Wire>);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    lbstm: U64,
    pic: u8,
    pifa: u8,
    reserved_10: [u8; 2],
    elbaf: [U32; 64],
    npdgl: U32,
    nprg: U32,
    npra: U32,
    nors: U32,
    npdal: U32,
    lbapss: U32,
    tlbaag: U32,
}

impl Structure for Wire {
    const ZERO: &'static Self = &zerocopy::transmute!([0u8; size_of::<Self>()]);
}

const _: () = assert!(size_of::<Wire>() == 296);

impl NvmNamespaceData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 296 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Owned::read(bytes).map(Self)
    }

    pub(super) fn keep(page: Page) -> Result<Self, Malformed> {
        Owned::keep(page).map(Self)
    }

    /// Which bits of a storage tag are checked (LBSTM).
    #[must_use]
    #[doc(alias = "LBSTM")]
    pub fn storage_tag_mask(&self) -> u64 {
        self.0.lbstm.get()
    }

    /// How protection information works (PIC).
    #[must_use]
    #[doc(alias = "PIC")]
    pub fn guard_capabilities(&self) -> GuardCapabilities {
        GuardCapabilities::from_bits_retain(self.0.pic)
    }

    /// How finely storage tags can be masked (PIFA.STMLA): 0 by bits, 1 by
    /// bytes, 2 not at all.
    #[must_use]
    #[doc(alias("PIFA", "STMLA"))]
    pub fn storage_tag_masking(&self) -> u8 {
        self.0.pifa & 0x0f
    }

    fn elbaf(&self, index: u8) -> Option<u32> {
        self.0
            .elbaf
            .get(usize::from(index))
            .map(|elbaf| elbaf.get())
    }

    /// The guard of the LBA format `index`, 0 to 63 (ELBAF.PIF, or ELBAF.QPIF
    /// where it says so).
    #[must_use]
    #[doc(alias("ELBAF", "PIF", "QPIF"))]
    pub fn guard(&self, index: u8) -> Option<Guard> {
        let [low, high, ..] = self.elbaf(index)?.to_le_bytes();
        let qualified = GuardCapabilities::QUALIFIED_FORMATS;
        Some(match (low >> 7) | (high & 1) << 1 {
            3 if self.guard_capabilities().contains(qualified) => Guard(high >> 1 & 0x0f),
            guard => Guard(guard),
        })
    }

    /// How many bits of the storage and reference space the storage tag has with
    /// the LBA format `index`, 0 to 63 (ELBAF.STS).
    #[must_use]
    #[doc(alias("ELBAF", "STS"))]
    pub fn storage_tag_size(&self, index: u8) -> Option<u8> {
        let [low, ..] = self.elbaf(index)?.to_le_bytes();
        Some(low & 0x7f)
    }

    /// Preferred deallocate granularity in blocks (NPDGL); 0 if not reported.
    #[must_use]
    #[doc(alias = "NPDGL")]
    pub fn deallocate_granularity(&self) -> u32 {
        self.0.npdgl.get()
    }

    /// Preferred read granularity in blocks (NPRG), as it is. Valid with
    /// [`OPTIMAL_READ`](super::NamespaceFeatures::OPTIMAL_READ), as its neighbours.
    #[must_use]
    #[doc(alias = "NPRG")]
    pub fn read_granularity(&self) -> u32 {
        self.0.nprg.get()
    }

    /// Preferred read alignment in blocks (NPRA), as it is.
    #[must_use]
    #[doc(alias = "NPRA")]
    pub fn read_alignment(&self) -> u32 {
        self.0.npra.get()
    }

    /// Optimal read size in blocks (NORS), as it is.
    #[must_use]
    #[doc(alias = "NORS")]
    pub fn optimal_read_size(&self) -> u32 {
        self.0.nors.get()
    }

    /// Preferred deallocate alignment in blocks (NPDAL); 0 if not reported.
    #[must_use]
    #[doc(alias = "NPDAL")]
    pub fn deallocate_alignment(&self) -> u32 {
        self.0.npdal.get()
    }

    /// Placement shard size of the LBA format in blocks (LBAPSS), as it is.
    #[must_use]
    #[doc(alias = "LBAPSS")]
    pub fn placement_shard_size(&self) -> u32 {
        self.0.lbapss.get()
    }

    /// Granularity in blocks in which allocation is tracked (TLBAAG), as it is.
    #[must_use]
    #[doc(alias = "TLBAAG")]
    pub fn allocation_granularity(&self) -> u32 {
        self.0.tlbaag.get()
    }
}

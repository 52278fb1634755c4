//! Identify Namespace (CNS 00h, 09h, 11h): size, formats and features of a
//! namespace.

mod fields;
mod flags;
#[cfg(test)]
mod tests;

pub use fields::DeallocatedReads;
pub use flags::*;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{
    CommandSet, LENGTH, NvmNamespaceData, queries, sqe, with_command_set, with_identifier,
};
use crate::memory::Page;
use crate::nvme::owned::{Owned, Structure};
use crate::nvme::{Format, Malformed, Nsid, Protection, Sqe};

/// Identify Namespace: how large it is and what its blocks look like.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt};
/// use passthru::nvme::{Nsid, identify::IdentifyNamespace};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let data = drive.query(&IdentifyNamespace::new(Nsid::new(1).unwrap()))?;
/// println!("{} blocks, {:?}", data.size(), data.format());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-ns", "nvme_id_ns", "CNS"))]
pub struct IdentifyNamespace {
    nsid: Nsid,
    allocated: bool,
}

impl IdentifyNamespace {
    /// Of the active namespace `nsid` (CNS 00h); of [`Nsid::ALL`] what all
    /// namespaces have in common, if the controller manages namespaces. Of one
    /// that is not active the reply is zeros.
    #[must_use]
    pub const fn new(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: false,
        }
    }

    /// Of the allocated namespace `nsid`, attached or not (CNS 11h). For
    /// controllers that manage namespaces.
    #[must_use]
    pub const fn allocated(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: true,
        }
    }

    fn entry(&self) -> Sqe {
        let cns = if self.allocated { 0x11 } else { 0x00 };
        sqe(cns, Some(self.nsid))
    }
}

/// Asks what [`IdentifyNamespace`] would say of any namespace that had a certain
/// LBA format (CNS 09h): its capabilities; sizes and identifiers are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-ns-lba-format", "ns-lba-format"))]
pub struct IdentifyNamespaceFormat {
    index: u16,
}

impl IdentifyNamespaceFormat {
    /// The LBA format `index`.
    #[must_use]
    pub const fn new(index: u16) -> Self {
        Self { index }
    }

    fn entry(&self) -> Sqe {
        with_command_set(
            with_identifier(sqe(0x09, None), self.index),
            CommandSet::NVM,
        )
    }
}

queries!(keep:
    IdentifyNamespace => NamespaceData,
    IdentifyNamespaceFormat => NamespaceData,
);

/// The Identify Namespace data structure of the NVM Command Set (NVM Command
/// Set 1.1, Figure 114).
///
/// ```
/// use passthru::nvme::identify::NamespaceData;
///
/// let mut bytes = vec![0; 4096];
/// bytes[..8].copy_from_slice(&1000_u64.to_le_bytes()); // NSZE
/// (bytes[25], bytes[26]) = (1, 1); // NLBAF, FLBAS
/// (bytes[130], bytes[134]) = (9, 12); // LBADS of two formats
/// let data = NamespaceData::parse(&bytes)?;
/// assert_eq!(data.size(), 1000);
/// assert_eq!(data.format().unwrap().block_length(), 4096);
/// let lengths: Vec<_> = data.formats().filter_map(|format| format.block_length()).collect();
/// assert_eq!(lengths, [512, 4096]);
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "nvme_id_ns")]
pub struct NamespaceData(Owned<Wire>);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    nsze: U64,
    ncap: U64,
    nuse: U64,
    nsfeat: u8,
    nlbaf: u8,
    flbas: u8,
    mc: u8,
    dpc: u8,
    dps: u8,
    nmic: u8,
    rescap: u8,
    fpi: u8,
    dlfeat: u8,
    nawun: U16,
    nawupf: U16,
    nacwu: U16,
    nabsn: U16,
    nabo: U16,
    nabspf: U16,
    noiob: U16,
    nvmcap: [u8; 16],
    npwg: U16,
    npwa: U16,
    npdg: U16,
    npda: U16,
    nows: U16,
    mssrl: U16,
    mcl: U32,
    msrc: u8,
    kpios: u8,
    nulbaf: u8,
    reserved_83: u8,
    kpiodaag: U32,
    reserved_88: [u8; 4],
    anagrpid: U32,
    reserved_96: [u8; 3],
    nsattr: u8,
    nvmsetid: U16,
    endgid: U16,
    nguid: [u8; 16],
    eui64: [u8; 8],
    lbaf: [Lbaf; 64],
    vendor: [u8; 3712],
}

impl Structure for Wire {
    const ZERO: &'static Self = &zerocopy::transmute!([0u8; size_of::<Self>()]);
}

/// An LBA Format data structure.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Lbaf {
    ms: U16,
    lbads: u8,
    rp: u8,
}

const _: () = assert!(size_of::<Wire>() == LENGTH);

impl Lbaf {
    fn block_length(self) -> Option<u32> {
        // Fewer than 512 bytes are not allowed, 0 marks a format that is not
        // there.
        (9..32).contains(&self.lbads).then(|| 1 << self.lbads)
    }
}

/// An LBA format that a namespace can have.
#[derive(Clone, Copy, Debug)]
#[doc(alias("LBAF", "nvme_lbaf"))]
pub struct LbaFormat {
    index: u8,
    lbaf: Lbaf,
}

impl LbaFormat {
    /// What Format NVM and others call it, 0 to 63.
    #[must_use]
    pub const fn index(&self) -> u8 {
        self.index
    }

    /// How many bytes of data a block has (LBADS); `None` for a format that is
    /// not available at present.
    #[must_use]
    #[doc(alias("LBADS", "ds"))]
    pub fn block_length(&self) -> Option<u32> {
        self.lbaf.block_length()
    }

    /// How many bytes of metadata a block has (MS).
    #[must_use]
    #[doc(alias = "MS")]
    pub fn metadata_size(&self) -> u16 {
        self.lbaf.ms.get()
    }

    /// Its rank among the formats (RP): 0 best, 1 better, 2 good, 3 degraded
    /// performance.
    #[must_use]
    #[doc(alias = "RP")]
    pub fn relative_performance(&self) -> u8 {
        self.lbaf.rp & 0x03
    }
}

impl NamespaceData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Owned::read(bytes).map(Self)
    }

    pub(super) fn keep(page: Page) -> Result<Self, Malformed> {
        Owned::keep(page).map(Self)
    }

    /// How many formats there are: NLBAF and one more, and NULBAF.
    fn format_count(&self) -> usize {
        (usize::from(self.0.nlbaf) + 1 + usize::from(self.0.nulbaf)).min(64)
    }

    /// The formats that the namespace can have (LBAF), 64 at most, whether
    /// available or not.
    #[doc(alias("LBAF", "NLBAF", "NULBAF"))]
    pub fn formats(&self) -> impl Iterator<Item = LbaFormat> + '_ {
        let all = (0..).zip(&self.0.lbaf).take(self.format_count());
        all.map(|(index, lbaf)| LbaFormat { index, lbaf: *lbaf })
    }

    /// The index of the format that is in use: FLBAS bits 3:0, and with more
    /// than 16 formats bits 6:5 above them.
    #[must_use]
    #[doc(alias = "FLBAS")]
    pub fn format_index(&self) -> u8 {
        let low = self.0.flbas & 0x0f;
        if self.format_count() <= 16 {
            low
        } else {
            low | (self.0.flbas & 0x60) >> 1
        }
    }

    /// The format that is in use; `None` if the namespace is not active, or says
    /// a format that cannot be.
    ///
    /// Protection information is taken to have a guard of 16 bits. That is so
    /// unless the host has enabled extended LBA formats
    /// ([`ControllerAttributes::EXTENDED_LBA_FORMATS`](super::ControllerAttributes::EXTENDED_LBA_FORMATS));
    /// then use [`format_with`](Self::format_with).
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format_with_protection(8)
    }

    /// The format that is in use, with the size of its protection information by
    /// its guard. `nvm` is what the same namespace replied to
    /// [`IdentifyNvmNamespace`](super::IdentifyNvmNamespace). `None` as for
    /// [`format`](Self::format), and for protection information with a guard
    /// that is not known.
    ///
    /// ```
    /// use passthru::nvme::identify::{NamespaceData, NvmNamespaceData};
    ///
    /// let mut bytes = vec![0; 4096];
    /// (bytes[0], bytes[29]) = (1, 1); // NSZE; DPS: type 1
    /// (bytes[128], bytes[130]) = (16, 12); // MS, LBADS
    /// let data = NamespaceData::parse(&bytes)?;
    ///
    /// let mut bytes = vec![0; 4096];
    /// bytes[13] = 1; // ELBAF: 64-bit guard
    /// let nvm = NvmNamespaceData::parse(&bytes)?;
    /// let format = data.format_with(&nvm).unwrap();
    /// assert_eq!(format.protection_information().unwrap().size, 16);
    /// assert!(format.is_pure_protection());
    /// assert!(!data.format().unwrap().is_pure_protection());
    /// # Ok::<(), passthru::nvme::Malformed>(())
    /// ```
    #[must_use]
    #[doc(alias("ELBAF", "PIF"))]
    pub fn format_with(&self, nvm: &NvmNamespaceData) -> Option<Format> {
        if self.0.dps & 0x07 == 0 {
            return self.format();
        }
        let guard = nvm.guard(self.format_index())?;
        self.format_with_protection(guard.protection_size()?)
    }

    fn format_with_protection(&self, size: u16) -> Option<Format> {
        let lbaf = self.0.lbaf.get(usize::from(self.format_index()))?;
        if self.size() == 0 {
            return None;
        }
        let protection = match self.0.dps & 0x07 {
            // It cannot be where there is no room for it.
            kind @ 1.. if lbaf.ms.get() >= size => Some(Protection {
                kind,
                size,
                first: self.0.dps & 0x08 != 0,
            }),
            _ => None,
        };
        let format = Format::new(lbaf.block_length()?)
            .metadata(lbaf.ms.get(), self.0.flbas & 0x10 != 0)
            .protection(protection);
        Some(format)
    }
}

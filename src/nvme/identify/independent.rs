//! What a namespace is whatever its command set (CNS 08h, 1Fh).

use bitflags::bitflags;
use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{NamespaceSharing, ReservationCapabilities, queries, sqe};
use crate::nvme::{Malformed, Nsid, Sqe};

/// Asks what a namespace is, whatever its command set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("cmdset-ind-id-ns", "ns-ind", "nvme_id_independent_id_ns"))]
pub struct IdentifyIndependentNamespace {
    nsid: Nsid,
    allocated: bool,
}

impl IdentifyIndependentNamespace {
    /// Of the active namespace `nsid` (CNS 08h).
    #[must_use]
    pub const fn new(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: false,
        }
    }

    /// Of the allocated namespace `nsid`, attached or not (CNS 1Fh).
    #[must_use]
    pub const fn allocated(nsid: Nsid) -> Self {
        Self {
            nsid,
            allocated: true,
        }
    }

    fn entry(&self) -> Sqe {
        let cns = if self.allocated { 0x1f } else { 0x08 };
        sqe(cns, Some(self.nsid))
    }
}

queries!(IdentifyIndependentNamespace => IndependentNamespaceData);

bitflags! {
    /// Features of a namespace whatever its command set (NSFEAT).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "NSFEAT")]
    pub struct IndependentNamespaceFeatures: u8 {
        /// NGUID and EUI64 are never used again (UIDREUSE).
        const IDS_NOT_REUSED = 1 << 3;
        /// Its media rotate (RMEDIA).
        const ROTATIONAL = 1 << 4;
        /// There is no volatile write cache for it (VWCNP).
        const NO_WRITE_CACHE = 1 << 5;
        // Later revisions may define more.
        const _ = !0;
    }
}

/// The I/O Command Set Independent Identify Namespace data structure. NVMe Base
/// 2.1, 5.1.13.2, CNS 08h.
///
/// ```
/// use passthru::nvme::identify::IndependentNamespaceData;
///
/// let mut bytes = vec![0; 4096];
/// (bytes[8], bytes[14]) = (1, 1);
/// let data = IndependentNamespaceData::parse(&bytes)?;
/// assert!(data.is_write_protected() && data.is_ready());
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_id_independent_id_ns")]
pub struct IndependentNamespaceData(IndependentNamespaceDataWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct IndependentNamespaceDataWire {
    nsfeat: u8,
    nmic: u8,
    rescap: u8,
    fpi: u8,
    anagrpid: U32,
    nsattr: u8,
    reserved_9: u8,
    nvmsetid: U16,
    endgid: U16,
    nstat: u8,
    kpios: u8,
    maxkt: U16,
    reserved_18: [u8; 2],
    rgrpid: U32,
}

const _: () = assert!(size_of::<IndependentNamespaceDataWire>() == 24);

impl IndependentNamespaceData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 24 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        super::prefix(bytes).map(|(data, _)| Self(data))
    }

    /// Its features (NSFEAT).
    #[must_use]
    #[doc(alias = "NSFEAT")]
    pub fn features(&self) -> IndependentNamespaceFeatures {
        IndependentNamespaceFeatures::from_bits_retain(self.0.nsfeat)
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

    /// How many percent of a format are left (FPI), 0 to 100; `None` if it does
    /// not report that.
    #[must_use]
    #[doc(alias = "FPI")]
    pub fn format_remaining(&self) -> Option<u8> {
        (self.0.fpi & 0x80 != 0).then_some(self.0.fpi & 0x7f)
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

    /// Whether it is ready for commands that need its media (NSTAT.NRDY).
    #[must_use]
    #[doc(alias("NSTAT", "NRDY"))]
    pub fn is_ready(&self) -> bool {
        self.0.nstat & 1 != 0
    }

    /// Key per I/O (KPIOS): bit 0 enabled, bit 1 supported.
    #[must_use]
    #[doc(alias = "KPIOS")]
    pub fn key_per_io(&self) -> u8 {
        self.0.kpios
    }

    /// The greatest key tag (MAXKT).
    #[must_use]
    #[doc(alias = "MAXKT")]
    pub fn key_tag_maximum(&self) -> u16 {
        self.0.maxkt.get()
    }

    /// Its reachability group (RGRPID); 0 for none.
    #[must_use]
    #[doc(alias = "RGRPID")]
    pub fn reachability_group(&self) -> u32 {
        self.0.rgrpid.get()
    }
}

//! NVM sets (CNS 04h) and domains (CNS 18h): parts of an NVM subsystem.

use core::time::Duration;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{entries, queries, sqe, with_identifier};
use crate::nvme::{Malformed, Sqe};

/// Both lists begin with their count and have entries of this size behind a
/// header of the same.
const ENTRY: usize = 128;

fn list<T>(bytes: &[u8]) -> Result<Vec<T>, Malformed>
where
    T: FromBytes + KnownLayout + Immutable + Copy,
{
    let (count, _) = super::prefix::<u8>(bytes)?;
    entries(bytes, ENTRY, usize::from(count))
}

/// Asks for up to 31 NVM sets, in ascending order of their identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("nvmset", "nvme_id_nvmset_list"))]
pub struct ListNvmSets {
    first: u16,
}

impl ListNvmSets {
    /// Those whose identifier is at least `set`; 0 for all.
    #[must_use]
    #[doc(alias = "NVMSETID")]
    pub const fn from(set: u16) -> Self {
        Self { first: set }
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &NvmSetList) -> Option<Self> {
        let next = list.0.last()?.id().checked_add(1)?;
        (list.0.len() == 31 && next > self.first).then_some(Self { first: next })
    }

    fn entry(&self) -> Sqe {
        with_identifier(sqe(0x04, None), self.first)
    }
}

queries!(ListNvmSets => NvmSetList, ListDomains => DomainList);

/// An NVM Set Attributes Entry. NVMe Base 2.1, 5.1.13.2, CNS 04h.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_nvmset_attr")]
pub struct NvmSet(NvmSetWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct NvmSetWire {
    nvmsetid: U16,
    endgid: U16,
    reserved_4: [u8; 4],
    rr4kt: U32,
    ows: U32,
    tnvmsetcap: [u8; 16],
    unvmsetcap: [u8; 16],
    reserved_48: [u8; 80],
}

const _: () = assert!(size_of::<NvmSetWire>() == ENTRY);

impl NvmSet {
    /// Its identifier.
    #[must_use]
    #[doc(alias = "NVMSETID")]
    pub fn id(&self) -> u16 {
        self.0.nvmsetid.get()
    }

    /// The endurance group that it is part of.
    #[must_use]
    #[doc(alias = "ENDGID")]
    pub fn endurance_group(&self) -> u16 {
        self.0.endgid.get()
    }

    /// How long a random read of 4 KiB typically takes, alone in a deterministic
    /// window; zero if not reported.
    #[must_use]
    #[doc(alias = "RR4KT")]
    pub fn random_read_time(&self) -> Duration {
        Duration::from_nanos(100 * u64::from(self.0.rr4kt.get()))
    }

    /// The size of writes that works best, in bytes; 0 if not reported.
    #[must_use]
    #[doc(alias = "OWS")]
    pub fn optimal_write_size(&self) -> u32 {
        self.0.ows.get()
    }

    /// Its capacity in bytes.
    #[must_use]
    #[doc(alias = "TNVMSETCAP")]
    pub fn total_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.tnvmsetcap)
    }

    /// The part of it that no namespace has, in bytes.
    #[must_use]
    #[doc(alias = "UNVMSETCAP")]
    pub fn unallocated_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.unvmsetcap)
    }
}

/// The NVM Set List. NVMe Base 2.1, 5.1.13.2, CNS 04h.
///
/// ```
/// use passthru::nvme::identify::NvmSetList;
///
/// let mut bytes = [0; 256];
/// (bytes[0], bytes[128], bytes[130]) = (1, 7, 2);
/// let sets = NvmSetList::parse(&bytes)?;
/// assert_eq!((sets.sets()[0].id(), sets.sets()[0].endurance_group()), (7, 2));
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "nvme_id_nvmset_list")]
pub struct NvmSetList(Vec<NvmSet>);

impl NvmSetList {
    /// Reads the list.
    ///
    /// # Errors
    /// [`Malformed::Short`] for no bytes, [`Malformed::Length`] for a list that
    /// names more sets than it holds.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Ok(Self(list(bytes)?.into_iter().map(NvmSet).collect()))
    }

    /// The sets, 31 at most.
    #[must_use]
    pub fn sets(&self) -> &[NvmSet] {
        &self.0
    }
}

/// Asks for up to 31 domains, in ascending order of their identifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("domain", "nvme_id_domain_list"))]
pub struct ListDomains {
    first: u16,
}

impl ListDomains {
    /// Those whose identifier is at least `domain`; 0 for all.
    #[must_use]
    #[doc(alias = "DID")]
    pub const fn from(domain: u16) -> Self {
        Self { first: domain }
    }

    /// The query for what comes behind its reply `list`. `None` if that is the
    /// end, or if the controller repeats itself.
    #[must_use]
    pub fn following(&self, list: &DomainList) -> Option<Self> {
        let next = list.0.last()?.id().checked_add(1)?;
        (list.0.len() == 31 && next > self.first).then_some(Self { first: next })
    }

    fn entry(&self) -> Sqe {
        with_identifier(sqe(0x18, None), self.first)
    }
}

/// A Domain Attributes Entry. NVMe Base 2.1, 5.1.13.2, CNS 18h.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_id_domain_attr")]
pub struct Domain(DomainWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct DomainWire {
    id: U16,
    reserved_2: [u8; 14],
    tdcap: [u8; 16],
    udcap: [u8; 16],
    megdcap: [u8; 16],
    reserved_64: [u8; 64],
}

const _: () = assert!(size_of::<DomainWire>() == ENTRY);

impl Domain {
    /// Its identifier.
    #[must_use]
    #[doc(alias = "DID")]
    pub fn id(&self) -> u16 {
        self.0.id.get()
    }

    /// Its capacity in bytes.
    #[must_use]
    #[doc(alias = "TDCAP")]
    pub fn total_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.tdcap)
    }

    /// The part of it that no endurance group has, in bytes.
    #[must_use]
    #[doc(alias = "UDCAP")]
    pub fn unallocated_capacity(&self) -> u128 {
        u128::from_le_bytes(self.0.udcap)
    }

    /// Greatest capacity of an endurance group in it, in bytes.
    #[must_use]
    #[doc(alias = "MEGDCAP")]
    pub fn endurance_group_capacity_maximum(&self) -> u128 {
        u128::from_le_bytes(self.0.megdcap)
    }
}

/// The Domain List. NVMe Base 2.1, 5.1.13.2, CNS 18h.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_id_domain_list")]
pub struct DomainList(Vec<Domain>);

impl DomainList {
    /// Reads the list.
    ///
    /// # Errors
    /// As [`NvmSetList::parse`].
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        Ok(Self(list(bytes)?.into_iter().map(Domain).collect()))
    }

    /// The domains, 31 at most.
    #[must_use]
    pub fn domains(&self) -> &[Domain] {
        &self.0
    }
}

//! Granularities of namespaces (CNS 16h).

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U32, U64},
};

use super::{entries, queries, sqe};
use crate::nvme::{Malformed, Sqe};

/// Asks in which steps sizes of namespaces waste nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("ns-granularity", "nvme_id_ns_granularity_list"))]
pub struct ListNamespaceGranularities;

impl ListNamespaceGranularities {
    #[allow(clippy::unused_self)] // as all others
    fn entry(&self) -> Sqe {
        sqe(0x16, None)
    }
}

queries!(ListNamespaceGranularities => NamespaceGranularityList);

/// A Namespace Granularity Descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamespaceGranularity(NamespaceGranularityWire);

#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct NamespaceGranularityWire {
    nsg: U64,
    ncg: U64,
}

impl NamespaceGranularity {
    /// Preferred granularity of a namespace's size, in bytes; 0 if not reported.
    #[must_use]
    #[doc(alias = "NSG")]
    pub fn size(&self) -> u64 {
        self.0.nsg.get()
    }

    /// Preferred granularity of a namespace's capacity, in bytes; 0 if not
    /// reported.
    #[must_use]
    #[doc(alias = "NCG")]
    pub fn capacity(&self) -> u64 {
        self.0.ncg.get()
    }
}

/// The Namespace Granularity List. NVM Command Set 1.1, 4.1.5, CNS 16h.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_id_ns_granularity_list")]
pub struct NamespaceGranularityList {
    attributes: u32,
    descriptors: Vec<NamespaceGranularity>,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    attributes: U32,
    last: u8,
    reserved: [u8; 27],
}

const _: () = assert!(size_of::<Header>() == 32);

impl NamespaceGranularityList {
    /// Reads the list.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 32 bytes, [`Malformed::Length`] for
    /// more than 16 descriptors or more than it holds.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (header, _) = super::prefix::<Header>(bytes)?;
        let count = usize::from(header.last) + 1;
        if count > 16 {
            return Err(Malformed::Length {
                named: count as u64,
                max: 16,
            });
        }
        Ok(Self {
            attributes: header.attributes.get(),
            descriptors: entries(bytes, size_of::<Header>(), count)?
                .into_iter()
                .map(NamespaceGranularity)
                .collect(),
        })
    }

    /// Whether descriptor n is for LBA format n. If not, the only one is for all.
    #[must_use]
    #[doc(alias = "GDV")]
    pub fn by_format(&self) -> bool {
        self.attributes & 1 != 0
    }

    /// The descriptors, 1 to 16.
    #[must_use]
    pub fn descriptors(&self) -> &[NamespaceGranularity] {
        &self.descriptors
    }

    /// The descriptor for an LBA format.
    #[must_use]
    pub fn of_format(&self, index: u8) -> Option<&NamespaceGranularity> {
        let index = if self.by_format() { index } else { 0 };
        self.descriptors.get(usize::from(index))
    }
}

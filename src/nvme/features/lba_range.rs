//! LBA Range Type.

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, byteorder::little_endian::U64,
};

use super::{FeatureId, GetFeature, SetFeature, data::prefix};
use crate::nvme::{Malformed, Nsid};

const LENGTH: usize = 4096;

/// LBA Range Type (03h): what ranges of a namespace's blocks are for. NVM
/// Command Set 1.1, 4.1.3.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::features::LbaRanges};
///
/// let namespace = NvmeNamespace::open("/dev/ng0n1")?;
/// let mut bytes = [0; 4096];
/// let completion = namespace.read(&LbaRanges::get(namespace.nsid()), &mut bytes)?;
/// for range in LbaRanges::parse(&bytes, completion.dword0()).unwrap().ranges() {
///     println!("{} blocks from {}: type {}", range.blocks, range.first_block, range.kind);
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_lba_range_type")]
pub struct LbaRanges(Vec<LbaRange>);

/// A range of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LbaRange {
    /// What it is for: 0 general, 1 a file system, 2 RAID, 3 a cache, 4 paging;
    /// 80h to FFh are vendors'.
    pub kind: u8,
    /// Bit 0: may be overwritten; bit 1: to be hidden from others.
    pub attributes: u8,
    /// Its first block (SLBA).
    pub first_block: u64,
    /// How many blocks (NLB, which is one less). 2⁶⁴ blocks are shown as one
    /// less; 0 are set as 1.
    pub blocks: u64,
    /// Its global identifier.
    pub guid: [u8; 16],
}

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    kind: u8,
    attributes: u8,
    reserved2: [u8; 14],
    slba: U64,
    nlb: U64,
    guid: [u8; 16],
    reserved48: [u8; 16],
}

const _: () = assert!(size_of::<Wire>() == 64);

impl LbaRanges {
    /// 1 to 64 ranges; `None` for another number.
    #[must_use]
    pub fn new(ranges: Vec<LbaRange>) -> Option<Self> {
        (1..=64).contains(&ranges.len()).then_some(Self(ranges))
    }

    /// Asks for the ranges of a namespace: send it by `read` with 4096 bytes.
    pub const fn get(nsid: Nsid) -> GetFeature {
        GetFeature::new(FeatureId::LBA_RANGE_TYPE).namespace(nsid)
    }

    /// Reads the data, of which completion dword 0 says how many ranges mean
    /// something.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8], dword0: u32) -> Result<Self, Malformed> {
        let bytes: &[u8; LENGTH] = prefix(bytes)?;
        // 6 bits, one less: never more than there are.
        let count = (dword0 & 0x3f) as usize + 1;
        let ranges = bytes.chunks_exact(size_of::<Wire>()).take(count);
        let ranges = ranges.filter_map(|chunk| Wire::read_from_bytes(chunk).ok());
        let ranges = ranges.map(|wire| LbaRange {
            kind: wire.kind,
            attributes: wire.attributes,
            first_block: wire.slba.get(),
            blocks: wire.nlb.get().saturating_add(1),
            guid: wire.guid,
        });
        Ok(Self(ranges.collect()))
    }

    /// The ranges, 1 to 64.
    #[must_use]
    pub fn ranges(&self) -> &[LbaRange] {
        &self.0
    }

    /// Sets the ranges of a namespace: send it by `write` with
    /// [`to_bytes`](Self::to_bytes).
    #[allow(clippy::cast_possible_truncation)] // 1 to 64
    pub fn set(&self, nsid: Nsid) -> SetFeature {
        let less_one = self.0.len() as u32 - 1;
        SetFeature::typed(FeatureId::LBA_RANGE_TYPE, less_one).namespace(nsid)
    }

    /// The 4096 bytes of data.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(LENGTH);
        for range in &self.0 {
            let wire = Wire {
                kind: range.kind,
                attributes: range.attributes,
                reserved2: [0; 14],
                slba: range.first_block.into(),
                nlb: range.blocks.saturating_sub(1).into(),
                guid: range.guid,
                reserved48: [0; 16],
            };
            bytes.extend_from_slice(wire.as_bytes());
        }
        bytes.resize(LENGTH, 0);
        bytes
    }
}

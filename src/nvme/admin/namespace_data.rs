//! What a new namespace is to be.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

/// The namespace that [`CreateNamespace`](super::CreateNamespace) makes: the
/// host software specified fields. NVMe Base 2.1, 5.1.19; NVM Command Set 1.1,
/// 4.1.6.
///
/// ```
/// use passthru::nvme::admin::NamespaceParameters;
///
/// let bytes = NamespaceParameters::new(1 << 20).shared(true).to_bytes();
/// assert_eq!(bytes.len(), 4096);
/// assert_eq!((bytes[2], bytes[10], bytes[30]), (16, 16, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias = "nvme_ns_mgmt_host_sw_specified")]
pub struct NamespaceParameters {
    size: u64,
    capacity: u64,
    format: u8,
    extended: bool,
    dps: u8,
    shared: bool,
    ana_group: u32,
    nvm_set: u16,
    endurance_group: u16,
    storage_tag_mask: u64,
    placement_handles: Vec<u16>,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    nsze: U64,
    ncap: U64,
    reserved16: [u8; 10],
    flbas: u8,
    reserved27: [u8; 2],
    dps: u8,
    nmic: u8,
    reserved31: [u8; 61],
    anagrpid: U32,
    reserved96: [u8; 4],
    nvmsetid: U16,
    endgid: U16,
    reserved104: [u8; 280],
    lbstm: U64,
    nphndls: U16,
    reserved394: [u8; 118],
    phndl: [U16; 128],
    reserved768: [u8; 3328],
}

const _: () = assert!(size_of::<Wire>() == 4096);
const _: () = assert!(core::mem::offset_of!(Wire, flbas) == 26);
const _: () = assert!(core::mem::offset_of!(Wire, dps) == 29);
const _: () = assert!(core::mem::offset_of!(Wire, anagrpid) == 92);
const _: () = assert!(core::mem::offset_of!(Wire, nvmsetid) == 100);
const _: () = assert!(core::mem::offset_of!(Wire, lbstm) == 384);
const _: () = assert!(core::mem::offset_of!(Wire, phndl) == 512);

impl NamespaceParameters {
    /// `blocks` blocks, all of which have capacity (NSZE and NCAP).
    #[doc(alias("NSZE", "NCAP"))]
    pub const fn new(blocks: u64) -> Self {
        Self {
            size: blocks,
            capacity: blocks,
            format: 0,
            extended: false,
            dps: 0,
            shared: false,
            ana_group: 0,
            nvm_set: 0,
            endurance_group: 0,
            storage_tag_mask: 0,
            placement_handles: Vec::new(),
        }
    }

    /// With room for fewer blocks than it has (NCAP).
    #[doc(alias = "NCAP")]
    pub const fn capacity(mut self, blocks: u64) -> Self {
        self.capacity = blocks;
        self
    }

    /// With the LBA format of this index, 0 to 63, and metadata behind each
    /// block's data or in a buffer of its own (FLBAS). Higher bits are dropped.
    #[doc(alias = "FLBAS")]
    pub const fn format(mut self, index: u8, extended: bool) -> Self {
        self.format = index & 0x3f;
        self.extended = extended;
        self
    }

    /// With protection information of type 1 to 3, 0 for none, as the first
    /// bytes of the metadata or the last (DPS). Higher bits are dropped.
    #[doc(alias = "DPS")]
    pub const fn protection(mut self, kind: u8, first: bool) -> Self {
        self.dps = kind & 7 | (first as u8) << 3;
        self
    }

    /// So that several controllers can have it (NMIC).
    #[doc(alias = "NMIC")]
    pub const fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    /// In this ANA group; 0 for the controller's choice.
    #[doc(alias = "ANAGRPID")]
    pub const fn ana_group(mut self, group: u32) -> Self {
        self.ana_group = group;
        self
    }

    /// In this NVM set; 0 for the controller's choice.
    #[doc(alias = "NVMSETID")]
    pub const fn nvm_set(mut self, set: u16) -> Self {
        self.nvm_set = set;
        self
    }

    /// In this endurance group; 0 for the controller's choice.
    #[doc(alias = "ENDGID")]
    pub const fn endurance_group(mut self, group: u16) -> Self {
        self.endurance_group = group;
        self
    }

    /// With this storage tag mask.
    #[doc(alias = "LBSTM")]
    pub const fn storage_tag_mask(mut self, mask: u64) -> Self {
        self.storage_tag_mask = mask;
        self
    }

    /// With these reclaim unit handles for its placement handles, of which it
    /// takes 128 at most: more are left out.
    #[doc(alias("NPHNDLS", "PHNDL"))]
    pub fn placement_handles(mut self, handles: &[u16]) -> Self {
        self.placement_handles = handles.iter().copied().take(128).collect();
        self
    }

    /// The 4096 bytes of data.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most 128 handles
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut phndl = [U16::ZERO; 128];
        for (slot, handle) in phndl.iter_mut().zip(&self.placement_handles) {
            slot.set(*handle);
        }
        let wire = Wire {
            nsze: self.size.into(),
            ncap: self.capacity.into(),
            reserved16: [0; 10],
            // Bits 3:0 of the format's index, and bits 5:4 above the metadata's.
            flbas: self.format & 0xf | u8::from(self.extended) << 4 | (self.format & 0x30) << 1,
            reserved27: [0; 2],
            dps: self.dps,
            nmic: u8::from(self.shared),
            reserved31: [0; 61],
            anagrpid: self.ana_group.into(),
            reserved96: [0; 4],
            nvmsetid: self.nvm_set.into(),
            endgid: self.endurance_group.into(),
            reserved104: [0; 280],
            lbstm: self.storage_tag_mask.into(),
            nphndls: (self.placement_handles.len() as u16).into(),
            reserved394: [0; 118],
            phndl,
            reserved768: [0; 3328],
        };
        wire.as_bytes().to_vec()
    }
}

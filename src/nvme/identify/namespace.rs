//! Identify Namespace (CNS 00h): size, formats and features of a namespace.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U64},
};

use super::{LENGTH, check, sqe};
use crate::nvme::{
    Command, DataIn, Format, LengthMismatch, Lengths, Malformed, Nsid, Protection, Query, Queue,
    Sqe, command::sealed::Sealed,
};

/// Identify Namespace: how large it is and what its blocks look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-ns", "nvme_id_ns", "CNS"))]
pub struct IdentifyNamespace {
    nsid: Nsid,
}

impl IdentifyNamespace {
    /// Of the namespace `nsid`; of [`Nsid::ALL`] what all namespaces have in
    /// common, if the controller manages namespaces.
    #[must_use]
    pub const fn new(nsid: Nsid) -> Self {
        Self { nsid }
    }
}

impl Sealed for IdentifyNamespace {}

impl Command for IdentifyNamespace {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check(lengths)?;
        Ok(sqe(0x00, Some(self.nsid)))
    }
}

impl DataIn for IdentifyNamespace {}

impl Query for IdentifyNamespace {
    type Reply = NamespaceData;

    fn reply_length(&self) -> usize {
        LENGTH
    }

    fn parse(&self, bytes: Vec<u8>) -> Result<NamespaceData, Malformed> {
        NamespaceData::parse(&bytes)
    }
}

/// The Identify Namespace data structure of the NVM Command Set (NVM Command
/// Set 1.1, Figure 114).
#[derive(Clone, Debug)]
#[doc(alias = "nvme_id_ns")]
pub struct NamespaceData(Box<Wire>);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
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
    rest: [u8; 98],
    lbaf: [Lbaf; 64],
    vendor: [u8; 3712],
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

impl NamespaceData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (wire, _) = Wire::read_from_prefix(bytes).map_err(|_| Malformed::Short {
            need: LENGTH,
            got: bytes.len(),
        })?;
        Ok(Self(Box::new(wire)))
    }

    /// Namespace size (NSZE), in blocks. 0 for a namespace that is not active.
    #[must_use]
    #[doc(alias = "NSZE")]
    pub fn size(&self) -> u64 {
        self.0.nsze.get()
    }

    /// The index of the format that is in use: FLBAS bits 3:0, and with more
    /// than 16 formats bits 6:5 above them.
    #[must_use]
    #[doc(alias = "FLBAS")]
    pub fn format_index(&self) -> u8 {
        let low = self.0.flbas & 0x0f;
        if self.0.nlbaf < 16 {
            low
        } else {
            low | (self.0.flbas & 0x60) >> 1
        }
    }

    /// The format that is in use; `None` if the namespace is not active, or says
    /// a format that cannot be.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        let lbaf = self.0.lbaf.get(usize::from(self.format_index()))?;
        // Fewer than 512 bytes are not allowed, 0 marks a format that is not
        // there.
        if self.size() == 0 || !(9..32).contains(&lbaf.lbads) {
            return None;
        }
        let protection = match self.0.dps & 0x07 {
            0 => None,
            kind => Some(Protection {
                kind,
                size: 8,
                first: self.0.dps & 0x08 != 0,
            }),
        };
        let format = Format::new(1 << lbaf.lbads)
            .metadata(lbaf.ms.get(), self.0.flbas & 0x10 != 0)
            .protection(protection);
        Some(format)
    }
}

//! Dataset Management.

use std::borrow::Cow;

use zerocopy::{
    Immutable, IntoBytes, KnownLayout, Unaligned,
    byteorder::little_endian::{U32, U64},
};

use super::blocks::check_length;
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, Queue, Sqe, WithData, command::sealed::Sealed,
};

/// A range of blocks for [`DatasetManagement`], with what is said about it
/// (context attributes: hints). NVM Command Set 1.1, 3.3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_dsm_range")]
#[must_use]
pub struct DatasetRange {
    slba: u64,
    blocks: u32,
    attributes: u32,
}

impl DatasetRange {
    /// `blocks` blocks from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self {
            slba,
            blocks,
            attributes: 0,
        }
    }

    /// All context attributes as they are sent.
    #[doc(alias = "CATTR")]
    pub const fn attributes(mut self, attributes: u32) -> Self {
        self.attributes = attributes;
        self
    }

    /// Access frequency (AF), 0 (not said) to 15: 1 typical, 2 to 5 from seldom
    /// to often, reads and writes apart. Higher bits are dropped.
    #[doc(alias = "AF")]
    pub const fn frequency(mut self, frequency: u8) -> Self {
        self.attributes = self.attributes & !0x0f | (frequency & 0x0f) as u32;
        self
    }

    /// Access latency (AL): 0 not said, 1 longer is good enough, 2 usual, 3 as
    /// small as can be. Higher bits are dropped.
    #[doc(alias = "AL")]
    pub const fn latency(mut self, latency: u8) -> Self {
        self.attributes = self.attributes & !0x30 | ((latency & 3) as u32) << 4;
        self
    }

    /// Read best as one (SR).
    #[doc(alias = "SR")]
    pub const fn sequential_read(self, on: bool) -> Self {
        self.bit(8, on)
    }

    /// Written best as one (SW).
    #[doc(alias = "SW")]
    pub const fn sequential_write(self, on: bool) -> Self {
        self.bit(9, on)
    }

    /// About to be written (WP).
    #[doc(alias = "WP")]
    pub const fn write_prepare(self, on: bool) -> Self {
        self.bit(10, on)
    }

    /// How many blocks one read or write of it is going to move; 0 if that is
    /// not said.
    #[doc(alias = "Command Access Size")]
    pub const fn access_size(mut self, blocks: u8) -> Self {
        self.attributes = self.attributes & 0x00ff_ffff | (blocks as u32) << 24;
        self
    }

    const fn bit(mut self, bit: u32, on: bool) -> Self {
        self.attributes = self.attributes & !(1 << bit) | (on as u32) << bit;
        self
    }
}

/// A range as it is sent.
#[derive(IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    attributes: U32,
    blocks: U32,
    slba: U64,
}

const LENGTH: usize = size_of::<Wire>();
const _: () = assert!(LENGTH == 16);

/// Dataset Management (09h): says how ranges of blocks are used, or that their
/// content is not needed any more. NVM Command Set 1.1, 3.3.3.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::{DatasetManagement, DatasetRange}};
///
/// let ranges = [DatasetRange::new(0, 2048), DatasetRange::new(8192, 16)];
/// if let Some(command) = DatasetManagement::new(ranges) {
///     NvmeNamespace::open_rw("/dev/ng0n1")?.send(&command.deallocate(true))?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("DSM", "TRIM", "discard", "nvme_cmd_dsm"))]
#[must_use]
pub struct DatasetManagement {
    ranges: Vec<DatasetRange>,
    attributes: u32,
}

impl DatasetManagement {
    /// About these ranges; `None` unless they are 1 to 256.
    pub fn new(ranges: impl IntoIterator<Item = DatasetRange>) -> Option<Self> {
        // One more than there may be tells, however long the list is.
        let ranges: Vec<_> = ranges.into_iter().take(257).collect();
        (1..=256).contains(&ranges.len()).then_some(Self {
            ranges,
            attributes: 0,
        })
    }

    /// The ranges.
    pub fn ranges(&self) -> &[DatasetRange] {
        &self.ranges
    }

    /// The content is not needed any more (AD). What is read then is all zeros,
    /// all ones, or what was there, by the namespace.
    #[doc(alias("AD", "trim", "discard"))]
    pub const fn deallocate(self, on: bool) -> Self {
        self.bit(2, on)
    }

    /// The ranges are going to be read as one, best kept together (IDR).
    #[doc(alias = "IDR")]
    pub const fn integral_read(self, on: bool) -> Self {
        self.bit(0, on)
    }

    /// The ranges are going to be written as one (IDW).
    #[doc(alias = "IDW")]
    pub const fn integral_write(self, on: bool) -> Self {
        self.bit(1, on)
    }

    const fn bit(mut self, bit: u32, on: bool) -> Self {
        self.attributes = self.attributes & !(1 << bit) | (on as u32) << bit;
        self
    }
}

impl Sealed for DatasetManagement {}

impl Command for DatasetManagement {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, self.ranges.len() * LENGTH)?;
        Ok(Sqe {
            cdw10: super::from_zero(self.ranges.len()),
            cdw11: self.attributes,
            ..Sqe::new(0x09)
        })
    }
}

impl DataOut for DatasetManagement {}

impl WithData for DatasetManagement {
    fn data(&self) -> Cow<'_, [u8]> {
        let wire: Vec<Wire> = self
            .ranges
            .iter()
            .map(|range| Wire {
                attributes: range.attributes.into(),
                blocks: range.blocks.into(),
                slba: range.slba.into(),
            })
            .collect();
        Cow::Owned(wire.as_bytes().to_vec())
    }
}

//! Copy.

use std::borrow::Cow;

use zerocopy::{
    Immutable, IntoBytes, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{
    Directive, Protect,
    blocks::{FUA, LR, MOST_BLOCKS, address, check_length},
};
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, Nsid, Queue, Sqe, WithData, command::sealed::Sealed,
};

/// The format of the source ranges of a [`CopyBlocks`]. Which ones a namespace's
/// controller knows is told by Identify Controller (OCFS); formats 2h and 3h
/// must have been enabled by the feature Host Behavior Support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("CDFE", "DESFMT"))]
pub enum CopyFormat {
    /// 0h: from the same namespace, tags of 32 bits.
    Same,
    /// 1h: from the same namespace, tags of 80 bits.
    SameWideTags,
    /// 2h: from any namespace, tags of 32 bits.
    Any,
    /// 3h: from any namespace, tags of 80 bits.
    AnyWideTags,
}

impl CopyFormat {
    const fn number(self) -> u32 {
        match self {
            Self::Same => 0,
            Self::SameWideTags => 1,
            Self::Any => 2,
            Self::AnyWideTags => 3,
        }
    }

    const fn is_wide(self) -> bool {
        matches!(self, Self::SameWideTags | Self::AnyWideTags)
    }

    /// How many bytes a range has: 32 or 40.
    #[must_use]
    pub const fn range_length(self) -> usize {
        if self.is_wide() { LONG } else { SHORT }
    }
}

/// A source range of a [`CopyBlocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_copy_range")]
#[must_use]
pub struct CopyRange {
    nsid: Option<Nsid>,
    slba: u64,
    blocks: u32,
    options: u16,
    protect: Protect,
}

impl CopyRange {
    /// `blocks` blocks from block `slba` on. `None` unless they are 1 to 65536.
    #[must_use]
    pub const fn new(slba: u64, blocks: u32) -> Option<Self> {
        if blocks == 0 || blocks > MOST_BLOCKS {
            return None;
        }
        Some(Self {
            nsid: None,
            slba,
            blocks,
            options: 0,
            protect: Protect::NONE,
        })
    }

    /// Of this namespace, for formats 2h and 3h. Without it the namespace
    /// identifier is 0.
    #[doc(alias = "SNSID")]
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.nsid = Some(nsid);
        self
    }

    /// Fails rather than be slower than reading and writing, for formats 2h and
    /// 3h (FCO of the source options).
    #[doc(alias("FCO", "SOPT"))]
    pub const fn fast_only(mut self, on: bool) -> Self {
        self.options = (on as u16) << 15;
        self
    }

    /// The tags that its protection information should have; what of it is
    /// checked is said by [`CopyBlocks::protect_read`].
    ///
    /// Programs differ in the byte order of these fields. Here all are little
    /// endian but the tags of 80 bits, as QEMU reads them; nvme-cli 3.0 has them
    /// all big endian.
    #[doc(alias("EILBRT", "ELBAT", "ELBATM"))]
    pub const fn tags(mut self, protect: Protect) -> Self {
        self.protect = protect;
        self
    }
}

/// A range of formats 0h and 2h.
#[derive(IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Short {
    begin: Begin,
    tag: U32,
    elbat: U16,
    elbatm: U16,
}

/// A range of formats 1h and 3h.
#[derive(IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Long {
    begin: Begin,
    reserved: [u8; 2],
    /// Big endian, the only one.
    tag: [u8; 10],
    elbat: U16,
    elbatm: U16,
}

/// What the formats have in common.
#[derive(IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Begin {
    snsid: U32,
    reserved: [u8; 4],
    slba: U64,
    nlb: U16,
    reserved_too: [u8; 4],
    sopt: U16,
}

const SHORT: usize = size_of::<Short>();
const LONG: usize = size_of::<Long>();
const _: () = assert!(size_of::<Begin>() == 24 && SHORT == 32 && LONG == 40);

/// Copy (19h): the controller copies blocks to a range that begins at one block
/// of the namespace, one source range behind the other. NVM Command Set 1.1,
/// 3.3.2.
///
/// How many ranges and blocks one command may name is told by Identify Namespace
/// (MSRC, MSSRL, MCL).
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::{CopyBlocks, CopyFormat, CopyRange}};
///
/// let sources = [CopyRange::new(0, 8), CopyRange::new(64, 16)].into_iter().flatten();
/// if let Some(command) = CopyBlocks::new(1024, CopyFormat::Same, sources) {
///     NvmeNamespace::open_rw("/dev/ng0n1")?.send(&command)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("nvme_cmd_copy", "Simple Copy"))]
#[must_use]
pub struct CopyBlocks {
    destination: u64,
    format: CopyFormat,
    ranges: Vec<CopyRange>,
    flags: u32,
    directive: Directive,
    read: Protect,
    write: Protect,
}

impl CopyBlocks {
    /// To the blocks from `destination` on. `None` unless there are 1 to 256
    /// ranges.
    pub fn new(
        destination: u64,
        format: CopyFormat,
        ranges: impl IntoIterator<Item = CopyRange>,
    ) -> Option<Self> {
        let ranges: Vec<_> = ranges.into_iter().take(257).collect();
        (1..=256).contains(&ranges.len()).then_some(Self {
            destination,
            format,
            ranges,
            flags: 0,
            directive: Directive::NONE,
            read: Protect::NONE,
            write: Protect::NONE,
        })
    }

    /// To the medium before it ends (FUA).
    #[doc(alias = "FUA")]
    pub const fn fua(self, on: bool) -> Self {
        self.flag(FUA, on)
    }

    /// With less effort to recover from errors (LR).
    #[doc(alias = "LR")]
    pub const fn limited_retry(self, on: bool) -> Self {
        self.flag(LR, on)
    }

    /// Where the data goes: to a stream, or by flexible data placement.
    #[doc(alias("DTYPE", "DSPEC"))]
    pub const fn directive(mut self, directive: Directive) -> Self {
        self.directive = directive;
        self
    }

    /// What happens to the protection information that is read (PRINFOR, STCR).
    /// Its tags are those of the ranges.
    #[doc(alias("PRINFOR", "STCR"))]
    pub const fn protect_read(mut self, protect: Protect) -> Self {
        self.read = protect;
        self
    }

    /// What happens to the protection information that is written (PRINFOW,
    /// STCW, tags).
    #[doc(alias("PRINFOW", "STCW"))]
    pub const fn protect_write(mut self, protect: Protect) -> Self {
        self.write = protect;
        self
    }

    const fn flag(mut self, flag: u32, on: bool) -> Self {
        self.flags = if on {
            self.flags | flag
        } else {
            self.flags & !flag
        };
        self
    }

    fn begin(&self, range: &CopyRange) -> Begin {
        // In formats 0h and 1h the fields of formats 2h and 3h are reserved.
        let any = matches!(self.format, CopyFormat::Any | CopyFormat::AnyWideTags);
        let nsid = range.nsid.filter(|_| any).map_or(0, Nsid::get);
        let blocks = u16::try_from(range.blocks.saturating_sub(1)).unwrap_or(u16::MAX);
        Begin {
            snsid: nsid.into(),
            reserved: [0; 4],
            slba: range.slba.into(),
            nlb: blocks.into(),
            reserved_too: [0; 4],
            sopt: if any { range.options } else { 0 }.into(),
        }
    }
}

impl Sealed for CopyBlocks {}

impl Command for CopyBlocks {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, self.ranges.len() * self.format.range_length())?;
        let (cdw10, cdw11) = address(self.destination);
        let sqe = Sqe {
            cdw10,
            cdw11,
            cdw12: self.flags
                | self.write.cdw12()
                | u32::from(self.read.checks_storage()) << 25
                | self.directive.cdw12()
                | self.read.info() << 12
                | self.format.number() << 8
                | super::from_zero(self.ranges.len()),
            cdw13: self.directive.cdw13(),
            ..Sqe::new(0x19)
        };
        Ok(self.write.tagged(sqe))
    }
}

impl DataOut for CopyBlocks {}

impl WithData for CopyBlocks {
    fn data(&self) -> Cow<'_, [u8]> {
        let mut bytes = Vec::with_capacity(self.ranges.len() * self.format.range_length());
        for range in &self.ranges {
            let begin = self.begin(range);
            let (application, mask) = range.protect.application();
            let (elbat, elbatm) = (application.into(), mask.into());
            let tags = range.protect.block_tags();
            if self.format.is_wide() {
                let [_, _, _, _, _, _, tag @ ..] = tags.bits().to_be_bytes();
                let wire = Long {
                    begin,
                    reserved: [0; 2],
                    tag,
                    elbat,
                    elbatm,
                };
                bytes.extend_from_slice(wire.as_bytes());
            } else {
                let (_, _, tag) = tags.dwords();
                let wire = Short {
                    begin,
                    tag: tag.into(),
                    elbat,
                    elbatm,
                };
                bytes.extend_from_slice(wire.as_bytes());
            }
        }
        Cow::Owned(bytes)
    }
}

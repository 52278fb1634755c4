//! Zone Append.

use super::{
    Directive, Protect,
    blocks::{Blocks, FUA, LR},
};
use crate::nvme::{Command, DataOut, LengthMismatch, Lengths, Queue, Sqe, command::sealed::Sealed};

/// Zone Append (7Dh): writes blocks at the write pointer of a zone, wherever it
/// is. Zoned Namespace Command Set 1.1, 3.4.1.
///
/// [`Completion::result`](crate::nvme::Completion::result) is the address of the
/// first block that was written (ALBA). The buffers are those of a
/// [`Write`](super::Write).
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::ZoneAppend};
///
/// let namespace = NvmeNamespace::open_rw("/dev/ng0n1")?;
/// let written = namespace.write(&ZoneAppend::new(0x8000, 8), &[0; 8 * 4096])?;
/// println!("at block {}", written.result());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("nvme_zns_cmd_append", "ALBA", "ZNS"))]
#[must_use]
pub struct ZoneAppend(Blocks);

impl ZoneAppend {
    /// `blocks` blocks, 1 to 65536, to the zone that begins at block `zslba`.
    pub const fn new(zslba: u64, blocks: u32) -> Self {
        Self(Blocks::new(zslba, blocks))
    }

    /// To the medium before it ends, not only to a cache that would be lost
    /// without power (FUA).
    #[doc(alias = "FUA")]
    pub const fn fua(self, fua: bool) -> Self {
        Self(self.0.flag(FUA, fua))
    }

    /// With less effort to recover from errors (LR).
    #[doc(alias = "LR")]
    pub const fn limited_retry(self, limited: bool) -> Self {
        Self(self.0.flag(LR, limited))
    }

    /// What happens to the protection information.
    #[doc(alias = "PRINFO")]
    pub const fn protect(mut self, protect: Protect) -> Self {
        self.0.protect = protect;
        self
    }

    /// The reference tags are those for the zone's first block, and the
    /// controller makes them those of the blocks that are written (PIREMAP).
    #[doc(alias = "PIREMAP")]
    pub const fn remap_protection(self, remap: bool) -> Self {
        Self(self.0.flag(1 << 25, remap))
    }

    /// Where the data goes: to a stream, or by flexible data placement.
    #[doc(alias("DTYPE", "DSPEC"))]
    pub const fn directive(mut self, directive: Directive) -> Self {
        self.0.directive = directive;
        self
    }
}

impl Sealed for ZoneAppend {}

impl Command for ZoneAppend {
    const QUEUE: Queue = Queue::Io;
    const BY_FORMAT: bool = true;

    #[inline(always)] // a ring has it within its own code
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.moving(0x7d, lengths)
    }
}

impl DataOut for ZoneAppend {}

//! Write Zeroes, Write Uncorrectable, Flush: no data is moved.

use super::{
    Protect,
    blocks::{Blocks, FUA, LR, check_length},
};
use crate::nvme::{Command, LengthMismatch, Lengths, NoData, Queue, Sqe, command::sealed::Sealed};

/// Write Zeroes (08h): sets blocks to zeros. NVM Command Set 1.1, 3.3.8.
///
/// ```
/// use passthru::nvme::{Command, Lengths, io::WriteZeroes};
///
/// let sqe = WriteZeroes::new(0x1_0000_0002, 8).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11, sqe.cdw12), (0x08, 2, 1, 7));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[doc(alias = "nvme_cmd_write_zeroes")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct WriteZeroes(Blocks);

impl WriteZeroes {
    /// `blocks` blocks, 1 to 65536, from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self(Blocks::new(slba, blocks))
    }

    /// On the medium before it ends, not only in a cache that would be lost without
    /// power (FUA).
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

    /// The blocks may be deallocated, if they read as zeros then (DEAC).
    #[doc(alias = "DEAC")]
    pub const fn deallocate(self, deallocate: bool) -> Self {
        Self(self.0.flag(1 << 25, deallocate))
    }
}

impl Sealed for WriteZeroes {}

impl Command for WriteZeroes {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.still(0x08, lengths)
    }
}

impl NoData for WriteZeroes {}

/// Write Uncorrectable (04h): marks blocks as bad: reading them fails until they
/// are written. NVM Command Set 1.1, 3.3.7.
///
/// ```
/// use passthru::nvme::{Command, Lengths, io::WriteUncorrectable};
///
/// let sqe = WriteUncorrectable::new(0x1_0000_0002, 8).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11, sqe.cdw12), (0x04, 2, 1, 7));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[doc(alias = "nvme_cmd_write_uncor")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct WriteUncorrectable(Blocks);

impl WriteUncorrectable {
    /// `blocks` blocks, 1 to 65536, from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self(Blocks::new(slba, blocks))
    }
}

impl Sealed for WriteUncorrectable {}

impl Command for WriteUncorrectable {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.still(0x04, lengths)
    }
}

impl NoData for WriteUncorrectable {}

/// Flush (00h): what was written before is on the medium when it ends. NVMe Base
/// 2.1, 7.2.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Flush};
///
/// NvmeNamespace::open_rw("/dev/ng0n1")?.execute(&Flush)?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_cmd_flush")]
pub struct Flush;

impl Sealed for Flush {}

impl Command for Flush {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, 0)?;
        Ok(Sqe::new(0x00))
    }
}

impl NoData for Flush {}

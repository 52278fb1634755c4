//! Verify.

use super::{
    Protect,
    blocks::{Blocks, FUA, LR},
};
use crate::nvme::{Command, LengthMismatch, Lengths, NoData, Queue, Sqe, command::sealed::Sealed};

/// Verify (0Ch): the controller reads blocks and checks them. NVM Command Set 1.1, 3.3.5.
///
/// ```
/// use passthru::nvme::{Command, Lengths, io::Verify};
///
/// let sqe = Verify::new(0x1_0000_0002, 8).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11, sqe.cdw12), (0x0c, 2, 1, 7));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[doc(alias = "nvme_cmd_verify")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Verify(Blocks);

impl Verify {
    /// `blocks` blocks, 1 to 65536, from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self(Blocks::new(slba, blocks))
    }

    /// What is on the medium, not in a cache that would be lost without power (FUA).
    #[doc(alias = "FUA")]
    pub const fn fua(self, fua: bool) -> Self {
        Self(self.0.flag(FUA, fua))
    }

    /// With less effort to recover data (LR).
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
}

impl Sealed for Verify {}

impl Command for Verify {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.still(0x0c, lengths)
    }
}

impl NoData for Verify {}

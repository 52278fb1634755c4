//! Compare.

use super::{
    Protect,
    blocks::{Blocks, FUA, LR},
};
use crate::nvme::{Command, DataOut, LengthMismatch, Lengths, Queue, Sqe, command::sealed::Sealed};

/// Compare (05h): blocks of the namespace with the buffer. That they differ is
/// the status Compare Failure. NVM Command Set 1.1, 3.3.1.
///
/// The buffer's length is what the blocks take by the namespace's format
/// ([`Format::data_len`](crate::nvme::Format::data_len)); separate metadata has
/// a buffer of its own ([`Format::metadata_len`](crate::nvme::Format::metadata_len)).
/// With [`Protect::action`] and metadata that is nothing but protection
/// information, only the blocks' data is moved.
///
/// ```
/// use passthru::nvme::{Command, Format, Lengths, io::Compare};
///
/// let lengths = Lengths { data: 8 * 512, metadata: 0, format: Some(Format::new(512)) };
/// let sqe = Compare::new(0x1_0000_0002, 8).sqe(lengths)?;
/// assert_eq!((sqe.cdw10, sqe.cdw11, sqe.cdw12), (2, 1, 7));
/// assert!(Compare::new(0, 9).sqe(lengths).is_err());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[doc(alias("nvme_cmd_compare"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Compare(Blocks);

impl Compare {
    /// `blocks` blocks, 1 to 65536, from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self(Blocks::new(slba, blocks))
    }

    /// With what is on the medium, not in a cache that would be lost without power (FUA).
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

impl Sealed for Compare {}

impl Command for Compare {
    const QUEUE: Queue = Queue::Io;
    const BY_FORMAT: bool = true;

    #[inline(always)] // a ring has it within its own code
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.moving(0x05, lengths)
    }
}

impl DataOut for Compare {}

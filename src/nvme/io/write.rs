//! Write.

use super::check_blocks;
use crate::nvme::{Command, DataOut, LengthMismatch, Lengths, Queue, Sqe, command::sealed::Sealed};

/// Write (01h): blocks of the namespace. NVM Command Set 1.1, 3.3.6.
///
/// The buffer's length is what the blocks take by the namespace's format
/// ([`Format::data_len`](crate::nvme::Format::data_len)).
///
/// ```
/// use passthru::nvme::{Command, Format, Lengths, io::Write};
///
/// let lengths = Lengths { data: 8 * 512, metadata: 0, format: Some(Format::new(512)) };
/// let sqe = Write::new(0x1_0000_0002, 8).sqe(lengths)?;
/// assert_eq!((sqe.cdw10, sqe.cdw11, sqe.cdw12), (2, 1, 7));
/// assert!(Write::new(0, 9).sqe(lengths).is_err());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Write {
    slba: u64,
    blocks: u32,
    control: u16,
}

impl Write {
    /// `blocks` blocks, 1 to 65536, from block `slba` on.
    pub const fn new(slba: u64, blocks: u32) -> Self {
        Self {
            slba,
            blocks,
            control: 0,
        }
    }

    /// To the medium before it ends, not only to a cache that would be lost without power (FUA).
    #[doc(alias = "FUA")]
    pub const fn fua(mut self, fua: bool) -> Self {
        self.control = self.control & !(1 << 14) | (fua as u16) << 14;
        self
    }

    /// With less effort to recover from errors (LR).
    #[doc(alias = "LR")]
    pub const fn limited_retry(mut self, limited: bool) -> Self {
        self.control = self.control & !(1 << 15) | (limited as u16) << 15;
        self
    }
}

impl Sealed for Write {}

impl Command for Write {
    const QUEUE: Queue = Queue::Io;
    const BY_FORMAT: bool = true;

    #[allow(clippy::cast_possible_truncation)] // halves of the address
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_blocks(lengths, self.blocks, false)?;
        Ok(Sqe {
            cdw10: self.slba as u32,
            cdw11: (self.slba >> 32) as u32,
            cdw12: u32::from(self.control) << 16 | (self.blocks - 1),
            ..Sqe::new(0x01)
        })
    }
}

impl DataOut for Write {}

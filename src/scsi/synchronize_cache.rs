//! SYNCHRONIZE CACHE(10) and (16).

use zerocopy::byteorder::big_endian::{U16, U32, U64};

use super::{
    Cdb, Command, LengthMismatch, NoData,
    block_cdb::{Wire10, Wire16, no_data},
};

/// The IMMED bit of byte 1.
const IMMED: u8 = 0x02;

/// SYNCHRONIZE CACHE(10) (35h, SBC-4 5.33): has the device bring what its
/// volatile cache holds to the medium.
///
/// ```
/// use passthru::scsi::{Command, SynchronizeCache10};
///
/// let flush = SynchronizeCache10::all();
/// assert_eq!(flush.cdb_for(0)?.as_bytes(), [0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("SYNCHRONIZE_CACHE", "flush"))]
pub struct SynchronizeCache10 {
    lba: u32,
    blocks: u16,
    immediate: bool,
}

impl SynchronizeCache10 {
    /// All blocks.
    #[must_use]
    pub const fn all() -> Self {
        Self::new(0, 0)
    }

    /// `blocks` blocks from block `lba` on; all from there on if `blocks` is 0.
    #[must_use]
    pub const fn new(lba: u32, blocks: u16) -> Self {
        Self {
            lba,
            blocks,
            immediate: false,
        }
    }

    /// Whether the command ends when it has been understood, before the blocks
    /// are on the medium (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for SynchronizeCache10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Wire10 {
            opcode: 0x35,
            flags: if self.immediate { IMMED } else { 0 },
            lba: U32::new(self.lba),
            group: 0,
            blocks: U16::new(self.blocks),
            control: 0,
        }
        .into())
    }
}

impl NoData for SynchronizeCache10 {}

/// SYNCHRONIZE CACHE(16) (91h, SBC-4 5.34): as [`SynchronizeCache10`], with any
/// address.
///
/// ```
/// use passthru::scsi::{Command, SynchronizeCache16};
///
/// let flush = SynchronizeCache16::new(1 << 32, 8).immediate(true);
/// assert_eq!(
///     flush.cdb_for(0)?.as_bytes(),
///     [0x91, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("SYNCHRONIZE_CACHE_16", "flush"))]
pub struct SynchronizeCache16 {
    lba: u64,
    blocks: u32,
    immediate: bool,
}

impl SynchronizeCache16 {
    /// All blocks.
    #[must_use]
    pub const fn all() -> Self {
        Self::new(0, 0)
    }

    /// `blocks` blocks from block `lba` on; all from there on if `blocks` is 0.
    #[must_use]
    pub const fn new(lba: u64, blocks: u32) -> Self {
        Self {
            lba,
            blocks,
            immediate: false,
        }
    }

    /// Whether the command ends when it has been understood, before the blocks
    /// are on the medium (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for SynchronizeCache16 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Wire16 {
            opcode: 0x91,
            flags: if self.immediate { IMMED } else { 0 },
            lba: U64::new(self.lba),
            blocks: U32::new(self.blocks),
            group: 0,
            control: 0,
        }
        .into())
    }
}

impl NoData for SynchronizeCache16 {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let short = SynchronizeCache10::new(0x0102_0304, 0x0506).immediate(true);
        assert_eq!(
            short.cdb_for(0).unwrap().as_bytes(),
            [0x35, 0x02, 1, 2, 3, 4, 0, 5, 6, 0]
        );
        let long = SynchronizeCache16::new(0x0102_0304_0506_0708, 0x090a_0b0c);
        assert_eq!(
            long.cdb_for(0).unwrap().as_bytes(),
            [0x91, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0a, 0x0b, 0x0c, 0, 0]
        );
        assert_eq!(
            SynchronizeCache16::all().cdb_for(0).unwrap().as_bytes()[1..],
            [0; 15]
        );
    }

    #[test]
    fn data_is_refused() {
        let refused = Err(LengthMismatch::Exact {
            len: 1,
            expected: 0,
        });
        assert_eq!(SynchronizeCache10::all().cdb_for(1), refused);
        assert_eq!(SynchronizeCache16::all().cdb_for(1), refused);
    }
}

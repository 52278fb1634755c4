//! VERIFY(10) and (16), of the medium alone.

use zerocopy::byteorder::big_endian::{U16, U32, U64};

use super::{
    Cdb, Command, LengthMismatch, NoData,
    block_cdb::{Wire10, Wire16, no_data},
};

/// The DPO bit of byte 1. BYTCHK beside it stays 0: nothing is compared.
const DPO: u8 = 0x10;

/// VERIFY(10) (2Fh, SBC-4 5.36) with BYTCHK 00b: has the device read blocks
/// and check them by what it stores with them; no data is moved.
///
/// ```
/// use passthru::scsi::{Command, Verify10};
///
/// let verify = Verify10::new(0x1000, 8);
/// assert_eq!(verify.cdb_for(0)?.as_bytes(), [0x2f, 0, 0, 0, 0x10, 0, 0, 0, 8, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("VERIFY_10", "BYTCHK"))]
pub struct Verify10 {
    lba: u32,
    blocks: u16,
    dpo: bool,
}

impl Verify10 {
    /// Checks `blocks` blocks from block `lba` on; none if `blocks` is 0.
    #[must_use]
    pub const fn new(lba: u32, blocks: u16) -> Self {
        Self {
            lba,
            blocks,
            dpo: false,
        }
    }

    /// Tells the device that these blocks are not worth a place in its cache
    /// (DPO).
    #[must_use]
    pub const fn dpo(mut self, dpo: bool) -> Self {
        self.dpo = dpo;
        self
    }
}

impl Command for Verify10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Wire10 {
            opcode: 0x2f,
            flags: if self.dpo { DPO } else { 0 },
            lba: U32::new(self.lba),
            group: 0,
            blocks: U16::new(self.blocks),
            control: 0,
        }
        .into())
    }
}

impl NoData for Verify10 {}

/// VERIFY(16) (8Fh, SBC-4 5.38) with BYTCHK 00b: as [`Verify10`], with any
/// address.
///
/// ```
/// use passthru::scsi::{Command, Verify16};
///
/// let verify = Verify16::new(1 << 32, 8);
/// assert_eq!(
///     verify.cdb_for(0)?.as_bytes(),
///     [0x8f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("VERIFY_16", "BYTCHK"))]
pub struct Verify16 {
    lba: u64,
    blocks: u32,
    dpo: bool,
}

impl Verify16 {
    /// Checks `blocks` blocks from block `lba` on; none if `blocks` is 0.
    #[must_use]
    pub const fn new(lba: u64, blocks: u32) -> Self {
        Self {
            lba,
            blocks,
            dpo: false,
        }
    }

    /// Tells the device that these blocks are not worth a place in its cache
    /// (DPO).
    #[must_use]
    pub const fn dpo(mut self, dpo: bool) -> Self {
        self.dpo = dpo;
        self
    }
}

impl Command for Verify16 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Wire16 {
            opcode: 0x8f,
            flags: if self.dpo { DPO } else { 0 },
            lba: U64::new(self.lba),
            blocks: U32::new(self.blocks),
            group: 0,
            control: 0,
        }
        .into())
    }
}

impl NoData for Verify16 {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let short = Verify10::new(0x0102_0304, 0x0506).dpo(true);
        assert_eq!(
            short.cdb_for(0).unwrap().as_bytes(),
            [0x2f, 0x10, 1, 2, 3, 4, 0, 5, 6, 0]
        );
        let long = Verify16::new(0x0102_0304_0506_0708, 0x090a_0b0c).dpo(true);
        assert_eq!(
            long.cdb_for(0).unwrap().as_bytes(),
            [
                0x8f, 0x10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0x0a, 0x0b, 0x0c, 0, 0
            ]
        );
    }

    #[test]
    fn data_is_refused() {
        let refused = Err(LengthMismatch::Exact {
            len: 512,
            expected: 0,
        });
        assert_eq!(Verify10::new(0, 1).cdb_for(512), refused);
        assert_eq!(Verify16::new(0, 1).cdb_for(512), refused);
    }
}

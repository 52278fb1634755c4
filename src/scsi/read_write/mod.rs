//! READ and WRITE, with 10- and 16-byte CDBs.

mod fields;
mod read;
mod write;

pub use fields::{DurationLimit, GroupNumber, Protect};
pub use read::{Read10, Read16};
pub use write::{Write10, Write16};

use super::{
    Cdb, Command, DataIn, DataOut, LengthMismatch,
    block_cdb::{Wire10, Wire16},
};

/// What the four commands have in common, apart from address and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Options {
    protect: Protect,
    dpo: bool,
    fua: bool,
    group: GroupNumber,
    control: u8,
    /// Bytes transferred for each block; 0 if the caller has not said.
    block_length: u32,
}

impl Options {
    const NONE: Self = Self {
        protect: Protect::NONE,
        dpo: false,
        fua: false,
        group: GroupNumber::NONE,
        control: 0,
        block_length: 0,
    };

    /// Byte 1 of the CDB.
    fn flags(&self) -> u8 {
        self.protect.get() << 5 | u8::from(self.dpo) << 4 | u8::from(self.fua) << 3
    }

    /// Whether a buffer of `len` bytes can hold `blocks` blocks and nothing
    /// else.
    fn check(&self, blocks: u32, len: usize) -> Result<(), LengthMismatch> {
        if blocks == 0 || self.block_length != 0 {
            // At most 2^32 - 1 squared: no overflow.
            let expected = u64::from(blocks) * u64::from(self.block_length);
            return if u64::try_from(len) == Ok(expected) {
                Ok(())
            } else {
                Err(LengthMismatch::Exact { len, expected })
            };
        }
        let mismatch = LengthMismatch::Blocks { len, blocks };
        let divisor = usize::try_from(blocks).map_err(|_| mismatch)?;
        if len % divisor == 0 && len / divisor >= SMALLEST_BLOCK {
            Ok(())
        } else {
            Err(mismatch)
        }
    }
}

/// The shortest block that is taken for one unless the caller gives its length:
/// devices with blocks of 256 bytes exist, but a buffer that is half as long as
/// it should be is more common.
const SMALLEST_BLOCK: usize = 512;

#[cfg(test)]
mod tests;

//! The fields that all commands on a range of blocks have.

use super::{Directive, Hints, Protect};
use crate::nvme::{LengthMismatch, Lengths, Sqe};

/// How many blocks a command names at most: the field is 16 bits wide and
/// counts from 0.
pub(super) const MOST_BLOCKS: u32 = 65536;

/// A range of blocks and the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    slba: u64,
    blocks: u32,
    /// The bits of CDW12 above the count that no other field sets.
    flags: u32,
    pub(super) hints: Hints,
    pub(super) directive: Directive,
    pub(super) protect: Protect,
}

/// Limited retry.
pub(super) const LR: u32 = 1 << 31;
/// Force unit access.
pub(super) const FUA: u32 = 1 << 30;

impl Blocks {
    pub(super) const fn new(slba: u64, blocks: u32) -> Self {
        Self {
            slba,
            blocks,
            flags: 0,
            hints: Hints::NONE,
            directive: Directive::NONE,
            protect: Protect::NONE,
        }
    }

    pub(super) const fn flag(mut self, flag: u32, on: bool) -> Self {
        self.flags = if on {
            self.flags | flag
        } else {
            self.flags & !flag
        };
        self
    }

    /// The entry of a command that moves the blocks.
    #[inline(always)]
    pub(super) fn moving(&self, opcode: u8, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_blocks(lengths, self.blocks, self.protect.acts())?;
        Ok(self.entry(opcode))
    }

    /// The entry of a command that moves nothing.
    pub(super) fn still(&self, opcode: u8, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_count(self.blocks)?;
        check_length(lengths, 0)?;
        Ok(self.entry(opcode))
    }

    #[inline(always)]
    fn entry(&self, opcode: u8) -> Sqe {
        let (cdw10, cdw11) = address(self.slba);
        self.protect.tagged(Sqe {
            cdw10,
            cdw11,
            cdw12: self.flags
                | self.protect.cdw12()
                | self.directive.cdw12()
                | self.blocks.saturating_sub(1),
            cdw13: self.directive.cdw13() | u32::from(self.hints.bits()),
            ..Sqe::new(opcode)
        })
    }
}

/// The halves of an address, as CDW10 and CDW11 have them.
#[allow(clippy::cast_possible_truncation)] // halves
pub(super) const fn address(lba: u64) -> (u32, u32) {
    (lba as u32, (lba >> 32) as u32)
}

fn check_count(blocks: u32) -> Result<(), LengthMismatch> {
    if (1..=MOST_BLOCKS).contains(&blocks) {
        Ok(())
    } else {
        Err(LengthMismatch::Blocks { blocks })
    }
}

/// Checks the buffers of a command that moves exactly `bytes`, no metadata.
pub(super) fn check_length(lengths: Lengths, bytes: usize) -> Result<(), LengthMismatch> {
    if lengths.data != bytes {
        return Err(LengthMismatch::Data {
            len: lengths.data,
            expected: bytes as u64,
        });
    }
    check_no_metadata(lengths)
}

pub(super) fn check_no_metadata(lengths: Lengths) -> Result<(), LengthMismatch> {
    if lengths.metadata == 0 {
        Ok(())
    } else {
        Err(LengthMismatch::Metadata {
            len: lengths.metadata,
            expected: 0,
        })
    }
}

/// The field for the length of a command that is told how many dwords to return
/// (counted from 0), for a buffer of at least `min` bytes.
pub(super) fn dwords(lengths: Lengths, min: usize) -> Result<u32, LengthMismatch> {
    let len = lengths.data;
    if len < min.max(4) {
        return Err(LengthMismatch::TooShort {
            len,
            min: min.max(4),
        });
    }
    if len % 4 != 0 {
        return Err(LengthMismatch::Unit { len, unit: 4 });
    }
    check_no_metadata(lengths)?;
    u32::try_from(len / 4 - 1).map_err(|_| LengthMismatch::TooLong {
        len,
        max: usize::try_from(u64::from(u32::MAX) * 4 + 4).unwrap_or(usize::MAX),
    })
}

/// Checks the buffers of a command that moves `blocks` blocks. `without_metadata`:
/// the controller makes and checks the metadata itself (PRACT).
#[inline(always)]
fn check_blocks(
    lengths: Lengths,
    blocks: u32,
    without_metadata: bool,
) -> Result<(), LengthMismatch> {
    check_count(blocks)?;
    let format = lengths.format.ok_or(LengthMismatch::NoFormat)?;
    let (mut data, mut metadata) = (format.data_len(blocks), format.metadata_len(blocks));
    if without_metadata && format.is_pure_protection() {
        (data, metadata) = (format.metadata(0, false).data_len(blocks), 0);
    }
    if lengths.data as u64 != data {
        return Err(LengthMismatch::Data {
            len: lengths.data,
            expected: data,
        });
    }
    if lengths.metadata as u64 != metadata {
        return Err(LengthMismatch::Metadata {
            len: lengths.metadata,
            expected: metadata,
        });
    }
    Ok(())
}

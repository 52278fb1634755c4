//! A transfer that is too large for one command, in pieces.

use core::iter::FusedIterator;

use super::blocks::MOST_BLOCKS;
use crate::nvme::Format;

/// The commands for a transfer of `blocks` blocks from `slba` on, of which none
/// moves more than `max_transfer` bytes of data (a single block always counts as
/// small enough) or 65536 blocks.
///
/// ```
/// use passthru::nvme::{Format, io::{Piece, split}};
///
/// let pieces: Vec<_> = split(100, 20, &Format::new(4096), 32768).collect();
/// assert_eq!(pieces[0], Piece { slba: 100, blocks: 8 });
/// assert_eq!(pieces[2], Piece { slba: 116, blocks: 4 });
/// ```
pub fn split(slba: u64, blocks: u64, format: &Format, max_transfer: usize) -> Split {
    let block = format.data_len(1).max(1);
    let most = (max_transfer as u64 / block).clamp(1, u64::from(MOST_BLOCKS));
    Split {
        slba,
        left: blocks,
        most: u32::try_from(most).unwrap_or(MOST_BLOCKS),
    }
}

/// What one command of a [`split`] transfer moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its first block.
    pub slba: u64,
    /// How many blocks, 1 to 65536.
    pub blocks: u32,
}

/// The pieces of a [`split`] transfer, in order.
#[derive(Clone, Debug)]
#[must_use]
pub struct Split {
    slba: u64,
    left: u64,
    most: u32,
}

impl Iterator for Split {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.left == 0 {
            return None;
        }
        let blocks = u32::try_from(self.left).map_or(self.most, |left| left.min(self.most));
        let piece = Piece {
            slba: self.slba,
            blocks,
        };
        self.left -= u64::from(blocks);
        // An address beyond 64 bits stays at the end, which no namespace has,
        // and does not begin again at block 0.
        self.slba = self.slba.saturating_add(u64::from(blocks));
        Some(piece)
    }
}

impl FusedIterator for Split {}

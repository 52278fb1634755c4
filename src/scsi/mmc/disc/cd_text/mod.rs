//! CD-TEXT (format 5 of READ TOC/PMA/ATIP): titles and names in the lead-in of
//! an audio CD.

mod assemble;
mod block;
mod codes;
mod fault;
mod pack;
mod sizes;

pub use assemble::CdTextString;
pub use block::{CdTextBlock, CdTextGenre};
pub use codes::{CdTextCharacters, CdTextLanguage, GenreCode, PackType};
pub use fault::CdTextFault;
pub use pack::CdTextPack;
pub use sizes::CdTextSizes;

use super::{LengthLie, SizedReply, crc, wire};

/// The header of the reply, in bytes.
const HEADER: usize = 4;

/// The length of a pack in bytes.
const PACK: usize = 18;

/// The CD-TEXT of a disc (format 0101b; MMC-3 annex J, and the Red Book).
///
/// It is made of [packs](CdTextPack) of 18 bytes with a checksum each, in up to
/// eight [blocks](CdTextBlock), one for a language. A text goes over packs, and a
/// pack has the texts of several tracks.
///
/// Nothing that a pack says is believed: packs with a wrong checksum are left
/// out, and with them the texts that they had a part of; what has no track from
/// 0 to 99 is left out; all of that is in [`faults`](Self::faults).
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{PackType, ReadToc}};
///
/// let mut reply = vec![0x00, 0x14, 0, 0];
/// reply.extend([0x80, 0x00, 0x00, 0x00]); // titles, from the album's on
/// reply.extend(b"Album\0One\0\0\0");
/// reply.extend([0x3a, 0x7b]); // the checksum
/// let text = ReadToc::cd_text().parse(ReplyBytes::borrowed(&reply))?;
///
/// let block = text.blocks().remove(0);
/// assert_eq!(block.text(PackType::TITLE, 0).unwrap().to_string(), "Album");
/// assert_eq!(block.text(PackType::TITLE, 1).unwrap().to_string(), "One");
/// assert_eq!(block.text(PackType::TITLE, 2), None);
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("CD-Text", "cdtext"))]
pub struct CdText<'a> {
    reply: SizedReply<'a>,
    ignore_crc: bool,
}

impl<'a> CdText<'a> {
    pub(super) const fn new(reply: SizedReply<'a>) -> Self {
        Self {
            reply,
            ignore_crc: false,
        }
    }

    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.reply
    }

    /// Whether packs with a wrong checksum count as well, for drives that put
    /// something else in its place. Without this they do not.
    #[must_use]
    pub fn ignore_crc(mut self, yes: bool) -> Self {
        self.ignore_crc = yes;
        self
    }

    /// All whole packs in the drive's order, also those with a wrong checksum.
    pub fn packs(&self) -> impl Iterator<Item = CdTextPack> + '_ {
        self.reply
            .list(HEADER)
            .chunks_exact(PACK)
            .filter_map(|pack| Some(CdTextPack::new(wire::array(pack, 0)?)))
    }

    /// The packs that count, each once.
    fn good_packs(&self) -> Vec<CdTextPack> {
        let mut seen = [[false; 256]; 8];
        let mut once = |pack: &CdTextPack| {
            let slot = seen
                .get_mut(usize::from(pack.block()))
                .and_then(|block| block.get_mut(usize::from(pack.sequence())));
            slot.is_some_and(|slot| !core::mem::replace(slot, true))
        };
        self.packs()
            .filter(|pack| self.ignore_crc || pack.crc_matches())
            .filter(|pack| once(pack))
            .collect()
    }

    /// The blocks that have packs, in ascending order: block 0 is the disc's
    /// first language.
    #[must_use]
    pub fn blocks(&self) -> Vec<CdTextBlock> {
        let packs = self.good_packs();
        (0..8)
            .filter_map(|number| CdTextBlock::of(number, &packs))
            .collect()
    }

    /// All that is wrong with it.
    #[must_use]
    pub fn faults(&self) -> Vec<CdTextFault> {
        fault::faults(self)
    }
}

#[cfg(test)]
mod tests;

//! The packs of a block that say what is in it.

use super::{CdTextCharacters, CdTextLanguage, CdTextPack, PackType};

/// The size information of a block: 36 bytes in three packs of type 8Fh. A
/// getter gives `None` if the pack with the field is not there. What it says is
/// what the maker of the disc has counted, not what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CdTextSizes([Option<[u8; 12]>; 3]);

impl CdTextSizes {
    /// Takes what is in these packs, which are of one block.
    pub(super) fn of<'p>(packs: impl Iterator<Item = &'p CdTextPack>) -> Option<Self> {
        let mut parts = [None; 3];
        for pack in packs.filter(|pack| pack.pack_type() == PackType::SIZES) {
            if let Some(part) = parts.get_mut(usize::from(pack.track())) {
                part.get_or_insert(pack.data());
            }
        }
        parts.iter().any(Option::is_some).then_some(Self(parts))
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        let part: &[u8; 12] = self.0.get(offset / 12)?.as_ref()?;
        part.get(offset % 12).copied()
    }

    /// The characters of the texts of types 80h to 85h.
    #[must_use]
    pub fn characters(&self) -> Option<CdTextCharacters> {
        self.byte(0).map(CdTextCharacters)
    }

    /// The number of the first track.
    #[must_use]
    pub fn first_track(&self) -> Option<u8> {
        self.byte(1)
    }

    /// The number of the last track.
    #[must_use]
    pub fn last_track(&self) -> Option<u8> {
        self.byte(2)
    }

    /// Byte 3: bit 7 says that there is CD-TEXT in the program area too, the
    /// lower ones are flags of the copyright.
    #[must_use]
    pub fn copyright(&self) -> Option<u8> {
        self.byte(3)
    }

    /// How many packs of this type the block has.
    #[must_use]
    pub fn packs(&self, kind: PackType) -> Option<u8> {
        kind.is_known()
            .then(|| self.byte(4 + usize::from(kind.0 & 0x0f)))
            .flatten()
    }

    /// The last sequence number of a block, 0 to 7; 0 if there is no such block.
    #[must_use]
    pub fn last_sequence(&self, block: u8) -> Option<u8> {
        (block < 8)
            .then(|| self.byte(20 + usize::from(block)))
            .flatten()
    }

    /// The language of a block, 0 to 7.
    #[must_use]
    pub fn language(&self, block: u8) -> Option<CdTextLanguage> {
        (block < 8)
            .then(|| self.byte(28 + usize::from(block)))
            .flatten()
            .map(CdTextLanguage)
    }
}

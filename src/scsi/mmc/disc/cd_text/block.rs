//! One language of CD-TEXT.

use super::{
    CdTextCharacters, CdTextLanguage, CdTextPack, CdTextSizes, CdTextString, GenreCode, PackType,
    assemble,
};

/// The genre of an album.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CdTextGenre {
    /// Its number.
    pub code: GenreCode,
    /// What the maker of the disc says of it; often empty.
    pub text: CdTextString,
}

/// One block of CD-TEXT, which is in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CdTextBlock {
    number: u8,
    packs: Vec<CdTextPack>,
    sizes: Option<CdTextSizes>,
    language: Option<CdTextLanguage>,
}

impl CdTextBlock {
    /// The block of this number, if there are packs of it.
    pub(super) fn of(number: u8, all: &[CdTextPack]) -> Option<Self> {
        let own = || all.iter().filter(|pack| pack.block() == number);
        let sizes = CdTextSizes::of(own());
        // Every block says the languages of all.
        let language = |sizes: &CdTextSizes| sizes.language(number);
        let other = || {
            (0..8).find_map(|block| {
                let packs = all.iter().filter(|pack| pack.block() == block);
                CdTextSizes::of(packs).as_ref().and_then(language)
            })
        };
        let packs: Vec<_> = own().copied().collect();
        (!packs.is_empty()).then(|| Self {
            number,
            packs,
            sizes,
            language: sizes.as_ref().and_then(language).or_else(other),
        })
    }

    /// Its number, 0 to 7.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// Its packs, in the drive's order: those whose checksum is right, and none
    /// twice.
    #[must_use]
    pub fn packs(&self) -> &[CdTextPack] {
        &self.packs
    }

    /// Its size information, if it has any.
    #[must_use]
    pub const fn sizes(&self) -> Option<&CdTextSizes> {
        self.sizes.as_ref()
    }

    /// Its language; from the size information of another block if it has none
    /// itself.
    #[must_use]
    pub const fn language(&self) -> Option<CdTextLanguage> {
        self.language
    }

    /// The characters of its texts. Without size information it is a guess:
    /// MS-JIS if they have two bytes, and otherwise ISO 8859-1.
    #[must_use]
    pub fn characters(&self) -> CdTextCharacters {
        let said = self.sizes.as_ref().and_then(CdTextSizes::characters);
        said.unwrap_or_else(|| {
            let double = self
                .packs
                .iter()
                .any(|pack| pack.pack_type().is_text() && pack.is_double_byte());
            if double {
                CdTextCharacters::MS_JIS
            } else {
                CdTextCharacters::ISO_8859_1
            }
        })
    }

    /// The characters of this type of packs, some of which do not go by the
    /// block's.
    fn characters_of(&self, kind: PackType) -> CdTextCharacters {
        match kind {
            PackType::DISC_ID | PackType::GENRE => CdTextCharacters::ASCII,
            PackType::CLOSED | PackType::CODES => CdTextCharacters::ISO_8859_1,
            _ => self.characters(),
        }
    }

    /// The texts of a type, ascending by track as on the disc, track 0 being the
    /// album. There is none for a track with an empty text or without a text, and
    /// none for types whose data is no text.
    #[must_use]
    pub fn texts(&self, kind: PackType) -> Vec<CdTextString> {
        if !kind.is_text() {
            return Vec::new();
        }
        assemble::strings(&self.packs, kind, self.characters_of(kind))
    }

    /// The text of a type for a track, 0 being the album. To have those of all
    /// tracks, [`texts`](Self::texts) reads the packs once.
    #[must_use]
    pub fn text(&self, kind: PackType, track: u8) -> Option<CdTextString> {
        self.texts(kind)
            .into_iter()
            .find(|text| text.track() == track)
    }

    /// The genre of the album.
    #[must_use]
    pub fn genre(&self) -> Option<CdTextGenre> {
        let mut packs = self
            .packs
            .iter()
            .filter(|pack| pack.pack_type() == PackType::GENRE);
        let [high, low, text @ ..] = packs.next()?.data();
        let mut bytes = text.to_vec();
        for pack in packs {
            let data = pack.data();
            // Some repeat the number.
            bytes.extend(data.strip_prefix(&[high, low]).unwrap_or(&data));
        }
        let end = bytes.iter().position(|byte| *byte == 0);
        bytes.truncate(end.unwrap_or(bytes.len()));
        Some(CdTextGenre {
            code: GenreCode(u16::from_be_bytes([high, low])),
            text: CdTextString::new(
                0,
                bytes,
                false,
                end.is_some(),
                self.characters_of(PackType::GENRE),
            ),
        })
    }
}

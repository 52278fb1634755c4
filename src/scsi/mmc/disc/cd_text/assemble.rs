//! Texts, put together from packs.

use core::fmt;

use super::{CdTextCharacters, CdTextPack, PackType};
use crate::scsi::Text;

/// One text of CD-TEXT.
///
/// [`Display`](fmt::Display) escapes control characters, so that a disc cannot
/// steer a terminal; what is in a character set that this crate does not know
/// is shown as its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CdTextString {
    track: u8,
    bytes: Vec<u8>,
    double_byte: bool,
    complete: bool,
    characters: CdTextCharacters,
}

impl CdTextString {
    pub(super) const fn new(
        track: u8,
        bytes: Vec<u8>,
        double_byte: bool,
        complete: bool,
        characters: CdTextCharacters,
    ) -> Self {
        Self {
            track,
            bytes,
            double_byte,
            complete,
            characters,
        }
    }

    /// The track, 0 for the album.
    #[must_use]
    pub const fn track(&self) -> u8 {
        self.track
    }

    /// The bytes, without the NUL at their end.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the packs said that a character has two bytes.
    #[must_use]
    pub const fn is_double_byte(&self) -> bool {
        self.double_byte
    }

    /// Whether its end was there. If not, a pack is missing, and what there is
    /// is its beginning.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The characters that the bytes are.
    #[must_use]
    pub const fn characters(&self) -> CdTextCharacters {
        self.characters
    }

    /// The text, if it is in ISO 8859-1 or ASCII; those in MS-JIS, Korean or
    /// Chinese are for a library that knows them. What is no ASCII there becomes
    /// `U+FFFD`. Control characters are still in it.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        if self.double_byte {
            return None;
        }
        let ascii = match self.characters {
            CdTextCharacters::ISO_8859_1 => false,
            CdTextCharacters::ASCII => true,
            _ => return None,
        };
        let letter = |byte: &u8| match *byte {
            0x80.. if ascii => char::REPLACEMENT_CHARACTER,
            byte => char::from(byte),
        };
        Some(self.bytes.iter().map(letter).collect())
    }

    /// Whether it is the tab that stands for the text of the track before.
    fn is_repeat(&self) -> bool {
        let tab: &[u8] = if self.double_byte { b"\t\t" } else { b"\t" };
        self.bytes == tab
    }
}

impl fmt::Display for CdTextString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.to_text() {
            return fmt::Display::fmt(&Text::new(text.as_bytes()), f);
        }
        for (index, byte) in self.bytes.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{byte:02x}")?;
        }
        Ok(())
    }
}

/// The texts of a type, from the packs of one block.
pub(super) fn strings(
    packs: &[CdTextPack],
    kind: PackType,
    characters: CdTextCharacters,
) -> Vec<CdTextString> {
    let mut assembly = Assembly {
        done: Vec::new(),
        open: None,
        characters,
    };
    let mut expected = 0;
    for pack in packs {
        let gap = pack.sequence() != expected;
        expected = pack.sequence().wrapping_add(1);
        if pack.pack_type() == kind {
            assembly.add(pack, gap);
        } else if gap {
            // A pack of this type may have been lost.
            assembly.close(false);
        }
    }
    assembly.close(false);
    assembly.done
}

struct Assembly {
    done: Vec<CdTextString>,
    open: Option<CdTextString>,
    characters: CdTextCharacters,
}

impl Assembly {
    /// Takes the characters of a pack; `gap` says that the pack before it is
    /// missing.
    fn add(&mut self, pack: &CdTextPack, gap: bool) {
        let mut track = pack.track();
        if pack.is_extended() || track > 99 {
            self.close(false);
            return;
        }
        let goes_on = !gap && self.open.as_ref().is_some_and(|text| text.track == track);
        if !goes_on {
            self.close(false);
        }
        // The end of a text whose beginning was lost.
        let mut skip = gap && pack.character_position() != 0;
        let width = if pack.is_double_byte() { 2 } else { 1 };
        for character in pack.data().chunks_exact(width) {
            if character.iter().all(|byte| *byte == 0) {
                if !skip {
                    self.close(true);
                }
                skip = false;
                track += 1;
                if track > 99 {
                    return;
                }
            } else if !skip {
                self.open
                    .get_or_insert_with(|| {
                        let double = width == 2;
                        CdTextString::new(track, Vec::new(), double, false, self.characters)
                    })
                    .bytes
                    .extend_from_slice(character);
            }
        }
    }

    /// Ends the text that is being put together, if there is one.
    fn close(&mut self, complete: bool) {
        let Some(mut text) = self.open.take() else {
            return;
        };
        text.complete = complete;
        if text.is_repeat() {
            let before = self
                .done
                .iter()
                .rfind(|before| before.track.checked_add(1) == Some(text.track));
            match before {
                Some(before) if text.track > 1 => {
                    text.bytes.clone_from(&before.bytes);
                    text.complete &= before.complete;
                }
                // The same as nothing.
                _ => return,
            }
        }
        self.done.push(text);
    }
}

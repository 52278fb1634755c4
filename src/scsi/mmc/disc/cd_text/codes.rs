//! Numbers in CD-TEXT that have names.

use core::fmt;

/// What the data of a pack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackType(pub u8);

impl PackType {
    /// 80h: the title of the album or the track.
    pub const TITLE: Self = Self(0x80);
    /// 81h: performers.
    pub const PERFORMER: Self = Self(0x81);
    /// 82h: songwriters.
    pub const SONGWRITER: Self = Self(0x82);
    /// 83h: composers.
    pub const COMPOSER: Self = Self(0x83);
    /// 84h: arrangers.
    pub const ARRANGER: Self = Self(0x84);
    /// 85h: a message.
    pub const MESSAGE: Self = Self(0x85);
    /// 86h: the catalog number of the album.
    pub const DISC_ID: Self = Self(0x86);
    /// 87h: the genre, a number and a text.
    pub const GENRE: Self = Self(0x87);
    /// 88h: the table of contents, binary.
    pub const TOC: Self = Self(0x88);
    /// 89h: intervals of tracks to be played in a presentation, binary.
    pub const SECOND_TOC: Self = Self(0x89);
    /// 8Dh: what is not for the public.
    pub const CLOSED: Self = Self(0x8d);
    /// 8Eh: the UPC or EAN of the album, and the ISRC of tracks.
    #[doc(alias("UPC", "EAN", "ISRC"))]
    pub const CODES: Self = Self(0x8e);
    /// 8Fh: sizes, languages and characters of the block, binary.
    pub const SIZES: Self = Self(0x8f);

    /// Whether such packs hold texts that each end with a NUL. (A genre is a
    /// number before its text.)
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self.0, 0x80..=0x86 | 0x8d | 0x8e)
    }

    /// Whether it is one of the sixteen types, 80h to 8Fh.
    #[must_use]
    pub const fn is_known(self) -> bool {
        matches!(self.0, 0x80..=0x8f)
    }

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::TITLE => "title",
            Self::PERFORMER => "performer",
            Self::SONGWRITER => "songwriter",
            Self::COMPOSER => "composer",
            Self::ARRANGER => "arranger",
            Self::MESSAGE => "message",
            Self::DISC_ID => "disc identification",
            Self::GENRE => "genre",
            Self::TOC => "table of contents",
            Self::SECOND_TOC => "second table of contents",
            Self::CLOSED => "closed information",
            Self::CODES => "UPC/EAN or ISRC",
            Self::SIZES => "sizes",
            _ => return None,
        })
    }
}

impl fmt::Display for PackType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "pack type {:02x}h", self.0),
        }
    }
}

/// The characters of a block's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "charcode")]
pub struct CdTextCharacters(pub u8);

impl CdTextCharacters {
    /// 00h: ISO 8859-1. The Red Book changes a few of them.
    pub const ISO_8859_1: Self = Self(0x00);
    /// 01h: ASCII (ISO 646), 7 bits.
    pub const ASCII: Self = Self(0x01);
    /// 80h: MS-JIS, two bytes for a character.
    #[doc(alias("Shift JIS", "CP932"))]
    pub const MS_JIS: Self = Self(0x80);
    /// 81h: Korean.
    pub const KOREAN: Self = Self(0x81);
    /// 82h: Mandarin Chinese.
    pub const CHINESE: Self = Self(0x82);

    /// The name, for the sets that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::ISO_8859_1 => "ISO 8859-1",
            Self::ASCII => "ASCII",
            Self::MS_JIS => "MS-JIS",
            Self::KOREAN => "Korean",
            Self::CHINESE => "Mandarin Chinese",
            _ => return None,
        })
    }
}

impl fmt::Display for CdTextCharacters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "character code {:02x}h", self.0),
        }
    }
}

/// The language of a block (EBU Tech 3264 appendix 3).
///
/// ```
/// use passthru::scsi::mmc::CdTextLanguage;
///
/// assert_eq!(CdTextLanguage(0x09).to_string(), "English");
/// assert_eq!(CdTextLanguage(0x30).to_string(), "language 30h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CdTextLanguage(pub u8);

impl CdTextLanguage {
    /// 00h: not said.
    pub const UNKNOWN: Self = Self(0x00);
    /// 08h.
    pub const GERMAN: Self = Self(0x08);
    /// 09h.
    pub const ENGLISH: Self = Self(0x09);
    /// 0Fh.
    pub const FRENCH: Self = Self(0x0f);
    /// 69h.
    pub const JAPANESE: Self = Self(0x69);

    /// The name, for the codes that have one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self.0 {
            0x00..=0x2b => EUROPEAN.get(usize::from(self.0)).copied(),
            0x45..=0x7f => OTHER.get(usize::from(self.0) - 0x45).copied(),
            _ => None,
        }
    }
}

impl fmt::Display for CdTextLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "language {:02x}h", self.0),
        }
    }
}

/// From 00h on.
#[rustfmt::skip]
const EUROPEAN: [&str; 0x2c] = [
    "unknown", "Albanian", "Breton", "Catalan", "Croatian", "Welsh", "Czech", "Danish",
    "German", "English", "Spanish", "Esperanto", "Estonian", "Basque", "Faroese", "French",
    "Frisian", "Irish", "Gaelic", "Galician", "Icelandic", "Italian", "Lappish", "Latin",
    "Latvian", "Luxembourgian", "Lithuanian", "Hungarian", "Maltese", "Dutch", "Norwegian",
    "Occitan",
    "Polish", "Portuguese", "Romanian", "Romansh", "Serbian", "Slovak", "Slovenian", "Finnish",
    "Swedish", "Turkish", "Flemish", "Walloon",
];

/// From 45h on.
#[rustfmt::skip]
const OTHER: [&str; 0x3b] = [
    "Zulu", "Vietnamese", "Uzbek", "Urdu", "Ukrainian", "Thai", "Telugu", "Tatar", "Tamil",
    "Tajik", "Swahili",
    "Sranan Tongo", "Somali", "Sinhalese", "Shona", "Serbo-Croatian", "Ruthenian", "Russian",
    "Quechua", "Pashto", "Punjabi", "Persian", "Papiamento", "Oriya", "Nepali", "Ndebele",
    "Marathi",
    "Moldavian", "Malay", "Malagasy", "Macedonian", "Lao", "Korean", "Khmer", "Kazakh",
    "Kannada", "Japanese", "Indonesian", "Hindi", "Hebrew", "Hausa", "Gurani", "Gujarati",
    "Greek", "Georgian", "Fulani", "Dari", "Chuvash", "Chinese", "Burmese", "Bulgarian",
    "Bengali", "Belarusian", "Bambara", "Azerbaijani", "Assamese", "Armenian", "Arabic",
    "Amharic",
];

/// The genre of an album.
///
/// ```
/// use passthru::scsi::mmc::GenreCode;
///
/// assert_eq!(GenreCode(0x000e).to_string(), "jazz");
/// assert_eq!(GenreCode(0x1234).to_string(), "genre 1234h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GenreCode(pub u16);

impl GenreCode {
    /// The name, for the codes that have one.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        GENRES.get(usize::from(self.0)).copied()
    }
}

impl fmt::Display for GenreCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "genre {:04x}h", self.0),
        }
    }
}

#[rustfmt::skip]
const GENRES: [&str; 0x1c] = [
    "not used", "not defined", "adult contemporary", "alternative rock", "children's music",
    "classical", "contemporary Christian", "country", "dance", "easy listening", "erotic",
    "folk", "gospel", "hip hop", "jazz", "Latin",
    "musical", "new age", "opera", "operetta", "pop", "rap", "reggae", "rock",
    "rhythm and blues", "sound effects", "spoken word", "world music",
];

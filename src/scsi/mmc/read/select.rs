//! What READ CD can ask for, and which parts of a sector lie side by side.

use core::fmt;

use super::SectorRequestError;

/// The kind of sectors that are expected (MMC-5 6.20, EXPECTED SECTOR TYPE).
/// With another one in the range the command ends with 05/64/00, ILLEGAL MODE
/// FOR THIS TRACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "EXPECTED SECTOR TYPE")]
pub enum SectorType {
    /// 0: whatever is there.
    #[default]
    Any,
    /// 1: audio, 2352 bytes of it.
    #[doc(alias = "CD-DA")]
    CdDa,
    /// 2: mode 1, 2048 bytes of user data with EDC and ECC.
    Mode1,
    /// 3: mode 2 without form, 2336 bytes of user data.
    Mode2Formless,
    /// 4: mode 2 form 1 (XA), 2048 bytes of user data with EDC and ECC.
    #[doc(alias = "Mode2Form1")]
    Form1,
    /// 5: mode 2 form 2 (XA), 2324 bytes of user data and 4 of EDC, which
    /// READ CD counts as user data.
    #[doc(alias = "Mode2Form2")]
    Form2,
}

impl SectorType {
    /// Every kind that a sector can have.
    pub(super) const REAL: [Self; 5] = [
        Self::CdDa,
        Self::Mode1,
        Self::Mode2Formless,
        Self::Form1,
        Self::Form2,
    ];

    /// The value of the field.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Any => 0,
            Self::CdDa => 1,
            Self::Mode1 => 2,
            Self::Mode2Formless => 3,
            Self::Form1 => 4,
            Self::Form2 => 5,
        }
    }
}

impl fmt::Display for SectorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Any => "any",
            Self::CdDa => "CD-DA",
            Self::Mode1 => "mode 1",
            Self::Mode2Formless => "mode 2 formless",
            Self::Form1 => "mode 2 form 1",
            Self::Form2 => "mode 2 form 2",
        })
    }
}

/// Which parts of a sector's main channel are wanted: bits 7 to 3 of byte 9.
///
/// ```
/// use passthru::scsi::mmc::MainChannel;
///
/// assert_eq!(MainChannel::RAW.bits(), 0xf8);
/// let parts = MainChannel::USER_DATA.header(true).subheader(true);
/// assert_eq!(parts.bits(), 0x70);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[doc(alias = "Main Channel Selection Bits")]
pub struct MainChannel(u8);

const SYNC: u8 = 0x80;
const SUBHEADER: u8 = 0x40;
const HEADER: u8 = 0x20;
const USER_DATA: u8 = 0x10;
const EDC_ECC: u8 = 0x08;

impl MainChannel {
    /// Nothing of the main channel.
    pub const NONE: Self = Self(0);
    /// User data alone (10h): all of an audio sector.
    pub const USER_DATA: Self = Self(USER_DATA);
    /// Everything (F8h): 2352 bytes of every kind of sector.
    pub const RAW: Self = Self(SYNC | SUBHEADER | HEADER | USER_DATA | EDC_ECC);

    /// The selection with these bits of byte 9; other bits are not taken over.
    #[must_use]
    pub const fn from_bits(byte: u8) -> Self {
        Self(byte & Self::RAW.0)
    }

    /// The bits as they are in byte 9.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    const fn with(self, bit: u8, on: bool) -> Self {
        Self(if on { self.0 | bit } else { self.0 & !bit })
    }

    /// Whether any of these bits is selected.
    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// The 12 bytes of sync.
    #[must_use]
    pub const fn sync(self, on: bool) -> Self {
        self.with(SYNC, on)
    }

    /// The 4 bytes of header: address and mode.
    #[must_use]
    #[doc(alias = "Header Codes")]
    pub const fn header(self, on: bool) -> Self {
        self.with(HEADER, on)
    }

    /// The 8 bytes of subheader of mode 2 form 1 and 2.
    #[must_use]
    #[doc(alias = "Header Codes")]
    pub const fn subheader(self, on: bool) -> Self {
        self.with(SUBHEADER, on)
    }

    /// The user data.
    #[must_use]
    pub const fn user_data(self, on: bool) -> Self {
        self.with(USER_DATA, on)
    }

    /// EDC and ECC: 288 bytes of mode 1, 280 of form 1.
    #[must_use]
    pub const fn edc_ecc(self, on: bool) -> Self {
        self.with(EDC_ECC, on)
    }

    /// How long the parts are in the order in which they come: sync, header,
    /// subheader, user data, EDC and ECC. `sector` is not `Any`.
    pub(super) fn lengths(self, sector: SectorType) -> Result<[u16; 5], SectorRequestError> {
        let whole: [u16; 5] = match sector {
            // An audio sector has nothing but user data, so there is nothing to
            // choose. Without the user data bit drives differ.
            SectorType::CdDa => [0, 0, 0, 2352, 0],
            SectorType::Mode1 => [12, 4, 0, 2048, 288],
            SectorType::Mode2Formless => [12, 4, 0, 2336, 0],
            SectorType::Form1 => [12, 4, 8, 2048, 280],
            SectorType::Form2 => [12, 4, 8, 2328, 0],
            SectorType::Any => return Err(SectorRequestError::DependsOnSector { main: self }),
        };
        if self == Self::NONE {
            return Ok([0; 5]);
        }
        let hole = SectorRequestError::NotContiguous { main: self, sector };
        let has_subheader = matches!(sector, SectorType::Form1 | SectorType::Form2);
        let header_without_subheader = self.has(HEADER) && !self.has(SUBHEADER);
        if self.has(EDC_ECC) && !self.has(USER_DATA)
            || self.has(SYNC) && !self.has(HEADER)
            || has_subheader && self.has(USER_DATA) && header_without_subheader
        {
            return Err(hole);
        }
        let differs = match sector {
            SectorType::CdDa => !self.has(USER_DATA),
            SectorType::Mode1 | SectorType::Mode2Formless => {
                self.has(SUBHEADER) && !self.has(USER_DATA)
            }
            _ => false,
        };
        if differs {
            return Err(SectorRequestError::Undefined { main: self, sector });
        }
        let mut lengths = whole;
        let bits = [SYNC, HEADER, SUBHEADER, USER_DATA, EDC_ECC];
        for (length, bit) in lengths.iter_mut().zip(bits) {
            if !self.has(bit) {
                *length = 0;
            }
        }
        Ok(lengths)
    }
}

impl fmt::Debug for MainChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MainChannel({:02x}h)", self.0)
    }
}

/// Which C2 error information is wanted: for each byte of the main channel, as
/// 2352 bytes, whether the drive could not correct it.
///
/// Many drives know only one of the two forms, and some claim C2 (mode page
/// 2Ah) and send zeros. Ask, and look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("C2 Error Information", "Error Field"))]
pub enum C2 {
    /// 00b: none.
    #[default]
    None,
    /// 01b: 294 bytes, one bit for each byte of the main channel.
    Pointers294,
    /// 10b: 296 bytes, the same with a block error byte and a pad byte.
    Block296,
}

impl C2 {
    /// How many bytes it adds to each sector.
    #[must_use]
    pub const fn length(self) -> u16 {
        match self {
            Self::None => 0,
            Self::Pointers294 => 294,
            Self::Block296 => 296,
        }
    }

    /// As bits 2 and 1 of byte 9.
    pub(super) const fn bits(self) -> u8 {
        match self {
            Self::None => 0x00,
            Self::Pointers294 => 0x02,
            Self::Block296 => 0x04,
        }
    }
}

/// Which subchannels are wanted: byte 10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "Sub-channel Selection")]
pub enum SubChannels {
    /// 000b: none.
    #[default]
    None,
    /// 001b: all of them, P to W, 96 bytes as they are on the disc.
    #[doc(alias = "P-W")]
    Raw96,
    /// 010b: Q, formatted, 16 bytes.
    Q16,
    /// 100b: R to W, 96 bytes, de-interleaved and corrected.
    #[doc(alias = "R-W")]
    Rw96,
}

impl SubChannels {
    /// How many bytes it adds to each sector.
    #[must_use]
    pub const fn length(self) -> u16 {
        match self {
            Self::None => 0,
            Self::Q16 => 16,
            Self::Raw96 | Self::Rw96 => 96,
        }
    }

    /// The value of the field.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Raw96 => 1,
            Self::Q16 => 2,
            Self::Rw96 => 4,
        }
    }
}

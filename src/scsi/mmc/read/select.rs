//! What READ CD can ask for, and which combinations mean something.

use core::fmt;

use super::SectorLayout;

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
    const REAL: [Self; 5] = [
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
    fn lengths(self, sector: SectorType) -> Result<[u16; 5], SectorRequestError> {
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

/// Why a [`SectorRequest`] has no layout. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SectorRequestError {
    /// The parts do not lie side by side in a sector of this type: a drive
    /// refuses them (05/24/00).
    #[error("the parts of {main:?} do not lie side by side in a {sector} sector")]
    NotContiguous {
        /// What was selected.
        main: MainChannel,
        /// The type of sector.
        sector: SectorType,
    },
    /// What is selected is not there in a sector of this type, and drives do
    /// not agree on what they send instead.
    #[error("a {sector} sector has not what {main:?} selects, and drives differ in what they send")]
    Undefined {
        /// What was selected.
        main: MainChannel,
        /// The type of sector.
        sector: SectorType,
    },
    /// With any type of sector the length depends on what is on the disc: name
    /// the type, take [`MainChannel::RAW`], or say what it is by
    /// [`SectorRequest::layout_for`].
    #[error("how long {main:?} is depends on the sector: name its type")]
    DependsOnSector {
        /// What was selected.
        main: MainChannel,
    },
    /// The end of a range lies before its start.
    #[error("the range ends before it starts")]
    EndBeforeStart,
}

/// Which parts of each sector READ CD shall return.
///
/// ```
/// use passthru::scsi::mmc::{C2, MainChannel, SectorRequest, SectorType, SubChannels};
///
/// let scan = SectorRequest::new(SectorType::Any, MainChannel::RAW)
///     .c2(C2::Pointers294)
///     .sub_channels(SubChannels::Raw96);
/// assert_eq!(scan.layout()?.sector_length(), 2742);
///
/// let data = SectorRequest::new(SectorType::Mode1, MainChannel::USER_DATA);
/// assert_eq!(data.layout()?.sector_length(), 2048);
///
/// // A header and user data, but not the subheader between them.
/// let hole = MainChannel::USER_DATA.header(true);
/// assert!(SectorRequest::new(SectorType::Form1, hole).layout().is_err());
/// # Ok::<(), passthru::scsi::mmc::SectorRequestError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SectorRequest {
    pub(super) sector: SectorType,
    pub(super) main: MainChannel,
    pub(super) c2: C2,
    pub(super) sub: SubChannels,
}

impl SectorRequest {
    /// These parts of the main channel; no C2, no subchannel.
    #[must_use]
    pub const fn new(sector: SectorType, main: MainChannel) -> Self {
        Self {
            sector,
            main,
            c2: C2::None,
            sub: SubChannels::None,
        }
    }

    /// With C2 error information.
    #[must_use]
    pub const fn c2(mut self, c2: C2) -> Self {
        self.c2 = c2;
        self
    }

    /// With subchannels.
    #[must_use]
    pub const fn sub_channels(mut self, sub: SubChannels) -> Self {
        self.sub = sub;
        self
    }

    /// How each sector arrives, in the order of the specification.
    ///
    /// | of the main channel | CD-DA | mode 1 | formless | form 1 | form 2 |
    /// |---|---|---|---|---|---|
    /// | 00h nothing | 0 | 0 | 0 | 0 | 0 |
    /// | 10h user data | 2352 | 2048 | 2336 | 2048 | 2328 |
    /// | 18h with EDC and ECC | 2352 | 2336 | 2336 | 2328 | 2328 |
    /// | 20h header | - | 4 | 4 | 4 | 4 |
    /// | 30h header, user data | 2352 | 2052 | 2340 | - | - |
    /// | 38h with EDC and ECC | 2352 | 2340 | 2340 | - | - |
    /// | 40h subheader | - | - | - | 8 | 8 |
    /// | 50h subheader, user data | 2352 | 2048 | 2336 | 2056 | 2336 |
    /// | 58h with EDC and ECC | 2352 | 2336 | 2336 | 2336 | 2336 |
    /// | 60h both headers | - | - | - | 12 | 12 |
    /// | 70h both headers, user data | 2352 | 2052 | 2340 | 2060 | 2340 |
    /// | 78h with EDC and ECC | 2352 | 2340 | 2340 | 2340 | 2340 |
    /// | A0h sync, header | - | 16 | 16 | 16 | 16 |
    /// | B0h sync, header, user data | 2352 | 2064 | 2352 | - | - |
    /// | B8h with EDC and ECC | 2352 | 2352 | 2352 | - | - |
    /// | E0h sync, both headers | - | - | - | 24 | 24 |
    /// | F0h sync, both headers, user data | 2352 | 2064 | 2352 | 2072 | 2352 |
    /// | F8h everything | 2352 | 2352 | 2352 | 2352 | 2352 |
    ///
    /// For [`SectorType::Any`] there is a layout if all types agree.
    ///
    /// # Errors
    /// [`SectorRequestError`] if the drive would refuse the selection, or if
    /// its length is not known. For a drive that is known to differ there is
    /// [`ReadCd::with_layout`](super::ReadCd::with_layout).
    pub fn layout(&self) -> Result<SectorLayout, SectorRequestError> {
        self.layout_for(self.sector)
    }

    /// How sectors of type `actual` arrive, whichever type the request names.
    ///
    /// # Errors
    /// As [`layout`](Self::layout).
    pub fn layout_for(&self, actual: SectorType) -> Result<SectorLayout, SectorRequestError> {
        let parts = match actual {
            SectorType::Any => self.agreed()?,
            sector => self.main.lengths(sector)?,
        };
        Ok(SectorLayout::of_parts(parts, self.c2, self.sub))
    }

    /// The length for any type of sector, if all are equally long. Where the
    /// parts lie depends on the sector all the same, so all is user data.
    fn agreed(&self) -> Result<[u16; 5], SectorRequestError> {
        let all = SectorType::REAL.map(|sector| {
            let parts = self.main.lengths(sector)?;
            Ok(parts.iter().sum::<u16>())
        });
        let [first, ..] = all;
        if all.iter().all(|length| *length == first) {
            return Ok([0, 0, 0, first?, 0]);
        }
        if all.iter().any(Result::is_ok) {
            return Err(SectorRequestError::DependsOnSector { main: self.main });
        }
        Err(SectorRequestError::NotContiguous {
            main: self.main,
            sector: SectorType::Any,
        })
    }

    /// Byte 9 of the CDB.
    pub(super) const fn main_bits(&self) -> u8 {
        self.main.0 | self.c2.bits()
    }
}

//! Where something is on a CD: LBA, MSF, track numbers, and BCD, in which a CD
//! stores its times.

use core::fmt;

/// The address of a sector: signed, for what lies before the first sector of
/// the program area has negative addresses.
///
/// | what | LBA |
/// |---|---|
/// | lead-in (of the first session) | -45150 to -151 |
/// | pregap of the first track | -150 to -1 |
/// | program area | from 0 on |
///
/// ```
/// use passthru::scsi::mmc::{Lba, Msf};
///
/// assert_eq!(Lba(0).to_msf(), Msf::new(0, 2, 0));
/// assert_eq!(Lba(-20_149).to_msf().unwrap().to_string(), "95:33:26");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("logical block address", "sector number"))]
pub struct Lba(pub i32);

impl Lba {
    /// The first address that READ CD can name: 90:00:00 in the lead-in.
    pub const FIRST: Self = Self(-45_150);

    /// The time code of this address (MMC-6 table of LBA and MSF); `None` below
    /// [`FIRST`](Self::FIRST) and above 404,849, which is 89:59:74.
    ///
    /// Addresses below -150 have the time codes 90:00:00 to 99:59:74, which
    /// count up to 00:00:00.
    #[must_use]
    pub fn to_msf(self) -> Option<Msf> {
        let offset = match self.0 {
            -45_150..=-151 => 450_150,
            -150..=404_849 => 150,
            _ => return None,
        };
        Msf::from_frames(u32::try_from(self.0 + offset).ok()?)
    }

    /// The address so many sectors behind this one; `None` beyond the last that
    /// there can be, `i32::MAX`.
    ///
    /// ```
    /// use passthru::scsi::mmc::Lba;
    ///
    /// assert_eq!(Lba(-150).checked_add(150), Some(Lba(0)));
    /// assert_eq!(Lba(i32::MAX).checked_add(1), None);
    /// ```
    #[must_use]
    pub const fn checked_add(self, sectors: u32) -> Option<Self> {
        match self.0.checked_add_unsigned(sectors) {
            Some(lba) => Some(Self(lba)),
            None => None,
        }
    }

    /// How many sectors there are from this one up to, but not with, `end`; 0 if
    /// that is not behind it.
    ///
    /// ```
    /// use passthru::scsi::mmc::Lba;
    ///
    /// assert_eq!(Lba(-2).sectors_to(Lba(3)), 5);
    /// assert_eq!(Lba(3).sectors_to(Lba(3)), 0);
    /// assert_eq!(Lba(3).sectors_to(Lba(-2)), 0);
    /// ```
    #[must_use]
    pub const fn sectors_to(self, end: Self) -> u32 {
        if end.0 > self.0 {
            end.0.abs_diff(self.0)
        } else {
            0
        }
    }
}

impl From<i32> for Lba {
    fn from(lba: i32) -> Self {
        Self(lba)
    }
}

impl fmt::Display for Lba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A time code: minutes (0 to 99), seconds (0 to 59) and frames (0 to 74), as
/// plain numbers. A frame is a sector, 1/75 s.
///
/// A CDB has it in binary, a CD in [`Bcd`]: [`from_bcd`](Self::from_bcd) and
/// [`new`](Self::new) read the one and the other.
///
/// ```
/// use passthru::scsi::mmc::{Lba, Msf};
///
/// let time = Msf::new(6, 39, 72).unwrap();
/// assert_eq!(time.to_lba(), Lba(29_847));
/// assert_eq!(Msf::from_bcd([0x06, 0x39, 0x72]), Some(time));
/// assert_eq!(Msf::new(6, 39, 75), None);
/// assert_eq!(Msf::new(90, 0, 0).unwrap().to_lba(), Lba(-45_150));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("minute second frame", "time code"))]
pub struct Msf {
    minute: u8,
    second: u8,
    frame: u8,
}

impl Msf {
    /// The time code with these numbers; `None` if one is too large.
    #[must_use]
    pub const fn new(minute: u8, second: u8, frame: u8) -> Option<Self> {
        if minute <= 99 && second <= 59 && frame <= 74 {
            Some(Self {
                minute,
                second,
                frame,
            })
        } else {
            None
        }
    }

    /// The time code in three bytes of BCD, as Q subchannel and sector header
    /// have it; `None` if they are none.
    #[must_use]
    pub fn from_bcd(bytes: [u8; 3]) -> Option<Self> {
        let [minute, second, frame] = bytes.map(Bcd::new);
        Self::new(minute?.get(), second?.get(), frame?.get())
    }

    /// The time code in three bytes of plain numbers, as replies have it;
    /// `None` if they are none.
    #[must_use]
    pub const fn from_binary(bytes: [u8; 3]) -> Option<Self> {
        let [minute, second, frame] = bytes;
        Self::new(minute, second, frame)
    }

    /// The time that so many frames take; `None` from 100 minutes on.
    #[must_use]
    pub fn from_frames(frames: u32) -> Option<Self> {
        Self::new(
            u8::try_from(frames / (60 * 75)).ok()?,
            u8::try_from(frames / 75 % 60).ok()?,
            u8::try_from(frames % 75).ok()?,
        )
    }

    /// The minutes, 0 to 99.
    #[must_use]
    pub const fn minute(self) -> u8 {
        self.minute
    }

    /// The seconds, 0 to 59.
    #[must_use]
    pub const fn second(self) -> u8 {
        self.second
    }

    /// The frames, 0 to 74.
    #[must_use]
    pub const fn frame(self) -> u8 {
        self.frame
    }

    /// As three bytes of plain numbers.
    #[must_use]
    pub const fn to_binary(self) -> [u8; 3] {
        [self.minute, self.second, self.frame]
    }

    /// As three bytes of BCD.
    #[must_use]
    pub const fn to_bcd(self) -> [u8; 3] {
        // All three are below 100.
        [
            bcd_byte(self.minute),
            bcd_byte(self.second),
            bcd_byte(self.frame),
        ]
    }

    /// The time in frames, from 00:00:00 on: 0 to 449,999.
    #[must_use]
    pub fn frames(self) -> u32 {
        (u32::from(self.minute) * 60 + u32::from(self.second)) * 75 + u32::from(self.frame)
    }

    /// The address: 00:02:00 is 0, and from 90:00:00 on it is an address in the
    /// lead-in, -45150 to -151 (MMC-6 table of LBA and MSF).
    #[must_use]
    pub fn to_lba(self) -> Lba {
        let lba = self.to_program_lba();
        if self.minute >= 90 {
            Lba(lba.0 - 450_000)
        } else {
            lba
        }
    }

    /// The address if this is known to be a place in the program area, on a
    /// disc that is longer than 90 minutes too.
    #[must_use]
    pub fn to_program_lba(self) -> Lba {
        let seconds = i32::from(self.minute) * 60 + i32::from(self.second);
        Lba(seconds * 75 + i32::from(self.frame) - 150)
    }
}

impl fmt::Display for Msf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}:{:02}", self.minute, self.second, self.frame)
    }
}

/// Two decimal digits in a byte, one in each half: 47h is 47.
///
/// ```
/// use passthru::scsi::mmc::Bcd;
///
/// assert_eq!(Bcd::new(0x47).unwrap().get(), 47);
/// assert_eq!(Bcd::from_binary(47).unwrap().byte(), 0x47);
/// assert_eq!(Bcd::new(0x4a), None);
/// assert_eq!(Bcd::from_binary(100), None);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "binary coded decimal")]
pub struct Bcd(u8);

/// The BCD byte of a number below 100.
const fn bcd_byte(number: u8) -> u8 {
    ((number / 10) << 4) | (number % 10)
}

impl Bcd {
    /// The number in this byte; `None` if one of its halves is no digit.
    #[must_use]
    pub const fn new(byte: u8) -> Option<Self> {
        if byte >> 4 <= 9 && byte & 0x0f <= 9 {
            Some(Self(byte))
        } else {
            None
        }
    }

    /// This number; `None` above 99.
    #[must_use]
    pub const fn from_binary(number: u8) -> Option<Self> {
        if number <= 99 {
            Some(Self(bcd_byte(number)))
        } else {
            None
        }
    }

    /// The number, 0 to 99.
    #[must_use]
    pub const fn get(self) -> u8 {
        (self.0 >> 4) * 10 + (self.0 & 0x0f)
    }

    /// The byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Bcd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}", self.0)
    }
}

impl fmt::Debug for Bcd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bcd({self})")
    }
}

/// A track number as a plain number: 1 to 99, or one of the areas around the
/// tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("TNO", "TRACK NUMBER"))]
pub struct TrackNumber(pub u8);

impl TrackNumber {
    /// 0: the lead-in.
    pub const LEAD_IN: Self = Self(0);
    /// `AAh`: the lead-out. On the disc it is `AAh` as well, although that is no
    /// BCD.
    pub const LEAD_OUT: Self = Self(0xaa);

    /// The number in a byte of a Q subchannel; `None` if it is neither BCD nor
    /// `AAh`.
    #[must_use]
    pub const fn from_bcd(byte: u8) -> Option<Self> {
        match (byte, Bcd::new(byte)) {
            (0xaa, _) => Some(Self::LEAD_OUT),
            (_, Some(number)) => Some(Self(number.get())),
            (_, None) => None,
        }
    }

    /// Whether it is that of a track, 1 to 99.
    #[must_use]
    pub const fn is_track(self) -> bool {
        matches!(self.0, 1..=99)
    }
}

impl fmt::Display for TrackNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::LEAD_IN => f.pad("lead-in"),
            Self::LEAD_OUT => f.pad("lead-out"),
            Self(number) => fmt::Display::fmt(&number, f),
        }
    }
}

#[cfg(test)]
mod tests;

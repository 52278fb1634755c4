//! How drives write numbers.

use super::{Bcd, Msf};

/// How a drive writes the numbers of a Q subchannel, and of the entries of a table of
/// contents that come from one.
///
/// On a CD they are BCD. In tables of contents the standard has them in binary, and some
/// drives hand out the BCD of the disc; in formatted Q it is the other way around.
/// [`FullToc::guess_encoding`](super::FullToc::guess_encoding) and
/// [`SubQ::numbers`](super::SubQ::numbers) may know which they are.
///
/// ```
/// use passthru::scsi::mmc::{Msf, NumberEncoding};
///
/// assert_eq!(NumberEncoding::Bcd.number(0x27), Some(27));
/// assert_eq!(NumberEncoding::Binary.number(0x27), Some(39));
/// assert_eq!(NumberEncoding::Bcd.time([0x06, 0x39, 0x72]), Msf::new(6, 39, 72));
/// assert_eq!(NumberEncoding::Binary.time([6, 39, 75]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberEncoding {
    /// As on the disc: 27h is 27.
    Bcd,
    /// Plain: 1Bh is 27.
    Binary,
}

impl NumberEncoding {
    /// The number in a byte; `None` for what is no BCD.
    #[must_use]
    pub fn number(self, byte: u8) -> Option<u8> {
        match self {
            Self::Bcd => Bcd::new(byte).map(Bcd::get),
            Self::Binary => Some(byte),
        }
    }

    /// The time in minute, second and frame; `None` if they are none.
    #[must_use]
    pub fn time(self, bytes: [u8; 3]) -> Option<Msf> {
        match self {
            Self::Bcd => Msf::from_bcd(bytes),
            Self::Binary => Msf::from_binary(bytes),
        }
    }
}

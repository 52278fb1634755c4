//! What a Q subchannel says.

use core::fmt;

use super::{Bcd, Msf, NumberEncoding, SubQ, TrackNumber};
use crate::scsi::wire;

/// What the bytes of a Q subchannel mean, by ADR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QData {
    /// ADR 1 in a track or in the lead-out: where this sector is.
    Position(QPosition),
    /// ADR 1 in the lead-in: an entry of the table of contents.
    LeadIn(QLeadIn),
    /// ADR 2: the catalogue number of the disc; `None` if it has no 13 digits.
    Mcn(Option<Mcn>),
    /// ADR 3: the ISRC of the track; `None` if it is none.
    Isrc(Option<Isrc>),
    /// ADR 5 in the lead-in: about further sessions and skipped tracks.
    MultiSession(QLeadIn),
    /// Another ADR.
    Other(u8),
}

/// A position in a Q subchannel. What is no number of its kind is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct QPosition {
    /// The track; `AAh` for the lead-out.
    pub track: Option<TrackNumber>,
    /// The index: 0 in the pause before a track, where `relative` counts down.
    pub index: Option<u8>,
    /// The time in the track.
    pub relative: Option<Msf>,
    /// The time on the disc, which is 00:02:00 at LBA 0.
    pub absolute: Option<Msf>,
}

impl QPosition {
    /// Whether all of it makes sense.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.track.is_some()
            && self.index.is_some()
            && self.relative.is_some()
            && self.absolute.is_some()
    }
}

/// An entry in the Q subchannel of a lead-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct QLeadIn {
    /// What the entry is about (POINT), as it is there: a track number, or A0h
    /// to A2h, B0h to C0h.
    pub point: u8,
    /// The running time in the lead-in, as it is there.
    pub running: [u8; 3],
    /// What is said about the point (PMIN, PSEC, PFRAME), as it is there: for a
    /// track its start.
    pub value: [u8; 3],
}

/// A media catalogue number: 13 digits, as on a bar code. Zeros mean none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("UPC", "EAN", "Media Catalog Number"))]
pub struct Mcn([u8; 13]);

impl Mcn {
    /// From its digits in ASCII; `None` if one is none.
    ///
    /// ```
    /// use passthru::scsi::mmc::Mcn;
    ///
    /// assert_eq!(Mcn::new(*b"4006408123456").unwrap().to_string(), "4006408123456");
    /// assert_eq!(Mcn::new(*b"40064081234 6"), None);
    /// ```
    #[must_use]
    pub fn new(ascii: [u8; 13]) -> Option<Self> {
        ascii.iter().all(u8::is_ascii_digit).then_some(Self(ascii))
    }

    /// From the 13 halves of bytes 1 to 7 of a Q subchannel.
    fn from_q(bytes: [u8; 7]) -> Option<Self> {
        let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 0x0f]);
        let mut digits = [0; 13];
        for (digit, half) in digits.iter_mut().zip(halves) {
            *digit = decimal(half)?;
        }
        Some(Self(digits))
    }

    /// The same in ASCII.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 13] {
        &self.0
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Digits are ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for Mcn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Mcn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mcn({self})")
    }
}

/// An International Standard Recording Code: five letters or digits for country
/// and owner, seven digits for year and serial number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "ISRC")]
pub struct Isrc([u8; 12]);

impl Isrc {
    /// From its characters in ASCII; `None` if one does not belong there.
    ///
    /// ```
    /// use passthru::scsi::mmc::Isrc;
    ///
    /// assert_eq!(Isrc::new(*b"DEA120300001").unwrap().to_string(), "DEA120300001");
    /// assert_eq!(Isrc::new(*b"DEA12030000A"), None);
    /// ```
    #[must_use]
    pub fn new(ascii: [u8; 12]) -> Option<Self> {
        let (letters, digits) = ascii.split_at_checked(5)?;
        let fits = letters
            .iter()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
            && digits.iter().all(u8::is_ascii_digit);
        fits.then_some(Self(ascii))
    }

    /// From bytes 1 to 8 of a Q subchannel: five characters of 6 bits, 2 bits,
    /// seven digits of 4 bits, 4 bits.
    fn from_q(bytes: [u8; 8]) -> Option<Self> {
        let bits = u64::from_be_bytes(bytes);
        let mut code = [0; 12];
        let (letters, digits) = code.split_at_mut_checked(5)?;
        for (letter, shift) in letters.iter_mut().zip([58, 52, 46, 40, 34]) {
            // 0 to 9, and 17 to 42 for A to Z: ASCII less 48.
            *letter = match low_bits(bits >> shift, 0x3f) {
                value @ (0..=9 | 17..=42) => value + b'0',
                _ => return None,
            };
        }
        for (digit, shift) in digits.iter_mut().zip([28, 24, 20, 16, 12, 8, 4]) {
            *digit = decimal(low_bits(bits >> shift, 0x0f))?;
        }
        Some(Self(code))
    }

    /// The same in ASCII.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 12] {
        &self.0
    }

    /// The twelve letters and digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The lowest byte of `bits`, masked.
fn low_bits(bits: u64, mask: u8) -> u8 {
    let [low, ..] = bits.to_le_bytes();
    low & mask
}

/// The ASCII digit of a number below 10.
fn decimal(number: u8) -> Option<u8> {
    (number < 10).then_some(number.wrapping_add(b'0'))
}

impl fmt::Display for Isrc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Isrc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Isrc({self})")
    }
}

impl SubQ {
    /// What it says, with its numbers read as `numbers`.
    /// [`SubQ::numbers`] may know which they are.
    #[must_use]
    pub fn data(&self, numbers: NumberEncoding) -> QData {
        let &[_, track, point, a, b, c, _, d, e, f, _, _] = self.as_bytes();
        let lead_in = QLeadIn {
            point,
            running: [a, b, c],
            value: [d, e, f],
        };
        match self.adr() {
            1 if track == 0 => QData::LeadIn(lead_in),
            1 => QData::Position(QPosition {
                track: match numbers {
                    NumberEncoding::Bcd => TrackNumber::from_bcd(track),
                    NumberEncoding::Binary => {
                        let number = TrackNumber(track);
                        (number.is_track() || number == TrackNumber::LEAD_OUT).then_some(number)
                    }
                },
                index: match numbers {
                    NumberEncoding::Bcd => Bcd::new(point).map(Bcd::get),
                    NumberEncoding::Binary => (point <= 99).then_some(point),
                },
                relative: numbers.time([a, b, c]),
                absolute: numbers.time([d, e, f]),
            }),
            2 => QData::Mcn(wire::array(self.as_bytes(), 1).and_then(Mcn::from_q)),
            3 => QData::Isrc(wire::array(self.as_bytes(), 1).and_then(Isrc::from_q)),
            5 => QData::MultiSession(lead_in),
            other => QData::Other(other),
        }
    }

    /// The frame of the sector in its second, 0 to 74, which a catalogue number
    /// and an ISRC leave of the position (AFRAME).
    #[must_use]
    #[doc(alias = "AFRAME")]
    pub fn absolute_frame(&self, numbers: NumberEncoding) -> Option<u8> {
        let &[.., frame, _, _] = self.as_bytes();
        Some(numbers.time([0, 0, frame])?.frame())
    }
}

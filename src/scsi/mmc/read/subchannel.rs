//! Subchannels: taking Q out of the raw bytes, and whether its CRC is right.

use core::fmt;

use super::{Bcd, NumberEncoding, TrackControl};
use crate::scsi::{Malformed, mmc::crc::crc16, wire};

/// The 96 bytes of raw subchannels of a sector: in each byte bit 7 belongs to
/// P, bit 6 to Q, and so on to bit 0, W.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("P-W", "subcode"))]
pub struct RawSubChannels<'a>(&'a [u8; 96]);

impl<'a> RawSubChannels<'a> {
    /// The first 96 of these bytes; `None` if there are fewer.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.first_chunk().map(Self)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8; 96] {
        self.0
    }

    /// The 96 bits of one subchannel: `bit` is 7 for P, 6 for Q, 0 for W;
    /// `None` above 7.
    #[must_use]
    pub fn channel(&self, bit: u8) -> Option<[u8; 12]> {
        (bit < 8).then(|| self.gather(bit))
    }

    /// Bit `bit` (below 8) of all bytes.
    fn gather(&self, bit: u8) -> [u8; 12] {
        let mut gathered = [0; 12];
        for (byte, eight) in gathered.iter_mut().zip(self.0.chunks_exact(8)) {
            *byte = eight
                .iter()
                .fold(0, |byte, raw| byte << 1 | (raw >> bit & 1));
        }
        gathered
    }

    /// The Q subchannel.
    #[must_use]
    pub fn q(&self) -> SubQ {
        SubQ::new(self.gather(6))
    }
}

/// What a Q subchannel's CRC says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QCrc {
    /// It fits.
    Valid,
    /// It does not fit: a read error, or a copy protection.
    Invalid {
        /// What is there.
        stored: u16,
        /// What would fit.
        computed: u16,
    },
    /// It is zero, which would not fit: drives leave it out of formatted Q.
    Absent,
}

/// The Q subchannel of a sector: 12 bytes, the last two of them a CRC (ECMA-130
/// 22.3, MMC-6 4.2.3.4).
///
/// What it says is in [`data`](Self::data). The subchannel has no error
/// correction: look at [`crc`](Self::crc) first.
///
/// ```
/// use passthru::scsi::mmc::{Msf, QCrc, QData, NumberEncoding, SubQ, TrackNumber};
///
/// let bytes = [0x41, 0x01, 0x01, 0x06, 0x37, 0x72, 0x00, 0x06, 0x39, 0x72, 0x02, 0xc5];
/// let q = SubQ::new(bytes);
/// assert_eq!(q.crc(), QCrc::Valid);
/// assert!(q.control().is_data());
/// let QData::Position(position) = q.data(NumberEncoding::Bcd) else { panic!() };
/// assert_eq!(position.track, Some(TrackNumber(1)));
/// assert_eq!(position.absolute, Msf::new(6, 39, 72));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias("Q sub-channel", "subcode Q"))]
pub struct SubQ {
    bytes: [u8; 12],
    p: Option<bool>,
}

impl SubQ {
    /// The Q subchannel in these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 12]) -> Self {
        Self { bytes, p: None }
    }

    /// Reads 12 bytes, or the 16 of formatted Q ([`SubChannels::Q16`]).
    ///
    /// [`SubChannels::Q16`]: super::SubChannels::Q16
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 12.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let q = *bytes.first_chunk().ok_or(Malformed::Short {
            need: 12,
            got: bytes.len(),
        })?;
        Ok(Self {
            bytes: q,
            p: wire::flag(bytes, 15, 0x80),
        })
    }

    /// The 12 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 12] {
        &self.bytes
    }

    /// The P subchannel beside it, which is set before a track starts; only in
    /// the 16 bytes of formatted Q.
    #[must_use]
    pub const fn p(&self) -> Option<bool> {
        self.p
    }

    /// The control bits: audio or data, copying permitted.
    #[must_use]
    #[doc(alias = "CONTROL")]
    pub const fn control(&self) -> TrackControl {
        TrackControl(self.bytes[0] >> 4)
    }

    /// What the other bytes are (ADR): 1 a position, 2 a catalogue number, 3 an
    /// ISRC, 5 a lead-in of several sessions.
    #[must_use]
    #[doc(alias("ADR", "q-Mode"))]
    pub const fn adr(&self) -> u8 {
        self.bytes[0] & 0x0f
    }

    /// Whether the CRC fits the bytes as they are.
    #[must_use]
    pub const fn crc(&self) -> QCrc {
        let [data @ .., high, low] = &self.bytes;
        let stored = u16::from_be_bytes([*high, *low]);
        let computed = crc16(data);
        if stored == computed {
            QCrc::Valid
        } else if stored == 0 {
            QCrc::Absent
        } else {
            QCrc::Invalid { stored, computed }
        }
    }

    /// Which numbers the CRC proves: a drive that turned them into plain ones
    /// may have left the CRC as it is on the disc. `None` if it proves nothing.
    ///
    /// [`NumberEncoding::Bcd`] if both would do, for then it is the same.
    #[must_use]
    pub fn numbers(&self) -> Option<NumberEncoding> {
        if self.crc() == QCrc::Valid {
            return Some(NumberEncoding::Bcd);
        }
        (self.with_bcd().crc() == QCrc::Valid).then_some(NumberEncoding::Binary)
    }

    /// The same with its plain numbers turned into BCD.
    fn with_bcd(mut self) -> Self {
        let offsets: &[usize] = match self.adr() {
            2 | 3 => &[9],
            _ => &[1, 2, 3, 4, 5, 7, 8, 9],
        };
        for &offset in offsets {
            if let Some(byte) = self.bytes.get_mut(offset) {
                // AAh and the points A0h to A2h are no numbers.
                *byte = Bcd::from_binary(*byte).map_or(*byte, Bcd::byte);
            }
        }
        self
    }
}

impl fmt::Debug for SubQ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubQ")
            .field("control", &self.control())
            .field("data", &self.data(NumberEncoding::Bcd))
            .field("crc", &self.crc())
            .finish()
    }
}

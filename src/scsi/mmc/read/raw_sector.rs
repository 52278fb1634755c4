//! The main channel of a whole sector: sync, header, mode, scrambling.

use super::{Msf, SectorType};
use crate::scsi::wire;

/// The sync with which a data sector begins.
const SYNC: [u8; 12] = [
    0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0,
];

/// The header of a data sector: its address in BCD, and its mode (ECMA-130 14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SectorHeader {
    bytes: [u8; 4],
}

impl SectorHeader {
    /// The header in these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 4]) -> Self {
        Self { bytes }
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 4] {
        &self.bytes
    }

    /// The address; `None` if it is no time code in BCD.
    #[must_use]
    pub fn address(&self) -> Option<Msf> {
        let [minute, second, frame, _] = self.bytes;
        Msf::from_bcd([minute, second, frame])
    }

    /// The mode: 0 empty, 1 or 2; 3 is none. It is bits 1 and 0 of the mode
    /// byte.
    #[must_use]
    pub const fn mode(&self) -> u8 {
        self.bytes[3] & 0x03
    }

    /// What kind of block it is on a disc that was written in packets (bits 7
    /// to 5 of the mode byte): 0 user data, others are run-in, run-out and link
    /// blocks.
    #[must_use]
    #[doc(alias = "Block Indicator")]
    pub const fn block_indicator(&self) -> u8 {
        self.bytes[3] >> 5
    }

    /// Whether a sector can have this header: an address, mode 0 to 2, and
    /// nothing in the bits between.
    #[must_use]
    pub fn is_plausible(&self) -> bool {
        self.address().is_some() && self.mode() != 3 && self.bytes[3] & 0x1c == 0
    }
}

/// The 2352 bytes of a sector's main channel, as [`MainChannel::RAW`] gives
/// them.
///
/// Read as CD-DA, a data sector is still scrambled; [`descramble`] undoes that.
///
/// [`MainChannel::RAW`]: super::MainChannel::RAW
///
/// ```
/// use passthru::scsi::mmc::{RawSector, SectorType};
///
/// let mut bytes = [0; 2352];
/// bytes[1..11].fill(0xff);
/// bytes[12..16].copy_from_slice(&[0x00, 0x02, 0x00, 0x01]);
///
/// let sector = RawSector::new(&bytes).unwrap();
/// assert_eq!(sector.is_scrambled(), Some(false));
/// assert_eq!(sector.header().address().unwrap().to_lba().0, 0);
/// assert_eq!(sector.kind(), Some(SectorType::Mode1));
/// assert_eq!(sector.user_data().len(), 2048);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawSector<'a>(&'a [u8; 2352]);

impl<'a> RawSector<'a> {
    /// The sector in these bytes; `None` unless there are 2352.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8; 2352] {
        self.0
    }

    /// Whether it begins with the sync of a data sector.
    #[must_use]
    pub fn has_sync(&self) -> bool {
        self.0.starts_with(&SYNC)
    }

    /// The header, where a data sector has it.
    #[must_use]
    pub const fn header(&self) -> SectorHeader {
        let [_, _, _, _, _, _, _, _, _, _, _, _, a, b, c, d, ..] = *self.0;
        SectorHeader::new([a, b, c, d])
    }

    /// The header if the sector is scrambled.
    #[must_use]
    pub fn descrambled_header(&self) -> SectorHeader {
        let mut bytes = *self.header().as_bytes();
        for (byte, key) in bytes.iter_mut().zip(Scrambler::new()) {
            *byte ^= key;
        }
        SectorHeader::new(bytes)
    }

    /// Whether the header makes sense as it is (`false`) or after descrambling
    /// (`true`). `None` if there is no sync, or if neither or both do: then the
    /// sector's address tells.
    #[must_use]
    pub fn is_scrambled(&self) -> Option<bool> {
        let plain = self.header().is_plausible();
        let scrambled = self.descrambled_header().is_plausible();
        (self.has_sync() && plain != scrambled).then_some(scrambled)
    }

    /// The two copies of the subheader, where mode 2 form 1 and 2 have them.
    #[must_use]
    pub fn subheaders(&self) -> [[u8; 4]; 2] {
        [
            wire::array(self.0, 16).unwrap_or_default(),
            wire::array(self.0, 20).unwrap_or_default(),
        ]
    }

    /// The type of this data sector as its header, which is not scrambled, has
    /// it; `None` for mode 0, for audio, and for a header that makes no sense.
    ///
    /// Mode 2 has a form if both copies of the subheader are equal and not
    /// zero; bit 5 of the submode says which (CD-ROM XA).
    #[must_use]
    pub fn kind(&self) -> Option<SectorType> {
        if !self.has_sync() || !self.header().is_plausible() {
            return None;
        }
        match self.header().mode() {
            1 => Some(SectorType::Mode1),
            2 => {
                let [first, second] = self.subheaders();
                let [_, _, submode, _] = first;
                Some(match first == second && first != [0; 4] {
                    false => SectorType::Mode2Formless,
                    true if submode & 0x20 == 0 => SectorType::Form1,
                    true => SectorType::Form2,
                })
            }
            _ => None,
        }
    }

    /// The user data as READ CD has it for this [`kind`](Self::kind); all of
    /// the sector if that is not known.
    #[must_use]
    pub fn user_data(&self) -> &'a [u8] {
        let range = match self.kind() {
            Some(SectorType::Mode1) => 16..2064,
            Some(SectorType::Mode2Formless) => 16..2352,
            Some(SectorType::Form1) => 24..2072,
            Some(SectorType::Form2) => 24..2352,
            _ => 0..2352,
        };
        self.0.get(range).unwrap_or_default()
    }
}

/// Scrambles or descrambles a sector in place, which is the same (ECMA-130
/// annex B): all but the 12 bytes of sync.
pub fn descramble(sector: &mut [u8; 2352]) {
    for (byte, key) in sector.iter_mut().skip(SYNC.len()).zip(Scrambler::new()) {
        *byte ^= key;
    }
}

/// The bytes with which a sector is scrambled: a shift register of 15 bits with
/// polynomial x^15 + x + 1 that starts with 1.
struct Scrambler(u16);

impl Scrambler {
    const fn new() -> Self {
        Self(1)
    }
}

impl Iterator for Scrambler {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let [byte, _] = self.0.to_le_bytes();
        for _ in 0..8 {
            let feedback = (self.0 ^ self.0 >> 1) & 1;
            self.0 = self.0 >> 1 | feedback << 14;
        }
        Some(byte)
    }
}

//! C2 error information: which bytes of a sector the drive could not correct.

use core::fmt;

use super::C2;
use crate::scsi::wire;

/// Where the block error byte and its pad byte are in the 296-byte form.
/// Drives and programs do not agree: look at both ends of a sector with errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockErrorPlace {
    /// Behind the pointers: bytes 294 and 295.
    #[default]
    Last,
    /// Before the pointers: bytes 0 and 1.
    First,
}

/// How many bytes hold one bit for each of 2352.
pub(super) const POINTERS: usize = 294;

/// The C2 part of a sector as it arrived, in either form.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "C2 Error Information")]
pub struct C2Field<'a> {
    bytes: &'a [u8],
    kind: C2,
    place: BlockErrorPlace,
}

impl<'a> C2Field<'a> {
    /// The field in these bytes: 294 or 296, by `kind`; `None` if there are
    /// fewer, or if `kind` is none.
    #[must_use]
    pub fn new(bytes: &'a [u8], kind: C2, place: BlockErrorPlace) -> Option<Self> {
        let length = usize::from(kind.length());
        let bytes = bytes.get(..length)?;
        (length != 0).then_some(Self { bytes, kind, place })
    }

    /// The bytes, 294 or 296.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// One bit for each byte of the main channel.
    #[must_use]
    pub fn bits(&self) -> C2Bits<'a> {
        let start = match (self.kind, self.place) {
            (C2::Block296, BlockErrorPlace::First) => 2,
            _ => 0,
        };
        C2Bits::new(wire::part(self.bytes, start, start + POINTERS).unwrap_or_default())
    }

    /// The block error byte and the pad byte beside it, as they came, from
    /// where the layout has them; `None` in the 294-byte form.
    ///
    /// The block error byte is all pointers in one, by OR, says MMC-6; drives
    /// also send zero.
    #[must_use]
    #[doc(alias = "Block Error Byte")]
    pub fn block_error(&self) -> Option<[u8; 2]> {
        match (self.kind, self.place) {
            (C2::Block296, BlockErrorPlace::Last) => wire::array(self.bytes, POINTERS),
            (C2::Block296, BlockErrorPlace::First) => wire::array(self.bytes, 0),
            _ => None,
        }
    }
}

impl fmt::Debug for C2Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("C2Field")
            .field("kind", &self.kind)
            .field("bits", &self.bits())
            .field("block_error", &self.block_error())
            .finish()
    }
}

/// The C2 pointers of a sector: bit 7 of byte 0 stands for byte 0 of the main
/// channel, bit 0 of byte 293 for byte 2351. A set bit is a byte that the drive
/// could not correct.
///
/// No bit set means that the drive saw no error, or that it does not report
/// any.
///
/// ```
/// use passthru::scsi::mmc::C2Bits;
///
/// let bits = C2Bits::new(&[0, 0, 0, 0x14, 0x80]);
/// assert_eq!(bits.count(), 3);
/// assert_eq!(bits.first(), Some(27));
/// assert_eq!(bits.positions().collect::<Vec<_>>(), [27, 29, 32]);
/// assert_eq!(bits.samples(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(alias = "C2 pointers")]
pub struct C2Bits<'a>(&'a [u8]);

impl<'a> C2Bits<'a> {
    /// Pointers in these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes, 294 for a whole sector.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// How many bytes of the main channel are marked.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|byte| byte.count_ones()).sum()
    }

    /// How many of the pointer bytes are not zero: a coarser count that some
    /// programs report.
    #[must_use]
    pub fn marked_bytes(&self) -> usize {
        self.0.iter().filter(|&&byte| byte != 0).count()
    }

    /// How many stereo samples of four bytes have a marked byte.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.0
            .iter()
            .map(|&byte| usize::from(byte & 0xf0 != 0) + usize::from(byte & 0x0f != 0))
            .sum()
    }

    /// Whether nothing is marked.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        // Without a branch for each byte; most sectors are clean to the end.
        self.0.iter().fold(0, |all, &byte| all | byte) == 0
    }

    /// Whether byte `index` of the main channel is marked; `None` past the end.
    #[must_use]
    pub fn is_marked(&self, index: usize) -> Option<bool> {
        wire::flag(self.0, index / 8, 0x80 >> (index % 8))
    }

    /// The marked bytes of the main channel, in order.
    pub fn positions(&self) -> impl Iterator<Item = usize> + use<'a> {
        let bytes = self.0.iter().enumerate();
        bytes
            .filter(|&(_, &byte)| byte != 0)
            .flat_map(|(index, &byte)| {
                (0..8)
                    .filter(move |bit| byte & (0x80 >> bit) != 0)
                    .map(move |bit| index * 8 + bit)
            })
    }

    /// The first marked byte of the main channel.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.positions().next()
    }
}

impl fmt::Debug for C2Bits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("C2Bits")
            .field("count", &self.count())
            .field("first", &self.first())
            .finish()
    }
}

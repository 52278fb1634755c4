//! The packs that CD-TEXT is made of.

use super::{PACK, PackType, crc};

/// One pack of CD-TEXT: 4 bytes of header, 12 of data, and a checksum.
///
/// ```
/// use passthru::scsi::mmc::{CdTextPack, PackType};
///
/// let mut bytes = *b"\x81\x02\x08\x0aerformer2\0\0\0\x64\x1a";
/// let pack = CdTextPack::new(bytes);
/// assert!(pack.crc_matches());
/// assert_eq!((pack.pack_type(), pack.track()), (PackType::PERFORMER, 2));
/// assert_eq!((pack.sequence(), pack.block(), pack.character_position()), (8, 0, 10));
///
/// bytes[4] ^= 1;
/// assert!(!CdTextPack::new(bytes).crc_matches());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CdTextPack([u8; PACK]);

impl CdTextPack {
    /// The pack with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; PACK]) -> Self {
        Self(bytes)
    }

    /// The eighteen bytes as they came.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; PACK] {
        &self.0
    }

    /// What the data is.
    #[must_use]
    #[doc(alias = "ID1")]
    pub const fn pack_type(&self) -> PackType {
        PackType(self.0[0])
    }

    /// Byte 1 without its upper bit: the track that the first character belongs
    /// to, 0 for the album. In a pack of sizes (8Fh) it is the number of the pack,
    /// 0 to 2. It can be up to 127, and tracks go to 99.
    #[must_use]
    #[doc(alias = "ID2")]
    pub const fn track(&self) -> u8 {
        self.0[1] & 0x7f
    }

    /// The upper bit of byte 1, which is set in packs of a later format.
    #[must_use]
    pub const fn is_extended(&self) -> bool {
        self.0[1] & 0x80 != 0
    }

    /// The sequence number, which counts the packs of a block.
    #[must_use]
    #[doc(alias = "ID3")]
    pub const fn sequence(&self) -> u8 {
        self.0[2]
    }

    /// Whether characters have two bytes.
    #[must_use]
    #[doc(alias = "DBCC")]
    pub const fn is_double_byte(&self) -> bool {
        self.0[3] & 0x80 != 0
    }

    /// The block, 0 to 7.
    #[must_use]
    #[doc(alias = "ID4")]
    pub const fn block(&self) -> u8 {
        (self.0[3] >> 4) & 0x07
    }

    /// How many characters of the first text are in the pack before this one: 0
    /// if it begins here, 15 if it is 15 or more.
    #[must_use]
    pub const fn character_position(&self) -> u8 {
        self.0[3] & 0x0f
    }

    /// The twelve bytes of data.
    #[must_use]
    pub fn data(&self) -> [u8; 12] {
        let [_, _, _, _, data @ .., _, _] = self.0;
        data
    }

    /// The checksum in the pack.
    #[must_use]
    pub const fn crc(&self) -> u16 {
        let [.., high, low] = self.0;
        u16::from_be_bytes([high, low])
    }

    /// The checksum that its bytes should have.
    #[must_use]
    pub fn computed_crc(&self) -> u16 {
        let [bytes @ .., _, _] = &self.0;
        crc::crc16(bytes)
    }

    /// Whether the two are the same.
    #[must_use]
    pub fn crc_matches(&self) -> bool {
        self.crc() == self.computed_crc()
    }
}

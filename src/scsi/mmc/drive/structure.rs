//! READ DISC STRUCTURE.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32},
};

use super::{Agid, DiscStructure};
use crate::scsi::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, lengths};

/// Which kind of disc a structure is of (MEDIA TYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiscStructureMedia(pub u8);

impl DiscStructureMedia {
    /// DVD and HD DVD.
    pub const DVD: Self = Self(0);
    /// BD.
    pub const BD: Self = Self(1);
}

/// Which structure (FORMAT). Below 80h a number means one thing on a DVD and another
/// on a BD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiscStructureFormat(pub u8);

impl DiscStructureFormat {
    /// DVD: physical format information.
    pub const DVD_PHYSICAL: Self = Self(0x00);
    /// DVD: copyright information.
    pub const DVD_COPYRIGHT: Self = Self(0x01);
    /// DVD: the disc key, 2048 bytes behind a bus key.
    pub const DVD_DISC_KEY: Self = Self(0x02);
    /// DVD and BD: the burst cutting area.
    pub const BCA: Self = Self(0x03);
    /// DVD: the manufacturer's information, 2048 bytes.
    pub const DVD_MANUFACTURER: Self = Self(0x04);
    /// DVD-R and DVD-RW: physical format information as it is in the lead-in.
    pub const DVD_PHYSICAL_LEAD_IN: Self = Self(0x10);
    /// BD: disc information.
    pub const BD_DISC_INFORMATION: Self = Self(0x00);
    /// AACS: the volume identifier.
    pub const AACS_VOLUME_IDENTIFIER: Self = Self(0x80);
    /// AACS: the serial number of a pressed disc.
    pub const AACS_MEDIA_SERIAL_NUMBER: Self = Self(0x81);
    /// AACS: the identifier of a recordable disc.
    pub const AACS_MEDIA_IDENTIFIER: Self = Self(0x82);
    /// AACS: the media key block, in packs that the address numbers.
    pub const AACS_MEDIA_KEY_BLOCK: Self = Self(0x83);
    /// AACS: the keys for bus encryption.
    pub const AACS_DATA_KEYS: Self = Self(0x84);
    /// Which structures the drive can read and send, with their lengths.
    pub const LIST: Self = Self(0xff);
}

/// READ DISC STRUCTURE (`ADh`, MMC-5 6.23, MMC-6 6.22; READ DVD STRUCTURE of old): reads what a
/// disc says of itself in its lead-in. On a worn disc it takes minutes.
///
/// ```
/// use passthru::scsi::{Command, mmc::{DiscStructureFormat, ReadDiscStructure}};
///
/// let copyright = ReadDiscStructure::dvd(DiscStructureFormat::DVD_COPYRIGHT);
/// // The allocation length is in bytes 8 and 9, one later than elsewhere.
/// assert_eq!(
///     copyright.cdb_for(0x0108)?.as_bytes(),
///     [0xad, 0, 0, 0, 0, 0, 0, 1, 1, 8, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("READ_DVD_STRUCTURE", "GPCMD_READ_DVD_STRUCTURE"))]
pub struct ReadDiscStructure {
    media: DiscStructureMedia,
    address: u32,
    layer: u8,
    format: DiscStructureFormat,
    allocation_length: u16,
    agid: Agid,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    media: u8,
    address: U32,
    layer: u8,
    format: u8,
    allocation_length: U16,
    agid: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

/// The header of the reply.
pub(super) const HEADER: usize = 4;

impl ReadDiscStructure {
    const fn new(
        media: DiscStructureMedia,
        format: DiscStructureFormat,
        allocation_length: u16,
    ) -> Self {
        Self {
            media,
            address: 0,
            layer: 0,
            format,
            allocation_length,
            agid: Agid::new(0),
        }
    }

    /// Asks for a structure of a DVD or HD DVD; for up to 2052 bytes.
    #[must_use]
    pub const fn dvd(format: DiscStructureFormat) -> Self {
        Self::new(DiscStructureMedia::DVD, format, 2052)
    }

    /// Asks for a structure of a BD; for up to 4100 bytes.
    #[must_use]
    pub const fn bd(format: DiscStructureFormat) -> Self {
        Self::new(DiscStructureMedia::BD, format, 4100)
    }

    /// Asks for a structure of another medium.
    #[must_use]
    pub const fn other(media: DiscStructureMedia, format: DiscStructureFormat) -> Self {
        Self::new(media, format, 4100)
    }

    /// An address, for the formats that want one.
    #[must_use]
    pub const fn address(mut self, address: u32) -> Self {
        self.address = address;
        self
    }

    /// Which layer; 0 without this.
    #[must_use]
    #[doc(alias = "LAYER NUMBER")]
    pub const fn layer(mut self, layer: u8) -> Self {
        self.layer = layer;
        self
    }

    /// Under which authentication, for the formats that need one.
    #[must_use]
    pub const fn agid(mut self, agid: Agid) -> Self {
        self.agid = agid;
        self
    }

    /// How many bytes to ask for, 4 or more.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for ReadDiscStructure {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, HEADER)?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xad,
            media: self.media.0 & 0x0f,
            address: U32::new(self.address),
            layer: self.layer,
            format: self.format.0,
            allocation_length: U16::new(allocation_length),
            agid: self.agid.bits(),
            control: 0,
        })))
    }
}

impl DataIn for ReadDiscStructure {}

impl Query for ReadDiscStructure {
    type Reply<'a> = DiscStructure<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<DiscStructure<'a>, Malformed> {
        DiscStructure::asked(self.media, self.format, reply, self.reply_length())
    }
}

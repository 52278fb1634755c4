//! READ FORMAT CAPACITIES.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::FormatType;
use crate::scsi::{
    Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, lengths, wire,
};

/// READ FORMAT CAPACITIES (23h, MMC-5 6.24, MMC-6 6.23): how large the medium is, and how it
/// can be formatted. Card readers know it too.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes};
/// use passthru::scsi::mmc::{CapacityDescriptorType, FormatType, ReadFormatCapacities};
///
/// let command = ReadFormatCapacities::new();
/// assert_eq!(command.cdb_for(252)?.as_bytes(), [0x23, 0, 0, 0, 0, 0, 0, 0, 252, 0]);
///
/// let reply = ReplyBytes::borrowed(&[
///     0, 0, 0, 16, // header
///     0x00, 0x23, 0x05, 0x40, 0x02, 0x00, 0x08, 0x00, // formatted
///     0x00, 0x23, 0x05, 0x40, 0x98, 0x00, 0x00, 0x00, // can be formatted as DVD+RW
/// ]);
/// let capacities = command.parse(reply).unwrap();
/// let current = capacities.current().unwrap();
/// assert_eq!((current.blocks, current.block_length), (0x0023_0540, 2048));
/// assert_eq!(current.kind, CapacityDescriptorType::FORMATTED);
/// assert_eq!(capacities.formattable().next().unwrap().kind, FormatType::DVD_PLUS_RW);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("READ_FORMAT_CAPACITIES", "GPCMD_READ_FORMAT_CAPACITIES"))]
pub struct ReadFormatCapacities {
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: [u8; 6],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

/// The header of the reply.
const HEADER: usize = 4;

impl ReadFormatCapacities {
    /// Asks for 252 bytes: 31 descriptors. There cannot be one more.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocation_length: 252,
        }
    }

    /// How many bytes to ask for, 4 or more.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Default for ReadFormatCapacities {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for ReadFormatCapacities {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, HEADER)?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x23,
            reserved: [0; 6],
            allocation_length: U16::new(allocation_length),
            control: 0,
        })))
    }
}

impl DataIn for ReadFormatCapacities {}

impl Query for ReadFormatCapacities {
    type Reply<'a> = FormatCapacities<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<FormatCapacities<'a>, Malformed> {
        FormatCapacities::asked(reply, self.reply_length())
    }
}

/// What the first capacity is of (DESCRIPTOR TYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CapacityDescriptorType(pub u8);

impl CapacityDescriptorType {
    /// The medium is not formatted: the most that it could have.
    pub const UNFORMATTED: Self = Self(1);
    /// The medium is formatted: what it has.
    pub const FORMATTED: Self = Self(2);
    /// There is no medium: the most that the drive could handle.
    pub const NO_MEDIUM: Self = Self(3);
}

/// The capacity now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "Current/Maximum Capacity Descriptor")]
pub struct CapacityDescriptor {
    /// How many blocks.
    pub blocks: u32,
    /// Of what.
    pub kind: CapacityDescriptorType,
    /// The length of a block in bytes.
    pub block_length: u32,
}

/// A capacity that the medium can be formatted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "Formattable Capacity Descriptor")]
pub struct FormattableCapacity {
    /// How many blocks.
    pub blocks: u32,
    /// By which type.
    pub kind: FormatType,
    /// Its subtype.
    pub subtype: u8,
    /// The parameter that depends on the type: a block length, a packet size, ...
    pub parameter: u32,
}

/// The reply of READ FORMAT CAPACITIES.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatCapacities<'a> {
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> FormatCapacities<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(bytes, asked)
    }

    fn asked(bytes: ReplyBytes<'a>, asked: usize) -> Result<Self, Malformed> {
        lengths::enough(&bytes, HEADER)?;
        Ok(Self { bytes, asked })
    }

    /// The length of the list in bytes, as the device has it.
    #[must_use]
    #[doc(alias = "CAPACITY LIST LENGTH")]
    pub fn list_length(&self) -> u8 {
        wire::byte(&self.bytes, 3).unwrap_or(0)
    }

    fn claimed(&self) -> usize {
        usize::from(self.list_length()).saturating_add(HEADER)
    }

    fn descriptors(&self) -> core::slice::ChunksExact<'_, u8> {
        wire::part(&self.bytes, HEADER, self.claimed())
            .unwrap_or_default()
            .chunks_exact(8)
    }

    /// The capacity of the medium now, or the most that it or the drive could have.
    #[must_use]
    pub fn current(&self) -> Option<CapacityDescriptor> {
        let bytes = self.descriptors().next()?;
        Some(CapacityDescriptor {
            blocks: wire::be32(bytes, 0)?,
            kind: CapacityDescriptorType(wire::byte(bytes, 4)? & 0x03),
            block_length: wire::be32(bytes, 4)? & 0x00ff_ffff,
        })
    }

    /// What the medium can be formatted to.
    pub fn formattable(&self) -> impl Iterator<Item = FormattableCapacity> + '_ {
        self.descriptors().skip(1).filter_map(|bytes| {
            let kind = wire::byte(bytes, 4)?;
            Some(FormattableCapacity {
                blocks: wire::be32(bytes, 0)?,
                kind: FormatType::new(kind >> 2)?,
                subtype: kind & 0x03,
                parameter: wire::be32(bytes, 4)? & 0x00ff_ffff,
            })
        })
    }

    /// The allocation length that fetches all, if what was asked for cut it.
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        lengths::needed_two_bytes(self.claimed(), self.bytes.len(), self.asked)
    }

    /// Whether the list's length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        // A list has at least the current capacity.
        lengths::lie(self.claimed(), HEADER + 8, self.bytes.len(), self.asked)
    }
}

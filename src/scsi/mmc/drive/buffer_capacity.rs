//! READ BUFFER CAPACITY.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{
    Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, lengths, wire,
};

/// READ BUFFER CAPACITY (5Ch, MMC-5 6.18): how large the drive's write buffer
/// is, and how much of it is free.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes, mmc::ReadBufferCapacity};
///
/// let command = ReadBufferCapacity::new();
/// assert_eq!(command.cdb_for(12)?.as_bytes(), [0x5c, 0, 0, 0, 0, 0, 0, 0, 12, 0]);
/// let reply = [0, 10, 0, 0, 0, 0x20, 0, 0, 0, 0x08, 0, 0];
/// let capacity = command.parse(ReplyBytes::borrowed(&reply)).unwrap();
/// assert_eq!(capacity.length(), Some(2 << 20));
/// assert_eq!(capacity.available(), Some(512 << 10));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("READ_BUFFER_CAPACITY", "GPCMD_READ_BUFFER_CAPACITY"))]
pub struct ReadBufferCapacity {
    blocks: bool,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    blocks: u8,
    reserved: [u8; 5],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

/// The whole reply.
const LEN: usize = 12;

impl ReadBufferCapacity {
    /// Asks for numbers of bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self { blocks: false }
    }

    /// Asks for numbers of blocks (BLOCK), which drives may not know.
    #[must_use]
    #[doc(alias = "BLOCK")]
    pub const fn in_blocks() -> Self {
        Self { blocks: true }
    }
}

impl Command for ReadBufferCapacity {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, LEN)?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x5c,
            blocks: u8::from(self.blocks),
            reserved: [0; 5],
            allocation_length: U16::new(allocation_length),
            control: 0,
        })))
    }
}

impl DataIn for ReadBufferCapacity {}

impl Query for ReadBufferCapacity {
    type Reply<'a> = BufferCapacity;

    fn reply_length(&self) -> usize {
        LEN
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<BufferCapacity, Malformed> {
        BufferCapacity::parse(&reply)
    }
}

/// The reply of READ BUFFER CAPACITY.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferCapacity {
    data_length: u16,
    arrived: usize,
    in_blocks: bool,
    length: Option<u32>,
    available: Option<u32>,
}

impl BufferCapacity {
    /// Reads the bytes that arrived.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        lengths::enough(bytes, 4)?;
        let data_length = wire::be16(bytes, 0).unwrap_or(0);
        let end = usize::from(data_length).saturating_add(2);
        let within = wire::head(bytes, end);
        Ok(Self {
            data_length,
            arrived: bytes.len(),
            in_blocks: wire::flag(within, 3, 0x01).unwrap_or(false),
            length: wire::be32(within, 4),
            available: wire::be32(within, 8),
        })
    }

    /// Whether the numbers are of blocks and not of bytes.
    #[must_use]
    pub const fn in_blocks(&self) -> bool {
        self.in_blocks
    }

    /// The buffer's length in bytes; `None` if the numbers are of blocks.
    #[must_use]
    #[doc(alias = "LENGTH OF THE BUFFER")]
    pub const fn length(&self) -> Option<u32> {
        if self.in_blocks { None } else { self.length }
    }

    /// How much is free, in bytes or in blocks.
    #[must_use]
    #[doc(alias = "AVAILABLE LENGTH OF BUFFER")]
    pub const fn available(&self) -> Option<u32> {
        self.available
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let claimed = usize::from(self.data_length).saturating_add(2);
        lengths::lie(claimed, LEN, self.arrived, LEN)
    }
}

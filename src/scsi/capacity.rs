//! READ CAPACITY (10) and (16).

mod reply;

pub use reply::{Capacity10, Capacity16, LastLba, is_plausible_block_length};

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U32, U64},
};

use super::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, lengths};

/// READ CAPACITY(10) (25h, SBC-4 5.20): the last block and the block length of
/// a disk or an optical medium.
///
/// ```
/// use passthru::scsi::{Command, Query, ReadCapacity10, ReplyBytes};
///
/// let command = ReadCapacity10;
/// let cdb = command.cdb_for(command.reply_length())?;
/// assert_eq!(cdb.as_bytes(), [0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
///
/// let reply = ReplyBytes::borrowed(&[0x90, 0x83, 0xff, 0xff, 0x00, 0x00, 0x10, 0x00]);
/// let capacity = command.parse(reply).unwrap();
/// assert_eq!(capacity.block_length(), 4096);
/// assert_eq!(capacity.blocks(), Some(2_424_569_856));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "READ_CAPACITY")]
pub struct ReadCapacity10;

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire10 {
    opcode: u8,
    obsolete: u8,
    lba: U32,
    reserved: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<Wire10>() == 10);

/// The reply of READ CAPACITY(10), in bytes; the CDB cannot ask for another
/// length.
const LEN_10: usize = 8;

impl Command for ReadCapacity10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        if data_len != LEN_10 {
            return Err(LengthMismatch::Exact {
                len: data_len,
                expected: LEN_10 as u64,
            });
        }
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire10 {
            opcode: 0x25,
            obsolete: 0,
            lba: U32::ZERO,
            reserved: [0; 3],
            control: 0,
        })))
    }
}

impl DataIn for ReadCapacity10 {}

impl Query for ReadCapacity10 {
    type Reply<'a> = Capacity10;

    fn reply_length(&self) -> usize {
        LEN_10
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Capacity10, Malformed> {
        Capacity10::parse(&reply)
    }
}

/// READ CAPACITY(16) (9Eh/10h, SBC-4 5.21): the same with 64 bits, and the
/// physical block size, provisioning and protection.
///
/// Some old devices hang on it. Ask for [`ReadCapacity10`] first, and for this
/// one if the answer [is saturated](Capacity10::is_saturated) or the device
/// claims SPC-3 or later.
///
/// ```
/// use passthru::scsi::{Command, ReadCapacity16};
///
/// let cdb = ReadCapacity16::new().cdb_for(32)?;
/// assert_eq!(
///     cdb.as_bytes(),
///     [0x9e, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("SERVICE_ACTION_IN_16", "SAI_READ_CAPACITY_16"))]
pub struct ReadCapacity16 {
    allocation_length: u32,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire16 {
    opcode: u8,
    service_action: u8,
    lba: U64,
    allocation_length: U32,
    obsolete: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire16>() == 16);

/// The last block and the block length: less than that says nothing.
const MIN_16: usize = 12;

/// The whole reply.
const LEN_16: usize = 32;

impl ReadCapacity16 {
    /// Asks for all 32 bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocation_length: 32,
        }
    }

    /// How many bytes to ask for: 12 or more, of which 32 mean something.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u32) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Default for ReadCapacity16 {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for ReadCapacity16 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        lengths::at_least(data_len, MIN_16)?;
        let allocation_length = u32::try_from(data_len).map_err(|_| LengthMismatch::TooLong {
            len: data_len,
            max: usize::try_from(u32::MAX).unwrap_or(usize::MAX),
        })?;
        Ok(Cdb::from_array::<16>(zerocopy::transmute!(Wire16 {
            opcode: 0x9e,
            service_action: 0x10,
            lba: U64::ZERO,
            allocation_length: U32::new(allocation_length),
            obsolete: 0,
            control: 0,
        })))
    }
}

impl DataIn for ReadCapacity16 {}

impl Query for ReadCapacity16 {
    type Reply<'a> = Capacity16;

    fn reply_length(&self) -> usize {
        usize::try_from(self.allocation_length).unwrap_or(usize::MAX)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Capacity16, Malformed> {
        Capacity16::parse(&reply)
    }
}

#[cfg(test)]
#[path = "capacity_tests.rs"]
mod tests;

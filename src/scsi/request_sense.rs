//! REQUEST SENSE.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use super::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, Sense, lengths};

/// REQUEST SENSE (03h, SPC-4 6.39): asks for sense data by a command of its
/// own.
///
/// Sense that explains a CHECK CONDITION has already come with that command;
/// this one tells what goes on without an error: the progress of a format or a
/// self-test, a power condition, a deferred error.
///
/// ```
/// use passthru::scsi::{Command, RequestSense};
///
/// let cdb = RequestSense::new().descriptor(true).cdb_for(252)?;
/// assert_eq!(cdb.as_bytes(), [0x03, 0x01, 0, 0, 252, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "REQUEST_SENSE")]
pub struct RequestSense {
    descriptor: bool,
    allocation_length: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    reserved: [u8; 2],
    allocation_length: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 6);

/// The descriptor format's header, which is also where the fixed format has
/// told its length.
const MIN: usize = 8;

impl RequestSense {
    /// Asks for 252 bytes in the fixed format.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            descriptor: false,
            allocation_length: 252,
        }
    }

    /// Asks for the descriptor format (DESC bit). A device that does not know
    /// it may answer in the fixed one, or refuse the command.
    #[must_use]
    #[doc(alias = "DESC")]
    pub const fn descriptor(mut self, descriptor: bool) -> Self {
        self.descriptor = descriptor;
        self
    }

    /// How many bytes to ask for: 8 to 255.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u8) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Default for RequestSense {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for RequestSense {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::one_byte(data_len, MIN)?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire {
            opcode: 0x03,
            flags: u8::from(self.descriptor),
            reserved: [0; 2],
            allocation_length,
            control: 0,
        })))
    }
}

impl DataIn for RequestSense {}

impl Query for RequestSense {
    type Reply<'a> = SenseReply<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<SenseReply<'a>, Malformed> {
        Ok(SenseReply(reply))
    }
}

/// The data of a REQUEST SENSE: sense bytes, which may be none at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenseReply<'a>(ReplyBytes<'a>);

impl SenseReply<'_> {
    /// The sense data.
    #[must_use]
    pub fn sense(&self) -> Sense<'_> {
        Sense::parse(&self.0)
    }

    /// The bytes that arrived.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
#[path = "request_sense_tests.rs"]
mod tests;

//! What a typed command is: a value that becomes a CDB once the length of its
//! data is known.

use core::time::Duration;

use super::{Cdb, Malformed, ReplyBytes};

/// A SCSI command as a value.
///
/// A command does not repeat what its buffer already says: [`cdb_for`] is
/// called with the buffer's length, and either writes it into the CDB
/// (allocation and parameter list lengths) or checks it (block counts).
///
/// A new command is a struct that implements this trait and exactly one of
/// [`NoData`], [`DataIn`] and [`DataOut`]; [`Query`] on top when its reply has
/// a type.
///
/// [`cdb_for`]: Command::cdb_for
pub trait Command {
    /// The CDB for `data_len` bytes of data in the command's direction (0 for a
    /// command without data).
    ///
    /// # Errors
    /// [`LengthMismatch`] if the CDB cannot ask for that length, or if the
    /// command moves another one. Nothing has been sent then.
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch>;

    /// How long this very command may take, if that was said; it comes before
    /// the [options](crate::Options::timeout) of the transport. Without either
    /// the time is [`default_timeout`](super::default_timeout).
    fn timeout(&self) -> Option<Duration> {
        None
    }
}

/// A command that moves no data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no command without data",
    note = "send a data-in command by `read` or `query`, a data-out command by `write`"
)]
pub trait NoData: Command {}

/// A command whose data goes from the device into a `&mut [u8]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no data-in command",
    note = "send a data-out command by `write`, one without data by `execute`"
)]
pub trait DataIn: Command {}

/// A command whose data goes from a `&[u8]` to the device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no data-out command",
    note = "send a data-in command by `read` or `query`, one without data by `execute`"
)]
pub trait DataOut: Command {}

/// A data-in command whose reply has a type.
pub trait Query: DataIn {
    /// The parsed reply, a view over the bytes that arrived.
    type Reply<'a>;

    /// How many bytes to ask for.
    fn reply_length(&self) -> usize;

    /// Reads the bytes that arrived as a reply to this command.
    ///
    /// # Errors
    /// [`Malformed`] if they are not that: too short to say anything, or
    /// another page than the one asked for. A reply that is merely short is no
    /// error: its getters give `None`.
    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Self::Reply<'a>, Malformed>;
}

/// The buffer's length and the command do not fit together. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthMismatch {
    /// The CDB's length field cannot say this length.
    #[error("the buffer has {len} bytes, the command's length field holds at most {max}")]
    TooLong {
        /// The buffer's length in bytes.
        len: usize,
        /// The greatest length that the CDB can carry, in bytes.
        max: usize,
    },
    /// The command needs more bytes than the buffer has.
    #[error("the buffer has {len} bytes, the command moves at least {min}")]
    TooShort {
        /// The buffer's length in bytes.
        len: usize,
        /// The least length in bytes that makes sense for this command.
        min: usize,
    },
    /// The command moves a fixed length and the buffer has another one.
    #[error("the buffer has {len} bytes, the command moves {expected}")]
    Exact {
        /// The buffer's length in bytes.
        len: usize,
        /// What the command moves, in bytes.
        expected: u64,
    },
    /// The buffer's length is no whole multiple of the number of blocks, or
    /// leaves less than 512 bytes for each (say `block_length` for a medium
    /// with smaller blocks).
    #[error(
        "the buffer has {len} bytes, which is no whole number of bytes (512 or more) for each of \
         {blocks} blocks"
    )]
    Blocks {
        /// The buffer's length in bytes.
        len: usize,
        /// The block count in the command.
        blocks: u32,
    },
    /// The buffer's length is no whole number of blocks.
    #[error("the buffer has {len} bytes, which is no whole number of blocks of {block_length}")]
    Unit {
        /// The buffer's length in bytes.
        len: usize,
        /// The length of a block in bytes.
        block_length: u32,
    },
}

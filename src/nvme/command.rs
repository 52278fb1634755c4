//! What a typed command is: a value that becomes a submission queue entry once
//! the lengths of its buffers are known.

use core::time::Duration;

use super::{Format, Queue, Sqe};
use crate::memory::Page;

pub(crate) mod sealed {
    /// Keeps the promise of a command's lengths within this crate.
    pub trait Sealed {}
}

/// The lengths that a command has to agree with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Of the data buffer, in bytes; 0 for none.
    pub data: usize,
    /// Of the separate metadata buffer, in bytes; 0 for none.
    pub metadata: usize,
    /// The format of the namespace, for a command that moves blocks
    /// ([`BY_FORMAT`](Command::BY_FORMAT)).
    pub format: Option<Format>,
}

impl Lengths {
    /// A data buffer of `data` bytes, no metadata, no namespace.
    #[must_use]
    pub const fn data(data: usize) -> Self {
        Self {
            data,
            metadata: 0,
            format: None,
        }
    }
}

/// An NVMe command as a value. Only this crate has types that are commands.
///
/// # What an implementation promises
/// With an entry from [`sqe`](Self::sqe) a controller that keeps to the
/// specification moves at most as many bytes as the `lengths` say, and only in
/// the direction that [`NoData`], [`DataIn`] or [`DataOut`] says. Memory safety
/// rests on this.
pub trait Command: sealed::Sealed {
    /// The queue it goes to.
    const QUEUE: Queue;

    /// Whether what it moves is a matter of the namespace's format. If so,
    /// [`Lengths::format`] is there.
    const BY_FORMAT: bool = false;

    /// The entry for buffers of these lengths. For an I/O command the NSID is
    /// filled in by the namespace that it is sent to.
    ///
    /// # Errors
    /// [`LengthMismatch`] if the command moves another length.
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch>;

    /// How long the buffer is that goes to the controller when the caller's has
    /// `len` bytes: longer for a command that moves a page whatever is wanted of
    /// it. It is the kernel that has to know: what it has not mapped for the
    /// device may be somebody else's.
    fn buffer_len(&self, len: usize) -> usize {
        len
    }

    /// How long it may take, if that was said or if it is known to take longer
    /// than others. `None` leaves it to the transport's options, and else to the
    /// kernel: 60 s for admin commands, 30 s for I/O.
    fn timeout(&self) -> Option<Duration> {
        None
    }
}

/// A command that moves no data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no NVMe command without data",
    note = "send a data-in command by `read` or `query`, a data-out command by `write`"
)]
pub trait NoData: Command {}

/// A command whose data comes from the controller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no NVMe data-in command",
    note = "send a data-out command by `write`, one without data by `execute`"
)]
pub trait DataIn: Command {}

/// A command whose data goes to the controller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no NVMe data-out command",
    note = "send a data-in command by `read` or `query`, one without data by `execute`"
)]
pub trait DataOut: Command {}

/// A data-in command whose reply has a type.
pub trait Query: DataIn {
    /// The reply.
    type Reply;

    /// How many bytes the reply has.
    fn reply_length(&self) -> usize;

    /// The same command for what begins `offset` bytes behind its beginning, for
    /// replies that may be longer than one command can move; `None` if it has no
    /// offset.
    fn at(&self, offset: u64) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = offset;
        None
    }

    /// Reads the bytes that came as the reply.
    ///
    /// # Errors
    /// [`Malformed`] if they are not that.
    fn parse(&self, bytes: &[u8]) -> Result<Self::Reply, Malformed>;

    /// The same for a reply that may keep the memory it came to.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    #[doc(hidden)]
    fn parse_page(&self, page: Page) -> Result<Self::Reply, Malformed> {
        self.parse(&page)
    }
}

/// The buffers' lengths and the command do not fit together. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthMismatch {
    /// The data buffer has another length than the command moves.
    #[error("the buffer has {len} bytes, the command moves {expected}")]
    Data {
        /// The buffer's length in bytes.
        len: usize,
        /// What the command moves, in bytes.
        expected: u64,
    },
    /// The metadata buffer has another length than the command moves.
    #[error("the metadata buffer has {len} bytes, the command moves {expected}")]
    Metadata {
        /// The buffer's length in bytes.
        len: usize,
        /// What the command moves, in bytes.
        expected: u64,
    },
    /// The length must be a whole number of units.
    #[error("the buffer has {len} bytes, which is no whole number of {unit}")]
    Unit {
        /// The buffer's length in bytes.
        len: usize,
        /// How many bytes a unit has.
        unit: usize,
    },
    /// The buffer has more bytes than the command can name.
    #[error("the buffer has {len} bytes, the command moves at most {max}")]
    TooLong {
        /// The buffer's length in bytes.
        len: usize,
        /// The greatest length in bytes.
        max: usize,
    },
    /// The buffer has fewer bytes than the command moves at least.
    #[error("the buffer has {len} bytes, the command moves at least {min}")]
    TooShort {
        /// The buffer's length in bytes.
        len: usize,
        /// The least length in bytes.
        min: usize,
    },
    /// A command names 1 to 65536 blocks.
    #[error("a command names 1 to 65536 blocks, not {blocks}")]
    Blocks {
        /// How many were asked for.
        blocks: u32,
    },
    /// The namespace's format is not known, so neither is what the command
    /// moves.
    #[error("the format of the namespace is not known")]
    NoFormat,
    /// The namespace has no metadata, or its metadata lies within the data.
    #[error("the namespace has no separate metadata")]
    NoMetadata,
}

/// The bytes that came are no answer to the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// There are too few.
    #[error("the reply has {got} bytes, needed are {need}")]
    Short {
        /// How many bytes it takes.
        need: usize,
        /// How many there are.
        got: usize,
    },
    /// A length in it is beyond its end, or beyond what there can be.
    #[error("the reply names {named} bytes or entries where at most {max} fit")]
    Length {
        /// What it says.
        named: u64,
        /// What can be.
        max: u64,
    },
    /// A field has a value that cannot be.
    #[error("the reply's {field} is {value:#x}, which cannot be")]
    Field {
        /// The field's name in the specification.
        field: &'static str,
        /// Its value.
        value: u64,
    },
}

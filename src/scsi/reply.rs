//! The bytes of a reply, and what makes them unfit to be one.

use core::{fmt, ops::Deref};

/// The bytes that a device returned, borrowed or owned.
///
/// Replies up to 256 bytes are held inline, so that
/// [`query`](crate::ScsiTransportExt::query) allocates nothing for them.
#[derive(Clone)]
pub struct ReplyBytes<'a>(Repr<'a>);

const INLINE: usize = 256;

// The large variant is the usual one: it is there to keep replies off the heap.
#[allow(clippy::large_enum_variant)]
#[derive(Clone)]
enum Repr<'a> {
    Borrowed(&'a [u8]),
    Inline { len: usize, bytes: [u8; INLINE] },
    Owned(Vec<u8>),
}

impl<'a> ReplyBytes<'a> {
    /// A view of bytes that came from elsewhere: a file, a log, sysfs.
    #[must_use]
    pub const fn borrowed(bytes: &'a [u8]) -> Self {
        Self(Repr::Borrowed(bytes))
    }

    /// `len` zero bytes to be filled by a command.
    #[must_use]
    pub fn zeroed(len: usize) -> ReplyBytes<'static> {
        ReplyBytes(if len <= INLINE {
            Repr::Inline {
                len,
                bytes: [0; INLINE],
            }
        } else {
            Repr::Owned(vec![0; len])
        })
    }

    /// The bytes, to be filled; empty if they are borrowed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Repr::Borrowed(_) => &mut [],
            Repr::Inline { len, bytes } => bytes.get_mut(..*len).unwrap_or_default(),
            Repr::Owned(bytes) => bytes,
        }
    }

    /// Keeps the first `new_len` bytes; longer than now changes nothing.
    pub fn truncate(&mut self, new_len: usize) {
        match &mut self.0 {
            Repr::Borrowed(bytes) => *bytes = bytes.get(..new_len).unwrap_or(bytes),
            Repr::Inline { len, .. } => *len = new_len.min(*len),
            Repr::Owned(bytes) => bytes.truncate(new_len),
        }
    }

    /// The same bytes, free of the borrow.
    #[must_use]
    pub fn into_owned(self) -> ReplyBytes<'static> {
        ReplyBytes(match self.0 {
            Repr::Borrowed(bytes) => Repr::Owned(bytes.to_vec()),
            Repr::Inline { len, bytes } => Repr::Inline { len, bytes },
            Repr::Owned(bytes) => Repr::Owned(bytes),
        })
    }
}

impl Deref for ReplyBytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Repr::Borrowed(bytes) => bytes,
            Repr::Inline { len, bytes } => bytes.get(..*len).unwrap_or_default(),
            Repr::Owned(bytes) => bytes,
        }
    }
}

impl<'a> From<&'a [u8]> for ReplyBytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::borrowed(bytes)
    }
}

impl PartialEq for ReplyBytes<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for ReplyBytes<'_> {}

impl fmt::Debug for ReplyBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[")?;
        for (index, byte) in self.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{byte:02x}")?;
        }
        write!(f, "]")
    }
}

/// Bytes that are no reply to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Malformed {
    /// Too few bytes to say anything.
    #[error("the reply has {got} bytes, {need} are the least that make sense")]
    Short {
        /// The least number of bytes.
        need: usize,
        /// How many arrived.
        got: usize,
    },
    /// The page code in the reply is not the one that was asked for: some
    /// bridges answer every INQUIRY with the standard data.
    #[error("asked for page {asked:02x}h, the reply says page {got:02x}h")]
    OtherPage {
        /// The page code in the CDB.
        asked: u8,
        /// The page code in the reply.
        got: u8,
    },
    /// The answer has another format, or is of another kind, than the one that was
    /// asked for: some drives take no notice of the field that says it.
    #[error("asked for format {asked}, the reply has format {got}")]
    OtherFormat {
        /// The format in the CDB.
        asked: u8,
        /// The format of the reply.
        got: u8,
    },
    /// The page code fits, but what came is standard INQUIRY data, whose second
    /// byte can pass for page 00h or 80h.
    #[error(
        "asked for page {asked:02x}h, got standard INQUIRY data: the device ignores the EVPD bit"
    )]
    StandardInquiry {
        /// The page code in the CDB.
        asked: u8,
    },
    /// The peripheral qualifier says that there is no logical unit here, so the
    /// rest of the page means nothing (SPC-6 6.7.2, qualifier 011b).
    #[error("there is no logical unit at this address (peripheral qualifier 011b)")]
    NoLogicalUnit,
    /// A field holds a value that cannot be true.
    #[error("{field} is {value}, which cannot be")]
    Field {
        /// The field's name in the specification.
        field: &'static str,
        /// What it held.
        value: u64,
    },
}

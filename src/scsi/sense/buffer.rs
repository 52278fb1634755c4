//! The bytes of sense data, kept inline with a command's result.

use core::fmt;

use super::{Sense, SenseKey};
use crate::scsi::AdditionalSense;

/// Up to 252 bytes of sense data, held inline.
///
/// 252 bytes is the most that sense data can be (SPC-6 4.4.1). Linux keeps only the first 96.
/// The bytes are taken apart when asked, by [`sense`](Self::sense).
///
/// ```
/// use passthru::scsi::{SenseBuffer, SenseKey};
///
/// let buffer = SenseBuffer::from_slice(&[0x70, 0, 0x05, 0, 0, 0, 0, 10]);
/// assert_eq!(buffer.sense().key(), Some(SenseKey::ILLEGAL_REQUEST));
/// assert_eq!(buffer.sense().additional(), None); // cut off, so unknown
/// ```
#[derive(Clone, Copy)]
pub struct SenseBuffer {
    len: u8,
    bytes: [u8; Self::CAPACITY],
}

impl SenseBuffer {
    /// How many bytes fit.
    pub const CAPACITY: usize = 252;

    /// No sense data.
    pub const EMPTY: Self = Self {
        len: 0,
        bytes: [0; Self::CAPACITY],
    };

    /// Copies the bytes; what is beyond [`CAPACITY`](Self::CAPACITY) is left out.
    #[must_use]
    pub fn from_slice(bytes: &[u8]) -> Self {
        let mut buffer = Self::EMPTY;
        for (to, from) in buffer.bytes.iter_mut().zip(bytes) {
            *to = *from;
        }
        buffer.set_len(bytes.len());
        buffer
    }

    /// 18 bytes of current sense data in fixed format, for a transport or a test
    /// that has none from a device (SPC-6 4.4.3).
    ///
    /// ```
    /// use passthru::scsi::{AdditionalSense, SenseBuffer, SenseKey};
    ///
    /// let buffer = SenseBuffer::fixed(SenseKey::NOT_READY, AdditionalSense::BECOMING_READY);
    /// assert_eq!(buffer.sense().additional(), Some(AdditionalSense::BECOMING_READY));
    /// ```
    #[must_use]
    pub fn fixed(key: SenseKey, additional: AdditionalSense) -> Self {
        let (asc, ascq) = (additional.asc, additional.ascq);
        Self::from_slice(&[
            0x70, 0, key.0, 0, 0, 0, 0, 10, 0, 0, 0, 0, asc, ascq, 0, 0, 0, 0,
        ])
    }

    /// The bytes that arrived.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// How many bytes arrived.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// True when no sense data arrived.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The whole storage, for a transport to fill. [`set_len`](Self::set_len) then says how much of
    /// it is sense data.
    #[must_use]
    pub const fn as_mut_array(&mut self) -> &mut [u8; Self::CAPACITY] {
        &mut self.bytes
    }

    /// Says how many bytes of the storage are sense data: the kernel's `sb_len_wr` or
    /// `response_len`. More than [`CAPACITY`](Self::CAPACITY) counts as `CAPACITY`.
    pub fn set_len(&mut self, len: usize) {
        self.len = u8::try_from(len.min(Self::CAPACITY)).unwrap_or(0);
    }

    /// The bytes as sense data.
    #[must_use]
    pub fn sense(&self) -> Sense<'_> {
        Sense::parse(self.as_bytes())
    }
}

impl Default for SenseBuffer {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for SenseBuffer {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for SenseBuffer {}

impl core::hash::Hash for SenseBuffer {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl AsRef<[u8]> for SenseBuffer {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl From<&[u8]> for SenseBuffer {
    fn from(bytes: &[u8]) -> Self {
        Self::from_slice(bytes)
    }
}

impl fmt::Debug for SenseBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SenseBuffer({})", Hex(self.as_bytes()))
    }
}

/// Writes bytes as pairs of hex digits with a space between.
pub(super) struct Hex<'a>(pub(super) &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(f, "{gap}{byte:02x}")?;
        }
        Ok(())
    }
}

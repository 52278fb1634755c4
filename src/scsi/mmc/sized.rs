//! Replies that say in their first bytes how long they are.

use crate::scsi::{LengthLie, Malformed, ReplyBytes, lengths, wire};

/// The bytes of a reply that begins with its own length, as most of MMC's do.
///
/// It ends where the length field says or where the bytes end that came,
/// whichever is first. What a field says is never believed beyond that.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::ReadToc};
///
/// // The first 4 bytes of a table of contents, to learn how long it is.
/// let command = ReadToc::tracks().allocation_length(4);
/// let toc = command.parse(ReplyBytes::borrowed(&[0x00, 0x12, 1, 1]))?;
/// assert!(toc.reply().is_truncated());
/// assert_eq!(toc.reply().needed_length(), Some(20));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizedReply<'a> {
    bytes: ReplyBytes<'a>,
    asked: usize,
    claimed: usize,
    least: usize,
}

impl<'a> SizedReply<'a> {
    /// A reply whose length field has 16 bits. `asked` bytes were asked for,
    /// and no such reply has fewer than `least`.
    ///
    /// # Errors
    /// [`Malformed::Short`] if not even `header` bytes came.
    pub(super) fn with_16_bits(
        bytes: ReplyBytes<'a>,
        asked: usize,
        header: usize,
        least: usize,
    ) -> Result<Self, Malformed> {
        let length = wire::be16(&bytes, 0).map(|length| usize::from(length).saturating_add(2));
        Self::new(bytes, asked, header, least, length)
    }

    /// A reply whose length field has 32 bits.
    ///
    /// # Errors
    /// [`Malformed::Short`] if not even `header` bytes came.
    pub(super) fn with_32_bits(
        bytes: ReplyBytes<'a>,
        asked: usize,
        header: usize,
        least: usize,
    ) -> Result<Self, Malformed> {
        let length = wire::be32(&bytes, 0).map(|length| {
            usize::try_from(length)
                .unwrap_or(usize::MAX)
                .saturating_add(4)
        });
        Self::new(bytes, asked, header, least, length)
    }

    fn new(
        bytes: ReplyBytes<'a>,
        asked: usize,
        header: usize,
        least: usize,
        claimed: Option<usize>,
    ) -> Result<Self, Malformed> {
        lengths::enough(&bytes, header)?;
        Ok(Self {
            asked,
            // Every header has its length field within it.
            claimed: claimed.unwrap_or(0),
            least,
            bytes,
        })
    }

    /// How long the reply is in bytes by its own length field, the field
    /// counted.
    #[must_use]
    pub const fn claimed_length(&self) -> usize {
        self.claimed
    }

    /// The reply from its byte 0 to its end, so that offsets are those of the
    /// specification.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        wire::head(&self.bytes, self.claimed)
    }

    /// All bytes that arrived, also those past the reply's end.
    #[must_use]
    pub fn arrived(&self) -> &[u8] {
        &self.bytes
    }

    /// What comes after the first `header` bytes.
    pub(super) fn list(&self, header: usize) -> &[u8] {
        self.as_bytes().get(header..).unwrap_or_default()
    }

    /// A number whose upper byte is elsewhere: 0 in a reply that ends before it by
    /// its own length, unknown if it only did not come.
    pub(super) fn split_number(&self, low: usize, high: usize) -> Option<u16> {
        let low = wire::byte(self.as_bytes(), low)?;
        let high = match wire::byte(self.as_bytes(), high) {
            Some(high) => high,
            None if self.claimed > high => return None,
            None => 0,
        };
        Some(u16::from_be_bytes([high, low]))
    }

    /// Whether there is more than what was asked for.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        lengths::needed(self.claimed, self.bytes.len(), self.asked).is_some()
    }

    /// The allocation length in bytes that fetches all of it, if there is more
    /// than what was asked for: at most 65,535, and otherwise even, because ATAPI
    /// moves words and some drives do not end a transfer with half of one.
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        lengths::needed_two_bytes(self.claimed, self.bytes.len(), self.asked)
    }

    /// Whether the length field contradicts the transfer: more than came, though
    /// more was asked for, or less than came and less than such a reply has.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        lengths::lie(self.claimed, self.least, self.bytes.len(), self.asked)
    }
}

#[cfg(test)]
#[path = "sized_tests.rs"]
mod tests;

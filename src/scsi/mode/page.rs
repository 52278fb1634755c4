//! Mode pages: walking them, keeping one, changing it.

use core::fmt;

use super::PageCode;
use crate::scsi::{LengthLie, Malformed, wire};

/// A mode page in a reply (SPC-4 7.5.7), as far as it is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModePage<'a> {
    bytes: &'a [u8],
}

impl<'a> ModePage<'a> {
    /// The page code, without the PS and SPF bits beside it.
    #[must_use]
    pub fn code(&self) -> PageCode {
        PageCode(wire::byte(self.bytes, 0).unwrap_or(0) & 0x3f)
    }

    /// Whether the device can save the page (PS).
    #[must_use]
    #[doc(alias = "PS")]
    pub fn is_saveable(&self) -> bool {
        wire::flag(self.bytes, 0, 0x80) == Some(true)
    }

    /// Whether it has the header of four bytes with a subpage code (SPF).
    #[must_use]
    #[doc(alias = "SPF")]
    pub fn has_subpage(&self) -> bool {
        // Page 00h has no format to rely on.
        self.code() != PageCode::VENDOR && wire::flag(self.bytes, 0, 0x40) == Some(true)
    }

    /// The subpage code: 0 for a page that has none, `None` if it did not come.
    #[must_use]
    #[doc(alias = "SUBPAGE CODE")]
    pub fn subpage(&self) -> Option<u8> {
        if self.has_subpage() {
            wire::byte(self.bytes, 1)
        } else {
            Some(0)
        }
    }

    /// The page length as the device has it, without the header; `None` if that
    /// did not come, and for page 00h.
    #[must_use]
    #[doc(alias = "PAGE LENGTH")]
    pub fn page_length(&self) -> Option<u16> {
        if self.code() == PageCode::VENDOR {
            None
        } else if self.has_subpage() {
            wire::be16(self.bytes, 2)
        } else {
            wire::byte(self.bytes, 1).map(u16::from)
        }
    }

    fn header(&self) -> usize {
        if self.has_subpage() { 4 } else { 2 }
    }

    /// The page from its byte 0, so that offsets are those of the specification.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The page without its header; for page 00h all but its first byte.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        let header = match self.code() {
            PageCode::VENDOR => 1,
            _ => self.header(),
        };
        self.bytes.get(header..).unwrap_or_default()
    }

    /// Whether the page is said to be longer than what is there of it. That is so
    /// for the last page of a reply that was cut, too.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let claimed = usize::from(self.page_length()?).saturating_add(self.header());
        let arrived = self.bytes.len();
        (claimed > arrived).then_some(LengthLie::TooHigh { claimed, arrived })
    }

    /// A copy that can be changed and sent back.
    #[must_use]
    pub fn to_owned_page(&self) -> OwnedPage {
        OwnedPage {
            bytes: self.bytes.to_vec(),
        }
    }
}

impl fmt::Debug for ModePage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModePage({}", self.code())?;
        match self.subpage() {
            Some(subpage) if self.has_subpage() => write!(f, "/{subpage:02X}h")?,
            Some(_) => {}
            None => write!(f, "/?")?,
        }
        write!(f, ", {:02x?})", self.bytes)
    }
}

/// The pages of a reply, in the device's order.
///
/// A page whose length reaches past the end comes as far as it is there, and is
/// the last. So is page 00h, which need have no length: it takes the rest.
#[derive(Clone, Debug)]
pub struct ModePages<'a> {
    rest: &'a [u8],
}

impl<'a> ModePages<'a> {
    /// Walks bytes that begin with a page.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }
}

impl<'a> Iterator for ModePages<'a> {
    type Item = ModePage<'a>;

    fn next(&mut self) -> Option<ModePage<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let whole = ModePage { bytes: self.rest };
        let length = whole
            .page_length()
            .map(|length| usize::from(length).saturating_add(whole.header()));
        let (bytes, rest) = length
            .and_then(|length| self.rest.split_at_checked(length))
            .unwrap_or((self.rest, &[]));
        self.rest = rest;
        Some(ModePage { bytes })
    }
}

impl core::iter::FusedIterator for ModePages<'_> {}

/// The page ends before the field that was to be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the mode page has {len} bytes, the field ends at byte {end}")]
pub struct NotInPage {
    /// Where the field would end, in bytes from the page's beginning.
    pub end: usize,
    /// The page's length in bytes.
    pub len: usize,
}

/// A mode page with memory of its own, to be changed and sent back by MODE SELECT.
/// Bits that nobody set stay as the device had them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OwnedPage {
    bytes: Vec<u8>,
}

impl OwnedPage {
    /// A page of zeros with this code and so many bytes of data behind its header
    /// of two.
    #[must_use]
    pub fn zeroed(code: PageCode, page_length: u8) -> Self {
        let mut bytes = vec![0; usize::from(page_length) + 2];
        if let [first, second, ..] = bytes.as_mut_slice() {
            *first = code.0 & 0x3f;
            *second = page_length;
        }
        Self { bytes }
    }

    /// The same page as one of a reply.
    #[must_use]
    pub fn as_page(&self) -> ModePage<'_> {
        ModePage { bytes: &self.bytes }
    }

    /// The page from its byte 0, with the PS bit as the device had it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The page's bytes, to be changed where it has no type here. The header must
    /// stay what it is.
    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        wire::byte(&self.bytes, offset)
    }

    pub(super) fn flag(&self, offset: usize, mask: u8) -> Option<bool> {
        wire::flag(&self.bytes, offset, mask)
    }

    /// The bits of `mask` in the byte at `offset`, shifted down.
    pub(super) fn field(&self, offset: usize, mask: u8) -> Option<u8> {
        Some((self.byte(offset)? & mask) >> mask.trailing_zeros().min(7))
    }

    pub(super) fn be16(&self, offset: usize) -> Option<u16> {
        wire::be16(&self.bytes, offset)
    }

    pub(super) fn be32(&self, offset: usize) -> Option<u32> {
        wire::be32(&self.bytes, offset)
    }

    /// Replaces the bits of `mask` in the byte at `offset`.
    pub(super) fn set_field(
        &mut self,
        offset: usize,
        mask: u8,
        value: u8,
    ) -> Result<(), NotInPage> {
        let len = self.bytes.len();
        let end = offset.saturating_add(1);
        let byte = self.bytes.get_mut(offset).ok_or(NotInPage { end, len })?;
        let value = value << mask.trailing_zeros().min(7);
        *byte = (*byte & !mask) | (value & mask);
        Ok(())
    }

    pub(super) fn set_flag(&mut self, offset: usize, mask: u8, on: bool) -> Result<(), NotInPage> {
        self.set_field(offset, mask, u8::from(on))
    }

    pub(super) fn set_bytes(&mut self, offset: usize, value: &[u8]) -> Result<(), NotInPage> {
        let len = self.bytes.len();
        let end = offset.saturating_add(value.len());
        let place = self.bytes.get_mut(offset..end);
        place.ok_or(NotInPage { end, len })?.copy_from_slice(value);
        Ok(())
    }
}

impl fmt::Debug for OwnedPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_page().fmt(f)
    }
}

impl From<ModePage<'_>> for OwnedPage {
    fn from(page: ModePage<'_>) -> Self {
        page.to_owned_page()
    }
}

/// A mode page whose fields have names. It holds the page's bytes, so that what it
/// does not know comes back to the device unchanged.
///
/// A caller's own page can be one too.
pub trait TypedPage: From<OwnedPage> + AsRef<OwnedPage> {
    /// Its page code.
    const CODE: PageCode;

    /// Reads a page of a reply.
    ///
    /// # Errors
    /// [`Malformed::OtherPage`] if it is another one.
    fn read(page: &ModePage<'_>) -> Result<Self, Malformed> {
        if page.code() != Self::CODE || page.has_subpage() {
            return Err(Malformed::OtherPage {
                asked: Self::CODE.0,
                got: page.code().0,
            });
        }
        Ok(page.to_owned_page().into())
    }
}

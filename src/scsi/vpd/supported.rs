//! VPD page 00h: supported pages.

use super::{Malformed, Vpd, VpdCode, VpdPage};

/// Asks for page 00h, the list of pages (SPC-6 7.7).
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::{SupportedPages, VpdCode}};
///
/// let reply = ReplyBytes::borrowed(&[0x00, 0x00, 0x00, 0x03, 0x00, 0x80, 0x83]);
/// let page = Inquiry::vpd(SupportedPages).parse(reply)?;
/// assert!(page.contains(VpdCode::SERIAL_NUMBER));
/// assert_eq!(page.pages().count(), 3);
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SupportedPages;

impl Vpd for SupportedPages {
    type Page<'a> = SupportedPagesPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::SUPPORTED_PAGES
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<SupportedPagesPage<'a>, Malformed> {
        Ok(SupportedPagesPage(page))
    }
}

/// VPD page 00h, as it arrived.
///
/// The list is what the device claims. Entries may be junk, and each page can
/// still be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportedPagesPage<'a>(VpdPage<'a>);

impl<'a> SupportedPagesPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    /// The codes in the list, in the device's order.
    pub fn pages(&self) -> impl Iterator<Item = VpdCode> + '_ {
        self.0.data().iter().copied().map(VpdCode)
    }

    /// Whether the list has this page.
    #[must_use]
    pub fn contains(&self, code: VpdCode) -> bool {
        self.pages().any(|page| page == code)
    }
}

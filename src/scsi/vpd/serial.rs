//! VPD page 80h: unit serial number.

use super::{Malformed, Text, Vpd, VpdCode, VpdPage};

/// Asks for page 80h, the unit serial number (SPC-6 7.7).
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::SerialNumber};
///
/// let reply = ReplyBytes::borrowed(b"\0\x80\0\x08S0123   ");
/// let page = Inquiry::vpd(SerialNumber).parse(reply)?;
/// assert_eq!(page.serial(), "S0123");
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("VPD 80h", "unit serial number"))]
pub struct SerialNumber;

impl Vpd for SerialNumber {
    type Page<'a> = SerialNumberPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::SERIAL_NUMBER
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<SerialNumberPage<'a>, Malformed> {
        Ok(SerialNumberPage(page))
    }
}

/// VPD page 80h, as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerialNumberPage<'a>(VpdPage<'a>);

impl<'a> SerialNumberPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    /// The serial number, of whatever length. A USB or RAID bridge may give one
    /// of its own instead of the drive's.
    #[must_use]
    pub fn serial(&self) -> Text<'_> {
        Text::new(self.0.data())
    }
}

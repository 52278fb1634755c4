//! Vital product data pages (SPC-6 7.7): INQUIRY with a page code.
//!
//! A page is asked for by its marker and comes back parsed:
//! `Inquiry::vpd(SerialNumber)` gives a [`SerialNumberPage`]. A [`VpdCode`] is a
//! marker too, for pages that have no type here, and a caller's own type can be
//! one by implementing [`Vpd`].
//!
//! Which pages a device has is in page 00h ([`SupportedPages`]). Its list may
//! be wrong, and a device may refuse (05/24/00) what it lists.

mod block_characteristics;
mod block_limits;
mod code;
mod designator_fields;
mod designators;
mod provisioning;
mod serial;
mod supported;

pub use block_characteristics::{
    BlockCharacteristics, BlockCharacteristicsPage, FormFactor, MediumRotation, Zoned,
};
pub use block_limits::{BlockLimits, BlockLimitsPage};
pub use code::VpdCode;
pub use designator_fields::{Association, CodeSet, DesignatorType, ProtocolIdentifier};
pub use designators::{
    Designator, DesignatorValue, Designators, DesignatorsPage, DeviceIdentification,
};
pub use provisioning::{Provisioning, ProvisioningPage, ProvisioningType, UnmappedReads};
pub use serial::{SerialNumber, SerialNumberPage};
pub use supported::{SupportedPages, SupportedPagesPage};

use super::{
    Cdb, Command, DataIn, DeviceType, LengthLie, LengthMismatch, Malformed, PeripheralQualifier,
    Query, ReplyBytes, Text, inquiry::inquiry_cdb, wire,
};

/// A kind of vital product data page: its code, and how its bytes are read.
///
/// ```
/// use passthru::scsi::{Inquiry, Malformed, Query, ReplyBytes, vpd::{Vpd, VpdCode, VpdPage}};
///
/// /// A vendor's page C0h: the firmware's number in bytes 4 and 5.
/// struct Firmware;
///
/// impl Vpd for Firmware {
///     type Page<'a> = Option<u16>;
///     fn code(&self) -> VpdCode {
///         VpdCode(0xc0)
///     }
///     fn read<'a>(&self, page: VpdPage<'a>) -> Result<Option<u16>, Malformed> {
///         Ok(page.data().first_chunk().map(|two| u16::from_be_bytes(*two)))
///     }
/// }
///
/// let reply = ReplyBytes::borrowed(&[0x00, 0xc0, 0x00, 0x02, 0x01, 0x05]);
/// assert_eq!(Inquiry::vpd(Firmware).parse(reply)?, Some(0x105));
/// # Ok::<(), Malformed>(())
/// ```
pub trait Vpd {
    /// The parsed page.
    type Page<'a>;

    /// The page code.
    fn code(&self) -> VpdCode;

    /// Reads a page whose header has been checked.
    ///
    /// # Errors
    /// [`Malformed`] if the bytes cannot be that page.
    fn read<'a>(&self, page: VpdPage<'a>) -> Result<Self::Page<'a>, Malformed>;
}

/// INQUIRY for a vital product data page (EVPD bit set); made by
/// [`Inquiry::vpd`](super::Inquiry::vpd).
///
/// ```
/// use passthru::scsi::{Command, Inquiry, vpd::SerialNumber};
///
/// let cdb = Inquiry::vpd(SerialNumber).cdb_for(252)?;
/// assert_eq!(cdb.as_bytes(), [0x12, 0x01, 0x80, 0x00, 0xfc, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("INQUIRY", "EVPD"))]
pub struct VpdInquiry<P> {
    page: P,
    allocation_length: u16,
}

impl<P> VpdInquiry<P> {
    pub(super) const fn new(page: P) -> Self {
        Self {
            page,
            allocation_length: 252,
        }
    }

    /// How many bytes to ask for: 5 to 65,535, 252 without this. Devices older
    /// than SPC-3 see the low byte only, so ask for more than 255 only when
    /// [`VpdPage::needed_length`] says so.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl<P: Vpd> Command for VpdInquiry<P> {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        inquiry_cdb(Some(self.page.code()), data_len)
    }
}

impl<P: Vpd> DataIn for VpdInquiry<P> {}

impl<P: Vpd> Query for VpdInquiry<P> {
    type Reply<'a> = P::Page<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<P::Page<'a>, Malformed> {
        let asked = self.reply_length();
        self.page
            .read(VpdPage::checked(self.page.code(), reply, asked)?)
    }
}

impl Vpd for VpdCode {
    type Page<'a> = VpdPage<'a>;

    fn code(&self) -> VpdCode {
        *self
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<VpdPage<'a>, Malformed> {
        Ok(page)
    }
}

/// The header of a VPD page, in bytes.
const HEADER: usize = 4;

/// A vital product data page whose header has been checked (SPC-6 7.7).
///
/// The page ends where its length field says or where the bytes end that came,
/// whichever is first: devices fill up with spaces, zeros, or old memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VpdPage<'a> {
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> VpdPage<'a> {
    /// Reads bytes that came from elsewhere (a file, `vpd_pg80` in sysfs) as
    /// the page with this code.
    ///
    /// ```
    /// use passthru::scsi::{ReplyBytes, vpd::{SerialNumber, Vpd, VpdCode, VpdPage}};
    ///
    /// let bytes = ReplyBytes::borrowed(b"\0\x80\0\x06  AB12");
    /// let page = VpdPage::parse(VpdCode::SERIAL_NUMBER, bytes)?;
    /// assert_eq!(SerialNumber.read(page)?.serial(), "AB12");
    /// # Ok::<(), passthru::scsi::Malformed>(())
    /// ```
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4, `NoLogicalUnit` if the
    /// peripheral qualifier says so, `OtherPage` if it is another page, and
    /// `StandardInquiry` if it is standard INQUIRY data that looks like page 00h
    /// or 80h.
    pub fn parse(code: VpdCode, bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::checked(code, bytes, asked)
    }

    fn checked(code: VpdCode, bytes: ReplyBytes<'a>, asked: usize) -> Result<Self, Malformed> {
        let [first, got, _, _, ..] = *bytes else {
            return Err(short(&bytes));
        };
        // Before the page code: where there is no logical unit, some targets
        // set the qualifier and leave the rest of the page unfilled.
        if PeripheralQualifier::of(first) == PeripheralQualifier::NO_LOGICAL_UNIT {
            return Err(Malformed::NoLogicalUnit);
        }
        if got != code.0 {
            return Err(Malformed::OtherPage { asked: code.0, got });
        }
        let page = Self { bytes, asked };
        if page.is_standard_inquiry() {
            return Err(Malformed::StandardInquiry { asked: code.0 });
        }
        Ok(page)
    }

    /// Whether the bytes are standard INQUIRY data from a device that ignores
    /// the EVPD bit. Byte 1 of those is 00h, or 80h with a removable medium,
    /// and then passes for the code of page 00h or 80h.
    fn is_standard_inquiry(&self) -> bool {
        let [_, code @ (0x00 | 0x80), version, format, length, rest @ ..] = &*self.bytes else {
            return false;
        };
        let Some((flags, names)) = rest.split_first_chunk::<3>() else {
            return false;
        };
        let names = wire::head(names, 28);
        let has_names = flags.iter().any(|byte| !is_text(*byte))
            && names.len() >= 8
            && names.iter().all(|&byte| is_text(byte) || byte == 0)
            && names.iter().any(u8::is_ascii_alphanumeric);
        // 1Fh is the usual additional length, and begins no list and no serial.
        let looks_standard =
            *version <= 0x0f && format & 0x0f <= 2 && (has_names || *length == 0x1f);
        looks_standard && !self.is_plausible_page(*code)
    }

    /// Whether page 00h or 80h is one: it has what its length says, that makes
    /// sense, and only filling comes after it, or else it is beyond doubt.
    fn is_plausible_page(&self, code: u8) -> bool {
        let complete = self.claimed() <= self.bytes.len();
        // A list of pages in their order needs no clean end: QEMU's IDE drive has
        // its standard data there. No standard data looks like one: it would be
        // that of a device of no standard, with no byte after the fifth, and yet
        // with flags in the sixth.
        let list = self.data();
        if code == 0 && complete && list.len() >= 2 && list.is_sorted_by(|a, b| a < b) {
            return list.first() == Some(&0);
        }
        let tail = self.bytes.get(self.claimed()..).unwrap_or_default();
        let sensible = match code {
            0x00 => self.data().first() == Some(&0),
            _ => {
                let serial = Text::new(self.data());
                !serial.is_empty() && serial.trimmed_bytes().iter().all(|&byte| byte >= b' ')
            }
        };
        complete && sensible && tail.iter().all(|byte| matches!(byte, 0 | b' ' | 0xff))
    }

    fn claimed(&self) -> usize {
        usize::from(self.page_length()).saturating_add(HEADER)
    }

    /// The same page, free of the borrow.
    #[must_use]
    pub fn into_owned(self) -> VpdPage<'static> {
        VpdPage {
            bytes: self.bytes.into_owned(),
            asked: self.asked,
        }
    }

    /// Whether there is a logical unit behind the answer.
    #[must_use]
    pub fn peripheral_qualifier(&self) -> PeripheralQualifier {
        PeripheralQualifier::of(wire::byte(&self.bytes, 0).unwrap_or(0))
    }

    /// What kind of device it is.
    #[must_use]
    pub fn device_type(&self) -> DeviceType {
        DeviceType(wire::byte(&self.bytes, 0).unwrap_or(0) & 0x1f)
    }

    /// The page code.
    #[must_use]
    pub fn code(&self) -> VpdCode {
        VpdCode(wire::byte(&self.bytes, 1).unwrap_or(0))
    }

    /// The page length as the device has it (bytes 2 and 3): how many bytes
    /// follow the 4 of the header.
    #[must_use]
    pub fn page_length(&self) -> u16 {
        wire::be16(&self.bytes, 2).unwrap_or(0)
    }

    /// The page from its byte 0 to its end, so that offsets are those of the
    /// specification.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        wire::head(&self.bytes, self.claimed())
    }

    /// The page without its header.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        self.as_bytes().get(HEADER..).unwrap_or_default()
    }

    /// All bytes that arrived, also those past the page's end.
    #[must_use]
    pub fn arrived(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the page is longer than what was asked for.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        let arrived = self.bytes.len();
        self.claimed() > arrived && arrived >= self.asked
    }

    /// The allocation length in bytes that fetches the whole page, if it is
    /// longer than what was asked for, to be used like this:
    ///
    /// ```
    /// use passthru::{Result, ScsiTransport, ScsiTransportExt};
    /// use passthru::scsi::{Inquiry, VpdCode, VpdPage};
    ///
    /// fn whole_page(device: &impl ScsiTransport, code: VpdCode) -> Result<VpdPage<'static>> {
    ///     let inquiry = Inquiry::vpd(code);
    ///     let page = device.query(&inquiry)?;
    ///     match page.needed_length() {
    ///         Some(needed) => device.query(&inquiry.allocation_length(needed)),
    ///         None => Ok(page),
    ///     }
    /// }
    /// ```
    ///
    /// A page can have up to 65,539 bytes, of which INQUIRY fetches 65,535: this
    /// is never more than that, and `None` once so many have come, though the
    /// page is still [truncated](Self::is_truncated).
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        let needed = u16::try_from(self.claimed()).unwrap_or(u16::MAX);
        (self.is_truncated() && usize::from(needed) > self.bytes.len()).then_some(needed)
    }

    /// Whether the page length says more than came, though more was asked for.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let (claimed, arrived) = (self.claimed(), self.bytes.len());
        (claimed > arrived && arrived < self.asked)
            .then_some(LengthLie::TooHigh { claimed, arrived })
    }
}

/// Whether it is a printable ASCII character.
fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

fn short(bytes: &[u8]) -> Malformed {
    Malformed::Short {
        need: HEADER,
        got: bytes.len(),
    }
}

#[cfg(test)]
mod tests;

//! INQUIRY and its standard data.

mod fields;
mod standard;

pub use fields::{LengthLie, PeripheralQualifier, ScsiVersion, Tpgs};
pub use standard::StandardInquiry;

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{
    Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, Vpd, VpdCode, VpdInquiry,
    lengths,
};

/// INQUIRY (12h, SPC-6 6.7): what kind of device is this?
///
/// It never waits for the medium, clears no unit attention, and every device
/// answers it, even an address without a logical unit. [`Inquiry::standard`]
/// asks for the standard data, [`Inquiry::vpd`] for a vital product data page.
///
/// Only 36 bytes are asked for at first: some devices hang or fail when asked
/// for more than they have. [`StandardInquiry::needed_length`] says how much a
/// second command could fetch.
///
/// ```
/// use passthru::scsi::{Command, Inquiry, Query, ReplyBytes};
///
/// let inquiry = Inquiry::standard();
/// assert_eq!(inquiry.cdb_for(36)?.as_bytes(), [0x12, 0, 0, 0, 36, 0]);
///
/// let reply = b"\x05\x80\x05\x12\x5b\0\0\x12QEMU    QEMU CD-ROM     2.5+";
/// let data = inquiry.parse(ReplyBytes::borrowed(reply)).unwrap();
/// assert_eq!(data.vendor(), "QEMU");
/// assert_eq!(data.product(), "QEMU CD-ROM");
/// assert!(data.removable());
/// assert_eq!(data.needed_length(), Some(96));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "INQUIRY")]
pub struct Inquiry {
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    page_code: u8,
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 6);

/// The standard data up to the additional length; a VPD page needs no more.
const MIN: usize = 5;

/// What every device since SCSI-2 has: all up to the product revision.
const MANDATORY: usize = 36;

/// The CDB of both kinds of INQUIRY; `page` makes it one for vital product data.
pub(super) fn inquiry_cdb(page: Option<VpdCode>, data_len: usize) -> Result<Cdb, LengthMismatch> {
    let allocation_length = lengths::two_bytes(data_len, MIN)?;
    Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire {
        opcode: 0x12,
        flags: u8::from(page.is_some()),
        page_code: page.map_or(0, |code| code.0),
        allocation_length: U16::new(allocation_length),
        control: 0,
    })))
}

impl Inquiry {
    /// Asks for the standard data, 36 bytes of it.
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            allocation_length: 36,
        }
    }

    /// Asks for a vital product data page, for instance
    /// `Inquiry::vpd(SerialNumber)`. A [`VpdCode`] is a page as well, one whose
    /// bytes are left to the caller.
    #[must_use]
    #[doc(alias = "EVPD")]
    pub const fn vpd<P: Vpd>(page: P) -> VpdInquiry<P> {
        VpdInquiry::new(page)
    }

    /// Asks for the vital product data page with this code, whatever it is; the
    /// reply is checked to be that page.
    #[must_use]
    pub const fn vpd_raw(code: u8) -> VpdInquiry<VpdCode> {
        VpdInquiry::new(VpdCode(code))
    }

    /// How many bytes to ask for: 5 to 65,535. Devices older than SPC-3 see the
    /// low byte only, so 256 means nothing to them: use at most 255 unless the
    /// device said that there is more.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for Inquiry {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        inquiry_cdb(None, data_len)
    }
}

impl DataIn for Inquiry {}

impl Query for Inquiry {
    type Reply<'a> = StandardInquiry<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<StandardInquiry<'a>, Malformed> {
        StandardInquiry::asked(reply, self.reply_length())
    }
}

#[cfg(test)]
mod golden;
#[cfg(test)]
#[path = "inquiry_tests.rs"]
mod tests;

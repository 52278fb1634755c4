//! MODE SELECT(6) and (10), and the parameter list that they send.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{ModeForm, OwnedPage};
use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, lengths};

/// MODE SELECT(6) (15h, SPC-4 6.9): changes mode pages, by a list of up to 255
/// bytes made by [`ModeList::six`].
///
/// ```
/// use passthru::scsi::{Command, mode::ModeSelect6};
///
/// assert_eq!(ModeSelect6::new().cdb_for(24)?.as_bytes(), [0x15, 0x10, 0, 0, 24, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MODE_SELECT", "MODE_SELECT_6"))]
pub struct ModeSelect6 {
    flags: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire6 {
    opcode: u8,
    flags: u8,
    reserved: [u8; 2],
    parameter_list_length: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire6>() == 6);

/// Page format.
const PF: u8 = 0x10;
/// Save pages.
const SP: u8 = 0x01;

const fn with(flags: u8, bit: u8, on: bool) -> u8 {
    if on { flags | bit } else { flags & !bit }
}

impl ModeSelect6 {
    /// Changes the current values.
    #[must_use]
    pub const fn new() -> Self {
        Self { flags: PF }
    }

    /// Whether the device also saves them over a loss of power (SP).
    #[must_use]
    #[doc(alias = "SP")]
    pub const fn save(mut self, save: bool) -> Self {
        self.flags = with(self.flags, SP, save);
        self
    }

    /// Whether the pages are in the format of the standards (PF), which is so
    /// without this.
    #[must_use]
    #[doc(alias = "PF")]
    pub const fn page_format(mut self, standard: bool) -> Self {
        self.flags = with(self.flags, PF, standard);
        self
    }
}

impl Default for ModeSelect6 {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for ModeSelect6 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let parameter_list_length = lengths::one_byte(data_len, ModeForm::Six.header())?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire6 {
            opcode: 0x15,
            flags: self.flags,
            reserved: [0; 2],
            parameter_list_length,
            control: 0,
        })))
    }
}

impl DataOut for ModeSelect6 {}

/// MODE SELECT(10) (55h, SPC-4 6.10, MMC-6 clause 6): changes mode pages, by a list
/// made by [`ModeList::ten`].
///
/// On `/dev/sr*` and `/dev/sd*` the kernel refuses it (EPERM) to users without
/// `CAP_SYS_RAWIO` who opened the node read-only. A drive that refuses a value
/// answers 05/26/00.
///
/// ```
/// use passthru::scsi::{Command, mode::ModeSelect10};
///
/// let select = ModeSelect10::new();
/// assert_eq!(select.cdb_for(60)?.as_bytes(), [0x55, 0x10, 0, 0, 0, 0, 0, 0, 60, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MODE_SELECT_10", "GPCMD_MODE_SELECT_10"))]
pub struct ModeSelect10 {
    flags: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire10 {
    opcode: u8,
    flags: u8,
    reserved: [u8; 5],
    parameter_list_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire10>() == 10);

impl ModeSelect10 {
    /// Changes the current values.
    #[must_use]
    pub const fn new() -> Self {
        Self { flags: PF }
    }

    /// Whether the device also saves them over a loss of power (SP).
    #[must_use]
    #[doc(alias = "SP")]
    pub const fn save(mut self, save: bool) -> Self {
        self.flags = with(self.flags, SP, save);
        self
    }

    /// Whether the pages are in the format of the standards (PF), which is so
    /// without this.
    #[must_use]
    #[doc(alias = "PF")]
    pub const fn page_format(mut self, standard: bool) -> Self {
        self.flags = with(self.flags, PF, standard);
        self
    }
}

impl Default for ModeSelect10 {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for ModeSelect10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let parameter_list_length = lengths::two_bytes(data_len, ModeForm::Ten.header())?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire10 {
            opcode: 0x55,
            flags: self.flags,
            reserved: [0; 5],
            parameter_list_length: U16::new(parameter_list_length),
            control: 0,
        })))
    }
}

impl DataOut for ModeSelect10 {}

/// The data of MODE SELECT: a header, block descriptors if wanted, and pages.
///
/// The header's length field is reserved here and stays 0, as do the medium type
/// and the device-specific parameter unless they are set; the PS bit of each page
/// is cleared, as MODE SELECT demands.
///
/// ```
/// use passthru::{Result, ScsiTransport, ScsiTransportExt};
/// use passthru::scsi::mode::{ErrorRecovery, ModeList, ModeSelect10, ModeSense10, PageCode};
///
/// /// Has the drive give up after one retry, and return what it has.
/// fn hurry(drive: &impl ScsiTransport) -> Result<()> {
///     let data = drive.query(&ModeSense10::new(PageCode::ERROR_RECOVERY))?;
///     if let Ok(Some(mut page)) = data.find::<ErrorRecovery>() {
///         if page.set_transfer_block(true).is_ok() && page.set_read_retry_count(1).is_ok() {
///             drive.write(&ModeSelect10::new(), ModeList::ten().page(&page).as_bytes())?;
///         }
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "mode parameter list")]
pub struct ModeList {
    form: ModeForm,
    bytes: Vec<u8>,
}

impl ModeList {
    /// A list for [`ModeSelect6`].
    #[must_use]
    pub fn six() -> Self {
        Self::new(ModeForm::Six)
    }

    /// A list for [`ModeSelect10`].
    #[must_use]
    pub fn ten() -> Self {
        Self::new(ModeForm::Ten)
    }

    /// A list with this header and nothing behind it.
    #[must_use]
    pub fn new(form: ModeForm) -> Self {
        Self {
            form,
            bytes: vec![0; form.header()],
        }
    }

    fn put(&mut self, offset: usize, value: u8) {
        if let Some(byte) = self.bytes.get_mut(offset) {
            *byte = value;
        }
    }

    /// Puts in the medium type.
    #[must_use]
    pub fn medium_type(mut self, medium_type: u8) -> Self {
        self.put(self.form.header() / 4, medium_type);
        self
    }

    /// Puts in the device-specific parameter; tapes have their buffered mode there.
    #[must_use]
    pub fn device_specific(mut self, parameter: u8) -> Self {
        self.put(self.form.header() / 4 + 1, parameter);
        self
    }

    /// Puts in a block descriptor of 8 bytes, before any page. Only the first call
    /// has an effect.
    ///
    /// `density` is byte 0, `blocks` (24 bits; 0 means all) and `block_length` (24
    /// bits) the rest.
    #[must_use]
    pub fn block_descriptor(mut self, density: u8, blocks: u32, block_length: u32) -> Self {
        let header = self.form.header();
        if self.bytes.get(header - 1) != Some(&0) {
            return self;
        }
        let [_, blocks @ ..] = blocks.to_be_bytes();
        let [_, length @ ..] = block_length.to_be_bytes();
        let descriptor = [&[density][..], &blocks, &[0], &length].concat();
        self.put(header - 1, 8);
        self.bytes.splice(header..header, descriptor);
        self
    }

    /// Adds a page. Its PS bit is cleared; all else goes as it is.
    #[must_use]
    pub fn page(mut self, page: &impl AsRef<OwnedPage>) -> Self {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(page.as_ref().as_bytes());
        if let Some(first) = self.bytes.get_mut(start) {
            *first &= 0x7f;
        }
        self
    }

    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<OwnedPage> for OwnedPage {
    fn as_ref(&self) -> &OwnedPage {
        self
    }
}

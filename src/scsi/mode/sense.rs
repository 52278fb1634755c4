//! MODE SENSE(6) and (10).

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{ModeData, ModeForm, PageCode, PageControl};
use crate::scsi::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, lengths};

/// Which page is asked for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Asked {
    code: PageCode,
    subpage: u8,
    control: PageControl,
    no_descriptors: bool,
}

impl Asked {
    const fn new(code: PageCode) -> Self {
        Self {
            code,
            subpage: 0,
            control: PageControl::Current,
            no_descriptors: false,
        }
    }

    const fn page(self) -> u8 {
        self.control.bits() | (self.code.0 & 0x3f)
    }

    const fn flags(self) -> u8 {
        if self.no_descriptors { 0x08 } else { 0 }
    }
}

/// MODE SENSE(6) (1Ah, SPC-4 6.11): reads mode pages, up to 255 bytes.
///
/// Optical drives on ATA or USB may refuse it: [`ModeSense10`] is the form that
/// MMC demands. Some disks hang on one of the two, so which one to send is the
/// caller's choice.
///
/// ```
/// use passthru::scsi::{Command, mode::{ModeSense6, PageCode}};
///
/// let sense = ModeSense6::new(PageCode::CACHING).disable_block_descriptors(true);
/// assert_eq!(sense.cdb_for(24)?.as_bytes(), [0x1a, 0x08, 0x08, 0, 24, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MODE_SENSE", "MODE_SENSE_6"))]
pub struct ModeSense6 {
    asked: Asked,
    allocation_length: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire6 {
    opcode: u8,
    flags: u8,
    page: u8,
    subpage: u8,
    allocation_length: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire6>() == 6);

impl ModeSense6 {
    /// Asks for the page with this code, or for all with [`PageCode::ALL`].
    #[must_use]
    pub const fn new(code: PageCode) -> Self {
        Self {
            asked: Asked::new(code),
            allocation_length: 252,
        }
    }

    /// Asks for a subpage; FFh with a page code for all of its subpages.
    #[must_use]
    #[doc(alias = "SUBPAGE CODE")]
    pub const fn subpage(mut self, subpage: u8) -> Self {
        self.asked.subpage = subpage;
        self
    }

    /// Which values to return; [current](PageControl::Current) without this.
    #[must_use]
    pub const fn control(mut self, control: PageControl) -> Self {
        self.asked.control = control;
        self
    }

    /// Asks for no block descriptors (DBD). A device may return them anyway.
    #[must_use]
    #[doc(alias = "DBD")]
    pub const fn disable_block_descriptors(mut self, disable: bool) -> Self {
        self.asked.no_descriptors = disable;
        self
    }

    /// How many bytes to ask for: 4 to 255, 252 without this.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u8) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for ModeSense6 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::one_byte(data_len, ModeForm::Six.header())?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire6 {
            opcode: 0x1a,
            flags: self.asked.flags(),
            page: self.asked.page(),
            subpage: self.asked.subpage,
            allocation_length,
            control: 0,
        })))
    }
}

impl DataIn for ModeSense6 {}

impl Query for ModeSense6 {
    type Reply<'a> = ModeData<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<ModeData<'a>, Malformed> {
        ModeData::asked(ModeForm::Six, reply, self.reply_length())
    }
}

/// MODE SENSE(10) (5Ah, SPC-4 6.12, MMC-6 clause 6): reads mode pages, up to 65,535
/// bytes.
///
/// ```
/// use passthru::scsi::{Command, mode::{ModeSense10, PageCode, PageControl}};
///
/// let sense = ModeSense10::new(PageCode::CAPABILITIES);
/// assert_eq!(sense.cdb_for(252)?.as_bytes(), [0x5a, 0, 0x2a, 0, 0, 0, 0, 0, 0xfc, 0]);
///
/// let mask = ModeSense10::new(PageCode::ERROR_RECOVERY).control(PageControl::Changeable);
/// assert_eq!(mask.cdb_for(252)?.as_bytes(), [0x5a, 0, 0x41, 0, 0, 0, 0, 0, 0xfc, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MODE_SENSE_10", "GPCMD_MODE_SENSE_10"))]
pub struct ModeSense10 {
    asked: Asked,
    long_lba: bool,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire10 {
    opcode: u8,
    flags: u8,
    page: u8,
    subpage: u8,
    reserved: [u8; 3],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire10>() == 10);

impl ModeSense10 {
    /// Asks for the page with this code, or for all with [`PageCode::ALL`].
    #[must_use]
    pub const fn new(code: PageCode) -> Self {
        Self {
            asked: Asked::new(code),
            long_lba: false,
            allocation_length: 252,
        }
    }

    /// Asks for a subpage; FFh with a page code for all of its subpages.
    #[must_use]
    #[doc(alias = "SUBPAGE CODE")]
    pub const fn subpage(mut self, subpage: u8) -> Self {
        self.asked.subpage = subpage;
        self
    }

    /// Which values to return; [current](PageControl::Current) without this.
    #[must_use]
    pub const fn control(mut self, control: PageControl) -> Self {
        self.asked.control = control;
        self
    }

    /// Asks for no block descriptors (DBD). A device may return them anyway.
    #[must_use]
    #[doc(alias = "DBD")]
    pub const fn disable_block_descriptors(mut self, disable: bool) -> Self {
        self.asked.no_descriptors = disable;
        self
    }

    /// Lets the device return block descriptors of 16 bytes (LLBAA).
    #[must_use]
    #[doc(alias = "LLBAA")]
    pub const fn long_lba(mut self, accepted: bool) -> Self {
        self.long_lba = accepted;
        self
    }

    /// How many bytes to ask for: 8 to 65,535, 252 without this.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for ModeSense10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, ModeForm::Ten.header())?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire10 {
            opcode: 0x5a,
            flags: self.asked.flags() | if self.long_lba { 0x10 } else { 0 },
            page: self.asked.page(),
            subpage: self.asked.subpage,
            reserved: [0; 3],
            allocation_length: U16::new(allocation_length),
            control: 0,
        })))
    }
}

impl DataIn for ModeSense10 {}

impl Query for ModeSense10 {
    type Reply<'a> = ModeData<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<ModeData<'a>, Malformed> {
        ModeData::asked(ModeForm::Ten, reply, self.reply_length())
    }
}

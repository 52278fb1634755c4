//! REPORT KEY.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32},
};

use super::KeyReply;
use crate::scsi::{
    Cdb, Command, DataIn, LengthMismatch, Malformed, NoData, Query, ReplyBytes, block_cdb::no_data,
    lengths,
};

/// An authentication grant identifier: which of its 4 authentications a drive means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "AUTHENTICATION GRANT ID")]
pub struct Agid(u8);

impl Agid {
    /// Number 0 to 3; of `number` the low 2 bits.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(number & 0x03)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    pub(super) const fn bits(self) -> u8 {
        self.0 << 6
    }
}

/// By which system keys are exchanged (KEY CLASS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyClass(pub u8);

impl KeyClass {
    /// CSS, CPPM, CPRM: DVD.
    pub const DVD: Self = Self(0x00);
    /// AACS: BD and HD DVD.
    pub const AACS: Self = Self(0x02);
}

/// What REPORT KEY reports (KEY FORMAT). The names are those of class 00h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyFormat(pub u8);

impl KeyFormat {
    /// Takes an authentication grant for CSS and CPPM.
    pub const AGID: Self = Self(0x00);
    /// A challenge from the drive.
    pub const CHALLENGE: Self = Self(0x01);
    /// The drive's answer to the host's challenge.
    pub const KEY_1: Self = Self(0x02);
    /// The title key of a sector.
    pub const TITLE_KEY: Self = Self(0x04);
    /// Whether the authentication was a success.
    pub const AUTHENTICATION_SUCCESS: Self = Self(0x05);
    /// The drive's region.
    pub const RPC_STATE: Self = Self(0x08);
    /// Takes an authentication grant for CPRM.
    pub const AGID_FOR_CPRM: Self = Self(0x11);
    /// Gives a grant back.
    pub const INVALIDATE_AGID: Self = Self(0x3f);
}

/// REPORT KEY (A4h, MMC-6 clause 6): what the drive tells of copy protection.
///
/// A grant is taken from the 4 that a drive has, and must be
/// [given back](InvalidateAgid).
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes, mmc::ReportKey};
///
/// let region = ReportKey::rpc_state();
/// assert_eq!(
///     region.cdb_for(region.reply_length())?.as_bytes(),
///     [0xa4, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 0],
/// );
/// let reply = region.parse(ReplyBytes::borrowed(&[0, 6, 0, 0, 0x65, 0xfd, 1, 0])).unwrap();
/// let state = reply.rpc_state().unwrap();
/// assert_eq!(state.user_changes(), 5);
/// assert_eq!(state.plays_region(2), Some(true));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("REPORT_KEY", "GPCMD_REPORT_KEY"))]
pub struct ReportKey {
    class: KeyClass,
    format: KeyFormat,
    agid: Agid,
    address: u32,
    blocks: u8,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: u8,
    address: U32,
    blocks: u8,
    class: u8,
    allocation_length: U16,
    format: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

/// The header of the reply.
pub(super) const HEADER: usize = 4;

impl ReportKey {
    /// Asks for what this format is, with a reply of 8 bytes unless said otherwise.
    #[must_use]
    pub const fn new(class: KeyClass, format: KeyFormat) -> Self {
        Self {
            class,
            format,
            agid: Agid::new(0),
            address: 0,
            blocks: 0,
            allocation_length: 8,
        }
    }

    /// Asks for the drive's region (class 00h, format 08h).
    #[must_use]
    pub const fn rpc_state() -> Self {
        Self::new(KeyClass::DVD, KeyFormat::RPC_STATE)
    }

    /// Takes an authentication grant for CSS (class 00h, format 00h).
    #[must_use]
    pub const fn take_agid() -> Self {
        Self::new(KeyClass::DVD, KeyFormat::AGID)
    }

    /// Under which grant.
    #[must_use]
    pub const fn agid(mut self, agid: Agid) -> Self {
        self.agid = agid;
        self
    }

    /// For which block, with a title key.
    #[must_use]
    pub const fn address(mut self, lba: u32) -> Self {
        self.address = lba;
        self
    }

    /// For how many blocks, with the binding nonce of AACS.
    #[must_use]
    pub const fn blocks(mut self, blocks: u8) -> Self {
        self.blocks = blocks;
        self
    }

    /// How many bytes to ask for, 4 or more.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }

    fn cdb(&self, allocation_length: u16) -> Cdb {
        Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xa4,
            reserved: 0,
            address: U32::new(self.address),
            blocks: self.blocks,
            class: self.class.0,
            allocation_length: U16::new(allocation_length),
            format: self.agid.bits() | (self.format.0 & 0x3f),
            control: 0,
        }))
    }
}

impl Command for ReportKey {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        Ok(self.cdb(lengths::two_bytes(data_len, HEADER)?))
    }
}

impl DataIn for ReportKey {}

impl Query for ReportKey {
    type Reply<'a> = KeyReply<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<KeyReply<'a>, Malformed> {
        KeyReply::asked(self.class, self.format, reply, self.reply_length())
    }
}

/// REPORT KEY with format 3Fh: gives an authentication grant back. It moves no data.
///
/// ```
/// use passthru::scsi::{Command, mmc::{Agid, InvalidateAgid, KeyClass}};
///
/// let back = InvalidateAgid::new(KeyClass::DVD, Agid::new(2));
/// assert_eq!(back.cdb_for(0)?.as_bytes(), [0xa4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xbf, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "GPCMD_REPORT_KEY")]
pub struct InvalidateAgid {
    command: ReportKey,
}

impl InvalidateAgid {
    /// Gives this grant back.
    #[must_use]
    pub const fn new(class: KeyClass, agid: Agid) -> Self {
        Self {
            command: ReportKey::new(class, KeyFormat::INVALIDATE_AGID).agid(agid),
        }
    }
}

impl Command for InvalidateAgid {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(self.command.cdb(0))
    }
}

impl NoData for InvalidateAgid {}

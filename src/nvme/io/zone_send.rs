//! Zone Management Send.

use std::borrow::Cow;

use super::blocks::{address, check_length};
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, NoData, Queue, Sqe, WithData,
    command::sealed::Sealed,
};

const OPCODE: u8 = 0x79;

/// What [`ZoneManagementSend`] does to a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "ZSA")]
#[non_exhaustive]
pub enum ZoneAction {
    /// 01h: gives its open resources back.
    Close,
    /// 02h: makes it full.
    Finish,
    /// 03h: opens it explicitly.
    Open,
    /// 04h: makes it empty. What it held is lost.
    Reset,
    /// 05h: takes a read-only zone offline. It cannot be read any more.
    Offline,
    /// 11h: writes out its random write area (ZRWA) up to and with the block
    /// that the command names.
    FlushRandomWriteArea,
}

impl ZoneAction {
    const fn code(self) -> u32 {
        match self {
            Self::Close => 0x01,
            Self::Finish => 0x02,
            Self::Open => 0x03,
            Self::Reset => 0x04,
            Self::Offline => 0x05,
            Self::FlushRandomWriteArea => 0x11,
        }
    }
}

/// Zone Management Send (79h): changes the state of one zone or of all. Zoned
/// Namespace Command Set 1.1, 3.4.3.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::{ZoneAction, ZoneManagementSend}};
///
/// let namespace = NvmeNamespace::open_rw("/dev/ng0n1")?;
/// namespace.execute(&ZoneManagementSend::new(ZoneAction::Reset, 0x8000))?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("nvme_zns_cmd_mgmt_send", "ZNS"))]
#[must_use]
pub struct ZoneManagementSend {
    slba: u64,
    action: ZoneAction,
    all: bool,
    option: bool,
}

impl ZoneManagementSend {
    /// Of the zone that begins at block `zslba`;
    /// [`FlushRandomWriteArea`](ZoneAction::FlushRandomWriteArea) names a block
    /// within one.
    pub const fn new(action: ZoneAction, zslba: u64) -> Self {
        Self {
            slba: zslba,
            action,
            all: false,
            option: false,
        }
    }

    /// Of all zones in the states that the action is for (Select All).
    #[doc(alias = "Select All")]
    pub const fn all(action: ZoneAction) -> Self {
        Self {
            slba: 0,
            action,
            all: true,
            option: false,
        }
    }

    /// With [`ZoneAction::Open`]: with a random write area (ZRWAA). Other
    /// actions have no such option.
    #[doc(alias("ZRWAA", "ZSASO"))]
    pub const fn random_write_area(mut self, on: bool) -> Self {
        self.option = on;
        self
    }
}

impl Sealed for ZoneManagementSend {}

impl Command for ZoneManagementSend {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, 0)?;
        let (cdw10, cdw11) = address(self.slba);
        Ok(Sqe {
            cdw10,
            cdw11,
            cdw13: u32::from(self.option) << 9 | u32::from(self.all) << 8 | self.action.code(),
            ..Sqe::new(OPCODE)
        })
    }
}

impl NoData for ZoneManagementSend {}

/// Zone Management Send (79h), Set Zone Descriptor Extension (10h): attaches
/// bytes to an empty zone. Zoned Namespace Command Set 1.1, 3.4.3.
///
/// How many the controller takes is the namespace's affair (ZDES of its LBA
/// format, in units of 64 bytes), and the command has no length. So this one
/// always has as many as there can be, 16320, the rest zeros.
///
/// ```
/// use passthru::nvme::{WithData, io::SetZoneDescriptorExtension};
///
/// let command = SetZoneDescriptorExtension::new(0x8000, b"journal 7").unwrap();
/// assert_eq!(command.data().len(), SetZoneDescriptorExtension::LENGTH);
/// assert!(SetZoneDescriptorExtension::new(0, &[0; 16321]).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("ZDES", "ZDEV"))]
#[must_use]
pub struct SetZoneDescriptorExtension {
    zslba: u64,
    data: Box<[u8]>,
}

impl SetZoneDescriptorExtension {
    /// The length of its data: 255 units of 64 bytes.
    pub const LENGTH: usize = 255 * 64;

    /// To the zone that begins at block `zslba`. `None` for more than 16320
    /// bytes.
    #[must_use]
    pub fn new(zslba: u64, extension: &[u8]) -> Option<Self> {
        let rest = Self::LENGTH.checked_sub(extension.len())?;
        let mut data = extension.to_vec();
        data.resize(extension.len() + rest, 0);
        Some(Self {
            zslba,
            data: data.into(),
        })
    }
}

impl Sealed for SetZoneDescriptorExtension {}

impl Command for SetZoneDescriptorExtension {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, Self::LENGTH)?;
        let (cdw10, cdw11) = address(self.zslba);
        Ok(Sqe {
            cdw10,
            cdw11,
            cdw13: 0x10,
            ..Sqe::new(OPCODE)
        })
    }
}

impl DataOut for SetZoneDescriptorExtension {}

impl WithData for SetZoneDescriptorExtension {
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }
}

//! Identify Controller (CNS 01h).

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, byteorder::little_endian::U16};

use super::{LENGTH, check, sqe};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, Query, Queue, Sqe, command::sealed::Sealed,
};

/// Identify Controller: the drive's model, serial number, what it can do.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::identify::IdentifyController};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let data = drive.query(&IdentifyController)?;
/// println!("{} {}", data.model(), data.serial());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("id-ctrl", "nvme_id_ctrl", "CNS"))]
pub struct IdentifyController;

impl Sealed for IdentifyController {}

impl Command for IdentifyController {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check(lengths)?;
        Ok(sqe(0x01, None))
    }
}

impl DataIn for IdentifyController {}

impl Query for IdentifyController {
    type Reply = ControllerData;

    fn reply_length(&self) -> usize {
        LENGTH
    }

    fn parse(&self, bytes: Vec<u8>) -> Result<ControllerData, Malformed> {
        ControllerData::parse(&bytes)
    }
}

/// The Identify Controller data structure. (Figure 312)
#[derive(Clone, Debug)]
pub struct ControllerData(Box<Wire>);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    vid: U16,
    ssvid: U16,
    serial: [u8; 20],
    model: [u8; 40],
    rest: [u8; 4032],
}

const _: () = assert!(size_of::<Wire>() == LENGTH);

impl ControllerData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (wire, _) = Wire::read_from_prefix(bytes).map_err(|_| Malformed::Short {
            need: LENGTH,
            got: bytes.len(),
        })?;
        Ok(Self(Box::new(wire)))
    }

    /// PCI vendor id (VID).
    #[must_use]
    #[doc(alias = "VID")]
    pub fn vendor_id(&self) -> u16 {
        self.0.vid.get()
    }

    /// PCI subsystem vendor id (SSVID).
    #[must_use]
    #[doc(alias = "SSVID")]
    pub fn subsystem_vendor_id(&self) -> u16 {
        self.0.ssvid.get()
    }

    /// Serial number (SN), without the blanks around it. It may hold any bytes
    /// that a drive puts there.
    #[must_use]
    #[doc(alias = "SN")]
    pub fn serial(&self) -> String {
        text(&self.0.serial)
    }

    /// Model number (MN), without the blanks around it.
    #[must_use]
    #[doc(alias = "MN")]
    pub fn model(&self) -> String {
        text(&self.0.model)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .trim_matches([' ', '\0'])
        .to_owned()
}

//! Telemetry, host-initiated (07h) and controller-initiated (08h).
//! NVMe Base 2.1, 5.1.12.1.8 and 5.1.12.1.9.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// A telemetry page: a snapshot of the drive's inner state for its vendor, in up
/// to four data areas. (NVMe Base 2.1, 5.1.12.1.8 and 5.1.12.1.9)
///
/// Its length is in its header, so that comes first. Only
/// [`create`](Self::create) makes the controller take a new snapshot; it needs a
/// handle that was opened for writing. While the pieces come, somebody else may
/// have a new one taken: the generation numbers of the two headers differ then.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::Telemetry};
///
/// let drive = NvmeController::open_rw("/dev/nvme0")?;
/// let header = drive.query(&Telemetry::create())?;
/// let telemetry = drive.query(&Telemetry::whole(&header)?)?;
/// if telemetry.header().host_generation() == header.host_generation() {
///     std::fs::write("telemetry.bin", telemetry.as_bytes())?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("telemetry-log", "nvme_telemetry_log"))]
pub struct Telemetry {
    header: TelemetryHeader,
    bytes: Vec<u8>,
}

/// The first 512 bytes of a [`Telemetry`] page.
#[derive(Clone, Debug)]
pub struct TelemetryHeader(Box<Wire>);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    id: u8,
    reserved1: [u8; 4],
    ieee: [u8; 3],
    last_blocks: [U16; 3],
    reserved14: [u8; 2],
    last_block4: U32,
    reserved20: [u8; 360],
    host_scope: u8,
    host_generation: u8,
    available: u8,
    generation: u8,
    reason: [u8; 128],
}

const BLOCK: u64 = 512;
const _: () = assert!(size_of::<Wire>() == 512);

impl Sealed for Telemetry {}
impl Sealed for TelemetryHeader {}

impl LogReply for TelemetryHeader {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let wire: Wire = wire::read(&bytes)?;
        match LogId::new(wire.id) {
            LogId::TELEMETRY_HOST | LogId::TELEMETRY_CONTROLLER => Ok(Self(Box::new(wire))),
            id => Err(Malformed::Field {
                field: "LID",
                value: id.get().into(),
            }),
        }
    }
}

impl LogReply for Telemetry {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let head = bytes.get(..size_of::<Wire>()).unwrap_or(&bytes);
        let header = TelemetryHeader::from_bytes(head.to_vec())?;
        Ok(Self { header, bytes })
    }
}

impl Telemetry {
    /// The header of the host-initiated page, with the snapshot that there is.
    pub const fn host_header() -> LogPage<TelemetryHeader> {
        LogPage::new(command(LogId::TELEMETRY_HOST), size_of::<Wire>())
    }

    /// Makes the controller take a new host-initiated snapshot, and gives its
    /// header. It may take minutes.
    #[doc(alias("CTHID", "RETD", "host-generate"))]
    pub const fn create() -> LogPage<TelemetryHeader> {
        let log = command(LogId::TELEMETRY_HOST).specific_field(1);
        LogPage::new(log, size_of::<Wire>())
    }

    /// The header of the controller-initiated page.
    pub const fn controller_header() -> LogPage<TelemetryHeader> {
        LogPage::new(command(LogId::TELEMETRY_CONTROLLER), size_of::<Wire>())
    }

    /// The whole page that `header` is of: all data areas.
    ///
    /// It retains the controller-initiated snapshot. Once that was kept safely,
    /// reading it with [`retain_event(false)`](LogPage::retain_event) tells the
    /// controller that it may take another.
    ///
    /// # Errors
    /// [`Malformed::Length`] if it is longer than
    /// [`MAX_LENGTH`](super::MAX_LENGTH).
    pub fn whole(header: &TelemetryHeader) -> Result<LogPage<Self>, Malformed> {
        Self::up_to_area(header, 4)
    }

    /// The page that `header` is of up to the end of data area 1 to 4.
    ///
    /// # Errors
    /// As [`whole`](Self::whole).
    pub fn up_to_area(header: &TelemetryHeader, area: u8) -> Result<LogPage<Self>, Malformed> {
        LogPage::told(command(header.id()), header.end_of_area(area))
    }

    /// The header that came with the page.
    #[must_use]
    pub fn header(&self) -> &TelemetryHeader {
        &self.header
    }

    /// Data area 1 to 4, which may be empty; `None` if it was not fetched as a
    /// whole. An area goes on where the one before it ends.
    #[must_use]
    #[doc(alias = "dalb")]
    pub fn area(&self, area: u8) -> Option<&[u8]> {
        let before = area.checked_sub(1)?;
        if area > 4 {
            return None;
        }
        let from = usize::try_from(self.header.end_of_area(before)).ok()?;
        let to = usize::try_from(self.header.end_of_area(area)).ok()?;
        self.bytes.get(from..to)
    }

    /// All bytes, the header's too: what the vendor wants to have.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

const fn command(id: LogId) -> GetLog {
    GetLog::new(id).retain_event(true)
}

impl TelemetryHeader {
    /// Which of the two pages it is of.
    #[must_use]
    pub fn id(&self) -> LogId {
        LogId::new(self.0.id)
    }

    /// The vendor's OUI, most significant byte first.
    #[must_use]
    #[doc(alias = "IEEE")]
    pub fn oui(&self) -> [u8; 3] {
        let [low, middle, high] = self.0.ieee;
        [high, middle, low]
    }

    /// How many bytes the whole page has.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.end_of_area(4)
    }

    /// How many bytes the page has up to the end of data area 1 to 4.
    #[must_use]
    #[doc(alias("dalb1", "dalb2", "dalb3", "dalb4"))]
    pub fn end_of_area(&self, area: u8) -> u64 {
        // An area's last block is never before that of the one before it; an
        // area 4 that is not there says 0.
        let [one, two, three] = self.0.last_blocks;
        let last = [one.into(), two.into(), three.into(), self.0.last_block4];
        let last = last.iter().take(area.into()).map(|last| last.get()).max();
        (u64::from(last.unwrap_or(0)) + 1) * BLOCK
    }

    /// What the snapshot of the host-initiated page is of: 0 not told, 1 the
    /// controller, 2 the subsystem.
    #[must_use]
    #[doc(alias("THS", "ths"))]
    pub fn host_scope(&self) -> u8 {
        self.0.host_scope
    }

    /// Counts the host-initiated snapshots, and wraps.
    #[must_use]
    #[doc(alias("THDGN", "hostdgn"))]
    pub fn host_generation(&self) -> u8 {
        self.0.host_generation
    }

    /// Whether there is a controller-initiated snapshot.
    #[must_use]
    #[doc(alias("TCDA", "ctrlavail"))]
    pub fn is_available(&self) -> bool {
        self.0.available & 1 != 0
    }

    /// Counts the controller-initiated snapshots, and wraps.
    #[must_use]
    #[doc(alias("TCDGN", "ctrldgn"))]
    pub fn controller_generation(&self) -> u8 {
        self.0.generation
    }

    /// Why the snapshot was taken, in the vendor's terms.
    #[must_use]
    #[doc(alias("RID", "rsnident"))]
    pub fn reason(&self) -> &[u8; 128] {
        &self.0.reason
    }
}

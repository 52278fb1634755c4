//! Persistent Event Log (0Dh). NVMe Base 2.1, 5.1.12.1.14.

use core::fmt;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64, U128},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed, text::text};

/// The Persistent Event Log: what happened to a drive, over resets and power
/// cycles. (NVMe Base 2.1, 5.1.12.1.14)
///
/// A controller shows it as it is when a context for it is established, and
/// until that is released: first [`establish`](Self::establish), which gives the
/// header, then [`whole`](Self::whole), at last [`release`](Self::release).
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::PersistentEvents};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let header = drive.query(&PersistentEvents::establish())?;
/// let log = drive.query(&PersistentEvents::whole(&header)?)?;
/// drive.query(&PersistentEvents::release())?;
/// for event in log.events() {
///     let event = event?;
///     println!("{} ms: {}", event.timestamp(), event.kind());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("persistent-event-log", "nvme_persistent_event_log", "PEL"))]
pub struct PersistentEvents {
    header: PersistentEventsHeader,
    bytes: Vec<u8>,
}

/// The first 512 bytes of [`PersistentEvents`].
#[derive(Clone, Debug)]
pub struct PersistentEventsHeader(Box<Wire>);

/// One event of [`PersistentEvents`].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_persistent_event_entry")]
pub struct PersistentEvent<'a> {
    wire: &'a Event,
    vendor: &'a [u8],
    data: &'a [u8],
}

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    id: u8,
    reserved1: [u8; 3],
    events: U32,
    length: U64,
    revision: u8,
    reserved17: u8,
    header_length: U16,
    timestamp: U64,
    power_on_hours: U128,
    power_cycles: U64,
    vid: U16,
    ssvid: U16,
    serial: [u8; 20],
    model: [u8; 40],
    nqn: [u8; 256],
    generation: U16,
    context: U32,
    reserved378: [u8; 102],
    supported: [u8; 32],
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Event {
    kind: u8,
    revision: u8,
    header_length: u8,
    additional: u8,
    controller: U16,
    timestamp: U64,
    port: U16,
    reserved16: [u8; 4],
    vendor_length: U16,
    length: U16,
}

const HEADER: usize = 512;
const _: () = assert!(size_of::<Wire>() == HEADER);
const _: () = assert!(size_of::<Event>() == 24);

/// What a persistent event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("ETYPE", "nvme_persistent_event_types"))]
pub struct PersistentEventType(pub u8);

macro_rules! kinds {
    ($($name:ident = $value:literal, $text:literal;)*) => {
        impl PersistentEventType {
            $(
                #[doc = concat!($text, ".")]
                pub const $name: Self = Self($value);
            )*
        }

        impl fmt::Display for PersistentEventType {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Self::$name => f.write_str($text),)*
                    Self(kind) => write!(f, "event {kind:02X}h"),
                }
            }
        }
    };
}

kinds! {
    SMART_HEALTH = 0x01, "SMART / health snapshot";
    FIRMWARE_COMMIT = 0x02, "firmware commit";
    TIMESTAMP_CHANGE = 0x03, "timestamp change";
    POWER_ON_OR_RESET = 0x04, "power-on or reset";
    HARDWARE_ERROR = 0x05, "hardware error";
    CHANGE_NAMESPACE = 0x06, "namespace change";
    FORMAT_START = 0x07, "format start";
    FORMAT_COMPLETION = 0x08, "format completion";
    SANITIZE_START = 0x09, "sanitize start";
    SANITIZE_COMPLETION = 0x0a, "sanitize completion";
    SET_FEATURE = 0x0b, "set feature";
    TELEMETRY_CREATED = 0x0c, "telemetry log created";
    THERMAL_EXCURSION = 0x0d, "thermal excursion";
    SANITIZE_VERIFICATION = 0x0e, "sanitize media verification";
    VENDOR = 0xde, "vendor specific";
    TCG = 0xdf, "TCG defined";
}

impl Sealed for PersistentEvents {}
impl Sealed for PersistentEventsHeader {}

impl LogReply for PersistentEventsHeader {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(|wire| Self(Box::new(wire)))
    }
}

impl LogReply for PersistentEvents {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let head = bytes.get(..HEADER).unwrap_or(&bytes);
        let header = PersistentEventsHeader::from_bytes(head.to_vec())?;
        Ok(Self { header, bytes })
    }
}

const fn command(action: u8) -> GetLog {
    GetLog::new(LogId::PERSISTENT_EVENTS).specific_field(action)
}

impl PersistentEvents {
    /// Establishes a context and gives the header. A controller that has one
    /// already answers with Command Sequence Error.
    #[doc(alias = "NVME_PEVENT_LOG_EST_CTX_AND_READ")]
    pub const fn establish() -> LogPage<PersistentEventsHeader> {
        LogPage::new(command(1), HEADER)
    }

    /// The header, in the context that there is.
    pub const fn header_page() -> LogPage<PersistentEventsHeader> {
        LogPage::new(command(0), HEADER)
    }

    /// The whole log that `header` is of.
    ///
    /// # Errors
    /// [`Malformed::Length`] if it is longer than
    /// [`MAX_LENGTH`](super::MAX_LENGTH); [`Malformed::Field`] if it is shorter
    /// than its header.
    #[doc(alias = "NVME_PEVENT_LOG_READ")]
    pub fn whole(header: &PersistentEventsHeader) -> Result<LogPage<Self>, Malformed> {
        let length = header.length();
        if length < HEADER as u64 {
            return Err(Malformed::Field {
                field: "TLL",
                value: length,
            });
        }
        LogPage::told(command(0), length)
    }

    /// Releases the context, if there is one.
    #[doc(alias = "NVME_PEVENT_LOG_RELEASE_CTX")]
    pub const fn release() -> LogPage<()> {
        LogPage::new(command(2), HEADER)
    }

    /// The header that came with the log.
    #[must_use]
    pub fn header(&self) -> &PersistentEventsHeader {
        &self.header
    }

    /// All bytes, the header's too.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The events, the last one first. One whose lengths do not fit is an error,
    /// and the last one.
    pub fn events(&self) -> impl Iterator<Item = Result<PersistentEvent<'_>, Malformed>> {
        let end = usize::try_from(self.header.length()).unwrap_or(usize::MAX);
        let end = end.min(self.bytes.len());
        let mut rest = self.bytes.get(HEADER..end).unwrap_or_default();
        let mut left = self.header.event_count();
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let event = event(rest);
            match &event {
                Ok((_, after)) => rest = after,
                Err(_) => left = 0,
            }
            Some(event.map(|(event, _)| event))
        })
    }
}

/// The event at the beginning of `bytes`, and what follows it.
fn event(bytes: &[u8]) -> Result<(PersistentEvent<'_>, &[u8]), Malformed> {
    let (wire, _) = wire::split::<Event>(bytes)?;
    // The header's length does not count its first three bytes, and the event's
    // length counts the vendor's bytes.
    let header = usize::from(wire.header_length) + 3;
    if header < size_of::<Event>() {
        return Err(Malformed::Field {
            field: "EHL",
            value: wire.header_length.into(),
        });
    }
    let length = usize::from(wire.length.get());
    let too_long = Malformed::Length {
        named: (header + length) as u64,
        max: bytes.len() as u64,
    };
    let body = bytes.get(header..header + length).ok_or(too_long)?;
    let vendor_length = usize::from(wire.vendor_length.get());
    let (vendor, data) = body
        .split_at_checked(vendor_length)
        .ok_or(Malformed::Length {
            named: vendor_length as u64,
            max: length as u64,
        })?;
    let after = bytes.get(header + length..).unwrap_or_default();
    Ok((PersistentEvent { wire, vendor, data }, after))
}

impl PersistentEventsHeader {
    /// How many events the log has.
    #[must_use]
    #[doc(alias("TNEV", "tnev"))]
    pub fn event_count(&self) -> u32 {
        self.0.events.get()
    }

    /// How many bytes the log has, its header's too.
    #[must_use]
    #[doc(alias("TLL", "tll"))]
    pub fn length(&self) -> u64 {
        self.0.length.get()
    }

    /// The revision of the log's structure.
    #[must_use]
    #[doc(alias("LREV", "rv"))]
    pub fn revision(&self) -> u8 {
        self.0.revision
    }

    /// When the context was established, in milliseconds by the drive's clock:
    /// since 1970 if the host set that, else since a reset.
    #[must_use]
    #[doc(alias = "TSTMP")]
    pub fn timestamp(&self) -> u64 {
        self.0.timestamp.get() & 0xffff_ffff_ffff
    }

    /// For how many hours the drive was powered on.
    #[must_use]
    #[doc(alias = "POH")]
    pub fn power_on_hours(&self) -> u128 {
        self.0.power_on_hours.get()
    }

    /// How often it was powered on.
    #[must_use]
    #[doc(alias = "PCC")]
    pub fn power_cycles(&self) -> u64 {
        self.0.power_cycles.get()
    }

    /// PCI vendor id.
    #[must_use]
    #[doc(alias = "VID")]
    pub fn vendor_id(&self) -> u16 {
        self.0.vid.get()
    }

    /// PCI subsystem vendor id.
    #[must_use]
    #[doc(alias = "SSVID")]
    pub fn subsystem_vendor_id(&self) -> u16 {
        self.0.ssvid.get()
    }

    /// Serial number, without the blanks around it.
    #[must_use]
    #[doc(alias = "SN")]
    pub fn serial(&self) -> String {
        text(&self.0.serial)
    }

    /// Model number, without the blanks around it.
    #[must_use]
    #[doc(alias = "MN")]
    pub fn model(&self) -> String {
        text(&self.0.model)
    }

    /// The subsystem's NVMe qualified name.
    #[must_use]
    #[doc(alias = "SUBNQN")]
    pub fn nqn(&self) -> String {
        text(&self.0.nqn)
    }

    /// Counts the contexts that were established, and wraps; 0 if that is not
    /// told.
    #[must_use]
    #[doc(alias("GNUM", "gen_number"))]
    pub fn generation(&self) -> u16 {
        self.0.generation.get()
    }

    /// What is known of the context (RCI), as it is.
    #[must_use]
    #[doc(alias = "RCI")]
    pub fn context(&self) -> u32 {
        self.0.context.get()
    }

    /// Whether the log can have events of this type.
    #[must_use]
    #[doc(alias = "SEB")]
    pub fn supports(&self, kind: PersistentEventType) -> bool {
        let byte = self.0.supported.get(usize::from(kind.0 / 8));
        byte.is_some_and(|byte| byte >> (kind.0 % 8) & 1 != 0)
    }
}

impl<'a> PersistentEvent<'a> {
    /// What it is about.
    #[must_use]
    #[doc(alias = "ETYPE")]
    pub fn kind(&self) -> PersistentEventType {
        PersistentEventType(self.wire.kind)
    }

    /// The revision of its data's structure.
    #[must_use]
    #[doc(alias = "ETR")]
    pub fn revision(&self) -> u8 {
        self.wire.revision
    }

    /// The controller that it happened to.
    #[must_use]
    #[doc(alias = "CNTLID")]
    pub fn controller(&self) -> u16 {
        self.wire.controller.get()
    }

    /// When it was recorded, in milliseconds by the drive's clock: since 1970
    /// if the host set that, else since a reset.
    #[must_use]
    #[doc(alias("ETS", "ETIME"))]
    pub fn timestamp(&self) -> u64 {
        self.wire.timestamp.get() & 0xffff_ffff_ffff
    }

    /// The port of the subsystem, if it is told (EHAI).
    #[must_use]
    #[doc(alias("PELPID", "EHAI"))]
    pub fn port(&self) -> Option<u16> {
        (self.wire.additional & 0x03 == 1).then(|| self.wire.port.get())
    }

    /// The vendor's bytes.
    #[must_use]
    #[doc(alias = "VSI")]
    pub fn vendor(&self) -> &'a [u8] {
        self.vendor
    }

    /// Its data, as its type defines it.
    #[must_use]
    #[doc(alias = "ED")]
    pub fn data(&self) -> &'a [u8] {
        self.data
    }
}

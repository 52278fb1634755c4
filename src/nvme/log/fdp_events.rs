//! Flexible data placement: events (23h). NVMe Base 2.1, 5.1.12.1.

use core::fmt;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, command::sealed::Sealed};

/// Whose events to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FdpEventSource {
    /// What the controller did.
    Controller,
    /// What a host did.
    Host,
}

/// The FDP Events page: the last events of an endurance group, 63 at most.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt};
/// use passthru::nvme::log::{FdpEventSource, FdpEvents};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// for event in drive.query(&FdpEvents::page(1, FdpEventSource::Host))?.iter() {
///     println!("{} ms: {}", event.timestamp(), event.kind());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("fdp events", "nvme_fdp_events_log"))]
pub struct FdpEvents(Vec<u8>);

/// One event of [`FdpEvents`].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_fdp_event")]
pub struct FdpEvent(Wire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    kind: u8,
    flags: u8,
    placement: U16,
    timestamp: U64,
    nsid: U32,
    specific: [u8; 16],
    group: U16,
    handle: u8,
    reserved35: [u8; 5],
    vendor: [u8; 24],
}

const LENGTH: usize = 4096;
const _: () = assert!(size_of::<Wire>() == 64);

/// What an FDP event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "nvme_fdp_event_type")]
pub struct FdpEventType(pub u8);

impl FdpEventType {
    /// A reclaim unit was left before it was full.
    pub const NOT_FULLY_WRITTEN: Self = Self(0x00);
    /// A reclaim unit was open for longer than its limit.
    pub const TIME_LIMIT: Self = Self(0x01);
    /// A controller reset changed the reclaim units.
    pub const RESET: Self = Self(0x02);
    /// A write named a placement identifier that is not valid.
    pub const INVALID_PLACEMENT: Self = Self(0x03);
    /// The controller moved data on the media.
    pub const MEDIA_REALLOCATED: Self = Self(0x80);
    /// The controller went on to another reclaim unit by itself.
    pub const IMPLICIT_CHANGE: Self = Self(0x81);
}

impl fmt::Display for FdpEventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NOT_FULLY_WRITTEN => "reclaim unit not fully written",
            Self::TIME_LIMIT => "reclaim unit time limit exceeded",
            Self::RESET => "controller reset changed reclaim units",
            Self::INVALID_PLACEMENT => "invalid placement identifier",
            Self::MEDIA_REALLOCATED => "media reallocated",
            Self::IMPLICIT_CHANGE => "implicitly changed reclaim unit",
            Self(kind) => return write!(f, "event {kind:02X}h"),
        })
    }
}

impl Sealed for FdpEvents {}

impl LogReply for FdpEvents {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let reply = Self(bytes);
        reply.events().map(drop)?;
        Ok(reply)
    }
}

impl FdpEvents {
    /// Of an endurance group.
    pub const fn page(group: u16, source: FdpEventSource) -> LogPage<Self> {
        let log = GetLog::new(LogId::FDP_EVENTS)
            .specific_identifier(group)
            .specific_field(matches!(source, FdpEventSource::Host) as u8);
        LogPage::new(log, LENGTH)
    }

    fn events(&self) -> Result<&[Wire], Malformed> {
        let (_, rest) = wire::split::<[u8; 64]>(&self.0)?;
        let (count, _) = wire::split::<U32>(&self.0)?;
        wire::counted(rest, count.get().into())
    }

    /// The events, the last one first.
    pub fn iter(&self) -> impl Iterator<Item = FdpEvent> + '_ {
        let events = self.events().unwrap_or_default();
        events.iter().map(|event| FdpEvent(*event))
    }
}

impl FdpEvent {
    /// What it is about.
    #[must_use]
    pub fn kind(&self) -> FdpEventType {
        FdpEventType(self.0.kind)
    }

    /// The placement identifier, if it is about one.
    #[must_use]
    #[doc(alias("PID", "PIV"))]
    pub fn placement(&self) -> Option<u16> {
        (self.0.flags & 1 != 0).then(|| self.0.placement.get())
    }

    /// When it was, in milliseconds by the drive's clock: since 1970 if the host
    /// set that, else since a reset.
    #[must_use]
    pub fn timestamp(&self) -> u64 {
        self.0.timestamp.get() & 0xffff_ffff_ffff
    }

    /// The namespace, if it is about one.
    #[must_use]
    #[doc(alias = "NSIDV")]
    pub fn nsid(&self) -> Option<Nsid> {
        let nsid = Nsid::new(self.0.nsid.get());
        nsid.filter(|_| self.0.flags & 2 != 0)
    }

    /// The reclaim group and the reclaim unit handle, if they are told.
    #[must_use]
    #[doc(alias("RGID", "RUHID", "LV"))]
    pub fn location(&self) -> Option<(u16, u8)> {
        let location = (self.0.group.get(), self.0.handle);
        (self.0.flags & 4 != 0).then_some(location)
    }

    /// What its type defines.
    #[must_use]
    pub fn specific(&self) -> &[u8; 16] {
        &self.0.specific
    }

    /// The vendor's bytes.
    #[must_use]
    pub fn vendor(&self) -> &[u8; 24] {
        &self.0.vendor
    }
}

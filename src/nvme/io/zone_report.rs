//! Zone Management Receive: the report of zones.

use core::fmt;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned, byteorder::little_endian::U64};

use super::blocks::{address, dwords};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, Query, Queue, Sqe, command::sealed::Sealed,
};

/// Which zones a report has. Zoned Namespace Command Set 1.1, 3.4.2 (ZRASF).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("ZRASF", "nvme_zns_report_options"))]
#[allow(missing_docs)] // the states of ZoneState
pub enum ZoneFilter {
    #[default]
    All,
    Empty,
    ImplicitlyOpened,
    ExplicitlyOpened,
    Closed,
    Full,
    ReadOnly,
    Offline,
}

/// Zone Management Receive (7Ah), Report Zones (00h, or extended 01h): the zones
/// from the one on that a block lies in. Zoned Namespace Command Set 1.1, 3.4.2.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::ReportZones};
///
/// let report = NvmeNamespace::open("/dev/ng0n1")?.query(&ReportZones::new(0, 32))?;
/// for zone in report.zones() {
///     println!("{:#x}: {}, {} blocks", zone.start(), zone.state(), zone.capacity());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("report-zones", "nvme_zns_cmd_mgmt_recv", "ZRA", "ZNS"))]
#[must_use]
pub struct ReportZones {
    slba: u64,
    zones: u16,
    filter: ZoneFilter,
    partial: bool,
    extension: Option<u8>,
}

impl ReportZones {
    /// From the zone on that block `slba` lies in, with room for so many zones.
    /// [`partial`](Self::partial) is set. The reply comes in one command, which
    /// moves 128 KiB at most: 2047 zones without extensions, fewer where the
    /// controller moves less.
    pub const fn new(slba: u64, zones: u16) -> Self {
        Self {
            slba,
            zones,
            filter: ZoneFilter::All,
            partial: true,
            extension: None,
        }
    }

    /// Only zones in this state.
    pub const fn filter(mut self, filter: ZoneFilter) -> Self {
        self.filter = filter;
        self
    }

    /// The count of the report is of the zones in it (true), or of all zones
    /// from `slba` on that the filter lets through (false).
    #[doc(alias = "Partial Report")]
    pub const fn partial(mut self, partial: bool) -> Self {
        self.partial = partial;
        self
    }

    /// With the zone descriptor extensions, which have `units` units of 64 bytes
    /// each in this namespace (ZDES of its LBA format).
    #[doc(alias = "ZDES")]
    pub const fn extended(mut self, units: u8) -> Self {
        self.extension = Some(units);
        self
    }

    fn extension_length(&self) -> usize {
        usize::from(self.extension.unwrap_or(0)) * 64
    }
}

impl Sealed for ReportZones {}

impl Command for ReportZones {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        let (cdw10, cdw11) = address(self.slba);
        Ok(Sqe {
            cdw10,
            cdw11,
            cdw12: dwords(lengths, 4)?,
            cdw13: u32::from(self.partial) << 16
                | (self.filter as u32) << 8
                | u32::from(self.extension.is_some()),
            ..Sqe::new(0x7a)
        })
    }
}

impl DataIn for ReportZones {}

impl Query for ReportZones {
    type Reply = ZoneReport;

    fn reply_length(&self) -> usize {
        HEAD + usize::from(self.zones) * (DESCRIPTOR + self.extension_length())
    }

    fn parse(&self, bytes: &[u8]) -> Result<ZoneReport, Malformed> {
        let report = ZoneReport::parse(bytes, self.extension.unwrap_or(0))?;
        let came = report.zones.len() as u64;
        if self.partial && report.count > came {
            return Err(Malformed::Length {
                named: report.count,
                max: came,
            });
        }
        Ok(report)
    }
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    count: U64,
    reserved: [u8; 56],
}

/// A Zone Descriptor data structure.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Descriptor {
    zt: u8,
    zs: u8,
    za: u8,
    zai: u8,
    reserved: [u8; 4],
    zcap: U64,
    zslba: U64,
    wp: U64,
    reserved_too: [u8; 32],
}

const HEAD: usize = size_of::<Head>();
const DESCRIPTOR: usize = size_of::<Descriptor>();
const _: () = assert!(HEAD == 64 && DESCRIPTOR == 64);

/// A Report Zones data structure.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_zone_report")]
pub struct ZoneReport {
    count: u64,
    zones: Vec<Zone>,
}

impl ZoneReport {
    /// Reads the data structure, with extensions of `units` units of 64 bytes (0
    /// for the report without). Zones for which there are no bytes are left out.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 64 bytes.
    pub fn parse(bytes: &[u8], units: u8) -> Result<Self, Malformed> {
        let (head, list) = Head::read_from_prefix(bytes).map_err(|_| Malformed::Short {
            need: HEAD,
            got: bytes.len(),
        })?;
        let count = head.count.get();
        let zones = list
            .chunks_exact(DESCRIPTOR + usize::from(units) * 64)
            .take(usize::try_from(count).unwrap_or(usize::MAX))
            .filter_map(|bytes| {
                let (wire, extension) = Descriptor::read_from_prefix(bytes).ok()?;
                let extension = extension.into();
                Some(Zone { wire, extension })
            })
            .collect();
        Ok(Self { count, zones })
    }

    /// The number of zones that the report says: of those in it if it is
    /// [partial](ReportZones::partial), else of all that there are.
    #[must_use]
    #[doc(alias = "Number of Zones")]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The zones that came.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }
}

/// A zone.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_zns_desc")]
pub struct Zone {
    wire: Descriptor,
    extension: Box<[u8]>,
}

impl Zone {
    /// Its type (ZT).
    #[must_use]
    #[doc(alias = "ZT")]
    pub const fn kind(&self) -> ZoneType {
        ZoneType(self.wire.zt & 0x0f)
    }

    /// Its state (ZS).
    #[must_use]
    #[doc(alias = "ZS")]
    pub const fn state(&self) -> ZoneState {
        ZoneState(self.wire.zs >> 4)
    }

    /// Its attributes (ZA).
    #[must_use]
    #[doc(alias = "ZA")]
    pub const fn attributes(&self) -> ZoneAttributes {
        ZoneAttributes(self.wire.za)
    }

    /// Within which time it should be reset or finished (ZAI bits 3:2 and 1:0),
    /// as codes for the limits that Identify Namespace has.
    #[must_use]
    #[doc(alias = "ZAI")]
    pub const fn attributes_information(&self) -> u8 {
        self.wire.zai
    }

    /// How many of its blocks can be written (ZCAP).
    #[must_use]
    #[doc(alias = "ZCAP")]
    pub fn capacity(&self) -> u64 {
        self.wire.zcap.get()
    }

    /// Its first block (ZSLBA).
    #[must_use]
    #[doc(alias = "ZSLBA")]
    pub fn start(&self) -> u64 {
        self.wire.zslba.get()
    }

    /// The block that is written next (WP); `None` in a state in which it has no
    /// meaning: full, read only, offline.
    #[must_use]
    #[doc(alias = "WP")]
    pub fn write_pointer(&self) -> Option<u64> {
        let has = !matches!(
            self.state(),
            ZoneState::FULL | ZoneState::READ_ONLY | ZoneState::OFFLINE
        );
        has.then(|| self.wire.wp.get())
    }

    /// Its zone descriptor extension, in an extended report, if there is a valid
    /// one (ZDEV).
    #[must_use]
    #[doc(alias("ZDES", "ZDEV"))]
    pub fn extension(&self) -> Option<&[u8]> {
        let valid = self.attributes().has_extension() && !self.extension.is_empty();
        valid.then_some(&*self.extension)
    }
}

/// The type of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "ZT")]
pub struct ZoneType(pub u8);

impl ZoneType {
    /// 2: sequential write required, the only one that there is.
    pub const SEQUENTIAL: Self = Self(2);
}

impl fmt::Display for ZoneType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::SEQUENTIAL => f.write_str("sequential write required"),
            Self(other) => write!(f, "type {other:x}h"),
        }
    }
}

/// The state of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("ZS", "ZSE", "ZSIO", "ZSEO", "ZSC", "ZSRO", "ZSF", "ZSO"))]
pub struct ZoneState(pub u8);

impl ZoneState {
    /// 1h.
    pub const EMPTY: Self = Self(0x1);
    /// 2h: by a write.
    pub const IMPLICITLY_OPENED: Self = Self(0x2);
    /// 3h: by a command.
    pub const EXPLICITLY_OPENED: Self = Self(0x3);
    /// 4h.
    pub const CLOSED: Self = Self(0x4);
    /// Dh.
    pub const READ_ONLY: Self = Self(0xd);
    /// Eh.
    pub const FULL: Self = Self(0xe);
    /// Fh.
    pub const OFFLINE: Self = Self(0xf);
}

impl fmt::Display for ZoneState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::EMPTY => "empty",
            Self::IMPLICITLY_OPENED => "implicitly opened",
            Self::EXPLICITLY_OPENED => "explicitly opened",
            Self::CLOSED => "closed",
            Self::READ_ONLY => "read only",
            Self::FULL => "full",
            Self::OFFLINE => "offline",
            Self(other) => return write!(f, "state {other:x}h"),
        })
    }
}

/// The attributes of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "ZA")]
pub struct ZoneAttributes(pub u8);

impl ZoneAttributes {
    /// The controller finished it (ZFC).
    #[must_use]
    #[doc(alias = "ZFC")]
    pub const fn finished_by_controller(self) -> bool {
        self.0 & 1 << 0 != 0
    }

    /// It should be finished (FZR).
    #[must_use]
    #[doc(alias = "FZR")]
    pub const fn finish_recommended(self) -> bool {
        self.0 & 1 << 1 != 0
    }

    /// It should be reset (RZR).
    #[must_use]
    #[doc(alias = "RZR")]
    pub const fn reset_recommended(self) -> bool {
        self.0 & 1 << 2 != 0
    }

    /// It has a random write area (ZRWAV).
    #[must_use]
    #[doc(alias("ZRWAV", "ZRWA"))]
    pub const fn has_random_write_area(self) -> bool {
        self.0 & 1 << 3 != 0
    }

    /// Its descriptor extension is valid (ZDEV).
    #[must_use]
    #[doc(alias = "ZDEV")]
    pub const fn has_extension(self) -> bool {
        self.0 & 1 << 7 != 0
    }
}

//! Flexible data placement: configurations (20h), reclaim unit handle usage
//! (21h), statistics (22h). NVMe Base 2.1, 5.1.12.1.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64, U128},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// The FDP Configurations page of an endurance group.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::FdpConfigurations};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let header = drive.query(&FdpConfigurations::header_page(1))?;
/// for configuration in drive.query(&FdpConfigurations::whole(1, &header)?)?.iter() {
///     println!("{} bytes a reclaim unit", configuration?.reclaim_unit_size());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("fdp configs", "nvme_fdp_config_log"))]
pub struct FdpConfigurations(Vec<u8>);

/// The first 16 bytes of [`FdpConfigurations`].
#[derive(Clone, Copy, Debug)]
pub struct FdpConfigurationsHeader(Header);

/// One configuration of [`FdpConfigurations`].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_fdp_config_desc")]
pub struct FdpConfiguration<'a> {
    wire: &'a Descriptor,
    handles: &'a [[u8; 4]],
    vendor: &'a [u8],
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    count: U16,
    version: u8,
    reserved3: u8,
    length: U32,
    reserved8: [u8; 8],
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Descriptor {
    size: U16,
    attributes: u8,
    vendor_size: u8,
    groups: U32,
    handles: U16,
    placements: U16,
    namespaces: U32,
    unit_size: U64,
    time_limit: U32,
    reserved28: [u8; 36],
}

const _: () = assert!(size_of::<Header>() == 16);
const _: () = assert!(size_of::<Descriptor>() == 64);

impl Sealed for FdpConfigurations {}
impl Sealed for FdpConfigurationsHeader {}

impl LogReply for FdpConfigurationsHeader {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl LogReply for FdpConfigurations {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<Header>(&bytes)?;
        Ok(Self(bytes))
    }
}

const fn command(id: LogId, group: u16) -> GetLog {
    GetLog::new(id).specific_identifier(group)
}

impl FdpConfigurationsHeader {
    /// How many configurations there are, 1 to 65536.
    #[must_use]
    #[doc(alias("NUMFDPC", "numfdpc"))]
    pub fn count(&self) -> u32 {
        u32::from(self.0.count.get()) + 1
    }

    /// How many bytes the page has.
    #[must_use]
    #[doc(alias("SZE", "sze"))]
    pub fn length(&self) -> u64 {
        self.0.length.get().into()
    }
}

impl FdpConfigurations {
    /// The header of the page of an endurance group.
    pub const fn header_page(group: u16) -> LogPage<FdpConfigurationsHeader> {
        LogPage::new(
            command(LogId::FDP_CONFIGURATIONS, group),
            size_of::<Header>(),
        )
    }

    /// The whole page that `header` is of.
    ///
    /// # Errors
    /// [`Malformed::Length`] if it is longer than
    /// [`MAX_LENGTH`](super::MAX_LENGTH); [`Malformed::Field`] if it is shorter
    /// than its header.
    pub fn whole(group: u16, header: &FdpConfigurationsHeader) -> Result<LogPage<Self>, Malformed> {
        if header.length() < size_of::<Header>() as u64 {
            return Err(Malformed::Field {
                field: "SZE",
                value: header.length(),
            });
        }
        LogPage::told(command(LogId::FDP_CONFIGURATIONS, group), header.length())
    }

    /// The configurations, by their index. One that is not there as a whole is
    /// an error, and the last one.
    pub fn iter(&self) -> impl Iterator<Item = Result<FdpConfiguration<'_>, Malformed>> {
        let (mut left, mut rest) = match wire::split::<Header>(&self.0) {
            Ok((header, rest)) => (FdpConfigurationsHeader(*header).count(), rest),
            Err(_) => (0, &[][..]),
        };
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let configuration = configuration(rest);
            match &configuration {
                Ok((_, after)) => rest = after,
                Err(_) => left = 0,
            }
            Some(configuration.map(|(configuration, _)| configuration))
        })
    }
}

fn configuration(bytes: &[u8]) -> Result<(FdpConfiguration<'_>, &[u8]), Malformed> {
    let (wire, _) = wire::split::<Descriptor>(bytes)?;
    let size = usize::from(wire.size.get());
    let (own, after) = bytes.split_at_checked(size).ok_or(Malformed::Length {
        named: size as u64,
        max: bytes.len() as u64,
    })?;
    let (wire, lists) = wire::split::<Descriptor>(own)?;
    let handles = wire::counted::<[u8; 4]>(lists, wire.handles.get().into())?;
    let vendor = lists.get(size_of_val(handles)..).unwrap_or_default();
    let vendor = wire::counted::<u8>(vendor, wire.vendor_size.into())?;
    let configuration = FdpConfiguration {
        wire,
        handles,
        vendor,
    };
    Ok((configuration, after))
}

impl<'a> FdpConfiguration<'a> {
    /// Whether it can be used (FDPCV).
    #[must_use]
    #[doc(alias("FDPA", "FDPCV"))]
    pub fn is_valid(&self) -> bool {
        self.wire.attributes & 0x80 != 0
    }

    /// Whether the volatile write cache is used with it (FDPVWC).
    #[must_use]
    #[doc(alias = "FDPVWC")]
    pub fn has_write_cache(&self) -> bool {
        self.wire.attributes & 0x10 != 0
    }

    /// How many of the upper bits of a placement identifier name the reclaim
    /// group (RGIF).
    #[must_use]
    #[doc(alias = "RGIF")]
    pub fn group_bits(&self) -> u8 {
        self.wire.attributes & 0x0f
    }

    /// How many reclaim groups there are.
    #[must_use]
    #[doc(alias("NRG", "nrg"))]
    pub fn reclaim_groups(&self) -> u32 {
        self.wire.groups.get()
    }

    /// How many placement identifiers a namespace may have, 1 to 65536.
    #[must_use]
    #[doc(alias("MAXPIDS", "maxpids"))]
    pub fn max_placement_ids(&self) -> u32 {
        u32::from(self.wire.placements.get()) + 1
    }

    /// How many namespaces the group can have.
    #[must_use]
    #[doc(alias("NNS", "NNSS"))]
    pub fn namespaces(&self) -> u32 {
        self.wire.namespaces.get()
    }

    /// The nominal size of a reclaim unit in bytes (RUNS).
    #[must_use]
    #[doc(alias("RUNS", "runs"))]
    pub fn reclaim_unit_size(&self) -> u64 {
        self.wire.unit_size.get()
    }

    /// How long a reclaim unit may stay partly written, in seconds (ERUTL); 0 if
    /// that is not told.
    #[must_use]
    #[doc(alias("ERUTL", "erutl"))]
    pub fn time_limit(&self) -> u32 {
        self.wire.time_limit.get()
    }

    /// The types of the reclaim unit handles: 1 initially isolated, 2
    /// persistently isolated.
    #[doc(alias("RUHT", "NRUH"))]
    pub fn handles(&self) -> impl Iterator<Item = u8> + 'a {
        self.handles.iter().map(|[kind, ..]| *kind)
    }

    /// The vendor's bytes.
    #[must_use]
    pub fn vendor(&self) -> &'a [u8] {
        self.vendor
    }
}

/// The Reclaim Unit Handle Usage page: who uses which handle.
///
/// ```
/// use passthru::nvme::{Query, log::FdpHandleUsage};
///
/// assert_eq!(FdpHandleUsage::page(1, 8).reply_length(), 72);
/// ```
#[derive(Clone, Debug)]
#[doc(alias("fdp usage", "nvme_fdp_ruhu_log"))]
pub struct FdpHandleUsage(Vec<u8>);

impl Sealed for FdpHandleUsage {}

impl LogReply for FdpHandleUsage {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<[u8; 8]>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl FdpHandleUsage {
    /// Of an endurance group with so many handles (NRUH of its configuration).
    pub const fn page(group: u16, handles: u16) -> LogPage<Self> {
        LogPage::new(
            command(LogId::FDP_HANDLE_USAGE, group),
            8 + 8 * handles as usize,
        )
    }

    /// How many handles the controller says there are.
    #[must_use]
    #[doc(alias("NRUH", "nruh"))]
    pub fn count(&self) -> u16 {
        wire::split::<U16>(&self.0).map_or(0, |(count, _)| count.get())
    }

    /// How each handle is used: 0 not at all, 1 as the host specified, 2 as the
    /// controller does. Those that were fetched.
    #[doc(alias("RUHA", "ruha"))]
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        let rest = self.0.get(8..).unwrap_or_default();
        wire::entries::<[u8; 8]>(rest)
            .iter()
            .take(self.count().into())
            .map(|[attributes, ..]| attributes & 0x07)
    }
}

/// The FDP Statistics page: what was written and erased since the group was
/// configured.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::FdpStatistics};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let statistics = drive.query(&FdpStatistics::page(1))?;
/// println!("{} bytes written", statistics.host_bytes_written());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias("fdp stats", "nvme_fdp_stats_log"))]
pub struct FdpStatistics(Counters);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Counters {
    host_written: U128,
    media_written: U128,
    erased: U128,
    reserved48: [u8; 16],
}

const _: () = assert!(size_of::<Counters>() == 64);

impl Sealed for FdpStatistics {}

impl LogReply for FdpStatistics {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl FdpStatistics {
    /// Of an endurance group.
    pub const fn page(group: u16) -> LogPage<Self> {
        LogPage::new(command(LogId::FDP_STATISTICS, group), size_of::<Counters>())
    }

    /// What hosts wrote, in bytes with metadata.
    #[must_use]
    #[doc(alias = "HBMW")]
    pub fn host_bytes_written(&self) -> u128 {
        self.0.host_written.get()
    }

    /// What was written to the media, in bytes with metadata.
    #[must_use]
    #[doc(alias = "MBMW")]
    pub fn media_bytes_written(&self) -> u128 {
        self.0.media_written.get()
    }

    /// What was erased, in bytes.
    #[must_use]
    #[doc(alias = "MBE")]
    pub fn media_bytes_erased(&self) -> u128 {
        self.0.erased.get()
    }
}

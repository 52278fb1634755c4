//! Which namespaces (04h) and zones (`BFh`) changed. NVMe Base 2.1,
//! 5.1.12.1.5; ZNS Command Set 1.1, 4.1.

use zerocopy::byteorder::little_endian::{U16, U32, U64};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, command::sealed::Sealed};

const LENGTH: usize = 4096;

/// The Changed Attached Namespace List: the namespaces whose Identify data
/// changed since it was read. (NVMe Base 2.1, 5.1.12.1.5)
///
/// Reading it empties it, unless it is retained
/// ([`retain_event`](LogPage::retain_event)).
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::ChangedNamespaces};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let changed = drive.query(&ChangedNamespaces::page().retain_event(true))?;
/// match changed.overflowed() {
///     true => println!("more than 1024"),
///     false => println!("{:?}", changed.iter().collect::<Vec<_>>()),
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("changed-ns-list-log", "nvme_ns_list"))]
pub struct ChangedNamespaces(Vec<u8>);

impl Sealed for ChangedNamespaces {}

impl LogReply for ChangedNamespaces {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<[u8; LENGTH]>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl ChangedNamespaces {
    /// The list.
    pub const fn page() -> LogPage<Self> {
        LogPage::new(GetLog::new(LogId::CHANGED_NAMESPACES), LENGTH)
    }

    fn list(&self) -> &[U32] {
        wire::split::<[U32; 1024]>(&self.0).map_or(&[], |(list, _)| list)
    }

    /// Whether more changed than there is room for: any may have.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        self.list()
            .first()
            .is_some_and(|nsid| nsid.get() == u32::MAX)
    }

    /// The namespaces in the list; none if it [overflowed](Self::overflowed).
    pub fn iter(&self) -> impl Iterator<Item = Nsid> + '_ {
        self.list()
            .iter()
            .map_while(|nsid| Nsid::new(nsid.get()))
            .take_while(|nsid| *nsid != Nsid::ALL)
    }
}

/// The Changed Zone List: the zones of a namespace that the controller changed
/// by itself. ZNS Command Set 1.1, 4.1.
///
/// ```
/// use passthru::nvme::{Nsid, log::ChangedZones};
///
/// let page = Nsid::new(1).map(ChangedZones::page);
/// # assert!(page.is_some());
/// ```
#[derive(Clone, Debug)]
#[doc(alias("changed-zone-list", "nvme_zns_changed_zone_log"))]
pub struct ChangedZones(Vec<u8>);

impl Sealed for ChangedZones {}

impl LogReply for ChangedZones {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        let reply = Self(bytes);
        reply.zones().map(drop)?;
        Ok(reply)
    }
}

impl ChangedZones {
    /// The list of the namespace `nsid`.
    pub const fn page(nsid: Nsid) -> LogPage<Self> {
        let log = GetLog::new(LogId::CHANGED_ZONES)
            .namespace(Some(nsid))
            .command_set(2);
        LogPage::new(log, LENGTH)
    }

    fn zones(&self) -> Result<&[U64], Malformed> {
        let (page, _) = wire::split::<[u8; LENGTH]>(&self.0)?;
        let (count, _) = wire::split::<U16>(page)?;
        let rest = page.get(8..).unwrap_or_default();
        match count.get() {
            0xffff => Ok(&[]),
            count => wire::counted(rest, count.into()),
        }
    }

    /// Whether more changed than there is room for: any may have.
    #[must_use]
    pub fn overflowed(&self) -> bool {
        wire::split::<U16>(&self.0).is_ok_and(|(count, _)| count.get() == 0xffff)
    }

    /// The first blocks (ZSLBA) of the zones in the list; none if it
    /// [overflowed](Self::overflowed).
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.zones()
            .unwrap_or_default()
            .iter()
            .map(|zone| zone.get())
    }
}

//! I/O Management: flexible data placement (FDP).

use std::borrow::Cow;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{
    blocks::{check_length, dwords},
    entries,
};
use crate::nvme::{
    Command, DataIn, DataOut, LengthMismatch, Lengths, Malformed, Query, Queue, Sqe, WithData,
    command::sealed::Sealed,
};

/// I/O Management Receive (12h), Reclaim Unit Handle Status (01h): which
/// placement identifiers a namespace has, and how much room is left behind each.
/// NVMe Base 2.1, 7.3.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::ReclaimUnitHandleStatus};
///
/// let status = NvmeNamespace::open("/dev/ng0n1")?.query(&ReclaimUnitHandleStatus::new(16))?;
/// for handle in status.handles() {
///     println!("{}: {} blocks", handle.placement(), handle.available());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("FDP", "RUHS", "nvme_cmd_io_mgmt_recv", "fdp status"))]
#[must_use]
pub struct ReclaimUnitHandleStatus {
    handles: u16,
}

impl ReclaimUnitHandleStatus {
    /// With room for so many handles. [`ReclaimUnitHandles::count`] says how
    /// many there are.
    pub const fn new(handles: u16) -> Self {
        Self { handles }
    }
}

impl Sealed for ReclaimUnitHandleStatus {}

impl Command for ReclaimUnitHandleStatus {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe {
            cdw10: 0x01,
            cdw11: dwords(lengths, 4)?,
            ..Sqe::new(0x12)
        })
    }
}

impl DataIn for ReclaimUnitHandleStatus {}

impl Query for ReclaimUnitHandleStatus {
    type Reply = ReclaimUnitHandles;

    fn reply_length(&self) -> usize {
        HEAD + usize::from(self.handles) * size_of::<Wire>()
    }

    fn parse(&self, bytes: &[u8]) -> Result<ReclaimUnitHandles, Malformed> {
        ReclaimUnitHandles::parse(bytes)
    }
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    reserved: [u8; 14],
    count: U16,
}

/// A Reclaim Unit Handle Status Descriptor.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    pid: U16,
    ruhid: U16,
    earutr: U32,
    ruamw: U64,
    reserved: [u8; 16],
}

const HEAD: usize = size_of::<Head>();
const _: () = assert!(HEAD == 16 && size_of::<Wire>() == 32);

/// The Reclaim Unit Handle Status data structure.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_fdp_ruh_status")]
pub struct ReclaimUnitHandles {
    count: u16,
    handles: Vec<ReclaimUnitHandle>,
}

impl ReclaimUnitHandles {
    /// Reads the data structure. Handles for which there are no bytes are left
    /// out.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 16 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (head, list) = Head::read_from_prefix(bytes).map_err(|_| Malformed::Short {
            need: HEAD,
            got: bytes.len(),
        })?;
        let count = head.count.get();
        let handles = entries(list)
            .take(usize::from(count))
            .map(ReclaimUnitHandle)
            .collect();
        Ok(Self { count, handles })
    }

    /// How many there are (NRUHSD). It may be more than there was room for.
    #[must_use]
    #[doc(alias = "NRUHSD")]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// Those that came.
    #[must_use]
    pub fn handles(&self) -> &[ReclaimUnitHandle] {
        &self.handles
    }
}

/// What a namespace has of a reclaim unit handle.
#[derive(Clone, Copy, Debug)]
#[doc(alias("RUH", "nvme_fdp_ruh_status_desc"))]
pub struct ReclaimUnitHandle(Wire);

impl ReclaimUnitHandle {
    /// The placement identifier (PID), for
    /// [`Directive::placement`](super::Directive::placement).
    #[must_use]
    #[doc(alias = "PID")]
    pub fn placement(&self) -> u16 {
        self.0.pid.get()
    }

    /// The reclaim unit handle (RUHID).
    #[must_use]
    #[doc(alias = "RUHID")]
    pub fn handle(&self) -> u16 {
        self.0.ruhid.get()
    }

    /// After how many seconds the controller is expected to take another reclaim
    /// unit by itself (EARUTR); 0 if it does not say.
    #[must_use]
    #[doc(alias = "EARUTR")]
    pub fn time_remaining(&self) -> u32 {
        self.0.earutr.get()
    }

    /// How many blocks can still be written to its reclaim unit (RUAMW).
    #[must_use]
    #[doc(alias = "RUAMW")]
    pub fn available(&self) -> u64 {
        self.0.ruamw.get()
    }
}

/// I/O Management Send (1Dh), Reclaim Unit Handle Update (01h): what is written
/// next by these placement identifiers goes to other, empty reclaim units. NVMe
/// Base 2.1, 7.4.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::ReclaimUnitHandleUpdate};
///
/// if let Some(update) = ReclaimUnitHandleUpdate::new([0, 2]) {
///     NvmeNamespace::open_rw("/dev/ng0n1")?.send(&update)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("FDP", "RUHU", "nvme_cmd_io_mgmt_send", "fdp update"))]
#[must_use]
pub struct ReclaimUnitHandleUpdate {
    placements: Vec<u16>,
}

impl ReclaimUnitHandleUpdate {
    /// Of these placement identifiers; `None` unless they are 1 to 65536.
    pub fn new(placements: impl IntoIterator<Item = u16>) -> Option<Self> {
        let placements: Vec<_> = placements.into_iter().take(65537).collect();
        (1..=65536)
            .contains(&placements.len())
            .then_some(Self { placements })
    }
}

impl Sealed for ReclaimUnitHandleUpdate {}

impl Command for ReclaimUnitHandleUpdate {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, self.placements.len() * 2)?;
        Ok(Sqe {
            cdw10: super::from_zero(self.placements.len()) << 16 | 0x01,
            ..Sqe::new(0x1d)
        })
    }
}

impl DataOut for ReclaimUnitHandleUpdate {}

impl WithData for ReclaimUnitHandleUpdate {
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(
            self.placements
                .iter()
                .flat_map(|placement| placement.to_le_bytes())
                .collect(),
        )
    }
}

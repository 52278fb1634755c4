//! Asymmetric Namespace Access (0Ch). NVMe Base 2.1, 5.1.12.1.13.

use core::fmt;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, command::sealed::Sealed};

/// The Asymmetric Namespace Access page: how well the namespaces can be reached
/// through this controller. (NVMe Base 2.1, 5.1.12.1.13)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::Ana};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// // NANAGRPID and MNAN of Identify Controller
/// for group in drive.query(&Ana::page(32, 1024))?.groups() {
///     let group = group?;
///     println!("group {}: {}", group.id(), group.state());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("ana-log", "nvme_ana_log"))]
pub struct Ana(Vec<u8>);

/// One group of [`Ana`].
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_ana_group_desc")]
pub struct AnaGroup<'a> {
    wire: &'a Group,
    nsids: &'a [U32],
}

/// How well the namespaces of a group can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("ANAS", "nvme_ana_state"))]
pub struct AnaState(u8);

impl AnaState {
    /// At best.
    #[doc(alias = "NVME_ANA_OPTIMIZED")]
    pub const OPTIMIZED: Self = Self(0x1);
    /// More slowly.
    #[doc(alias = "NVME_ANA_NONOPTIMIZED")]
    pub const NON_OPTIMIZED: Self = Self(0x2);
    /// Not now.
    #[doc(alias = "NVME_ANA_INACCESSIBLE")]
    pub const INACCESSIBLE: Self = Self(0x3);
    /// Never again.
    #[doc(alias = "NVME_ANA_PERSISTENT_LOSS")]
    pub const PERSISTENT_LOSS: Self = Self(0x4);
    /// It is about to change.
    #[doc(alias = "NVME_ANA_CHANGE")]
    pub const CHANGE: Self = Self(0xf);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for AnaState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::OPTIMIZED => f.write_str("optimized"),
            Self::NON_OPTIMIZED => f.write_str("non-optimized"),
            Self::INACCESSIBLE => f.write_str("inaccessible"),
            Self::PERSISTENT_LOSS => f.write_str("persistent loss"),
            Self::CHANGE => f.write_str("change"),
            Self(state) => write!(f, "{state:X}h"),
        }
    }
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    change_count: U64,
    groups: U16,
    reserved: [u8; 6],
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Group {
    id: U32,
    namespaces: U32,
    change_count: U64,
    state: u8,
    reserved: [u8; 15],
}

const _: () = assert!(size_of::<Header>() == 16);
const _: () = assert!(size_of::<Group>() == 32);

impl Sealed for Ana {}

impl LogReply for Ana {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<Header>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl Ana {
    /// The page of a controller with at most `groups` groups (NANAGRPID) and
    /// `namespaces` namespaces (MNAN, or NN if that is 0).
    ///
    /// What is longer than [`MAX_LENGTH`](super::MAX_LENGTH) is cut there.
    pub fn page(groups: u32, namespaces: u32) -> LogPage<Self> {
        Self::of(GetLog::new(LogId::ANA), groups, namespaces)
    }

    /// The page without the namespaces of the groups.
    #[doc(alias("RGO", "NVME_ANA_LOG_RGO"))]
    pub fn groups_only(groups: u32) -> LogPage<Self> {
        Self::of(GetLog::new(LogId::ANA).specific_field(1), groups, 0)
    }

    fn of(log: GetLog, groups: u32, namespaces: u32) -> LogPage<Self> {
        let groups = u64::from(groups) * size_of::<Group>() as u64;
        let length = size_of::<Header>() as u64 + groups + u64::from(namespaces) * 4;
        let length = usize::try_from(length.min(super::MAX_LENGTH));
        LogPage::new(log, length.unwrap_or(size_of::<Header>()))
    }

    fn header(&self) -> Option<(&Header, &[u8])> {
        wire::split(&self.0).ok()
    }

    /// Counts the changes of the page, and wraps; 0 if that is not told.
    #[must_use]
    #[doc(alias = "CHGCNT")]
    pub fn change_count(&self) -> u64 {
        self.header()
            .map_or(0, |(header, _)| header.change_count.get())
    }

    /// How many groups the controller says to have.
    #[must_use]
    #[doc(alias("NAGD", "ngrps"))]
    pub fn group_count(&self) -> u16 {
        self.header().map_or(0, |(header, _)| header.groups.get())
    }

    /// The groups. One that is not there as a whole is an error, and the last
    /// one.
    pub fn groups(&self) -> impl Iterator<Item = Result<AnaGroup<'_>, Malformed>> {
        let mut rest = self.header().map_or(&[][..], |(_, rest)| rest);
        let mut left = self.group_count();
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let group = group(rest);
            match &group {
                Ok((_, after)) => rest = after,
                Err(_) => left = 0,
            }
            Some(group.map(|(group, _)| group))
        })
    }
}

fn group(bytes: &[u8]) -> Result<(AnaGroup<'_>, &[u8]), Malformed> {
    let (wire, rest) = wire::split::<Group>(bytes)?;
    let nsids = wire::counted::<U32>(rest, wire.namespaces.get().into())?;
    let after = rest.get(size_of_val(nsids)..).unwrap_or_default();
    Ok((AnaGroup { wire, nsids }, after))
}

impl<'a> AnaGroup<'a> {
    /// Its identifier.
    #[must_use]
    #[doc(alias("AGID", "grpid"))]
    pub fn id(&self) -> u32 {
        self.wire.id.get()
    }

    /// Counts its changes, and wraps; 0 if that is not told.
    #[must_use]
    #[doc(alias = "CHGCNT")]
    pub fn change_count(&self) -> u64 {
        self.wire.change_count.get()
    }

    /// How well its namespaces can be reached.
    #[must_use]
    #[doc(alias = "ANAS")]
    pub fn state(&self) -> AnaState {
        AnaState(self.wire.state & 0x0f)
    }

    /// Its namespaces.
    pub fn namespaces(&self) -> impl Iterator<Item = Nsid> + 'a {
        self.nsids.iter().filter_map(|nsid| Nsid::new(nsid.get()))
    }
}

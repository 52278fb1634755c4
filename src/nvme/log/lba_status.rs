//! LBA Status Information (0Eh). NVM Command Set 1.1, 4.1.4.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Nsid, command::sealed::Sealed};

/// The LBA Status Information page: where blocks may be unrecoverable.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::LbaStatus};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let header = drive.query(&LbaStatus::header_page().retain_event(true))?;
/// for element in drive.query(&LbaStatus::whole(&header)?)?.elements() {
///     let element = element?;
///     for range in element.ranges() {
///         println!("{:?}: {} blocks from {}", element.nsid(), range.blocks(), range.lba());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("lba-status-log", "nvme_lba_status_log"))]
pub struct LbaStatus(Vec<u8>);

/// The first 16 bytes of [`LbaStatus`].
#[derive(Clone, Copy, Debug)]
pub struct LbaStatusHeader(Header);

/// What [`LbaStatus`] says of one namespace.
#[derive(Clone, Copy, Debug)]
pub struct LbaStatusElement<'a> {
    wire: &'a Element,
    ranges: &'a [Range],
}

/// A range of blocks of [`LbaStatusElement`].
#[derive(Clone, Copy, Debug)]
pub struct LbaStatusRange(Range);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    length: U32,
    elements: U32,
    estimate: U32,
    reserved12: [u8; 2],
    generation: U16,
}

#[derive(Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Element {
    nsid: U32,
    ranges: U32,
    action: u8,
    reserved9: [u8; 7],
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Range {
    lba: U64,
    blocks: U32,
    reserved12: [u8; 4],
}

const HEADER: usize = 16;
const _: () = assert!(size_of::<Header>() == HEADER);
const _: () = assert!(size_of::<Element>() == 16);
const _: () = assert!(size_of::<Range>() == 16);

impl Sealed for LbaStatus {}
impl Sealed for LbaStatusHeader {}

impl LogReply for LbaStatusHeader {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl LogReply for LbaStatus {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<Header>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl LbaStatusHeader {
    /// How many bytes the page has.
    #[must_use]
    #[doc(alias = "LSLPLEN")]
    pub fn length(&self) -> u64 {
        self.0.length.get().into()
    }

    /// How many namespaces the page tells of.
    #[must_use]
    #[doc(alias = "NLSLNE")]
    pub fn element_count(&self) -> u32 {
        self.0.elements.get()
    }

    /// How many blocks may be unrecoverable, as far as is known.
    #[must_use]
    #[doc(alias = "ESTULB")]
    pub fn estimate(&self) -> u32 {
        self.0.estimate.get()
    }

    /// Counts the page's versions, and wraps.
    #[must_use]
    #[doc(alias = "LSGC")]
    pub fn generation(&self) -> u16 {
        self.0.generation.get()
    }
}

impl LbaStatus {
    /// The header.
    pub const fn header_page() -> LogPage<LbaStatusHeader> {
        LogPage::new(GetLog::new(LogId::LBA_STATUS), HEADER)
    }

    /// The whole page that `header` is of.
    ///
    /// # Errors
    /// [`Malformed::Length`] if it is longer than
    /// [`MAX_LENGTH`](super::MAX_LENGTH).
    pub fn whole(header: &LbaStatusHeader) -> Result<LogPage<Self>, Malformed> {
        let length = header.length().max(HEADER as u64);
        LogPage::told(GetLog::new(LogId::LBA_STATUS), length)
    }

    /// What it says of each namespace. What is not there as a whole is an error,
    /// and the last one.
    pub fn elements(&self) -> impl Iterator<Item = Result<LbaStatusElement<'_>, Malformed>> {
        let (mut left, mut rest) = match wire::split::<Header>(&self.0) {
            Ok((header, rest)) => (header.elements.get(), rest),
            Err(_) => (0, &[][..]),
        };
        core::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let element = element(rest);
            match &element {
                Ok((_, after)) => rest = after,
                Err(_) => left = 0,
            }
            Some(element.map(|(element, _)| element))
        })
    }
}

fn element(bytes: &[u8]) -> Result<(LbaStatusElement<'_>, &[u8]), Malformed> {
    let (wire, rest) = wire::split::<Element>(bytes)?;
    let count = match wire.ranges.get() {
        // The whole namespace, without a list.
        u32::MAX => 0,
        count => count.into(),
    };
    let ranges = wire::counted::<Range>(rest, count)?;
    let after = rest.get(size_of_val(ranges)..).unwrap_or_default();
    Ok((LbaStatusElement { wire, ranges }, after))
}

impl<'a> LbaStatusElement<'a> {
    /// The namespace.
    #[must_use]
    #[doc(alias = "NEID")]
    pub fn nsid(&self) -> Option<Nsid> {
        Nsid::new(self.wire.nsid.get())
    }

    /// Whether it is the whole namespace, which has no ranges then.
    #[must_use]
    #[doc(alias = "NLRD")]
    pub fn is_whole_namespace(&self) -> bool {
        self.wire.ranges.get() == u32::MAX
    }

    /// What Get LBA Status is to be asked to do (ATYPE): 10h or 11h.
    #[must_use]
    #[doc(alias = "RATYPE")]
    pub fn action(&self) -> u8 {
        self.wire.action
    }

    /// The ranges to look at.
    pub fn ranges(&self) -> impl Iterator<Item = LbaStatusRange> + 'a {
        self.ranges.iter().map(|range| LbaStatusRange(*range))
    }
}

impl LbaStatusRange {
    /// The first block.
    #[must_use]
    #[doc(alias = "RSLBA")]
    pub fn lba(&self) -> u64 {
        self.0.lba.get()
    }

    /// How many blocks.
    #[must_use]
    #[doc(alias = "RNLB")]
    pub fn blocks(&self) -> u32 {
        self.0.blocks.get()
    }
}

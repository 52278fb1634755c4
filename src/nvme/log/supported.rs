//! Supported Log Pages (00h). NVMe Base 2.1, 5.1.12.1.1.

use zerocopy::byteorder::little_endian::U32;

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

const LENGTH: usize = 1024;

/// The Supported Log Pages page. Controllers before NVMe 2.0 lack it.
/// (NVMe Base 2.1, 5.1.12.1.1)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::SupportedLogs};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// for (id, _) in drive.query(&SupportedLogs::page(0))?.iter() {
///     println!("{id}");
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("supported-log-pages", "nvme_supported_log_pages"))]
pub struct SupportedLogs(Vec<u8>);

/// How a page can be read, from [`SupportedLogs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SupportedLog(u32);

impl Sealed for SupportedLogs {}

impl LogReply for SupportedLogs {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<[u8; LENGTH]>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl SupportedLogs {
    /// The pages for a command set: 0 NVM, 1 key value, 2 zoned.
    pub const fn page(command_set: u8) -> LogPage<Self> {
        let log = GetLog::new(LogId::SUPPORTED_LOGS).command_set(command_set);
        LogPage::new(log, LENGTH)
    }

    /// How the page `id` can be read; `None` if there is no such page.
    #[must_use]
    pub fn get(&self, id: LogId) -> Option<SupportedLog> {
        let (table, _) = wire::split::<[U32; 256]>(&self.0).ok()?;
        let entry = SupportedLog(table.get(usize::from(id.get()))?.get());
        (entry.0 & 1 != 0).then_some(entry)
    }

    /// The pages that there are.
    pub fn iter(&self) -> impl Iterator<Item = (LogId, SupportedLog)> + '_ {
        (0..=0xff)
            .map(LogId::new)
            .filter_map(|id| self.get(id).map(|entry| (id, entry)))
    }
}

impl SupportedLog {
    /// Whether an offset may count entries
    /// ([`GetLog::index`](super::GetLog::index)).
    #[must_use]
    #[doc(alias = "IOS")]
    pub const fn has_index_offset(self) -> bool {
        self.0 & 2 != 0
    }

    /// What the page defines. Of [`LogId::PERSISTENT_EVENTS`] bit 0: the header
    /// can be read as its context is established.
    #[must_use]
    #[doc(alias = "LIDSP")]
    #[allow(clippy::cast_possible_truncation)] // the high half
    pub const fn specific(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

//! The command.

use core::time::Duration;

use super::{LogId, LogPage};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Nsid, Queue, Sqe, command::sealed::Sealed,
};

/// The most that one command can name: the number of dwords has 32 bits and
/// counts from 0.
const MAX: u64 = 4 << 32;

/// What a log page offset counts (OT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "OT")]
pub enum OffsetType {
    /// Bytes, a multiple of 4.
    #[default]
    Bytes,
    /// Entries of the page's list. A page says whether it can be read so
    /// ([`SupportedLog::has_index_offset`](super::SupportedLog::has_index_offset)).
    Entries,
}

/// Get Log Page (02h): the bytes of a log page. NVMe Base 2.1, 5.1.12.
///
/// The length is the buffer's: a multiple of 4 and more than 0. Without
/// [`namespace`](Self::namespace) the NSID is `FFFFFFFFh`, the whole controller,
/// which every page of a controller takes; a page of a single namespace needs
/// its NSID.
///
/// ```
/// use passthru::nvme::{Command, Lengths, log::{GetLog, LogId}};
///
/// let log = GetLog::new(LogId::new(0xC0)).offset(0x1000);
/// let sqe = log.sqe(Lengths::data(512))?;
/// assert_eq!((sqe.nsid, sqe.cdw10, sqe.cdw12), (0xffff_ffff, 0x007f_00c0, 0x1000));
/// assert!(log.sqe(Lengths::data(510)).is_err());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use]
#[doc(alias("get-log", "nvme_get_log_page_command", "nvme_get_log"))]
pub struct GetLog {
    id: LogId,
    nsid: Option<Nsid>,
    specific_field: u8,
    specific_identifier: u16,
    retain_event: bool,
    offset: u64,
    offset_type: OffsetType,
    command_set: u8,
    uuid_index: u8,
}

impl GetLog {
    /// The log page `id`, of the whole controller, from its beginning.
    pub const fn new(id: LogId) -> Self {
        Self {
            id,
            nsid: Some(Nsid::ALL),
            specific_field: 0,
            specific_identifier: 0,
            retain_event: false,
            offset: 0,
            offset_type: OffsetType::Bytes,
            command_set: 0,
            uuid_index: 0,
        }
    }

    /// Which page it is.
    #[must_use]
    pub const fn id(&self) -> LogId {
        self.id
    }

    /// Of one namespace; of [`Nsid::ALL`] or `None` (NSID 0) the controller.
    pub const fn namespace(mut self, nsid: Option<Nsid>) -> Self {
        self.nsid = nsid;
        self
    }

    /// The log specific parameter (LSP), 0 to 127: bits above are dropped.
    #[doc(alias("LSP", "lsp"))]
    pub const fn specific_field(mut self, lsp: u8) -> Self {
        self.specific_field = lsp & 0x7f;
        self
    }

    /// The log specific identifier (LSI): an endurance group, an NVM set, a
    /// domain, as the page wants it.
    #[doc(alias("LSI", "lsi"))]
    pub const fn specific_identifier(mut self, lsi: u16) -> Self {
        self.specific_identifier = lsi;
        self
    }

    /// Whether the event that belongs to the page stays as it is (RAE), so that
    /// who waits for it does not miss it.
    #[doc(alias("RAE", "rae"))]
    pub const fn retain_event(mut self, retain: bool) -> Self {
        self.retain_event = retain;
        self
    }

    /// Where in the page it begins (LPOL, LPOU), in bytes. A controller refuses
    /// one that is no multiple of 4, or is beyond the page's end.
    #[doc(alias("LPO", "LPOL", "LPOU"))]
    pub const fn offset(mut self, bytes: u64) -> Self {
        self.offset = bytes;
        self.offset_type = OffsetType::Bytes;
        self
    }

    /// At which entry of the page's list it begins, the first being 0.
    pub const fn index(mut self, entry: u64) -> Self {
        self.offset = entry;
        self.offset_type = OffsetType::Entries;
        self
    }

    /// The same for what begins `bytes` bytes further; `None` if its offset
    /// counts entries, or would be no multiple of 4 or more than 64 bits.
    #[must_use]
    pub const fn at(mut self, bytes: u64) -> Option<Self> {
        match (self.offset_type, self.offset.checked_add(bytes)) {
            (OffsetType::Bytes, Some(offset)) if offset % 4 == 0 => {
                self.offset = offset;
                Some(self)
            }
            _ => None,
        }
    }

    /// The command set (CSI) that the page is of, for a page that there is once
    /// for each: 0 NVM, 1 key value, 2 zoned.
    #[doc(alias("CSI", "csi"))]
    pub const fn command_set(mut self, csi: u8) -> Self {
        self.command_set = csi;
        self
    }

    /// Which vendor's page it is, as an index of the UUID list: 1 to 127, 0 for
    /// none; bits above are dropped.
    #[doc(alias("UIDX", "uuidx"))]
    pub const fn uuid_index(mut self, index: u8) -> Self {
        self.uuid_index = index & 0x7f;
        self
    }

    /// A query for `length` bytes as they are: a multiple of 4.
    pub const fn bytes(self, length: usize) -> LogPage<Vec<u8>> {
        LogPage::new(self, length)
    }

    /// Whether the command makes the controller collect what it then gives.
    const fn collects(&self) -> bool {
        match self.id {
            LogId::TELEMETRY_HOST => self.specific_field & 1 != 0,
            LogId::PERSISTENT_EVENTS => self.specific_field & 3 != 0,
            _ => false,
        }
    }
}

impl Sealed for GetLog {}

impl Command for GetLog {
    const QUEUE: Queue = Queue::Admin;

    #[allow(clippy::cast_possible_truncation)] // halves of the offset and of the length
    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        let len = lengths.data;
        if lengths.metadata != 0 {
            return Err(LengthMismatch::NoMetadata);
        }
        if len == 0 {
            return Err(LengthMismatch::TooShort { len, min: 4 });
        }
        if len % 4 != 0 {
            return Err(LengthMismatch::Unit { len, unit: 4 });
        }
        if len as u64 > MAX {
            let max = usize::try_from(MAX).unwrap_or(usize::MAX);
            return Err(LengthMismatch::TooLong { len, max });
        }
        let numd = (len / 4 - 1) as u32;
        let by_index = matches!(self.offset_type, OffsetType::Entries);
        Ok(Sqe {
            nsid: self.nsid.map_or(0, Nsid::get),
            cdw10: (numd & 0xffff) << 16
                | u32::from(self.retain_event) << 15
                | u32::from(self.specific_field) << 8
                | u32::from(self.id.get()),
            cdw11: u32::from(self.specific_identifier) << 16 | numd >> 16,
            cdw12: self.offset as u32,
            cdw13: (self.offset >> 32) as u32,
            cdw14: u32::from(self.command_set) << 24
                | u32::from(by_index) << 23
                | u32::from(self.uuid_index),
            ..Sqe::new(0x02)
        })
    }

    fn timeout(&self) -> Option<Duration> {
        self.collects().then_some(Duration::from_secs(180))
    }
}

impl DataIn for GetLog {}

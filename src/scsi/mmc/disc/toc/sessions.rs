//! Format 1: the last complete session.

use super::{SizedReply, TocEntry, wire};

/// Where the last complete session begins (format 0001b): what a file system
/// that was written in several sessions is read from.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{Lba, ReadToc}};
///
/// let reply = [0x00, 0x0a, 1, 2, 0, 0x14, 3, 0, 0x00, 0x00, 0x2f, 0x4e];
/// let last = ReadToc::last_session().parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!((last.first_session(), last.last_session()), (1, 2));
/// let track = last.first_track().unwrap();
/// assert_eq!((track.number(), track.lba()), (3, Some(Lba(12_110))));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "CDROMMULTISESSION")]
pub struct LastSession<'a> {
    reply: SizedReply<'a>,
    msf: bool,
}

impl<'a> LastSession<'a> {
    pub(super) const fn new(reply: SizedReply<'a>, msf: bool) -> Self {
        Self { reply, msf }
    }

    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.reply
    }

    /// The number of the first complete session, 1 on every disc.
    #[must_use]
    pub fn first_session(&self) -> u8 {
        wire::byte(self.reply.arrived(), 2).unwrap_or(0)
    }

    /// The number of the last complete session; 1 as well if there is only one.
    #[must_use]
    pub fn last_session(&self) -> u8 {
        wire::byte(self.reply.arrived(), 3).unwrap_or(0)
    }

    /// The first track of that session, with its start.
    #[must_use]
    pub fn first_track(&self) -> Option<TocEntry> {
        let bytes = wire::array(self.reply.as_bytes(), 4)?;
        Some(TocEntry::new(bytes, self.msf))
    }
}

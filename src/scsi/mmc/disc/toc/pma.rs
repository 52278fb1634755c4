//! Format 3: the program memory area.

use super::{
    HEADER, NumberEncoding, SizedReply, TocQEntry,
    q::{self, ENTRY},
};

/// The program memory area (format 0011b): the tracks that a recordable CD has
/// before its session is closed.
///
/// In an entry of a track, PMIN, PSEC and PFRAME are its start, and MIN, SEC and
/// FRAME its end.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{Lba, ReadToc}};
///
/// let reply = [0, 13, 0, 0, 0, 0x14, 0, 1, 0, 4, 25, 0, 0, 2, 0];
/// let pma = ReadToc::pma().parse(ReplyBytes::borrowed(&reply))?;
/// let track = pma.entries().next().unwrap();
/// assert_eq!(track.track(), Some(1));
/// assert_eq!((track.point_lba(), track.time_lba()), (Some(Lba(0)), Some(Lba(175))));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "PMA")]
pub struct Pma<'a> {
    reply: SizedReply<'a>,
    encoding: NumberEncoding,
}

impl<'a> Pma<'a> {
    pub(super) const fn new(reply: SizedReply<'a>) -> Self {
        Self {
            reply,
            encoding: NumberEncoding::Binary,
        }
    }

    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.reply
    }

    /// The same reply, with its numbers read so.
    #[must_use]
    pub fn encoding(mut self, encoding: NumberEncoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// All whole entries, in the drive's order. Entries that are not of tracks
    /// (ADR 2 and more) are the disc's identification and skip marks.
    pub fn entries(&self) -> impl Iterator<Item = TocQEntry> + '_ {
        q::entries(&self.reply, self.encoding)
    }

    /// How many bytes of a further entry follow the last whole one.
    #[must_use]
    pub fn partial_entry(&self) -> usize {
        self.reply.list(HEADER).len() % ENTRY
    }
}

//! Format 0: the tracks.

use super::{HEADER, Lba, Msf, SizedReply, TocFault, TrackControl, fault, wire};

/// The length of an entry in bytes.
const ENTRY: usize = 8;

/// The number that stands for the lead-out.
const LEAD_OUT: u8 = 0xaa;

/// One entry of format 0, or the one of format 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TocEntry {
    bytes: [u8; ENTRY],
    msf: bool,
}

impl TocEntry {
    pub(super) const fn new(bytes: [u8; ENTRY], msf: bool) -> Self {
        Self { bytes, msf }
    }

    /// The eight bytes as they came.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; ENTRY] {
        &self.bytes
    }

    /// The ADR field: what the Q subchannel holds there; 1 is a position.
    #[must_use]
    #[doc(alias = "ADR")]
    pub const fn adr(&self) -> u8 {
        self.bytes[1] >> 4
    }

    /// What kind of track it is.
    #[must_use]
    pub const fn control(&self) -> TrackControl {
        TrackControl(self.bytes[1] & 0x0f)
    }

    /// The number of the track, `AAh` for the lead-out. It is in binary.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.bytes[2]
    }

    /// Whether it is the lead-out and no track.
    #[must_use]
    pub const fn is_lead_out(&self) -> bool {
        self.number() == LEAD_OUT
    }

    /// Whether its number is that of a track: 1 to 99.
    #[must_use]
    pub const fn is_track(&self) -> bool {
        matches!(self.number(), 1..=99)
    }

    /// The time of the start, if times were asked for and it is one.
    #[must_use]
    pub fn msf(&self) -> Option<Msf> {
        self.time().and_then(Msf::from_binary)
    }

    /// The last three bytes of the start, if times were asked for.
    fn time(&self) -> Option<[u8; 3]> {
        let [.., minute, second, frame] = self.bytes;
        self.msf.then_some([minute, second, frame])
    }

    /// The block address of the start, in either form; `None` if it is a time that
    /// cannot be. From minute 90 on a time is in the program area too.
    #[must_use]
    pub fn lba(&self) -> Option<Lba> {
        let [_, _, _, _, address @ ..] = self.bytes;
        if self.msf {
            self.msf().map(Msf::to_program_lba)
        } else {
            Some(Lba(i32::from_be_bytes(address)))
        }
    }
}

/// A track, where it begins and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TocTrack {
    /// The session it is in; format 0 does not say it.
    pub session: Option<u8>,
    /// Its number, 1 to 99.
    pub number: u8,
    /// What kind of track it is.
    pub control: TrackControl,
    /// Its first block.
    pub start: Lba,
    /// Its length in blocks, up to the next track or the lead-out; `None` if
    /// neither is there, or not after it.
    pub length: Option<u32>,
}

/// How many blocks are from `start` to `end`.
pub(super) fn distance(start: Lba, end: Lba) -> Option<u32> {
    u32::try_from(end.0.checked_sub(start.0)?)
        .ok()
        .filter(|&blocks| blocks > 0)
}

/// The table of contents (format 0000b): every track's start, and the lead-out
/// of the last session.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{Lba, ReadToc}};
///
/// let reply = [
///     0x00, 0x1a, 1, 2, // tracks 1 to 2
///     0, 0x10, 1, 0, 0, 0, 0, 0, // track 1, audio
///     0, 0x14, 2, 0, 0, 0, 0x1f, 0x40, // track 2, data
///     0, 0x14, 0xaa, 0, 0, 0, 0x3e, 0x80, // the lead-out
/// ];
/// let toc = ReadToc::tracks().parse(ReplyBytes::borrowed(&reply))?;
/// assert!(toc.faults().is_empty());
/// let lengths: Vec<_> = toc.tracks().map(|track| track.length).collect();
/// assert_eq!(lengths, [Some(8000), Some(8000)]);
/// assert_eq!(toc.lead_out().unwrap().lba(), Some(Lba(16_000)));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("CDROMREADTOCHDR", "CDROMREADTOCENTRY"))]
pub struct Toc<'a> {
    reply: SizedReply<'a>,
    msf: bool,
}

impl<'a> Toc<'a> {
    pub(super) const fn new(reply: SizedReply<'a>, msf: bool) -> Self {
        Self { reply, msf }
    }

    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.reply
    }

    /// The number of the disc's first track, as the header has it.
    #[must_use]
    pub fn first_track(&self) -> u8 {
        wire::byte(self.reply.arrived(), 2).unwrap_or(0)
    }

    /// The number of the disc's last track, as the header has it.
    #[must_use]
    pub fn last_track(&self) -> u8 {
        wire::byte(self.reply.arrived(), 3).unwrap_or(0)
    }

    /// All whole entries, the lead-out too, in the drive's order.
    pub fn entries(&self) -> impl Iterator<Item = TocEntry> + '_ {
        self.reply
            .list(HEADER)
            .chunks_exact(ENTRY)
            .filter_map(|entry| Some(TocEntry::new(wire::array(entry, 0)?, self.msf)))
    }

    /// The tracks, with their lengths. One whose start is a time that cannot be is
    /// left out and is a [fault](Self::faults).
    ///
    /// On a disc of several sessions the last track of each but the last ends
    /// before the next session's lead-in, 11,400 blocks or more before the track
    /// that follows, and this length goes up to that track:
    /// [`FullToc::tracks`](super::FullToc::tracks) has the right one.
    pub fn tracks(&self) -> impl Iterator<Item = TocTrack> + '_ {
        let next = self.entries().skip(1).map(Some).chain([None]);
        self.entries()
            .zip(next)
            .filter(|(entry, _)| entry.is_track())
            .filter_map(|(entry, next)| {
                let start = entry.lba()?;
                Some(TocTrack {
                    session: None,
                    number: entry.number(),
                    control: entry.control(),
                    start,
                    length: next.and_then(|next| distance(start, next.lba()?)),
                })
            })
    }

    /// The lead-out, which is where the disc ends.
    #[must_use]
    pub fn lead_out(&self) -> Option<TocEntry> {
        self.entries().find(TocEntry::is_lead_out)
    }

    /// All that is wrong with it. If it is
    /// [truncated](SizedReply::is_truncated) nothing is said of its end, and if
    /// it was asked for from a later track on, nothing of the tracks before.
    #[must_use]
    pub fn faults(&self) -> Vec<TocFault> {
        let mut faults = fault::of_list(&self.reply, ENTRY);
        let whole = !self.reply.is_truncated();
        let mut before: Option<TocEntry> = None;
        for entry in self.entries() {
            faults.extend(faults_of(entry, before));
            before = Some(entry);
        }
        if whole {
            if self.lead_out().is_none() {
                faults.push(TocFault::NoLeadOut { session: 1 });
            }
            faults.extend(self.missing_track());
        }
        faults
    }

    /// The first track of the header's range, from the first in the list on, that
    /// is not in the list.
    fn missing_track(&self) -> Option<TocFault> {
        let first = self.entries().next()?.number().max(self.first_track());
        (first..=self.last_track())
            .find(|&number| self.entries().all(|entry| entry.number() != number))
            .map(|number| TocFault::MissingTrack { number })
    }
}

fn faults_of(entry: TocEntry, before: Option<TocEntry>) -> impl Iterator<Item = TocFault> {
    let number = entry.number();
    let wrong =
        (!entry.is_track() && !entry.is_lead_out()).then_some(TocFault::TrackNumber { number });
    let order = before
        .filter(|before| before.number() >= number)
        .map(|before| TocFault::TrackOrder {
            number,
            after: before.number(),
        });
    let place = before
        .and_then(|before| Some((before.lba()?, entry.lba()?)))
        .filter(|(earlier, start)| earlier >= start)
        .map(|(_, start)| TocFault::Address { number, start });
    let time = entry
        .time()
        .filter(|_| entry.msf().is_none())
        .map(|msf| TocFault::Time { number, msf });
    [wrong, order, place, time].into_iter().flatten()
}

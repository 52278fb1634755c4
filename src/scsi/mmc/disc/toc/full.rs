//! Format 2: the whole lead-ins.

use super::{
    Bcd, Lba, Msf, NumberEncoding, SizedReply, TocFault, TocPoint, TocQEntry, TocTrack, fault,
    q::{self, ENTRY},
    tracks::distance,
    wire,
};
use crate::scsi::mmc::DiscType;

/// One session of a [`FullToc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TocSession {
    /// Its number.
    pub number: u8,
    /// Its first track (A0h).
    pub first_track: Option<u8>,
    /// Its last track (A1h).
    pub last_track: Option<u8>,
    /// The disc type (A0h).
    pub disc_type: Option<DiscType>,
    /// The first block of its first track.
    pub start: Option<Lba>,
    /// The first block of its lead-out (A2h).
    pub lead_out: Option<Lba>,
    /// Where the program area of the next session begins or may begin (B0h);
    /// `None` if the disc is closed or does not say it.
    pub next_session: Option<Lba>,
}

/// The entries of all lead-ins (format 0010b), as the Q subchannel has them.
///
/// Only here are the borders of sessions, and so the right lengths of their last
/// tracks. The numbers are in binary by the standard, and in BCD from some
/// drives: see [`guess_encoding`](Self::guess_encoding). Saved bytes are read by
/// [`ReadToc::full`](super::ReadToc::full), as the [module](crate::scsi::mmc)
/// shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("raw TOC", "fulltoc"))]
pub struct FullToc<'a> {
    reply: SizedReply<'a>,
    encoding: NumberEncoding,
}

impl<'a> FullToc<'a> {
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

    /// How the drive writes numbers, if the bytes tell it: a byte that is no BCD
    /// is binary, a second above 59 or a frame above 74 is BCD, and so is track
    /// 10h right after 9. `None` if both are possible (a short disc), or if
    /// neither is.
    #[must_use]
    #[doc(alias = "BCD")]
    pub fn guess_encoding(&self) -> Option<NumberEncoding> {
        let (mut binary, mut bcd) = (true, true);
        let mut last = 0;
        for entry in self.entries().filter(|entry| entry.adr() == 1) {
            let point = entry.point();
            let time = entry.point_time();
            let counts = matches!(point, TocPoint::FIRST_TRACK | TocPoint::LAST_TRACK);
            if !counts {
                binary &= Msf::from_binary(time).is_some();
                bcd &= time.iter().all(|byte| Bcd::new(*byte).is_some());
            }
            if counts {
                let [number, _, _] = time;
                bcd &= Bcd::new(number).is_some();
            }
            if point.0 < 0xa0 {
                binary &= point.0 <= 99 && !(last == 9 && point.0 == 0x10);
                bcd &= Bcd::new(point.0).is_some();
                last = point.0;
            }
        }
        match (binary, bcd) {
            (true, false) => Some(NumberEncoding::Binary),
            (false, true) => Some(NumberEncoding::Bcd),
            _ => None,
        }
    }

    /// The number of the first complete session, as the header has it.
    #[must_use]
    pub fn first_session(&self) -> u8 {
        wire::byte(self.reply.arrived(), 2).unwrap_or(0)
    }

    /// The number of the last complete session, as the header has it.
    #[must_use]
    pub fn last_session(&self) -> u8 {
        wire::byte(self.reply.arrived(), 3).unwrap_or(0)
    }

    /// All whole entries, in the drive's order.
    pub fn entries(&self) -> impl Iterator<Item = TocQEntry> + '_ {
        q::entries(&self.reply, self.encoding)
    }

    /// The sessions that have entries, in ascending order.
    #[must_use]
    pub fn sessions(&self) -> Vec<TocSession> {
        let mut present = [false; 256];
        for entry in self.entries() {
            if let Some(slot) = present.get_mut(usize::from(entry.session())) {
                *slot = true;
            }
        }
        (0..=255)
            .zip(present)
            .filter(|(_, present)| *present)
            .map(|(number, _)| self.session(number))
            .collect()
    }

    fn session(&self, number: u8) -> TocSession {
        let of = |point| {
            self.entries()
                .find(|entry| entry.session() == number && entry.is(point))
        };
        let first = of(TocPoint::FIRST_TRACK);
        TocSession {
            number,
            first_track: first.and_then(|entry| entry.point_number()),
            last_track: of(TocPoint::LAST_TRACK).and_then(|entry| entry.point_number()),
            disc_type: first.map(|entry| {
                let [_, kind, _] = entry.point_time();
                DiscType(kind)
            }),
            start: self
                .entries()
                .filter(|entry| entry.session() == number && entry.track().is_some())
                .filter_map(|entry| entry.point_lba())
                .min(),
            lead_out: of(TocPoint::LEAD_OUT).and_then(|entry| entry.point_lba()),
            next_session: of(TocPoint::NEXT_SESSION).and_then(|entry| entry.time_lba()),
        }
    }

    /// The tracks in the drive's order. A track ends where the next of its
    /// session begins, or at the session's lead-out. One without a valid start
    /// is left out and is a [fault](Self::faults).
    #[must_use]
    pub fn tracks(&self) -> Vec<TocTrack> {
        // By the session, sorted by their starts: the end of each is the next.
        let mut starts: Vec<(u8, Lba)> = self
            .entries()
            .filter(|entry| entry.track().is_some() || entry.is(TocPoint::LEAD_OUT))
            .filter_map(|entry| Some((entry.session(), entry.point_lba()?)))
            .collect();
        starts.sort_unstable();
        let end = |session, start| {
            let after = starts.partition_point(|&known| known <= (session, start));
            starts
                .get(after)
                .filter(|(other, _)| *other == session)
                .and_then(|&(_, end)| distance(start, end))
        };
        self.entries()
            .filter_map(|entry| {
                let start = entry.point_lba()?;
                Some(TocTrack {
                    session: Some(entry.session()),
                    number: entry.track()?,
                    control: entry.control(),
                    start,
                    length: end(entry.session(), start),
                })
            })
            .collect()
    }

    /// All that is wrong with it. If it is
    /// [truncated](SizedReply::is_truncated) nothing is said of what is missing.
    #[must_use]
    pub fn faults(&self) -> Vec<TocFault> {
        let mut faults = fault::of_list(&self.reply, ENTRY);
        let whole = !self.reply.is_truncated();
        self.entry_faults(&mut faults);
        let sessions = self.sessions();
        if whole {
            for session in &sessions {
                self.session_faults(*session, &mut faults);
            }
            let missing = (self.first_session()..=self.last_session())
                .filter(|number| sessions.iter().all(|session| session.number != *number));
            faults.extend(missing.map(|session| TocFault::NoSession { session }));
        }
        let known = self.first_session().max(1)..=self.last_session();
        faults.extend(
            sessions
                .iter()
                .map(|session| session.number)
                .filter(|number| !known.contains(number))
                .map(|session| TocFault::OtherSession { session }),
        );
        faults
    }

    /// Numbers, times and order of the single entries.
    fn entry_faults(&self, faults: &mut Vec<TocFault>) {
        let mut before: Option<(u8, Lba)> = None;
        for entry in self.entries().filter(|entry| entry.adr() == 1) {
            let number = entry.point().0;
            if entry.track().is_none() && entry.point().name().is_none() {
                faults.push(TocFault::TrackNumber { number });
                continue;
            }
            let is_place = entry.track().is_some() || entry.is(TocPoint::LEAD_OUT);
            if is_place && entry.point_lba().is_none() {
                let msf = entry.point_time();
                faults.push(TocFault::Time { number, msf });
            }
            let (Some(number), Some(start)) = (entry.track(), entry.point_lba()) else {
                continue;
            };
            if let Some((after, earlier)) = before {
                if after >= number {
                    faults.push(TocFault::TrackOrder { number, after });
                }
                if earlier >= start {
                    faults.push(TocFault::Address { number, start });
                }
            }
            before = Some((number, start));
        }
    }

    /// What a session lacks.
    fn session_faults(&self, session: TocSession, faults: &mut Vec<TocFault>) {
        let has = |point| {
            self.entries()
                .any(|entry| entry.session() == session.number && entry.is(point))
        };
        let number = session.number;
        if !has(TocPoint::FIRST_TRACK) {
            faults.push(TocFault::NoFirstTrack { session: number });
        }
        if !has(TocPoint::LAST_TRACK) {
            faults.push(TocFault::NoLastTrack { session: number });
        }
        if !has(TocPoint::LEAD_OUT) {
            faults.push(TocFault::NoLeadOut { session: number });
        }
        let tracks = || {
            self.entries()
                .filter(move |entry| entry.session() == number)
        };
        if let (Some(first), Some(last)) = (session.first_track, session.last_track) {
            let missing =
                (first..=last).find(|wanted| tracks().all(|entry| entry.track() != Some(*wanted)));
            faults.extend(missing.map(|number| TocFault::MissingTrack { number }));
        }
        let late = tracks().find_map(|entry| {
            let (number, start) = (entry.track()?, entry.point_lba()?);
            (start >= session.lead_out?).then_some(TocFault::Address { number, start })
        });
        faults.extend(late);
    }
}

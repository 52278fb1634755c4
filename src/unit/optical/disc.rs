//! What is on a CD: sessions and tracks.

use core::fmt;

use super::{super::disk::optional, OpticalDrive};
use crate::{
    Result,
    scsi::mmc::{
        FullToc, LastSession, Lba, NumberEncoding, ReadToc, Toc, TocFault, TocTrack, TrackControl,
    },
    transport::{ScsiTransport, ScsiTransportExt},
};

/// What a [`Disc`] was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DiscSource {
    /// The full table of contents; the list of tracks has the same tracks.
    FullToc,
    /// The full table of contents, but the list of tracks has others, or the same
    /// elsewhere. Trust neither without looking.
    FullTocAlone,
    /// The list of tracks: the drive does not give the full table. The ends of all
    /// sessions but the last are unknown.
    Tracks,
}

/// Whether a track is audio or data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrackKind {
    /// Audio.
    Audio,
    /// Data; in which mode its sectors are the table of contents does not say.
    Data,
}

impl fmt::Display for TrackKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Audio => "audio",
            Self::Data => "data",
        })
    }
}

/// A track of a [`Disc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Track {
    /// Its session, if known.
    pub session: Option<u8>,
    /// Its number, 1 to 99.
    pub number: u8,
    /// Audio or data.
    pub kind: TrackKind,
    /// All control bits.
    pub control: TrackControl,
    /// Its first sector.
    pub start: Lba,
    /// Its length in sectors, up to the next track (whose pregap counts) or the
    /// session's lead-out, if known.
    pub length: Option<u32>,
}

impl Track {
    /// The address behind its last sector, if known.
    #[must_use]
    pub fn end(&self) -> Option<Lba> {
        Some(Lba(self.start.0.checked_add_unsigned(self.length?)?))
    }

    /// Whether the sector is one of this track's; `false` if the end is not known.
    #[must_use]
    pub fn contains(&self, lba: Lba) -> bool {
        self.end()
            .is_some_and(|end| (self.start..end).contains(&lba))
    }

    fn of(track: &TocTrack) -> Self {
        Self {
            session: track.session,
            number: track.number,
            kind: if track.control.is_data() {
                TrackKind::Data
            } else {
                TrackKind::Audio
            },
            control: track.control,
            start: track.start,
            length: track.length,
        }
    }
}

/// A session of a [`Disc`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// Its number; `None` for several that cannot be told apart.
    pub number: Option<u8>,
    /// Its tracks, by their starts.
    pub tracks: Vec<Track>,
    /// Where its lead-out begins, if known.
    pub lead_out: Option<Lba>,
}

/// What is on a CD; made by [`OpticalDrive::disc`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Disc {
    /// Its sessions, in order.
    pub sessions: Vec<Session>,
    /// What this is made from.
    pub source: DiscSource,
    /// What is wrong with the table that it is made from.
    pub faults: Vec<TocFault>,
}

impl Disc {
    /// All tracks.
    pub fn tracks(&self) -> impl Iterator<Item = &Track> {
        self.sessions.iter().flat_map(|session| &session.tracks)
    }

    /// The track with this number.
    #[must_use]
    pub fn track(&self, number: u8) -> Option<&Track> {
        self.tracks().find(|track| track.number == number)
    }

    /// The track that the sector belongs to. Between sessions there is none.
    #[must_use]
    pub fn track_at(&self, lba: Lba) -> Option<&Track> {
        self.tracks().find(|track| track.contains(lba))
    }

    /// Where the lead-out of the last session begins, which is where the disc ends.
    #[must_use]
    pub fn lead_out(&self) -> Option<Lba> {
        self.sessions.last()?.lead_out
    }

    /// By the full table, with its numbers read as the list of tracks confirms: with
    /// one track, only by where the lead-out begins.
    fn of_full(full: FullToc<'_>, toc: &Toc<'_>) -> Self {
        let guess = full.guess_encoding().unwrap_or(NumberEncoding::Binary);
        let other = match guess {
            NumberEncoding::Bcd => NumberEncoding::Binary,
            NumberEncoding::Binary => NumberEncoding::Bcd,
        };
        let [first, second] = [guess, other].map(|encoding| full.clone().encoding(encoding));
        let tracks = |full: &FullToc<'_>| places_of(full.tracks()) == places_of(toc.tracks());
        let lead_out = toc.lead_out().and_then(|entry| entry.lba());
        let all = |full: &FullToc<'_>| {
            let last = full.sessions().last().and_then(|last| last.lead_out);
            tracks(full) && last == lead_out
        };
        let (full, source) = if all(&first) || (tracks(&first) && !all(&second)) {
            (first, DiscSource::FullToc)
        } else if tracks(&second) {
            (second, DiscSource::FullToc)
        } else {
            (first, DiscSource::FullTocAlone)
        };
        let tracks = full.tracks();
        let sessions = full.sessions().into_iter().map(|session| Session {
            number: Some(session.number),
            tracks: sorted(
                tracks
                    .iter()
                    .filter(|track| track.session == Some(session.number))
                    .map(Track::of),
            ),
            lead_out: session.lead_out,
        });
        Self {
            sessions: sessions.collect(),
            source,
            faults: full.faults(),
        }
    }

    /// By the list of tracks, and where the last session begins.
    fn of_tracks(toc: &Toc<'_>, last: Option<LastSession<'_>>) -> Self {
        let lead_out = toc.lead_out().and_then(|entry| entry.lba());
        let mut tracks = sorted(toc.tracks().map(|track| Track::of(&track)));
        let border = last.as_ref().and_then(|last| {
            let first = last.first_track()?;
            let several = last.last_session() > last.first_session();
            tracks
                .iter()
                .position(|track| several && track.number == first.number())
        });
        let known = last.map(|last| (last.first_session(), last.last_session()));
        let mut in_last = tracks.split_off(border.unwrap_or(0));
        let mut sessions = Vec::new();
        if let Some(end) = tracks.last_mut() {
            // It goes up to a lead-out that nobody told.
            end.length = None;
            let number = known.filter(|(first, last)| last - first == 1);
            sessions.push(Session::new(number.map(|(first, _)| first), tracks, None));
        }
        let number = known.map(|(_, last)| last).filter(|number| *number > 0);
        // A border that the list does not have says nothing of where the tracks are.
        let several = known.is_some_and(|(first, last)| last > first);
        let number = number.filter(|_| border.is_some() || !several);
        for track in &mut in_last {
            track.session = number;
        }
        sessions.push(Session::new(number, in_last, lead_out));
        Self {
            sessions,
            source: DiscSource::Tracks,
            faults: toc.faults(),
        }
    }
}

impl Session {
    fn new(number: Option<u8>, mut tracks: Vec<Track>, lead_out: Option<Lba>) -> Self {
        for track in &mut tracks {
            track.session = number;
        }
        Self {
            number,
            tracks,
            lead_out,
        }
    }
}

fn sorted(tracks: impl Iterator<Item = Track>) -> Vec<Track> {
    let mut tracks: Vec<_> = tracks.collect();
    tracks.sort_by_key(|track| track.start);
    tracks
}

/// Numbers, kinds and starts.
fn places_of(tracks: impl IntoIterator<Item = TocTrack>) -> Vec<(Lba, u8, TrackControl)> {
    let tracks = tracks.into_iter();
    let mut places: Vec<_> = tracks
        .map(|track| (track.start, track.number, track.control))
        .collect();
    places.sort_unstable();
    places
}

impl<T: ScsiTransport> OpticalDrive<T> {
    /// The list of tracks: READ TOC (format 0), first for its header and then for as
    /// many bytes as that says.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn toc(&self) -> Result<Toc<'static>> {
        let command = ReadToc::tracks();
        let header = self.transport().query(&command.allocation_length(4))?;
        match header.reply().needed_length() {
            Some(all) => self.transport().query(&command.allocation_length(all)),
            None => Ok(header),
        }
    }

    /// The full table of contents, with the sessions: READ TOC (format 2), as in
    /// [`toc`](Self::toc). Its numbers may be BCD
    /// ([`FullToc::guess_encoding`]).
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn full_toc(&self) -> Result<FullToc<'static>> {
        let command = ReadToc::full();
        let header = self.transport().query(&command.allocation_length(4))?;
        match header.reply().needed_length() {
            Some(all) => self.transport().query(&command.allocation_length(all)),
            None => Ok(header),
        }
    }

    /// Sessions and tracks: [`toc`](Self::toc) and [`full_toc`](Self::full_toc), and if
    /// the drive refuses the latter or answers something else, READ TOC (format 1)
    /// for the start of the last session. The list of tracks decides whether the full
    /// table is in BCD.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`].
    pub fn disc(&self) -> Result<Disc> {
        let toc = self.toc()?;
        if let Some(full) = optional(self.full_toc())? {
            return Ok(Disc::of_full(full, &toc));
        }
        let last = optional(self.transport().query(&ReadToc::last_session()))?;
        Ok(Disc::of_tracks(&toc, last))
    }
}

//! The disc: its tracks, and what is in each sector.

mod parse;
mod sector;
mod subchannel;
mod text;

pub(crate) use sector::{SECTOR, sector};
pub(crate) use subchannel::{QFormat, crc, q_bytes, raw, rw};
pub(crate) use text::packs;

/// The first address with a time: sectors before it are the lead-in.
pub(crate) const FIRST: i32 = -150;

/// What is in a track's sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Audio,
    Mode1,
    Mode2Form1,
    Mode2Form2,
    /// Mode 2 without a form.
    Mode2,
}

/// One track.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) number: u8,
    pub(crate) session: u8,
    pub(crate) kind: Kind,
    /// Pre-emphasis 1, copying allowed 2, data 4, four channels 8.
    pub(crate) control: u8,
    /// Where index 1 begins. Index 0 is what lies between the end of the track before it and this.
    pub(crate) start: i32,
    /// The first address behind it.
    pub(crate) end: i32,
    /// All samples are zero.
    pub(crate) silent: bool,
    pub(crate) isrc: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) performer: Option<String>,
}

/// A disc of one session or more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disc {
    pub(crate) tracks: Vec<Track>,
    pub(crate) catalog: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) performer: Option<String>,
    /// How many sectors of the lead-out can be read.
    pub(crate) overread: i32,
    /// A CD-R: it has an ATIP and a PMA.
    pub(crate) recordable: bool,
}

impl Disc {
    pub(crate) fn lead_out(&self) -> i32 {
        self.tracks.last().map_or(0, |track| track.end)
    }

    pub(crate) fn track(&self, number: u8) -> Option<&Track> {
        self.tracks.iter().find(|track| track.number == number)
    }

    /// The track of an address that can be read; the lead-in's last two seconds belong to the first of a session, the
    /// lead-out to the last. Of what lies between sessions nothing can be read.
    pub(crate) fn at(&self, lba: i32) -> Option<&Track> {
        if !(FIRST..self.lead_out() + self.overread).contains(&lba) {
            return None;
        }
        let index = self.tracks.iter().position(|track| lba < track.end);
        let Some(index) = index else {
            return self.tracks.last();
        };
        let track = &self.tracks[index];
        let before = index.checked_sub(1).map(|before| &self.tracks[before]);
        let is_other = before.is_some_and(|before| before.session != track.session);
        (!is_other || lba >= track.start + FIRST).then_some(track)
    }

    /// How many sessions there are.
    pub(crate) fn sessions(&self) -> u8 {
        self.tracks.last().map_or(1, |track| track.session)
    }

    /// The tracks of a session.
    pub(crate) fn session(&self, number: u8) -> Vec<&Track> {
        let tracks = self.tracks.iter();
        tracks.filter(|track| track.session == number).collect()
    }

    pub(crate) fn first(&self) -> u8 {
        self.tracks.first().map_or(1, |track| track.number)
    }

    pub(crate) fn last(&self) -> u8 {
        self.tracks.last().map_or(1, |track| track.number)
    }
}

/// Minute, second and frame of an address; those before the first are of the lead-in, which counts towards 100 minutes.
pub(crate) fn msf(lba: i32) -> [u8; 3] {
    let frames = (lba + 150).rem_euclid(100 * 60 * 75);
    [frames / 4500, frames / 75 % 60, frames % 75].map(|part| part as u8)
}

/// The address of a time.
pub(crate) fn lba([minute, second, frame]: [u8; 3]) -> i32 {
    let frames = (i32::from(minute) * 60 + i32::from(second)) * 75 + i32::from(frame);
    if minute < 90 {
        frames - 150
    } else {
        frames - 450_150
    }
}

pub(crate) const fn bcd(number: u8) -> u8 {
    ((number / 10) << 4) | (number % 10)
}

//! Discs by name, or from a file.
//!
//! A disc's file has a line for each track, in order, and others:
//!
//! ```text
//! # a comment
//! catalog 4006381333931
//! title The Album
//! performer Somebody
//! track data 200                      mode 1; `data2` is mode 2 form 1, `form2` form 2, `mode2` mode 2 without a form
//! track audio 100 pregap 150 isrc USABC2412345 preemphasis copy title First performer Some_One
//! session                             the tracks behind this are those of another session
//! overread 10                         so many sectors of the lead-out can be read
//! recordable                          it has an ATIP and a PMA
//! ```
//!
//! A track of audio can be `silent`. The length of a track is that from index 1 on. In titles of tracks `_` stands for a space.

use super::{Disc, Kind, Track};

/// Lead-out, lead-in and pregap between the first two sessions, and between later ones.
const BORDERS: [i32; 2] = [11_400, 6_900];

const DEFAULT: &str = "\
catalog 4006381333931
title Test Disc
performer The Emulators
track data 200
track audio 100 isrc USABC2412301 title First_Song performer Alice
track audio 100 isrc USABC2412302 title The_second_song_has_a_longer_title performer Bob
";

const AUDIO: &str = "\
catalog 4006381333931
track audio 200 isrc USABC2412301
track audio 200 isrc USABC2412302
";

impl Disc {
    /// The disc called `default` or `audio`, or the one in a file of that name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name {
            "default" => Self::parse(DEFAULT),
            "audio" => Self::parse(AUDIO),
            file => {
                let text = std::fs::read_to_string(file);
                Self::parse(&text.map_err(|error| format!("{file}: {error}"))?)
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut disc = Self::default();
        let mut session = 1;
        for line in text.lines().map(str::trim) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.trim();
            match word {
                "" => {}
                word if word.starts_with('#') => {}
                "catalog" => disc.catalog = Some(rest.to_owned()),
                "title" => disc.title = Some(rest.to_owned()),
                "performer" => disc.performer = Some(rest.to_owned()),
                "recordable" => disc.recordable = true,
                "overread" => disc.overread = number(rest)?,
                "session" => session = disc.sessions() + 1,
                "track" => disc
                    .add_track(rest, session)
                    .map_err(|error| format!("{line}: {error}"))?,
                _ => return Err(format!("{line}: unknown")),
            }
        }
        if disc.tracks.is_empty() {
            return Err("a disc without a track".to_owned());
        }
        Ok(disc)
    }

    fn add_track(&mut self, text: &str, session: u8) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let kind = match words.next() {
            Some("data") => Kind::Mode1,
            Some("data2") => Kind::Mode2Form1,
            Some("form2") => Kind::Mode2Form2,
            Some("mode2") => Kind::Mode2,
            Some("audio") => Kind::Audio,
            other => return Err(format!("no kind of track: {other:?}")),
        };
        let len = number(words.next().unwrap_or_default())?;
        let mut before = self.lead_out();
        if session > 1 && session > self.sessions() {
            before += BORDERS[usize::from(session > 2)];
        }
        let mut track = Track {
            number: self.tracks.len() as u8 + 1,
            session,
            kind,
            control: if kind == Kind::Audio { 0 } else { 4 },
            start: before,
            end: before,
            silent: false,
            isrc: None,
            title: None,
            performer: None,
        };
        while let Some(word) = words.next() {
            let mut value = || {
                let value = words.next();
                value.ok_or_else(|| format!("{word}: something is missing"))
            };
            match word {
                "pregap" => track.start += number(value()?)?,
                "isrc" => track.isrc = Some(value()?.to_owned()),
                "title" => track.title = Some(value()?.replace('_', " ")),
                "performer" => track.performer = Some(value()?.replace('_', " ")),
                "silent" => track.silent = true,
                "preemphasis" => track.control |= 1,
                "copy" => track.control |= 2,
                "fourchannels" => track.control |= 8,
                _ => return Err(format!("{word}: unknown")),
            }
        }
        track.end = track.start + len;
        self.tracks.push(track);
        Ok(())
    }
}

fn number(word: &str) -> Result<i32, String> {
    word.parse().map_err(|_| format!("`{word}` is no number"))
}

//! READ TOC/PMA/ATIP.

use super::{Drive, Reply, allocated};
use crate::{
    disc::{Track, bcd, msf, packs},
    sense::Sense,
};

impl Drive {
    pub(super) fn read_toc(&self, cdb: &[u8; 16]) -> Reply {
        let as_time = cdb[1] & 2 != 0;
        // Where older drives look for it.
        let format = match cdb[2] & 0xf {
            0 => cdb[9] >> 6,
            format => format,
        };
        let body = match format {
            0 => self.toc(cdb[6], as_time)?,
            1 => self.session(as_time),
            2 => self.full_toc(cdb[6])?,
            3 if self.disc.recordable => self.memory(),
            4 if self.disc.recordable => atip(),
            5 => match packs(&self.disc) {
                packs if packs.is_empty() => return Err(Sense::invalid_field(2).into()),
                packs => [vec![0, 0], packs].concat(),
            },
            _ => return Err(Sense::invalid_field(2).into()),
        };
        let len = body.len() as u16;
        let len = self.control.faults.toc_length.unwrap_or(len);
        let reply = [len.to_be_bytes().to_vec(), body].concat();
        Ok(allocated(reply, cdb, 7))
    }

    fn toc(&self, from: u8, as_time: bool) -> Reply {
        let (first, last) = (self.disc.first(), self.disc.last());
        if from > last && from != 0xaa {
            return Err(Sense::invalid_field(6).into());
        }
        let mut body = vec![first, last];
        for track in &self.disc.tracks {
            if track.number >= from {
                body.extend([0, 0x10 | track.control, track.number, 0]);
                body.extend(address(track.start, as_time));
            }
        }
        body.extend([0, 0x10 | self.last_control(), 0xaa, 0]);
        body.extend(address(self.disc.lead_out(), as_time));
        Ok(body)
    }

    fn last_control(&self) -> u8 {
        self.disc.tracks.last().map_or(0, |track| track.control)
    }

    fn session(&self, as_time: bool) -> Vec<u8> {
        let last = self.disc.sessions();
        let mut body = vec![1, last];
        if let Some(track) = self.disc.session(last).first() {
            body.extend([0, 0x10 | track.control, track.number, 0]);
            body.extend(address(track.start, as_time));
        }
        body
    }

    /// From a session on.
    fn full_toc(&self, from: u8) -> Reply {
        let last = self.disc.sessions();
        if from > last {
            return Err(Sense::invalid_field(6).into());
        }
        let mut body = vec![1, last];
        for session in from.max(1)..=last {
            self.add_session(&mut body, session);
        }
        Ok(body)
    }

    /// Its first track, its last, its lead-out, and all tracks.
    fn add_session(&self, body: &mut Vec<u8>, session: u8) {
        let tracks = self.disc.session(session);
        let (Some(first), Some(last)) = (tracks.first(), tracks.last()) else {
            return;
        };
        let mut entry = |track: &Track, point: u8, time: [u8; 3]| {
            body.extend([session, 0x10 | track.control, 0, point, 0, 0, 0, 0]);
            body.extend(time);
        };
        let time = |lba: i32| {
            if self.control.faults.bcd_toc {
                msf(lba).map(bcd)
            } else {
                msf(lba)
            }
        };
        entry(first, 0xa0, [first.number, 0, 0]);
        entry(last, 0xa1, [last.number, 0, 0]);
        entry(last, 0xa2, time(last.end));
        for track in &tracks {
            entry(track, track.number, time(track.start));
        }
    }

    /// The program memory area: each track with its end and its start.
    fn memory(&self) -> Vec<u8> {
        let mut body = vec![0, 0];
        for track in &self.disc.tracks {
            body.extend([0, 0x10 | track.control, 0, track.number]);
            body.extend(msf(track.end));
            body.push(0);
            body.extend(msf(track.start));
        }
        body
    }
}

fn address(lba: i32, as_time: bool) -> [u8; 4] {
    if as_time {
        let [minute, second, frame] = msf(lba);
        [0, minute, second, frame]
    } else {
        lba.to_be_bytes()
    }
}

/// A CD-R of 80 minutes by the maker 97:24:01.
fn atip() -> Vec<u8> {
    let mut body = vec![0, 0];
    body.extend([0xc0, 0x00, 0x80, 0]);
    // The lead-in's start and the last start of the lead-out.
    body.extend([97, 24, 1, 0, 79, 59, 74, 0]);
    body.extend([0; 12]);
    body
}

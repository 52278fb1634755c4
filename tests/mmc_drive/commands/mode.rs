//! MODE SENSE and MODE SELECT, with 6 and with 10 bytes.

use super::{Drive, FASTEST, Reply, be16};
use crate::{ring::Call, sense::Sense};

/// The pages that can be set, as they are now.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    /// 01h: error recovery.
    recovery: [u8; 12],
    /// 0Dh: CD device parameters.
    device: [u8; 8],
    /// 0Eh: CD audio control.
    audio: [u8; 16],
}

impl Default for Pages {
    fn default() -> Self {
        Self {
            recovery: [1, 10, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
            device: [0x0d, 6, 0, 10, 0, 60, 0, 75],
            audio: [0x0e, 14, 4, 0, 0, 0, 0, 75, 1, 0xff, 2, 0xff, 0, 0, 0, 0],
        }
    }
}

impl Pages {
    fn page_mut(&mut self, code: u8) -> Option<&mut [u8]> {
        match code {
            0x01 => Some(&mut self.recovery),
            0x0d => Some(&mut self.device),
            0x0e => Some(&mut self.audio),
            _ => None,
        }
    }
}

/// Which bits of a page can be set.
fn changeable(code: u8) -> &'static [u8] {
    match code {
        0x01 => &[1, 10, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0],
        0x0d => &[0x0d, 6, 0, 0x0f, 0, 0, 0, 0],
        0x0e => &[0x0e, 14, 6, 0, 0, 0, 0, 0, 0xf, 0xff, 0xf, 0xff, 0, 0, 0, 0],
        _ => &[],
    }
}

const CODES: [u8; 4] = [0x01, 0x0d, 0x0e, 0x2a];

impl Drive {
    pub(super) fn mode_sense(&mut self, cdb: &[u8; 16]) -> Reply {
        let long = cdb[0] == 0x5a;
        let (code, subpage) = (cdb[2] & 0x3f, cdb[3]);
        if subpage != 0 {
            return Err(Sense::invalid_field(3).into());
        }
        let mut body = Vec::new();
        for known in CODES {
            if code != known && code != 0x3f {
                continue;
            }
            body.extend(match cdb[2] >> 6 {
                0 => self.page(known, &self.pages.clone()),
                1 if known == 0x2a => [vec![0x2a, 30], vec![0; 30]].concat(),
                1 => changeable(known).to_vec(),
                2 => self.page(known, &Pages::default()),
                _ => return Err(Sense::new(5, 0x39, 0).into()),
            });
        }
        if body.is_empty() {
            return Err(Sense::invalid_field(2).into());
        }
        let (header, allowed) = if long {
            let len = (6 + body.len()) as u16;
            let mut header = vec![0; 8];
            header[..2].copy_from_slice(&len.to_be_bytes());
            header[2] = self.medium_type();
            (header, be16(cdb, 7).into())
        } else {
            let len = (3 + body.len()) as u8;
            (vec![len, self.medium_type(), 0, 0], cdb[4].into())
        };
        let mut reply = [header, body].concat();
        reply.truncate(allowed);
        Ok(reply)
    }

    fn page(&self, code: u8, pages: &Pages) -> Vec<u8> {
        let mut pages = pages.clone();
        match pages.page_mut(code) {
            Some(page) => page.to_vec(),
            None => self.capabilities(),
        }
    }

    /// 70h without a disc, 71h with the tray open; 01h data, 02h audio, 03h both.
    fn medium_type(&self) -> u8 {
        if self.tray_open {
            return 0x71;
        }
        if self.no_medium().is_some() {
            return 0x70;
        }
        let data = self.disc.tracks.iter().any(|track| track.control & 4 != 0);
        let audio = self.disc.tracks.iter().any(|track| track.control & 4 == 0);
        u8::from(data) | u8::from(audio) << 1
    }

    /// 2Ah: what the drive can do, and its speed.
    fn capabilities(&self) -> Vec<u8> {
        let mut page = vec![0; 32];
        page[..2].copy_from_slice(&[0x2a, 30]);
        // CD-R and CD-RW.
        page[2] = 3;
        // Both forms of mode 2, several sessions, audio.
        page[4] = 0x71;
        // All of audio except reading of bar codes; C2 pointers are bit 4.
        page[5] = if self.control.faults.no_c2_claim {
            0x6f
        } else {
            0x7f
        };
        // A tray that opens and can be locked.
        page[6] = 0x29 | u8::from(self.locked) << 1;
        page[8..10].copy_from_slice(&FASTEST.to_be_bytes());
        page[10..12].copy_from_slice(&256_u16.to_be_bytes());
        // Buffer in kB.
        page[12..14].copy_from_slice(&2048_u16.to_be_bytes());
        page[14..16].copy_from_slice(&self.read_speed.to_be_bytes());
        page
    }

    pub(super) fn mode_select(&mut self, call: &Call) -> Reply {
        let long = call.cdb[0] == 0x55;
        if call.cdb[1] & 0x10 == 0 {
            return Err(Sense::invalid_field(1).into());
        }
        let list = if long {
            usize::from(be16(&call.cdb, 7))
        } else {
            usize::from(call.cdb[4])
        };
        if list == 0 {
            return Ok(Vec::new());
        }
        let list = call.out.get(..list).unwrap_or(&call.out);
        let header = if long { 8 } else { 4 };
        if list.len() < header {
            return Err(Sense::new(5, 0x1a, 0).into());
        }
        let descriptors = if long {
            usize::from(be16(list, 6))
        } else {
            usize::from(list[3])
        };
        // Block descriptors are taken and not kept.
        let mut at = header + descriptors;
        let mut pages = self.pages.clone();
        while at < list.len() {
            let code = list[at] & 0x3f;
            let Some(page) = pages.page_mut(code) else {
                return Err(Sense::invalid_parameter(0x26, at as u8).into());
            };
            let Some(new) = list.get(at..at + page.len()) else {
                return Err(Sense::new(5, 0x1a, 0).into());
            };
            if new[1] != page[1] {
                return Err(Sense::invalid_parameter(0x26, at as u8 + 1).into());
            }
            let places = page.iter_mut().zip(new).zip(changeable(code));
            for (place, ((now, &new), &mask)) in places.enumerate().skip(2) {
                if (*now ^ new) & !mask != 0 {
                    return Err(Sense::invalid_parameter(0x26, (at + place) as u8).into());
                }
                *now = new;
            }
            at += page.len();
        }
        self.pages = pages;
        Ok(Vec::new())
    }
}

//! What the drive and the disc are.

use super::{Drive, Failure, Reply, allocated, be16, be32};
use crate::{
    disc::{Kind, Track, msf},
    sense::Sense,
};

impl Drive {
    pub(super) fn inquiry(&self, cdb: &[u8; 16]) -> Reply {
        let mut reply = match (cdb[1] & 1, cdb[2]) {
            (0, 0) => {
                let mut data = vec![5, 0x80, 5, 2, 91, 0, 0, 0];
                data.extend(b"PASSTHRUTEST MMC DRIVE  1.00");
                data.resize(58, 0);
                // MMC-6, SPC-3.
                data.extend([0x04, 0x60, 0x03, 0x00]);
                data.resize(96, 0);
                data
            }
            (1, 0) => vec![5, 0, 0, 3, 0, 0x80, 0x83],
            (1, 0x80) => {
                let mut data = vec![5, 0x80, 0, 8];
                data.extend(b"PTMMC001");
                data
            }
            (1, 0x83) => {
                let mut data = vec![5, 0x83, 0, 20, 2, 1, 0, 16];
                data.extend(b"PASSTHRUPTMMC001");
                data
            }
            _ => return Err(Sense::invalid_field(2).into()),
        };
        reply.truncate(be16(cdb, 3).into());
        Ok(reply)
    }

    pub(super) fn read_capacity(&self) -> Vec<u8> {
        let last = self.disc.lead_out() - 1;
        [last.to_be_bytes(), 2048_u32.to_be_bytes()].concat()
    }

    pub(super) fn read_disc_information(&self, cdb: &[u8; 16]) -> Reply {
        if cdb[1] & 7 != 0 {
            return Err(Sense::invalid_field(1).into());
        }
        let mut reply = vec![0; 34];
        reply[1] = 32;
        // The last session and the disc are complete.
        reply[2] = 0x0e;
        reply[3] = self.disc.first();
        reply[4] = self.disc.sessions();
        let last = self.disc.session(self.disc.sessions());
        reply[5] = last.first().map_or(1, |track| track.number);
        reply[6] = self.disc.last();
        reply[7] = 0x20;
        reply[16..24].fill(0xff);
        Ok(allocated(reply, cdb, 7))
    }

    pub(super) fn read_track_information(&self, cdb: &[u8; 16]) -> Reply {
        let number = be32(cdb, 2);
        let track = match cdb[1] & 3 {
            0 => self.disc.at(number as i32),
            1 => u8::try_from(number)
                .ok()
                .and_then(|number| self.disc.track(number)),
            2 => {
                let session = u8::try_from(number).unwrap_or(0);
                self.disc.session(session).first().copied()
            }
            _ => None,
        };
        let track = track.ok_or(Failure::from(Sense::invalid_field(2)))?;
        let mut reply = vec![0; 36];
        reply[1] = 34;
        reply[2] = track.number;
        reply[3] = track.session;
        reply[5] = track.control;
        reply[6] = match track.kind {
            Kind::Audio => 0x0f,
            Kind::Mode1 => 1,
            Kind::Mode2Form1 | Kind::Mode2Form2 | Kind::Mode2 => 2,
        };
        reply[8..12].copy_from_slice(&track.start.to_be_bytes());
        reply[24..28].copy_from_slice(&(track.end - track.start).to_be_bytes());
        reply[28..32].copy_from_slice(&(track.end - 1).to_be_bytes());
        Ok(allocated(reply, cdb, 7))
    }

    pub(super) fn mechanism_status(&self, cdb: &[u8; 16]) -> Vec<u8> {
        let [_, high, middle, low] = self.position.to_be_bytes();
        let open = u8::from(self.tray_open) << 4;
        allocated(vec![0, open, high, middle, low, 0, 0, 0], cdb, 8)
    }

    /// READ DISC STRUCTURE: only DVDs and the like have them.
    pub(super) fn read_disc_structure(cdb: &[u8; 16]) -> Reply {
        if cdb[1] & 0xf > 1 {
            return Err(Sense::invalid_field(1).into());
        }
        Err(Sense::WRONG_MEDIUM.into())
    }

    /// REPORT KEY: the state of the region code, which no disc has a say in; no keys, for a CD has none.
    pub(super) fn report_key(&self, cdb: &[u8; 16]) -> Reply {
        if cdb[7] != 0 {
            return Err(Sense::invalid_field(7).into());
        }
        if cdb[10] & 0x3f == 8 {
            // No region is set, which can be done 5 times, and 4 times by the vendor.
            return Ok(allocated(vec![0, 6, 0, 0, 0x25, 0xff, 1, 0], cdb, 8));
        }
        match self.no_medium() {
            Some(sense) => Err(sense.into()),
            None => Err(Sense::NO_KEY.into()),
        }
    }

    pub(super) fn get_performance(&self, cdb: &[u8; 16]) -> Reply {
        let mut reply = vec![0; 8];
        match cdb[10] {
            // No write speeds: this drive does not write.
            3 => {}
            0 if cdb[1] & 4 != 0 => {}
            0 => {
                let last = self.disc.lead_out() - 1;
                let speed = u32::from(self.read_speed);
                for word in [0, speed, last as u32, speed] {
                    reply.extend(word.to_be_bytes());
                }
            }
            _ => return Err(Sense::invalid_field(10).into()),
        }
        let most = 8 + 16 * usize::from(be16(cdb, 8));
        let len = (reply.len() - 4) as u32;
        reply[..4].copy_from_slice(&len.to_be_bytes());
        reply.truncate(most);
        Ok(reply)
    }

    pub(super) fn read_sub_channel(&self, cdb: &[u8; 16]) -> Reply {
        let mut data = Vec::new();
        if cdb[2] & 0x40 != 0 {
            data = match cdb[3] {
                1 => self.current_position(cdb[1] & 2 != 0),
                2 => self.catalog(),
                3 => self.isrc(cdb[6])?,
                _ => return Err(Sense::invalid_field(3).into()),
            };
        }
        // No audio status: nothing was played.
        let mut reply = vec![0, 0x15, 0, data.len() as u8];
        reply.extend(data);
        Ok(allocated(reply, cdb, 7))
    }

    fn current_position(&self, as_time: bool) -> Vec<u8> {
        let Some(track) = self.disc.at(self.position) else {
            return vec![0; 12];
        };
        let address = |lba: i32| -> [u8; 4] {
            let [minute, second, frame] = msf(lba);
            if as_time {
                [0, minute, second, frame]
            } else {
                lba.to_be_bytes()
            }
        };
        let relative = self.position - track.start;
        let index = u8::from(relative >= 0);
        let mut data = vec![1, 0x10 | track.control, track.number, index];
        data.extend(address(self.position));
        data.extend(if as_time {
            address(relative.abs() - 150)
        } else {
            relative.to_be_bytes()
        });
        data
    }

    fn catalog(&self) -> Vec<u8> {
        let mut data = vec![0; 20];
        data[0] = 2;
        if let Some(catalog) = &self.disc.catalog {
            data[4] = 0x80;
            put(&mut data[5..18], catalog);
        }
        data
    }

    fn isrc(&self, number: u8) -> Reply {
        let track: &Track = self
            .disc
            .track(number)
            .ok_or(Failure::from(Sense::invalid_field(6)))?;
        let mut data = vec![0; 20];
        data[..3].copy_from_slice(&[3, 0x10 | track.control, number]);
        if let Some(isrc) = &track.isrc {
            data[4] = 0x80;
            put(&mut data[5..17], isrc);
        }
        Ok(data)
    }
}

fn put(into: &mut [u8], text: &str) {
    for (to, from) in into.iter_mut().zip(text.bytes()) {
        *to = from;
    }
}

//! What all commands that read sectors share, and those that read blocks of 2048 bytes.

use std::thread;

use super::{Drive, Failure, Reply, be16, be32};
use crate::{
    disc::{Kind, SECTOR, sector},
    faults::{Trouble, happens},
    sense::Sense,
};

/// A sector as it came from the disc this time.
pub(super) struct Found {
    pub(super) main: [u8; SECTOR],
    /// Which bytes the C2 pointers call wrong, as (first, count) from this sector's start.
    pub(super) c2: Vec<(i64, u32)>,
    pub(super) recovered: bool,
}

impl Drive {
    /// Whether all of these sectors can be read.
    pub(super) fn check_range(&self, lba: i32, count: u32) -> Result<(), Failure> {
        let last = i64::from(lba) + i64::from(count) - 1;
        let there = |lba: i64| {
            i32::try_from(lba)
                .ok()
                .and_then(|lba| self.disc.at(lba))
                .is_some()
        };
        if count == 0 || (there(lba.into()) && there(last)) {
            return Ok(());
        }
        Err(Sense::OUT_OF_RANGE.into())
    }

    /// Reads a sector, or meets what is armed for it.
    pub(super) fn fetch(&mut self, lba: i32, kind: Kind) -> Result<Found, Sense> {
        let next = self.control.faults.disc.take_if(|(_, at)| *at == Some(lba));
        if let Some((disc, _)) = next {
            self.disc = disc;
            self.new_medium_event = true;
            return Err(Sense::new(6, 0x28, 0));
        }
        self.position = lba;
        let mut found = Found {
            main: [0; SECTOR],
            c2: Vec::new(),
            recovered: false,
        };
        let mut wrong = Vec::new();
        let shift = i64::from(self.control.faults.c2_shift);
        for fault in &mut self.control.faults.sectors {
            let ago = i64::from(lba) - i64::from(fault.lba);
            if ago != 0 {
                // Late pointers may reach into the sectors behind.
                if let Trouble::C2 { first, bytes, .. } = fault.what {
                    if (ago - 1).abs() < 2 && shift != 0 && fault.left > 0 {
                        let first = i64::from(first) + shift - ago * SECTOR as i64;
                        found.c2.push((first, bytes));
                    }
                }
                continue;
            }
            if !happens(&mut fault.left) {
                continue;
            }
            match fault.what {
                Trouble::Unreadable(asc, ascq) => return Err(Sense::new(3, asc, ascq).at(lba)),
                Trouble::Recovered => found.recovered = true,
                Trouble::Slow(delay) => thread::sleep(delay),
                Trouble::C2 {
                    first,
                    bytes,
                    wrong: also_wrong,
                } => {
                    found.c2.push((i64::from(first) + shift, bytes));
                    if also_wrong {
                        wrong.push(first as usize..(first + bytes) as usize);
                    }
                }
            }
        }
        if !self.disc.at(lba).is_some_and(|track| track.silent) {
            found.main = sector(kind, lba);
        }
        for range in wrong {
            for byte in found.main.get_mut(range).unwrap_or_default() {
                *byte = !*byte;
            }
        }
        Ok(found)
    }

    /// READ(10) and READ(12).
    pub(super) fn read(&mut self, cdb: &[u8; 16]) -> Reply {
        let lba = be32(cdb, 2) as i32;
        let count = if cdb[0] == 0x28 {
            u32::from(be16(cdb, 7))
        } else {
            be32(cdb, 6)
        };
        if lba < 0 || i64::from(lba) + i64::from(count) > i64::from(self.disc.lead_out()) {
            return Err(Sense::OUT_OF_RANGE.into());
        }
        let mut data = Vec::new();
        let mut recovered = None;
        for lba in (lba..).take(count as usize) {
            let kind = self.disc.at(lba).map_or(Kind::Audio, |track| track.kind);
            let user = match kind {
                Kind::Audio | Kind::Mode2Form2 | Kind::Mode2 => {
                    let sense = Sense::ILLEGAL_MODE.at(lba);
                    return Err(Failure { sense, data });
                }
                Kind::Mode1 => 16..2064,
                Kind::Mode2Form1 => 24..2072,
            };
            match self.fetch(lba, kind) {
                Ok(found) => {
                    data.extend_from_slice(&found.main[user]);
                    recovered = recovered.or(found.recovered.then_some(lba));
                }
                Err(sense) => return Err(Failure { sense, data }),
            }
        }
        ended(data, recovered)
    }
}

/// The end of a command that has read everything, with a word about a sector that was hard to read.
pub(super) fn ended(data: Vec<u8>, recovered: Option<i32>) -> Reply {
    match recovered {
        None => Ok(data),
        Some(lba) => Err(Failure {
            sense: Sense::new(1, 0x18, 0).at(lba),
            data,
        }),
    }
}

//! READ CD, READ CD MSF, and READ CD-DA of Plextor.

use super::{Drive, Failure, Reply, be32, read::ended};
use crate::{
    disc::{self, Kind, QFormat, SECTOR},
    faults::NoC2,
    ring::Call,
    sense::Sense,
};

/// What is wanted of each sector.
#[derive(Clone, Copy)]
struct Selection {
    /// The kind of sector that is expected; 0 is any.
    kind: u8,
    /// Byte 9.
    main: u8,
    /// How many bytes of C2 pointers.
    c2: usize,
    /// Byte 10.
    sub: u8,
}

impl Selection {
    fn of(cdb: &[u8; 16], c2_size: Option<usize>) -> Result<Self, Failure> {
        let kind = cdb[1] >> 2 & 7;
        if kind > 5 || cdb[1] & 1 != 0 {
            return Err(Sense::invalid_field(1).into());
        }
        let c2 = match cdb[9] >> 1 & 3 {
            0 => 0,
            1 => 294,
            2 => 296,
            _ => return Err(Sense::invalid_field(9).into()),
        };
        let refused = c2 != 0 && c2_size.is_some_and(|size| size != c2);
        if cdb[9] & 1 != 0 || refused {
            return Err(Sense::invalid_field(9).into());
        }
        let sub = cdb[10] & 7;
        if !matches!(sub, 0 | 1 | 2 | 4) {
            return Err(Sense::invalid_field(10).into());
        }
        Ok(Self {
            kind,
            main: cdb[9] & 0xf8,
            c2,
            sub,
        })
    }

    /// The pieces of a sector that are wanted, as (from, to).
    fn pieces(self, kind: Kind) -> Result<Vec<(usize, usize)>, Failure> {
        let wanted = match self.kind {
            0 => None,
            1 => Some(Kind::Audio),
            2 => Some(Kind::Mode1),
            3 => Some(Kind::Mode2),
            4 => Some(Kind::Mode2Form1),
            _ => Some(Kind::Mode2Form2),
        };
        if wanted.is_some_and(|wanted| wanted != kind) {
            return Err(Sense::ILLEGAL_MODE.into());
        }
        // Sync, subheader, header, user data, EDC and ECC are bits 7 to 3; on the disc the header is before the
        // subheader. A field without bytes is no gap.
        let fields: [(u8, usize, usize); 5] = match kind {
            Kind::Audio if self.main & 0x10 != 0 => return Ok(vec![(0, SECTOR)]),
            Kind::Audio => return Ok(Vec::new()),
            Kind::Mode1 => [
                (0x80, 0, 12),
                (0x20, 12, 16),
                (0x40, 16, 16),
                (0x10, 16, 2064),
                (0x08, 2064, SECTOR),
            ],
            Kind::Mode2Form1 => [
                (0x80, 0, 12),
                (0x20, 12, 16),
                (0x40, 16, 24),
                (0x10, 24, 2072),
                (0x08, 2072, SECTOR),
            ],
            // The EDC counts as user data.
            Kind::Mode2Form2 => [
                (0x80, 0, 12),
                (0x20, 12, 16),
                (0x40, 16, 24),
                (0x10, 24, SECTOR),
                (0x08, SECTOR, SECTOR),
            ],
            Kind::Mode2 => [
                (0x80, 0, 12),
                (0x20, 12, 16),
                (0x40, 16, 16),
                (0x10, 16, SECTOR),
                (0x08, SECTOR, SECTOR),
            ],
        };
        let pieces: Vec<_> = fields
            .into_iter()
            .filter(|&(bit, from, to)| self.main & bit != 0 && from < to)
            .map(|(_, from, to)| (from, to))
            .collect();
        let gap = pieces.windows(2).any(|pair| pair[0].1 != pair[1].0);
        if gap {
            return Err(Sense::invalid_field(9).into());
        }
        Ok(pieces)
    }
}

impl Drive {
    pub(super) fn read_cd(&mut self, call: &Call) -> Reply {
        let cdb = &call.cdb;
        let count = u32::from_be_bytes([0, cdb[6], cdb[7], cdb[8]]);
        self.read_sectors(be32(cdb, 2) as i32, count, call)
    }

    pub(super) fn read_cd_msf(&mut self, call: &Call) -> Reply {
        let cdb = &call.cdb;
        let time = |at: usize| [cdb[at], cdb[at + 1], cdb[at + 2]];
        let valid = |[_, second, frame]: [u8; 3]| second < 60 && frame < 75;
        if !valid(time(3)) || !valid(time(6)) {
            return Err(Sense::invalid_field(3).into());
        }
        let (from, to) = (disc::lba(time(3)), disc::lba(time(6)));
        let Ok(count) = u32::try_from(to - from) else {
            return Err(Sense::invalid_field(6).into());
        };
        self.read_sectors(from, count, call)
    }

    /// D8h, of which the kernel does not carry byte 10, where the subchannel would be asked for.
    pub(super) fn read_cd_da(&mut self, call: &Call) -> Reply {
        let mut like = Call {
            cdb: call.cdb,
            buffer: call.buffer,
            out: Vec::new(),
        };
        like.cdb[1] = 1 << 2;
        like.cdb[9] = 0x10;
        like.cdb[10] = 0;
        self.read_sectors(be32(&call.cdb, 2) as i32, be32(&call.cdb, 6), &like)
    }

    fn read_sectors(&mut self, lba: i32, count: u32, call: &Call) -> Reply {
        let faults = &self.control.faults;
        let selection = Selection::of(&call.cdb, faults.c2_size)?;
        let (sub_first, no_c2, mixed) = (faults.sub_first, faults.no_c2, faults.mixed_tracks);
        self.check_range(lba, count)?;
        let mut data = Vec::new();
        let mut asked = 0;
        let mut recovered = None;
        let mut first_kind = None;
        for lba in (lba..).take(count as usize) {
            // No more than goes into the buffer.
            if asked >= call.buffer && asked > 0 {
                break;
            }
            let Some(kind) = self.disc.at(lba).map(|track| track.kind) else {
                break;
            };
            let other = *first_kind.get_or_insert(kind) != kind;
            if mixed && other {
                let sense = Sense::ILLEGAL_MODE.at(lba);
                return Err(Failure { sense, data });
            }
            let pieces = match selection.pieces(kind) {
                Ok(pieces) => pieces,
                Err(mut failure) => {
                    if failure.sense == Sense::ILLEGAL_MODE {
                        failure.sense = failure.sense.at(lba);
                    }
                    failure.data = data;
                    return Err(failure);
                }
            };
            let found = match self.fetch(lba, kind) {
                Ok(found) => found,
                Err(sense) => return Err(Failure { sense, data }),
            };
            recovered = recovered.or(found.recovered.then_some(lba));
            let before = data.len();
            for (from, to) in pieces {
                data.extend_from_slice(&found.main[from..to]);
            }
            let c2 = self.c2_bytes(&found.c2, selection.c2);
            let sub = self.sub_bytes(lba, selection.sub);
            asked += data.len() - before + c2.len() + sub.len();
            if sub_first {
                data.extend_from_slice(&sub);
            }
            if no_c2.is_none() {
                data.extend_from_slice(&c2);
            }
            if !sub_first {
                data.extend_from_slice(&sub);
            }
        }
        if no_c2 == Some(NoC2::Filled) {
            data.resize(asked, 0);
        }
        ended(data, recovered)
    }

    fn c2_bytes(&self, wrong: &[(i64, u32)], size: usize) -> Vec<u8> {
        if size == 0 {
            return Vec::new();
        }
        let mut pointers = vec![0_u8; SECTOR / 8];
        for &(first, count) in wrong {
            for byte in first..first + i64::from(count) {
                let byte = usize::try_from(byte).ok();
                let pointer = byte.and_then(|byte| pointers.get_mut(byte / 8).map(|at| (at, byte)));
                if let Some((pointer, byte)) = pointer {
                    *pointer |= 0x80 >> (byte % 8);
                }
            }
        }
        if size == 294 {
            return pointers;
        }
        let all = pointers.iter().fold(0, |all, pointer| all | pointer);
        if self.control.faults.block_error_first {
            [vec![all, 0], pointers].concat()
        } else {
            [pointers, vec![all, 0]].concat()
        }
    }

    fn sub_bytes(&self, lba: i32, which: u8) -> Vec<u8> {
        let format = QFormat {
            binary: self.control.faults.binary_q,
            no_crc: self.control.faults.no_q_crc,
        };
        match which {
            1 => disc::raw(&self.disc, lba).to_vec(),
            2 => disc::q_bytes(&self.disc, lba, format).to_vec(),
            4 => disc::rw(lba).to_vec(),
            _ => Vec::new(),
        }
    }
}

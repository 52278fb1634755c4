//! A drive in memory.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, VecDeque},
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use passthru::{
    Data, Error, Options, Outcome, Result, ScsiTransport,
    scsi::{AdditionalSense, Cdb, DeviceType, HostStatus, SenseBuffer, SenseKey, Status},
};

/// What it does with C2 and subchannels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Extras {
    #[default]
    Sent,
    /// Left out; zeros are behind the main channel of all sectors.
    LeftOut,
    /// Left out, and the residual says it.
    Short,
    /// 294 bytes of C2 are refused.
    Only296,
    /// The same, with the block error bytes before the pointers.
    First296,
}

/// Key, ASC, ASCQ.
pub(crate) type Code = (u8, u8, u8);

pub(crate) struct Fake(RefCell<State>);

#[derive(Default)]
pub(crate) struct State {
    sectors: i32,
    /// Data up to here, audio from here on.
    border: i32,
    /// The type of the data sectors by READ CD: 2 mode 1, 4 mode 2 form 1.
    pub(crate) data_type: u8,
    pub(crate) silent: bool,
    pub(crate) extras: Extras,
    /// How often each sector fails, and how.
    pub(crate) bad: BTreeMap<i32, (u32, Code)>,
    /// Wrong bytes of sectors.
    pub(crate) c2: BTreeMap<i32, Vec<usize>>,
    /// Sectors at which a transfer ends early, with GOOD.
    pub(crate) ends: BTreeSet<i32>,
    /// Sectors that the drive had trouble with, and sends all the same.
    pub(crate) recovered: BTreeSet<i32>,
    /// Sectors that come as zeros.
    pub(crate) hollow: BTreeSet<i32>,
    /// Before the READ CD with this number.
    pub(crate) attentions: VecDeque<(usize, Code)>,
    pub(crate) refused: BTreeMap<u8, Code>,
    pub(crate) not_permitted: BTreeSet<u8>,
    pub(crate) page: [u8; 12],
    pub(crate) speed: u16,
    pub(crate) attentions_of: VecDeque<(u8, Code)>,
    /// Before the READ CD with this number it is another disc, which nobody tells.
    pub(crate) swap: Option<usize>,
    /// Which disc it is.
    pub(crate) disc: u32,
    /// From the READ CD with this number on nothing arrives.
    pub(crate) gone: Option<usize>,
    /// The answer to READ TOC (format 2).
    pub(crate) full_toc: Option<Vec<u8>>,
    /// How often the list of tracks can be read.
    pub(crate) toc_reads: Option<u32>,
    /// Where the disc ends by its list of tracks, if that lies.
    pub(crate) lead_out: Option<i32>,
    /// The answer to READ TOC (format 1).
    pub(crate) last_session: Option<Vec<u8>>,
    /// Is set after so many READ CDs.
    pub(crate) interrupt: Option<(usize, Arc<AtomicBool>)>,
    reads: usize,
    log: Vec<Vec<u8>>,
}

pub(crate) const FOUND_PAGE: [u8; 12] = [1, 10, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0];
pub(crate) const FOUND_SPEED: u16 = 7056;

/// The 2352 bytes of a sector.
pub(crate) fn main_channel(lba: i32) -> Vec<u8> {
    main_of(0, lba)
}

/// The same of a disc with a number.
pub(crate) fn main_of(disc: u32, lba: i32) -> Vec<u8> {
    let mixed = (lba.unsigned_abs() ^ disc << 20).wrapping_add(1);
    let seed = mixed.wrapping_mul(0x9e37_79b1) | 1;
    (0..2352_u32)
        .map(|place| (place.wrapping_mul(seed) >> 13).to_le_bytes()[0])
        .collect()
}

impl Fake {
    pub(crate) fn audio(sectors: i32) -> Self {
        Self::mixed(sectors, 0)
    }

    pub(crate) fn data(sectors: i32) -> Self {
        Self::mixed(sectors, sectors)
    }

    pub(crate) fn mixed(sectors: i32, border: i32) -> Self {
        Self(RefCell::new(State {
            sectors,
            border,
            data_type: 2,
            page: FOUND_PAGE,
            speed: FOUND_SPEED,
            ..State::default()
        }))
    }

    pub(crate) fn with(self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.0.borrow_mut());
        self
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.0.borrow_mut());
    }

    pub(crate) fn settings(&self) -> ([u8; 12], u16) {
        let state = self.0.borrow();
        (state.page, state.speed)
    }

    /// Empties the log, and counts reads anew.
    pub(crate) fn forget(&self) {
        let mut state = self.0.borrow_mut();
        state.log.clear();
        state.reads = 0;
    }

    /// The commands since then.
    pub(crate) fn log(&self) -> Vec<Vec<u8>> {
        self.0.borrow().log.clone()
    }

    /// Of the READ CDs, first sector and how many, and byte 9.
    pub(crate) fn reads(&self) -> Vec<(i32, u32, u8)> {
        let log = self.log();
        let reads = log.iter().filter(|cdb| cdb[0] == 0xbe);
        reads.map(|cdb| (lba(cdb), count(cdb), cdb[9])).collect()
    }

    pub(crate) fn sent(&self, opcode: u8) -> usize {
        self.log().iter().filter(|cdb| cdb[0] == opcode).count()
    }
}

fn lba(cdb: &[u8]) -> i32 {
    i32::from_be_bytes(cdb[2..6].try_into().unwrap())
}

fn count(cdb: &[u8]) -> u32 {
    u32::from_be_bytes([0, cdb[6], cdb[7], cdb[8]])
}

impl State {
    fn answer(&mut self, cdb: &[u8], out: &[u8]) -> std::result::Result<Vec<u8>, (Code, Vec<u8>)> {
        if let Some(code) = self.refused.get(&cdb[0]) {
            return Err((*code, Vec::new()));
        }
        let next = self.attentions_of.front();
        if let Some((_, code)) = next.filter(|(opcode, _)| *opcode == cdb[0]).copied() {
            self.attentions_of.pop_front();
            return Err((code, Vec::new()));
        }
        match cdb[0] {
            0x00 => Ok(Vec::new()),
            0x12 => Ok(b"\x05\x80\x05\x02\x1f\0\0\0ACME    FAKE DRIVE      1.0 ".to_vec()),
            0x43 if cdb[2] == 0 => match &mut self.toc_reads {
                Some(0) => Err(((3, 2, 0), Vec::new())),
                // First the header, then all of it.
                left => {
                    let whole = cdb[8] > 4;
                    *left = left.map(|left| left - u32::from(whole));
                    Ok(self.tracks())
                }
            },
            0x25 => {
                let last = u32::try_from(self.sectors - 1).unwrap_or(0);
                Ok([last.to_be_bytes(), 2048_u32.to_be_bytes()].concat())
            }
            0x5a => {
                let page = match cdb[2] & 0x3f {
                    0x01 => self.page.to_vec(),
                    0x2a => {
                        let mut page = vec![0; 32];
                        (page[0], page[1], page[5]) = (0x2a, 30, 0x7f);
                        page[14..16].copy_from_slice(&self.speed.to_be_bytes());
                        page
                    }
                    _ => return Err(((5, 0x24, 0), Vec::new())),
                };
                let length = u8::try_from(page.len() + 6).unwrap();
                Ok([vec![0, length, 0, 0, 0, 0, 0, 0], page].concat())
            }
            0x55 => {
                self.page.copy_from_slice(&out[8..20]);
                Ok(Vec::new())
            }
            0xbb => {
                let speed = u16::from_be_bytes([cdb[2], cdb[3]]);
                self.speed = speed.min(FOUND_SPEED);
                Ok(Vec::new())
            }
            0xbe => self.read_cd(cdb),
            0x43 if cdb[2] == 2 && self.full_toc.is_some() => {
                Ok(self.full_toc.clone().unwrap_or_default())
            }
            0x43 if cdb[2] == 1 && self.last_session.is_some() => {
                Ok(self.last_session.clone().unwrap_or_default())
            }
            0x43 => Err(((5, 0x24, 0), Vec::new())),
            _ => Err(((5, 0x20, 0), Vec::new())),
        }
    }

    fn tracks(&self) -> Vec<u8> {
        let mut entries = Vec::new();
        let mut add = |control: u8, number: u8, start: i32| {
            entries.extend([0, 0x10 | control, number, 0]);
            entries.extend(start.to_be_bytes());
        };
        let mut last = 0;
        if self.border > 0 {
            last += 1;
            add(4, last, 0);
        }
        if self.border < self.sectors {
            last += 1;
            add(0, last, self.border);
        }
        add(0, 0xaa, self.lead_out.unwrap_or(self.sectors));
        let length = u8::try_from(entries.len() + 2).unwrap();
        [vec![0, length, 1, last], entries].concat()
    }

    fn read_cd(&mut self, cdb: &[u8]) -> std::result::Result<Vec<u8>, (Code, Vec<u8>)> {
        let number = self.reads;
        self.reads += 1;
        if self.swap.is_some_and(|at| at <= number) {
            self.swap = None;
            self.disc += 1;
            self.border = 0;
            self.sectors += 1000;
        }
        if let Some((after, flag)) = &self.interrupt {
            flag.fetch_or(number + 1 >= *after, Ordering::Relaxed);
        }
        if self.attentions.front().is_some_and(|(at, _)| *at <= number) {
            let (_, code) = self.attentions.pop_front().unwrap();
            if code.1 == 0x29 {
                (self.page, self.speed) = (FOUND_PAGE, FOUND_SPEED);
            }
            return Err((code, Vec::new()));
        }
        let kind = cdb[1] >> 2 & 7;
        let (c2, sub) = (cdb[9] >> 1 & 3, cdb[10]);
        if matches!(self.extras, Extras::Only296 | Extras::First296) && c2 == 1 {
            return Err(((5, 0x24, 0), Vec::new()));
        }
        let mut data = Vec::new();
        let mut asked = 0;
        let (first, count) = (lba(cdb), count(cdb));
        for lba in (first..).take(count as usize) {
            if lba >= self.sectors {
                return Err(((5, 0x21, 0), data));
            }
            let actual = if lba < self.border { self.data_type } else { 1 };
            if kind != 0 && kind != actual {
                return Err(((5, 0x64, 0), data));
            }
            if let Some((left, code)) = self.bad.get_mut(&lba) {
                if *left > 0 {
                    *left = left.saturating_sub(u32::from(*left != u32::MAX));
                    return Err((*code, data));
                }
            }
            if self.ends.contains(&lba) {
                return Ok(data);
            }
            let main = if self.silent || self.hollow.contains(&lba) {
                vec![0; 2352]
            } else {
                main_of(self.disc, lba)
            };
            if cdb[9] & 0xf8 == 0x10 && actual != 1 {
                data.extend(&main[..2048]);
                asked += 2048;
                continue;
            }
            data.extend(&main);
            let extra = [
                self.pointers(lba, c2),
                vec![0x40; if sub == 0 { 0 } else { 96 }],
            ];
            let extra = match sub {
                2 => return Err(((5, 0x24, 0), data)),
                _ => extra.concat(),
            };
            asked += 2352 + extra.len();
            if !matches!(self.extras, Extras::LeftOut | Extras::Short) {
                data.extend(extra);
            }
        }
        if self.extras == Extras::LeftOut {
            data.resize(asked, 0);
        }
        let mut range = (first..).take(count as usize);
        if range.any(|lba| self.recovered.contains(&lba)) {
            return Err(((1, 0x18, 0), data));
        }
        Ok(data)
    }

    fn pointers(&self, lba: i32, c2: u8) -> Vec<u8> {
        let mut pointers = vec![0; if c2 == 0 { 0 } else { 294 }];
        if c2 != 0 {
            for &byte in self.c2.get(&lba).into_iter().flatten() {
                pointers[byte / 8] |= 0x80 >> (byte % 8);
            }
        }
        if c2 == 2 {
            let all = pointers.iter().fold(0, |all, byte| all | byte);
            if self.extras == Extras::First296 {
                pointers = [vec![all, 0], pointers].concat();
            } else {
                pointers.extend([all, 0]);
            }
        }
        pointers
    }
}

impl ScsiTransport for Fake {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
        let mut state = self.0.borrow_mut();
        if state.not_permitted.contains(&cdb.opcode()) {
            return Err(Error::NotPermitted {
                path: self.path().to_path_buf(),
                cdb: *cdb,
                device_type: self.device_type(),
                needs: "the node opened for writing",
                source: io::Error::from_raw_os_error(1),
            });
        }
        state.log.push(cdb.as_bytes().to_vec());
        let out = match &data {
            Data::Out(bytes) => bytes.to_vec(),
            _ => Vec::new(),
        };
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        if state.gone.is_some_and(|at| at <= state.reads) {
            outcome.set_host(HostStatus::NO_CONNECT);
            return Ok(outcome);
        }
        let answer = match state.answer(cdb.as_bytes(), &out) {
            Ok(answer) => answer,
            Err(((key, asc, ascq), answer)) => {
                outcome.set_status(Status::CHECK_CONDITION);
                *outcome.sense_mut() =
                    SenseBuffer::fixed(SenseKey(key), AdditionalSense::new(asc, ascq));
                answer
            }
        };
        if let Data::In(buffer) = &mut data {
            // As an sg node does.
            buffer.fill(0);
        }
        if !out.is_empty() {
            return Ok(outcome);
        }
        let moved = data.fill_from(&answer);
        outcome.set_transferred(moved);
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("drive")
    }

    fn device_type(&self) -> Option<DeviceType> {
        Some(DeviceType::OPTICAL)
    }
}

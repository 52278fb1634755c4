//! The commands: what the drive answers to each.

mod configuration;
mod information;
mod mode;
mod read;
mod read_cd;
mod toc;

use std::{path::PathBuf, thread};

use crate::{
    disc::Disc,
    faults::{Answered, Control, happens},
    ring::{Answer, Call},
    sense::Sense,
};
use mode::Pages;

/// The fastest speed, 40 times that of an audio player, in kB/s.
pub(crate) const FASTEST: u16 = 7056;

const GOOD: u8 = 0;
const CHECK_CONDITION: u8 = 2;

/// What a command gives: data, or an error, before which some data may have come.
type Reply = Result<Vec<u8>, Failure>;

struct Failure {
    sense: Sense,
    data: Vec<u8>,
}

impl From<Sense> for Failure {
    fn from(sense: Sense) -> Self {
        Self {
            sense,
            data: Vec::new(),
        }
    }
}

/// The drive and all that it remembers.
pub(crate) struct Drive {
    disc: Disc,
    control: Control,
    pages: Pages,
    tray_open: bool,
    locked: bool,
    /// A disc has been put in, which nobody has been told: by UNIT ATTENTION, and by an event.
    new_medium: bool,
    new_medium_event: bool,
    /// The speeds that were asked for.
    read_speed: u16,
    write_speed: u16,
    /// The sector read last.
    position: i32,
}

impl Drive {
    pub(crate) fn new(disc: Disc, control: PathBuf) -> Self {
        Self {
            disc,
            control: Control::new(control),
            pages: Pages::default(),
            tray_open: false,
            locked: false,
            new_medium: false,
            new_medium_event: false,
            read_speed: FASTEST,
            write_speed: 0,
            position: 0,
        }
    }

    /// Does a command.
    pub(crate) fn answer(&mut self, call: &Call) -> Answer {
        self.control.look();
        let opcode = call.cdb[0];
        let next = self.control.faults.disc.take_if(|(_, at)| at.is_none());
        if let Some((disc, _)) = next {
            self.disc = disc;
            self.new_medium = true;
            self.new_medium_event = true;
        }
        let faults = &mut self.control.faults;
        if faults.mistake.is_some() && opcode != 0x12 {
            // The file is wrong: something that no test expects.
            return self.failed(Sense::new(4, 0x80, 0), Vec::new());
        }
        let slow = faults.slow.iter_mut().find(|slow| slow.opcode == opcode);
        if let Some(slow) = slow {
            if happens(&mut slow.left) {
                thread::sleep(slow.delay);
            }
        }
        if let Some(answer) = self.queued(opcode) {
            return answer;
        }
        let mut reply = self.ready(opcode).and_then(|()| self.execute(call));
        let (Ok(data) | Err(Failure { data, .. })) = &mut reply;
        data.truncate(call.buffer);
        match reply {
            Ok(mut data) => {
                self.shorten(opcode, &mut data);
                Answer {
                    status: GOOD,
                    sense: Vec::new(),
                    data,
                }
            }
            Err(failure) => self.failed(failure.sense, failure.data),
        }
    }

    /// What comes whatever the command is.
    fn queued(&mut self, opcode: u8) -> Option<Answer> {
        if matches!(opcode, 0x03 | 0x12 | 0x46 | 0x4a) {
            return None;
        }
        if let Some(queued) = self.control.faults.next(opcode) {
            let (status, sense) = (queued.status, queued.sense.clone());
            let sense = match sense {
                Answered::Nothing => Vec::new(),
                Answered::Known(sense) => sense.bytes(self.control.faults.descriptors),
                Answered::Bytes(bytes) => bytes,
            };
            return Some(Answer {
                status,
                sense,
                data: Vec::new(),
            });
        }
        if self.new_medium {
            self.new_medium = false;
            return Some(self.failed(Sense::new(6, 0x28, 0), Vec::new()));
        }
        None
    }

    fn failed(&self, sense: Sense, data: Vec<u8>) -> Answer {
        Answer {
            status: CHECK_CONDITION,
            sense: sense.bytes(self.control.faults.descriptors),
            data,
        }
    }

    fn shorten(&mut self, opcode: u8, data: &mut Vec<u8>) {
        let faults = &mut self.control.faults.short;
        let short = faults
            .iter_mut()
            .find(|short| short.only.is_none_or(|only| only == opcode));
        if let Some(short) = short {
            if !data.is_empty() && happens(&mut short.left) {
                // The kernel cannot be told that there is nothing.
                data.truncate(data.len().saturating_sub(short.bytes).max(1));
            }
        }
    }

    /// Why there is no disc, if there is none.
    fn no_medium(&self) -> Option<Sense> {
        let ascq = self.control.faults.no_medium;
        match (ascq, self.tray_open) {
            (Some(ascq), _) => Some(Sense::new(2, 0x3a, ascq)),
            (None, true) => Some(Sense::new(2, 0x3a, 2)),
            (None, false) => None,
        }
    }

    /// Whether a command can be begun.
    fn ready(&mut self, opcode: u8) -> Result<(), Failure> {
        let refused = &self.control.faults.refused;
        if let Some((_, sense)) = refused.iter().find(|(refused, _)| *refused == opcode) {
            return Err((*sense).into());
        }
        let needs_medium = matches!(
            opcode,
            0x00 | 0x25 | 0x28 | 0x2b | 0x42
                ..=0x44 | 0x51 | 0x52 | 0xa8 | 0xad | 0xb9 | 0xbe | 0xd8
        );
        if !needs_medium {
            return Ok(());
        }
        if let Some(sense) = self.no_medium() {
            return Err(sense.into());
        }
        if let Some(sense) = self.becoming_ready() {
            self.control.faults.becoming_ready.1 += 1;
            return Err(sense.into());
        }
        Ok(())
    }

    fn becoming_ready(&self) -> Option<Sense> {
        let (all, done) = self.control.faults.becoming_ready;
        let progress = 0x1_0000 * u64::from(done) / u64::from(all.max(1));
        (done < all).then(|| Sense::new(2, 4, 1).progress(progress as u16))
    }

    fn execute(&mut self, call: &Call) -> Reply {
        let cdb = &call.cdb;
        match cdb[0] {
            0x00 | 0x2b | 0x35 => Ok(Vec::new()),
            0x03 => Ok(self.request_sense(cdb)),
            0x12 => self.inquiry(cdb),
            0x15 | 0x55 => self.mode_select(call),
            0x1a | 0x5a => self.mode_sense(cdb),
            0x1b => self.start_stop(cdb),
            0x1e => {
                self.locked = cdb[4] & 1 == 1;
                Ok(Vec::new())
            }
            0x25 => Ok(self.read_capacity()),
            0x28 | 0xa8 => self.read(cdb),
            0x42 => self.read_sub_channel(cdb),
            0x43 => self.read_toc(cdb),
            0x46 => self.get_configuration(cdb),
            0x4a => self.get_event_status(cdb),
            0x51 => self.read_disc_information(cdb),
            0x52 => self.read_track_information(cdb),
            0x5c => Ok(allocated(buffer_capacity(), cdb, 7)),
            0xa4 => self.report_key(cdb),
            0xac => self.get_performance(cdb),
            0xad => Self::read_disc_structure(cdb),
            0xb6 => Ok(Vec::new()),
            0xb9 => self.read_cd_msf(call),
            0xbb => self.set_cd_speed(cdb),
            0xbd => Ok(self.mechanism_status(cdb)),
            0xbe => self.read_cd(call),
            0xd8 => self.read_cd_da(call),
            _ => Err(Sense::INVALID_OPCODE.into()),
        }
    }

    fn request_sense(&self, cdb: &[u8; 16]) -> Vec<u8> {
        let sense = self
            .no_medium()
            .or_else(|| self.becoming_ready())
            .unwrap_or(Sense::NO_SENSE);
        let mut bytes = sense.bytes(self.control.faults.descriptors || cdb[1] & 1 == 1);
        bytes.truncate(cdb[4].into());
        bytes
    }

    fn start_stop(&mut self, cdb: &[u8; 16]) -> Reply {
        match cdb[4] & 3 {
            2 if self.locked => return Err(Sense::new(5, 0x53, 2).into()),
            2 => self.tray_open = true,
            3 => {
                self.new_medium |= self.tray_open;
                self.new_medium_event |= self.tray_open;
                self.tray_open = false;
            }
            _ => {}
        }
        Ok(Vec::new())
    }

    fn set_cd_speed(&mut self, cdb: &[u8; 16]) -> Reply {
        if cdb[1] & !3 != 0 {
            return Err(Sense::invalid_field(1).into());
        }
        let speed = be16(cdb, 2);
        if speed == 0 {
            return Err(Sense::invalid_field(2).into());
        }
        self.read_speed = speed.min(FASTEST);
        self.write_speed = be16(cdb, 4);
        Ok(Vec::new())
    }
}

fn be16(cdb: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([cdb[at], cdb[at + 1]])
}

fn be32(cdb: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([cdb[at], cdb[at + 1], cdb[at + 2], cdb[at + 3]])
}

/// No more of a reply than the command allows; the field is two bytes long.
fn allocated(mut reply: Vec<u8>, cdb: &[u8; 16], at: usize) -> Vec<u8> {
    reply.truncate(be16(cdb, at).into());
    reply
}

/// READ BUFFER CAPACITY: two megabytes, all of them free.
fn buffer_capacity() -> Vec<u8> {
    vec![0, 10, 0, 0, 0, 0x20, 0, 0, 0, 0x20, 0, 0]
}

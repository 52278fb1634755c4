//! A drive in memory with a CD, and what it does wrong.

mod arrived;
mod disc;
mod probe;
mod read;
mod settings;

use std::{
    cell::{Cell, RefCell},
    io,
    path::Path,
};

use super::*;
use crate::{
    Data, Error, Options, Outcome, Result, ScsiTransport,
    scsi::{
        AdditionalSense, Cdb, DeviceType, SenseBuffer, SenseKey, Status,
        mmc::{C2, Lba, MainChannel, QCrc, SectorRequest, SectorType, SubChannels, SubQ},
    },
};

const ILLEGAL: (SenseKey, AdditionalSense) = (
    SenseKey::ILLEGAL_REQUEST,
    AdditionalSense::INVALID_FIELD_IN_CDB,
);

/// What the kernel does with the part of a buffer that nothing came for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    /// A block node keeps it.
    Block,
    /// An sg node fills it with zeros.
    Sg,
}

/// What the residual says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Residual {
    Right,
    /// As AHCI does.
    Zero,
    /// As virtio does.
    Whole,
    Negative,
}

type Refused = (SenseKey, AdditionalSense);

/// Anything that a test wants to answer itself.
type Answer<'a> = dyn Fn(&Cdb, &mut Data<'_>) -> Option<Result<Outcome>> + 'a;

struct Fake<'a> {
    node: Node,
    residual: Residual,
    /// Bytes at the end of each READ CD that are not sent.
    short_by: usize,
    /// How it answers to what it does not know of byte 9 and 10.
    ignores: bool,
    c2: &'static [C2],
    subs: &'static [SubChannels],
    sub_before_c2: bool,
    silence: bool,
    /// A sector that cannot be read.
    bad: Option<(i32, SenseBuffer)>,
    answer: Option<Box<Answer<'a>>>,
    sent: RefCell<Vec<Cdb>>,
    written: RefCell<Vec<Vec<u8>>>,
}

impl<'a> Fake<'a> {
    fn new() -> Self {
        Self {
            node: Node::Block,
            residual: Residual::Right,
            short_by: 0,
            ignores: false,
            c2: &[C2::None, C2::Pointers294, C2::Block296],
            subs: &[SubChannels::None, SubChannels::Raw96, SubChannels::Q16],
            sub_before_c2: false,
            silence: false,
            bad: None,
            answer: None,
            sent: RefCell::default(),
            written: RefCell::default(),
        }
    }

    fn answering(answer: impl Fn(&Cdb, &mut Data<'_>) -> Option<Result<Outcome>> + 'a) -> Self {
        Self {
            answer: Some(Box::new(answer)),
            ..Self::new()
        }
    }

    /// Opcodes of what was sent since the last look.
    fn opcodes(&self) -> Vec<u8> {
        self.sent.take().iter().map(Cdb::opcode).collect()
    }

    /// Addresses and counts of what was sent since the last look.
    fn ranges(&self) -> Vec<(i32, u32)> {
        self.sent.take().iter().map(range).collect()
    }

    /// What READ CD sends.
    fn sectors(&self, cdb: &Cdb) -> Result<Vec<u8>, Refused> {
        let (lba, sectors) = range(cdb);
        let c2 = match cdb.byte(9) & 0x06 {
            0 => C2::None,
            2 => C2::Pointers294,
            4 => C2::Block296,
            _ => return Err(ILLEGAL),
        };
        let sub = match cdb.byte(10) {
            0 => SubChannels::None,
            1 => SubChannels::Raw96,
            2 => SubChannels::Q16,
            _ => return Err(ILLEGAL),
        };
        let (knows_c2, knows_sub) = (self.c2.contains(&c2), self.subs.contains(&sub));
        if !(self.ignores || knows_c2 && knows_sub) {
            return Err(ILLEGAL);
        }
        let mut bytes = Vec::new();
        for lba in (0..sectors).map(|index| lba.wrapping_add_unsigned(index)) {
            bytes.extend(self.main(lba));
            let c2 = match c2 {
                _ if !knows_c2 => vec![],
                c2 => vec![0; c2.length().into()],
            };
            let sub = match sub {
                SubChannels::Raw96 if knows_sub => raw_sub(q(lba)),
                SubChannels::Q16 if knows_sub => [&q(lba)[..], &[0; 4]].concat(),
                _ => vec![],
            };
            let parts = if self.sub_before_c2 {
                [sub, c2]
            } else {
                [c2, sub]
            };
            bytes.extend(parts.concat());
        }
        Ok(bytes)
    }

    fn main(&self, lba: i32) -> Vec<u8> {
        if self.silence {
            vec![0; 2352]
        } else {
            main(lba)
        }
    }

    fn read_cd(&self, cdb: &Cdb, data: &mut Data<'_>) -> Outcome {
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        let mut bytes = match self.sectors(cdb) {
            Ok(bytes) => bytes,
            Err((key, additional)) => return refused(data.len(), key, additional),
        };
        let (lba, sectors) = range(cdb);
        let bad = self
            .bad
            .filter(|(bad, _)| (lba..lba + sectors as i32).contains(bad));
        if let Some((bad, sense)) = bad {
            let length = data.len() / sectors as usize;
            bytes.truncate((bad - lba) as usize * length);
            outcome.set_status(Status::CHECK_CONDITION);
            *outcome.sense_mut() = sense;
        }
        bytes.truncate(data.len().saturating_sub(self.short_by));
        if self.node == Node::Sg {
            data.fill_from(&vec![0; data.len()]);
        }
        let moved = data.fill_from(&bytes);
        let len = i32::try_from(data.len()).unwrap();
        match self.residual {
            Residual::Right => outcome.set_transferred(moved),
            Residual::Zero => {}
            Residual::Whole => outcome.set_residual(len),
            Residual::Negative => outcome.set_residual(-8),
        }
        outcome
    }
}

impl ScsiTransport for Fake<'_> {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
        self.sent.borrow_mut().push(*cdb);
        if let Data::Out(bytes) = &data {
            self.written.borrow_mut().push(bytes.to_vec());
        }
        if let Some(answer) = &self.answer {
            if let Some(answer) = answer(cdb, &mut data) {
                return answer;
            }
        }
        Ok(match cdb.opcode() {
            0xbe => self.read_cd(cdb, &mut data),
            _ => Outcome::new(Status::GOOD, data.len()),
        })
    }

    fn path(&self) -> &Path {
        Path::new("fake")
    }

    fn device_type(&self) -> Option<DeviceType> {
        Some(DeviceType::OPTICAL)
    }
}

fn range(cdb: &Cdb) -> (i32, u32) {
    let bytes = cdb.as_bytes();
    let lba = i32::from_be_bytes(bytes[2..6].try_into().unwrap());
    let count = u32::from_be_bytes([0, bytes[6], bytes[7], bytes[8]]);
    (lba, count)
}

/// A sector's main channel: no two are alike.
fn main(lba: i32) -> Vec<u8> {
    (0..2352_u32)
        .map(|at| {
            let mixed = at.wrapping_mul(0x9e37_79b1)
                ^ u32::from_be_bytes(lba.to_be_bytes()).wrapping_mul(0x85eb_ca6b);
            mixed.to_le_bytes()[3] | 1
        })
        .collect()
}

/// A sector's Q, with a valid CRC.
fn q(lba: i32) -> [u8; 12] {
    let [.., c, d] = lba.to_be_bytes();
    let mut bytes = [0x41, 1, 1, 0, c, d, 0, 0, c, d, 0xff, 0xff];
    if let QCrc::Invalid { computed, .. } = SubQ::new(bytes).crc() {
        bytes[10..].copy_from_slice(&computed.to_be_bytes());
    }
    bytes
}

fn raw_sub(q: [u8; 12]) -> Vec<u8> {
    (0..96)
        .map(|bit| (q[bit / 8] >> (7 - bit % 8) & 1) << 6)
        .collect()
}

fn refused(len: usize, key: SenseKey, additional: AdditionalSense) -> Outcome {
    let mut outcome = Outcome::new(Status::CHECK_CONDITION, len);
    *outcome.sense_mut() = SenseBuffer::fixed(key, additional);
    outcome
}

fn good(data: &mut Data<'_>, answer: &[u8]) -> Option<Result<Outcome>> {
    let mut outcome = Outcome::new(Status::GOOD, data.len());
    outcome.set_transferred(data.fill_from(answer));
    Some(Ok(outcome))
}

fn not_permitted() -> Error {
    Error::NotPermitted {
        path: "fake".into(),
        cdb: Cdb::from_array([0xbb; 12]),
        device_type: Some(DeviceType::OPTICAL),
        needs: "a handle for writing",
        source: io::Error::from_raw_os_error(1),
    }
}

fn raw() -> SectorRequest {
    SectorRequest::new(SectorType::Any, MainChannel::RAW)
}

/// Fixed sense data of an unrecovered read error with this INFORMATION.
fn medium_error(information: i32) -> SenseBuffer {
    let [a, b, c, d] = information.to_be_bytes();
    SenseBuffer::from_slice(&[
        0xf0, 0, 0x03, a, b, c, d, 10, 0, 0, 0, 0, 0x11, 0x05, 0, 0, 0, 0,
    ])
}

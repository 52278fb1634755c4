//! Kinds of fault that public reports tell one example of, each over its whole range, on an
//! optical drive in memory: what is sent then, how often, and what comes back.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    io,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

use passthru::{
    Data, Error, Options, Outcome, Result, RetryPolicy, ScsiTransport, ScsiTransportExt,
    retry::{Clock, RetryLog},
    scsi::{
        AdditionalSense, Cdb, DeviceType, Read10, SenseBuffer, SenseKey, Status, TestUnitReady,
        Write10,
        mmc::{C2, Lba, MainChannel, ReadCd, SectorRequest, SectorType, SubChannels},
        sense::Condition,
    },
    unit::{LayoutAnswer, OpticalDrive, ReadFault},
};
use proptest::prelude::*;

mod asking;
mod kept;
mod probing;
mod reading;
mod repeating;

type Answer<'a> = dyn Fn(&Cdb, &mut Data<'_>) -> Result<Outcome> + 'a;

struct Drive<'a> {
    answer: Box<Answer<'a>>,
    sent: RefCell<Vec<(Cdb, usize)>>,
}

impl<'a> Drive<'a> {
    fn new(answer: impl Fn(&Cdb, &mut Data<'_>) -> Result<Outcome> + 'a) -> Self {
        Self {
            answer: Box::new(answer),
            sent: RefCell::default(),
        }
    }

    /// Which refuses everything.
    fn refusing(key: u8, asc: u8, ascq: u8) -> Self {
        Self::new(move |_, data| Ok(refused(data.len(), key, asc, ascq)))
    }

    /// What was sent since the last look, with the lengths of the data.
    fn sent(&self) -> Vec<(Cdb, usize)> {
        self.sent.take()
    }
}

impl ScsiTransport for Drive<'_> {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
        self.sent.borrow_mut().push((*cdb, data.len()));
        (self.answer)(cdb, &mut data)
    }

    fn path(&self) -> &Path {
        Path::new("drive")
    }

    fn device_type(&self) -> Option<DeviceType> {
        Some(DeviceType::OPTICAL)
    }
}

fn refused(len: usize, key: u8, asc: u8, ascq: u8) -> Outcome {
    let mut outcome = Outcome::new(Status::CHECK_CONDITION, len);
    let additional = AdditionalSense::new(asc, ascq);
    *outcome.sense_mut() = SenseBuffer::fixed(SenseKey(key), additional);
    outcome
}

fn good(data: &mut Data<'_>, bytes: &[u8]) -> Outcome {
    let mut outcome = Outcome::new(Status::GOOD, data.len());
    outcome.set_transferred(data.fill_from(bytes));
    outcome
}

/// First sector and number of sectors of a READ CD.
fn range(cdb: &Cdb) -> (i32, u32) {
    let bytes = cdb.as_bytes();
    let lba = i32::from_be_bytes(bytes[2..6].try_into().unwrap());
    (lba, u32::from_be_bytes([0, bytes[6], bytes[7], bytes[8]]))
}

fn raw() -> SectorRequest {
    SectorRequest::new(SectorType::Any, MainChannel::RAW)
}

/// Time passes only by sleeping.
struct Slept {
    begin: Instant,
    time: Mutex<Duration>,
}

impl Slept {
    fn new() -> Self {
        Self {
            begin: Instant::now(),
            time: Mutex::default(),
        }
    }

    fn time(&self) -> Duration {
        *self.time.lock().unwrap()
    }
}

impl Clock for Slept {
    fn now(&self) -> Instant {
        self.begin + self.time()
    }

    fn sleep(&self, time: Duration) -> bool {
        *self.time.lock().unwrap() += time;
        true
    }
}

const HOUR: Duration = Duration::from_secs(3600);

/// Waits for all that there is to wait for.
fn patient() -> RetryPolicy {
    RetryPolicy::new()
        .unit_attentions(8)
        .becoming_ready(HOUR)
        .operations(HOUR)
        .busy(HOUR)
        .repeat_reads(true)
}

const TRIED: [(C2, SubChannels); 8] = [
    (C2::Pointers294, SubChannels::None),
    (C2::Block296, SubChannels::None),
    (C2::None, SubChannels::Raw96),
    (C2::None, SubChannels::Q16),
    (C2::Pointers294, SubChannels::Raw96),
    (C2::Block296, SubChannels::Raw96),
    (C2::Pointers294, SubChannels::Q16),
    (C2::Block296, SubChannels::Q16),
];

/// A sector's main channel, alike in no two places.
fn main_channel(lba: i32) -> Vec<u8> {
    let seed = u32::from_be_bytes(lba.to_be_bytes()).wrapping_mul(0x85eb_ca6b);
    (0..2352_u32)
        .map(|at| (at.wrapping_mul(0x9e37_79b1) ^ seed).to_le_bytes()[3] | 1)
        .collect()
}

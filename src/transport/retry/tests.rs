//! A drive that answers by a script, and what a policy sends to it.

mod deadlines;
mod judged;
mod logged;
mod properties;
mod rules;

use std::{
    collections::VecDeque,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

use super::*;
use crate::{
    Data, Error, Options, Outcome, Result, ScsiTransport, ScsiTransportExt, Verdict,
    scsi::{
        AdditionalSense, Cdb, DeviceType, DriverStatus, HostStatus, RawCdb, Read10, SenseBuffer,
        SenseKey, Status, TestUnitReady, Write10,
    },
};

const SECOND: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(3600);

/// One answer of the script.
#[derive(Clone, Debug)]
enum Answer {
    Good,
    Status(Status),
    Host(u16),
    Driver(u16),
    /// CHECK CONDITION with these sense bytes.
    Sense(SenseBuffer),
    /// A host status beside sense data.
    HostAnd(u16, SenseBuffer),
    /// An error of the transport's own.
    Lost,
}

const BUSY: Answer = Answer::Status(Status::BUSY);
const FULL: Answer = Answer::Status(Status::TASK_SET_FULL);

fn sense(key: u8, asc: u8, ascq: u8) -> Answer {
    Answer::Sense(SenseBuffer::fixed(
        SenseKey(key),
        AdditionalSense::new(asc, ascq),
    ))
}

fn deferred(key: u8, asc: u8, ascq: u8) -> Answer {
    Answer::Sense(SenseBuffer::from_slice(&[
        0x71, 0, key, 0, 0, 0, 0, 10, 0, 0, 0, 0, asc, ascq, 0, 0, 0, 0,
    ]))
}

fn becoming() -> Answer {
    sense(2, 0x04, 0x01)
}

fn reset() -> Answer {
    sense(6, 0x29, 0x00)
}

/// Answers by the script, then with the last line of it again and again.
#[derive(Debug)]
struct Script {
    answers: Mutex<VecDeque<Answer>>,
    sent: Mutex<Vec<Cdb>>,
    device_type: Option<DeviceType>,
    /// How long a command takes, by the clock.
    clock: TestClock,
    takes: Duration,
}

#[derive(Debug)]
struct TestClock {
    begin: Instant,
    passed: Mutex<Duration>,
    pauses: Mutex<Vec<Duration>>,
    /// So many pauses may be made.
    patience: usize,
}

impl TestClock {
    fn new() -> Self {
        Self {
            begin: Instant::now(),
            passed: Mutex::default(),
            pauses: Mutex::default(),
            patience: usize::MAX,
        }
    }

    fn pass(&self, time: Duration) {
        *self.passed.lock().unwrap() += time;
    }

    fn passed(&self) -> Duration {
        *self.passed.lock().unwrap()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        self.begin + self.passed()
    }

    fn sleep(&self, time: Duration) -> bool {
        self.pass(time);
        let mut pauses = self.pauses.lock().unwrap();
        pauses.push(time);
        pauses.len() < self.patience
    }
}

impl Script {
    fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Mutex::new(answers.into_iter().collect()),
            sent: Mutex::default(),
            device_type: Some(DeviceType::DISK),
            clock: TestClock::new(),
            takes: Duration::ZERO,
        }
    }

    fn of(device_type: Option<DeviceType>, answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            device_type,
            ..Self::new(answers)
        }
    }

    fn opcodes(&self) -> Vec<u8> {
        self.sent.lock().unwrap().iter().map(Cdb::opcode).collect()
    }

    fn with(&self, policy: RetryPolicy) -> WithRetries<'_, Self> {
        policy.on(self).clock(&self.clock)
    }
}

impl ScsiTransport for Script {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
        let mut sent = self.sent.lock().unwrap();
        sent.push(*cdb);
        assert!(sent.len() < 20_000, "it does not end");
        drop(sent);
        self.clock.pass(self.takes);
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        let mut answers = self.answers.lock().unwrap();
        let answer = match answers.len() {
            0 => Answer::Good,
            1 => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        };
        match answer {
            Answer::Good => {}
            Answer::Status(status) => outcome.set_status(status),
            Answer::Host(host) => outcome.set_host(HostStatus(host)),
            Answer::Driver(driver) => outcome.set_driver(DriverStatus(driver)),
            Answer::Sense(sense) => {
                outcome.set_status(Status::CHECK_CONDITION);
                *outcome.sense_mut() = sense;
            }
            Answer::HostAnd(host, sense) => {
                outcome.set_host(HostStatus(host));
                *outcome.sense_mut() = sense;
            }
            Answer::Lost => {
                return Err(Error::Os {
                    op: "the script",
                    path: self.path().to_path_buf(),
                    cdb: Some(*cdb),
                    sent: true,
                    source: std::io::Error::from_raw_os_error(5),
                });
            }
        }
        if outcome.verdict().is_success() {
            data.fill_from(&[0xAA; 4096]);
        }
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("script")
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.device_type
    }
}

/// Everything switched on.
fn all() -> RetryPolicy {
    RetryPolicy::new()
        .unit_attentions(3)
        .becoming_ready(LONG)
        .operations(LONG)
        .busy(LONG)
        .repeat_reads(true)
}

/// Sends a READ(10) to a drive that answers so, and returns how it ended and the opcodes sent.
fn read(policy: RetryPolicy, answers: &[Answer]) -> (Verdict, Vec<u8>) {
    let drive = Script::new(answers.iter().cloned());
    let verdict = read_on(&drive.with(policy));
    (verdict, drive.opcodes())
}

fn read_on(device: &impl ScsiTransport) -> Verdict {
    let mut block = [0; 512];
    let command = Read10::new(7, 1).block_length(512);
    ended(device.read(&command, &mut block), || {
        assert_eq!(block, [0xAA; 512], "the data of the last try");
    })
}

/// As [`read`], by a WRITE(10).
fn write(policy: RetryPolicy, answers: &[Answer]) -> (Verdict, Vec<u8>) {
    let drive = Script::new(answers.iter().cloned());
    let command = Write10::new(7, 1).block_length(512);
    let result = drive.with(policy).write(&command, &[1; 512]);
    (ended(result, || ()), drive.opcodes())
}

fn ended(result: Result<Outcome>, good: impl FnOnce()) -> Verdict {
    match result {
        Ok(outcome) => {
            good();
            outcome.verdict()
        }
        Err(error) => error.outcome().expect("an outcome").verdict(),
    }
}

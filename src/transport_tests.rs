use std::{
    io::{self, IoSliceMut},
    sync::Mutex,
    time::Duration,
};

use super::*;
use crate::scsi::{Inquiry, Malformed, RawCdb, Read10, Status, TestUnitReady};

/// Answers with fixed bytes and outcome, and notes what it was sent.
struct Fake {
    reply: Vec<u8>,
    outcome: fn(usize) -> Outcome,
    defaults: Options,
    sent: Mutex<Vec<(Cdb, usize, Options)>>,
}

impl Fake {
    fn new(reply: &[u8]) -> Self {
        Self {
            reply: reply.to_vec(),
            outcome: |len| Outcome::new(Status::GOOD, len),
            defaults: Options::new(),
            sent: Mutex::default(),
        }
    }

    fn timeouts(&self) -> Vec<Duration> {
        let sent = self.sent.lock().unwrap();
        sent.iter()
            .map(|(_, _, options)| options.timeout_or(Duration::ZERO))
            .collect()
    }
}

impl ScsiTransport for Fake {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, options: &Options) -> Result<Outcome> {
        let sent = (*cdb, data.len(), *options);
        self.sent.lock().unwrap().push(sent);
        let mut outcome = (self.outcome)(data.len());
        let moved = data.fill_from(&self.reply);
        if outcome.residual() == 0 {
            outcome.set_transferred(moved);
        }
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("fake")
    }

    fn default_options(&self) -> Options {
        self.defaults
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_commands_own_timeout_comes_first() {
    let mut fake = Fake::new(&[]);
    fake.defaults = Options::new().timeout(3 * SECOND);
    let own = RawCdb::from_array([0; 6]).timeout(7200 * SECOND);
    let none = RawCdb::from_array([0; 6]);
    fake.execute(&own).unwrap();
    fake.execute(&none).unwrap();
    let options = Options::new().timeout(5 * SECOND);
    fake.with_options(options).execute(&own).unwrap();
    fake.with_options(options).execute(&none).unwrap();
    // In place of all defaults: nothing is left of the 3 s.
    fake.with_options(Options::new()).execute(&none).unwrap();
    assert_eq!(
        fake.timeouts(),
        [
            7200 * SECOND,
            3 * SECOND,
            7200 * SECOND,
            5 * SECOND,
            Duration::ZERO
        ]
    );
}

#[test]
fn what_holds_a_transport_is_one() {
    fn ready(transport: impl ScsiTransport) {
        transport.execute(&TestUnitReady).unwrap();
        assert_eq!(transport.path(), Path::new("fake"));
    }
    let mut fake = Fake::new(&[]);
    ready(&fake);
    ready(&mut fake);
    ready(&fake as &dyn ScsiTransport);
    ready(Box::new(Fake::new(&[])));
    ready(Box::new(Fake::new(&[])) as Box<dyn ScsiTransport>);
    ready(Rc::new(Fake::new(&[])));
    ready(Arc::new(Fake::new(&[])) as Arc<dyn ScsiTransport>);
    assert_eq!(fake.sent.lock().unwrap().len(), 3);
}

#[test]
fn a_length_that_does_not_fit_is_not_sent() {
    let fake = Fake::new(&[]);
    let error = fake
        .read(&Read10::new(0, 8).block_length(512), &mut [0; 512])
        .unwrap_err();
    assert!(
        matches!(
            &error,
            Error::Length {
                command: "Read10",
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(
        error.to_string(),
        "fake: Read10: the buffer has 512 bytes, the command moves 4096"
    );
    assert!(fake.sent.lock().unwrap().is_empty());
}

#[test]
fn a_query_sees_what_arrived_and_no_more() {
    let mut reply = [0x20; 36];
    reply[..5].copy_from_slice(&[5, 0x80, 5, 2, 31]);
    let reply = &reply;
    for len in 5..=36 {
        let fake = Fake::new(&reply[..len]);
        let inquiry = fake.query(&Inquiry::standard()).unwrap();
        assert_eq!(inquiry.as_bytes(), &reply[..len]);
    }
    // Residuals that lie.
    for (residual, arrived) in [(i32::MIN, 36), (-1, 36), (30, 6)] {
        let mut fake = Fake::new(reply);
        fake.outcome = match residual {
            i32::MIN => |len| with_residual(len, i32::MIN),
            -1 => |len| with_residual(len, -1),
            _ => |len| with_residual(len, 30),
        };
        let inquiry = fake.query(&Inquiry::standard()).unwrap();
        assert_eq!(inquiry.as_bytes(), &reply[..arrived], "{residual}");
    }
}

fn with_residual(len: usize, residual: i32) -> Outcome {
    let mut outcome = Outcome::new(Status::GOOD, len);
    outcome.set_residual(residual);
    outcome
}

#[test]
fn a_query_that_fails_keeps_its_bytes() {
    let mut fake = Fake::new(&[1, 2, 3, 4, 5, 6]);
    fake.outcome = |len| Outcome::new(Status::CHECK_CONDITION, len);
    let error = fake.query(&Inquiry::standard()).unwrap_err();
    let failure = error.failure().unwrap();
    assert!(matches!(error, Error::Check(_)));
    assert_eq!(failure.data(), [1, 2, 3, 4, 5, 6]);
    assert_eq!(failure.cdb().opcode(), 0x12);
    assert!(error.was_sent());

    let fake = Fake::new(&[1, 2, 3]);
    let error = fake.query(&Inquiry::standard()).unwrap_err();
    assert!(
        matches!(&error, Error::Malformed { reason: Malformed::Short { got: 3, .. }, failure }
            if failure.data() == [1, 2, 3] && failure.outcome().transferred() == 3),
        "{error:?}"
    );
    assert!(error.to_string().contains("INQUIRY"), "{error}");
}

#[test]
fn answers_fill_slices_in_turn() {
    let answer: Vec<u8> = (1..=10).collect();
    let (mut a, mut b, mut c) = ([0; 3], [0; 4], [0; 5]);
    let mut slices = [
        IoSliceMut::new(&mut a),
        IoSliceMut::new(&mut b),
        IoSliceMut::new(&mut c),
    ];
    let mut data = Data::InVectored(&mut slices);
    assert_eq!(data.len(), 12);
    assert_eq!(data.fill_from(&answer), 10);
    assert_eq!((a, b, c), ([1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 0, 0]));
    assert_eq!(Data::In(&mut [0; 4]).fill_from(&answer), 4);
    assert_eq!(Data::Out(&[0; 4]).fill_from(&answer), 0);
    assert_eq!(Data::None.fill_from(&answer), 0);
}

#[test]
fn errors_become_io_errors_with_their_kind() {
    let missing = crate::ScsiDevice::open("/dev/no such node").unwrap_err();
    assert_eq!(io::Error::from(missing).kind(), io::ErrorKind::NotFound);
    let mut fake = Fake::new(&[]);
    fake.outcome = |len| Outcome::new(Status::BUSY, len);
    let busy = io::Error::from(fake.execute(&TestUnitReady).unwrap_err());
    assert_eq!(busy.kind(), io::ErrorKind::Other);
    let inner = busy.get_ref().unwrap().downcast_ref::<Error>().unwrap();
    assert!(matches!(inner, Error::Status(_)));
    assert_eq!(busy.to_string(), "fake: TEST UNIT READY (00h): BUSY (08h)");
}

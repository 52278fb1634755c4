//! What the typed calls make of a transport's answers: nothing is sent but what
//! was asked for, and nothing of an answer is lost.

use std::{cell::RefCell, path::Path, time::Duration};

use passthru::{
    Data, Error, Options, Outcome, Result, ScsiTransport, ScsiTransportExt, Verdict,
    scsi::{
        Cdb, DriverStatus, HostStatus, Inquiry, Malformed, Read10, ReadCapacity10, ReadCapacity16,
        RequestSense, SenseBuffer, SenseKey, Status, TestUnitReady, Write10, default_timeout,
    },
};

/// A device that answers every command in the same way, and keeps what it was
/// sent: the CDB, the length of the data and the timeout.
struct Device {
    outcome: Outcome,
    reply: Vec<u8>,
    sent: RefCell<Vec<(Cdb, usize, Duration)>>,
}

impl Device {
    fn new(status: Status, sense: &[u8], reply: &[u8]) -> Self {
        let mut outcome = Outcome::new(status, 0);
        *outcome.sense_mut() = SenseBuffer::from_slice(sense);
        Self {
            outcome,
            reply: reply.to_vec(),
            sent: RefCell::new(Vec::new()),
        }
    }

    /// How many commands it got; forgets them.
    fn count(&self) -> usize {
        self.sent.take().len()
    }
}

impl ScsiTransport for Device {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        let len = data.len();
        let timeout = options.timeout_or(default_timeout(cdb));
        self.sent.borrow_mut().push((*cdb, len, timeout));
        let mut outcome = Outcome::new(self.outcome.status(), len);
        outcome.set_host(self.outcome.host());
        outcome.set_driver(self.outcome.driver());
        *outcome.sense_mut() = SenseBuffer::from_slice(self.outcome.sense_bytes());
        let mut moved = 0;
        if let Data::In(buffer) = data {
            moved = buffer.len().min(self.reply.len());
            buffer[..moved].copy_from_slice(&self.reply[..moved]);
        }
        let residual = match self.outcome.residual() {
            0 => i32::try_from(len - moved).unwrap(),
            lie => lie,
        };
        outcome.set_residual(residual);
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("/dev/test")
    }
}

fn fixed(key: u8, asc: u8, ascq: u8) -> [u8; 18] {
    let mut sense = [0; 18];
    (sense[0], sense[2], sense[7]) = (0x70, key, 10);
    (sense[12], sense[13]) = (asc, ascq);
    sense
}

/// Every answer that might tempt somebody to try again or to look further.
fn answers() -> Vec<Device> {
    let mut all = Vec::new();
    // UNIT ATTENTION after a reset, becoming ready, no medium, recovered,
    // aborted, unknown opcode, field not liked, nothing to say, no such unit.
    for (key, asc, ascq) in [
        (6, 0x29, 0),
        (6, 0x28, 0),
        (2, 0x04, 1),
        (2, 0x3a, 0),
        (1, 0x17, 1),
        (0xb, 0x47, 0),
        (5, 0x20, 0),
        (5, 0x24, 0),
        (0, 0, 0),
        (5, 0x25, 0),
    ] {
        all.push(Device::new(
            Status::CHECK_CONDITION,
            &fixed(key, asc, ascq),
            &[],
        ));
    }
    for status in [0x00, 0x02, 0x04, 0x08, 0x18, 0x22, 0x28, 0x30, 0x40, 0x06] {
        all.push(Device::new(Status(status), &[], &[]));
    }
    for host in 1..=0x14 {
        let mut device = Device::new(Status::GOOD, &[], &[]);
        device.outcome.set_host(HostStatus(host));
        all.push(device);
    }
    for driver in 1..=8 {
        let mut device = Device::new(Status::GOOD, &[], &[]);
        device.outcome.set_driver(DriverStatus(driver));
        all.push(device);
    }
    all
}

#[test]
fn one_call_is_one_command_whatever_comes_back() {
    for device in answers() {
        let _ = device.execute(&TestUnitReady);
        assert_eq!(device.count(), 1, "{:?}", device.outcome);
        let _ = device.read(&Read10::new(0, 1), &mut [0; 512]);
        assert_eq!(device.count(), 1, "{:?}", device.outcome);
        let _ = device.write(&Write10::new(0, 1), &[0; 512]);
        assert_eq!(device.count(), 1, "{:?}", device.outcome);
        let _ = device.query(&Inquiry::standard());
        assert_eq!(device.count(), 1, "{:?}", device.outcome);
        let _ = device.query(&Inquiry::vpd_raw(0x80));
        assert_eq!(device.count(), 1, "{:?}", device.outcome);
    }
}

#[test]
fn a_queries_first_command_asks_for_little() {
    // genode#2825, usbd-storage#20: sticks that fail when more is asked for.
    let device = Device::new(Status::GOOD, &[], &[0; 36]);
    device.query(&Inquiry::standard()).unwrap();
    let (cdb, len, timeout) = device.sent.take()[0];
    assert_eq!(cdb.as_bytes(), [0x12, 0, 0, 0, 36, 0]);
    assert_eq!(len, 36, "the buffer is as long as the CDB says");
    assert_eq!(timeout, Duration::from_secs(20));
    // genode#2826: READ CAPACITY(16) only when somebody asks for it.
    let device = Device::new(Status::GOOD, &[], &[0xff; 8]);
    assert!(device.query(&ReadCapacity10).unwrap().is_saturated());
    assert_eq!(device.count(), 1);
    // disktrim#8: allocation length and buffer are one thing.
    for asked in [12, 16, 32, 300] {
        let _ = device.query(&ReadCapacity16::new().allocation_length(asked));
        let (cdb, len, _) = device.sent.take()[0];
        assert_eq!(cdb.as_bytes()[10..14], asked.to_be_bytes());
        assert_eq!(len, asked as usize);
    }
}

/// siomon#75, pydiskcmd#20: CHECK CONDITION comes with data and with registers,
/// and a caller needs all three.
#[test]
fn a_failed_query_keeps_data_and_sense() {
    let sense = [
        0x72, 0x0b, 0, 0, 0, 0, 0, 14, 9, 12, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x51,
    ];
    let reply: Vec<u8> = (0..36).collect();
    for (status, driver) in [
        (Status::CHECK_CONDITION, 8),
        (Status::GOOD, 8),
        (Status::GOOD, 0),
    ] {
        let mut device = Device::new(status, &sense, &reply);
        device.outcome.set_driver(DriverStatus(driver));
        let Error::Check(failure) = device.query(&Inquiry::standard()).unwrap_err() else {
            panic!("{status}")
        };
        assert_eq!(failure.data(), reply);
        assert_eq!(failure.path(), Path::new("/dev/test"));
        assert_eq!(failure.cdb().opcode(), 0x12);
        let outcome = failure.outcome();
        assert_eq!(outcome.sense_bytes(), sense);
        let registers = outcome.sense().ata_registers().unwrap();
        assert_eq!((registers.error, registers.status), (4, 0x51));
        assert_eq!((outcome.transferred(), outcome.claimed()), (0, 36));
    }
}

#[test]
fn a_reply_that_is_none_is_kept_too() {
    let stick = b"\0\x80\x02\x02\x1f\0\0\0Generic Flash Disk      8.07";
    let device = Device::new(Status::GOOD, &[], stick);
    let error = device.query(&Inquiry::vpd_raw(0xb0)).unwrap_err();
    let Error::Malformed { failure, reason } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(
        *reason,
        Malformed::OtherPage {
            asked: 0xb0,
            got: 0x80
        }
    );
    assert_eq!(failure.data(), stick);
    assert!(error.was_sent());
    assert_eq!(error.outcome().unwrap().verdict(), Verdict::Good);
}

#[test]
fn each_failure_has_its_own_error() {
    for device in answers() {
        let error = match device.execute(&TestUnitReady) {
            Ok(outcome) => {
                assert!(outcome.verdict().is_success());
                continue;
            }
            Err(error) => error,
        };
        let outcome = *error
            .outcome()
            .expect("an error of a device has its outcome");
        assert!(error.was_sent());
        match (&error, outcome.verdict()) {
            (Error::Transport(_), Verdict::Transport)
            | (Error::Status(_), Verdict::Status)
            | (Error::Check(_), Verdict::Check | Verdict::CheckWithoutSense | Verdict::Deferred) => {
            }
            other => panic!("{other:?}"),
        }
        let text = error.to_string();
        assert!(
            text.contains("/dev/test") && text.contains("TEST UNIT READY (00h)"),
            "{text}"
        );
    }
}

/// PiSCSI#116: CHECK CONDITION whose sense data says NO SENSE is no success.
#[test]
fn check_condition_without_a_reason_is_an_error() {
    for sense in [&[][..], &fixed(0, 0, 0), &[0; 18], &[0x7f; 18], &[0x70, 0]] {
        let device = Device::new(Status::CHECK_CONDITION, sense, &[]);
        let error = device.execute(&TestUnitReady).unwrap_err();
        assert!(matches!(error, Error::Check(_)), "{error:?}");
    }
}

/// scsir, libscsi, pbs: a residual that is negative or larger than the request.
#[test]
fn a_residual_that_cannot_be_never_makes_a_reply_longer() {
    let reply: Vec<u8> = b"\0\0\x05\x02\x1f\0\0\x02ACME    ROCKET          0100".to_vec();
    for residual in [-1, -4096, i32::MIN] {
        let mut device = Device::new(Status::GOOD, &[], &reply);
        device.outcome.set_residual(residual);
        let inquiry = device.query(&Inquiry::standard()).unwrap();
        assert_eq!(inquiry.as_bytes(), reply, "{residual}");
        let outcome = device.read(&Inquiry::standard(), &mut [0; 36]).unwrap();
        assert_eq!((outcome.transferred(), outcome.residual()), (36, residual));
    }
    // Nothing arrived, it says: no reply is made up from the zeros.
    for residual in [36, 37, 4096, i32::MAX] {
        let mut device = Device::new(Status::GOOD, &[], &reply);
        device.outcome.set_residual(residual);
        let error = device.query(&Inquiry::standard()).unwrap_err();
        assert!(
            matches!(
                &error,
                Error::Malformed {
                    reason: Malformed::Short { got: 0, .. },
                    ..
                }
            ),
            "{error:?}"
        );
        // Who does not believe the residual reads into a buffer of their own.
        let mut buffer = [0; 36];
        let outcome = device.read(&Inquiry::standard(), &mut buffer).unwrap();
        assert_eq!(outcome.transferred(), 0);
        assert_eq!(outcome.residual(), residual);
        assert_eq!(buffer[..], reply);
    }
}

#[test]
fn a_success_with_a_remark_is_a_reply() {
    // RECOVERED ERROR and COMPLETED under CHECK CONDITION, NO SENSE under GOOD.
    let reply = b"\0\0\x05\x02\x1f\0\0\x02ACME    ROCKET          0100";
    for (status, key) in [
        (Status::CHECK_CONDITION, 1),
        (Status::CHECK_CONDITION, 0xf),
        (Status::GOOD, 1),
        (Status::GOOD, 0),
    ] {
        let device = Device::new(status, &fixed(key, 0, 0x1d), reply);
        let inquiry = device.query(&Inquiry::standard()).unwrap();
        assert_eq!(inquiry.product(), "ROCKET", "{status} {key}");
        let outcome = device.read(&Inquiry::standard(), &mut [0; 36]).unwrap();
        assert_eq!(outcome.verdict(), Verdict::GoodWithSense);
        assert_eq!(outcome.sense().key(), Some(SenseKey(key)));
    }
}

#[test]
fn the_callers_timeout_is_the_one_that_is_sent() {
    let device = Device::new(Status::GOOD, &[], &[0; 252]);
    device.execute(&TestUnitReady).unwrap();
    let patient = Options::new().timeout(Duration::from_secs(77));
    device
        .with_options(patient)
        .execute(&TestUnitReady)
        .unwrap();
    device
        .with_options(patient)
        .query(&RequestSense::new())
        .unwrap();
    let times: Vec<_> = device
        .sent
        .take()
        .iter()
        .map(|sent| sent.2.as_secs())
        .collect();
    assert_eq!(times, [20, 77, 77]);
}

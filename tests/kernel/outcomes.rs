//! What the kernel reports comes out of `Outcome` as it is.

use std::time::{Duration, Instant};

use passthru::{
    Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt, Verdict,
    scsi::{Cdb, HostStatus, Inquiry, Read10, ReadCapacity10, SenseKey, Status, TestUnitReady},
};

use crate::lab::{ScsiDebug, Unit, kernel};

const READ_ONE: Cdb = Cdb::from_array([0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
const READ_EIGHT: Cdb = Cdb::from_array([0x28, 0, 0, 0, 0, 0, 0, 0, 8, 0]);

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_short_transfer_is_as_long_as_the_residual_says() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        // Something of another command in the kernel's buffer first.
        let mut block = [0x5a; 512];
        device.read(&Read10::new(0, 1), &mut block).unwrap();

        let mut buffer = [0xee; 512];
        let inquiry = Inquiry::standard().allocation_length(512);
        let outcome = device.read(&inquiry, &mut buffer).unwrap();
        let true_len = usize::from(buffer[4]) + 5;
        assert!((36..512).contains(&true_len), "{true_len}");
        assert_eq!(outcome.transferred(), true_len, "{:?}", device.kind());
        assert_eq!(outcome.residual(), 512 - true_len as i32);
        assert_eq!(outcome.requested(), 512);
        // The typed reply sees those bytes only.
        let reply = device.query(&inquiry).unwrap();
        assert_eq!(reply.as_bytes().len(), true_len);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn check_condition_with_residual_zero_has_moved_nothing() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        let past = device.query(&ReadCapacity10).unwrap().last_lba().0 + 1;
        let mut buffer = [0xee; 512];
        let error = device
            .read(&Read10::new(u32::try_from(past).unwrap(), 1), &mut buffer)
            .unwrap_err();
        let Error::Check(failure) = &error else {
            panic!("{error:?}")
        };
        let outcome = failure.outcome();
        assert_eq!(outcome.verdict(), Verdict::Check);
        assert_eq!(outcome.status(), Status::CHECK_CONDITION);
        assert_eq!(outcome.residual(), 0, "the kernel says so");
        assert_eq!(outcome.transferred(), 0, "we do not believe it");
        let sense = outcome.sense();
        assert_eq!(sense.key(), Some(SenseKey::ILLEGAL_REQUEST));
        let additional = sense.additional().unwrap();
        assert_eq!((additional.asc, additional.ascq), (0x21, 0));
        assert!(error.was_sent());
        let text = error.to_string();
        for part in [
            &*device.path().to_string_lossy(),
            "READ(10)",
            "address out of range",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // And a query keeps its bytes and its error.
        device.execute(&TestUnitReady).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn recovered_errors_come_with_their_data() {
    // Every READ ends with RECOVERED ERROR.
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        lab.set("opts", "8");
        lab.set("every_nth", "1");
        let mut buffer = [0xee; 512];
        let outcome = device.read(&Read10::new(0, 1), &mut buffer);
        lab.set("every_nth", "0");
        lab.set("opts", "0");
        let outcome = outcome.unwrap();
        assert_eq!(outcome.verdict(), Verdict::GoodWithSense, "{outcome:?}");
        assert_eq!(outcome.status(), Status::CHECK_CONDITION);
        assert_eq!(outcome.sense().key(), Some(SenseKey::RECOVERED_ERROR));
        assert_eq!(outcome.transferred(), 512);
        assert_eq!(buffer, [0; 512]);
    }
}

/// libata in 6.12 ends an ATA command to an ATAPI drive with status GOOD and
/// sense data that says it failed; in 6.1 with CHECK CONDITION.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_failure_under_status_good_is_an_error() {
    let unit = Unit::only("QEMU DVD-ROM");
    let identify = Cdb::from_array([0x85, 4 << 1, 0x0e, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xec, 0]);
    for device in unit.open_all() {
        let mut buffer = [0xee; 512];
        let outcome = device
            .send(&identify, Data::In(&mut buffer), &Options::new())
            .unwrap();
        let status = if kernel() == "6.12" {
            Status::GOOD
        } else {
            Status::CHECK_CONDITION
        };
        assert_eq!(outcome.status(), status, "{outcome:?}");
        assert_eq!(outcome.host(), HostStatus(0));
        assert_eq!(outcome.verdict(), Verdict::Check, "{outcome:?}");
        assert_eq!(outcome.sense().key(), Some(SenseKey::ILLEGAL_REQUEST));
        assert_eq!(outcome.transferred(), 0);
        // The typed call makes an error of it.
        let raw = passthru::scsi::RawCdb::from(identify);
        let error = device.read(&raw, &mut buffer).unwrap_err();
        assert!(matches!(error, Error::Check(_)), "{error:?}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn wrong_lengths_and_directions_are_told_as_they_went() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        // Data-out for a READ: the driver refuses it.
        let outcome = device
            .send(&READ_ONE, Data::Out(&[0; 512]), &Options::new())
            .unwrap();
        assert_eq!(outcome.host(), HostStatus::ERROR, "{outcome:?}");
        assert_eq!(outcome.verdict(), Verdict::Transport);
        assert_eq!(outcome.transferred(), 0);
        // Eight blocks into the room of one: one arrives.
        let mut buffer = [0xee; 1024];
        let (head, tail) = buffer.split_at_mut(512);
        let outcome = device
            .send(&READ_EIGHT, Data::In(head), &Options::new())
            .unwrap();
        assert_eq!((outcome.verdict(), outcome.residual()), (Verdict::Good, 0));
        assert_eq!(outcome.transferred(), 512);
        assert_eq!(tail, [0xee; 512], "nothing beyond the buffer");
        // No room at all: nothing arrives.
        let outcome = device.send(&READ_ONE, Data::None, &Options::new()).unwrap();
        assert_eq!(outcome.verdict(), Verdict::Good);
        assert_eq!(outcome.transferred(), 0);
        // Room for eight and one asked for.
        let mut buffer = [0xee; 4096];
        let outcome = device
            .send(&READ_ONE, Data::In(&mut buffer), &Options::new())
            .unwrap();
        assert_eq!((outcome.transferred(), outcome.residual()), (512, 3584));
        // Empty slices are no data.
        for data in [Data::In(&mut []), Data::Out(&[])] {
            let outcome = device
                .send(&Cdb::from_array([0; 6]), data, &Options::new())
                .unwrap();
            assert_eq!(outcome.verdict(), Verdict::Good);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sense_comes_in_both_formats_and_whole() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for dsense in ["0", "1"] {
        lab.set("dsense", dsense);
        for device in lab.unit().open_all() {
            let outcome = device
                .send(
                    &Cdb::from_array([0xd8, 0, 0, 0, 0, 0]),
                    Data::None,
                    &Options::new(),
                )
                .unwrap();
            let bytes = outcome.sense_bytes();
            let sense = outcome.sense();
            assert_eq!(bytes[0] & 0x7f, if dsense == "1" { 0x72 } else { 0x70 });
            assert_eq!(sense.key(), Some(SenseKey::ILLEGAL_REQUEST));
            assert_eq!(sense.additional().unwrap().asc, 0x20);
            assert_eq!(bytes.len(), 8 + usize::from(bytes[7]), "{bytes:02x?}");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn vectored_data_goes_through_sg_and_block_nodes() {
    use std::io::{IoSlice, IoSliceMut};
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let write = Cdb::from_array([0x2a, 0, 0, 0, 0, 40, 0, 0, 2, 0]);
    let read = Cdb::from_array([0x28, 0, 0, 0, 0, 40, 0, 0, 2, 0]);
    for (seed, device) in (1..).zip(lab.unit().open_all()) {
        let data = crate::lab::pattern(seed, 1024);
        let (a, b) = data.split_at(512);
        let outcome = device.send(
            &write,
            Data::OutVectored(&[IoSlice::new(a), IoSlice::new(b)]),
            &Options::new(),
        );
        if matches!(device, ScsiDevice::Bsg(_)) {
            let error = outcome.unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
            assert!(!error.was_sent());
            continue;
        }
        assert_eq!(outcome.unwrap().transferred(), 1024);
        let (mut first, mut second) = ([0xee; 512], [0xee; 512]);
        let mut slices = [IoSliceMut::new(&mut first), IoSliceMut::new(&mut second)];
        let outcome = device
            .send(&read, Data::InVectored(&mut slices), &Options::new())
            .unwrap();
        assert_eq!(outcome.transferred(), 1024);
        assert_eq!((&first[..], &second[..]), (a, b));
    }
}

/// The device does not answer within the timeout; the kernel aborts the command.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_is_a_transport_error() {
    // 20 s for each command; the block layer's own minimum is 7 s.
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let [sg, block, bsg] = lab.unit().open_all();
    lab.set("ndelay", "0");
    lab.set("delay", "5000");
    for (device, least) in [(&sg, 1), (&block, 7), (&bsg, 7)] {
        let options = Options::new().timeout(Duration::from_secs(1));
        let start = Instant::now();
        let error = device
            .with_options(options)
            .read(&Read10::new(0, 1), &mut [0; 512])
            .unwrap_err();
        let took = start.elapsed();
        let Error::Transport(failure) = error else {
            panic!("{error:?}")
        };
        assert_eq!(failure.outcome().host(), HostStatus::TIME_OUT, "{failure}");
        assert!(failure.to_string().contains("DID_TIME_OUT"), "{failure}");
        assert!(took >= Duration::from_secs(least), "{took:?}");
        assert!(took < Duration::from_secs(15), "{took:?}");
    }
    lab.set("delay", "0");
    for device in [sg, block, bsg] {
        device.execute(&TestUnitReady).unwrap();
    }
}

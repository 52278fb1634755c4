use super::*;
use crate::scsi::SenseBuffer;

fn with_sense(status: Status, sense: &[u8]) -> Outcome {
    let mut outcome = Outcome::new(status, 512);
    *outcome.sense_mut() = SenseBuffer::from_slice(sense);
    outcome
}

fn fixed(key: u8) -> [u8; 18] {
    let mut sense = [0; 18];
    sense[0] = 0x70;
    sense[2] = key;
    sense[7] = 10;
    sense
}

#[test]
fn host_status_comes_before_everything() {
    // Seen on scsi_debug: status 00, host 01, driver 08, 18 bytes of sense.
    let mut outcome = with_sense(Status::GOOD, &fixed(0));
    outcome.set_host(HostStatus(1));
    outcome.set_driver(DriverStatus(8));
    assert_eq!(outcome.verdict(), Verdict::Transport);
    assert_eq!(outcome.transferred(), 0);
    let mut timeout = Outcome::new(Status::GOOD, 512);
    timeout.set_host(HostStatus::TIME_OUT);
    assert_eq!(timeout.verdict(), Verdict::Transport);
    assert!(timeout.to_string().contains("DID_TIME_OUT"), "{timeout}");
}

#[test]
fn driver_status_is_a_fault_unless_it_says_sense() {
    let mut outcome = Outcome::new(Status::GOOD, 0);
    outcome.set_driver(DriverStatus(6));
    assert_eq!(outcome.verdict(), Verdict::Transport);
    outcome.set_driver(DriverStatus(8));
    assert_eq!(outcome.verdict(), Verdict::Good);
    // The high nibble was once a suggestion to retry.
    outcome.set_driver(DriverStatus(0x18));
    assert_eq!(outcome.verdict(), Verdict::Good);
}

#[test]
fn a_failure_behind_status_good_is_a_failure() {
    // libata: an ATA command sent to an ATAPI drive.
    let golden = [
        0xf0, 0, 5, 4, 0x41, 0, 1, 10, 0, 1, 0x14, 0xeb, 0x20, 0, 0, 0, 0, 0,
    ];
    let mut outcome = with_sense(Status::GOOD, &golden);
    outcome.set_driver(DriverStatus(8));
    assert_eq!(outcome.verdict(), Verdict::Check);
    // Block and bsg nodes leave the driver status 0 there.
    outcome.set_driver(DriverStatus(0));
    assert_eq!(outcome.verdict(), Verdict::Check);
}

#[test]
fn recovered_and_completed_are_successes_with_data() {
    for key in [1, 0xf] {
        for status in [Status::GOOD, Status::CHECK_CONDITION] {
            let outcome = with_sense(status, &fixed(key));
            assert_eq!(outcome.verdict(), Verdict::GoodWithSense, "{key} {status}");
            assert_eq!(outcome.transferred(), 512);
        }
    }
}

#[test]
fn every_other_key_is_a_failure() {
    for key in (2..0xf).filter(|key| *key != 1) {
        let outcome = with_sense(Status::CHECK_CONDITION, &fixed(key));
        assert_eq!(outcome.verdict(), Verdict::Check, "{key}");
        assert_eq!(outcome.transferred(), 0);
        assert_eq!(outcome.claimed(), 512);
    }
}

#[test]
fn no_sense_is_a_remark_under_good_only() {
    let good = with_sense(Status::GOOD, &fixed(0));
    assert_eq!(good.verdict(), Verdict::GoodWithSense);
    let check = with_sense(Status::CHECK_CONDITION, &fixed(0));
    assert_eq!(check.verdict(), Verdict::Check);
    let busy = with_sense(Status::BUSY, &fixed(0));
    assert_eq!(busy.verdict(), Verdict::Status);
}

#[test]
fn a_remark_makes_no_success_of_a_status_that_is_none() {
    // BUSY, RESERVATION CONFLICT, COMMAND TERMINATED, TASK SET FULL, ACA ACTIVE,
    // TASK ABORTED and one that is not assigned: the command was not carried out.
    for status in [0x08, 0x18, 0x22, 0x28, 0x30, 0x40, 0x06] {
        for key in [0, 1, 0xf] {
            let outcome = with_sense(Status(status), &fixed(key));
            assert_eq!(outcome.verdict(), Verdict::Status, "{status:02x} {key}");
            assert_eq!(outcome.transferred(), 0);
        }
        let outcome = with_sense(Status(status), &fixed(5));
        assert_eq!(outcome.verdict(), Verdict::Check, "{status:02x}");
    }
    for status in [0x04, 0x10, 0x14] {
        for key in [0, 1, 0xf] {
            let outcome = with_sense(Status(status), &fixed(key));
            assert_eq!(outcome.verdict(), Verdict::GoodWithSense, "{status:02x}");
        }
    }
}

#[test]
fn check_condition_without_readable_sense_is_a_failure() {
    for sense in [&[][..], &[0; 18], &[0x7f, 1, 2, 3, 4, 5, 6, 7]] {
        let outcome = with_sense(Status::CHECK_CONDITION, sense);
        assert_eq!(outcome.verdict(), Verdict::CheckWithoutSense, "{sense:x?}");
    }
    assert!(
        with_sense(Status::CHECK_CONDITION, &[])
            .to_string()
            .contains("no sense data")
    );
}

#[test]
fn deferred_errors_are_of_their_own() {
    let mut sense = fixed(3);
    sense[0] = 0x71;
    let outcome = with_sense(Status::CHECK_CONDITION, &sense);
    assert_eq!(outcome.verdict(), Verdict::Deferred);
    let descriptor = [0x73, 3, 0x11, 0, 0, 0, 0, 0];
    let outcome = with_sense(Status::CHECK_CONDITION, &descriptor);
    assert_eq!(outcome.verdict(), Verdict::Deferred);
}

#[test]
fn statuses_without_sense() {
    for status in [0x00, 0x04, 0x10, 0x14] {
        let outcome = Outcome::new(Status(status), 512);
        assert_eq!(outcome.verdict(), Verdict::Good, "{status:02x}");
    }
    for status in [0x08, 0x18, 0x22, 0x28, 0x30, 0x40, 0x06] {
        let outcome = Outcome::new(Status(status), 512);
        assert_eq!(outcome.verdict(), Verdict::Status, "{status:02x}");
        assert_eq!(outcome.transferred(), 0);
    }
}

#[test]
fn residual_is_clamped_and_kept() {
    for (residual, transferred) in [
        (0, 512),
        (12, 500),
        (512, 0),
        (513, 0),
        (i32::MAX, 0),
        (-1, 512),
        (i32::MIN, 512),
    ] {
        let mut outcome = Outcome::new(Status::GOOD, 512);
        outcome.set_residual(residual);
        assert_eq!(outcome.transferred(), transferred, "{residual}");
        assert_eq!(outcome.residual(), residual);
    }
}

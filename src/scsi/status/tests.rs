use super::*;

#[test]
fn every_status_of_sam_has_its_name() {
    let names = [
        (0x00, "GOOD"),
        (0x02, "CHECK CONDITION"),
        (0x04, "CONDITION MET"),
        (0x08, "BUSY"),
        (0x10, "INTERMEDIATE"),
        (0x14, "INTERMEDIATE-CONDITION MET"),
        (0x18, "RESERVATION CONFLICT"),
        (0x22, "COMMAND TERMINATED"),
        (0x28, "TASK SET FULL"),
        (0x30, "ACA ACTIVE"),
        (0x40, "TASK ABORTED"),
    ];
    for raw in 0..=u8::MAX {
        let expected = names
            .iter()
            .find(|row| row.0 == raw & 0x7E)
            .map(|row| row.1);
        assert_eq!(Status(raw).name(), expected, "{raw:02X}h");
    }
}

#[test]
fn reserved_bits_are_kept_but_do_not_hide_the_meaning() {
    let status = Status(0x83);
    assert!(status.is_check_condition());
    assert_ne!(status, Status::CHECK_CONDITION);
    assert_eq!(status.masked(), Status::CHECK_CONDITION);
    assert_eq!(status.to_string(), "CHECK CONDITION (83h)");
    assert_eq!(Status(0x06).to_string(), "status 06h");
    assert_eq!(format!("{:02X}", Status(0x0A)), "0A");
}

#[test]
fn condition_met_is_a_success_and_not_good() {
    assert!(Status::GOOD.is_good() && Status::GOOD.is_success());
    assert!(Status::CONDITION_MET.is_success() && !Status::CONDITION_MET.is_good());
    assert!(Status::TASK_SET_FULL.is_busy() && Status::BUSY.is_busy());
    assert!(!Status::RESERVATION_CONFLICT.is_busy() && !Status(0x06).is_success());
}

#[test]
fn host_status_numbers_are_those_of_the_kernel() {
    for raw in 0x00..=0x14 {
        assert!(
            HostStatus(raw)
                .name()
                .is_some_and(|name| name.starts_with("DID_")),
            "{raw:02X}h"
        );
        assert!(HostStatus(raw).meaning().is_some());
    }
    assert_eq!(HostStatus(0x15).name(), None);
    assert_eq!(HOST.len(), 0x15);
    assert_eq!(
        HostStatus(0x0E).to_string(),
        "DID_TRANSPORT_DISRUPTED (0Eh)"
    );
    assert_eq!(HostStatus(0x100).to_string(), "host status 100h");
    assert!(HostStatus(0).is_ok() && !HostStatus::ERROR.is_ok());
}

#[test]
fn driver_sense_is_no_failure_and_suggestions_are_ignored() {
    assert!(!DriverStatus(0x00).is_failure() && !DriverStatus(0x00).has_sense());
    assert!(!DriverStatus(0x08).is_failure() && DriverStatus(0x08).has_sense());
    assert!(DriverStatus(0x16).is_failure());
    assert_eq!(DriverStatus(0x16).code(), DriverStatus::TIMEOUT);
    assert_eq!(DriverStatus(0x16).suggestion(), 1);
    assert_eq!(DriverStatus(0x28).to_string(), "DRIVER_SENSE (28h)");
    assert_eq!(DriverStatus(0x0F).to_string(), "driver status 0Fh");
}

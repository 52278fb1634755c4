//! What `raw` makes of an outcome.

use std::time::Duration;

use passthru::{
    Outcome,
    scsi::{Cdb, DeviceType, SenseBuffer, Status},
};

use crate::{arguments::Transfer, raw_report::Report};

const READ: Cdb = Cdb::from_array([0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0]);

fn text(report: &Report<'_>) -> String {
    let mut out = Vec::new();
    report.print(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn failed_read() -> Outcome {
    let mut outcome = Outcome::new(Status::CHECK_CONDITION, 512);
    let sense = [
        0xf0, 0, 0x03, 0, 0, 0, 0xb1, 10, 0, 0, 0, 0, 0x11, 0, 0, 0, 0, 0,
    ];
    *outcome.sense_mut() = SenseBuffer::from_slice(&sense);
    outcome.set_residual(495);
    outcome.set_duration(Duration::from_millis(7));
    outcome
}

#[test]
fn a_failure_keeps_its_data_and_every_layer() {
    let outcome = failed_read();
    let report = Report {
        path: "/dev/sg0",
        cdb: &READ,
        device_type: Some(DeviceType::DISK),
        transfer: Transfer::In(512),
        outcome: &outcome,
        data: Some(b"seventeen bytes\x1b."),
    };
    let text = text(&report);
    for line in [
        "00000000  73 65 76 65 6e 74 65 65  6e 20 62 79 74 65 73 1b  |seventeen bytes.|",
        "00000010  2e                                                |.|",
        "command      READ(10): 28 00 00 00 00 00 00 00 01 00",
        "status       CHECK CONDITION (02h)",
        "host         DID_OK (00h)",
        "transfer     0 of 512 bytes, residual 495",
        "             f0 00 03 00 00 00 b1 0a 00 00 00 00 11 00 00 00",
        "duration     7 ms",
        "I/O path     unknown",
    ] {
        assert!(text.lines().any(|have| have == line), "{line}\n{text}");
    }
    assert!(text.contains("MEDIUM ERROR"), "{text}");
    assert!(text.contains("the residual claims 17"), "{text}");

    let json = report.to_json();
    assert_eq!(json["command"], "READ(10)");
    assert_eq!(json["direction"], "in");
    assert_eq!(json["data"].as_str().unwrap().len(), 34);
    let outcome = &json["outcome"];
    assert_eq!(outcome["verdict"], "check");
    assert_eq!(
        (&outcome["status"], &outcome["claimed"]),
        (&2.into(), &17.into())
    );
    assert_eq!(outcome["transferred"], 0);
    assert_eq!(outcome["duration_ms"], 7);
    assert_eq!(outcome["sense"]["key"], 3);
    assert_eq!(outcome["sense"]["asc"], 0x11);
    assert_eq!(outcome["sense"]["information"], 177);
}

#[test]
fn success_without_data_says_so() {
    let outcome = Outcome::new(Status::GOOD, 0);
    let cdb = Cdb::from_array([0; 6]);
    let report = Report {
        path: "/dev/\x1bnode",
        cdb: &cdb,
        device_type: None,
        transfer: Transfer::None,
        outcome: &outcome,
        data: None,
    };
    let text = text(&report);
    assert!(text.contains("result       good\n"), "{text}");
    assert!(text.contains("sense        none\n"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
    let json = report.to_json();
    assert!(json["data"].is_null() && json["outcome"]["sense"].is_null());
    assert!(json["outcome"]["duration_ms"].is_null());
    let (help, _) = crate::run_for(0, "raw", &["--help"]);
    let sense = crate::outcome::to_json(&failed_read());
    for object in [&json, &json["outcome"], &sense["sense"]] {
        for key in object.as_object().unwrap().keys() {
            assert!(help.contains(key.as_str()), "--help does not list {key}");
        }
    }
}

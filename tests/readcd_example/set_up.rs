//! The drive's settings: set, set again after a reset, set back, or not permitted.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use passthru::{Error, scsi::Cdb};

use crate::{
    Folder,
    fake::{FOUND_PAGE, FOUND_SPEED, Fake},
    good,
    problem::Code,
    run,
    trouble::set_up_problem,
};

const ATTENTION: (u8, u8, u8) = (6, 0x29, 0);

#[test]
fn a_scan_sets_and_sets_back() {
    let fake = Fake::audio(100);
    let mut seen = Vec::new();
    good(&fake, &["--c2scan", "--speed", "8"]);
    for cdb in fake.log() {
        if matches!(cdb[0], 0x55 | 0xbb) {
            seen.push((cdb[0], u16::from_be_bytes([cdb[2], cdb[3]])));
        }
    }
    assert_eq!(
        seen,
        [(0x55, 0), (0xbb, 1411), (0x55, 0), (0xbb, FOUND_SPEED)]
    );
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn the_drive_is_set_back_after_an_error_and_an_interruption() {
    let fake = Fake::audio(200).with(|state| state.attentions.push_back((40, (2, 0x3a, 0))));
    let (_, problem, _) = run(&fake, &AtomicBool::new(false), &["--c2scan"]).unwrap();
    assert!(problem.is_none(), "not so far: {problem:?}");
    let fake = Fake::audio(900).with(|state| state.attentions.push_back((20, (2, 0x3a, 0))));
    let arguments = ["--c2scan", "--speed", "4"];
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.unwrap().message.contains("no disc"));
    assert!(report.good > 0);
    assert_eq!(fake.sent(0x55), 2);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));

    let flag = Arc::new(AtomicBool::new(false));
    let fake = Fake::audio(900).with(|state| state.interrupt = Some((20, Arc::clone(&flag))));
    let (report, problem, _) = run(&fake, &flag, &arguments).unwrap();
    assert!(problem.is_none() && flag.load(Ordering::Relaxed));
    assert!(report.good > 0 && !report.is_complete());
    assert_eq!(fake.sent(0x55), 2);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn after_a_reset_all_is_set_again() {
    let fake = Fake::audio(300).with(|state| state.attentions.push_back((15, ATTENTION)));
    let report = good(&fake, &["--c2scan", "--speed", "8"]);
    assert_eq!(report.good, 300);
    assert_eq!(report.effort.attentions, 1);
    assert_eq!((fake.sent(0x55), fake.sent(0xbb)), (3, 3));
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn attentions_without_end_are_an_error() {
    let folder = Folder::new("attentions");
    let fake = Fake::audio(30).with(|state| {
        state
            .attentions
            .extend(std::iter::repeat_n((0, ATTENTION), 100));
    });
    let arguments = ["--output", &folder.file("a")];
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!(problem.unwrap().code, Code::Device);
    assert_eq!(report.good, 0);
    assert!(fake.reads().len() <= 10);
}

#[test]
fn what_is_not_permitted_is_an_error_and_nothing_is_scanned() {
    for (opcode, part) in [(0x55, "nothing was scanned"), (0xbb, "nothing was read")] {
        let fake = Fake::audio(100).with(|state| {
            state.not_permitted.insert(opcode);
        });
        let arguments = ["--c2scan", "--speed", "8"];
        let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
        assert_eq!(problem.code, Code::System);
        assert_eq!(problem.to_json()["kind"], "not_permitted");
        let message = &problem.message;
        let name = ["MODE SELECT(10) (55h)", "SET CD SPEED (bbh)"];
        assert!(name.iter().any(|name| message.contains(name)), "{message}");
        assert!(message.contains(&format!("{opcode:02x}h")), "{message}");
        assert!(message.contains("opened for writing"), "{message}");
        assert!(message.contains(part), "{message}");
        assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
        // The probe alone has read.
        assert!(fake.reads().iter().all(|read| read.1 == 4));
    }
}

#[test]
fn what_the_drive_refuses_is_noted() {
    let fake = Fake::audio(100).with(|state| {
        state.refused.insert(0x55, (5, 0x26, 0));
        state.refused.insert(0xbb, (5, 0x20, 0));
    });
    let arguments = ["--c2scan", "--speed", "8"];
    let (report, problem, notes) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.is_none());
    assert_eq!(report.good, 100);
    let said = notes.join("\n");
    assert!(said.contains("own error recovery"), "{said}");
    assert!(
        said.contains("own speed: drive: SET CD SPEED (bbh)"),
        "{said}"
    );
}

#[test]
fn a_node_that_cannot_be_opened_for_writing_is_what_it_is_about() {
    let error = || Error::ReadOnly {
        path: "/dev/sr0".into(),
        cdb: Cdb::from_array([0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        device_type: None,
    };
    let problem = set_up_problem(error(), Some("the group cdrom"), "so it is not read");
    assert_eq!(problem.to_json()["kind"], "not_permitted");
    for part in ["SET CD SPEED (bbh)", "the group cdrom", "so it is not read"] {
        assert!(problem.message.contains(part), "{}", problem.message);
    }
    let problem = set_up_problem(error(), None, "so it is not read");
    assert_eq!(problem.to_json()["kind"], "read_only");
}

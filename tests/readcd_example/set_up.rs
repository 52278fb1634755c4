//! The drive's settings: set, set again after a reset, set back, or not permitted.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use passthru::{
    Error, Outcome,
    scsi::{AdditionalSense, Cdb, SenseBuffer, SenseKey, Status},
    unit::OpticalDrive,
};

use crate::{
    Folder,
    fake::{FOUND_PAGE, FOUND_SPEED, Fake},
    good,
    hooked::Hooked,
    problem::Code,
    report::Notes,
    run, run_on,
    setup::Setup,
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

#[test]
fn tries_after_a_failed_one_can_be_slower() {
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (3, (3, 0x11, 5)));
        state.bad.insert(33, (3, (3, 0x11, 5)));
    });
    let folder = Folder::new("slower");
    let file = folder.file("a");
    let speeds = |fake: &Fake| -> Vec<_> {
        let log = fake.log();
        let set = log.iter().filter(|cdb| cdb[0] == 0xbb);
        set.map(|cdb| u16::from_be_bytes([cdb[2], cdb[3]]))
            .collect()
    };
    let report = good(&fake, &["--output", &file, "--retry-speed", "4"]);
    assert_eq!((report.good, report.effort.retries), (60, 5));
    // Tried at the start; slow from the first try to the end of the chunk; set back.
    let found = FOUND_SPEED;
    assert_eq!(speeds(&fake), [705, found, 705, found, found]);
    // Without it, nothing is set; with another speed, that is the usual one.
    let file = folder.file("b");
    good(&Fake::audio(60), &["--output", &file]);
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (3, (3, 0x11, 5)));
    });
    let file = folder.file("c");
    let arguments = ["--output", &file, "--speed", "8", "--retry-speed", "4"];
    good(&fake, &arguments);
    assert_eq!(speeds(&fake), [1411, 705, 1411, 705, 1411, found]);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
    // A reset in the middle: what is set again is the slower one. Reads 0 and 1 are the
    // chunks, 2 to 4 good sectors, 5 the first try.
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (3, (3, 0x11, 5)));
        state.attentions.push_back((6, ATTENTION));
    });
    let file = folder.file("reset");
    good(&fake, &["--output", &file, "--retry-speed", "4"]);
    assert_eq!(speeds(&fake), [705, found, 705, 705, found, found]);
    // It ends in the middle.
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (u32::MAX, (3, 0x11, 5)));
    });
    let file = folder.file("d");
    let arguments = ["--output", &file, "--retry-speed", "4", "--retries", "1"];
    let (_, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.is_some());
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
    // Not permitted, and refused.
    let fake = Fake::audio(60).with(|state| {
        state.not_permitted.insert(0xbb);
    });
    let file = folder.file("e");
    let arguments = ["--output", &file, "--retry-speed", "4"];
    let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
    assert!(problem.message.contains("nothing was read"), "{problem:?}");
    assert!(!std::path::Path::new(&file).exists());
    let fake = Fake::audio(60).with(|state| {
        state.refused.insert(0xbb, (5, 0x20, 0));
        state.bad.insert(30, (3, (3, 0x11, 5)));
    });
    assert_eq!(good(&fake, &arguments).good, 60);
}

#[test]
fn both_settings_that_are_not_set_back_are_told() {
    let fake = Fake::audio(60);
    let flag = Arc::new(AtomicBool::new(false));
    fake.change(|state| state.interrupt = Some((12, Arc::clone(&flag))));
    fake.change(|state| state.gone = Some(12));
    let (_, problem, _) = run(&fake, &flag, &["--c2scan", "--speed", "8"]).unwrap();
    assert!(problem.is_some());
    let drive = OpticalDrive::new(&fake);
    fake.change(|state| state.gone = None);
    let mut setup = Setup::new(&drive);
    let mut notes = Notes::default();
    setup.deliver_errors(None, &mut notes).unwrap();
    setup.speed(8, None, &mut notes).unwrap();
    fake.change(|state| state.gone = Some(0));
    let problem = setup.restore().unwrap_err();
    for part in ["error recovery is not", "speed is not"] {
        assert!(problem.message.contains(part), "{problem:?}");
    }
}

#[test]
fn a_retry_speed_that_is_refused_is_not_tried_again() {
    let folder = Folder::new("refused-speed");
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (3, (3, 0x11, 5)));
    });
    let hooked = Hooked::new(&fake, |cdb| {
        (cdb.as_bytes().starts_with(&[0xbb, 0, 2])).then(|| {
            let mut outcome = Outcome::new(Status::CHECK_CONDITION, 0);
            let additional = AdditionalSense::INVALID_FIELD_IN_CDB;
            *outcome.sense_mut() = SenseBuffer::fixed(SenseKey::ILLEGAL_REQUEST, additional);
            Ok(outcome)
        })
    });
    let file = folder.file("a");
    // 705 KB/s, which is 02C1h, is refused; 1411 is not.
    let arguments = ["--output", &file, "--speed", "8", "--retry-speed", "4"];
    let run = run_on(&hooked, || (), &AtomicBool::new(false), &arguments);
    let (report, problem, notes) = run.unwrap();
    assert!(problem.is_none(), "{problem:?}");
    assert_eq!(report.good, 60);
    assert!(notes[0].contains("own speed"), "{notes:?}");
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

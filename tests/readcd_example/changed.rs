//! Another disc, a reset or the loss of the drive in the middle: sectors of two discs
//! must not come into one file, and nothing that was not read counts as come to.

use std::{
    fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use passthru::unit::OpticalDrive;

use crate::{
    Folder,
    drive::{CdInDrive, Names},
    events::{Events, Watched},
    fake::{FOUND_PAGE, FOUND_SPEED, Fake, main_channel, main_of},
    good,
    info::Info,
    kind,
    problem::Problem,
    report::{Notes, Report},
    run, whole,
};

const MEDIUM: (u8, u8, u8) = (3, 0x11, 5);
const CHANGED: (u8, u8, u8) = (6, 0x28, 0);
const RESET: (u8, u8, u8) = (6, 0x29, 0);

/// A run that ends with a problem.
fn fails(fake: &Fake, arguments: &[&str]) -> (Report, Problem) {
    let (report, problem, _) = run(fake, &AtomicBool::new(false), arguments).unwrap();
    (report, problem.unwrap())
}

#[test]
fn a_seek_that_hears_of_another_disc_ends_it() {
    let folder = Folder::new("seek-hears");
    let file = folder.file("a");
    // Read 0 is the chunk, 1 to 10 are the tries of its first sector, 11 is the seek.
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(0, (11, MEDIUM));
        state.attentions.push_back((11, CHANGED));
    });
    let (report, problem) = fails(&fake, &["--output", &file, "--no-error"]);
    assert!(problem.message.contains("another disc"), "{problem:?}");
    assert_eq!((report.next, report.good), (0, 0));
    // A reset that a seek hears of is taken care of. 9 reads are the probe, 4 chunks, the
    // one that fails, 4 sectors of it, and ten tries.
    let fake = Fake::audio(300).with(|state| {
        state.bad.insert(100, (11, MEDIUM));
        state.attentions.push_back((28, RESET));
    });
    let report = good(&fake, &["--c2scan", "--retries", "20"]);
    assert_eq!((report.effort.attentions, report.effort.far_seeks), (1, 1));
    // Set, set again, set back.
    assert_eq!(fake.sent(0x55), 3);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn a_question_about_settings_that_hears_of_another_disc_ends_it() {
    let folder = Folder::new("question-hears");
    for opcode in [0x5a, 0xbb] {
        let fake = Fake::audio(60).with(|state| {
            state.swap = Some(0);
        });
        let file = folder.file(&opcode.to_string());
        let armed = fake.with(|state| state.attentions_of.push_back((opcode, CHANGED)));
        let (report, problem) = fails(&armed, &["--output", &file, "--speed", "8"]);
        assert!(problem.message.contains("another disc"), "{problem:?}");
        assert_eq!(report.good, 0);
        assert!(!Path::new(&file).exists());
    }
}

#[test]
fn a_disc_that_was_changed_unseen_is_found_out() {
    let folder = Folder::new("unseen");
    let file = folder.file("a");
    // The kernel's own look at the drive took the unit attention.
    let fake = Fake::audio(60).with(|state| state.swap = Some(1));
    let (report, problem) = fails(&fake, &["--output", &file]);
    assert_eq!(kind(&problem), "another_disc");
    // Nothing that may be of the other is kept.
    assert_eq!((report.next, report.good), (0, 0));
    assert!(!Path::new(&file).exists());
    // Nor is what was bad on it.
    let fake = Fake::audio(60).with(|state| {
        state.swap = Some(1);
        state.bad.insert(30, (u32::MAX, MEDIUM));
    });
    let (report, _) = fails(&fake, &["--output", &file, "--no-error", "--retries", "0"]);
    assert_eq!((report.next, report.bad.len()), (0, 0));
    // Nor is it counted.
    let fake = Fake::audio(600).with(|state| state.swap = Some(15));
    let (report, problem) = fails(&fake, &["--c2scan"]);
    assert_eq!(kind(&problem), "another_disc");
    assert!(report.to_json()["c2"].is_null());
    assert_eq!(report.good, 0);
}

#[test]
fn a_file_is_not_gone_on_with_from_a_disc_with_the_same_tracks() {
    let folder = Folder::new("twin");
    let file = folder.file("a");
    for (fake, name) in [(Fake::audio(100), "audio"), (Fake::data(100), "data")] {
        let file = format!("{file}-{name}");
        let fake = fake.with(|state| {
            state.bad.insert(40, (u32::MAX, MEDIUM));
        });
        let arguments = ["--output", &file, "--retries", "0"];
        let (report, _) = fails(&fake, &arguments);
        assert_eq!(report.next, 40);
        let before = fs::read(&file).unwrap();
        fake.change(|state| {
            state.bad.clear();
            state.disc = 5;
        });
        let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
        assert_eq!(kind(&problem), "refused", "{problem:?}");
        assert!(fs::read(&file).unwrap() == before);
        fake.change(|state| state.disc = 0);
        assert_eq!(good(&fake, &arguments).good, 60);
    }
    let read = fs::read(format!("{file}-audio")).unwrap();
    assert!(read == whole(100) && main_of(5, 3) != main_channel(3));
}

#[test]
fn attentions_that_follow_each_other_are_taken_care_of() {
    let changed = (6, 0x2a, 1);
    // At what sets the drive up, at what sets it again after a reset, and at the end.
    let fake = Fake::audio(300).with(|state| {
        state.attentions.push_back((15, RESET));
        state
            .attentions_of
            .extend([(0x5a, RESET), (0x55, changed), (0xbb, changed)]);
        state.attentions_of.extend([(0x55, changed); 3]);
        state.attentions_of.extend([(0xbb, changed); 2]);
    });
    let report = good(&fake, &["--c2scan", "--speed", "8"]);
    assert_eq!(report.good, 300);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
    let sense: Vec<_> = (0..3).map(|_| (0x55, changed)).collect();
    let fake = Fake::audio(300).with(|state| state.attentions_of.extend([(0xbe, RESET)]));
    fake.change(|state| state.attentions_of.extend(sense));
    good(&fake, &["--c2scan"]);
    assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
}

#[test]
fn a_drive_that_is_gone_is_no_end_of_zeros() {
    let folder = Folder::new("gone");
    for retries in ["0", "5"] {
        let file = folder.file(retries);
        let fake = Fake::audio(200).with(|state| state.gone = Some(3));
        let arguments = ["--output", &file, "--no-error", "--retries", retries];
        let (report, problem) = fails(&fake, &arguments);
        assert_eq!(kind(&problem), "transport", "{problem:?}");
        assert!((81..=108).contains(&report.next), "{}", report.next);
        assert!(fake.log().len() < 70, "{}", fake.log().len());
        // It comes back, and the rest is read.
        fake.change(|state| state.gone = None);
        assert_eq!(good(&fake, &arguments).bad, []);
        assert!(fs::read(&file).unwrap() == whole(200));
    }
}

#[test]
fn a_field_that_was_taken_before_is_about_the_sector() {
    let folder = Folder::new("field");
    let fake = Fake::audio(90).with(|state| {
        state.bad.insert(50, (u32::MAX, (5, 0x24, 0)));
    });
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    let report = good(&fake, &arguments);
    assert_eq!((report.good, report.bad[0].lba), (89, 50));
    assert_eq!(report.effort.retries, 0);
    // The first of all is what it says.
    let fake = Fake::audio(90).with(|state| {
        state.bad.insert(0, (u32::MAX, (5, 0x24, 0)));
    });
    let (_, problem) = fails(&fake, &["--output", &folder.file("b"), "--no-error"]);
    assert!(problem.message.contains("does not send"), "{problem:?}");
}

#[test]
fn what_a_sector_can_have_ends_nothing() {
    let folder = Folder::new("senses");
    for (name, code) in [
        ("crc", (3, 0x10, 0)),
        ("vendor", (3, 2, 0x82)),
        ("key", (9, 0x80, 1)),
        ("hardware", (4, 9, 0)),
        ("protected", (7, 0x30, 5)),
        ("region", (5, 0x6f, 4)),
        ("blank", (8, 0, 0)),
        ("aborted", (0x0b, 0, 0)),
        ("leadout", (5, 0x21, 0)),
        ("nothing", (0, 0, 0)),
    ] {
        let fake = Fake::audio(60).with(|state| {
            state.bad.insert(30, (u32::MAX, code));
        });
        let file = folder.file(name);
        let arguments = ["--output", &file, "--no-error", "--retries", "1"];
        let report = good(&fake, &arguments);
        assert_eq!((report.good, report.bad.len()), (59, 1), "{name}");
    }
    // Warnings that come as unit attentions are told and gone.
    for code in [(6, 0x0b, 1), (6, 0x5d, 0x10), (6, 0x2a, 9), (6, 0x3f, 3)] {
        let fake = Fake::audio(60).with(|state| state.attentions.push_back((1, code)));
        let report = good(&fake, &["--output", &folder.file(&format!("{code:?}"))]);
        assert_eq!((report.good, report.effort.attentions), (60, 1));
    }
}

#[test]
fn info_does_not_deny_what_it_could_not_try() {
    let info = |fake: &Fake| {
        let mut notes = Notes::default();
        let events = Events::default();
        let watched = Watched::new(fake, &events);
        let drive = OpticalDrive::new(&watched);
        let cd = CdInDrive::ask(&drive, &events, &mut notes);
        let going = AtomicBool::new(false);
        let info = Info::ask(&drive, Names::default(), cd, (&going, &mut notes)).unwrap();
        let mut text = Vec::new();
        info.print(&mut text).unwrap();
        let json = info.to_json(Path::new("drive"), notes.as_slice());
        (json["read_cd"].clone(), String::from_utf8(text).unwrap())
    };
    let (works, _) = info(&Fake::audio(60));
    assert_eq!(works, true);
    let fake = Fake::audio(60).with(|state| {
        state.refused.insert(0xbe, (5, 0x20, 0));
    });
    let (works, text) = info(&fake);
    assert_eq!(works, false);
    assert!(text.contains("does not work"), "{text}");
    let fake = Fake::audio(60).with(|state| state.attentions.push_back((0, CHANGED)));
    let (works, text) = info(&fake);
    assert!(works.is_null() && text.contains("not be tried"), "{text}");
}

#[test]
fn a_disc_is_looked_at_again_if_something_happened_meanwhile() {
    for (code, times) in [((2, 4, 1), 2), (CHANGED, 2), ((5, 0x20, 0), 1)] {
        let fake = Fake::audio(60).with(|state| state.attentions_of.push_back((0x46, code)));
        let events = Events::default();
        let watched = Watched::new(&fake, &events);
        let drive = OpticalDrive::new(&watched);
        let cd = CdInDrive::ask(&drive, &events, &mut Notes::default()).unwrap();
        assert_eq!((cd.end, fake.sent(0x46)), (60, times));
        assert!(!events.is_pending());
    }
}

#[test]
fn a_table_that_cannot_be_read_any_more_takes_nothing_back() {
    let folder = Folder::new("no-table");
    let file = folder.file("a");
    let flag = Arc::new(AtomicBool::new(false));
    let fake = Fake::audio(60).with(|state| state.interrupt = Some((2, Arc::clone(&flag))));
    fake.change(|state| state.toc_reads = Some(1));
    let (report, problem, _) = run(&fake, &flag, &["--output", &file]).unwrap();
    assert!(problem.unwrap().message.contains("cannot be told"));
    assert_eq!(
        (report.next, fs::read(&file).unwrap().len()),
        (54, 54 * 2352)
    );
}

#[test]
fn a_table_that_lies_about_the_end_is_no_end_of_zeros() {
    let folder = Folder::new("lead-out");
    for (lead_out, at) in [(i32::MAX, "2147483647"), (449_850, "449850")] {
        let fake = Fake::audio(60).with(|state| state.lead_out = Some(lead_out));
        let file = folder.file(at);
        let arguments = ["--output", &file, "--no-error", "--sector", "raw"];
        let (report, problem) = fails(&fake, &arguments);
        assert_eq!(kind(&problem), "beyond_end");
        assert!(problem.message.contains(at), "{problem:?}");
        assert!(problem.message.contains("before sector 60,"), "{problem:?}");
        assert_eq!((report.good, report.bad[0].lba), (60, 60));
        assert!(report.next < 200, "{}", report.next);
        let (report, problem) = fails(&fake, &["--c2scan"]);
        assert_eq!((kind(&problem), report.good), ("beyond_end".into(), 60));
    }
    // A hole that the drive tells of in this way has an end.
    let fake = Fake::audio(400).with(|state| {
        for lba in 100..300 {
            state.bad.insert(lba, (u32::MAX, (5, 0x21, 0)));
        }
    });
    let report = good(&fake, &["--output", &folder.file("hole"), "--no-error"]);
    assert_eq!((report.good, report.bad[0].sectors), (200, 200));
}

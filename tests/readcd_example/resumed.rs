//! Outputs that are gone on with: which sectors are compared with the disc, and what
//! follows from it.

use std::{fs, sync::atomic::AtomicBool};

use crate::{
    Folder,
    fake::{Fake, State},
    good,
    hooked::{Hooked, once_at},
    run, run_on, whole,
};

const MEDIUM: (u8, u8, u8) = (3, 0x11, 5);

/// Reads up to a sector that cannot be read, and clears what is bad then.
fn stopped_at(fake: &Fake, lba: i32, arguments: &[&str]) {
    fake.change(|state| {
        state.bad.insert(lba, (u32::MAX, MEDIUM));
    });
    let arguments = [arguments, &["--retries", "0"]].concat();
    let (report, problem, _) = run(fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!((report.next, problem.is_some()), (lba, true));
    fake.change(|state| state.bad.clear());
}

/// Whether it is refused after something has changed; the file is as it was then.
fn is_refused(fake: &Fake, file: &str, more: &[&str], change: impl FnOnce(&mut State)) -> bool {
    let arguments = [&["--output", file], more].concat();
    stopped_at(fake, 40, &arguments);
    let before = fs::read(file).unwrap();
    fake.change(change);
    match run(fake, &AtomicBool::new(false), &arguments) {
        Ok((report, problem, _)) => {
            assert!(problem.is_none() && report.is_complete(), "{problem:?}");
            false
        }
        Err(problem) => {
            assert_eq!(problem.to_json()["kind"], "refused", "{problem:?}");
            assert!(fs::read(file).unwrap() == before);
            true
        }
    }
}

#[test]
fn every_place_that_is_compared_can_tell_another_disc_of_data() {
    let folder = Folder::new("places");
    for place in [0, 3, 16, 19, 36, 39] {
        let file = folder.file(&place.to_string());
        let other = |state: &mut State| {
            state.hollow.insert(place);
        };
        assert!(is_refused(&Fake::data(100), &file, &[], other), "{place}");
    }
    // The rest of it is not looked at.
    for place in [4, 15, 20, 35, 40] {
        let file = folder.file(&place.to_string());
        let other = |state: &mut State| {
            state.hollow.insert(place);
        };
        assert!(!is_refused(&Fake::data(100), &file, &[], other), "{place}");
    }
}

#[test]
fn one_sector_of_audio_that_is_equal_is_enough_if_it_is_no_silence() {
    let folder = Folder::new("silence");
    let silence = |state: &mut State| state.hollow.extend(0..4);
    let other = |state: &mut State| state.disc = 5;
    let fake = Fake::audio(100).with(silence);
    assert!(is_refused(&fake, &folder.file("silence"), &[], other));
    let most = |state: &mut State| state.hollow.extend((0..39).filter(|lba| *lba != 17));
    assert!(!is_refused(
        &Fake::audio(100),
        &folder.file("most"),
        &[],
        most
    ));
}

#[test]
fn sectors_of_the_other_type_are_compared_too() {
    let folder = Folder::new("form1");
    let form1 = || Fake::data(100).with(|state| state.data_type = 4);
    let other = |state: &mut State| state.disc = 5;
    assert!(is_refused(&form1(), &folder.file("other"), &[], other));
    assert!(!is_refused(&form1(), &folder.file("same"), &[], |_| ()));
}

#[test]
fn pointers_may_differ_from_one_reading_to_the_next() {
    let folder = Folder::new("pointers");
    let errors = |state: &mut State| {
        for lba in 0..40 {
            state.c2.insert(lba, vec![5]);
        }
    };
    let arguments = ["--sector", "raw+c2"];
    assert!(!is_refused(
        &Fake::audio(100),
        &folder.file("a"),
        &arguments,
        errors
    ));
}

#[test]
fn a_sector_that_was_bad_is_not_compared() {
    let folder = Folder::new("was-bad");
    let file = folder.file("a");
    let fake = Fake::data(100).with(|state| {
        state.bad.insert(1, (u32::MAX, MEDIUM));
    });
    let flag = std::sync::Arc::new(AtomicBool::new(false));
    fake.change(|state| state.interrupt = Some((34, std::sync::Arc::clone(&flag))));
    let arguments = ["--output", &file, "--no-error", "--retries", "0"];
    let (report, ..) = run(&fake, &flag, &arguments).unwrap();
    assert!(report.next > 1 && !report.is_complete());
    // Now it can be read; in the file it is zeros all the same.
    fake.change(|state| {
        state.interrupt = None;
        state.bad.clear();
    });
    let report = good(&fake, &arguments);
    assert_eq!((report.bad.len(), report.bad[0].lba), (1, 1));
    assert!(!fake.reads().iter().any(|read| read.0 == 1));
}

#[test]
fn what_an_earlier_run_has_read_is_not_taken_back() {
    let folder = Folder::new("earlier");
    let file = folder.file("a");
    let fake = Fake::audio(300);
    let arguments = ["--output", &file];
    stopped_at(&fake, 54, &arguments);
    // Behind the 12 that are compared it is another disc.
    fake.change(|state| state.swap = Some(12));
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!(problem.unwrap().to_json()["kind"], "another_disc");
    assert_eq!((report.next, report.good, report.resumed), (54, 0, 54));
    assert!(fs::read(&file).unwrap() == whole(54));
}

/// A disc that is found to be the same in the middle is so up to there, not up to where
/// the reading is when that is looked at.
#[test]
fn what_came_after_the_last_look_at_the_disc_is_taken_back() {
    let folder = Folder::new("look");
    // Reads 0 and 2 are chunks, before read 1 comes a reset.
    for (swap, at) in [(2, "at once"), (3, "with the next chunk"), (5, "later")] {
        let file = folder.file(at);
        let fake = Fake::audio(300).with(|state| {
            state.attentions.push_back((1, (6, 0x29, 0)));
            state.swap = Some(swap);
        });
        let (report, problem, _) =
            run(&fake, &AtomicBool::new(false), &["--output", &file]).unwrap();
        assert_eq!(problem.unwrap().to_json()["kind"], "another_disc");
        assert_eq!(report.next, 27, "{at}");
        assert!(fs::read(&file).unwrap() == whole(27), "{at}");
    }
}

/// How far it is, is noted while it goes on: the machine may stop at any time.
#[test]
fn what_is_there_is_noted_each_second() {
    let folder = Folder::new("each-second");
    let file = folder.file("a");
    let fake = Fake::audio(300);
    let noted = || {
        let text = fs::read(folder.file("a.readcd")).unwrap();
        let state: serde_json::Value = serde_json::from_slice(&text).unwrap();
        state["next"].as_i64().unwrap()
    };
    let pause = once_at(54, || {
        assert!(noted() <= 54);
        std::thread::sleep(std::time::Duration::from_millis(1100));
    });
    let look = once_at(81, || assert_eq!(noted(), 81));
    let hooked = Hooked::new(&fake, |cdb| pause(cdb).or_else(|| look(cdb)));
    let arguments = ["--output", &file];
    let (report, ..) = run_on(&hooked, || (), &AtomicBool::new(false), &arguments).unwrap();
    assert!(report.is_complete());
}

/// It was stopped between its last note and its end.
#[test]
fn what_is_all_there_is_only_finished() {
    let folder = Folder::new("all-there");
    let [file, noted] = ["a", "a.readcd"].map(|name| folder.file(name));
    let fake = Fake::audio(100);
    let arguments = ["--output", &file];
    stopped_at(&fake, 54, &arguments);
    let text = fs::read_to_string(&noted).unwrap();
    fs::write(&noted, text.replace("\"next\": 54", "\"next\": 100")).unwrap();
    fs::write(&file, whole(100)).unwrap();
    let report = good(&fake, &arguments);
    assert_eq!((report.resumed, report.good), (100, 0));
    assert!(report.is_complete() && !std::path::Path::new(&noted).exists());
    assert!(fs::read(&file).unwrap() == whole(100));
}

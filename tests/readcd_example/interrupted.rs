//! Outputs that were interrupted, and files that are none.

use std::{
    fs,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use crate::{Folder, fake::Fake, good, run, whole};

/// Reads until Ctrl-C is pressed at a command.
fn interrupted(fake: &Fake, at: usize, arguments: &[&str]) -> crate::Report {
    let flag = Arc::new(AtomicBool::new(false));
    fake.change(|state| state.interrupt = Some((at, Arc::clone(&flag))));
    let (report, problem, _) = run(fake, &flag, arguments).unwrap();
    fake.change(|state| state.interrupt = None);
    assert!(problem.is_none(), "{problem:?}");
    assert!(!report.is_complete());
    report
}

#[test]
fn an_interrupted_output_is_gone_on_with() {
    let folder = Folder::new("resume");
    let file = folder.file("a");
    let arguments = ["--output", &file, "--no-error", "--retries", "1"];
    let fake = Fake::audio(200).with(|state| {
        state.bad.insert(10, (u32::MAX, (3, 0x11, 5)));
    });
    let report = interrupted(&fake, 20, &arguments);
    // In the middle of a chunk that is read sector by sector, or behind it.
    assert_eq!(
        fs::metadata(&file).unwrap().len(),
        u64::try_from(report.next).unwrap() * 2352
    );
    assert!(Path::new(&folder.file("a.readcd")).exists());
    // Up to 12 sectors are compared with the file first.
    let again = interrupted(&fake, 14, &arguments);
    assert!(again.next > report.next);
    assert_eq!(again.resumed, u64::try_from(report.next).unwrap());
    let last = good(&fake, &arguments);
    assert_eq!(last.resumed + last.good, 200);
    // The bad sector of the first run is still in the list.
    assert_eq!((last.bad.len(), last.bad[0].lba), (1, 10));
    let mut expected = whole(200);
    expected[10 * 2352..11 * 2352].fill(0);
    assert!(fs::read(&file).unwrap() == expected);
    assert!(!Path::new(&folder.file("a.readcd")).exists());
}

#[test]
fn bytes_behind_what_was_noted_are_read_again() {
    let folder = Folder::new("tail");
    let file = folder.file("a");
    let arguments = ["--output", &file];
    let fake = Fake::audio(100);
    let report = interrupted(&fake, 2, &arguments);
    assert_eq!(report.next, 54);
    // More than was noted, and even more than there will be.
    let mut bytes = fs::read(&file).unwrap();
    bytes.resize(120 * 2352, 9);
    fs::write(&file, bytes).unwrap();
    good(&fake, &arguments);
    assert!(fs::read(&file).unwrap() == whole(100));
}

#[test]
fn other_files_are_left_alone() {
    let folder = Folder::new("others");
    let file = folder.file("a");
    let fake = Fake::audio(100);
    let refusal = |fake: &Fake, arguments: &[&str]| {
        let problem = run(fake, &AtomicBool::new(false), arguments).unwrap_err();
        assert_eq!(problem.to_json()["kind"], "refused", "{problem:?}");
        problem.message
    };
    fs::write(&file, "something else").unwrap();
    assert!(refusal(&fake, &["--output", &file]).contains("no output that was interrupted"));
    assert_eq!(fs::read(&file).unwrap(), b"something else");
    // An empty one is as good as none.
    fs::write(&file, "").unwrap();
    let report = interrupted(&fake, 1, &["--output", &file]);
    assert_eq!((report.next, report.resumed), (27, 0));
    // Another kind of sector, range, disc.
    for (fake, more, part) in [
        (&fake, &["--sector", "raw"][..], "`sector`"),
        (&fake, &["--sectors", "0-99"], "`end`"),
        (&Fake::audio(101), &["--sectors", "0-100"], "`disc`"),
    ] {
        let arguments = [&["--output", &file], more].concat();
        let message = refusal(fake, &arguments);
        assert!(message.contains(part), "{message}");
    }
    assert!(fs::read(&file).unwrap() == whole(27));
    // What is noted of it is damaged, or says more than there is.
    let noted = fs::read_to_string(folder.file("a.readcd")).unwrap();
    let more = noted.replace("\"next\": 27", "\"next\": 28");
    for damaged in ["", "{}", &more] {
        fs::write(folder.file("a.readcd"), damaged).unwrap();
        refusal(&fake, &["--output", &file]);
    }
    fs::write(folder.file("a.readcd"), noted).unwrap();
    good(&fake, &["--output", &file]);
    assert!(fs::read(&file).unwrap() == whole(100));
    // What is complete is no interrupted output any more.
    refusal(&fake, &["--output", &file]);
    refusal(&fake, &["--output", "/dev/no such node"]);
    assert!(!Path::new("/dev/no such node").exists());
    good(&fake, &["--output", "/dev/null"]);
    assert!(!Path::new("/dev/null.readcd").exists());
}

#[test]
fn a_file_with_nothing_in_it_is_not_left_behind() {
    let folder = Folder::new("nothing");
    let fake = Fake::audio(30).with(|state| {
        state.bad.insert(0, (u32::MAX, (3, 0x11, 5)));
    });
    let [new, empty] = [folder.file("new"), folder.file("empty")];
    fs::write(&empty, "").unwrap();
    for file in [&new, &empty] {
        let arguments = ["--output", file, "--retries", "0"];
        let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
        assert_eq!((report.next, problem.is_some()), (0, true));
    }
    let left: Vec<_> = fs::read_dir(&folder.0).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(fs::read(&empty).unwrap(), b"");
}

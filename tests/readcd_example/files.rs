//! Where an output may go, and what happens to what is there.

use std::{
    fs::{self, File},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use nix::fcntl::{Flock, FlockArg};

use crate::{
    Folder, fake::Fake, good, image::synced, place::Place, run, signals::is_ignored, whole,
};

/// Why an output is not begun.
fn refusal(arguments: &[&str]) -> String {
    let fake = Fake::audio(60);
    let problem = run(&fake, &AtomicBool::new(false), arguments).unwrap_err();
    assert_eq!(problem.code, crate::problem::Code::System);
    assert!(fake.reads().is_empty());
    problem.message
}

fn stopped(file: &str, next: i32) {
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(next, (u32::MAX, (3, 2, 0)));
    });
    let arguments = ["--output", file, "--retries", "0"];
    let (report, ..) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!(report.next, next);
}

#[test]
fn devices_are_no_place_for_an_output() {
    for entry in fs::read_dir("/dev").unwrap().flatten() {
        let path = entry.path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let plain = ["null", "zero", "full", "tty", "console", "ptmx", "std"];
        let is_node = !entry.file_type().unwrap().is_symlink() && !name.starts_with("log");
        if is_node && !plain.iter().any(|plain| name.starts_with(plain)) {
            let message = refusal(&["--output", path.to_str().unwrap()]);
            assert!(
                message.contains("is a d") || message.contains("is no file"),
                "{message}"
            );
        }
    }
    assert!(matches!(
        Place::of(Path::new("/dev/null")),
        Ok(Place::Stream)
    ));
    assert!(matches!(Place::of(Path::new("-")), Ok(Place::Stdout)));
    assert!(matches!(
        Place::of(Path::new("/dev/shm/no such file")),
        Ok(Place::New)
    ));
    assert!(Place::of(Path::new("/dev/no such node")).is_err());
    let folder = Folder::new("no-place");
    assert!(refusal(&["--output", &folder.file("")]).contains("is no file"));
    assert!(refusal(&["--output", &folder.file("no/file")]).contains("No such file"));
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_and_stays_as_noted() {
    let (report, problem, _) = run(
        &Fake::audio(60),
        &AtomicBool::new(false),
        &["--output", "/dev/full"],
    )
    .unwrap();
    assert!(problem.unwrap().message.contains("No space left"));
    assert_eq!((report.next, report.good), (0, 0));
    assert!(!report.is_complete());
}

#[test]
fn a_folder_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("read-only");
    // So that its companion has a name that is too long.
    let name = "n".repeat(250);
    let message = refusal(&["--output", &folder.file(&name)]);
    assert!(message.contains("too long"), "{message}");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
    let locked = folder.file("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if File::create(Path::new(&locked).join("probe")).is_err() {
        refusal(&["--output", &folder.file("locked/a")]);
    }
}

#[test]
fn a_link_leads_to_the_file_and_stays() {
    let folder = Folder::new("links");
    let [link, target] = [folder.file("link"), folder.file("target")];
    symlink("target", &link).unwrap();
    // Nothing is read: the file is as it was, and so is the link.
    stopped(&link, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(!Path::new(&target).exists());
    stopped(&link, 20);
    assert!(fs::read(&target).unwrap() == whole(20));
    // By its other name it is a file that is there.
    assert!(refusal(&["--output", &target]).contains("is there already"));
    good(&Fake::audio(60), &["--output", &link]);
    assert!(fs::read(&target).unwrap() == whole(60));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = Folder::new("two-runs");
    let file = folder.file("a");
    stopped(&file, 20);
    let other = File::open(&file).unwrap();
    let lock = Flock::lock(other, FlockArg::LockExclusiveNonblock).unwrap();
    assert!(refusal(&["--output", &file]).contains("another run"));
    assert!(fs::read(&file).unwrap() == whole(20));
    drop(lock);
    good(&Fake::audio(60), &["--output", &file]);
}

#[test]
fn the_file_beside_it_is_not_somebody_elses() {
    let folder = Folder::new("beside");
    let file = folder.file("a");
    fs::write(folder.file("a.readcd"), "my diary").unwrap();
    assert!(refusal(&["--output", &file]).contains("something else"));
    assert_eq!(fs::read(folder.file("a.readcd")).unwrap(), b"my diary");
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_list_of_bad_sectors_that_is_damaged_is_not_taken_for_none() {
    let folder = Folder::new("bad-list");
    let file = folder.file("a");
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(5, (u32::MAX, (3, 2, 0)));
    });
    let flag = Arc::new(AtomicBool::new(false));
    fake.change(|state| state.interrupt = Some((20, Arc::clone(&flag))));
    let arguments = ["--output", &file, "--no-error", "--retries", "0"];
    let (report, ..) = run(&fake, &flag, &arguments).unwrap();
    assert!(!report.is_complete());
    let noted = folder.file("a.readcd");
    let text = fs::read_to_string(&noted).unwrap();
    for (from, to) in [
        ("\"reason\"", "\"season\""),
        ("\"lba\": 5", "\"lba\": -5"),
        ("\"sectors\": 1", "\"sectors\": 0"),
        ("\"sectors\": 1", "\"sectors\": 4294967296"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&noted, text.replace(from, to)).unwrap();
        assert!(refusal(&["--output", &file]).contains("damaged"), "{to}");
    }
    // An entry that goes on behind what is there is cut.
    fs::write(
        &noted,
        text.replace("\"sectors\": 1", "\"sectors\": 4294967295"),
    )
    .unwrap();
    fake.change(|state| state.interrupt = None);
    let again = good(&fake, &arguments);
    assert_eq!(again.bad.len(), 1);
    assert!(again.bad[0].sectors < 60);
}

#[test]
fn a_file_system_without_syncing_is_no_error() {
    let of = |errno| synced(Err(std::io::Error::from_raw_os_error(errno)));
    let [einval, enosys, eio, enospc] = [22, 38, 5, 28];
    assert!(of(einval).is_ok() && of(enosys).is_ok());
    assert!(of(eio).is_err() && of(enospc).is_err());
}

#[test]
fn signals_that_were_ignored_stay_so() {
    let status = "Name:\treadcd\nSigIgn:\t0000000000000003\nSigCgt:\t00000000ffffffff\n";
    assert!(is_ignored(status, 1) && is_ignored(status, 2));
    assert!(!is_ignored(status, 15) && !is_ignored("", 1) && !is_ignored(status, 0));
    assert!(!is_ignored("SigIgn: no number", 1));
}

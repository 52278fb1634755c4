//! What happens in the midst of the reading on an sg node, where sectors come to a mapped
//! buffer: it is met as anywhere else, without a command more than that takes.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Child,
};

use super::{Folder, Run, assert_as_found, end_of, readcd, start};
use crate::{
    lab::eventually,
    mmc_drive::{Logged, TestDrive, expected::audio},
};

/// The sectors of a READ CD.
fn sectors_of(logged: &Logged) -> Option<(u8, u8)> {
    let cdb = &logged.cdb;
    // The disc has 400 sectors, and nothing of interest is behind the first 256.
    (cdb[0] == 0xbe && cdb[4] == 0).then(|| (cdb[5], cdb[8]))
}

/// Starts a run, up to where the drive thinks about the chunk with sector 100.
fn in_the_midst(drive: &mut TestDrive, arguments: &[&str]) -> Child {
    drive.arm("slow 100 1500");
    let child = start(drive.sg(), arguments);
    eventually("sector 72", || {
        let log = drive.log();
        let mut reads = log.iter().filter_map(sectors_of);
        let is_there =
            reads.any(|(first, count)| count > 4 && (73..=100).contains(&(first + count)));
        is_there.then_some(())
    });
    child
}

/// CHECK CONDITION at so many READ CDs.
fn sense(key: u8, code: &str, count: u32) -> String {
    format!("sense 7000{key:02x}000000000a00000000{code}00000000 count {count} only be")
}

/// Runs it, has that happen in the midst, and gives with the report how many READ CDs
/// were sent again and how often the drive was asked whether it is ready.
fn with_fault(drive: &mut TestDrive, faults: &str, arguments: &[&str]) -> (Run, usize, usize) {
    let child = in_the_midst(drive, arguments);
    drive.arm(faults);
    let run = end_of(child);
    let log = drive.log();
    let reads: Vec<_> = log.iter().filter(|logged| logged.cdb[0] == 0xbe).collect();
    let different: BTreeSet<_> = reads.iter().map(|logged| &logged.cdb).collect();
    let asked = log.iter().filter(|logged| logged.cdb[0] == 0).count();
    (run, reads.len() - different.len(), asked)
}

fn whole() -> Vec<u8> {
    (0..400).flat_map(audio).collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_goes_on_after_what_happens_in_the_midst() {
    let folder = Folder::new("midst");
    let mut drive = TestDrive::start("audio", "");
    // How many reads come again, how often it is asked if it is ready at least, and what
    // the report has of it.
    for (number, (fault, again, asked, told)) in [
        ("busy count 1 only be".into(), 1, 0, ("/retries", 0)),
        ("busy count 3 only be".into(), 3, 0, ("/retries", 0)),
        ("status 28 count 2 only be".into(), 2, 0, ("/retries", 0)),
        (sense(2, "0401", 1), 1, 0, ("/unit_attentions", 0)),
        (sense(2, "0401", 2), 2, 1, ("/unit_attentions", 0)),
        (sense(2, "0407", 2), 2, 1, ("/unit_attentions", 0)),
        (sense(6, "2900", 1), 1, 0, ("/unit_attentions", 1)),
        (sense(6, "2a01", 3), 3, 0, ("/unit_attentions", 3)),
        ("recovered 150".into(), 0, 0, ("/recovered", 1)),
    ]
    .into_iter()
    .enumerate()
    {
        let file = folder.file(&format!("a{number}"));
        let (run, sent, polls) = with_fault(&mut drive, &fault, &["--output", &file]);
        let at = format!("{fault}: {run:?}");
        assert_eq!((run.code, run.number("/sectors")), (0, 400), "{at}");
        assert_eq!((sent, polls), (again, asked), "{at}");
        assert_eq!(run.number(told.0), told.1, "{at}");
        assert!(fs::read(&file).unwrap() == whole(), "{at}");
        let fault = format!("{fault}\nc2 300 27 10");
        let (run, sent, polls) = with_fault(&mut drive, &fault, &["--c2scan"]);
        let at = format!("{fault}: {run:?}");
        assert_eq!((run.code, run.number("/c2/errors")), (0, 10), "{at}");
        assert_eq!(run.number("/c2/sectors_scanned"), 400, "{at}");
        assert_eq!((sent, polls), (again, asked), "{at}");
        assert_eq!(run.number(told.0), told.1, "{at}");
        drive.arm("");
        assert_as_found(&drive);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_ends_where_the_disc_goes_in_the_midst() {
    let folder = Folder::new("midst-ends");
    let mut drive = TestDrive::start("audio", "");
    for (number, fault) in [sense(2, "3a00", 1), sense(6, "2800", 1)]
        .iter()
        .enumerate()
    {
        let file = folder.file(&format!("a{number}"));
        let (run, again, asked) = with_fault(&mut drive, fault, &["--output", &file]);
        assert_eq!((run.code, again, asked), (2, 0, 0), "{fault}: {run:?}");
        as_far_as_it_came(&run, &file);
        drive.arm("");
        let run = readcd(0, drive.sg(), &["--output", &file]);
        assert_eq!(run.number("/resumed") + run.number("/sectors"), 400);
        assert!(fs::read(&file).unwrap() == whole());
        assert_as_found(&drive);
    }
}

/// What was read before is kept, and nothing else.
fn as_far_as_it_came(run: &Run, file: &str) {
    let next = usize::try_from(run.number("/next")).unwrap();
    assert!((81..400).contains(&next), "{run:?}");
    assert!(fs::read(file).unwrap() == whole()[..next * 2352], "{run:?}");
    assert!(Path::new(&format!("{file}.readcd")).exists());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_ends_where_the_drive_is_taken_away() {
    let folder = Folder::new("taken");
    let mut drive = TestDrive::start("audio", "");
    let file = folder.file("a");
    let child = in_the_midst(&mut drive, &["--output", &file, "--no-error"]);
    let node: PathBuf = drive.sg().to_owned();
    drop(drive);
    let run = end_of(child);
    assert!(matches!(run.code, 2 | 4), "{run:?}");
    assert!(matches!(run.kind(), "gone" | "transport"), "{run:?}");
    assert_eq!(run.number("/errors"), 0, "{run:?}");
    as_far_as_it_came(&run, &file);
    assert!(!node.exists());
}

//! An ordinary user at `/dev/srN`.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use super::{Folder, assert_as_found, readcd_as};
use crate::mmc_drive::TestDrive;

const USER: u32 = 1000;

fn allow(node: &Path, mode: u32) {
    fs::set_permissions(node, Permissions::from_mode(mode)).unwrap();
}

/// LKML 2004-08-14: a scan whose settings were refused went on, and counted
/// millions of errors that were none.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_scans_nothing_if_it_may_not_set_the_drive() {
    let mut drive = TestDrive::start("audio", "c2 7 27 10");
    let sr = drive.sr().to_owned();
    allow(&sr, 0o644);
    drive.log();
    for (arguments, name) in [
        (&["--c2scan"][..], "MODE SELECT(10) (55h)"),
        (
            &["--output", "/dev/null", "--speed", "4"],
            "SET CD SPEED (bbh)",
        ),
    ] {
        let run = readcd_as(USER, 4, &sr, arguments);
        assert_eq!(run.kind(), "not_permitted", "{run:?}");
        for part in [name, "write permission", "nothing was"] {
            assert!(run.message().contains(part), "{part}: {run:?}");
        }
        assert!(run.told["c2"].is_null());
    }
    let log = drive.log();
    assert!(
        log.iter()
            .all(|logged| !matches!(logged.cdb[0], 0x55 | 0xbb))
    );
    // Reading needs no more than that.
    let run = readcd_as(USER, 0, &sr, &["--output", "/dev/null"]);
    assert_eq!(run.number("/sectors"), 400);
    readcd_as(USER, 0, &sr, &["--info"]);
    // Who may write to the node may set the drive.
    allow(&sr, 0o666);
    let run = readcd_as(USER, 0, &sr, &["--c2scan", "--speed", "4"]);
    assert_eq!(run.number("/c2/errors"), 10);
    assert_as_found(&drive);
    allow(&sr, 0o600);
    let run = readcd_as(USER, 4, &sr, &["--info"]);
    assert_eq!(run.kind(), "open_denied");
    let folder = Folder::new("rights");
    // Where nothing may be written, nothing is read.
    allow(&sr, 0o666);
    let run = readcd_as(USER, 4, &sr, &["--output", &folder.file("a")]);
    assert_eq!(run.kind(), "file", "{run:?}");
}

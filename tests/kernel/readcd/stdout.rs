//! Sectors on standard output, and signals that are no Ctrl-C.

use std::{
    fs::{self, OpenOptions},
    process::Stdio,
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{Folder, assert_as_found, command, end_of, output_of, signal, start};
use crate::{
    lab::eventually,
    mmc_drive::{TestDrive, expected::audio},
};

/// The report behind what else is on standard error.
fn report_of(stderr: &[u8]) -> Value {
    let from = stderr.iter().position(|&byte| byte == b'{').unwrap();
    serde_json::from_slice(&stderr[from..]).unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_keeps_sectors_and_report_apart() {
    let folder = Folder::new("stdout");
    let drive = TestDrive::start("audio", "");
    let expected: Vec<u8> = (0..60).flat_map(audio).collect();
    let arguments = ["--sector", "raw", "--sectors", "0-60", "--output"];
    for name in ["-", "/dev/stdout"] {
        let child = start(drive.sg(), &[&arguments[..], &[name]].concat());
        let output = output_of(child);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(output.stdout == expected, "{} bytes", output.stdout.len());
        assert_eq!(report_of(&output.stderr)["sectors"], 60);
    }
    // To a file that the shell has opened: behind what is in it, and with nothing beside.
    let file = folder.file("a");
    fs::write(&file, "before").unwrap();
    let appended = OpenOptions::new().append(true).open(&file).unwrap();
    let child = command(drive.sg(), &[&arguments[..], &["-"]].concat())
        .stdout(Stdio::from(appended))
        .spawn()
        .unwrap();
    assert_eq!(output_of(child).status.code(), Some(0));
    assert!(fs::read(&file).unwrap() == [b"before", &expected[..]].concat());
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    // Nobody reads.
    let mut child = start(
        drive.sg(),
        &["--sector", "raw", "--output", "-", "--speed", "8"],
    );
    drop(child.stdout.take());
    let output = output_of(child);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(report_of(&output.stderr)["error"]["kind"], "file");
    assert_as_found(&drive);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_sets_the_drive_back_when_its_terminal_goes_away() {
    let mut drive = TestDrive::start("audio", "");
    for number in [libc::SIGHUP, libc::SIGTERM] {
        drive.arm("slow 100 3000");
        let child = start(drive.sg(), &["--c2scan", "--speed", "8"]);
        eventually("the scan", || {
            let log = drive.log();
            log.iter().any(|logged| logged.cdb[0] == 0xbb).then_some(())
        });
        thread::sleep(Duration::from_millis(1000));
        signal(child.id(), number);
        let run = end_of(child);
        assert_eq!(
            (run.code, &run.told["interrupted"]),
            (130, &true.into()),
            "{run:?}"
        );
        drive.arm("");
        assert_as_found(&drive);
    }
}

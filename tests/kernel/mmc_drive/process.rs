//! The program itself: several drives, programs that run beside one, and what
//! is left of a drive that was killed.

use std::{path::Path, process::Command};

use super::{TestDrive, expected::audio, get};

const AUDIO: &str = "be 04 00 00 00 c8 00 00 01 f8 00 00";

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn two_drives() {
    let one = TestDrive::start("default", "");
    let mut other = TestDrive::start("audio", "medium_error 200");
    assert_ne!(one.sg(), other.sg());
    assert_eq!(get(&one.open_sg(), AUDIO, 2352), audio(200));
    assert_eq!(super::refused(&other.open_sg(), AUDIO, 2352), (3, 0x11, 5));
    // Beside what the kernel sends when it is there.
    let log = other.log();
    let reads = log.iter().filter(|logged| logged.cdb[0] == 0xbe);
    assert_eq!(reads.count(), 1);
    drop(one);
    other.arm("");
    assert_eq!(get(&other.open_sg(), AUDIO, 2352), audio(200));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_program_runs_beside_the_drive() {
    let script =
        "for node in $MMC_SG $MMC_SR $MMC_BSG; do [ -e $node ] && echo $node; done; exit 3";
    let output = Command::new("mmc_drive")
        .args(["/tmp/mmc_beside", "sh", "-c", script])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let nodes = String::from_utf8(output.stdout).unwrap();
    assert_eq!(nodes.lines().count(), 3, "{nodes}");
    for node in nodes.lines() {
        assert!(!Path::new(node).exists(), "{node}");
    }
    std::fs::remove_dir_all("/tmp/mmc_beside").unwrap();
    let wrong = Command::new("mmc_drive")
        .args(["--disc", "/nothing", "/tmp/mmc_beside"])
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(1));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drive_that_was_killed_goes_with_the_next() {
    let mut killed = TestDrive::start("audio", "");
    killed.process.kill().unwrap();
    killed.process.wait().unwrap();
    let targets = || {
        std::fs::read_dir("/sys/kernel/config/target/loopback")
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("naa."))
            .count()
    };
    assert_eq!(targets(), 1);
    let drive = TestDrive::start("audio", "");
    assert_eq!(targets(), 1);
    assert_eq!(get(&drive.open_sg(), AUDIO, 2352), audio(200));
    drop(drive);
    assert_eq!(targets(), 0);
    let _ = std::fs::remove_dir_all(&killed.folder);
    std::mem::forget(killed);
}

//! readom of cdrkit at the drive.

use std::process::{Command, Output};

use super::{TestDrive, expected::data};

fn readom(drive: &TestDrive, arguments: &[&str]) -> Output {
    Command::new("/usr/bin/readom")
        .arg(format!("dev={}", drive.sg().display()))
        .args(arguments)
        .output()
        .unwrap()
}

fn output_of(output: &Output) -> String {
    let both = [&*output.stdout, &*output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readom_reads_the_drive() {
    let folder = std::env::temp_dir().join("readom");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| format!("f={}", folder.join(name).display());

    let drive = TestDrive::start("audio", "");
    let toc = readom(&drive, &["-fulltoc", &file("audio")]);
    assert!(toc.status.success(), "{toc:?}");
    let said = output_of(&toc);
    for line in [
        "TOC len: 59. First Session: 1 Last Session: 1.",
        "Lead out 1: 400",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    drop(drive);

    // Ten wrong bytes in one sector, and one sector with all of them.
    let mut drive = TestDrive::start("audio", "");
    drive.arm("c2 7 27 10\nc2 70 0 2352\nmedium_error 177");
    let scan = readom(&drive, &["-c2scan"]);
    let said = output_of(&scan);
    for line in [
        "C2 in sector:   7 first at byte:   27 (0x1F) total:   10 errors",
        "C2 errors total: 2362 bytes in 2 sectors on disk",
        "C2 errors on worst sector: 2352, sectors with 100+ C2 errors: 1",
        "Total of 1 hard read errors.",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    drop(drive);

    let drive = TestDrive::start("default", "");
    let read = readom(&drive, &[&file("data"), "sectors=0-200"]);
    assert!(read.status.success(), "{read:?}");
    let expected: Vec<u8> = (0..200).flat_map(data).collect();
    assert!(std::fs::read(folder.join("data")).unwrap() == expected);
}

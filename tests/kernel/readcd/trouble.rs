//! Sectors that cannot be read, bytes that do not come, drives that are not ready.

use std::{
    fs,
    time::{Duration, Instant},
};

use super::{Folder, assert_as_found, readcd};
use crate::mmc_drive::{
    TestDrive,
    expected::{audio, data, form2, mode2},
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_tries_bad_sectors_again_and_lists_them() {
    let folder = Folder::new("bad");
    let mut drive = TestDrive::start("audio", "");
    for (number, more) in ["", "\ndescriptor_sense"].into_iter().enumerate() {
        let file = folder.file(&format!("a{number}"));
        // Three times, then it can be read.
        drive.arm(&format!("medium_error 50 count 3{more}"));
        let run = readcd(0, drive.sg(), &["--output", &file]);
        assert_eq!(
            (run.number("/retries"), run.number("/errors")),
            (2, 0),
            "{run:?}"
        );
        let expected: Vec<u8> = (0..400).flat_map(audio).collect();
        assert!(fs::read(&file).unwrap() == expected);

        // For ever.
        drive.arm(&format!(
            "medium_error 50\nmedium_error 51\nmedium_error 200 asc 02 ascq 82{more}"
        ));
        let file = folder.file(&format!("b{number}"));
        let arguments = ["--output", &file, "--no-error", "--retries", "12"];
        let run = readcd(2, drive.sr(), &arguments);
        assert_eq!((run.number("/errors"), run.number("/sectors")), (3, 397));
        assert_eq!((run.number("/retries"), run.number("/far_seeks")), (36, 9));
        let bad = &run.told["bad_sectors"];
        assert_eq!(
            (&bad[0]["lba"], &bad[0]["sectors"]),
            (&50.into(), &2.into())
        );
        assert_eq!(
            (&bad[1]["lba"], &bad[1]["sectors"]),
            (&200.into(), &1.into())
        );
        let reason = bad[0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("MEDIUM ERROR"), "{reason}");
        let mut expected = expected;
        expected[50 * 2352..52 * 2352].fill(0);
        expected[200 * 2352..201 * 2352].fill(0);
        assert!(fs::read(&file).unwrap() == expected);
        // The last sector and the first came between the tries.
        let log = drive.log();
        let reads = log
            .iter()
            .filter(|logged| logged.cdb[0] == 0xbe && logged.cdb[8] == 1);
        let raw: Vec<_> = reads.filter(|logged| logged.cdb[9] == 0xf8).collect();
        assert_eq!(raw.len(), 9);
        assert_eq!(
            (raw[0].cdb[4..6].to_vec(), raw[1].cdb[4..6].to_vec()),
            (vec![1, 0x8f], vec![0, 0])
        );

        // Without --no-error it stops there, and goes on there.
        let file = folder.file(&format!("c{number}"));
        let run = readcd(2, drive.bsg(), &["--output", &file, "--retries", "1"]);
        assert_eq!((run.kind(), run.number("/next")), ("check", 50), "{run:?}");
        drive.arm("");
        let run = readcd(0, drive.bsg(), &["--output", &file]);
        assert_eq!(run.number("/resumed"), 50);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_believes_no_good_without_its_bytes() {
    let folder = Folder::new("short");
    let mut drive = TestDrive::start("audio", "");
    // Each answer to READ CD lacks its end, so single sectors do too.
    drive.arm("short 100 only be");
    for (number, node) in [drive.sg().to_owned(), drive.sr().to_owned()]
        .iter()
        .enumerate()
    {
        let file = folder.file(&format!("a{number}"));
        let arguments = ["--output", &file, "--no-error", "--sectors", "0-30"];
        let run = readcd(2, node, &arguments);
        assert_eq!(
            (run.number("/not_sent"), run.number("/sectors")),
            (30, 0),
            "{run:?}"
        );
        assert_eq!(run.told["bad_sectors"][0]["not_sent"], true);
        let run = readcd(2, node, &["--c2scan", "--sectors", "0-30"]);
        assert_eq!(
            (run.kind(), run.told["c2"].is_null()),
            ("not_scanned", true),
            "{run:?}"
        );
    }
    // Some of them: those sectors are not scanned, and are said not to be.
    drive.arm("c2 7 27 10");
    let run = readcd(0, drive.sg(), &["--c2scan"]);
    assert_eq!(run.number("/c2/errors"), 10);
    assert_as_found(&drive);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_waits_for_a_drive_and_not_for_a_disc() {
    let folder = Folder::new("ready");
    let mut drive = TestDrive::start("audio", "");
    drive.arm("becoming_ready 6");
    let file = folder.file("a");
    let run = readcd(0, drive.sg(), &["--output", &file]);
    assert_eq!(run.number("/sectors"), 400);
    drive.arm("no_medium");
    let before = Instant::now();
    for arguments in [&["--c2scan"][..], &["--output", &folder.file("b")]] {
        let run = readcd(2, drive.sg(), arguments);
        assert_eq!(run.kind(), "check");
        assert!(
            run.message().to_lowercase().contains("medium not present"),
            "{run:?}"
        );
    }
    assert!(before.elapsed() < Duration::from_secs(20));
    let info = readcd(0, drive.sg(), &["--info"]);
    assert!(info.told["medium"].is_null() && info.told["drive"]["product"].is_string());
    drive.arm("");
    assert_as_found(&drive);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_tells_a_reset_from_another_disc() {
    let mut drive = TestDrive::start("audio", "");
    // What comes before the first READ CD is taken; these come at READ CD.
    let at_read =
        |code: &str| format!("sense 700006000000000a00000000{code}00000000 count 1 only be");
    drive.arm(&at_read("2900"));
    let run = readcd(0, drive.sg(), &["--output", "/dev/null"]);
    assert_eq!(run.number("/unit_attentions"), 1, "{run:?}");
    drive.arm(&at_read("2800"));
    let run = readcd(2, drive.sg(), &["--output", "/dev/null"]);
    assert!(run.message().contains("another disc"), "{run:?}");
    assert_as_found(&drive);
}

/// In the midst of the reading, and while it is waited for a bad sector: what was
/// read before is kept and nothing of the other disc is added, also not later.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_reads_no_other_disc_to_the_end() {
    let folder = Folder::new("other-disc");
    let mut drive = TestDrive::start("audio", "");
    for (number, node) in [drive.sg().to_owned(), drive.bsg().to_owned()]
        .iter()
        .enumerate()
    {
        let file = folder.file(&format!("a{number}"));
        let arguments = ["--output", &file, "--sector", "raw", "--speed", "8"];
        for sense in ["", "\ndescriptor_sense"] {
            drive.arm(&format!("disc default at 60{sense}"));
            let run = readcd(2, node, &arguments);
            assert!(run.message().contains("another disc"), "{run:?}");
            assert_eq!((run.number("/next"), run.number("/errors")), (54, 0));
            let expected: Vec<u8> = (0..54).flat_map(audio).collect();
            assert!(fs::read(&file).unwrap() == expected);
            // The other is not what was begun.
            drive.arm("");
            let run = readcd(4, node, &arguments);
            assert_eq!(run.kind(), "refused");
            assert!(run.message().contains("`disc`"), "{run:?}");
            assert!(fs::read(&file).unwrap() == expected);
            drive.arm("disc audio");
            let scan = readcd(0, node, &["--c2scan", "--sectors", "0-60"]);
            assert_eq!(scan.number("/c2/sectors_scanned"), 60);
            fs::remove_file(&file).unwrap();
            fs::remove_file(format!("{file}.readcd")).unwrap();
        }
        // A scan ends there as well, and counts what it has.
        drive.arm("disc default at 60");
        let run = readcd(2, node, &["--c2scan", "--speed", "8"]);
        assert!(run.message().contains("another disc"), "{run:?}");
        assert_eq!(run.number("/c2/sectors_scanned"), 48, "{run:?}");
        assert_eq!(run.told["complete"], false);
        drive.arm("disc audio");
        readcd(0, node, &["--info"]);
        assert_as_found(&drive);
    }
}

/// Sectors of other kinds than the one that was asked for, and of none that has
/// 2048 bytes.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_reads_all_kinds_of_sectors() {
    let folder = Folder::new("kinds");
    let disc = "track data 10\ntrack data2 40\ntrack form2 10\ntrack mode2 10\nsession\n\
                track audio 20";
    let drive = TestDrive::start(disc, "");
    let file = folder.file("data");
    let arguments = ["--output", &file, "--no-error", "--sectors", "0-70"];
    let run = readcd(2, drive.sg(), &arguments);
    assert_eq!(
        (
            &run.told["sector"],
            run.number("/errors"),
            run.number("/retries")
        ),
        (&"data".into(), 20, 0),
        "{run:?}"
    );
    assert_eq!(run.told["bad_sectors"][0]["lba"], 50);
    let mut expected: Vec<u8> = (0..50).flat_map(data).collect();
    expected.resize(70 * 2048, 0);
    assert!(fs::read(&file).unwrap() == expected);
    let file = folder.file("audio");
    let run = readcd(2, drive.sg(), &["--output", &file, "--sector", "audio"]);
    assert!(run.message().contains("`--sector raw`"), "{run:?}");
    let file = folder.file("raw");
    let arguments = ["--output", &file, "--sector", "raw", "--sectors", "50-70"];
    readcd(0, drive.sg(), &arguments);
    for (sector, lba) in fs::read(&file).unwrap().chunks(2352).zip(50..) {
        if lba < 60 {
            assert!(sector[24..2348] == form2(lba), "{lba}");
        } else {
            assert!(sector[16..] == mode2(lba), "{lba}");
        }
    }
    // A range up to the gap and behind it, and one that it is in.
    let second = 70 + 11_400;
    let scan = |code: i32, first: i32, end: i32| {
        let range = format!("{first}-{end}");
        readcd(
            code,
            drive.sg(),
            &["--c2scan", "--retries", "0", "--sectors", &range],
        )
    };
    assert_eq!(
        scan(0, second, second + 20).number("/c2/sectors_scanned"),
        20
    );
    let run = scan(2, 60, 80);
    assert_eq!(
        (run.number("/c2/sectors_scanned"), run.number("/errors")),
        (10, 10),
        "{run:?}"
    );
    let info = readcd(0, drive.sg(), &["--info"]);
    assert_eq!(
        (info.number("/sessions"), &info.told["tracks"][4]["session"]),
        (2, &2.into())
    );
    let toc = readcd(0, drive.sg(), &["--fulltoc", &folder.file("toc")]);
    assert_eq!(toc.number("/sessions/0/lead_out"), 70);
    assert_eq!(toc.told["sessions"][1]["lead_out"], second + 20);
    assert_as_found(&drive);
}

/// Silence shows nothing; only a subchannel behind the pointers does.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_does_not_take_silence_for_pointers() {
    let mut drive = TestDrive::start("track audio 60 silent", "");
    let run = readcd(0, drive.sg(), &["--c2scan"]);
    assert_eq!(run.number("/c2/sectors_scanned"), 60);
    for (faults, says) in [
        ("no_c2_bytes", "cannot be told"),
        ("no_c2_bytes short", "sends no C2 pointers"),
    ] {
        drive.arm(faults);
        let run = readcd(2, drive.sg(), &["--c2scan"]);
        assert_eq!(
            (run.kind(), run.told["c2"].is_null()),
            ("not_scanned", true)
        );
        assert!(run.message().contains(says), "{run:?}");
    }
    assert_as_found(&drive);
}

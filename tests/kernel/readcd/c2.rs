//! C2 scans: what was armed is what is counted, by readom as well.

use std::{path::Path, process::Command};

use serde_json::{Value, json};

use super::{Folder, assert_as_found, readcd};
use crate::mmc_drive::TestDrive;

const ARMED: &str = "c2 7 27 10\nc2 70 0 2352\nc2 100 5 100\nc2 101 5 99\nc2 350 2351 1";

/// What readom says of the drive: each sector with errors, and its totals.
fn readom(node: &Path) -> (Vec<Value>, String) {
    let output = Command::new("/usr/bin/readom")
        .arg(format!("dev={}", node.display()))
        .arg("-c2scan")
        .output()
        .unwrap();
    let text = [&*output.stdout, b"\n", &*output.stderr].concat();
    let text = String::from_utf8_lossy(&text).replace('\r', "\n");
    let list = text.lines().filter_map(|line| {
        // C2 in sector:   7 first at byte:   27 (0x1F) total:   10 errors
        let rest = line.trim().strip_prefix("C2 in sector:")?;
        let numbers: Vec<u64> = rest
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        let [lba, first_byte, errors] = numbers[..] else {
            panic!("{line}")
        };
        Some(json!({"lba": lba, "errors": errors, "first_byte": first_byte}))
    });
    (list.collect(), text.clone())
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_counts_what_readom_counts() {
    let mut drive = TestDrive::start("audio", ARMED);
    let (list, text) = readom(drive.sg());
    for node in [drive.sg(), drive.sr(), drive.bsg()] {
        let run = readcd(0, node, &["--c2scan"]);
        let c2 = &run.told["c2"];
        assert_eq!(c2["list"], json!(list), "{text}");
        assert_eq!(c2["errors"], 10 + 2352 + 100 + 99 + 1);
        assert_eq!(c2["pointer_bytes"], 2 + 294 + 14 + 13 + 1);
        assert_eq!(
            (&c2["sectors_scanned"], &c2["sectors_not_scanned"]),
            (&400.into(), &0.into())
        );
        assert_eq!(
            c2["worst"],
            json!({"lba": 70, "errors": 2352, "first_byte": 0})
        );
        assert_eq!(
            (&run.told["errors"], &run.told["complete"]),
            (&0.into(), &true.into())
        );
        let line = format!(
            "C2 errors total: {} bytes in {} sectors on disk",
            c2["errors"], c2["sectors"]
        );
        assert!(text.contains(&line), "{line}: {text}");
        let line = format!(
            "C2 errors on worst sector: {}, sectors with 100+ C2 errors: {}",
            c2["worst"]["errors"], c2["sectors_over_100"]
        );
        assert!(text.contains(&line), "{line}: {text}");
        assert_as_found(&drive);
    }
    // The rate is over the sectors that were scanned.
    let run = readcd(0, drive.sg(), &["--c2scan", "--sectors", "70-72"]);
    assert_eq!(run.told["c2"]["rate_percent"], 50.0);
    // A sector that cannot be read is no sector without errors.
    drive.arm(&format!("{ARMED}\nmedium_error 177"));
    let (list, text) = readom(drive.sg());
    let run = readcd(2, drive.sr(), &["--c2scan"]);
    assert_eq!(run.told["c2"]["list"], json!(list), "{text}");
    assert!(text.contains("Total of 1 hard read errors."), "{text}");
    assert_eq!(run.number("/errors"), 1);
    assert_eq!(
        (run.number("/c2/sectors_scanned"), run.number("/retries")),
        (399, 10)
    );
    assert_eq!(run.told["bad_sectors"][0]["lba"], 177);
    assert_as_found(&drive);
}

/// The page is set while it is scanned, and only then.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_sets_the_drive_as_readom_does() {
    let mut drive = TestDrive::start("audio", "");
    drive.arm("");
    readcd(0, drive.sg(), &["--c2scan", "--speed", "8"]);
    let log = drive.log();
    let of = |opcode: u8| log.iter().filter(move |logged| logged.cdb[0] == opcode);
    assert_eq!(of(0x55).count(), 2);
    assert_eq!(
        of(0xbb)
            .map(|logged| logged.cdb[2..4].to_vec())
            .collect::<Vec<_>>(),
        [1411_u16.to_be_bytes(), 7056_u16.to_be_bytes()]
    );
    let scans: Vec<_> = of(0xbe).filter(|logged| logged.cdb[8] == 24).collect();
    assert!(scans.len() >= 16 && scans.iter().all(|logged| logged.cdb[9] == 0xfa));
    assert_as_found(&drive);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_does_not_count_what_is_not_sent() {
    let folder = Folder::new("not-sent");
    let mut drive = TestDrive::start("audio", "");
    for faults in ["no_c2_bytes", "no_c2_bytes short"] {
        drive.arm(&format!("{ARMED}\n{faults}"));
        for node in [
            drive.sg().to_owned(),
            drive.sr().to_owned(),
            drive.bsg().to_owned(),
        ] {
            let run = readcd(2, &node, &["--c2scan"]);
            assert_eq!(
                (run.kind(), &run.told["c2"]),
                ("not_scanned", &Value::Null),
                "{run:?}"
            );
            assert!(run.message().contains("sends no C2 pointers"), "{run:?}");
            let file = folder.file("never");
            let run = readcd(2, &node, &["--output", &file, "--sector", "raw+c2"]);
            assert_eq!(run.kind(), "not_sent", "{run:?}");
            assert!(!Path::new(&file).exists());
            let info = readcd(0, &node, &["--info"]);
            assert_eq!(info.told["claims_c2"], true);
            assert_eq!(info.told["sends_c2_294"], false);
        }
    }
    // It can do one form, and the other not.
    drive.arm(&format!("{ARMED}\nc2_size 296"));
    let run = readcd(0, drive.sg(), &["--c2scan"]);
    assert_eq!(
        (run.number("/c2/errors"), run.number("/c2/pointer_length")),
        (2562, 296)
    );
    // It has none at all, and says so.
    drive.arm("c2_size 1");
    let run = readcd(2, drive.sg(), &["--c2scan"]);
    assert_eq!(run.kind(), "not_scanned");
    assert_as_found(&drive);
}

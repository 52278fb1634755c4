//! QEMU's drives: ide-cd leaves C2 and subchannels out without a word, scsi-cd has
//! no READ CD. What is true is said, and nothing is made up.

use std::{fs, path::Path};

use serde_json::Value;

use super::{Folder, readcd};
use crate::lab::Unit;

/// Sector n of the CD is n as a big-endian u32, repeated.
fn sectors(range: std::ops::Range<u32>) -> Vec<u8> {
    range
        .flat_map(|sector| sector.to_be_bytes().repeat(512))
        .collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_on_a_drive_that_leaves_bytes_out() {
    let folder = Folder::new("ide-cd");
    let unit = Unit::only("QEMU DVD-ROM");
    for (number, node) in unit.nodes().into_iter().enumerate() {
        let run = readcd(2, node, &["--c2scan"]);
        assert_eq!((run.kind(), &run.told["c2"]), ("not_scanned", &Value::Null));
        assert!(run.message().contains("sends no C2 pointers"), "{run:?}");
        for sector in ["raw+sub", "raw+c2"] {
            let file = folder.file("never");
            let run = readcd(2, node, &["--output", &file, "--sector", sector]);
            assert_eq!(run.kind(), "not_sent");
            assert!(run.message().contains("it answers GOOD"), "{run:?}");
            assert!(!Path::new(&file).exists());
        }
        let file = folder.file(&format!("data{number}"));
        let run = readcd(0, node, &["--output", &file]);
        assert_eq!(run.told["sector"], "data");
        assert!(
            fs::read(&file).unwrap() == sectors(0..2048),
            "{}",
            node.display()
        );
        let info = readcd(0, node, &["--info"]).told;
        assert_eq!(
            (&info["read_cd"], &info["sends_c2_294"]),
            (&true.into(), &false.into())
        );
        assert_eq!(info["sends_subchannels"], false);
        let toc = folder.file(&format!("toc{number}"));
        let run = readcd(0, node, &["--fulltoc", &toc]);
        assert_eq!(run.number("/sessions/0/lead_out"), 2048);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_on_a_drive_without_read_cd() {
    let folder = Folder::new("scsi-cd");
    let unit = Unit::only("QEMU CD-ROM");
    for node in unit.nodes() {
        let file = folder.file("never");
        for arguments in [
            &["--c2scan"][..],
            &["--output", &file],
            &["--output", &file, "--sector", "raw", "--no-error"],
            &["--output", &file, "--sector", "raw+sub"],
        ] {
            let before = unit.commands();
            let run = readcd(2, node, arguments);
            assert_eq!(run.kind(), "check");
            assert!(run.message().contains("READ CD (beh)"), "{run:?}");
            assert!(run.message().contains("no such command"), "{run:?}");
            // It is not asked 2048 times, nor 128 times for each sector.
            assert!(unit.commands() - before < 60);
            assert!(!Path::new(&file).exists());
            assert!(!Path::new(&format!("{file}.readcd")).exists());
        }
        let info = readcd(0, node, &["--info"]);
        assert_eq!(info.told["read_cd"], false, "{info:?}");
        assert!(info.stderr.contains("no such command"), "{info:?}");
        assert!(info.told["sends_c2_294"].is_null());
    }
}

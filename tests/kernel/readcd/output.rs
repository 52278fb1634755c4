//! What is in the files.

use std::{fs, path::Path, process::Command, thread, time::Duration};

use super::{Folder, assert_as_found, end_of, readcd, signal, start};
use crate::{
    lab::eventually,
    mmc_drive::{
        TestDrive,
        expected::{audio, data, q_of, sync_and_header},
    },
};

fn nodes(drive: &TestDrive) -> [&Path; 3] {
    [drive.sg(), drive.sr(), drive.bsg()]
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_writes_what_is_on_the_disc() {
    let folder = Folder::new("files");
    let drive = TestDrive::start("default", "");
    for (number, node) in nodes(&drive).into_iter().enumerate() {
        let file = |name: &str| folder.file(&format!("{name}{number}"));
        let run = readcd(0, node, &["--output", &file("data"), "--sectors", "0-200"]);
        assert_eq!(
            (&run.told["sector"], run.number("/sectors")),
            (&"data".into(), 200)
        );
        let expected: Vec<u8> = (0..200).flat_map(data).collect();
        assert!(
            fs::read(file("data")).unwrap() == expected,
            "{}",
            node.display()
        );

        let run = readcd(
            0,
            node,
            &["--output", &file("audio"), "--sectors", "200-400"],
        );
        assert_eq!(
            (&run.told["sector"], run.number("/sectors")),
            (&"audio".into(), 200)
        );
        let expected: Vec<u8> = (200..400).flat_map(audio).collect();
        assert!(
            fs::read(file("audio")).unwrap() == expected,
            "{}",
            node.display()
        );

        // All of it: data with sync and header, and audio.
        let run = readcd(0, node, &["--output", &file("raw")]);
        assert_eq!(
            (&run.told["sector"], run.number("/sectors")),
            (&"raw".into(), 400)
        );
        let raw = fs::read(file("raw")).unwrap();
        assert_eq!(raw.len(), 400 * 2352);
        for (lba, sector) in (0..).zip(raw.chunks(2352)) {
            if lba < 200 {
                assert_eq!(sector[..16], sync_and_header(lba, 1));
                assert_eq!(sector[16..2064], data(lba));
            } else {
                assert_eq!(sector, audio(lba));
            }
        }
        assert!(!Path::new(&file("raw.readcd")).exists());
    }
    assert_as_found(&drive);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_writes_subchannels_and_pointers() {
    let folder = Folder::new("extras");
    let drive = TestDrive::start("audio", "c2 5 27 10\nc2 6 2351 1");
    for (number, node) in nodes(&drive).into_iter().enumerate() {
        let sub = folder.file(&format!("sub{number}"));
        readcd(0, node, &["--output", &sub, "--sector", "raw+sub"]);
        let file = fs::read(&sub).unwrap();
        assert_eq!(file.len(), 400 * 2448);
        for (lba, sector) in (0..).zip(file.chunks(2448)) {
            assert_eq!(sector[..2352], audio(lba));
            if lba == 100 {
                // Control and ADR, track, index, time in the track, zero, time on the disc.
                let q = q_of(&sector[2352..]);
                assert_eq!(q[..10], [1, 1, 1, 0, 1, 0x25, 0, 0, 3, 0x25]);
            }
        }
        let c2 = folder.file(&format!("c2{number}"));
        let arguments = ["--output", &c2, "--sector", "raw+c2", "--sectors", "4-8"];
        readcd(0, node, &arguments);
        let mut expected = Vec::new();
        for lba in 4..8 {
            let mut pointers = vec![0; 294];
            match lba {
                5 => (pointers[3], pointers[4]) = (0x1f, 0xf8),
                6 => pointers[293] = 1,
                _ => {}
            }
            expected.extend([audio(lba), pointers].concat());
        }
        assert!(fs::read(&c2).unwrap() == expected);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_writes_the_full_table_as_readom_does() {
    let folder = Folder::new("fulltoc");
    for (number, (disc, faults)) in [("audio", ""), ("default", ""), ("default", "bcd_toc")]
        .into_iter()
        .enumerate()
    {
        let drive = TestDrive::start(disc, faults);
        let theirs = folder.file(&format!("theirs{number}"));
        let readom = Command::new("/usr/bin/readom")
            .arg(format!("dev={}", drive.sg().display()))
            .args(["-fulltoc", &format!("f={theirs}")])
            .output()
            .unwrap();
        assert!(readom.status.success(), "{readom:?}");
        let theirs = fs::read(format!("{theirs}.toc")).unwrap();
        for (place, node) in nodes(&drive).into_iter().enumerate() {
            let ours = folder.file(&format!("ours{number}{place}"));
            let run = readcd(0, node, &["--fulltoc", &ours]);
            assert_eq!(fs::read(&ours).unwrap(), theirs, "{disc} {faults}");
            assert_eq!(run.number("/sessions/0/lead_out"), 400, "{run:?}");
            // It is not written over.
            let again = readcd(4, node, &["--fulltoc", &ours]);
            assert_eq!(again.kind(), "refused");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_goes_on_where_it_was_interrupted() {
    let folder = Folder::new("resume");
    let file = folder.file("image");
    let mut drive = TestDrive::start("audio", "");
    let arguments = ["--output", &file, "--sector", "raw", "--speed", "8"];
    for (at, node) in [(100, drive.sg().to_owned()), (300, drive.sr().to_owned())] {
        // The drive thinks about a sector for so long.
        drive.arm(&format!("slow {at} 3000"));
        let child = start(&node, &arguments);
        let id = child.id();
        let reached = |drive: &mut TestDrive| {
            let log = drive.log();
            log.iter().any(|logged| logged.cdb[0] == 0xbb)
        };
        eventually("the reading", || reached(&mut drive).then_some(()));
        thread::sleep(Duration::from_millis(1000));
        signal(id, libc::SIGINT);
        let run = end_of(child);
        assert_eq!(
            (run.code, &run.told["interrupted"]),
            (130, &true.into()),
            "{run:?}"
        );
        let next = run.number("/next");
        assert!(next > 0 && next < 400, "{run:?}");
        assert_eq!(fs::metadata(&file).unwrap().len(), next * 2352);
        drive.arm("");
        assert_as_found(&drive);
    }
    let other = readcd(4, drive.sg(), &["--output", &file, "--sector", "audio"]);
    assert_eq!(other.kind(), "refused");
    let run = readcd(0, drive.sg(), &arguments);
    assert!(run.number("/resumed") >= 300 - 27, "{run:?}");
    assert_eq!(run.number("/resumed") + run.number("/sectors"), 400);
    let expected: Vec<u8> = (0..400).flat_map(audio).collect();
    assert!(fs::read(&file).unwrap() == expected);
    assert_as_found(&drive);
}

//! Every fault of the test drive in every mode of the program: exit code, report,
//! files, and the drive as it was found.
//!
//! [`TABLE`] has a line `@ FAULT & FAULT..` for each set of faults, and behind it
//! lines of modes, the exit code, and what must be so:
//!
//! - `/POINTER=JSON`: a value of the report (a JSON pointer; `_` stands for a space)
//! - `says=TEXT`, `notes=TEXT`: a part of the error's message, or of one of the notes
//! - `zeros=LBA,..` or `FROM-TO`: these sectors are zeros in the file
//! - `differs=LBA,..`: these are not as they are without faults
//! - `seconds=N`: it took so long at least
//!
//! Modes that have nothing to do with a fault are left out: each run takes half a
//! second.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use super::{Folder, Run, assert_as_found, readcd};
use crate::mmc_drive::{TestDrive, get};

const DISC: &str = "track data 40\ntrack audio 60";

/// A mode that reads the disc to a file: its name here, what is read of each of which
/// sectors, its length, and bytes 1, 9 and 10 of READ CD.
type Mode = (&'static str, &'static str, (i32, i32), usize, [u8; 3]);

const FILES: [Mode; 6] = [
    ("data", "data", (0, 40), 2048, [0x08, 0x10, 0]),
    ("audio", "audio", (40, 100), 2352, [0x04, 0x10, 0]),
    ("raw", "raw", (0, 100), 2352, [0, 0xf8, 0]),
    ("sub", "raw+sub", (0, 100), 2448, [0, 0xf8, 1]),
    ("c2", "raw+c2", (0, 100), 2646, [0, 0xfa, 0]),
    ("block", "raw+c2-296", (0, 100), 2648, [0, 0xfc, 0]),
];

const TABLE: &str = include_str!("table.txt");

/// The drive's own list of what it can do wrong.
const FAULTS: &str = include_str!("../../mmc_drive/faults.rs");

/// A line of the table.
struct Line {
    modes: Vec<&'static str>,
    code: i32,
    words: Vec<(&'static str, &'static str)>,
}

/// Each set of faults, and its lines.
fn cases() -> Vec<(String, Vec<Line>)> {
    let mut cases: Vec<(String, Vec<Line>)> = Vec::new();
    for line in TABLE.lines().filter(|line| !line.is_empty()) {
        if let Some(faults) = line.strip_prefix('@') {
            cases.push((faults.trim().replace(" & ", "\n"), Vec::new()));
            continue;
        }
        let mut words = line.split_whitespace();
        let modes = words.next().unwrap().split(',').collect();
        let code = words.next().unwrap().parse().unwrap();
        let words = words.map(|word| word.split_once('=').unwrap_or_else(|| panic!("{line}")));
        cases.last_mut().unwrap().1.push(Line {
            modes,
            code,
            words: words.collect(),
        });
    }
    cases
}

fn numbers(list: &str) -> BTreeSet<i32> {
    if let Some((from, to)) = list.split_once('-') {
        return (from.parse().unwrap()..to.parse().unwrap()).collect();
    }
    list.split(',').map(|word| word.parse().unwrap()).collect()
}

/// The sectors of each file as they are without faults.
fn read_all(drive: &TestDrive) -> Vec<Vec<Vec<u8>>> {
    let device = drive.open_sg();
    let read = |(_, _, (first, end), length, [kind, main, sub]): Mode| {
        let sector = |lba: i32| {
            let cdb = format!("be {kind:02x} 00 00 00 {lba:02x} 00 00 01 {main:02x} {sub:02x} 00");
            get(&device, &cdb, length)
        };
        (first..end).map(sector).collect()
    };
    FILES.map(read).into()
}

/// Runs one mode, with the file that it writes.
fn run(mode: &str, code: i32, node: &Path, folder: &Folder) -> (Run, Option<Vec<u8>>) {
    let path = folder.file("file");
    let often = ["--retries", "2", "--speed", "8"];
    let run = match FILES.iter().find(|file| file.0 == mode) {
        Some((_, sector, (first, end), ..)) => {
            let range = format!("{first}-{end}");
            let output = ["--output", &path, "--no-error", "--sector", sector];
            readcd(
                code,
                node,
                &[&output[..], &["--sectors", &range], &often].concat(),
            )
        }
        None if mode == "scan" => readcd(code, node, &[&["--c2scan"][..], &often].concat()),
        None if mode == "toc" => readcd(code, node, &["--fulltoc", &path]),
        None => readcd(code, node, &["--info"]),
    };
    let file = fs::read(&path).ok();
    let _ = fs::remove_file(&path);
    let _ = fs::remove_file(format!("{path}.readcd"));
    (run, file)
}

fn check(
    line: &Line,
    run: &Run,
    file: Option<&[u8]>,
    sectors: Option<(i32, &[Vec<u8>])>,
    at: &str,
) {
    let (mut zeros, mut differs) = (BTreeSet::new(), BTreeSet::new());
    for (key, value) in &line.words {
        let text = value.replace('_', " ");
        match *key {
            "says" => assert!(run.message().contains(&text), "{at}: {text}: {run:?}"),
            "notes" => {
                let notes = run.told["notes"].to_string();
                assert!(notes.contains(&text), "{at}: {text}: {run:?}");
            }
            "seconds" => {
                let took = run.told["seconds"].as_f64().unwrap();
                assert!(took >= value.parse().unwrap(), "{at}: {run:?}");
            }
            "zeros" => zeros = numbers(value),
            "differs" => differs = numbers(value),
            pointer => {
                // Keys have underscores, texts have not.
                let expected: Value = match serde_json::from_str(value) {
                    Ok(Value::String(_)) if !pointer.ends_with("kind") => {
                        text.trim_matches('"').into()
                    }
                    Ok(value) => value,
                    Err(error) => panic!("{at}: {value}: {error}"),
                };
                let told = run.told.pointer(pointer).unwrap_or(&Value::Null);
                assert_eq!(told, &expected, "{at}: {pointer}: {run:?}");
            }
        }
    }
    let (Some((first, sectors)), Some(file)) = (sectors, file) else {
        return;
    };
    // As far as it came, and no further.
    let length = sectors[0].len();
    let next = run.told["next"].as_i64().unwrap_or_else(|| first.into());
    let expected = usize::try_from(next - i64::from(first)).unwrap() * length;
    assert_eq!(file.len(), expected, "{at}: {run:?}");
    for ((sector, lba), expected) in file.chunks(length).zip(first..).zip(sectors) {
        let is_zero = sector.iter().all(|byte| *byte == 0);
        assert_eq!(is_zero, zeros.contains(&lba), "{at}: sector {lba}");
        let as_ever = sector == expected || is_zero;
        assert_eq!(as_ever, !differs.contains(&lba), "{at}: sector {lba}");
    }
}

/// Of the list, the first word of each line that has what a fault does behind it.
fn known_faults() -> Vec<&'static str> {
    let list = FAULTS.split("//! ```text").nth(1).unwrap();
    let list = list.split("//! ```").next().unwrap();
    let lines = list.lines().filter_map(|line| line.strip_prefix("//! "));
    lines
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect()
}

/// None is forgotten when the drive learns another. Another disc is that of
/// `trouble.rs`.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_meets_every_fault() {
    let known = known_faults();
    assert!(known.len() > 25, "{known:?}");
    let faults: Vec<_> = cases().iter().map(|case| case.0.clone()).collect();
    let met: BTreeSet<_> = faults
        .iter()
        .flat_map(|faults| faults.lines())
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    for fault in known {
        assert!(fault == "disc" || met.contains(fault), "{fault}");
    }
    let first = &cases()[0].1;
    let modes = first.iter().flat_map(|line| &line.modes);
    assert_eq!(modes.collect::<BTreeSet<_>>().len(), FILES.len() + 3);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn readcd_says_what_is_true_of_every_fault() {
    let folder = Folder::new("table");
    let mut drive = TestDrive::start(DISC, "");
    let sectors = read_all(&drive);
    let nodes = [drive.sg(), drive.sr(), drive.bsg()].map(Path::to_path_buf);
    let mut failures = Vec::new();
    // Some time after the block node was closed the kernel sends TEST UNIT READY,
    // which would meet what is armed for the next run; it does not come while
    // somebody opens the node, nor as long as these are open.
    let mut kept = Vec::new();
    for ((faults, lines), node) in cases().iter().zip(nodes.iter().cycle()) {
        for line in lines {
            for mode in &line.modes {
                let at = format!("{faults:?} {mode}");
                let place = FILES.iter().position(|file| file.0 == *mode);
                let expected = place.map(|place| (FILES[place].2.0, &sectors[place][..]));
                drive.arm(faults);
                let outcome = std::panic::catch_unwind(|| {
                    let (run, file) = run(mode, line.code, node, &folder);
                    check(line, &run, file.as_deref(), expected, &at);
                });
                if outcome.is_err() {
                    failures.push(at);
                }
                if node == drive.sr() {
                    drive.arm("");
                    kept.push(drive.open_sr());
                }
            }
        }
        drive.arm("");
        assert_as_found(&drive);
    }
    assert!(failures.is_empty(), "{failures:#?}");
    // Nobody has locked the tray, or has left it locked.
    let device = drive.open_sg();
    get(&device, "1b 00 00 00 02 00", 0);
}

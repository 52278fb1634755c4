//! The program `readcd` without a device: arguments, exit codes, and what it does
//! with a drive in memory.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, dead_code)]

// The program's own files, at the place where they look for each other.
#[path = "../../examples/readcd/arguments.rs"]
mod arguments;
#[path = "../../examples/readcd/c2.rs"]
mod c2;
#[path = "../../examples/readcd/drive.rs"]
mod drive;
#[path = "../../examples/readcd/events.rs"]
mod events;
#[path = "../../examples/readcd/fulltoc.rs"]
mod fulltoc;
#[path = "../../examples/readcd/gaps.rs"]
mod gaps;
#[path = "../../examples/readcd/hollow.rs"]
mod hollow;
#[path = "../../examples/readcd/image.rs"]
mod image;
#[path = "../../examples/readcd/info.rs"]
mod info;
#[path = "../../examples/readcd/memory.rs"]
mod memory;
#[path = "../../examples/readcd/noted.rs"]
mod noted;
#[path = "../../examples/common/outcome.rs"]
mod outcome;
#[path = "../../examples/common/output.rs"]
mod output;
#[path = "../../examples/readcd/place.rs"]
mod place;
#[path = "../../examples/readcd/plan.rs"]
mod plan;
#[path = "../../examples/readcd/probe.rs"]
mod probe;
#[path = "../../examples/common/problem.rs"]
mod problem;
#[path = "../../examples/readcd/progress.rs"]
mod progress;
#[path = "../../examples/readcd/reader.rs"]
mod reader;
#[path = "../../examples/readcd/reading.rs"]
mod reading;
#[path = "../../examples/readcd/report.rs"]
mod report;
#[path = "../../examples/readcd/resume.rs"]
mod resume;
#[path = "../../examples/readcd/scan.rs"]
mod scan;
#[path = "../../examples/readcd/setup.rs"]
mod setup;
#[path = "../../examples/readcd/signals.rs"]
mod signals;
#[path = "../../examples/readcd/target.rs"]
mod target;
#[path = "../../examples/readcd/trouble.rs"]
mod trouble;

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/program.rs"]
mod program;

mod changed;
mod counted;
mod edges;
mod fake;
mod files;
mod hooked;
mod hostile;
mod interrupted;
mod resumed;
mod retried;
mod sessions;
mod set_up;
mod told;
mod watched;

use std::{process::Output, sync::atomic::AtomicBool};

use arguments::{Cli, SectorKind, SectorRange};
use clap::Parser as _;
use drive::{CdInDrive, Names};
use events::{Events, Watched};
use fake::{Fake, main_channel};
use folder::Folder;
use passthru::{ScsiTransport, unit::OpticalDrive};
use plan::{Plan, usual_kind};
use problem::Problem;
use reading::Reading;
use report::{Notes, Report};

/// The program that Cargo builds beside this test.
fn readcd(arguments: &[&str]) -> Output {
    program::command("readcd", arguments).output().unwrap()
}

fn run_for(code: i32, arguments: &[&str]) -> Output {
    let output = readcd(arguments);
    let got = output.status.code();
    assert_eq!(got, Some(code), "{arguments:?}: {output:?}");
    output
}

fn cli(arguments: &[&str]) -> Cli {
    let words = [&["readcd", "drive"], arguments].concat();
    Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// All bytes of the first sectors.
fn whole(sectors: i32) -> Vec<u8> {
    (0..sectors).flat_map(main_channel).collect()
}

fn kind(problem: &Problem) -> String {
    problem.to_json()["kind"].as_str().unwrap().to_owned()
}

/// Does what the arguments say, after the drive was asked what it is.
fn run(
    fake: &Fake,
    interrupted: &AtomicBool,
    arguments: &[&str],
) -> Result<(Report, Option<Problem>, Vec<String>), Problem> {
    run_on(fake, || fake.forget(), interrupted, arguments)
}

fn run_on<T: ScsiTransport>(
    transport: &T,
    asked: impl FnOnce(),
    interrupted: &AtomicBool,
    arguments: &[&str],
) -> Result<(Report, Option<Problem>, Vec<String>), Problem> {
    let events = Events::default();
    let watched = Watched::new(transport, &events);
    run_watched(&watched, &events, asked, interrupted, arguments)
}

/// The same through what has a transport watched.
fn run_watched<T: ScsiTransport>(
    transport: &T,
    events: &Events,
    asked: impl FnOnce(),
    interrupted: &AtomicBool,
    arguments: &[&str],
) -> Result<(Report, Option<Problem>, Vec<String>), Problem> {
    let cli = cli(arguments);
    cli.check()?;
    let mut notes = Notes::default();
    let drive = OpticalDrive::new(transport);
    let cd = CdInDrive::ask(&drive, events, &mut notes)?;
    asked();
    let reading = Reading {
        cli: &cli,
        drive: &drive,
        node: None,
        names: Names::default(),
        cd: &cd,
        denied: None,
        interrupted,
        events,
    };
    let (report, problem) = match &cli.output {
        Some(path) => reading.output(path, &mut notes)?,
        None => reading.scan(&mut notes)?,
    };
    Ok((report, problem, notes.as_slice().to_vec()))
}

/// The same, where it ends well.
fn good(fake: &Fake, arguments: &[&str]) -> Report {
    let (report, problem, _) = run(fake, &AtomicBool::new(false), arguments).unwrap();
    assert!(problem.is_none(), "{problem:?}");
    report
}

#[test]
fn arguments_that_make_no_sense_are_usage_errors() {
    for (arguments, part) in [
        (&[][..], "Usage"),
        (&["/dev/sr0"], "--output"),
        (&["--info"], "DEVICE"),
        (&["/dev/sr0", "--info", "--c2scan"], "cannot be used"),
        (
            &["/dev/sr0", "--output", "x", "--fulltoc", "y"],
            "cannot be used",
        ),
        (&["/dev/sr0", "--info", "--speed", "4"], "--speed is for"),
        (
            &["/dev/sr0", "--fulltoc", "x", "--sectors", "0-1"],
            "--sectors is for",
        ),
        (&["/dev/sr0", "--info", "--no-error"], "--no-error is for"),
        (
            &["/dev/sr0", "--c2scan", "--sector", "raw"],
            "--sector is for",
        ),
        (
            &["/dev/sr0", "--output", "x", "--sector", "cooked"],
            "raw+sub",
        ),
        (&["/dev/sr0", "--c2scan", "--speed", "0"], "--speed"),
        (&["/dev/sr0", "--c2scan", "--sectors", "5-5"], "no sector"),
        (&["/dev/sr0", "--c2scan", "--sectors", "5"], "range"),
        (&["/dev/sr0", "--c2scan", "--sectors", "a-b"], "range"),
        (&["/dev/sr0", "--c2scan", "--sectors", ""], "range"),
    ] {
        let output = run_for(1, arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
    let help = String::from_utf8(run_for(0, &["--help"]).stdout).unwrap();
    for part in ["Exit codes:", "Keys of --json", "--c2scan", "130"] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn what_is_no_drive_is_told() {
    let missing = run_for(4, &["/dev/there is none", "--info", "--json"]);
    let object: serde_json::Value = serde_json::from_slice(&missing.stdout).unwrap();
    assert_eq!(object["error"]["kind"], "not_found");
    run_for(4, &[file!(), "--c2scan"]);
    run_for(4, &["/dev/null", "--c2scan"]);
}

#[test]
fn ranges_have_signs() {
    let range = |text: &str| cli(&["--c2scan", "--sectors", text]).sectors.unwrap();
    let of = |first, end| SectorRange { first, end };
    assert_eq!(range("0-400"), of(0, 400));
    assert_eq!(range("-150-0"), of(-150, 0));
    assert_eq!(range("-150--75"), of(-150, -75));
}

#[test]
fn retries_are_those_of_readom() {
    assert_eq!(cli(&["--c2scan"]).retries(), 10);
    assert_eq!(cli(&["--output", "x"]).retries(), 128);
    assert_eq!(cli(&["--output", "x", "--retries", "0"]).retries(), 0);
}

#[test]
fn chunks_are_whole_sectors_of_64_kib() {
    let all = SectorRange { first: 0, end: 100 };
    for (kind, length, chunk) in [
        (SectorKind::Data, 2048, 32),
        (SectorKind::Audio, 2352, 27),
        (SectorKind::Raw, 2352, 27),
        (SectorKind::RawSub, 2448, 26),
        (SectorKind::RawC2, 2646, 24),
    ] {
        let plan = Plan::new(kind, all, all, 64 << 10).unwrap();
        assert_eq!((plan.sector_length(), plan.chunk), (length, chunk));
        assert_eq!(plan.sectors_at(0), chunk);
        assert_eq!(plan.sectors_at(95), 5);
        assert_eq!(plan.sectors_at(100), 0);
        assert_eq!(Plan::new(kind, all, all, 100).unwrap().chunk, 1);
    }
}

#[test]
fn what_is_read_follows_from_the_tracks() {
    let kind = |fake: &Fake, first, end| {
        let drive = OpticalDrive::new(fake);
        let cd = CdInDrive::ask(&drive, &Events::default(), &mut Notes::default()).unwrap();
        usual_kind(&cd, SectorRange { first, end })
    };
    let mixed = Fake::mixed(100, 50);
    assert_eq!(kind(&mixed, 0, 50), SectorKind::Data);
    assert_eq!(kind(&mixed, 50, 100), SectorKind::Audio);
    assert_eq!(kind(&mixed, 49, 51), SectorKind::Raw);
    assert_eq!(kind(&Fake::audio(10), 0, 10), SectorKind::Audio);
    assert_eq!(kind(&Fake::data(10), 0, 10), SectorKind::Data);
}

#[test]
fn a_range_behind_the_disc_is_a_usage_error() {
    let fake = Fake::audio(100);
    let arguments = ["--c2scan", "--sectors", "0-101"];
    let problem = run(&fake, &AtomicBool::new(false), &arguments).unwrap_err();
    assert!(problem.message.contains("ends at 100"), "{problem:?}");
    assert_eq!(problem.code, problem::Code::Usage);
}

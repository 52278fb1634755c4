//! Reads CDs, counts their C2 errors, and says what is true of drive and disc.
//!
//! ```text
//! readcd /dev/sr0 --info
//! readcd /dev/sr0 --c2scan --speed 8 --json
//! readcd /dev/sg2 --output disc.bin --sector raw --no-error
//! readcd /dev/sr0 --fulltoc disc.toc
//! ```
//!
//! Before anything is counted or written, a probe finds out whether the drive sends
//! C2 pointers or subchannels at all: some answer GOOD and leave them out. What did
//! not come is "not scanned", never "no errors".
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`JSON_KEYS`] and stay.

mod arguments;
mod c2;
mod drive;
mod events;
mod fulltoc;
mod gaps;
mod hollow;
mod image;
mod info;
mod memory;
mod noted;
#[path = "../common/outcome.rs"]
#[allow(dead_code)]
mod outcome;
#[path = "../common/output.rs"]
#[allow(dead_code)]
mod output;
mod place;
mod plan;
mod probe;
#[path = "../common/problem.rs"]
mod problem;
mod progress;
mod reader;
mod reading;
mod report;
mod resume;
mod scan;
mod setup;
mod signals;
mod target;
mod trouble;

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering},
};

use passthru::{ScsiTransport, scsi::DeviceType, unit::OpticalDrive};

use arguments::{Cli, EXAMPLES};
use drive::{CdInDrive, Names, Opened, Patience, policy};
use events::{Events, Watched};
use fulltoc::Toc;
use image::refused;
use info::Info;
use place::Place;
use problem::{Code, ERROR_KEYS, EXIT_CODES, Problem};
use reading::Reading;
use report::{JSON_KEYS, Notes, Report};
use signals::on_interrupt;

const OWN_CODES: &str = "\
Of readcd alone: 2 also for sectors that could not be read or were not sent, and
for a scan that could not be made; 0 for a scan that found C2 errors; 130 after
Ctrl-C.";

const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(format!(
        "{EXAMPLES}\n\n{JSON_KEYS}\n{ERROR_KEYS}\n\n{EXIT_CODES}\n{OWN_CODES}"
    )) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    match run(&cli, &interrupted) {
        Ok(code) => code,
        Err(problem) => {
            let for_programs = cli.json && problem.code != Code::Usage;
            let code = output::fail("readcd", &problem, for_programs.then_some(&*cli.device));
            if interrupted.load(Ordering::Relaxed) {
                // What was waited for is not there because nobody waited longer.
                return ExitCode::from(INTERRUPTED);
            }
            code
        }
    }
}

fn run(cli: &Cli, interrupted: &Arc<AtomicBool>) -> Result<ExitCode, Problem> {
    cli.check()?;
    on_interrupt(interrupted, INTERRUPTED)?;
    let mut notes = Notes::default();
    let Opened { device, denied } = Opened::new(&cli.device)?;
    if device
        .device_type()
        .is_some_and(|kind| kind != DeviceType::OPTICAL)
    {
        return Err(refused(&cli.device, "is no optical drive"));
    }
    let limit = device
        .max_transfer()
        .and_then(|bytes| usize::try_from(bytes).ok());
    let patience = Patience(Arc::clone(interrupted));
    let events = Events::default();
    let watched = Watched::new(&device, &events);
    let start = policy(true).on(&watched).clock(&patience);
    let start = limited(OpticalDrive::new(&start), limit);
    let names = Names::ask(start.transport())?;
    let steady = policy(false).on(&watched).clock(&patience);
    let steady = limited(OpticalDrive::new(&steady), limit);
    let cd = CdInDrive::ask(&steady, &events, &mut notes);
    if cli.info {
        let info = Info::ask(&start, names, cd, (interrupted, &mut notes))?;
        output::result(|out| match cli.json {
            true => output::json(out, &info.to_json(&cli.device, notes.as_slice())),
            false => info.print(out),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let cd = cd?;
    if let Some(file) = &cli.fulltoc {
        let toc = Toc::fetch(&start, &cd, file)?;
        for fault in toc.faults() {
            notes.add(format!("the table of contents is wrong: {fault}"));
        }
        result(Some(file), |out| match cli.json {
            true => output::json(out, &toc.to_json(&cli.device, file, notes.as_slice())),
            false => toc.print(out),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let reading = Reading {
        cli,
        drive: &steady,
        node: Some(&device),
        names,
        cd: &cd,
        denied: denied.as_deref(),
        interrupted,
        events: &events,
    };
    let (mut report, problem) = match &cli.output {
        Some(path) => reading.output(path, &mut notes)?,
        None => reading.scan(&mut notes)?,
    };
    report.interrupted = interrupted.load(Ordering::Relaxed) && !report.is_complete();
    report.notes = notes.as_slice().to_vec();
    finish(cli, report, problem)
}

fn limited<T: ScsiTransport>(mut drive: OpticalDrive<T>, limit: Option<usize>) -> OpticalDrive<T> {
    if let Some(limit) = limit {
        drive.set_max_transfer(limit.min(drive.max_transfer()));
    }
    drive
}

/// Writes a result to standard output, or to standard error if that has the sectors.
fn result(
    output: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Problem> {
    match output.map(Place::of) {
        Some(Ok(Place::Stdout)) => {
            // If that fails there is nobody left to tell.
            let _ = write(&mut io::stderr().lock());
            Ok(())
        }
        _ => output::result(write),
    }
}

/// Shows the report and gives the exit code.
fn finish(cli: &Cli, mut report: Report, problem: Option<Problem>) -> Result<ExitCode, Problem> {
    if let Some(problem) = &problem {
        output::complain("readcd", &problem.message);
        report.error = problem.to_json();
    }
    result(cli.output.as_deref(), |out| match cli.json {
        true => output::json(out, &report.to_json()),
        false => report.print(out),
    })?;
    Ok(match problem {
        _ if report.interrupted => ExitCode::from(INTERRUPTED),
        Some(problem) => problem.exit_code(),
        None if !report.bad.is_empty() => ExitCode::from(Code::Device as u8),
        None => ExitCode::SUCCESS,
    })
}

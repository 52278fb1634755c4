//! Copies a disk to others, to a file and back, at the speed of the kernel.
//!
//! ```text
//! copy --if /dev/sg1 --of /dev/sdX
//! copy --if /dev/sg1 --of /dev/sdX --of /dev/bsg/2:0:0:0 --verify
//! copy --if /dev/sg1 --of image --no-error --json
//! copy --if - --of /dev/sdX < image
//! ```
//!
//! From an sg node each worker maps a reserve buffer: the source's data comes to
//! pages of the kernel, and block and bsg nodes of the targets take the same
//! pages. For an sg node as target direct I/O is wished for, which the module
//! parameter `allow_dio` allows.
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`JSON_KEYS`] and stay.

mod arguments;
mod crew;
mod ends;
mod guard;
#[path = "../common/outcome.rs"]
#[allow(dead_code)]
mod outcome;
#[path = "../common/output.rs"]
#[allow(dead_code)]
mod output;
mod plan;
#[path = "../common/problem.rs"]
mod problem;
mod report;
mod sink;
mod trouble;
mod worker;

use std::{
    io,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering},
};

use passthru::{ScsiTransportExt, scsi::SynchronizeCache10};

use arguments::{Cli, EXAMPLES};
use crew::Crew;
use ends::{End, Kind, file_problem};
use plan::Plan;
use problem::{Code, ERROR_KEYS, EXIT_CODES, Problem};
use report::{Notes, Report};
use trouble::once_more;
use worker::Task;

/// The keys of `--json`. None is renamed or removed; new ones may come.
const JSON_KEYS: &str = "\
Keys of --json:
  source, targets   as given
  method            reserve_buffer: the source's, mapped; aligned_buffer: memory
                    of the program; stream: the same, one worker, in order
  workers, block_length, block_size (bytes a command moves)
  bytes             copied to every target
  seconds           that took, without --sync and --verify
  complete_blocks   so many from the start on are copied without a gap
  zero_copy_writes  the target took the pages as they were
  bounced_writes    they were copied in memory on the way
  unit_attentions   commands sent once more after one
  errors            blocks that could not be read, with --no-error
  bad_ranges        where they are: objects of lba and blocks
  interrupted, verified, notes
  error             null, or why it stopped; kinds of its own: refused, differs
A failure before anything was copied: path, error";

const OWN_CODES: &str = "\
Of copy alone: 2 also if --no-error wrote zeros, or if --verify found a
difference; 4 also for a target that is refused; 130 after Ctrl-C.";

const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let cli = match output::arguments::<Cli>(format!(
        "{EXAMPLES}\n\n{JSON_KEYS}\n{ERROR_KEYS}\n\n{EXIT_CODES}\n{OWN_CODES}"
    )) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    match run(&cli) {
        Ok(code) => code,
        Err(problem) => {
            let for_programs = cli.json && problem.code != Code::Usage;
            output::fail("copy", &problem, for_programs.then_some(&*cli.source))
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Problem> {
    cli.check()?;
    let interrupted = on_interrupt()?;
    let mut notes = Notes::default();
    let mut attentions = 0;
    // What the user says is not asked.
    let limits = cli.block_size.is_none();
    let source = End::source(&cli.source, limits, &mut attentions)?;
    let mut targets = Vec::new();
    for path in &cli.targets {
        targets.push(End::target(path, limits, &mut attentions)?);
    }
    let _claims = if cli.force {
        Vec::new()
    } else {
        guard::check(&source, &targets)?
    };
    let mut plan = Plan::new(cli, &source, &targets, &mut notes)?;
    cut_files(&plan, &targets)?;

    let streams = source.is_stream() || targets.iter().any(End::is_stream);
    let crew = Crew {
        source: &source,
        targets: &targets,
        workers: if streams { 1 } else { cli.workers.into() },
        no_error: cli.no_error,
        progress: !cli.no_progress,
        interrupted: Arc::clone(&interrupted),
    };
    if limits {
        crew.fit_reserve(&mut plan, &mut notes)?;
    }
    let mut report = Report::new(crew.method(), crew.workers, plan);
    report.source = cli.source.to_string_lossy().into_owned();
    report.targets = cli
        .targets
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    report.attentions = attentions;

    let mut done = crew.run(plan, Task::Copy, &mut notes)?;
    report.copied(&mut done);
    let mut problem = done.problem;
    // How far to compare: of a stream it is known now.
    plan.bytes = Some(done.tally.bytes);
    let whole =
        |problem: &Option<Problem>| problem.is_none() && !interrupted.load(Ordering::Relaxed);
    if cli.sync {
        // What has been copied is to last, also when it is not all.
        let synced = sync(&targets, &mut report.attentions);
        problem = problem.or(synced.err());
    }
    if cli.verify && whole(&problem) {
        let compared = crew.run(plan, Task::Compare, &mut notes)?;
        report.attentions += compared.tally.attentions;
        problem = compared.problem;
        report.verified = whole(&problem);
    }
    report.interrupted = interrupted.load(Ordering::Relaxed);
    report.notes(notes);
    finish(cli, report, problem)
}

/// Sets the flag on the first Ctrl-C (and SIGTERM), and ends at once on the
/// second.
fn on_interrupt() -> Result<Arc<AtomicBool>, Problem> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(
            signal,
            INTERRUPTED.into(),
            Arc::clone(&flag),
        )
        .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)))
        .map_err(|error| Problem::file("a handler for signals", &error))?;
    }
    Ok(flag)
}

/// A file ends where the copy begins, as dd has it.
fn cut_files(plan: &Plan, targets: &[End]) -> Result<(), Problem> {
    for target in targets {
        if let Kind::File(file) = &target.kind {
            let begin = plan.seek.saturating_mul(plan.block_length.into());
            file.set_len(begin)
                .map_err(|error| file_problem(&target.path, &error))?;
        }
    }
    Ok(())
}

fn sync(targets: &[End], attentions: &mut u64) -> Result<(), Problem> {
    for target in targets {
        match &target.kind {
            Kind::Node(node) => {
                once_more(attentions, || {
                    node.device.execute(&SynchronizeCache10::all())
                })?;
            }
            Kind::File(file) => file
                .sync_all()
                .map_err(|error| file_problem(&target.path, &error))?,
            Kind::Stream(_) => {}
        }
    }
    Ok(())
}

/// Shows the report and gives the exit code.
fn finish(cli: &Cli, mut report: Report, problem: Option<Problem>) -> Result<ExitCode, Problem> {
    if let Some(problem) = &problem {
        output::complain("copy", &problem.message);
        report.error = problem.to_json();
    }
    if cli.to_stdout() {
        report
            .print(&mut io::stderr().lock())
            .map_err(|error| Problem::file("standard error", &error))?;
    } else {
        output::result(|out| {
            if cli.json {
                output::json(out, &report.to_json())
            } else {
                report.print(out)
            }
        })?;
    }
    Ok(match problem {
        Some(problem) => problem.exit_code(),
        None if report.interrupted => ExitCode::from(INTERRUPTED),
        None if report.errors() > 0 => ExitCode::from(Code::Device as u8),
        None => ExitCode::SUCCESS,
    })
}

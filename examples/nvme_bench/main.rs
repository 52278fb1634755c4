//! How fast NVMe namespaces are, by commands through `io_uring`: commands and bytes
//! in a second, latencies, system calls.
//!
//! ```text
//! nvme_bench /dev/ng0n1
//! nvme_bench /dev/ng0n1 --fixed --polled --batch 32
//! nvme_bench /dev/ng0n1 --depth 1 --count 10000 --json | jq .latency.p99
//! nvme_bench /dev/ng0n1 --rw randwrite --write        destroys what is there
//! ```
//!
//! It has the options of `t/io_uring` (of fio) that matter for commands of drivers,
//! by names of their own.
//!
//! The text is for people and may change; programs use `--json`, whose keys are
//! listed in [`report::JSON_KEYS`] and stay.

mod arguments;
mod crew;
mod drive;
mod guard;
mod latency;
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
mod tally;
mod worker;

use std::{
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool, atomic::Ordering},
};

use arguments::{Cli, EXAMPLES};
use problem::{Code, ERROR_KEYS, EXIT_CODES, Problem};
use report::{JSON_KEYS, Report};

const OWN_CODES: &str = "\
Of nvme_bench alone: 2 and 3 also if the run went on after a command had failed;
4 also for a namespace that is refused; 130 after Ctrl-C.";

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
            let path = cli.devices.first().filter(|_| for_programs);
            output::fail("nvme_bench", &problem, path.map(|path| &**path))
        }
    }
}

fn run(cli: &Cli) -> Result<ExitCode, Problem> {
    cli.check()?;
    let interrupted = on_interrupt()?;
    let drives = drive::open(cli)?;
    let tallies = crew::run(cli, &drives, &interrupted)?;
    let report = Report::new(cli, &drives, tallies, interrupted.load(Ordering::Relaxed));
    if let Some(problem) = report.problem() {
        output::complain("nvme_bench", &problem.message);
    }
    output::result(|out| {
        if cli.json {
            output::json(out, &report.to_json())
        } else {
            report.print(out)
        }
    })?;
    Ok(match report.problem() {
        Some(problem) => problem.exit_code(),
        None if interrupted.load(Ordering::Relaxed) => ExitCode::from(INTERRUPTED),
        None => ExitCode::SUCCESS,
    })
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

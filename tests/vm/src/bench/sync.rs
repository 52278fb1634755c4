//! READ(10) of 64 KiB and of one block, one after the other on a sg node: the crate beside the same calls in C, and beside
//! `ioctl(SG_IO)`, which the crate does not use because signals make the kernel send its commands again.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::{Figures, run_job};
use crate::cargo;
use crate::cc::SYNC_READ;
use crate::emulator::Emulator;
use crate::job::Job;
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../../guest/bench_sync.sh");

/// The example with the crate's side of the comparison: `bench_sync DEVICE COUNT` prints `name nanoseconds` lines.
const EXAMPLE: &str = "bench_sync";

/// The C figure that the crate's are compared with.
const BASE: &str = "c wr";

/// Blocks in a command, what to call that, and how much slower than the same calls in C the crate may be. With one block
/// little is copied, so that the calls themselves show.
const SIZES: [(u32, &str, f64); 2] = [(128, "64 KiB", 1.03), (1, "one block", 1.10)];

/// Runs both sides in one boot and compares the least of five.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series], &[Emulator::default()], &[])?;
    let mut job = Job {
        script: SCRIPT.to_owned(),
        count_instructions: true,
        ..Job::default()
    };
    job.program(SYNC_READ.name, &SYNC_READ.build(workspace)?);
    for (name, file) in cargo::examples(workspace, &[EXAMPLE], true)? {
        job.program(&name, &file);
    }
    let ended = run_job(workspace, &packages, &job)?;
    let mut code = ExitCode::SUCCESS;
    for (blocks, size, limit) in SIZES {
        let figures = Figures::of(&ended.stdout, &blocks.to_string());
        println!(
            "READ(10) of {size} on scsi_debug (fake_rw), kernel {}, per command",
            ended.kernel
        );
        print!("{}", figures.table(BASE));
        for fault in faults(&figures, limit)? {
            step(format!("FAILED: {fault}"));
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// What takes longer than allowed, in words.
fn faults(figures: &Figures, limit: f64) -> Result<Vec<String>> {
    let base = figures
        .least(BASE)
        .context("the C program printed no figure")?;
    let ours: Vec<_> = figures
        .0
        .keys()
        .filter(|name| name.starts_with("rust "))
        .collect();
    if ours.is_empty() {
        bail!("the example {EXAMPLE} printed no `name nanoseconds` line");
    }
    Ok(ours
        .into_iter()
        .map(|name| (name, figures.least(name).unwrap_or(f64::INFINITY) / base))
        .filter(|(_, ratio)| *ratio > limit)
        .map(|(name, ratio)| {
            format!(
                "`{name}` takes at least {ratio:.4} times what `{BASE}` takes; {limit} is allowed"
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_apart_and_judged() {
        let text = "128 c wr 100\n1 c wr 10\n128 rust passthru 103\n1 rust passthru 12\n";
        let large = Figures::of(text, "128");
        assert_eq!(large.least("c wr"), Some(100.0));
        assert!(faults(&large, 1.03).unwrap().is_empty());
        assert_eq!(faults(&large, 1.02).unwrap().len(), 1);
        let disturbed = Figures::read("c wr 100\nrust passthru 120\nrust passthru 103\n");
        assert!(faults(&disturbed, 1.03).unwrap().is_empty());
        let small = Figures::of(text, "1");
        assert_eq!(faults(&small, 1.10).unwrap().len(), 1);
        assert!(faults(&Figures::read("c wr 1\n"), 1.0).is_err());
    }
}

//! READ(10) of 64 KiB, one after the other on a sg node: the crate beside the same calls in C, and beside
//! `ioctl(SG_IO)`, which the crate does not use because signals make the kernel send its commands again.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use super::Figures;
use crate::cargo;
use crate::cc::SYNC_READ;
use crate::job::Job;
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../../guest/bench_sync.sh");

/// The example with the crate's side of the comparison: `bench_sync DEVICE COUNT` prints `name nanoseconds` lines.
const EXAMPLE: &str = "bench_sync";

/// The C figure that the crate's are compared with.
const BASE: &str = "c wr";

/// How much slower than the same calls in C the crate may be.
const LIMIT: f64 = 1.03;

/// Runs both sides in one boot and compares the medians.
pub(super) fn run(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let packages = Packages::ensure(workspace, &[series])?;
    let mut job = Job {
        script: SCRIPT.to_owned(),
        count_instructions: true,
        ..Job::default()
    };
    job.program(SYNC_READ.name, &SYNC_READ.build(workspace)?);
    for (name, file) in cargo::examples(workspace, &[EXAMPLE], true)? {
        job.program(&name, &file);
    }
    let kernel = packages
        .kernels
        .first()
        .context("one kernel was asked for")?;
    let ended = vm::run(workspace, &packages, kernel, &job, Show::Collected)?;
    if !ended.report(kernel) || ended.code != Some(0) {
        bail!(
            "the bench did not run to its end (exit code {:?}); it printed:\n{}",
            ended.code,
            ended.stdout
        );
    }
    let figures = Figures::read(&ended.stdout);
    println!(
        "64 KiB READ(10) on scsi_debug (fake_rw), kernel {}, per command",
        kernel.version
    );
    print!("{}", figures.table(BASE));
    judge(&figures)
}

fn judge(figures: &Figures) -> Result<ExitCode> {
    let base = figures
        .median(BASE)
        .context("the C program printed no figure")?;
    let ours: Vec<_> = figures
        .0
        .keys()
        .filter(|name| name.starts_with("rust "))
        .collect();
    if ours.is_empty() {
        bail!("the example {EXAMPLE} printed no `name nanoseconds` line");
    }
    let mut code = ExitCode::SUCCESS;
    for name in ours {
        let ratio = figures.median(name).unwrap_or(f64::INFINITY) / base;
        if ratio > LIMIT {
            step(format!(
                "FAILED: `{name}` takes {ratio:.4} times what `{BASE}` takes; {LIMIT} is allowed"
            ));
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

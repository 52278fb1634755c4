//! `cargo vm run`: one example in a guest, as if it ran here.

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::cargo;
use crate::emulator::Emulator;
use crate::job::{Job, SCSI_DEBUG, quote};
use crate::kernel::Series;
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

/// Builds an example, runs it in a guest, and gives its exit code.
pub(crate) fn run(
    workspace: &Workspace,
    series: Series,
    emulator: Emulator,
    faults: Option<&str>,
    example: &str,
    arguments: &[String],
) -> Result<ExitCode> {
    let programs = cargo::examples(workspace, &[example], false)?;
    let packages = Packages::ensure(workspace, &[series], &[emulator], &[])?;
    let mut words = vec![quote(example)];
    words.extend(arguments.iter().map(|argument| quote(argument)));
    let mut job = Job {
        script: words.join(" "),
        emulator,
        scsi_debug: Some(format!("{SCSI_DEBUG} {}", faults.unwrap_or_default())),
        ..Job::default()
    };
    for (name, file) in &programs {
        job.program(name, file);
    }
    let kernel = packages
        .kernels
        .first()
        .context("one kernel was asked for")?;
    let ended = vm::run(workspace, &packages, kernel, &job, Show::Plain)?;
    let healthy = ended.report(kernel);
    Ok(match ended.code {
        Some(0) | None if !healthy => ExitCode::FAILURE,
        Some(code) => ExitCode::from(code),
        None => ExitCode::FAILURE,
    })
}

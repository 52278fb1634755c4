//! `cargo vm demo`: the crate's main job, asking devices who they are, on each kind of node.

use std::process::ExitCode;

use anyhow::Result;

use crate::cargo;
use crate::emulator::Emulator;
use crate::job::{Job, SCSI_DEBUG};
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

const SCRIPT: &str = include_str!("../guest/demo.sh");
const EXAMPLES: [&str; 3] = ["inquiry", "list", "raw"];

/// Boots one kernel and shows `list`, and `inquiry` and `raw` on all its SCSI nodes.
pub(crate) fn demo(workspace: &Workspace, series: Series) -> Result<ExitCode> {
    let known = cargo::targets(workspace, "example")?;
    let (there, missing): (Vec<_>, Vec<_>) = EXAMPLES
        .iter()
        .partition(|&&name| known.iter().any(|k| k == name));
    for name in missing {
        println!("the example `{name}` does not exist");
    }
    if there.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let packages = Packages::ensure(workspace, &[series], &[Emulator::default()], &[])?;
    let mut job = Job {
        script: SCRIPT.to_owned(),
        scsi_debug: Some(SCSI_DEBUG.to_owned()),
        ..Job::default()
    };
    for (name, file) in cargo::examples(workspace, &there, false)? {
        job.program(&name, &file);
    }
    for kernel in &packages.kernels {
        let ended = vm::run(workspace, &packages, kernel, &job, Show::Plain)?;
        if !ended.report(kernel) || ended.code != Some(0) {
            step(format!("kernel {}: the demo FAILED", kernel.series));
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

//! `cargo vm shell`: a shell in a guest.

use std::io::IsTerminal as _;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::cargo;
use crate::cc::SG_IO_LOOP;
use crate::emulator::Emulator;
use crate::job::{Job, SCSI_DEBUG};
use crate::kernel::Series;
use crate::output::step;
use crate::packages::Packages;
use crate::peers;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

/// Connects the terminal with a guest's serial port. All examples and the usual peers are in the guest's PATH.
pub(crate) fn shell(workspace: &Workspace, series: Series, emulator: Emulator) -> Result<ExitCode> {
    if !std::io::stdin().is_terminal() {
        bail!(
            "`cargo vm shell` needs a terminal; without one use `cargo vm run EXAMPLE ARGUMENTS...`, \
             which has the test drive by --disc"
        );
    }
    let packages = Packages::ensure(workspace, &[series], &[emulator], &peers::usual())?;
    let size = terminal_size().unwrap_or_else(|| "rows 24 cols 80".to_owned());
    let script = format!(
        "stty {size} -F /dev/ttyS1\n\
         export TERM={} ENV=/tmp/shrc\n\
         echo 'alias modprobe=/sbin/modprobe' >$ENV\n\
         setsid sh -c 'cd /root; exec sh -i 0<>/dev/ttyS1 1>&0 2>&0'\nexit 0\n",
        crate::job::quote(&std::env::var("TERM").unwrap_or_else(|_| "vt100".to_owned()))
    );
    let mut job = Job {
        script,
        scsi_debug: Some(SCSI_DEBUG.to_owned()),
        terminal: true,
        emulator,
        peers: peers::usual()
            .into_iter()
            .filter(|name| packages.peers.iter().any(|peer| peer.name == *name))
            .collect(),
        ..Job::default()
    };
    for (name, file) in cargo::examples(workspace, &[], false)? {
        job.program(&name, &file);
    }
    job.program(SG_IO_LOOP.name, &SG_IO_LOOP.build(workspace)?);
    let kernel = packages
        .kernels
        .first()
        .context("one kernel was asked for")?;
    step("the prompt comes in about 15 s; leave with `exit` or Ctrl-A X");
    let saved = stty(&["-g"]);
    let ended = vm::run(workspace, &packages, kernel, &job, Show::Plain);
    if let Some(saved) = saved {
        stty(&[saved.trim()]);
    }
    // Leaving with Ctrl-A X ends the guest before its job, which is no fault here.
    let trouble = ended?
        .faults
        .into_iter()
        .filter(|fault| fault.starts_with("the kernel reports"));
    Ok(if trouble.map(step).count() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn terminal_size() -> Option<String> {
    let size = stty(&["size"])?;
    let (rows, columns) = size.trim().split_once(' ')?;
    Some(format!("rows {rows} cols {columns}"))
}

/// Runs `stty` on this program's terminal.
fn stty(arguments: &[&str]) -> Option<String> {
    let output = Command::new("stty")
        .args(arguments)
        .stdin(Stdio::inherit())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

//! `cargo vm run`: one example in a guest, as if it ran here.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::cargo;
use crate::emulator::Emulator;
use crate::job::{Job, SCSI_DEBUG, quote};
use crate::kernel::Series;
use crate::packages::Packages;
use crate::vm::{self, Show};
use crate::workspace::Workspace;

/// The folder of the test drive in the guest.
const FOLDER: &str = "/tmp/drive";

/// The optical drive in user space, if one is wanted.
#[derive(Debug, clap::Args)]
pub(crate) struct TestDrive {
    /// Add an optical drive that knows C2 pointers and subchannels, /dev/sg4 and /dev/sr2, with a disc of a data
    /// track and audio, or of audio alone
    #[arg(long, value_parser = ["default", "audio"])]
    disc: Option<String>,
    /// What goes wrong with that drive: a line as in `tests/mmc_drive/faults.rs`, `c2 250 100 8` (8 wrong bytes in
    /// sector 250) for one; can be given several times
    #[arg(long, value_name = "LINE", requires = "disc")]
    fault: Vec<String>,
}

impl TestDrive {
    /// `command` while the drive is there.
    fn around(&self, command: &str) -> String {
        let Some(disc) = &self.disc else {
            return command.to_owned();
        };
        let mut script = format!("mkdir {FOLDER}\n");
        for line in &self.fault {
            writeln!(script, "echo {} >>{FOLDER}/faults", quote(line)).expect("a String takes it");
        }
        format!(
            "{script}mmc_drive --disc {} {FOLDER} {command}",
            quote(disc)
        )
    }
}

/// Builds an example, runs it in a guest, and gives its exit code.
pub(crate) fn run(
    workspace: &Workspace,
    series: Series,
    emulator: Emulator,
    faults: Option<&str>,
    drive: &TestDrive,
    example: &str,
    arguments: &[String],
) -> Result<ExitCode> {
    let mut wanted = vec![example];
    wanted.extend(drive.disc.is_some().then_some("mmc_drive"));
    let programs = cargo::examples(workspace, &wanted, false)?;
    let packages = Packages::ensure(workspace, &[series], &[emulator], &[])?;
    let mut words = vec![quote(example)];
    words.extend(arguments.iter().map(|argument| quote(argument)));
    let mut job = Job {
        script: drive.around(&words.join(" ")),
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

#[cfg(test)]
mod tests {
    use super::TestDrive;

    #[test]
    fn a_command_runs_while_the_drive_is_there() {
        let none = TestDrive {
            disc: None,
            fault: Vec::new(),
        };
        assert_eq!(none.around("'list'"), "'list'");
        let drive = TestDrive {
            disc: Some("audio".to_owned()),
            fault: vec!["c2 250 100 8".to_owned()],
        };
        assert_eq!(
            drive.around("'readcd' '/dev/sg4'"),
            "mkdir /tmp/drive\n\
             echo 'c2 250 100 8' >>/tmp/drive/faults\n\
             mmc_drive --disc 'audio' /tmp/drive 'readcd' '/dev/sg4'"
        );
    }
}

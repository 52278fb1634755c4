//! One boot from start to end.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::console;
use crate::initrd;
use crate::job::Job;
use crate::kernel::Kernel;
use crate::output::{Prefixed, step};
use crate::packages::Packages;
use crate::qemu::{Files, Machine, Piece, read_status};
use crate::workspace::Workspace;

/// What happens to the guest's output while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// Shown on stdout, each line headed by the kernel.
    Headed,
    /// Passed on unchanged, stdout to stdout and stderr to stderr.
    Plain,
    /// stdout is only collected; stderr is passed on.
    Collected,
}

/// How a boot ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The job's exit code; none if the guest did not come so far.
    pub(crate) code: Option<u8>,
    /// All that the job wrote to stdout.
    pub(crate) stdout: String,
    /// What was wrong apart from the exit code: trouble on the console, a timeout, a guest that died.
    pub(crate) faults: Vec<String>,
}

impl Ended {
    /// Says the faults, and whether there were none.
    pub(crate) fn report(&self, kernel: &Kernel) -> bool {
        for fault in &self.faults {
            step(format!("kernel {}: FAILED: {fault}", kernel.series));
        }
        self.faults.is_empty()
    }
}

/// How often it is booted if a kernel dies while it boots, or the emulator breaks down.
const BOOTS: u32 = 3;

/// Boots a kernel, lets it do a job, and waits for its end.
///
/// A kernel that dies before the job has begun is booted again, and that is said: with several processors QEMU now and
/// then runs half of an instruction that the booting kernel is patching (int3 in `sched_clock_cpu`, for one). Nothing of
/// ours has run by then. Once the job has begun there is one try.
pub(crate) fn run(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    job: &Job,
    show: Show,
) -> Result<Ended> {
    for boot in 1..BOOTS {
        let (ended, again) = boot_once(workspace, packages, kernel, job, show)?;
        let Some(reason) = again else {
            return Ok(ended);
        };
        for fault in &ended.faults {
            step(format!("kernel {}: {fault}", kernel.series));
        }
        step(format!(
            "kernel {}{}: {reason}; booting again ({} of {BOOTS}), and all of the job again",
            kernel.series,
            job.emulator.suffix(),
            boot + 1
        ));
    }
    Ok(boot_once(workspace, packages, kernel, job, show)?.0)
}

/// One boot, and why it shall be booted again, if that says nothing of the job: the kernel died before the job began, or
/// the emulator broke down. A kernel that hangs has not died.
fn boot_once(
    workspace: &Workspace,
    packages: &Packages,
    kernel: &Kernel,
    job: &Job,
    show: Show,
) -> Result<(Ended, Option<&'static str>)> {
    let folder = workspace.run_folder()?;
    let initrd = initrd::build(workspace, packages, kernel, job, &folder.path)?;
    let files = Files::new(&folder.path, initrd);
    let log = workspace.vm.join(format!(
        "console-{}{}.log",
        kernel.series,
        job.emulator.log_suffix()
    ));
    let _ = fs::remove_file(&log);
    // While the guest runs, the log can be followed by its lasting name.
    symlink(&files.console, &log)?;
    step(format!(
        "booting kernel {} ({}){}; its messages: {}",
        kernel.series,
        kernel.version,
        job.emulator.suffix(),
        log.display()
    ));
    let mut machine = Machine::start(packages.qemu(job.emulator)?, kernel, job, &files)?;
    let mut watch = Watch::new(
        format!("{}{}", kernel.series, job.emulator.suffix()),
        show,
        &files,
        (!job.terminal).then_some(workspace.timeout),
    );
    let timed_out = watch.follow(&mut machine)?;
    let broken_down = machine.has_broken_down();
    machine.kill();
    let (start, code) = read_status(&files.status);
    let text = console::read(&files.console);
    let _ = fs::rename(&files.console, &log);
    let faults = faults(&text, code, timed_out.then_some(workspace.timeout), &log);
    let ended = Ended {
        code,
        stdout: String::from_utf8_lossy(&watch.stdout).into_owned(),
        faults,
    };
    let again = if broken_down {
        Some("the emulator broke down")
    } else if start.is_none() && !timed_out {
        Some("died while booting, before the job began")
    } else {
        None
    };
    Ok((ended, again))
}

fn faults(
    console: &str,
    code: Option<u8>,
    timed_out: Option<Duration>,
    log: &std::path::Path,
) -> Vec<String> {
    let reports = console::trouble(console);
    let mut faults: Vec<_> = reports
        .iter()
        .map(|report| format!("the kernel reports trouble:\n{report}"))
        .collect();
    let last = || {
        format!(
            "the last lines of {}:\n{}",
            log.display(),
            console::tail(console, 20)
        )
    };
    if let Some(limit) = timed_out {
        faults.push(format!(
            "not finished after {} s, killed; {}",
            limit.as_secs(),
            last()
        ));
    } else if code.is_none() {
        faults.push(format!("the guest ended before its job did; {}", last()));
    }
    faults
}

/// Follows a running machine.
struct Watch {
    show: Show,
    prefixed: Prefixed,
    stdout: Vec<u8>,
    machine: String,
    status: PathBuf,
    started: Instant,
    limit: Option<Duration>,
    job_started: bool,
}

impl Watch {
    fn new(machine: String, show: Show, files: &Files, limit: Option<Duration>) -> Self {
        Self {
            show,
            prefixed: Prefixed::new(&machine),
            stdout: Vec::new(),
            machine,
            status: files.status.clone(),
            started: Instant::now(),
            limit,
            job_started: false,
        }
    }

    /// Until the machine ends (false) or its time is up (true).
    fn follow(&mut self, machine: &mut Machine) -> Result<bool> {
        let mut timed_out = false;
        loop {
            match machine.output.recv_timeout(Duration::from_millis(50)) {
                Ok(piece) => self.piece(piece)?,
                // With the terminal there are no pipes; the machine's end is then seen by its process.
                Err(RecvTimeoutError::Disconnected) if machine.has_ended() => break,
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.say_start();
            if !timed_out
                && self
                    .limit
                    .is_some_and(|limit| self.started.elapsed() > limit)
            {
                timed_out = true;
                machine.kill();
            }
        }
        if self.show == Show::Headed {
            io::stdout().write_all(self.prefixed.finish())?;
        }
        io::stdout().flush()?;
        Ok(timed_out)
    }

    fn piece(&mut self, piece: Piece) -> Result<()> {
        match (&piece, self.show) {
            (Piece::Stdout(bytes) | Piece::Stderr(bytes), Show::Headed) => {
                io::stdout().write_all(&self.prefixed.head(bytes))?;
                io::stdout().flush()?;
            }
            (Piece::Stdout(bytes), Show::Plain) => {
                io::stdout().write_all(bytes)?;
                io::stdout().flush()?;
            }
            (Piece::Stderr(bytes), Show::Plain | Show::Collected) => {
                io::stderr().write_all(bytes)?;
            }
            (Piece::Stdout(_), Show::Collected) => {}
        }
        if let Piece::Stdout(bytes) = piece {
            self.stdout.extend(bytes);
        }
        Ok(())
    }

    fn say_start(&mut self) {
        if self.job_started || self.show == Show::Plain {
            return;
        }
        if let (Some(uptime), _) = read_status(&self.status) {
            self.job_started = true;
            let seconds = self.started.elapsed().as_secs_f32();
            step(format!(
                "kernel {}: up after {seconds:.1} s ({uptime} s in the guest)",
                self.machine
            ));
        }
    }
}

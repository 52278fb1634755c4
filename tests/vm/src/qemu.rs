//! The machine: QEMU's command line, its drives, and its process.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::{Context, Result};

use crate::emulator::Qemu;
use crate::job::Job;
use crate::kernel::Kernel;
use crate::nvme;
use crate::workspace::{clean_command, which};

/// The signal of an assertion that does not hold (signal(7)).
const SIGABRT: i32 = 6;

/// Size of the SCSI disk.
const DISK_BYTES: u64 = 64 << 20;
/// Size of each CD, in sectors of 2048 bytes.
const CD_SECTORS: u32 = 2048;

/// A piece of what the guest printed.
#[derive(Debug)]
pub(crate) enum Piece {
    /// From the job's stdout.
    Stdout(Vec<u8>),
    /// From the job's stderr, or from QEMU itself.
    Stderr(Vec<u8>),
}

/// A running QEMU. It is killed on drop, and also when this program is killed.
#[derive(Debug)]
pub(crate) struct Machine {
    child: Child,
    /// What the guest prints; ends when QEMU has ended. Nothing comes for a job at the terminal.
    pub(crate) output: Receiver<Piece>,
}

/// The files of one boot.
#[derive(Debug)]
pub(crate) struct Files {
    /// Kernel messages.
    pub(crate) console: PathBuf,
    /// Lines from the guest's init.
    pub(crate) status: PathBuf,
    initrd: PathBuf,
    folder: PathBuf,
}

impl Files {
    /// Names the files in a run's folder.
    pub(crate) fn new(folder: &Path, initrd: PathBuf) -> Self {
        Self {
            console: folder.join("console.log"),
            status: folder.join("status"),
            initrd,
            folder: folder.to_owned(),
        }
    }

    /// Makes the drives: empty disks (sparse), and CDs whose sector n is n as a big-endian u32, repeated.
    fn make_drives(&self) -> Result<()> {
        File::create(self.folder.join("disk"))?.set_len(DISK_BYTES)?;
        nvme::make_files(&self.folder)?;
        let mut cd = BufWriter::new(File::create(self.folder.join("cd"))?);
        for sector in 0..CD_SECTORS {
            cd.write_all(&sector.to_be_bytes().repeat(512))?;
        }
        cd.flush()?;
        Ok(())
    }
}

impl Machine {
    /// Starts QEMU.
    pub(crate) fn start(qemu: &Qemu, kernel: &Kernel, job: &Job, files: &Files) -> Result<Self> {
        files
            .make_drives()
            .context("cannot make the guest's drives")?;
        let mut command = base_command(qemu);
        command.args(arguments(qemu, kernel, job, files));
        if job.terminal {
            command
                .stdin(Stdio::inherit())
                .stdout(Stdio::inherit())
                .stderr(Stdio::inherit());
        } else {
            command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        }
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", qemu.program.display()))?;
        let (sender, output) = channel();
        if let Some(stdout) = child.stdout.take() {
            forward(stdout, sender.clone(), Piece::Stdout);
        }
        if let Some(stderr) = child.stderr.take() {
            forward(stderr, sender, Piece::Stderr);
        }
        Ok(Self { child, output })
    }

    /// Whether QEMU has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether QEMU ended itself because something is wrong in it (an assertion). No guest can have it end in this way:
    /// the panic of a kernel is an ordinary end.
    pub(crate) fn has_broken_down(&mut self) -> bool {
        broken_down(self.child.try_wait())
    }

    /// Ends QEMU at once.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn broken_down(ended: io::Result<Option<ExitStatus>>) -> bool {
    ended
        .ok()
        .flatten()
        .and_then(|status| status.signal())
        .is_some_and(|signal| signal == SIGABRT)
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}

/// QEMU under `setpriv --pdeathsig`, so that it ends with this program however that ends. The library path is only for
/// QEMU, so `env` sets it after setpriv.
fn base_command(qemu: &Qemu) -> Command {
    let Some(setpriv) = which("setpriv") else {
        let mut command = clean_command(&qemu.program);
        command.envs(qemu.environment());
        return command;
    };
    let mut command = clean_command(setpriv);
    command.args(["--pdeathsig", "KILL", "env"]);
    command.args(
        qemu.environment()
            .iter()
            .map(|(name, value)| format!("{name}={value}")),
    );
    command.arg(&qemu.program);
    command
}

fn arguments(qemu: &Qemu, kernel: &Kernel, job: &Job, files: &Files) -> Vec<String> {
    let folder = files.folder.display();
    let mut all: Vec<String> = Vec::new();
    let mut add = |words: &[&str]| all.extend(words.iter().map(|&word| word.to_owned()));

    // There is no KVM to rely on, so all machines behave alike with QEMU's own translator.
    if job.count_instructions {
        add(&[
            "-accel",
            "tcg,thread=single",
            "-icount",
            "shift=0,sleep=off",
            "-smp",
            "1",
        ]);
    } else {
        add(&["-accel", "tcg,thread=multi", "-smp", "2"]);
    }
    let processor = if job.copy_by_words {
        "max,-erms"
    } else {
        "max"
    };
    add(&["-machine", "q35", "-cpu", processor, "-m", "1024"]);
    add(&[
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-no-reboot",
    ]);
    if let Some(tree) = &qemu.unpacked {
        for firmware in ["usr/share/qemu", "usr/share/seabios"] {
            add(&["-L", &tree.join(firmware).display().to_string()]);
        }
    }
    add(&[
        "-kernel",
        &kernel.image.display().to_string(),
        "-initrd",
        &files.initrd.display().to_string(),
    ]);
    add(&["-append", &kernel_command_line()]);

    // Kernel messages on the first serial port; a shell on the second.
    add(&[
        "-chardev",
        &format!("file,id=console,path={}", files.console.display()),
        "-serial",
        "chardev:console",
    ]);
    if job.terminal {
        add(&[
            "-chardev",
            "stdio,id=terminal,mux=on,signal=off",
            "-serial",
            "chardev:terminal",
        ]);
    }
    // The job's output: ports that are no terminals, so that bytes pass unchanged.
    let (stdout, stderr) = if job.terminal {
        ("/dev/null", "/dev/null")
    } else {
        ("/dev/fd/1", "/dev/fd/2")
    };
    let status = files.status.display().to_string();
    add(&["-device", "virtio-serial-pci,id=ports"]);
    for (name, path) in [
        ("stdout", stdout),
        ("stderr", stderr),
        ("status", status.as_str()),
    ] {
        add(&["-chardev", &format!("file,id={name},path={path},append=on")]);
        add(&[
            "-device",
            &format!("virtserialport,bus=ports.0,chardev={name},name={name}"),
        ]);
    }

    for (name, file, options) in [
        ("disk", "disk", ""),
        ("cd", "cd", ",readonly=on"),
        ("atacd", "cd", ",readonly=on"),
    ] {
        add(&[
            "-drive",
            &format!("if=none,id={name},format=raw,cache=unsafe,file={folder}/{file}{options}"),
        ]);
    }
    add(&["-device", "virtio-scsi-pci,id=scsi"]);
    add(&[
        "-device",
        "scsi-hd,bus=scsi.0,channel=0,scsi-id=0,lun=0,drive=disk,serial=PTDISK01",
    ]);
    add(&[
        "-device",
        "scsi-cd,bus=scsi.0,channel=0,scsi-id=1,lun=0,drive=cd,serial=PTCD01",
    ]);
    add(&["-device", "ide-cd,bus=ide.0,drive=atacd,serial=PTATACD01"]);
    // A SAS host without drives: it has a bsg node that is no logical unit.
    add(&["-device", "mptsas1068"]);
    all.extend(nvme::arguments(
        &files.folder,
        job.emulator,
        job.count_instructions,
    ));
    all
}

/// A panic ends the machine. The watchdogs are patient: a translated processor on a busy machine is slow.
fn kernel_command_line() -> String {
    "console=ttyS0 panic=-1 oops=panic rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60 \
     random.trust_cpu=on"
        .to_owned()
}

fn forward(mut from: impl Read + Send + 'static, to: Sender<Piece>, piece: fn(Vec<u8>) -> Piece) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            if to.send(piece(buffer[..count].to_vec())).is_err() {
                break;
            }
        }
    });
}

/// Reads the status file: (uptime at which the job started, its exit code).
pub(crate) fn read_status(path: &Path) -> (Option<String>, Option<u8>) {
    let text = fs::read_to_string(path).unwrap_or_default();
    let value = |key: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(key))
            .map(str::to_owned)
    };
    (
        value("start "),
        value("exit ").and_then(|code| code.parse().ok()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_assertion_is_a_breakdown() {
        let ended = |script: &str| {
            let status = Command::new("sh").args(["-c", script]).status();
            broken_down(status.map(Some))
        };
        assert!(ended("kill -ABRT $$"));
        for script in [
            "exit 0",
            "exit 1",
            "exit 134",
            "kill -KILL $$",
            "kill -SEGV $$",
        ] {
            assert!(!ended(script), "{script}");
        }
        assert!(!broken_down(Ok(None)));
        assert!(!broken_down(Err(io::ErrorKind::NotFound.into())));
    }
}

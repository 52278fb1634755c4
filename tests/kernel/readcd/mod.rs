//! The program `readcd` on real nodes: the test drive, and QEMU's CD drives.

mod c2;
#[path = "../../common/folder.rs"]
mod folder;
mod mapped;
mod output;
mod qemu;
mod rights;
mod stdout;
mod table;
mod trouble;

use std::{
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;

use self::folder::Folder;
use crate::mmc_drive::{TestDrive, get};

/// No test here takes so long but by an error.
const DEADLINE: Duration = Duration::from_secs(120);

/// What a run came to.
#[derive(Debug)]
struct Run {
    code: i32,
    /// What it printed; null for nothing.
    told: Value,
    stderr: String,
}

impl Run {
    fn kind(&self) -> &str {
        self.told["error"]["kind"].as_str().unwrap_or_default()
    }

    fn message(&self) -> &str {
        self.told["error"]["message"].as_str().unwrap_or_default()
    }

    fn number(&self, key: &str) -> u64 {
        let value = self.told.pointer(key);
        let number = value.and_then(Value::as_u64);
        number.unwrap_or_else(|| panic!("{key}: {self:?}"))
    }
}

fn command(node: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("readcd");
    command.arg(node).args(arguments).arg("--json");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn start(node: &Path, arguments: &[&str]) -> Child {
    command(node, arguments).spawn().unwrap()
}

/// Waits for it, not for ever.
fn output_of(child: Child) -> Output {
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    receiver.recv_timeout(DEADLINE).unwrap_or_else(|_| {
        signal(id, libc::SIGKILL);
        panic!("still running after {DEADLINE:?}");
    })
}

fn signal(process: u32, signal: i32) {
    // SAFETY: kill has no preconditions; the process is a child that was not waited for.
    unsafe { libc::kill(process as libc::pid_t, signal) };
}

fn end_of(child: Child) -> Run {
    let output = output_of(child);
    Run {
        code: output.status.code().unwrap_or(-1),
        told: serde_json::from_slice(&output.stdout).unwrap_or_default(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs it, and checks the exit code.
fn readcd(code: i32, node: &Path, arguments: &[&str]) -> Run {
    let run = end_of(start(node, arguments));
    assert_eq!(run.code, code, "{} {arguments:?}: {run:?}", node.display());
    run
}

/// The same as another user.
fn readcd_as(user: u32, code: i32, node: &Path, arguments: &[&str]) -> Run {
    let run = end_of(
        command(node, arguments)
            .uid(user)
            .gid(user)
            .spawn()
            .unwrap(),
    );
    assert_eq!(run.code, code, "{} {arguments:?}: {run:?}", node.display());
    run
}

/// Error recovery page and current speed.
fn settings(drive: &TestDrive) -> (Vec<u8>, Vec<u8>) {
    let device = drive.open_sg();
    let page = |code: &str| get(&device, &format!("5a 00 {code} 00 00 00 00 00 ff 00"), 255);
    (page("01")[8..].to_vec(), page("2a")[22..24].to_vec())
}

/// As the drive has them at first: its own error recovery, 40 times.
fn assert_as_found(drive: &TestDrive) {
    let found = (
        vec![1, 10, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
        7056_u16.to_be_bytes().to_vec(),
    );
    assert_eq!(settings(drive), found);
}

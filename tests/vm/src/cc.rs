//! Builds the C programs that the guest gets.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::output::capture;
use crate::workspace::{Workspace, clean_command};

/// Sends READs with `ioctl(SG_IO)` under a signal timer.
pub(crate) const SG_IO_LOOP: Source = Source {
    name: "sg_io_loop",
    text: include_str!("../c/sg_io_loop.c"),
};

/// The C side of the bench `sync`.
pub(crate) const SYNC_READ: Source = Source {
    name: "sync_read",
    text: include_str!("../c/sync_read.c"),
};

/// Runs a program and prints how long that took.
pub(crate) const GUEST_TIME: Source = Source {
    name: "guest_time",
    text: include_str!("../c/guest_time.c"),
};

/// The C side of the bench `copy`.
pub(crate) const COPY_LOOP: Source = Source {
    name: "copy_loop",
    text: include_str!("../c/copy_loop.c"),
};

/// Reads a block node in the ways that the bench `copy` compares.
pub(crate) const READ_LOOP: Source = Source {
    name: "read_loop",
    text: include_str!("../c/read_loop.c"),
};

/// The C side of the bench `nvme`.
pub(crate) const IDENTIFY_LOOP: Source = Source {
    name: "identify_loop",
    text: include_str!("../c/identify_loop.c"),
};

/// The C side of the bench `ring`.
pub(crate) const RING_LOOP: Source = Source {
    name: "ring_loop",
    text: include_str!("../c/ring_loop.c"),
};

/// One C program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Its name in the guest.
    pub(crate) name: &'static str,
    text: &'static str,
}

impl Source {
    /// Compiles it with `cc -O2`.
    pub(crate) fn build(self, workspace: &Workspace) -> Result<PathBuf> {
        let folder = workspace.vm.join("c");
        fs::create_dir_all(&folder)?;
        let (source, program) = (
            folder.join(format!("{}.c", self.name)),
            folder.join(self.name),
        );
        fs::write(&source, self.text)?;
        let mut cc = clean_command("cc");
        cc.args(["-O2", "-pthread", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&program)
            .arg(&source);
        capture(&mut cc).context("a C compiler is needed: apt-get install gcc libc6-dev")?;
        Ok(program)
    }
}

//! Where the workspace is, and where this program keeps its own files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::cargo;
use crate::output::capture;

/// The folders everything works in.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The root of the cargo workspace.
    pub(crate) root: PathBuf,
    /// `target/vm`: packages, initrds, console logs.
    pub(crate) vm: PathBuf,
    /// How long one boot may take.
    pub(crate) timeout: Duration,
}

impl Workspace {
    /// Asks cargo where the target directory is and makes `vm` in it.
    pub(crate) fn find(timeout: Duration) -> Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .ancestors()
            .nth(2)
            .context("passthru-vm is not in its workspace")?;
        let mut metadata = cargo::command(root);
        metadata.args(["metadata", "--no-deps", "--format-version=1"]);
        let metadata: serde_json::Value = serde_json::from_slice(&capture(&mut metadata)?)?;
        let target = metadata["target_directory"]
            .as_str()
            .context("cargo metadata names no target_directory")?;
        let vm = Path::new(target).join("vm");
        fs::create_dir_all(&vm).with_context(|| format!("cannot make {}", vm.display()))?;
        let workspace = Self {
            root: root.to_owned(),
            vm,
            timeout,
        };
        workspace.remove_old_runs();
        Ok(workspace)
    }

    /// A new empty folder that goes away with the value.
    pub(crate) fn run_folder(&self) -> Result<RunFolder> {
        let path = self
            .vm
            .join("tmp")
            .join(format!("run-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(RunFolder { path })
    }

    /// Removes what runs that were killed have left: all in `tmp` is named after its process, `WHAT-PROCESS`.
    fn remove_old_runs(&self) {
        let Ok(entries) = fs::read_dir(self.vm.join("tmp")) else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let process = name.to_str().and_then(|name| name.rsplit_once('-'));
            if process.is_some_and(|(_, process)| !Path::new("/proc").join(process).exists()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// A folder for one boot; removed on drop.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// Where it is.
    pub(crate) path: PathBuf,
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The full path of a program in `PATH`.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

/// A command that does not see the library path `cargo run` sets for this program.
pub(crate) fn clean_command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_remove("LD_LIBRARY_PATH");
    command
}

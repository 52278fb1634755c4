//! The emulators: QEMU 7.2 for everything, and QEMU 10 for what only it has.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use clap::ValueEnum;

use crate::libraries;
use crate::output::capture_text;
use crate::workspace::{clean_command, which};

/// The program's name.
const PROGRAM: &str = "qemu-system-x86_64";

/// Which emulator a guest runs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emulator {
    /// The machine's own, or else Debian 12's.
    #[default]
    #[value(name = "7.2")]
    V7_2,
    /// The newer one for Debian 12: it has NVMe drives that 7.2 cannot do.
    #[value(name = "10")]
    V10,
}

impl Emulator {
    /// The folder of its packages.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::V7_2 => "qemu",
            Self::V10 => "qemu-10",
        }
    }

    /// What a boot in it is called: nothing for the usual one.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::V7_2 => "",
            Self::V10 => " (QEMU 10)",
        }
    }

    /// What the name of its log ends in.
    pub(crate) fn log_suffix(self) -> &'static str {
        match self {
            Self::V7_2 => "",
            Self::V10 => "-qemu10",
        }
    }
}

impl fmt::Display for Emulator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::V7_2 => "QEMU",
            Self::V10 => "QEMU 10",
        })
    }
}

/// An emulator's program and what it needs to start.
#[derive(Debug)]
pub(crate) struct Qemu {
    /// The program.
    pub(crate) program: PathBuf,
    /// The folder it was unpacked in; none if it is the machine's own.
    pub(crate) unpacked: Option<PathBuf>,
}

impl Qemu {
    /// The machine's own, if it is new enough.
    pub(crate) fn own(emulator: Emulator) -> Option<Self> {
        let program = which(PROGRAM)?;
        if emulator == Emulator::V10 {
            let version = capture_text(clean_command(&program).arg("--version")).ok()?;
            if major(&version)? < 10 {
                return None;
            }
        }
        Some(Self {
            program,
            unpacked: None,
        })
    }

    /// The one in a folder of unpacked packages.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self {
            program: folder.join("usr/bin").join(PROGRAM),
            unpacked: Some(folder.to_owned()),
        }
    }

    /// The variables that lead it to its own libraries and modules.
    pub(crate) fn environment(&self) -> Vec<(String, String)> {
        let Some(folder) = &self.unpacked else {
            return Vec::new();
        };
        let folders: Vec<_> = libraries::folders(folder)
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let modules = folder.join("usr/lib/x86_64-linux-gnu/qemu");
        vec![
            ("LD_LIBRARY_PATH".to_owned(), folders.join(":")),
            ("QEMU_MODULE_DIR".to_owned(), modules.display().to_string()),
        ]
    }

    /// Whether it is there and has all its libraries.
    pub(crate) fn starts(&self) -> bool {
        let mut command = clean_command(&self.program);
        command
            .envs(self.environment())
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.program.is_file() && command.status().is_ok_and(|status| status.success())
    }
}

/// The first number of what `--version` prints.
fn major(version: &str) -> Option<u32> {
    let (_, numbers) = version.split_once("version ")?;
    numbers.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let text = "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)\nCopyright (c)\n";
        assert_eq!(major(text), Some(7));
        assert_eq!(major("QEMU emulator version 10.0.2 (Debian)\n"), Some(10));
        assert_eq!(major("no such file"), None);
    }
}

//! What one boot shall do: a shell script for the guest and the programs it runs.

use std::path::{Path, PathBuf};

use crate::emulator::Emulator;

/// One boot's work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Job {
    /// Shell commands; the last one's exit code is the guest's.
    pub(crate) script: String,
    /// Programs as (name in /usr/local/bin, file on this machine). Their libraries come along.
    pub(crate) programs: Vec<(String, PathBuf)>,
    /// Programs of other projects, by their names in [`crate::peers`].
    pub(crate) peers: Vec<&'static str>,
    /// The parameters to load `scsi_debug` with before the script; none leaves it to the script.
    pub(crate) scsi_debug: Option<String>,
    /// The emulator to boot in.
    pub(crate) emulator: Emulator,
    /// Count instructions instead of time, on one processor. The machine then has the plain NVMe drive only.
    pub(crate) count_instructions: bool,
    /// A processor without fast string operations: the kernel then copies and clears memory 8 bytes with each
    /// instruction, where it would otherwise be one byte with each that is counted.
    pub(crate) copy_by_words: bool,
    /// Connect the guest's second serial port to the terminal.
    pub(crate) terminal: bool,
}

/// The parameters of `scsi_debug` where the script does not choose its own.
pub(crate) const SCSI_DEBUG: &str = "delay=0 dev_size_mb=64 num_tgts=1 max_luns=1";

impl Job {
    /// Adds a program.
    pub(crate) fn program(&mut self, name: &str, file: &Path) {
        self.programs.push((name.to_owned(), file.to_owned()));
    }
}

/// Quotes a word for the guest's shell.
pub(crate) fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_survive_the_shell() {
        let word = "it's $HOME; \"x\"";
        let script = format!("printf %s {}", super::quote(word));
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .output()
            .unwrap();
        assert_eq!(output.stdout, word.as_bytes());
    }
}

//! Saying what is done, and running the host's programs.

use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Says one step. Steps go to stderr, so that stdout is what the guest printed.
pub(crate) fn step(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "vm: {text}");
}

/// Runs a program and gives its stdout; its stderr becomes part of the error.
pub(crate) fn capture(command: &mut Command) -> Result<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    if !output.status.success() {
        let arguments: Vec<_> = command
            .get_args()
            .map(|a| a.to_string_lossy().into_owned())
            .collect();
        let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        bail!(
            "`{name} {}` failed ({}):\n{text}",
            arguments.join(" "),
            output.status
        );
    }
    Ok(output.stdout)
}

/// The same, as text.
pub(crate) fn capture_text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8_lossy(&capture(command)?).into_owned())
}

/// Prints guest output as it comes, each line headed by a name.
#[derive(Debug)]
pub(crate) struct Prefixed {
    prefix: String,
    inside_line: bool,
}

impl Prefixed {
    /// Heads lines with `[name] `.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            prefix: format!("[{name}] "),
            inside_line: false,
        }
    }

    /// Puts the heading into a piece of output. An unfinished line is shown at once and goes on with the next piece,
    /// so that the name of a test that hangs can be seen.
    pub(crate) fn head(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut headed = Vec::with_capacity(bytes.len() + self.prefix.len());
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            if !self.inside_line {
                headed.extend_from_slice(self.prefix.as_bytes());
            }
            headed.extend_from_slice(line);
            self.inside_line = !line.ends_with(b"\n");
        }
        headed
    }

    /// What ends an unfinished line.
    pub(crate) fn finish(&mut self) -> &'static [u8] {
        if std::mem::take(&mut self.inside_line) {
            b"\n"
        } else {
            b""
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_headed_once() {
        let mut prefixed = Prefixed::new("6.1");
        assert_eq!(prefixed.head(b"test a ... "), b"[6.1] test a ... ");
        assert_eq!(prefixed.head(b"ok\ntest b"), b"ok\n[6.1] test b");
        assert_eq!(prefixed.finish(), b"\n");
        assert_eq!(prefixed.head(b"x\n"), b"[6.1] x\n");
        assert_eq!(prefixed.finish(), b"");
    }
}

//! Runs an example that Cargo builds beside a test.

use std::process::{Command, Stdio};

/// The program, with nothing on its standard input.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap().join("examples");
    let file = folder.join(program);
    assert!(file.exists(), "run plain `cargo test --all-features`");
    let mut command = Command::new(file);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs it, checks the exit code, and gives (stdout, stderr).
pub(crate) fn run_for(program: &str, code: i32, arguments: &[&str]) -> (String, String) {
    let output = command(program, arguments).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}\n{stdout}{stderr}"
    );
    (stdout, stderr)
}

/// A usage error: exit code 1, nothing on stdout, and a message with `part`.
pub(crate) fn assert_usage(program: &str, arguments: &[&str], part: &str) {
    let (stdout, stderr) = run_for(program, 1, arguments);
    assert_eq!(stdout, "", "{arguments:?}");
    assert!(stderr.contains(part), "{arguments:?}: {stderr}");
}

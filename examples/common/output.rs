//! Writing to stdout and stderr without a panic, and bytes as hex.

use std::{
    fmt::Write as _,
    io::{self, BufWriter, Write},
    path::Path,
    process::ExitCode,
};

use passthru::scsi::Text;
use serde_json::{Value, json};

use crate::problem::Problem;

/// Writes a result to stdout. A reader that has gone away (`| head`) is no
/// problem.
pub(crate) fn result(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Problem> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::file("standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Writes one line to stderr. If that fails there is nobody left to tell.
pub(crate) fn complain(program: &str, message: &str) {
    let _ = writeln!(io::stderr().lock(), "{program}: {}", escaped(message));
}

/// The text with control characters escaped, so that neither a device nor a
/// file name can steer the terminal.
pub(crate) fn escaped(text: &str) -> String {
    Text::new(text.as_bytes()).to_string()
}

/// One JSON object in ASCII: a string of a device cannot hold what a terminal
/// would obey.
pub(crate) fn json(out: &mut dyn Write, value: &Value) -> io::Result<()> {
    let mut ascii = String::new();
    for c in format!("{value:#}").chars() {
        if c == '\n' || matches!(c, ' '..='~') {
            ascii.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(ascii, "\\u{unit:04x}");
        }
    }
    writeln!(out, "{ascii}")
}

/// The bytes as hex digits, two for each byte.
pub(crate) fn hex_string(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes as hex digits with spaces between them.
pub(crate) fn hex_spaced(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    pairs.join(" ")
}

/// Lines of 16 bytes: offset, hex, ASCII.
pub(crate) fn dump(out: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    for (row, line) in bytes.chunks(16).enumerate() {
        let (left, right) = line.split_at(line.len().min(8));
        let ascii: String = line
            .iter()
            .map(|&byte| match byte {
                b' '..=b'~' => char::from(byte),
                _ => '.',
            })
            .collect();
        writeln!(
            out,
            "{:08x}  {:<23}  {:<23}  |{ascii}|",
            row * 16,
            hex_spaced(left),
            hex_spaced(right),
        )?;
    }
    Ok(())
}

/// The arguments, or the exit code after help or a usage error was printed:
/// clap's own would be 2.
pub(crate) fn arguments<Cli: clap::Parser>(after_help: String) -> Result<Cli, ExitCode> {
    let command = Cli::command().after_long_help(after_help);
    let parsed = command
        .try_get_matches()
        .and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|error| {
        // Nobody reads it if it cannot be printed.
        let _ = error.print();
        if error.use_stderr() {
            Problem::usage("").exit_code()
        } else {
            ExitCode::SUCCESS
        }
    })
}

/// Reports what went wrong: a line on stderr and, with the `path` of a device
/// for `--json`, an object on stdout.
pub(crate) fn fail(program: &str, problem: &Problem, path: Option<&Path>) -> ExitCode {
    complain(program, &problem.message);
    if let Some(path) = path {
        let object = json!({"path": path.to_string_lossy(), "error": problem.to_json()});
        // The exit code says already that it went wrong.
        let _ = result(|out| self::json(out, &object));
    }
    problem.exit_code()
}

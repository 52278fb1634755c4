//! The example programs without a device: arguments, exit codes, and what they
//! make of replies from real devices.
#![allow(clippy::unwrap_used)]

// The programs' own files, at the place where they look for each other.
#[allow(dead_code)]
#[path = "../examples/raw/arguments.rs"]
mod arguments;
#[path = "../examples/inquiry/decode.rs"]
mod decode;
#[path = "../examples/inquiry/fetch.rs"]
mod fetch;
#[path = "../examples/inquiry/fields.rs"]
mod fields;
#[path = "../examples/inquiry/tests.rs"]
mod inquiry;
#[path = "../examples/common/outcome.rs"]
mod outcome;
#[allow(dead_code)]
#[path = "../examples/common/output.rs"]
mod output;
#[allow(dead_code)]
#[path = "../examples/inquiry/page.rs"]
mod page;
#[allow(dead_code)]
#[path = "../examples/common/problem.rs"]
mod problem;
#[path = "../examples/raw/tests.rs"]
mod raw;
#[path = "../examples/raw/report.rs"]
mod raw_report;
#[path = "../examples/inquiry/report.rs"]
mod report;

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

/// The program that Cargo builds beside this test.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let program: PathBuf = profile.join("examples").join(name);
    assert!(
        program.exists(),
        "{} is missing: build it by `cargo build --examples` or run plain `cargo test`",
        program.display(),
    );
    Command::new(program)
}

fn run(name: &str, arguments: &[&str]) -> Output {
    example(name)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Runs it, checks the exit code, and gives (stdout, stderr).
fn run_for(code: i32, name: &str, arguments: &[&str]) -> (String, String) {
    let output = run(name, arguments);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{name} {arguments:?}\n{stdout}{stderr}"
    );
    (stdout, stderr)
}

/// A usage error: exit code 1, nothing on stdout, and a message with `part`.
fn assert_usage(name: &str, arguments: &[&str], part: &str) {
    let (stdout, stderr) = run_for(1, name, arguments);
    assert_eq!(stdout, "", "{name} {arguments:?}");
    assert!(stderr.contains(part), "{name} {arguments:?}: {stderr}");
}

const PROGRAMS: [&str; 2] = ["inquiry", "raw"];

/// The arguments for a path that is complete otherwise.
fn with_path<'a>(name: &str, path: &'a str) -> Vec<&'a str> {
    match name {
        "raw" => vec![path, "00", "00", "00", "00", "00", "00"],
        _ => vec![path],
    }
}

#[test]
fn help_is_no_error_and_no_arguments_are_one() {
    for name in PROGRAMS {
        assert_usage(name, &[], "Usage:");
        for flag in ["--help", "-h", "--version"] {
            let (stdout, stderr) = run_for(0, name, &[flag]);
            assert!(stdout.contains(name), "{stdout}");
            assert_eq!(stderr, "");
        }
        let (help, _) = run_for(0, name, &["--help"]);
        for part in ["Exit codes:", "Keys of --json", "DEVICE", "/dev/sgN"] {
            assert!(help.contains(part), "{name}: {part}");
        }
        assert!(help.lines().all(|line| !line.starts_with("error  ")));
    }
    let (help, _) = run_for(0, "raw", &["--help"]);
    assert!(help.contains("Examples:"), "{help}");
}

#[test]
fn a_missing_node_is_named() {
    for name in PROGRAMS {
        let path = "/dev/there is no such node";
        let (stdout, stderr) = run_for(4, name, &with_path(name, path));
        assert_eq!(stdout, "");
        assert_eq!(stderr.lines().count(), 1);
        assert!(stderr.starts_with(&format!("{name}: {path}: ")), "{stderr}");
        assert!(stderr.contains("No such file or directory"), "{stderr}");
    }
}

#[test]
fn what_is_no_scsi_node_is_told_apart() {
    for name in PROGRAMS {
        for (path, what) in [
            (file!(), "a regular file"),
            ("/dev", "a directory"),
            ("/dev/null", "a character device of another driver"),
        ] {
            let (_, stderr) = run_for(4, name, &with_path(name, path));
            assert!(stderr.contains(path) && stderr.contains(what), "{stderr}");
            assert!(stderr.contains("/dev/sgN"), "{stderr}");
        }
    }
}

#[test]
fn with_json_a_failure_is_an_object_too() {
    for name in PROGRAMS {
        let mut arguments = with_path(name, "/dev/null");
        arguments.push("--json");
        let (stdout, stderr) = run_for(4, name, &arguments);
        let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(object["path"], "/dev/null");
        assert_eq!(object["error"]["kind"], "wrong_node");
        assert!(object["error"]["outcome"].is_null());
        let message = object["error"]["message"].as_str().unwrap();
        assert_eq!(stderr, format!("{name}: {message}\n"));
    }
}

#[test]
fn control_characters_of_a_path_do_not_reach_the_terminal() {
    for name in PROGRAMS {
        let mut arguments = with_path(name, "/dev/\x1b[31m\nnode");
        arguments.push("--json");
        let (stdout, stderr) = run_for(4, name, &arguments);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(!stderr.contains('\x1b') && !stdout.contains('\x1b'));
        let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(object["path"], "/dev/\x1b[31m\nnode");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    for (name, arguments, code) in [
        ("inquiry", vec!["--help"], 0),
        ("inquiry", vec!["--json", "/dev/null"], 4),
        ("raw", vec!["--json", "/dev/null", "000000000000"], 4),
    ] {
        let mut child = example(name)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn pages_are_codes_or_names() {
    for page in ["80", "0x80", "80h", "b0", "serial", "di", "bdc", "lbpv"] {
        run_for(4, "inquiry", &["--vpd", page, "/dev/null"]);
    }
    for page in ["", "100", "h", "0x", "0x80h", "+8", "xyz"] {
        assert_usage("inquiry", &["--vpd", page, "/dev/null"], "--vpd");
    }
    assert_usage("inquiry", &["--all", "--vpd", "80", "/dev/null"], "--all");
}

#[test]
fn a_cdb_has_6_to_32_bytes_in_hex() {
    let raw = |cdb: &[&str]| -> Vec<String> {
        let words = ["/dev/null"].iter().chain(cdb);
        words.map(|word| (*word).to_owned()).collect()
    };
    let check = |cdb: &[&str], part: &str| {
        let arguments = raw(cdb);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        assert_usage("raw", &arguments, part);
    };
    check(&["00"; 5], "6 to 32 bytes, this one has 5");
    check(&["00"; 33], "6 to 32 bytes, this one has 33");
    check(&["12 00 00 00 24"], "this one has 5");
    check(&[], "CDB-BYTES");
    check(&[""], "this one has 0");
    check(&["12", "00", "0g", "00", "24", "00"], "\"0g\"");
    check(&["12", "00", "é0", "00", "24", "00"], "\"é0\"");
    check(&["12", "000", "00", "00", "24", "00"], "odd number");
    check(&["12", "00", "0x", "00", "24", "00"], "\"0x\"");
    for cdb in [
        &["12", "00", "00", "00", "24", "00"][..],
        &["12 00 00 00 24 00"],
        &["12,00,00, 00,24,00"],
        &["0x12", "0", "0", "0X0", "24", "0"],
        &["120000002400"],
        &["12 0000 00", "2400"],
        &["00"; 32],
    ] {
        let arguments = raw(cdb);
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        run_for(4, "raw", &arguments);
    }
}

#[test]
fn raw_options_that_make_no_sense() {
    let cdb = ["/dev/null", "00", "00", "00", "00", "00", "00"];
    let check = |options: &[&str], part: &str| {
        assert_usage("raw", &[options, &cdb].concat(), part);
    };
    check(&["--send", "4"], "--infile");
    check(&["--infile", "x"], "--send");
    check(&["--outfile", "x"], "--request");
    check(
        &["--send", "4", "--infile", "-", "--request", "4"],
        "--request",
    );
    check(&["--json", "--request", "4", "--outfile", "-"], "stdout");
    for number in ["0", "", "x", "268435456", "99999999999999999999"] {
        check(&["--request", number], "--request");
    }
    for seconds in ["0", "", "x", "nan", "inf", "4294968", "1e-20"] {
        check(&["--timeout", seconds], "--timeout");
    }
    for options in [
        &["--timeout", "0.5"][..],
        &["--request", "0x200"],
        &["--request", "268435455", "--write"],
    ] {
        run_for(4, "raw", &[options, &cdb].concat());
    }
}

#[test]
fn the_file_to_send_has_exactly_the_length() {
    let send = |len: &str, given: &[u8]| {
        let mut child = example("raw")
            .args(["--send", len, "--infile", "-", "/dev/null", "000000000000"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(given).unwrap();
        let output = child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, stderr) = send("4", b"123");
    assert_eq!(code, Some(1));
    assert!(stderr.contains("only 3 bytes"), "{stderr}");
    let (code, stderr) = send("4", b"12345");
    assert_eq!(code, Some(1));
    assert!(stderr.contains("more"), "{stderr}");
    let (code, stderr) = send("4", b"1234");
    assert_eq!(code, Some(4), "{stderr}");

    let file = ["--send", "99999999", "--infile", file!()];
    let device = ["/dev/null", "000000000000"];
    assert_usage("raw", &[&file[..], &device].concat(), "tests/examples.rs");
    let missing = ["--send", "4", "--infile", "no such file"];
    let (_, stderr) = run_for(4, "raw", &[&missing[..], &device].concat());
    assert!(stderr.contains("no such file"), "{stderr}");
}

/// The bytes of a file in `tests/cases/`.
fn case(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/cases/{name}.hex", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .flat_map(str::split_whitespace)
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

//! The program `nvme_bench` without a device: arguments, exit codes, what it plans
//! and what it tells.
#![cfg(feature = "uring")]
#![allow(clippy::unwrap_used, dead_code)]

// The program's own files, at the place where they look for each other.
#[path = "../examples/nvme_bench/arguments.rs"]
mod arguments;
#[path = "../examples/nvme_bench/drive.rs"]
mod drive;
#[path = "../examples/nvme_bench/guard.rs"]
mod guard;
#[path = "../examples/nvme_bench/latency.rs"]
mod latency;
#[path = "../examples/common/outcome.rs"]
mod outcome;
#[path = "../examples/common/output.rs"]
mod output;
#[path = "../examples/nvme_bench/plan.rs"]
mod plan;
#[path = "../examples/common/problem.rs"]
mod problem;
#[path = "../examples/nvme_bench/report.rs"]
mod report;
#[path = "../examples/nvme_bench/tally.rs"]
mod tally;
#[path = "../examples/nvme_bench/tests.rs"]
mod tests;

#[path = "common/program.rs"]
mod program;

fn run_for(code: i32, arguments: &[&str]) -> (String, String) {
    program::run_for("nvme_bench", code, arguments)
}

fn assert_usage(arguments: &[&str], part: &str) {
    program::assert_usage("nvme_bench", arguments, part);
}

#[test]
fn help_names_keys_and_exit_codes() {
    assert_usage(&[], "Usage:");
    let (help, stderr) = run_for(0, &["--help"]);
    for part in ["Keys of --json", "Exit codes:", "DESTROYS", "t/io_uring"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert_eq!(stderr, "");
    run_for(0, &["--version"]);
}

#[test]
fn numbers_that_make_no_sense_are_usage_errors() {
    for (option, numbers) in [
        ("--depth", &["0", "65537", "-1", "x", ""][..]),
        ("--batch", &["0", "32769"]),
        ("--complete", &["0"]),
        ("--threads", &["0", "1025"]),
        ("--count", &["0", "-1"]),
        ("--seconds", &["0", "-1", "nan", "inf", "x", "1e9"]),
        ("--bs", &["0", "k", "-4k", "+4k", "4g", "4097M", ""]),
        ("--rw", &["trim", ""]),
        ("--sqpoll-cpu", &["0"]),
    ] {
        for number in numbers {
            let option_and_number = format!("{option}={number}");
            assert_usage(&["/dev/null", &option_and_number], option);
        }
    }
    assert_usage(
        &["/dev/null", "--count", "1", "--seconds", "1"],
        "--seconds",
    );
    assert_usage(&["/dev/null", "--depth", "8", "--batch", "9"], "--depth");
    assert_usage(&["/dev/null", "--nonsense"], "--nonsense");
}

#[test]
fn nothing_is_written_without_write() {
    for mode in ["write", "randwrite"] {
        assert_usage(&["/dev/null", "--rw", mode], "add --write");
        run_for(4, &["/dev/null", "--rw", mode, "--write"]);
    }
    assert_usage(&["/dev/null", "--write"], "only reads");
}

#[test]
fn what_is_no_nvme_node_is_told_apart() {
    for (path, what) in [
        ("/dev/there is no such node", "No such file or directory"),
        ("/dev/ng99999n1", "No such file or directory"),
        (file!(), "found no device"),
        ("/dev", "found no device"),
        ("/dev/null", "a device of another driver"),
    ] {
        let (stdout, stderr) = run_for(4, &[path]);
        assert_eq!(stdout, "");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        let head = format!("nvme_bench: {path}: ");
        assert!(stderr.starts_with(&head), "{stderr}");
        assert!(stderr.contains(what), "{stderr}");

        let (stdout, same) = run_for(4, &[path, "--json", "--fixed"]);
        assert_eq!(same, stderr);
        let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(object["path"], path);
        assert!(stderr.contains(object["error"]["message"].as_str().unwrap()));
    }
}

#[test]
fn a_path_cannot_steer_the_terminal() {
    let (_, stderr) = run_for(4, &["/dev/\u{1b}[2J"]);
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
    let (stdout, _) = run_for(4, &["--json", "/dev/\u{1b}\u{9b}2J"]);
    assert!(
        stdout.is_ascii() && !stdout.contains('\u{1b}'),
        "{stdout:?}"
    );
}

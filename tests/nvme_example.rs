//! The program `nvme` without a device: arguments, exit codes, and what it makes
//! of replies.
#![allow(clippy::unwrap_used, dead_code)]

// The program's own files, at the place where they look for each other.
#[path = "../examples/nvme/admin_raw.rs"]
mod admin_raw;
#[path = "../examples/nvme/arguments.rs"]
mod arguments;
#[path = "../examples/nvme/ask.rs"]
mod ask;
#[path = "../examples/nvme/blocks.rs"]
mod blocks;
#[path = "../examples/nvme/device.rs"]
mod device;
#[path = "../examples/nvme/features.rs"]
mod features;
#[path = "../examples/nvme/guard.rs"]
mod guard;
#[path = "../examples/nvme/id_ctrl.rs"]
mod id_ctrl;
#[path = "../examples/nvme/id_ns.rs"]
mod id_ns;
#[path = "../examples/common/json_string.rs"]
mod json_string;
#[path = "../examples/nvme/keys.rs"]
mod keys;
#[path = "../examples/nvme/list.rs"]
mod list;
#[path = "../examples/nvme/logs.rs"]
mod logs;
#[path = "../examples/nvme/meaning.rs"]
mod meaning;
#[path = "../examples/common/outcome.rs"]
mod outcome;
#[path = "../examples/common/output.rs"]
mod output;
#[path = "../examples/nvme/print.rs"]
mod print;
#[path = "../examples/common/problem.rs"]
mod problem;
#[path = "../examples/nvme/sink.rs"]
mod sink;
#[path = "../examples/nvme/tests.rs"]
mod tests;
#[path = "../examples/nvme/value.rs"]
mod value;

#[path = "common/program.rs"]
mod program;

fn run_for(code: i32, arguments: &[&str]) -> (String, String) {
    program::run_for("nvme", code, arguments)
}

fn assert_usage(arguments: &[&str], part: &str) {
    program::assert_usage("nvme", arguments, part);
}

/// The subcommands that open a node, with arguments that are complete but for
/// its path.
const ASKING: [&[&str]; 13] = [
    &["id-ctrl"],
    &["id-ns"],
    &["ns-descs"],
    &["smart"],
    &["error-log"],
    &["fw-log"],
    &["effects"],
    &["features"],
    &["get-log", "--lid", "2"],
    &["read"],
    &["write", "--write", "--slba", "0", "--input", file!()],
    &["zones"],
    &["admin-raw", "--opcode", "6", "--data-len", "4096"],
];

#[test]
fn help_names_keys_and_exit_codes() {
    assert_usage(&[], "Usage:");
    assert_usage(&["no-such-thing", "/dev/nvme0"], "no-such-thing");
    let (help, _) = run_for(0, &["--help"]);
    assert!(help.contains("Exit codes:"), "{help}");
    for arguments in ASKING.iter().chain([&["list"][..]].iter()) {
        let name = arguments.first().unwrap();
        assert!(help.contains(name), "{name}");
        let (help, stderr) = run_for(0, &[name, "--help"]);
        assert!(help.contains("Keys of --json") && stderr.is_empty());
        if *name != "list" {
            assert!(help.contains("/dev/nvmeX"), "{name}");
        }
    }
    run_for(0, &["--version"]);
}

#[test]
fn what_is_no_nvme_node_is_told_apart() {
    for arguments in ASKING {
        let name = arguments.first().unwrap();
        assert_usage(arguments, "DEVICE");
        for (path, what) in [
            ("/dev/there is no such node", "No such file or directory"),
            ("/dev/nvme99999", "No such file or directory"),
            (file!(), "found no device"),
            ("/dev", "found no device"),
            ("/dev/null", "a device of another driver"),
        ] {
            let arguments = [arguments, &[path]].concat();
            let (stdout, stderr) = run_for(4, &arguments);
            assert_eq!(stdout, "", "{name}");
            assert_eq!(stderr.lines().count(), 1, "{stderr}");
            assert!(stderr.starts_with(&format!("nvme: {path}: ")), "{stderr}");
            assert!(stderr.contains(what), "{stderr}");

            let (stdout, same) = run_for(4, &[&arguments[..], &["--json"]].concat());
            assert_eq!(same, stderr);
            let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
            assert_eq!(object["path"], path);
            assert!(stderr.contains(object["error"]["message"].as_str().unwrap()));
        }
    }
}

#[test]
fn a_path_cannot_steer_the_terminal() {
    let (_, stderr) = run_for(4, &["smart", "/dev/\u{1b}[2J"]);
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
    let (stdout, _) = run_for(4, &["smart", "--json", "/dev/\u{1b}\u{9b}2J"]);
    assert!(
        stdout.is_ascii() && !stdout.contains('\u{1b}'),
        "{stdout:?}"
    );
}

#[test]
fn list_needs_no_device() {
    run_for(0, &["list"]);
    let (stdout, _) = run_for(0, &["list", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert!(object["controllers"].is_array() && object["namespaces"].is_array());
    assert_usage(&["list", "/dev/nvme0"], "/dev/nvme0");
}

#[test]
fn numbers_are_decimal_or_hex() {
    for number in ["", "x", "0x", "-1", "+1", "0x+1", "1.0", "256", "0x100"] {
        let lid = format!("--lid={number}");
        assert_usage(&["get-log", &lid, "/dev/null"], "--lid");
    }
    for number in ["0", "0x0", "0XfF", "255"] {
        run_for(4, &["get-log", "--lid", number, "/dev/null"]);
    }
    for number in ["0", "4294967296", "all"] {
        assert_usage(
            &["id-ns", "--namespace", number, "/dev/null"],
            "--namespace",
        );
    }
    run_for(4, &["id-ns", "--namespace", "0xffffffff", "/dev/null"]);
    for (option, number) in [
        ("--len", "0"),
        ("--len", "510"),
        ("--len", "1073741828"),
        ("--offset", "2"),
        ("--lsp", "128"),
        ("--lsi", "65536"),
        ("--csi", "256"),
        ("--uuid", "128"),
    ] {
        assert_usage(
            &["get-log", "--lid", "2", option, number, "/dev/null"],
            option,
        );
    }
    assert_usage(&["features", "--sel", "best", "/dev/null"], "--sel");
    for sel in ["current", "default", "saved", "supported"] {
        run_for(4, &["features", "--sel", sel, "/dev/null"]);
    }
}

#[test]
fn stdout_has_one_user() {
    let log = ["get-log", "--lid", "2", "--output", "-", "--json"];
    // Told when the node is open; here it does not get so far.
    run_for(4, &[&log[..], &["/dev/null"]].concat());
}

#[test]
fn nothing_is_written_without_write() {
    let write = ["write", "--slba", "0", "--input", file!(), "/dev/null"];
    assert_usage(&write, "--write");
    assert_usage(&[&write[..], &["--force"]].concat(), "--write");
    assert_usage(&["write", "--write", "--slba", "0", "/dev/null"], "--input");
    let missing = ["write", "--write", "--slba", "0", "--input", "no such file"];
    let (_, stderr) = run_for(4, &[&missing[..], &["/dev/null"]].concat());
    assert!(stderr.contains("no such file"), "{stderr}");
    assert_usage(&["read", "--blocks", "0", "/dev/null"], "--blocks");
}

#[test]
fn raw_commands_that_make_no_sense_are_not_sent() {
    let check = |options: &[&str], part: &str| {
        let arguments = [&["admin-raw"], options, &["/dev/null"]].concat();
        assert_usage(&arguments, part);
    };
    check(&[], "--opcode");
    check(&["--opcode", "6"], "--data-len");
    check(&["-o", "6", "--data-len", "67108865"], "--data-len");
    check(&["-o", "6", "--data-len", "0"], "bus address 0");
    check(&["-o", "8", "--data-len", "4", "--write"], "moves no data");
    check(&["-o", "9", "--data-len", "4", "--write"], "--input");
    check(
        &["-o", "9", "--data-len", "4", "--write", "--input", file!()],
        "not --data-len",
    );
    check(
        &["-o", "6", "--data-len", "4", "--input", file!()],
        "--input",
    );
    check(
        &["-o", "9", "--data-len", "0", "--write", "--output", "x"],
        "--output",
    );
    for opcode in ["0", "1", "4", "5", "0xc", "0x7c"] {
        check(
            &["-o", opcode, "--write", "--data-len", "4"],
            "nothing was sent",
        );
    }
    let host_memory = ["-o", "9", "--cdw10", "0x8000000d", "--write"];
    check(&host_memory, "memory to keep");
    check(&["-o", "0xc3", "--data-len", "4", "--write"], "both ways");
    // Those that may change something want --write.
    for opcode in ["0x80", "0x84", "0x10", "0x0d"] {
        let data: &[&str] = match opcode {
            "0x0d" => &["--data-len", "0"],
            _ => &[],
        };
        check(&[&["-o", opcode], data].concat(), "add --write");
        let arguments = [&["admin-raw", "-o", opcode, "--write", "/dev/null"], data].concat();
        run_for(4, &arguments);
    }
    run_for(
        4,
        &["admin-raw", "-o", "0x0a", "--data-len", "0", "/dev/null"],
    );
}

//! The program `copy` without a device: arguments, files and pipes.
#![allow(clippy::unwrap_used, dead_code)]

// The program's own files, at the place where they look for each other.
#[path = "../examples/copy/arguments.rs"]
mod arguments;
#[path = "../examples/copy/crew.rs"]
mod crew;
#[path = "../examples/copy/ends.rs"]
mod ends;
#[path = "../examples/copy/guard.rs"]
mod guard;
#[path = "../examples/common/outcome.rs"]
mod outcome;
#[path = "../examples/common/output.rs"]
mod output;
#[path = "../examples/copy/plan.rs"]
mod plan;
#[path = "../examples/common/problem.rs"]
mod problem;
#[path = "../examples/copy/report.rs"]
mod report;
#[path = "../examples/copy/sink.rs"]
mod sink;
#[path = "../examples/copy/trouble.rs"]
mod trouble;
#[path = "../examples/copy/worker.rs"]
mod worker;

#[path = "common/folder.rs"]
mod folder;
#[path = "common/program.rs"]
mod program;

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use folder::Folder;
use plan::{Chunk, Plan};
use serde_json::Value;
use trouble::{BadRange, joined};

/// The program that Cargo builds beside this test.
fn copy(arguments: &[&str]) -> Command {
    program::command("copy", arguments)
}

fn run_for(code: i32, arguments: &[&str]) -> Output {
    let output = copy(arguments).output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    output
}

fn some_bytes(len: usize) -> Vec<u8> {
    (0..len)
        .map(|at| (at % 251).to_le_bytes()[0] ^ (at / 251).to_le_bytes()[0])
        .collect()
}

#[test]
fn files_are_copied_whole_and_in_part() {
    let folder = Folder::new("copy-files");
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.file(name));
    let data = some_bytes(1_000_001);
    fs::write(&a, &data).unwrap();
    fs::write(&b, vec![9; 2_000_000]).unwrap();
    let arguments = [
        "--if", &a, "--of", &b, "--of", &c, "--verify", "--sync", "--json",
    ];
    for more in [
        &["--workers", "1"][..],
        &["--block-size", "512"],
        &["--block-size", "1M"],
    ] {
        let output = run_for(0, &[&arguments, more].concat());
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["bytes"], 1_000_001);
        assert_eq!(object["verified"], true);
        assert!(fs::read(&b).unwrap() == data && fs::read(&c).unwrap() == data);
        let help = run_for(0, &["--help"]).stdout;
        let help = String::from_utf8(help).unwrap();
        for key in object.as_object().unwrap().keys() {
            assert!(help.contains(key.as_str()), "--help does not list {key}");
        }
    }
    run_for(
        0,
        &[
            "--if", &a, "--of", &b, "--skip", "3", "--count", "5", "--seek", "2",
        ],
    );
    let got = fs::read(&b).unwrap();
    assert_eq!(got.len(), 7 * 512);
    assert!(got[..1024] == data[..1024] && got[1024..] == data[3 * 512..8 * 512]);
}

#[test]
fn pipes_are_copied_in_order() {
    let folder = Folder::new("copy-pipes");
    let file = folder.file("file");
    let data = some_bytes(3 << 20 | 77);
    let mut child = copy(&["--if", "-", "--of", "-", "--of", &file])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            for piece in data.chunks(7001) {
                stdin.write_all(piece).unwrap();
            }
            drop(stdin);
        });
        child.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stdout == data && fs::read(&file).unwrap() == data);
    // The report goes elsewhere then.
    assert!(String::from_utf8(output.stderr).unwrap().contains("copied"));
    let output = run_for(0, &["--if", "/dev/zero", "--of", &file, "--count", "3"]);
    assert_eq!(fs::read(&file).unwrap(), [0; 3 * 512]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("1536"));
    run_for(0, &["--if", &file, "--of", "/dev/null"]);
}

#[test]
fn arguments_that_make_no_sense_are_usage_errors() {
    for (arguments, part) in [
        (&["--if", "x"][..], "--of"),
        (&["--of", "x"], "--if"),
        (&["--if", "x", "--of", "-", "--of", "-"], "one stdout"),
        (&["--if", "x", "--of", "-", "--json"], "stdout"),
        (&["--if", "-", "--of", "x", "--verify"], "--verify"),
        (&["--if", "x", "--of", "y", "--count", "0"], "--count"),
        (&["--if", "x", "--of", "y", "--workers", "0"], "--workers"),
        (&["--if", "x", "--of", "y", "--block-size", "0"], "bytes"),
        (&["--if", "x", "--of", "y", "--block-size", "9G"], "bytes"),
        (
            &["--if", file!(), "--of", "/dev/null", "--block-size", "1000"],
            "multiple",
        ),
        (&["--if", "-", "--of", "/dev/null", "--skip", "1"], "--skip"),
    ] {
        let output = run_for(1, arguments);
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn what_would_destroy_something_is_refused() {
    let folder = Folder::new("copy-refused");
    let [file, link, other] = ["file", "link", "other"].map(|name| folder.file(name));
    fs::write(&file, some_bytes(5000)).unwrap();
    fs::hard_link(&file, &link).unwrap();
    for (arguments, part) in [
        (&["--if", &file, "--of", &link][..], "is the source"),
        (
            &["--if", &file, "--of", &other, "--of", &other],
            "is a target already",
        ),
        (
            &["--if", &file, "--of", &other, "--skip", "10"],
            "has nothing",
        ),
        (
            &["--if", &file, "--of", &other, "--count", "11"],
            "has 10 blocks",
        ),
        // No file is made where a node is missing.
        (
            &["--if", &file, "--of", "/dev/no such node"],
            "no such node",
        ),
        (&["--if", "/dev", "--of", &other], "a directory"),
    ] {
        let output = run_for(4, &[arguments, &["--json"]].concat());
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        let message = object["error"]["message"].as_str().unwrap();
        assert!(message.contains(part), "{arguments:?}: {message}");
        assert!(fs::read(&file).unwrap() == some_bytes(5000));
    }
    assert!(!Path::new("/dev/no such node").exists());
}

#[test]
fn pieces_cover_all_of_it_once() {
    let plan = Plan {
        block_length: 512,
        skip: 7,
        seek: 9,
        chunk_blocks: 8,
        bytes: Some(20 * 512 + 1),
    };
    let pieces: Vec<_> = (0..).map_while(|index| plan.chunk(index)).collect();
    let piece = |first, blocks, bytes| Chunk {
        first,
        blocks,
        bytes,
    };
    assert_eq!(
        pieces,
        [piece(0, 8, 4096), piece(8, 8, 4096), piece(16, 5, 2049)]
    );
    let endless = Plan {
        bytes: None,
        ..plan
    };
    assert_eq!(endless.chunk(1000), Some(piece(8000, 8, 4096)));
    assert_eq!(endless.chunk(u64::MAX), None);
    let whole = Plan {
        bytes: Some(4096),
        ..plan
    };
    assert_eq!(whole.chunk(1), None);
}

#[test]
fn bad_ranges_that_touch_are_one() {
    let range = |lba, blocks| BadRange { lba, blocks };
    assert_eq!(
        joined(vec![
            range(12, 1),
            range(5, 2),
            range(7, 1),
            range(11, 1),
            range(5, 1)
        ]),
        [range(5, 3), range(11, 2)]
    );
    assert_eq!(joined(Vec::new()), []);
}

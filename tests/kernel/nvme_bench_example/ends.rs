//! Runs that end before their time.

use std::{
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use super::{bench, find_again, number, parsed, plausible, remove};
use crate::nvme_lab::namespace;

/// A run that is under way.
fn begun(node: &Path, arguments: &[&str]) -> Child {
    let child = bench(&[node], &[arguments, &["--json"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It is under way by then.
    thread::sleep(Duration::from_secs(2));
    child
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_tells_what_it_has_when_it_is_interrupted() {
    let (plain, _) = namespace("PTPLAIN", 1);
    for (signal, arguments) in [
        (libc::SIGINT, &["--seconds", "500"][..]),
        (libc::SIGTERM, &["--count", "999999999", "--threads", "2"]),
    ] {
        let child = begun(&plain, arguments);
        let asked = Instant::now();
        // SAFETY: kill has no preconditions.
        assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
        let output = child.wait_with_output().unwrap();
        assert!(asked.elapsed() < Duration::from_secs(20));
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        let told = parsed(&output.stdout);
        assert_eq!(told["interrupted"], true);
        let commands = told["commands"].as_u64().unwrap();
        assert!(commands > 100, "{told}");
        plausible(&told, commands);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_ends_when_the_drive_is_gone() {
    let (node, _) = namespace("PTMDTS", 1);
    let child = begun(&node, &["--seconds", "500", "--threads", "2"]);
    remove("PTMDTS");
    let output = child.wait_with_output().unwrap();
    find_again("PTMDTS");
    let told = parsed(&output.stdout);
    let code = output.status.code().unwrap();
    assert!((2..=4).contains(&code), "{code}: {told}");
    assert!(number(&told["seconds"]) < 100.0, "{told}");
    assert!(told["errors"].as_u64().unwrap() > 0, "{told}");
    assert!(!told["error"].is_null(), "{told}");
    let counted: u64 = told["statuses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|status| status["commands"].as_u64().unwrap())
        .sum();
    assert_eq!(told["errors"], counted, "{told}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
}

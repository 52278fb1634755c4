//! The program `nvme_bench` on real nodes.

mod ends;
mod writes;

use std::{
    collections::BTreeSet,
    fs::{self, File},
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

use crate::{
    lab::{eventually, kernel},
    nvme_lab::{controller, namespace},
};

fn bench(nodes: &[&Path], arguments: &[&str]) -> Command {
    let mut command = Command::new("nvme_bench");
    command.args(nodes).args(arguments);
    command
}

fn output(nodes: &[&Path], arguments: &[&str]) -> Output {
    bench(nodes, arguments).output().unwrap()
}

/// Runs it, checks its exit code and that `--help` lists all keys, and gives its
/// object.
fn told(code: i32, nodes: &[&Path], arguments: &[&str]) -> Value {
    let output = output(nodes, &[arguments, &["--json"]].concat());
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    parsed(&output.stdout)
}

fn parsed(stdout: &[u8]) -> Value {
    let object = serde_json::from_slice(stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(stdout)));
    assert_listed(&object);
    object
}

fn assert_listed(object: &Value) {
    let help = Command::new("nvme_bench").arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, keys) = help.split_once("Keys of --json").unwrap();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let listed: BTreeSet<_> = keys.split(|c: char| !is_part(c)).collect();
    let mut waiting = vec![object];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values),
            Value::Object(fields) => {
                for (key, value) in fields {
                    assert!(listed.contains(&**key), "{key} is not in --help");
                    waiting.push(value);
                }
            }
            _ => {}
        }
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// The figures of a run without errors agree with one another.
fn plausible(told: &Value, commands: u64) {
    assert_eq!(told["commands"], commands, "{told}");
    assert_eq!(told["errors"], 0, "{told}");
    assert!(told["error"].is_null() && told["statuses"] == Value::Array(vec![]));
    let (seconds, iops) = (number(&told["seconds"]), number(&told["iops"]));
    assert!(seconds > 0.0 && seconds < 300.0, "{told}");
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
    assert!(close(iops * seconds, commands as f64), "{told}");
    let bytes = number(&told["bytes_per_second"]);
    assert!(close(bytes, iops * number(&told["bs"])), "{told}");
    let calls = number(&told["system_calls"]);
    let each = number(&told["system_calls_per_command"]);
    assert!(
        close(each * commands as f64, calls) || calls == 0.0,
        "{told}"
    );
    for part in ["threads", "devices"] {
        let sum = |key: &str| -> u64 {
            let all = told[part].as_array().unwrap().iter();
            all.map(|one| one[key].as_u64().unwrap()).sum()
        };
        assert_eq!((sum("commands"), sum("errors")), (commands, 0), "{told}");
    }
    let latency = &told["latency"];
    if !latency.is_null() {
        assert_eq!(latency["count"], commands, "{told}");
        let keys = ["min", "p50", "p90", "p99", "p99_9", "p99_99", "max"];
        let values = keys.map(|key| number(&latency[key]));
        assert!(values.is_sorted() && values[0] > 0.0, "{told}");
        assert!(values[6] <= seconds * 1e9 * 1.01, "{told}");
        let mean = number(&latency["mean"]);
        assert!((values[0] * 0.99..=values[6]).contains(&mean), "{told}");
    }
}

fn flags(told: &Value) -> Vec<&str> {
    let flags = told["ring_flags"].as_array().unwrap();
    flags.iter().map(|flag| flag.as_str().unwrap()).collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_counts_what_it_does() {
    let (plain, _) = namespace("PTPLAIN", 1);
    let batches = ["--depth", "64", "--batch", "16", "--count", "4000"];
    let read = told(0, &[&plain], &batches);
    plausible(&read, 4000);
    // Each takes a batch and waits for one; the first ones are a few more.
    let calls = number(&read["system_calls_per_command"]);
    assert!((0.02..=1.0 / 16.0 + 0.01).contains(&calls), "{read}");
    assert!(flags(&read).contains(&"registered_files"), "{read}");
    assert!(!flags(&read).contains(&"registered_buffers"), "{read}");
    let device = &read["devices"][0];
    assert_eq!(device["block_size"], 512);
    assert_eq!(device["blocks"], 131_072);
    assert_eq!(device["blocks_per_command"], 8);

    let fixed = told(0, &[&plain], &[&batches[..], &["--fixed"]].concat());
    plausible(&fixed, 4000);
    let expected = [
        "single_issuer",
        "defer_taskrun",
        "registered_files",
        "registered_buffers",
    ];
    assert_eq!(flags(&fixed), expected);

    let single = ["--depth", "1", "--count", "300", "--no-registered-files"];
    let single = told(0, &[&plain], &single);
    plausible(&single, 300);
    assert_eq!(single["system_calls"], 300, "{single}");
    assert_eq!(flags(&single), ["single_issuer", "defer_taskrun"]);

    let unmeasured = ["--count", "1", "--no-latency", "--bs", "512"];
    let unmeasured = told(0, &[&plain], &unmeasured);
    plausible(&unmeasured, 1);
    assert!(unmeasured["latency"].is_null());

    let output = output(&[&plain], &["--count", "1000", "--fixed"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "1000 commands",
        "0 errors",
        "99.99 %",
        "a command",
        "registered_buffers",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_deals_devices_out_to_threads() {
    let (plain, _) = namespace("PTPLAIN", 1);
    let (limited, _) = namespace("PTMDTS", 1);
    let (large, _) = namespace("PTSUB", 2);
    let (extended, _) = namespace("PTSUB", 4);

    let two = told(
        0,
        &[&plain],
        &["--threads", "2", "--count", "3001", "--fixed"],
    );
    plausible(&two, 3001);
    let of = |n: usize| two["threads"][n]["commands"].as_u64().unwrap();
    assert_eq!((of(0), of(1)), (1501, 1500));
    assert_eq!(two["devices"][0]["threads"], 2);

    // One thread has all of them, with blocks of several lengths, in turn.
    let all = [&*plain, &limited, &large, &extended];
    for fixed in [&["--count", "2000"][..], &["--count", "2000", "--fixed"]] {
        let one = told(0, &all, fixed);
        plausible(&one, 2000);
        for device in one["devices"].as_array().unwrap() {
            let commands = device["commands"].as_u64().unwrap();
            assert!((100..=1000).contains(&commands), "{one}");
        }
        assert_eq!(one["devices"][3]["metadata_size"], 16);
        assert_eq!(one["devices"][3]["blocks_per_command"], 8);
    }
    let each = told(
        0,
        &all,
        &["--threads", "4", "--count", "400", "--rw", "read"],
    );
    plausible(&each, 400);
    for (thread, path) in each["threads"].as_array().unwrap().iter().zip(all) {
        assert_eq!(thread["devices"], serde_json::json!([path]));
        assert_eq!(thread["commands"], 100);
    }
    let short = told(
        0,
        &[&plain],
        &["--threads", "3", "--seconds", "0.5", "--bs", "128k"],
    );
    let seconds = number(&short["seconds"]);
    assert!((0.4..30.0).contains(&seconds), "{short}");
    plausible(&short, short["commands"].as_u64().unwrap());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_has_the_kernel_submit() {
    let (plain, _) = namespace("PTPLAIN", 1);
    let sqpoll = ["--sqpoll", "--count", "2000", "--fixed", "--depth", "32"];
    let told = told(0, &[&plain], &sqpoll);
    plausible(&told, 2000);
    assert!(flags(&told).contains(&"sqpoll"), "{told}");
}

/// A namespace with queues to poll while this lives.
struct Polled {
    serial: &'static str,
}

impl Polled {
    fn new(serial: &'static str) -> Self {
        renew(serial, "1");
        Self { serial }
    }

    fn node(&self) -> PathBuf {
        namespace(self.serial, 1).0
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        renew(self.serial, "0");
    }
}

/// Takes a controller from its bus and has it found again, by a driver that wants
/// so many queues to poll.
fn renew(serial: &str, queues: &str) {
    fs::write("/sys/module/nvme/parameters/poll_queues", queues).unwrap();
    remove(serial);
    find_again(serial);
}

fn remove(serial: &str) {
    let name = controller(serial);
    let folder = Path::new("/sys/class/nvme").join(name.file_name().unwrap());
    fs::write(folder.join("device/remove"), "1").unwrap();
}

/// While somebody holds a node of it, its namespace would get another number.
fn find_again(serial: &str) {
    fs::write("/sys/bus/pci/rescan", "1").unwrap();
    eventually("the controller", || {
        let back = fs::read_dir("/sys/class/nvme").unwrap().flatten();
        let folder = back.map(|entry| entry.path()).find(|folder| {
            fs::read_to_string(folder.join("serial")).is_ok_and(|found| found.trim() == serial)
        })?;
        let name = folder.file_name()?.to_str()?.replacen("nvme", "ng", 1);
        File::open(format!("/dev/{name}n1")).ok().map(drop)
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_polls_where_there_are_queues_for_it() {
    let (plain, _) = namespace("PTPLAIN", 1);
    let refused = told(4, &[&plain], &["--polled", "--count", "1"]);
    assert_eq!(refused["error"]["kind"], "unsupported");
    let message = refused["error"]["message"].as_str().unwrap();
    let wanted = match kernel().as_str() {
        "6.1" => "use Linux 6.5",
        _ => "poll_queues",
    };
    assert!(message.contains(wanted), "{message}");
    // What is wrong with several threads is told once.
    let output = output(&[&plain], &["--polled", "--threads", "2"]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(text.lines().count(), 1, "{text}");

    let polled = Polled::new("PTMDTS");
    for more in [&[][..], &["--fixed", "--threads", "2"], &["--sqpoll"]] {
        let arguments = [&["--polled", "--count", "1000", "--depth", "32"], more].concat();
        if kernel() == "6.1" {
            // It would crash.
            let refused = told(4, &[&polled.node()], &arguments);
            assert_eq!(refused["error"]["kind"], "unsupported");
            continue;
        }
        let told = told(0, &[&polled.node()], &arguments);
        plausible(&told, 1000);
        assert!(flags(&told).contains(&"polled"), "{told}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_bench_refuses_what_cannot_work() {
    let (plain, disk) = namespace("PTPLAIN", 1);
    let (limited, _) = namespace("PTMDTS", 1);
    let (separate, _) = namespace("PTSUB", 3);
    let (extended, _) = namespace("PTSUB", 4);
    let (zoned, _) = namespace("PTSUB", 5);
    let refused = |code: i32, node: &Path, arguments: &[&str], part: &str| {
        let output = output(&[node], &[arguments, &["--count", "1"]].concat());
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {output:?}"
        );
        assert!(text.contains(part), "{arguments:?}: {text}");
        assert!(text.contains(node.to_str().unwrap()) || code == 1, "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(output.stdout.is_empty(), "{output:?}");
    };
    refused(4, &disk, &[], "/dev/ngXnY");
    refused(4, &controller("PTPLAIN"), &[], "NVMe controller");
    refused(1, &plain, &["--bs", "100"], "block size, 512");
    refused(1, &plain, &["--rw", "randwrite"], "add --write");
    refused(1, &limited, &["--bs", "132k"], "131072 bytes");
    refused(1, &extended, &["--bs", "512k"], "with metadata");
    refused(1, &plain, &["--bs", "128M"], "more than");
    refused(4, &separate, &[], "8 bytes of separate metadata");
    for mode in ["randwrite", "write"] {
        refused(4, &zoned, &["--rw", mode, "--write"], "zoned");
    }
    plausible(
        &told(0, &[&limited], &["--bs", "128k", "--count", "50"]),
        50,
    );
    plausible(&told(0, &[&zoned], &["--count", "50"]), 50);

    let not_for_users = output_as(1000, &plain);
    let text = String::from_utf8_lossy(&not_for_users.stderr);
    assert_eq!(not_for_users.status.code(), Some(4), "{text}");
    assert!(text.contains("Permission denied"), "{text}");
    // Who may open it is let do so by the kernel, since 6.2.
    let mode = |bits| fs::set_permissions(&plain, fs::Permissions::from_mode(bits)).unwrap();
    mode(0o666);
    let for_users = output_as(1000, &plain);
    mode(0o600);
    let text = String::from_utf8_lossy(&for_users.stderr);
    match for_users.status.code() {
        Some(0) => {}
        Some(4) => assert!(text.contains("CAP_SYS_ADMIN"), "{text}"),
        other => panic!("{other:?}: {text}"),
    }
}

fn output_as(user: u32, node: &Path) -> Output {
    let arguments = ["--count", "1", "--depth", "1"];
    bench(&[node], &arguments).uid(user).output().unwrap()
}

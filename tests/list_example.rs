//! The program `list` on a made-up sysfs.
#![allow(clippy::unwrap_used)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use serde_json::{Value, json};

/// The program that Cargo builds beside this test.
fn list(arguments: &[&str]) -> Output {
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("examples/list");
    assert!(program.exists(), "run plain `cargo test`");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command.output().unwrap()
}

fn run_for(code: i32, arguments: &[&str]) -> (String, String) {
    let output = list(arguments);
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// A folder like /sys.
struct Tree(PathBuf);

impl Tree {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("passthru-list-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn root(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn file(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn link(&self, class: &str, folder: &str) {
        fs::create_dir_all(self.0.join(folder)).unwrap();
        fs::create_dir_all(self.0.join(class)).unwrap();
        let up = "../".repeat(class.split('/').count());
        let name = Path::new(folder).file_name().unwrap();
        symlink(format!("{up}{folder}"), self.0.join(class).join(name)).unwrap();
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const UNIT: &str = "devices/pci0/ata1/host0/target0:0:0/0:0:0:0";
const CONTROLLER: &str = "devices/pci1/nvme/nvme0";
const HEAD: &str = "devices/virtual/nvme-subsystem/nvme-subsys0";

/// A disk, and a namespace that a controller reaches.
fn machine(vendor: &[u8; 8]) -> Tree {
    let tree = Tree::new();
    let mut inquiry = vec![0, 0x80, 6, 2, 31, 0, 0, 0];
    inquiry.extend(vendor);
    inquiry.extend(b"\"DISK\" \\ 1      1.0 ");
    tree.file(&format!("{UNIT}/inquiry"), inquiry);
    tree.file(&format!("{UNIT}/vpd_pg80"), b"\0\x80\0\x06  AB12");
    tree.file(&format!("{UNIT}/wwid"), "naa.5000c50012345678\n");
    tree.file(&format!("{UNIT}/state"), "running\n");
    tree.file(&format!("{UNIT}/block/sda/size"), "2048\n");
    let block_size = "queue/logical_block_size";
    tree.file(&format!("{UNIT}/block/sda/{block_size}"), "512\n");
    tree.link("class/scsi_device", &format!("{UNIT}/scsi_device/0:0:0:0"));
    tree.link("class/scsi_generic", &format!("{UNIT}/scsi_generic/sg0"));
    tree.link("class/bsg", &format!("{UNIT}/bsg/0:0:0:0"));
    tree.link("block", &format!("{UNIT}/block/sda"));

    tree.link("class/nvme", CONTROLLER);
    for (name, text) in [
        ("model", "FAST DRIVE                              \n"),
        ("serial", "N1                  \n"),
        ("firmware_rev", "2.0     \n"),
        ("transport", "pcie\n"),
        ("address", "0000:01:00.0\n"),
        ("state", "live\n"),
        ("nvme0c0n1/ana_state", "optimized\n"),
        ("nvme0c0n1/nsid", "7\n"),
    ] {
        tree.file(&format!("{CONTROLLER}/{name}"), text);
    }
    tree.link("class/nvme-subsystem", HEAD);
    fs::create_dir_all(tree.0.join(HEAD).join("nvme0")).unwrap();
    for (name, text) in [
        ("subsysnqn", "nqn.2019-08.org.qemu:x\n"),
        ("nvme0n1/nsid", "7\n"),
        (
            "nvme0n1/wwid",
            "uuid.6a3e1a7c-0000-4000-8000-000000000001\n",
        ),
        ("nvme0n1/size", "131072\n"),
        ("nvme0n1/queue/logical_block_size", "4096\n"),
    ] {
        tree.file(&format!("{HEAD}/{name}"), text);
    }
    tree.link("block", &format!("{HEAD}/nvme0n1"));
    tree.link("block", &format!("{CONTROLLER}/nvme0c0n1"));
    tree.link("class/nvme-generic", &format!("{HEAD}/ng0n1"));
    tree
}

fn json(arguments: &[&str]) -> Value {
    let (stdout, stderr) = run_for(0, arguments);
    assert_eq!(stderr, "");
    assert!(stdout.is_ascii() && !stdout.contains('\x1b'), "{stdout:?}");
    serde_json::from_str(&stdout).unwrap()
}

/// Puts what `--long` adds into an object.
fn with(object: &Value, more: Value) -> Value {
    let mut object = object.as_object().unwrap().clone();
    let Value::Object(more) = more else {
        panic!("{more}");
    };
    for (key, value) in more {
        assert_eq!(object.insert(key.clone(), value), None, "{key}");
    }
    Value::Object(object)
}

#[test]
fn the_keys_of_json() {
    let tree = machine(b"ACME    ");
    let disk = json!({
        "kind": "scsi", "address": "0:0:0:0", "device_type": 0, "device_type_name": "disk",
        "vendor": "ACME", "model": "\"DISK\" \\ 1", "revision": "1.0",
        "sg": "/dev/sg0", "bsg": "/dev/bsg/0:0:0:0", "block": "/dev/sda",
        "tape": null, "tape_no_rewind": null, "changer": null,
        "controller": null, "generic": null, "nsid": null, "controllers": null,
    });
    let controller = json!({
        "kind": "nvme", "address": "nvme0", "device_type": null,
        "device_type_name": "controller",
        "vendor": null, "model": "FAST DRIVE", "revision": "2.0",
        "sg": null, "bsg": null, "block": null,
        "tape": null, "tape_no_rewind": null, "changer": null,
        "controller": "/dev/nvme0", "generic": null, "nsid": null, "controllers": null,
    });
    let namespace = json!({
        "kind": "nvme", "address": "nvme0:7", "device_type": null,
        "device_type_name": "namespace",
        "vendor": null, "model": "FAST DRIVE", "revision": "2.0",
        "sg": null, "bsg": null, "block": "/dev/nvme0n1",
        "tape": null, "tape_no_rewind": null, "changer": null,
        "controller": null, "generic": "/dev/ng0n1", "nsid": 7, "controllers": ["nvme0"],
    });
    let all = json!([disk, controller, namespace]);
    let sysfs = ["--json", "--sysfs", tree.root()];
    assert_eq!(json(&sysfs), all);
    assert_eq!(json(&[&sysfs[..], &["--scsi", "--nvme"]].concat()), all);
    assert_eq!(json(&[&sysfs[..], &["--scsi"]].concat()), json!([disk]));
    assert_eq!(
        json(&[&sysfs[..], &["--nvme"]].concat()),
        json!([controller, namespace])
    );
    let none = json!({
        "wwid": null, "uuid": null, "nguid": null, "eui": null, "nqn": null, "size": null,
        "logical_block_size": null, "removable": null, "multipath": null, "paths": null,
    });
    let none = |more: Value| {
        let mut object = none.as_object().unwrap().clone();
        object.extend(more.as_object().unwrap().clone());
        Value::Object(object)
    };
    assert_eq!(
        json(&[&sysfs[..], &["--long"]].concat()),
        json!([
            with(
                &disk,
                none(json!({
                    "serial": "AB12", "wwid": "naa.5000c50012345678", "transport": "ata",
                    "transport_address": "ata1", "state": "running", "size": 1_048_576,
                    "logical_block_size": 512, "removable": true,
                }))
            ),
            with(
                &controller,
                none(json!({
                    "serial": "N1", "nqn": "nqn.2019-08.org.qemu:x", "transport": "pcie",
                    "transport_address": "0000:01:00.0", "state": "live",
                }))
            ),
            with(
                &namespace,
                none(json!({
                    "serial": "N1", "wwid": "uuid.6a3e1a7c-0000-4000-8000-000000000001",
                    "uuid": "6a3e1a7c-0000-4000-8000-000000000001",
                    "nqn": "nqn.2019-08.org.qemu:x", "transport": "pcie",
                    "transport_address": "0000:01:00.0", "state": "live",
                    "size": 67_108_864, "logical_block_size": 4096, "multipath": true,
                    "paths": [
                        {"controller": "nvme0", "name": "nvme0c0n1", "ana_state": "optimized"},
                    ],
                }))
            ),
        ])
    );
}

/// `--help` names every key that there is.
#[test]
fn the_keys_are_in_the_help() {
    let (help, _) = run_for(0, &["--help"]);
    let tree = machine(b"ACME    ");
    let all = json(&["--json", "--long", "--sysfs", tree.root()]);
    let (_, keys) = help.split_once("Keys of --json").unwrap();
    let words: Vec<_> = keys
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    for object in all.as_array().unwrap() {
        for key in object.as_object().unwrap().keys() {
            assert!(words.contains(&key.as_str()), "{key}");
        }
    }
    assert!(help.contains("Exit codes:"));
}

#[test]
fn a_line_for_each_unit() {
    let tree = machine(b"ACME    ");
    let (stdout, _) = run_for(0, &["--sysfs", tree.root()]);
    let lines: Vec<Vec<_>> = stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let expected = [
        "0:0:0:0 disk ACME \"DISK\" \\ 1 1.0 /dev/sg0 /dev/bsg/0:0:0:0 /dev/sda",
        "nvme0 nvme FAST DRIVE 2.0 /dev/nvme0",
        "nvme0:7 namespace FAST DRIVE 2.0 /dev/nvme0n1 /dev/ng0n1",
    ];
    let expected: Vec<Vec<_>> = expected
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(lines, expected);
    let (stdout, _) = run_for(0, &["--long", "--sysfs", tree.root()]);
    assert_eq!(stdout.lines().count(), 6, "{stdout}");
    for part in [
        "serial AB12, wwid naa.5000c50012345678, by ata, at ata1",
        "bytes 67108864, in blocks of 4096, paths nvme0 (optimized)",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn a_device_cannot_steer_the_terminal() {
    let tree = machine(b"A\x1b[31m\n\xff");
    let sysfs = ["--long", "--sysfs", tree.root()];
    let (stdout, _) = run_for(0, &sysfs);
    assert!(!stdout.contains('\x1b'), "{stdout}");
    assert_eq!(stdout.lines().count(), 6, "{stdout}");
    let all = json(&[&sysfs[..], &["--json"]].concat());
    assert_eq!(all[0]["vendor"], "A\x1b[31m\n\u{fffd}");
}

#[test]
fn no_device_is_no_error() {
    let tree = Tree::new();
    assert_eq!(run_for(0, &["--sysfs", tree.root()]).0, "");
    assert_eq!(json(&["--json", "--sysfs", tree.root()]), json!([]));
}

#[test]
fn failures() {
    let (stdout, stderr) = run_for(1, &["/dev/sda"]);
    assert_eq!(stdout, "");
    assert!(stderr.contains("Usage:"), "{stderr}");
    // A folder where a file should be.
    let tree = Tree::new();
    fs::create_dir_all(tree.0.join(UNIT).join("type")).unwrap();
    tree.link("class/scsi_device", &format!("{UNIT}/scsi_device/0:0:0:0"));
    let (stdout, stderr) = run_for(4, &["--json", "--sysfs", tree.root()]);
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["path"], tree.root());
    assert_eq!(object["error"]["kind"], "file");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains("Is a directory"), "{stderr}");
}

//! The program `nvme` on real nodes, and beside nvme-cli.

use std::{
    collections::BTreeSet,
    fs,
    fs::{File, OpenOptions},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

use crate::nvme_lab::{controller, identify, namespace};

/// The example comes before nvme-cli in PATH.
const NVME_CLI: &str = "/usr/bin/nvme";

fn output(program: &str, node: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).arg(node);
    command.output().unwrap()
}

/// Runs the example, checks its exit code and that `--help` lists all keys, and
/// gives its object.
fn told(code: i32, node: &Path, arguments: &[&str]) -> Value {
    let output = output("nvme", node, &[arguments, &["--json"]].concat());
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {output:?}"
    );
    let object = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"));
    assert_listed(arguments, &object);
    object
}

fn assert_listed(arguments: &[&str], object: &Value) {
    let help = Command::new("nvme").args([arguments[0], "--help"]).output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    let (_, keys) = help.split_once("Keys of --json").unwrap();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let listed: BTreeSet<_> = keys.split(|c: char| !is_part(c)).collect();
    let mut waiting = vec![object];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values),
            Value::Object(fields) => {
                for (key, value) in fields {
                    // The opcodes of effects are keys too.
                    let number = key.parse::<u8>().is_ok();
                    assert!(
                        number || listed.contains(&**key),
                        "{arguments:?}: {key} is not in --help"
                    );
                    waiting.push(value);
                }
            }
            _ => {}
        }
    }
}

/// The same as text for people.
fn text(node: &Path, arguments: &[&str]) -> String {
    let output = output("nvme", node, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn theirs(node: &Path, arguments: &[&str]) -> Value {
    let output = output(NVME_CLI, node, &[arguments, &["-o", "json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"))
}

/// Numbers by their values, strings without blanks around them.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => match number.as_f64() {
            // nvme-cli makes floating point numbers of some.
            Some(float) if number.as_u64().is_none() => format!("{float:.0}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// Every field that nvme-cli gives is given here, and is the same.
fn compare(what: &str, ours: &Value, theirs: &Value, differences: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in theirs {
                match ours.get(key) {
                    Some(own) => compare(&format!("{what}.{key}"), own, value, differences),
                    None => differences.push(format!("{what}.{key}: is not there")),
                }
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (index, (own, value)) in ours.iter().zip(theirs).enumerate() {
                compare(&format!("{what}[{index}]"), own, value, differences);
            }
        }
        _ if plain(ours) == plain(theirs) => {}
        _ => differences.push(format!("{what}: {ours}, theirs {theirs}")),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_says_what_nvme_cli_says() {
    let mut differences = Vec::new();
    for serial in ["PTPLAIN", "PTSUB", "PTMDTS"] {
        let node = controller(serial);
        let ours = told(0, &node, &["id-ctrl"]);
        compare(
            "id-ctrl",
            &ours,
            &theirs(&node, &["id-ctrl"]),
            &mut differences,
        );
        let ours = told(0, &node, &["smart"]);
        let mut theirs = theirs(&node, &["smart-log"]);
        // Counters that move between the two.
        for key in [
            "host_read_commands",
            "data_units_read",
            "controller_busy_time",
        ] {
            assert!(
                theirs.as_object_mut().unwrap().remove(key).is_some(),
                "{key}"
            );
            assert!(ours[key].is_u64(), "{key}");
        }
        compare("smart", &ours, &theirs, &mut differences);
    }
    for nsid in 1..=5 {
        let (generic, block) = namespace("PTSUB", nsid);
        let theirs = theirs(&block, &["id-ns"]);
        for node in [&generic, &block] {
            let ours = told(0, node, &["id-ns"]);
            assert_eq!(ours["nsid"], nsid);
            compare("id-ns", &ours, &theirs, &mut differences);
        }
        let number = nsid.to_string();
        let ours = told(0, &controller("PTSUB"), &["id-ns", "-n", &number]);
        compare("id-ns", &ours, &theirs, &mut differences);
        let ours = told(0, &generic, &["ns-descs"]);
        let found = ours["ns-descs"].as_array().unwrap();
        assert!(
            found.iter().any(|descriptor| descriptor["type"] == "csi"),
            "{ours}"
        );
    }
    let all: Vec<_> = differences
        .iter()
        // The vendor's bytes are not in hex there.
        .filter(|difference| !difference.contains(".vs:"))
        .collect();
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_error_log_has_the_error_that_was_made() {
    let node = controller("PTSUB");
    let refused = told(2, &node, &["get-log", "--lid", "0x7f"]);
    let outcome = &refused["error"]["outcome"];
    assert_eq!(refused["error"]["kind"], "status", "{refused}");
    assert!(outcome["status"].as_u64().unwrap() > 0 && outcome["dnr"] == true);
    let log = told(0, &node, &["error-log"]);
    assert!(log["errors"].is_array(), "{log}");
    told(0, &node, &["error-log", "--entries", "65535"]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_logs_features_and_effects_are_given() {
    let node = controller("PTPLAIN");
    let firmware = told(0, &node, &["fw-log"]);
    let active = firmware["afi"].as_u64().unwrap() & 7;
    assert!(firmware[format!("frs{active}")].is_string(), "{firmware}");
    let effects = told(0, &node, &["effects"]);
    assert_eq!(effects["acs"]["6"].as_u64().unwrap() & 1, 1, "{effects}");
    assert_eq!(effects["iocs"]["1"].as_u64().unwrap() & 3, 3, "{effects}");
    for sel in ["current", "default", "supported"] {
        let all = told(0, &node, &["features", "--sel", sel]);
        let all = all["features"].as_array().unwrap();
        let cache = all.iter().find(|feature| feature["fid"] == 6).unwrap();
        assert_eq!(cache["status"], 0, "{sel}: {cache}");
        assert!(all.len() > 20, "{all:?}");
    }
    let queues = told(0, &node, &["features", "--fid", "7"]);
    let queues = queues["features"][0]["value"].as_u64().unwrap();
    let lines = text(&node, &["features"]);
    assert!(lines.contains("Number of Queues") && queues > 0, "{lines}");
    let (generic, _) = namespace("PTPLAIN", 1);
    let clock = told(0, &generic, &["features", "--fid", "0x0e"]);
    assert_eq!(clock["features"][0]["data"].as_str().unwrap().len(), 16);

    let page = told(
        0,
        &node,
        &["get-log", "--lid", "2", "--len", "8", "--offset", "4"],
    );
    assert_eq!(page["data"].as_str().unwrap().len(), 16, "{page}");
    let file = Path::new("/tmp/nvme-log");
    told(
        0,
        &node,
        &["get-log", "--lid", "2", "--output", "/tmp/nvme-log"],
    );
    assert_eq!(fs::read(file).unwrap().len(), 512);
    fs::remove_file(file).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_admin_raw_sends_what_it_is_told() {
    let node = controller("PTPLAIN");
    let identify_controller = ["admin-raw", "-o", "6", "--cdw10", "1", "-l", "4096"];
    let raw = told(0, &node, &identify_controller);
    let expected: String = identify("PTPLAIN", 1, 0, 0)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(raw["data"], expected);
    assert_eq!(raw["status"], 0);
    let cache = ["admin-raw", "-o", "0x0a", "--cdw10", "6", "-l", "0"];
    let feature = told(0, &node, &["features", "--fid", "6"]);
    assert_eq!(
        told(0, &node, &cache)["result"],
        feature["features"][0]["value"]
    );
    let unknown = told(2, &node, &["admin-raw", "-o", "0xc0", "--write"]);
    assert_eq!(unknown["status"].as_u64().unwrap() & 0x7ff, 1, "{unknown}");
    assert_eq!(unknown["error"]["kind"], "status");
}

/// A file that is removed in the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = Path::new("/tmp").join(name);
        fs::write(&path, bytes).unwrap();
        Self(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_writes_and_reads_blocks() {
    for (nsid, block) in [(1, 512), (2, 4096), (4, 528)] {
        let (generic, node) = namespace("PTSUB", nsid);
        let data: Vec<u8> = (0..3 * block).map(|at| (at * 7 % 251) as u8).collect();
        let file = Temporary::new("nvme-data", &data);
        let write = ["write", "--slba", "8", "--input", file.name(), "--write"];
        let written = told(0, &generic, &write);
        assert_eq!(
            (&written["written"], &written["blocks"]),
            (&3.into(), &3.into())
        );
        let read = ["read", "--slba", "8", "--blocks", "3"];
        for node in [&generic, &node] {
            let back = told(0, node, &read);
            assert_eq!(back["data"], hex(&data), "{nsid}");
            assert_eq!(back["block_size"], block);
            assert!(back["metadata"].is_null());
        }
        let copy = Temporary::new("nvme-copy", &[]);
        told(
            0,
            &generic,
            &[&read[..], &["--output", copy.name()]].concat(),
        );
        assert_eq!(fs::read(&copy.0).unwrap(), data);
        let dump = text(&generic, &read);
        assert!(dump.starts_with("00000000  00 07 0e"), "{dump}");

        let short = Temporary::new("nvme-short", &data[..block + 1]);
        let write = ["write", "--slba", "8", "--input", short.name(), "--write"];
        let refused = output("nvme", &generic, &write);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    }
    // More than a command takes, and beyond the end.
    let (limited, _) = namespace("PTMDTS", 1);
    let copy = Temporary::new("nvme-copy", &[]);
    told(
        0,
        &limited,
        &["read", "--blocks", "2000", "--output", copy.name()],
    );
    assert_eq!(fs::metadata(&copy.0).unwrap().len(), 2000 * 512);
    let beyond = told(2, &limited, &["read", "--slba", "99999999"]);
    assert_eq!(beyond["error"]["outcome"]["sc"], 0x80, "{beyond}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_moves_separate_metadata() {
    let (generic, _) = namespace("PTSUB", 3);
    let back = told(0, &generic, &["read", "--slba", "64", "--blocks", "2"]);
    assert_eq!(back["metadata_size"], 8, "{back}");
    assert_eq!(back["metadata"].as_str().unwrap().len(), 32);
    assert_eq!(back["data"].as_str().unwrap().len(), 2 * 2 * 512);
    let data = Temporary::new("nvme-data", &[0x5a; 1024]);
    let tags = Temporary::new("nvme-tags", &[0xff; 16]);
    let write = ["write", "--slba", "64", "--input", data.name(), "--write"];
    let refused = output("nvme", &generic, &write);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    told(
        0,
        &generic,
        &[&write[..], &["--metadata-file", tags.name()]].concat(),
    );
    let back = told(0, &generic, &["read", "--slba", "64", "--blocks", "2"]);
    assert_eq!(back["metadata"], "ff".repeat(16));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_does_not_write_to_what_is_in_use() {
    let (generic, block) = namespace("PTSUB", 1);
    let data = Temporary::new("nvme-data", &[1; 512]);
    let write = ["write", "--slba", "0", "--input", data.name(), "--write"];
    let claim: File = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_EXCL)
        .open(&block)
        .unwrap();
    for node in [&generic, &block] {
        let refused = told(4, node, &write);
        assert_eq!(refused["error"]["kind"], "in_use", "{refused}");
    }
    told(0, &generic, &[&write[..], &["--force"]].concat());
    drop(claim);
    told(0, &generic, &write);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_reports_zones() {
    let (generic, _) = namespace("PTSUB", 5);
    let all = told(0, &generic, &["zones"]);
    let zones = all["zone_list"].as_array().unwrap();
    assert_eq!((all["nr_zones"].as_u64(), zones.len()), (Some(16), 16));
    assert_eq!(zones[1]["slba"], 1024);
    assert_eq!(zones[1]["cap"], 768);
    let some = told(0, &generic, &["zones", "--slba", "2048", "--limit", "3"]);
    let slbas: Vec<_> = some["zone_list"]
        .as_array()
        .unwrap()
        .iter()
        .map(|zone| zone["slba"].as_u64().unwrap())
        .collect();
    assert_eq!(slbas, [2048, 3072, 4096], "{some}");
    assert_eq!(text(&generic, &["zones"]).lines().count(), 16);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nvme_lists_every_namespace() {
    let output = Command::new("nvme")
        .args(["list", "--json"])
        .output()
        .unwrap();
    let all: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_listed(&["list"], &all);
    for nsid in 1..=5 {
        let (generic, block) = namespace("PTSUB", nsid);
        let found = all["namespaces"]
            .as_array()
            .unwrap()
            .iter()
            .find(|namespace| namespace["generic"] == *generic.to_str().unwrap());
        let found = found.unwrap_or_else(|| panic!("{nsid}: {all}"));
        assert_eq!(found["nsid"], nsid);
        assert_eq!(found["serial"], "PTSUB");
        assert_eq!(found["node"], *block.to_str().unwrap());
    }
    let output = Command::new("nvme").arg("list").output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    assert!(
        lines.contains("PTMDTS") && lines.contains("/dev/nvme0n1"),
        "{lines}"
    );
}

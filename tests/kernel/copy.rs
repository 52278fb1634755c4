//! The program `copy` on real nodes.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use passthru::unit::Disk;
use serde_json::{Value, json};

use crate::lab::{ScsiDebug, Unit, eventually, kernel, pattern};

const ALLOW_DIO: &str = "/sys/module/sg/parameters/allow_dio";

/// Four disks with memory of their own.
const FOUR: &str = "dev_size_mb=4 delay=0 add_host=4 per_host_store=1";

fn program(source: &Path, targets: &[&Path], more: &[&str]) -> Command {
    let mut command = Command::new("copy");
    command.arg("--if").arg(source);
    for target in targets {
        command.arg("--of").arg(target);
    }
    command.args(more).arg("--json").stdin(Stdio::null());
    command
}

fn told(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Runs it, checks the exit code, and gives the object.
pub(crate) fn copy(code: i32, source: &Path, targets: &[&Path], more: &[&str]) -> Value {
    let output = program(source, targets, more).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{more:?}: {output:?}");
    told(&output)
}

fn fill(unit: &Unit, seed: u8) -> Vec<u8> {
    let disk = Disk::open_rw(&unit.sg).unwrap();
    let data = pattern(seed, usize::try_from(disk.layout().bytes()).unwrap());
    disk.write(0, &data).unwrap();
    data
}

/// The same byte everywhere.
pub(crate) fn blank(unit: &Unit, byte: u8) -> Vec<u8> {
    let disk = Disk::open_rw(&unit.sg).unwrap();
    let data = vec![byte; usize::try_from(disk.layout().bytes()).unwrap()];
    disk.write(0, &data).unwrap();
    data
}

pub(crate) fn content(unit: &Unit) -> Vec<u8> {
    let disk = Disk::open(&unit.sg).unwrap();
    let mut data = vec![0xee; usize::try_from(disk.layout().bytes()).unwrap()];
    disk.read(0, &mut data).unwrap();
    data
}

/// Workers, targets, and in blocks: piece, count, skip, seek.
type Case<'a> = (
    &'a str,
    &'a [(&'a Unit, &'a Path)],
    usize,
    usize,
    usize,
    usize,
);

/// One, two and three targets of every kind, odd sizes, a last piece that is
/// smaller, and blocks elsewhere that stay as they are.
fn all_targets(parameters: &str, block: usize) {
    let lab = ScsiDebug::load_many(parameters, 4);
    let [source, first, second, third] = &lab.units[..] else {
        panic!()
    };
    let data = fill(source, 0x21);
    let cases: [Case<'_>; 5] = [
        ("1", &[(first, &first.block)], 16, 1000, 0, 0),
        ("4", &[(first, &first.bsg)], 128, 2047, 1, 0),
        (
            "4",
            &[(first, &first.block), (second, &second.bsg)],
            7,
            1001,
            3,
            5,
        ),
        (
            "3",
            &[
                (first, &first.block),
                (second, &second.bsg),
                (third, &third.sg),
            ],
            64,
            1999,
            17,
            40,
        ),
        ("4", &[(third, &third.sg)], 128, 1, 2000, 2),
    ];
    for (seed, (workers, targets, chunk, count, skip, seek)) in (1..).zip(cases) {
        let before: Vec<_> = targets.iter().map(|(unit, _)| blank(unit, seed)).collect();
        let nodes: Vec<_> = targets.iter().map(|(_, node)| *node).collect();
        let numbers = [chunk * block, count, skip, seek].map(|number| number.to_string());
        let [chunk_bytes, blocks, from, to] = numbers.each_ref().map(String::as_str);
        let arguments = [
            "--workers",
            workers,
            "--block-size",
            chunk_bytes,
            "--count",
            blocks,
            "--skip",
            from,
            "--seek",
            to,
            "--verify",
            "--sync",
        ];
        let report = copy(0, &source.sg, &nodes, &arguments);
        for ((unit, _), mut expected) in targets.iter().zip(before) {
            expected[seek * block..][..count * block]
                .copy_from_slice(&data[skip * block..][..count * block]);
            assert!(content(unit) == expected, "{arguments:?}");
        }
        let pieces = count.div_ceil(chunk);
        let to_sg = targets
            .iter()
            .filter(|(unit, node)| unit.sg == *node)
            .count();
        assert_eq!(report["method"], "reserve_buffer");
        assert_eq!(report["bytes"], json!(count * block));
        assert_eq!(report["complete_blocks"], json!(count));
        assert_eq!(report["verified"], true);
        assert_eq!(report["errors"], 0);
        // By what the kernel allows, sg nodes copy.
        assert_eq!(report["bounced_writes"], json!(pieces * to_sg));
        assert_eq!(
            report["zero_copy_writes"],
            json!(pieces * (targets.len() - to_sg))
        );
    }
    // All of it, with the sizes that the program chooses.
    fs::write(ALLOW_DIO, "1").unwrap();
    let report = copy(0, &source.sg, &[&third.sg], &[]);
    fs::write(ALLOW_DIO, "0").unwrap();
    assert!(content(third) == data);
    assert_eq!(report["bounced_writes"], 0, "direct I/O: {report}");
    assert_eq!(report["bytes"], json!(data.len()));
    assert!(content(source) == data);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn targets_equal_the_source() {
    all_targets(FOUR, 512);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn targets_with_four_kibibyte_blocks_equal_the_source() {
    all_targets(
        "dev_size_mb=16 delay=0 add_host=4 per_host_store=1 sector_size=4096",
        4096,
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn other_sources_and_files_give_the_same_bytes() {
    let lab = ScsiDebug::load_many("dev_size_mb=8 delay=0 add_host=2 per_host_store=1", 2);
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let data = fill(source, 0x44);
    for (seed, from) in (1..).zip([&source.block, &source.bsg]) {
        blank(target, seed);
        let report = copy(0, from, &[&target.block], &["--block-size", "24K"]);
        assert_eq!(report["method"], "aligned_buffer");
        assert_eq!(report["bounced_writes"], 0);
        assert!(content(target) == data);
    }
    // To a file, which had more in it, and back: not whole blocks.
    let file = Path::new("/tmp/copy-image");
    fs::write(file, vec![1; 9 << 20]).unwrap();
    copy(0, &source.sg, &[file, &target.block], &["--verify"]);
    assert!(fs::read(file).unwrap() == data);
    let odd = 100_001;
    fs::write(file, &data[..odd]).unwrap();
    let mut expected = blank(target, 9);
    let report = copy(0, file, &[&target.sg], &["--seek", "3", "--verify"]);
    assert_eq!(report["bytes"], json!(odd));
    let padded = odd.next_multiple_of(512);
    expected[3 * 512..][..padded].fill(0);
    expected[3 * 512..][..odd].copy_from_slice(&data[..odd]);
    assert!(content(target) == expected);
    // Through pipes.
    let out = Command::new("copy")
        .args(["--of", "-", "--if"])
        .arg(&source.sg)
        .output()
        .unwrap();
    assert!(
        out.status.success() && out.stdout == data,
        "{:?}",
        out.status
    );
    let mut child = program(Path::new("-"), &[&target.block], &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&data[..odd]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(told(&output)["bytes"], json!(odd));
    expected = content(target);
    assert!(expected[..odd] == data[..odd]);
    assert!(expected[odd..padded].iter().all(|&byte| byte == 0));
    fs::remove_file(file).unwrap();
}

/// A file's last block is filled up with zeros, to the target's block length.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_file_ends_within_a_block_of_four_kibibytes() {
    const LEN: usize = 24 * 4096 + 1;
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 sector_size=4096");
    let unit = lab.unit();
    let file = Path::new("/tmp/copy-image");
    for (seed, node) in (1..).zip(unit.nodes()) {
        let data = pattern(seed, LEN);
        fs::write(file, &data).unwrap();
        let mut expected = blank(unit, 0xb0 + seed);
        let arguments = ["--block-size", "12K", "--seek", "5", "--verify"];
        let report = copy(0, file, &[node], &arguments);
        assert_eq!(report["bytes"], json!(LEN));
        assert_eq!(report["verified"], true);
        expected[5 * 4096..][..25 * 4096].fill(0);
        expected[5 * 4096..][..LEN].copy_from_slice(&data);
        assert!(content(unit) == expected, "{}", node.display());
    }
    fs::remove_file(file).unwrap();
}

/// `scsi_debug` cannot read the ten blocks from 1234h on.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn bad_blocks_are_named_and_left_out_if_wished() {
    let lab = ScsiDebug::load_many("dev_size_mb=8 delay=0 add_host=2 per_host_store=1", 2);
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let data = fill(source, 0x13);
    for node in [&source.sg, &source.block] {
        blank(target, 0x77);
        lab.set("opts", "2");
        let stopped = copy(2, node, &[&target.block], &["--block-size", "64K"]);
        let report = copy(
            2,
            node,
            &[&target.block],
            &["--block-size", "64K", "--no-error"],
        );
        lab.set("opts", "0");
        let message = stopped["error"]["message"].as_str().unwrap();
        for part in ["bad block at LBA 4660", "MEDIUM ERROR"] {
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(stopped["error"]["kind"], "check");
        assert_eq!(stopped["complete_blocks"], 4660 / 128 * 128);
        assert_eq!(report["error"], Value::Null);
        assert_eq!(report["errors"], 10);
        assert_eq!(report["bad_ranges"], json!([{"lba": 4660, "blocks": 10}]));
        assert_eq!(report["bytes"], json!(data.len()));
        let mut expected = data.clone();
        expected[4660 * 512..4670 * 512].fill(0);
        assert!(content(target) == expected);
    }
}

/// A disk that claims 1 GiB and has 1 MiB: what comes later overwrites what
/// came before.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn verify_finds_a_disk_that_is_smaller_than_it_says() {
    let lab = ScsiDebug::load("virtual_gb=1 dev_size_mb=1 delay=0");
    let file = Path::new("/tmp/copy-image");
    fs::write(file, pattern(3, 3 << 20)).unwrap();
    for node in lab.unit().nodes() {
        let report = copy(0, file, &[node], &[]);
        assert_eq!(report["verified"], false);
        let report = copy(2, file, &[node], &["--verify"]);
        assert_eq!(report["error"]["kind"], "differs");
        let message = report["error"]["message"].as_str().unwrap();
        assert!(message.contains("is not what was written"), "{message}");
        assert_eq!(report["verified"], false);
    }
    fs::remove_file(file).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn unit_attentions_are_counted_and_the_command_sent_once_more() {
    let lab = ScsiDebug::load_many(
        "dev_size_mb=8 ndelay=2000000 add_host=2 per_host_store=1",
        2,
    );
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let data = fill(source, 0x66);
    let mut child = program(
        &source.sg,
        &[&target.block],
        &["--block-size", "16K", "--workers", "2"],
    )
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut changes = 0;
    while child.try_wait().unwrap().is_none() {
        // REPORTED LUNS DATA HAS CHANGED, on every unit.
        lab.set("max_luns", if changes % 2 == 0 { "2" } else { "1" });
        changes += 1;
        thread::sleep(Duration::from_millis(150));
    }
    lab.set("max_luns", "1");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = told(&output);
    assert!(changes >= 2, "{report}");
    assert!(report["unit_attentions"].as_u64().unwrap() >= 2, "{report}");
    // What is left would meet the test's own commands.
    for unit in &lab.units {
        while Disk::open(&unit.sg).is_err() {}
    }
    assert!(content(target) == data);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn ctrl_c_ends_after_the_commands_under_way() {
    let lab = ScsiDebug::load_many(
        "dev_size_mb=8 ndelay=10000000 add_host=2 per_host_store=1",
        2,
    );
    let (source, target) = (&lab.units[0], &lab.units[1]);
    lab.set("ndelay", "0");
    lab.set("delay", "0");
    let data = fill(source, 0x31);
    lab.set("ndelay", "10000000");
    for node in [&target.block, &target.sg] {
        let begin = target.commands();
        let child = program(&source.sg, &[node], &["--block-size", "16K"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        eventually("some writes", || {
            (target.commands() > begin + 40).then_some(())
        });
        let killed = Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}: {output:?}", kernel());
        let report = told(&output);
        assert_eq!(report["interrupted"], true);
        assert_eq!(report["error"], Value::Null);
        let bytes = usize::try_from(report["bytes"].as_u64().unwrap()).unwrap();
        assert!(bytes > 0 && bytes < data.len(), "{report}");
        assert_eq!(report["complete_blocks"], json!(bytes / 512));
        // Nothing is left behind: all that was sent has ended.
        for unit in &lab.units {
            let done = fs::read_to_string(unit.sysfs.join("iodone_cnt")).unwrap();
            let sent = fs::read_to_string(unit.sysfs.join("iorequest_cnt")).unwrap();
            assert_eq!(done, sent);
        }
        assert!(content(target)[..bytes] == data[..bytes]);
        assert!(content(target)[bytes..].iter().all(|&byte| byte == 0));
        blank(target, 0);
    }
}

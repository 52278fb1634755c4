//! What `discover` finds, beside what the nodes themselves say.

mod nvme;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use passthru::{
    ScsiDevice, ScsiTransportExt,
    discover::{self, ScsiUnit, Transport},
    scsi::{DeviceType, Inquiry, ReadCapacity10, vpd::SerialNumber},
};
use serde_json::Value;

use crate::lab::{ScsiDebug, Unit, eventually};

/// The nodes in a folder of /dev whose name is a prefix and something of which
/// every character is allowed.
fn nodes(folder: &str, prefix: &str, allowed: impl Fn(char) -> bool) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.strip_prefix(prefix)
                .is_some_and(|rest| !rest.is_empty() && rest.chars().all(&allowed))
        })
        .collect()
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// As a set, if none is there twice.
fn once<'p>(paths: impl IntoIterator<Item = &'p Path>) -> BTreeSet<PathBuf> {
    let mut set = BTreeSet::new();
    for path in paths {
        assert!(set.insert(path.to_owned()), "twice: {}", path.display());
    }
    set
}

/// The program `list` as it is, and what it says.
fn list(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new("list")
        .arg("--json")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn of(unit: &Unit) -> Option<ScsiUnit> {
    let units = discover::scsi().unwrap();
    units.into_iter().find(|found| found.sg() == Some(&unit.sg))
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn every_scsi_node_is_listed_once() {
    let _lab = ScsiDebug::load_many("dev_size_mb=8 num_tgts=2 max_luns=3", 6);
    let units = discover::scsi().unwrap();
    let mut there = nodes("/dev", "sg", digit);
    there.extend(nodes("/dev", "sr", digit));
    there.extend(nodes("/dev", "sd", |c| c.is_ascii_lowercase()));
    // Those of hosts have names with letters.
    there.extend(nodes("/dev/bsg", "", |c| digit(c) || c == ':'));
    // 3 drives that the machine always has.
    assert_eq!(units.len(), 9);
    assert_eq!(there.len(), 27, "{there:?}");
    assert_eq!(once(units.iter().flat_map(ScsiUnit::nodes)), there);
    assert!(nodes("/dev/bsg", "sas_host", digit).len() == 1);

    let addresses: Vec<_> = units.iter().map(ScsiUnit::address).collect();
    assert!(addresses.is_sorted(), "{addresses:?}");
    let listed = list(&["--scsi"]);
    let expected: Vec<_> = addresses.iter().map(ToString::to_string).collect();
    let found: Vec<_> = listed.iter().map(|unit| &unit["address"]).collect();
    assert_eq!(found, expected.iter().collect::<Vec<_>>());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lsscsi_lists_the_same() {
    let _lab = ScsiDebug::load_many("dev_size_mb=8 num_tgts=2 max_luns=3", 6);
    // busybox has another one of that name.
    let output = Command::new("/usr/bin/lsscsi")
        .args(["-g", "--no-nvme"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let theirs: Vec<_> = text
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            let address = words.next().unwrap().trim_matches(['[', ']']);
            let sg = words.next_back().unwrap();
            let block = words.next_back().unwrap();
            // Vendor, model and revision, as they stand in fields.
            let names: String = line.get(21..51).unwrap().split_whitespace().collect();
            [address, block, sg, &names].map(str::to_owned)
        })
        .collect();
    let units = discover::scsi().unwrap();
    let ours: Vec<_> = units
        .iter()
        .map(|unit| {
            let node = |node: Option<&Path>| node.unwrap().to_str().unwrap().to_owned();
            let names = format!("{}{}{}", unit.vendor(), unit.model(), unit.revision());
            [
                unit.address().to_string(),
                node(unit.block()),
                node(unit.sg()),
                names.split_whitespace().collect(),
            ]
        })
        .collect();
    assert_eq!(ours.len(), 9);
    assert_eq!(ours, theirs);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_nodes_say_the_same() {
    let _lab = ScsiDebug::load_many("dev_size_mb=8 num_tgts=2 removable=1 sector_size=4096", 2);
    let units = discover::scsi().unwrap();
    assert_eq!(units.len(), 5);
    let mut disks = 0;
    for unit in &units {
        assert_eq!(unit.nodes().count(), 3, "{unit}");
        for node in unit.nodes() {
            let device = ScsiDevice::open(node).unwrap();
            assert_eq!(device.address(), Some(unit.address()), "{unit}");
            assert_eq!(device.device_type(), Some(unit.device_type()), "{unit}");
            let inquiry = device.query(&Inquiry::standard()).unwrap();
            assert_eq!(inquiry.device_type(), unit.device_type(), "{unit}");
            assert_eq!(inquiry.vendor().trimmed(), unit.vendor().trimmed());
            assert_eq!(inquiry.product().trimmed(), unit.model().trimmed());
            assert_eq!(inquiry.revision().trimmed(), unit.revision().trimmed());
            assert_eq!(Some(inquiry.removable()), unit.is_removable(), "{unit}");
            let kept = unit.inquiry().unwrap();
            assert_eq!(kept.version(), inquiry.version(), "{unit}");
        }
        assert_eq!(unit.state().unwrap(), "running");
        let device = ScsiDevice::open(unit.sg().unwrap()).unwrap();
        // Of QEMU's CD drives the kernel asks for no pages.
        if unit.device_type() == DeviceType::DISK {
            let page = device.query(&Inquiry::vpd(SerialNumber)).unwrap();
            assert_eq!(unit.serial().unwrap(), &*page.serial().trimmed(), "{unit}");
            let capacity = device.query(&ReadCapacity10).unwrap();
            let length = capacity.block_length();
            let bytes = (capacity.last_lba().0 + 1) * u64::from(length);
            assert_eq!(unit.size(), Some(bytes), "{unit}");
            assert_eq!(unit.logical_block_size(), Some(length), "{unit}");
            disks += 1;
        }
    }
    assert_eq!(disks, 3);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_units_are_attached_by() {
    let lab = ScsiDebug::load("dev_size_mb=8");
    let unit = of(lab.unit()).unwrap();
    assert_eq!(unit.transport(), Transport::Other("scsi_debug".to_owned()));
    assert!(unit.wwid().unwrap().trimmed().starts_with("naa."), "{unit}");
    let disk = of(&Unit::only("QEMU HARDDISK")).unwrap();
    assert_eq!(disk.transport(), Transport::Virtio);
    assert_eq!(disk.serial().unwrap(), "PTDISK01");
    let drive = of(&Unit::only("QEMU DVD-ROM")).unwrap();
    assert_eq!(drive.transport(), Transport::Ata);
    let port = drive.transport_address().unwrap();
    assert!(port.trimmed().starts_with("ata"), "{port}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_tape_drive_has_nodes_of_its_own() {
    // Not counted: the laboratory counts disks.
    let _lab = ScsiDebug::load_many("ptype=1", 0);
    let unit = eventually("the tape drive", || {
        let units = discover::scsi().unwrap();
        let mut tapes = units
            .into_iter()
            .filter(|unit| unit.device_type() == DeviceType::TAPE);
        let tape = tapes.next()?;
        assert!(tapes.next().is_none());
        (tape.nodes().count() == 4).then_some(tape)
    });
    let tape = nodes("/dev", "st", digit);
    assert_eq!(tape.len(), 1, "{tape:?}");
    assert_eq!(once(unit.tape()), tape);
    assert_eq!(once(unit.tape_no_rewind()), nodes("/dev", "nst", digit));
    assert_eq!((unit.block(), unit.size()), (None, None));
    let device = ScsiDevice::open(unit.sg().unwrap()).unwrap();
    assert_eq!(device.address(), Some(unit.address()));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_is_gone_is_not_listed_and_says_nothing() {
    let lab = ScsiDebug::load("dev_size_mb=8");
    let unit = of(lab.unit()).unwrap();
    assert!(unit.serial().is_some() && unit.size().is_some());
    lab.unit().delete();
    let units = discover::scsi().unwrap();
    let addresses: Vec<_> = units.iter().map(ScsiUnit::address).collect();
    assert!(!addresses.contains(&unit.address()), "{addresses:?}");
    assert_eq!(addresses.len(), 3);
    for value in [unit.serial(), unit.wwid(), unit.state()] {
        assert_eq!(value, None);
    }
    assert_eq!((unit.size(), unit.inquiry()), (None, None));
}

/// Units that come and go while the list is made are in it or not; the others
/// are, each time.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_list_of_units_that_come_and_go() {
    let lab = ScsiDebug::load_many("dev_size_mb=8 max_luns=8", 8);
    let (steady, moving) = lab.units.split_at(2);
    let steady: Vec<_> = steady
        .iter()
        .map(|unit| of(unit).unwrap().address())
        .collect();
    let host = steady[0].host;
    let over = AtomicBool::new(false);
    let (mut lists, mut fewest, mut most) = (0, usize::MAX, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..6 {
                for unit in moving {
                    let _ = fs::write(unit.sysfs.join("delete"), "1");
                }
                let scan = format!("/sys/class/scsi_host/host{host}/scan");
                fs::write(scan, "- - -").unwrap();
            }
            over.store(true, Ordering::Relaxed);
        });
        while !over.load(Ordering::Relaxed) {
            let units = discover::scsi().unwrap();
            let found: Vec<_> = units.iter().map(ScsiUnit::address).collect();
            assert!(
                steady.iter().all(|address| found.contains(address)),
                "{found:?}"
            );
            fewest = fewest.min(found.len());
            most = most.max(found.len());
            lists += 1;
        }
    });
    // The test has seen some go.
    assert!(lists > 10 && fewest < most, "{lists}: {fewest} to {most}");
}

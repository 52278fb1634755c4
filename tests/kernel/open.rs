//! How nodes are opened, and those that are not easy to open.

use std::{fs, path::Path};

use passthru::{
    BlockDevice, BsgDevice, Error, OpenOptions, ScsiDevice, ScsiTransportExt, SgDevice,
    scsi::{Inquiry, RawCdb, SenseKey, TestUnitReady, Write10},
};

use crate::lab::{ScsiDebug, Unit, eventually};

/// The flags of this process's only descriptor of `path`.
fn open_flags(path: &Path) -> i32 {
    let numbers: Vec<_> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .flatten()
        .filter(|entry| fs::read_link(entry.path()).is_ok_and(|target| target == path))
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert_eq!(numbers.len(), 1, "{}: {numbers:?}", path.display());
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{}", numbers[0])).unwrap();
    let flags = info
        .lines()
        .find_map(|line| line.strip_prefix("flags:"))
        .unwrap();
    i32::from_str_radix(flags.trim(), 8).unwrap()
}

/// A program that is started by this one gets no drive; reading is not writing,
/// except on sg, where sending is writing; and a read on sg waits.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn flags_of_the_descriptors() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        let is_sg = node == lab.unit().sg;
        for write in [false, true] {
            let device = ScsiDevice::open_with(node, &OpenOptions::new().write(write)).unwrap();
            let flags = open_flags(node);
            assert_ne!(flags & libc::O_CLOEXEC, 0, "{flags:o}");
            let mode = if write || is_sg {
                libc::O_RDWR
            } else {
                libc::O_RDONLY
            };
            assert_eq!(flags & libc::O_ACCMODE, mode, "{flags:o}");
            assert_eq!(flags & libc::O_NONBLOCK == 0, is_sg, "{flags:o}");
            device.execute(&TestUnitReady).unwrap();
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_exclusive_sg_node_leaves_the_other_nodes_alone() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let exclusive = OpenOptions::new().exclusive(true);
    let _sg = SgDevice::open_with(&lab.unit().sg, &exclusive).unwrap();
    let block = BlockDevice::open(&lab.unit().block).unwrap();
    block.execute(&TestUnitReady).unwrap();
    let bsg = BsgDevice::open_with(&lab.unit().bsg, &exclusive).unwrap();
    bsg.execute(&TestUnitReady).unwrap();
}

/// `sg3_utils#68`: the block node of a write-protected disk cannot be
/// opened for writing; the others can, and the device itself says no.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_write_protected_disk() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 wp=1");
    let unit = lab.unit();
    let error = BlockDevice::open_rw(&unit.block).unwrap_err();
    assert!(
        matches!(&error, Error::OpenDenied { path, .. } if *path == unit.block),
        "{error:?}"
    );
    assert_eq!(error.raw_os_error(), Some(libc::EROFS));
    let text = error.to_string();
    assert!(
        text.contains("write-protected") && text.contains("sg or bsg"),
        "{text}"
    );
    BlockDevice::open(&unit.block)
        .unwrap()
        .query(&Inquiry::standard())
        .unwrap();
    for node in [&unit.sg, &unit.bsg] {
        let device = ScsiDevice::open_rw(node).unwrap();
        let error = device.write(&Write10::new(0, 1), &[1; 512]).unwrap_err();
        let sense = error.outcome().unwrap().sense();
        assert_eq!(sense.key(), Some(SenseKey::DATA_PROTECT), "{error}");
        assert_eq!(sense.asc(), Some(0x27), "{error}");
    }
}

/// Closes the tray again, whatever the test came to.
struct Tray(SgDevice);

impl Tray {
    fn open(unit: &Unit) -> Self {
        let device = SgDevice::open_rw(&unit.sg).unwrap();
        device.execute(&load(false)).unwrap();
        Self(device)
    }
}

impl Drop for Tray {
    fn drop(&mut self) {
        self.0.execute(&load(true)).unwrap();
        eventually("the medium", || self.0.execute(&TestUnitReady).ok());
    }
}

/// START STOP UNIT with LOEJ.
fn load(load: bool) -> RawCdb {
    RawCdb::new(&[0x1b, 0, 0, 0, 2 | u8::from(load), 0]).unwrap()
}

/// hdd-rs#1: without `O_NONBLOCK` a drive without a medium cannot be opened, and
/// so no command could be sent to close its tray.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drive_without_a_medium() {
    let unit = Unit::only("QEMU CD-ROM");
    let tray = Tray::open(&unit);
    for node in unit.nodes() {
        let device = ScsiDevice::open(node).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            device.query(&Inquiry::standard()).unwrap().product(),
            "QEMU CD-ROM"
        );
        // What changed is told first, by unit attentions.
        let error = eventually("no medium", || {
            let error = device.execute(&TestUnitReady).unwrap_err();
            let key = error.outcome().unwrap().sense().key();
            (key != Some(SenseKey::UNIT_ATTENTION)).then_some(error)
        });
        let sense = error.outcome().unwrap().sense();
        assert_eq!(sense.key(), Some(SenseKey::NOT_READY), "{error}");
        assert_eq!(sense.asc(), Some(0x3a), "{error}");
        assert!(error.to_string().contains("Medium not present"), "{error}");
    }
    drop(tray);
}

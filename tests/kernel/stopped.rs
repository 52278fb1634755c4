//! A command is sent once, though a debugger or the freezer stops the process:
//! both wake a thread that waits interruptibly, as a signal does.

use std::{fs, path::Path, process::Command, thread, time::Duration};

use passthru::{ScsiTransportExt, SgDevice, scsi::Write10};

use crate::{
    exactly_once::{raw_open, raw_sg_io},
    lab::{ScsiDebug, Unit},
    process::{Forked, Stop},
};

const WRITES: u32 = 40;

/// A child that writes through the crate.
fn writer(unit: &Unit) -> Forked {
    Forked::start(|| {
        let device = SgDevice::open_rw(&unit.sg).unwrap();
        let write = |lba| device.write(&Write10::new(lba, 1), &[0x77; 512]);
        u8::from((0..WRITES).all(|lba| write(lba).is_ok()))
    })
}

/// A child that does the same by `SG_IO`.
fn raw_writer(unit: &Unit) -> Forked {
    Forked::start(|| {
        let file = raw_open(&unit.sg);
        for _ in 0..WRITES {
            let cdb = [0x2a, 0, 0, 0, 0, 60, 0, 0, 1, 0];
            let _ = raw_sg_io(&file, &cdb, -2, &mut [0x78; 512]);
        }
        1
    })
}

/// Counts the commands of both children while `disturb` stops them.
fn compare(name: &str, disturb: impl Fn(&Forked)) {
    // A command takes 20 ms.
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=20000000");
    let unit = lab.unit();
    let before = unit.commands();
    let child = writer(unit);
    disturb(&child);
    assert_eq!(child.wait(), 1, "all writes succeeded");
    let ours = unit.commands() - before;

    let before = unit.commands();
    let child = raw_writer(unit);
    disturb(&child);
    child.wait();
    let raw = unit.commands() - before;
    println!("{name}: {WRITES} writes: {ours} commands; by SG_IO: {raw}");
    assert_eq!(ours, u64::from(WRITES), "each write was sent once");
    assert!(raw > u64::from(WRITES), "SG_IO is seen to send more: {raw}");
}

/// At most so often, that a command which is sent anew each time comes to its
/// end sometime.
const TIMES: u32 = 60;

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn writes_under_a_debugger_that_comes_and_goes() {
    compare("debugger", |child| {
        for _ in 0..TIMES {
            if child.ptrace(libc::PTRACE_ATTACH, 0).is_err() || child.stop() == Stop::Ended {
                return;
            }
            child.ptrace(libc::PTRACE_DETACH, 0).unwrap();
            thread::sleep(Duration::from_millis(7));
        }
    });
}

/// A control group of its own, with the freezer.
fn freezer() -> &'static Path {
    let root = Path::new("/tmp/cgroup");
    let group = Path::new("/tmp/cgroup/passthru");
    if !group.exists() {
        fs::create_dir_all(root).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "cgroup2", "none", "/tmp/cgroup"])
            .status()
            .unwrap();
        assert!(mounted.success());
        fs::create_dir(group).unwrap();
    }
    group
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn writes_while_being_frozen_and_thawed() {
    let group = freezer();
    compare("freezer", |child| {
        fs::write(group.join("cgroup.procs"), child.id().to_string()).unwrap();
        for _ in 0..TIMES {
            if !child.runs() {
                return;
            }
            fs::write(group.join("cgroup.freeze"), "1").unwrap();
            thread::sleep(Duration::from_millis(5));
            fs::write(group.join("cgroup.freeze"), "0").unwrap();
            thread::sleep(Duration::from_millis(7));
        }
    });
}

//! The device behind a path becomes another one while it is being opened.

use std::fs;

use passthru::{
    Data, Error, Options, ScsiTransport, SgDevice,
    scsi::{Cdb, DeviceType},
};

use crate::{
    lab::{ScsiDebug, Unit, eventually},
    process::{Forked, Stop},
};

/// READ SUB-CHANNEL on an optical drive, UNMAP on a disk.
const UNMAP: Cdb = Cdb::from_array([0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0]);

/// Its parameter list: no blocks from block 0 on.
const NOTHING: [u8; 24] = {
    let mut list = [0; 24];
    list[1] = 22;
    list[3] = 16;
    list
};

/// A child is stopped between its look at the node and its open. Meanwhile the
/// optical drive goes and a disk comes, under the same name and number. The
/// handle must judge commands as the disk's.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_node_is_judged_by_the_device_that_was_opened() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 ptype=5 lbpu=1");
    let unit = lab.unit();
    let host = unit.sysfs.file_name().unwrap().to_str().unwrap();
    let host = host.split(':').next().unwrap();
    let child = Forked::start(|| {
        // SAFETY: this request has no arguments.
        let traced = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
        assert_eq!(traced, 0);
        // SAFETY: raise has no preconditions.
        unsafe { libc::raise(libc::SIGSTOP) };
        let device = match SgDevice::open(&unit.sg) {
            Ok(device) => device,
            // To see that it changed and to say so is as good.
            Err(Error::Os { .. }) => return 2,
            Err(_) => return 3,
        };
        let unmap = device.send(&UNMAP, Data::Out(&NOTHING), &Options::new());
        u8::from(matches!(unmap, Err(Error::ReadOnly { .. })))
    });
    assert_eq!(child.stop(), Stop::Signal(libc::SIGSTOP));
    child
        .ptrace(
            libc::PTRACE_SETOPTIONS,
            libc::c_long::from(libc::PTRACE_O_TRACESYSGOOD),
        )
        .unwrap();
    let mut replaced = false;
    loop {
        child.ptrace(libc::PTRACE_SYSCALL, 0).unwrap();
        if child.stop() == Stop::Ended {
            break;
        }
        let (number, flags) = child.system_call();
        let writes = flags & libc::c_long::from(libc::O_RDWR) != 0;
        if !replaced && number == libc::SYS_openat && writes {
            replace(&lab, unit, host);
            replaced = true;
        }
    }
    assert!(replaced, "the child opened the node");
    assert!([1, 2].contains(&child.wait()), "UNMAP got through");
}

fn replace(lab: &ScsiDebug, unit: &Unit, host: &str) {
    lab.set("ptype", "0");
    unit.delete();
    eventually("the node to go", || (!unit.sg.exists()).then_some(()));
    fs::write(format!("/sys/class/scsi_host/host{host}/scan"), "- - -").unwrap();
    eventually("the node to come", || unit.sg.exists().then_some(()));
    let device = SgDevice::open(&unit.sg).unwrap();
    assert_eq!(device.device_type(), Some(DeviceType::DISK));
}

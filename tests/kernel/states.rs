//! Devices that are offline, write-protected or claimed.

use std::fs;

use passthru::{
    BlockDevice, Error, OpenOptions, ScsiTransportExt,
    scsi::{HostStatus, Read10, TestUnitReady},
};

use crate::lab::ScsiDebug;

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_offline_device_says_so_and_comes_back() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let devices = lab.unit().open_all();
    let state = lab.unit().sysfs.join("state");
    fs::write(&state, "offline\n").unwrap();
    let before = lab.unit().commands();
    for device in &devices {
        for error in [
            device.execute(&TestUnitReady).unwrap_err(),
            device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap_err(),
        ] {
            match &error {
                Error::Gone { sent: false, .. } => assert!(!error.was_sent()),
                // bsg asks the device's driver all the same.
                Error::Transport(failure) => {
                    assert_eq!(failure.outcome().host(), HostStatus::NO_CONNECT, "{error}");
                    assert_eq!(failure.outcome().transferred(), 0);
                }
                _ => panic!("{:?}: {error:?}", device.kind()),
            }
            println!("{:?}: {error}", device.kind());
        }
    }
    assert_eq!(lab.unit().commands(), before, "nothing was sent");
    fs::write(&state, "running\n").unwrap();
    for device in &devices {
        device.execute(&TestUnitReady).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_write_protected_disk_opens_read_only() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 wp=1");
    let block = &lab.unit().block;
    let error = BlockDevice::open_rw(block).unwrap_err();
    assert!(matches!(error, Error::OpenDenied { .. }), "{error:?}");
    assert_eq!(error.raw_os_error(), Some(libc::EROFS));
    assert!(error.to_string().contains("write-protected"), "{error}");
    let device = BlockDevice::open(block).unwrap();
    device.read(&Read10::new(0, 1), &mut [0; 512]).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_claimed_disk_is_in_use_and_the_message_fits_a_disk() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let exclusive = OpenOptions::new().exclusive(true);
    let first = BlockDevice::open_with(&lab.unit().block, &exclusive).unwrap();
    let error = BlockDevice::open_with(&lab.unit().block, &exclusive).unwrap_err();
    assert!(matches!(error, Error::InUse { .. }), "{error:?}");
    assert!(!error.to_string().contains("this sg node"), "{error}");
    // Others are let in.
    BlockDevice::open(&lab.unit().block).unwrap();
    drop(first);
}

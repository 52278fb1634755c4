//! Processes with other credentials.

use std::{fs, os::unix::fs::PermissionsExt};

use passthru::{
    Error, ScsiDevice, ScsiTransportExt, SgDevice,
    scsi::{Cdb, RawCdb, TestUnitReady},
};

use crate::lab::{ScsiDebug, in_child};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_fork_may_not_use_an_open_sg_node() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    device.execute(&TestUnitReady).unwrap();
    let before = lab.unit().commands();
    assert!(in_child(|| {
        let result = device.execute(&TestUnitReady);
        let refused = matches!(result, Err(Error::CredentialsChanged { sent: false, .. }));
        if !refused {
            eprintln!("{result:?}");
        }
        refused
    }));
    assert_eq!(lab.unit().commands(), before, "nothing was sent");
    device.execute(&TestUnitReady).unwrap();
    // Opened anew in the child it works.
    assert!(in_child(|| {
        SgDevice::open(&lab.unit().sg).is_ok_and(|own| own.execute(&TestUnitReady).is_ok())
    }));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn setuid_to_no_effect_is_enough() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    assert!(in_child(|| {
        let device = SgDevice::open(&lab.unit().sg).unwrap();
        let first = device.execute(&TestUnitReady).is_ok();
        // SAFETY: setuid has no preconditions.
        let changed = unsafe { libc::setuid(0) } == 0;
        let result = device.execute(&TestUnitReady);
        first && changed && matches!(result, Err(Error::CredentialsChanged { sent: false, .. }))
    }));
}

/// User 1000 on nodes that it may open: what the kernel's filter refuses.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_command_filter_is_explained() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o666)).unwrap();
    }
    let reserve = RawCdb::from(Cdb::from_array([0x5f, 0, 0, 0, 0, 0, 0, 0, 24, 0]));
    for node in [&lab.unit().block, &lab.unit().bsg] {
        assert!(in_child(|| {
            // SAFETY: setuid has no preconditions.
            assert_eq!(unsafe { libc::setuid(1000) }, 0);
            let device = ScsiDevice::open_rw(node).unwrap();
            let allowed = device.execute(&TestUnitReady);
            let error = device.write(&reserve, &[0; 24]).unwrap_err();
            let told = matches!(&error, Error::NotPermitted { cdb, .. } if cdb.opcode() == 0x5f)
                && error.to_string().contains("PERSISTENT RESERVE OUT")
                && error.to_string().contains("CAP_SYS_RAWIO")
                && !error.was_sent();
            if !told {
                eprintln!("{error:?}: {error}");
            }
            allowed.is_ok() && told
        }));
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nodes_that_may_not_be_opened() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        fs::set_permissions(node, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(in_child(|| {
            // SAFETY: setuid has no preconditions.
            assert_eq!(unsafe { libc::setuid(1000) }, 0);
            let error = ScsiDevice::open(node).unwrap_err();
            let told = matches!(&error, Error::OpenDenied { path, .. } if path == node)
                && error.to_string().contains("permission");
            if !told {
                eprintln!("{error:?}: {error}");
            }
            told
        }));
    }
}

//! The device goes away.

use std::{thread, time::Duration};

use passthru::{
    Error, ScsiDevice, ScsiTransportExt,
    scsi::{Read10, TestUnitReady},
};

use crate::lab::ScsiDebug;

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_removed_device_is_gone_on_all_nodes() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let devices = lab.unit().open_all();
    for device in &devices {
        device.execute(&TestUnitReady).unwrap();
    }
    lab.unit().delete();
    for device in &devices {
        for _ in 0..2 {
            let error = device.execute(&TestUnitReady).unwrap_err();
            assert!(
                matches!(error, Error::Gone { sent: false, .. }),
                "{:?}: {error:?}",
                device.kind()
            );
            assert!(error.to_string().contains("gone"), "{error}");
        }
    }
    drop(devices);
    for node in lab.unit().nodes() {
        let error = ScsiDevice::open(node).unwrap_err();
        assert!(
            matches!(error, Error::NotFound { .. } | Error::Gone { .. }),
            "{error:?}"
        );
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_device_removed_under_a_running_command_hangs_nobody() {
    for index in 0..3 {
        let lab = ScsiDebug::load("dev_size_mb=8 ndelay=500000000");
        let devices = lab.unit().open_all();
        let device = &devices[index];
        let kind = device.kind();
        thread::scope(|scope| {
            let running = scope.spawn(|| {
                let mut buffer = [0; 512];
                device.read(&Read10::new(0, 1), &mut buffer)
            });
            thread::sleep(Duration::from_millis(150));
            lab.unit().delete();
            // The command in flight still ends, well or not.
            match running.join().unwrap() {
                Ok(outcome) => assert_eq!(outcome.transferred(), 512),
                Err(Error::Gone { .. } | Error::Transport(_)) => {}
                Err(error) => panic!("{kind:?}: {error:?}"),
            }
        });
        let error = device.execute(&TestUnitReady).unwrap_err();
        assert!(matches!(error, Error::Gone { .. }), "{kind:?}: {error:?}");
    }
}

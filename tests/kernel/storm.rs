//! Many threads, signals, and a device that goes away, all at once.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use passthru::{
    Error, ScsiTransportExt, SgDevice,
    scsi::{Read10, Write10},
};

use crate::{
    exactly_once::Alarms,
    lab::{ScsiDebug, pattern},
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn forty_threads_under_signals_send_each_command_once() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=3000000 max_queue=64");
    let device = SgDevice::open_rw(&lab.unit().sg).unwrap();
    for lba in 0..40 {
        let data = pattern(lba as u8, 512);
        device.write(&Write10::new(lba, 1), &data).unwrap();
    }
    let before = lab.unit().commands();
    thread::scope(|scope| {
        for lba in 0..40 {
            let device = &device;
            scope.spawn(move || {
                let _alarms = Alarms::start(2000);
                for _ in 0..15 {
                    let mut buffer = [0xee; 512];
                    device.read(&Read10::new(lba, 1), &mut buffer).unwrap();
                    assert!(buffer[..] == pattern(lba as u8, 512)[..], "block {lba}");
                }
            });
        }
    });
    assert_eq!(lab.unit().commands() - before, 40 * 15);
    assert_eq!(device.requests().unwrap(), []);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn forty_threads_and_a_removal_under_signals() {
    for round in 0..3 {
        let lab = ScsiDebug::load("dev_size_mb=8 ndelay=20000000 max_queue=64");
        let device = SgDevice::open(&lab.unit().sg).unwrap();
        let read = AtomicU64::new(0);
        thread::scope(|scope| {
            for lba in 0..40 {
                let (device, read) = (&device, &read);
                scope.spawn(move || {
                    let _alarms = Alarms::start(2000);
                    loop {
                        let mut buffer = [0xee; 512];
                        match device.read(&Read10::new(lba, 1), &mut buffer) {
                            Ok(outcome) => {
                                assert_eq!(outcome.transferred(), 512);
                                assert_eq!(buffer, [0; 512]);
                                read.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(Error::Transport(_)) => {}
                            Err(Error::Gone { .. }) => break,
                            Err(error) => panic!("{error:?}"),
                        }
                    }
                });
            }
            thread::sleep(Duration::from_millis(200 + 50 * round));
            lab.unit().delete();
        });
        assert!(read.load(Ordering::Relaxed) > 0);
        assert_eq!(device.requests().unwrap(), []);
    }
}

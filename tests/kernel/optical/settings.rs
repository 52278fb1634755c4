//! Settings of the drive, and guards that put them back.

use std::panic::{self, AssertUnwindSafe};

use passthru::{
    Error, ScsiDevice, ScsiTransportExt as _,
    scsi::{
        TestUnitReady,
        mmc::{Lba, SetCdSpeed, cd_speed},
        sense::Condition,
    },
    unit::OpticalDrive,
};

use super::{RECOVERY, drives, raw};
use crate::mmc_drive::{Logged, TestDrive, get};

type Drive = OpticalDrive<ScsiDevice>;

/// Flags and read retry count of the error recovery page, as the drive has them.
fn recovery(test: &TestDrive) -> [u8; 2] {
    let page = get(&test.open_sg(), "5a 00 01 00 00 00 00 00 ff 00", 255);
    [page[10], page[11]]
}

/// How many times the page was sent.
fn selects(log: &[Logged]) -> usize {
    log.iter().filter(|logged| logged.cdb[0] == 0x55).count()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn error_recovery_is_put_back() {
    let mut test = TestDrive::start("audio", "");
    for drive in &drives(&test) {
        let log = |test: &mut TestDrive| selects(&test.log());
        log(&mut test);
        // Dropped, and nothing was changed.
        drop(drive.recovery().unwrap());
        assert_eq!(log(&mut test), 0);
        // Dropped.
        let mut guard = drive.recovery().unwrap();
        guard.send_bad_sectors(3).unwrap();
        assert_eq!(recovery(&test), [0x21, 3]);
        drop(guard);
        assert_eq!((recovery(&test), log(&mut test)), (RECOVERY, 2));
        // Put back, which is done once.
        let mut guard = drive.recovery().unwrap();
        guard.send_bad_sectors(0).unwrap();
        guard.send_bad_sectors(9).unwrap();
        assert_eq!(recovery(&test), [0x21, 9]);
        guard.restore().unwrap();
        assert_eq!((recovery(&test), log(&mut test)), (RECOVERY, 3));
        // A panic.
        let caught = panic::catch_unwind(AssertUnwindSafe(|| {
            let mut guard = drive.recovery().unwrap();
            guard.send_bad_sectors(1).unwrap();
            assert_eq!(recovery(&test), RECOVERY, "as is meant");
        }));
        caught.unwrap_err();
        assert_eq!((recovery(&test), log(&mut test)), (RECOVERY, 2));
        // An error that ends the function with the guard.
        test.arm("medium_error 50");
        let read = |drive: &Drive| -> Result<(), Error> {
            let mut guard = drive.recovery()?;
            guard.send_bad_sectors(1)?;
            drive.read(&raw(), Lba(50), &mut [0; 2352])?;
            Ok(())
        };
        read(drive).unwrap_err();
        assert_eq!((recovery(&test), log(&mut test)), (RECOVERY, 2));
    }
}

/// The drive does not take the page, or says so too late.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn error_recovery_that_is_refused_is_put_back_all_the_same() {
    let mut test = TestDrive::start("audio", "");
    for drive in &drives(&test) {
        test.arm("refuse 55 05 26 00");
        let mut guard = drive.recovery().unwrap();
        let error = guard.send_bad_sectors(3).unwrap_err();
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::InvalidField);
        assert!(guard.restore().is_err());
        assert_eq!(selects(&test.log()), 2);
        // A reset that is told at MODE SELECT: nobody knows what came of it.
        test.arm("unit_attention 29 00");
        drive.transport().execute(&TestUnitReady).unwrap_err();
        let mut guard = drive.recovery().unwrap();
        test.arm("unit_attention 29 00");
        guard.send_bad_sectors(3).unwrap_err();
        drop(guard);
        assert_eq!(selects(&test.log()), 2);
        test.arm("");
        assert_eq!(recovery(&test), RECOVERY);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn speeds_are_set() {
    let test = TestDrive::start("audio", "");
    for drive in &drives(&test) {
        let now = || {
            let speed = drive.speed().unwrap();
            (speed.current, speed.max)
        };
        assert_eq!(now(), (Some(7056), Some(7056)));
        drive.set_speed(cd_speed(8)).unwrap();
        assert_eq!(now(), (Some(1411), Some(7056)));
        let error = drive.set_speed(0).unwrap_err();
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::InvalidField);
        assert_eq!(now(), (Some(1411), Some(7056)));
        drive.set_speed(SetCdSpeed::MAX).unwrap();
        assert_eq!(now(), (Some(7056), Some(7056)));
    }
}

fn is_locked(drive: &Drive) -> bool {
    match drive.eject() {
        Ok(()) => {
            let no_disc = drive.transport().execute(&TestUnitReady).unwrap_err();
            let condition = no_disc.outcome().unwrap().sense().condition();
            assert_eq!(condition, Condition::NoMedium);
            drive.load().unwrap();
            // Which the drive tells, once.
            let log = drive.wait_ready(std::time::Duration::from_secs(5)).unwrap();
            assert_eq!(log.entries().len(), 1);
            false
        }
        Err(error) => {
            let additional = error.outcome().unwrap().sense().additional().unwrap();
            assert_eq!((additional.asc, additional.ascq), (0x53, 2));
            true
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_tray_is_locked_as_long_as_the_guard_lives() {
    let test = TestDrive::start("audio", "");
    for drive in &drives(&test) {
        assert!(!is_locked(drive));
        let guard = drive.lock().unwrap();
        assert!(is_locked(drive));
        guard.unlock().unwrap();
        assert!(!is_locked(drive));
        drop(drive.lock().unwrap());
        assert!(!is_locked(drive));
        let caught = panic::catch_unwind(AssertUnwindSafe(|| {
            let _guard = drive.lock().unwrap();
            assert!(!is_locked(drive), "as is meant");
        }));
        caught.unwrap_err();
        assert!(!is_locked(drive));
    }
}

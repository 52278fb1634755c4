//! What the kernel's command filter refuses to an ordinary user, by the kernel
//! itself: the handle lets everything through.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write as _},
    os::{
        fd::AsRawFd as _,
        unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    },
    path::Path,
};

use passthru::{
    Error, ScsiTransportExt as _,
    scsi::{
        Cdb, RawCdb, TestUnitReady,
        mmc::{Lba, MechanismStatus, cd_speed},
    },
    unit::OpticalDrive,
};

use super::raw;
use crate::{mmc_drive::TestDrive, process::in_child};

fn become_a_user() {
    // SAFETY: setuid has no preconditions.
    assert_eq!(unsafe { libc::setuid(1000) }, 0);
}

/// Whether the kernel refused it, by this name, and the error says what would help.
fn is_told(result: Result<(), Error>, name: &str) -> bool {
    let told = match &result {
        Err(error @ Error::NotPermitted { source, .. }) => {
            source.raw_os_error() == Some(libc::EPERM)
                && !error.was_sent()
                && [name, "CAP_SYS_RAWIO (root)", "an sg node"]
                    .iter()
                    .all(|part| error.to_string().contains(part))
        }
        _ => false,
    };
    if !told {
        // Past libtest, which never shows what a child has said.
        let _ = writeln!(io::stderr(), "{name}: {result:?}");
    }
    told
}

fn allow_all(test: &TestDrive) {
    for node in [test.sg(), test.sr(), test.bsg()] {
        fs::set_permissions(node, Permissions::from_mode(0o666)).unwrap();
    }
}

/// That none of these reached the drive.
fn assert_not_sent(test: &mut TestDrive, opcodes: &[u8]) {
    let log = test.log();
    assert!(!log.is_empty());
    assert!(
        log.iter().all(|logged| !opcodes.contains(&logged.cdb[0])),
        "{log:?}"
    );
}

/// Opened for writing: settings are permitted, commands of vendors and what the
/// filter does not know are not.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_user_with_a_node_to_write_to() {
    let mut test = TestDrive::start("audio", "");
    allow_all(&test);
    for node in [test.sr().to_owned(), test.bsg().to_owned()] {
        test.log();
        assert!(in_child(|| {
            become_a_user();
            let drive = OpticalDrive::open_rw(&node).unwrap();
            let device = drive.transport();
            let plextor = RawCdb::from(Cdb::from_array([0xd8, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0]));
            let audio = device.read(&plextor, &mut [0; 2352]).map(drop);
            let buffer = RawCdb::from(Cdb::from_array([0x3b, 2, 0, 0, 0, 0, 0, 0, 4, 0]));
            let firmware = device.write(&buffer, &[0; 4]).map(drop);
            let mechanism = device.query(&MechanismStatus::new()).map(drop);
            let set = drive.recovery().and_then(|mut page| {
                page.send_bad_sectors(1)?;
                page.restore()
            });
            set.is_ok()
                && drive.set_speed(cd_speed(40)).is_ok()
                && is_told(audio, "command d8h")
                && is_told(firmware, "WRITE BUFFER (3bh)")
                && is_told(mechanism, "MECHANISM STATUS (bdh)")
        }));
        assert_not_sent(&mut test, &[0xd8, 0x3b, 0xbd]);
    }
    // An sg node has no filter, as the error says.
    let sg = test.sg().to_owned();
    assert!(in_child(|| {
        become_a_user();
        let drive = OpticalDrive::open_rw(&sg).unwrap();
        let plextor = RawCdb::from(Cdb::from_array([0xd8, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0]));
        drive.transport().read(&plextor, &mut [0; 2352]).is_ok()
            && drive.transport().query(&MechanismStatus::new()).is_ok()
    }));
}

/// Puts a descriptor that is open for reading in the place of the one that a handle
/// has of this node: so the handle lets every command through to a kernel that does
/// not.
fn open_for_reading_instead(node: &Path) {
    let file = File::options()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(node)
        .unwrap();
    let mut replaced = 0;
    for entry in fs::read_dir("/proc/self/fd").unwrap().flatten() {
        let number: i32 = entry.file_name().to_str().unwrap().parse().unwrap();
        let is_node = fs::read_link(entry.path()).is_ok_and(|target| target == node);
        if is_node && number != file.as_raw_fd() {
            // SAFETY: both are open descriptors of this process, and whoever has
            // `number` goes on with one of the same node.
            assert!(unsafe { libc::dup2(file.as_raw_fd(), number) } == number);
            replaced += 1;
        }
    }
    assert_eq!(replaced, 1);
}

/// Opened for reading: the drive can be read and not set.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_user_with_a_node_to_read_from() {
    let mut test = TestDrive::start("audio", "");
    allow_all(&test);
    for node in [test.sr().to_owned(), test.bsg().to_owned()] {
        for user in [true, false] {
            test.log();
            assert!(in_child(|| {
                let drive = OpticalDrive::open_rw(&node).unwrap();
                if user {
                    become_a_user();
                }
                open_for_reading_instead(&node);
                drive.transport().execute(&TestUnitReady).unwrap();
                drive.read(&raw(), Lba(10), &mut [0; 2352]).unwrap();
                let speed = drive.set_speed(cd_speed(40));
                let mut guard = drive.recovery().unwrap();
                let page = guard.send_bad_sectors(1);
                let lock = drive.lock().map(drop);
                if user {
                    is_told(speed, "SET CD SPEED (bbh)")
                        && is_told(page, "MODE SELECT(10) (55h)")
                        && is_told(lock, "PREVENT ALLOW MEDIUM REMOVAL (1eh)")
                } else {
                    speed.is_ok() && page.is_ok() && lock.is_ok()
                }
            }));
            let log = test.log();
            let set = log
                .iter()
                .filter(|logged| matches!(logged.cdb[0], 0x55 | 0xbb))
                .count();
            // A user's never arrived; root's did, and the page was put back.
            assert_eq!(set, if user { 0 } else { 3 });
        }
    }
}

/// A handle of `open` refuses before the kernel is asked; what it takes for
/// harmless and the filter does not know reaches the kernel.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_user_with_a_handle_to_read_with() {
    let mut test = TestDrive::start("audio", "");
    for node in [test.sr().to_owned(), test.bsg().to_owned()] {
        fs::set_permissions(&node, Permissions::from_mode(0o644)).unwrap();
        test.log();
        assert!(in_child(|| {
            become_a_user();
            let denied = OpticalDrive::open_rw(&node);
            let drive = OpticalDrive::open(&node).unwrap();
            let speed = drive.set_speed(cd_speed(8)).unwrap_err();
            let mechanism = drive.transport().query(&MechanismStatus::new()).map(drop);
            drive.read(&raw(), Lba(10), &mut [0; 2352]).unwrap();
            matches!(denied, Err(Error::OpenDenied { .. }))
                && matches!(speed, Error::ReadOnly { .. })
                && speed.to_string().contains("SET CD SPEED (bbh)")
                && is_told(mechanism, "MECHANISM STATUS (bdh)")
        }));
        assert_not_sent(&mut test, &[0xbb, 0xbd]);
    }
}

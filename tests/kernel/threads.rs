//! Several threads on one sg node.

use std::{
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use passthru::{
    Error, ScsiTransportExt, SgDevice,
    device::MAX_IN_FLIGHT,
    scsi::{Read10, TestUnitReady, Write10},
};
use passthru_sys::sg;

use crate::lab::{ScsiDebug, eventually, pattern};

/// Fills the first `blocks` blocks, each with its own pattern.
fn fill(device: &SgDevice, blocks: u32) {
    for lba in 0..blocks {
        let data = pattern(lba as u8, 512);
        device.write(&Write10::new(lba, 1), &data).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn eight_threads_get_their_own_data() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=500000");
    let device = SgDevice::open_rw(&lab.unit().sg).unwrap();
    fill(&device, 64);
    let before = lab.unit().commands();
    thread::scope(|scope| {
        for thread in 0..8u32 {
            let device = &device;
            scope.spawn(move || {
                let mut buffer = [0; 512];
                for round in 0..100 {
                    let lba = (thread * 8 + round) % 64;
                    buffer.fill(0xee);
                    let outcome = device.read(&Read10::new(lba, 1), &mut buffer).unwrap();
                    assert_eq!(outcome.transferred(), 512);
                    assert!(buffer[..] == pattern(lba as u8, 512)[..], "block {lba}");
                }
            });
        }
    });
    assert_eq!(lab.unit().commands() - before, 800);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sixteen_are_in_flight_and_more_wait() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=50000000 max_queue=64");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    let done = AtomicBool::new(false);
    let greatest = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let before = lab.unit().commands();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let now = device.requests().unwrap().len();
                greatest.fetch_max(now, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(1));
            }
        });
        for _ in 0..40 {
            scope.spawn(|| {
                for lba in 0..3 {
                    let mut buffer = [0; 512];
                    device.read(&Read10::new(lba, 1), &mut buffer).unwrap();
                }
                if finished.fetch_add(1, Ordering::Relaxed) == 39 {
                    done.store(true, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(greatest.load(Ordering::Relaxed), MAX_IN_FLIGHT);
    assert_eq!(lab.unit().commands() - before, 120);
}

/// A second descriptor of the description that `path` was opened with here.
pub(crate) fn duplicate(path: &Path) -> OwnedFd {
    let number: RawFd = std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .flatten()
        .find(|entry| std::fs::read_link(entry.path()).is_ok_and(|target| target == path))
        .and_then(|entry| entry.file_name().to_str()?.parse().ok())
        .expect("the node is open");
    // SAFETY: dup has no preconditions.
    let copy = unsafe { libc::dup(number) };
    assert!(copy >= 0);
    // SAFETY: dup has just made it, so nothing else owns it.
    unsafe { OwnedFd::from_raw_fd(copy) }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_queue_that_others_filled_is_an_error() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=400000000 max_queue=64");
    let device = SgDevice::open(&lab.unit().sg).unwrap();
    let other = duplicate(&lab.unit().sg);
    let cdb = [0u8; 6];
    for pack_id in 0..MAX_IN_FLIGHT as i32 {
        let header = sg::sg_io_hdr {
            interface_id: i32::from(b'S'),
            dxfer_direction: sg::SG_DXFER_NONE,
            cmd_len: 6,
            cmdp: cdb.as_ptr().cast_mut(),
            timeout: 20_000,
            flags: sg::SG_FLAG_Q_AT_TAIL,
            // Far from what the device counts.
            pack_id: i32::MAX - pack_id,
            ..sg::sg_io_hdr::ZERO
        };
        // SAFETY: the header is a valid one without data or sense buffer, and
        // its CDB is copied at once.
        let written = unsafe {
            libc::write(
                other.as_raw_fd(),
                (&raw const header).cast(),
                size_of_val(&header),
            )
        };
        assert_eq!(written, size_of_val(&header) as isize);
    }
    let before = lab.unit().commands();
    let error = device.execute(&TestUnitReady).unwrap_err();
    assert!(matches!(error, Error::QueueFull { .. }), "{error:?}");
    assert!(!error.was_sent());
    assert_eq!(error.raw_os_error(), Some(libc::EDOM));
    assert_eq!(lab.unit().commands(), before, "nothing was sent");

    // Read the others' results; then there is room again.
    for pack_id in 0..MAX_IN_FLIGHT as i32 {
        let mut header = sg::sg_io_hdr {
            interface_id: i32::from(b'S'),
            dxfer_direction: sg::SG_DXFER_NONE,
            pack_id: i32::MAX - pack_id,
            ..sg::sg_io_hdr::ZERO
        };
        // SAFETY: the range is that of `header`; its request had no buffers.
        let got = unsafe {
            libc::read(
                other.as_raw_fd(),
                (&raw mut header).cast(),
                size_of_val(&header),
            )
        };
        assert!(got > 0);
    }
    eventually("room in the queue", || device.execute(&TestUnitReady).ok());
}

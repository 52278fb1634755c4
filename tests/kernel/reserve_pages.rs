//! Nothing writes to the mapped pages while somebody may look at them.

use std::{
    fs,
    os::fd::AsRawFd,
    time::{Duration, Instant},
};

use passthru::{
    Error, IoPath, OpenOptions, Options, SgDevice,
    device::SgQueue,
    scsi::{Read10, TestUnitReady},
};
use passthru_sys::sg;

use crate::{
    exactly_once::Alarms,
    lab::{ScsiDebug, eventually},
    permissions::{credentials_change_at_sigalrm, sigalrm_soon},
    process::{Forked, in_child},
    reserve::fill,
    threads::duplicate,
};

/// One command at a time from now on, each so long.
fn slow(lab: &ScsiDebug, nanos: u32) {
    fs::write(lab.unit().sysfs.join("queue_depth"), "1").unwrap();
    lab.set("ndelay", &nanos.to_string());
}

/// `SG_IO` returns at a signal, and the data comes later.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_interrupted_read_has_ended_when_it_returns() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 128, 0x19);
    slow(&lab, 2_000_000);
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let before = lab.unit().commands();
    {
        let _alarms = Alarms::with_flags(500, 0);
        for index in 0..300 {
            reserve.fill(0xee);
            let lba = index % 128;
            reserve.read(&Read10::new(lba, 1), 512).unwrap();
            let start = lba as usize * 512;
            assert!(reserve[..512] == data[start..][..512], "block {lba}");
            assert!(reserve[512..].iter().all(|byte| *byte == 0xee));
        }
    }
    assert_eq!(lab.unit().commands() - before, 300);
}

/// Its result cannot be read, and the command waits behind another one: the
/// data comes long after the signal.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_whose_result_is_lost_has_ended_when_it_returns() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 8, 0x2b);
    slow(&lab, 400_000_000);
    let child = Forked::start(|| {
        let mut first = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
        let mut device = SgDevice::open(&lab.unit().sg).unwrap();
        let mut reserve = device.map_reserve(4096).unwrap();
        reserve.fill(0xee);
        let begin = Instant::now();
        first.submit(&TestUnitReady).unwrap();
        credentials_change_at_sigalrm();
        sigalrm_soon();
        let error = reserve.read(&Read10::new(0, 8), 4096).unwrap_err();
        let took = begin.elapsed();
        let now = reserve.to_vec();
        assert!(
            matches!(error, Error::CredentialsChanged { sent: true, .. }),
            "{error:?}"
        );
        assert!(took > Duration::from_millis(700), "{took:?}");
        assert!(now == data, "the device has written");
        std::thread::sleep(Duration::from_millis(1000));
        assert!(*reserve == now[..], "changed after the return");
        1
    });
    assert_eq!(child.wait(), 1);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_child_does_not_have_them() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let node = lab.unit().sg.to_str().unwrap();
    let mut device = SgDevice::open(node).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let mapped = || {
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().any(|line| line.ends_with(node))
    };
    assert!(mapped());
    assert!(in_child(|| !mapped()));
    // Here they still are.
    reserve.fill(1);
    reserve.read(&Read10::new(0, 1), 512).unwrap();
    assert_eq!(reserve[..512], [0; 512]);
}

/// Somebody who shares the descriptor has a command in the buffer.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_buffer_that_somebody_else_uses_is_busy() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=300000000");
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let other = duplicate(&lab.unit().sg);
    let mut reserve = device.map_reserve(4096).unwrap();
    let cdb = [0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0];
    let mut header = sg::sg_io_hdr {
        interface_id: i32::from(b'S'),
        dxfer_direction: sg::SG_DXFER_FROM_DEV,
        cmd_len: 10,
        cmdp: cdb.as_ptr().cast_mut(),
        dxfer_len: 512,
        timeout: 20_000,
        flags: sg::SG_FLAG_MMAP_IO | sg::SG_FLAG_Q_AT_TAIL,
        pack_id: i32::MAX,
        ..sg::sg_io_hdr::ZERO
    };
    let len = size_of_val(&header);
    // SAFETY: the header is valid; its CDB is copied at once, and its data goes
    // to the pages of the reserve buffer, at which nobody looks meanwhile.
    let written = unsafe { libc::write(other.as_raw_fd(), (&raw const header).cast(), len) };
    assert_eq!(written, len as isize);
    let before = lab.unit().commands();
    let error = reserve.read(&Read10::new(0, 1), 512).unwrap_err();
    assert!(matches!(error, Error::ReserveBusy { .. }), "{error:?}");
    assert!(!error.was_sent());
    assert_eq!(lab.unit().commands(), before, "nothing was sent");
    // SAFETY: the range is that of `header`; the command had no other memory.
    let got = unsafe { libc::read(other.as_raw_fd(), (&raw mut header).cast(), len) };
    assert!(got > 0);
    eventually("the buffer", || reserve.read(&Read10::new(0, 1), 512).ok());
}

/// The kernel refuses direct I/O through the buffer; a handle that asks for it
/// by default reads through the buffer all the same.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn direct_by_default_does_not_hinder_them() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 8, 0x61);
    let options = OpenOptions::new().defaults(Options::new().direct(true));
    let mut device = SgDevice::open_with(&lab.unit().sg, &options).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let outcome = reserve.read(&Read10::new(0, 8), 4096).unwrap();
    assert_eq!(outcome.io_path(), IoPath::Indirect);
    assert!(*reserve == data[..]);
}

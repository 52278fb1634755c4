//! A command reaches the device exactly once, whatever signals come.
//!
//! Each test has its own proof that it could fail: `ioctl(SG_IO)` on the same
//! node, under the same signals, must be seen to send more than was asked for.

use std::{
    fs::{File, OpenOptions},
    io,
    os::fd::AsRawFd,
    path::Path,
    process::{Child, Command},
    sync::atomic::{AtomicU64, Ordering},
};

use passthru::{
    ScsiDevice, ScsiTransportExt, SgDevice,
    scsi::{Read10, Write10},
};
use passthru_sys::sg;

use crate::lab::ScsiDebug;

static ALARMS: AtomicU64 = AtomicU64::new(0);

extern "C" fn count_alarm(_signal: libc::c_int) {
    ALARMS.fetch_add(1, Ordering::Relaxed);
}

/// SIGALRM every `micros` microseconds to a handler with `SA_RESTART`.
pub(crate) struct Alarms;

impl Alarms {
    pub(crate) fn start(micros: i64) -> Self {
        ALARMS.store(0, Ordering::Relaxed);
        // SAFETY: an all-zero sigaction is a valid one (no flags, empty mask).
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = count_alarm as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        // SAFETY: the handler only touches an atomic; the pointers are valid.
        let result =
            unsafe { libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) };
        assert_eq!(result, 0);
        set_timer(micros);
        Self
    }
}

impl Drop for Alarms {
    fn drop(&mut self) {
        set_timer(0);
    }
}

fn set_timer(micros: i64) {
    let time = libc::timeval {
        tv_sec: 0,
        tv_usec: micros,
    };
    let timer = libc::itimerval {
        it_interval: time,
        it_value: time,
    };
    // SAFETY: the pointer is valid for reading; the old value is not asked for.
    let result =
        unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut()) };
    assert_eq!(result, 0);
}

/// Another process that stops and continues this one over and over.
struct Stopper(Child);

impl Stopper {
    /// It lets this process run for 60 ms between two stops, so that a command
    /// of 20 ms that is sent anew after each stop comes to an end; and it gives
    /// up after 500 stops, so that the test cannot hang.
    fn start() -> Self {
        let script = format!(
            "n=0; while [ $n -lt 500 ] && kill -STOP {0}; do usleep 7000; kill -CONT {0}; \
             usleep 60000; n=$((n + 1)); done",
            std::process::id()
        );
        Self(Command::new("sh").args(["-c", &script]).spawn().unwrap())
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a program with its own copy of `sg_io_hdr` does.
pub(crate) fn raw_sg_io(
    file: &File,
    cdb: &[u8],
    direction: i32,
    data: &mut [u8],
) -> io::Result<()> {
    let mut sense = [0u8; 64];
    let mut header = sg::sg_io_hdr {
        interface_id: i32::from(b'S'),
        dxfer_direction: direction,
        cmd_len: cdb.len() as u8,
        mx_sb_len: sense.len() as u8,
        dxfer_len: data.len() as u32,
        dxferp: data.as_mut_ptr().cast(),
        cmdp: cdb.as_ptr().cast_mut(),
        sbp: sense.as_mut_ptr(),
        timeout: 20_000,
        ..sg::sg_io_hdr::ZERO
    };
    // SAFETY: all pointers are to live buffers of the stated lengths. An
    // interrupted indirect command writes to none of them after the return.
    let result = unsafe { libc::ioctl(file.as_raw_fd(), sg::SG_IO, &raw mut header) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

pub(crate) fn raw_open(path: &Path) -> File {
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reads_under_an_interval_timer() {
    // A command takes 2 ms, a signal comes every 500 us.
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=2000000");
    let unit = lab.unit();
    let device = SgDevice::open(&unit.sg).unwrap();
    let mut buffer = [0; 512];

    let before = unit.commands();
    {
        let _alarms = Alarms::start(500);
        for index in 0..2000 {
            device
                .read(&Read10::new(index % 1000, 1), &mut buffer)
                .unwrap_or_else(|error| panic!("read {index}: {error}"));
        }
    }
    let sent = unit.commands() - before;
    let alarms = ALARMS.load(Ordering::Relaxed);
    println!("2000 reads: {sent} commands, {alarms} signals");
    assert!(alarms > 2000, "the signals came: {alarms}");
    assert_eq!(sent, 2000, "each read was sent once");

    let file = raw_open(&unit.sg);
    let before = unit.commands();
    {
        let _alarms = Alarms::start(500);
        for _ in 0..100 {
            // EDOM when the interrupted ones have filled the queue.
            let _ = raw_sg_io(&file, &[0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0], -3, &mut buffer);
        }
    }
    let sent = unit.commands() - before;
    println!("100 raw SG_IO: {sent} commands");
    assert!(sent > 100, "SG_IO is seen to send more than 100: {sent}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn writes_while_being_stopped_and_continued() {
    // A command takes 20 ms.
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=20000000");
    let unit = lab.unit();
    let device = SgDevice::open_rw(&unit.sg).unwrap();
    let data = [0x77; 512];

    let before = unit.commands();
    {
        let _stopper = Stopper::start();
        for lba in 0..50 {
            device
                .write(&Write10::new(lba, 1), &data)
                .unwrap_or_else(|error| panic!("write {lba}: {error}"));
        }
    }
    let sent = unit.commands() - before;
    println!("50 writes: {sent} commands");
    assert_eq!(sent, 50, "each write was sent once");

    let file = raw_open(&unit.sg);
    let mut buffer = [0x78; 512];
    let before = unit.commands();
    {
        let _stopper = Stopper::start();
        for _ in 0..50 {
            let _ = raw_sg_io(&file, &[0x2a, 0, 0, 0, 0, 60, 0, 0, 1, 0], -2, &mut buffer);
        }
    }
    let sent = unit.commands() - before;
    println!("50 raw SG_IO writes: {sent} commands");
    assert!(sent > 50, "SG_IO is seen to send more than 50: {sent}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn block_and_bsg_nodes_under_an_interval_timer() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=2000000");
    let unit = lab.unit();
    let mut buffer = [0; 512];
    for node in [&unit.block, &unit.bsg] {
        let device = ScsiDevice::open(node).unwrap();
        let before = unit.commands();
        {
            let _alarms = Alarms::start(500);
            for lba in 0..300 {
                device.read(&Read10::new(lba, 1), &mut buffer).unwrap();
            }
        }
        assert!(ALARMS.load(Ordering::Relaxed) > 300);
        assert_eq!(unit.commands() - before, 300, "{}", node.display());
    }
}

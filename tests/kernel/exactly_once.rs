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
    sync::atomic::{AtomicPtr, AtomicU64, Ordering},
};

use passthru::{
    ScsiDevice, ScsiTransportExt, SgDevice,
    scsi::{Read10, Write10},
};
use passthru_sys::sg;

use crate::lab::ScsiDebug;

static ALARMS: AtomicU64 = AtomicU64::new(0);
/// After so many signals the handler stops the timer: an `SG_IO` that is restarted
/// at each of them would hardly ever end.
static MOST_ALARMS: AtomicU64 = AtomicU64::new(u64::MAX);
static TIMER: AtomicPtr<libc::c_void> = AtomicPtr::new(std::ptr::null_mut());

extern "C" fn count_alarm(_signal: libc::c_int) {
    let before = ALARMS.fetch_add(1, Ordering::Relaxed);
    if before >= MOST_ALARMS.load(Ordering::Relaxed) {
        set_timer(TIMER.load(Ordering::Relaxed), 0);
    }
}

/// Zero stops it.
fn set_timer(timer: libc::timer_t, micros: i64) {
    let period = libc::timespec {
        tv_sec: 0,
        tv_nsec: micros * 1000,
    };
    let times = libc::itimerspec {
        it_interval: period,
        it_value: period,
    };
    // SAFETY: the callers pass a timer that exists; the pointer is valid for
    // reading, and the old value is not asked for. Async-signal-safe.
    unsafe { libc::timer_settime(timer, 0, &raw const times, std::ptr::null_mut()) };
}

/// SIGALRM every so many microseconds to a handler with `SA_RESTART`, or without.
///
/// They go to this thread alone: those for the process as a whole would mostly
/// reach the test runner's main thread, which sends no commands.
pub(crate) struct Alarms(libc::timer_t);

impl Alarms {
    pub(crate) fn start(micros: i64) -> Self {
        Self::with_flags(micros, libc::SA_RESTART)
    }

    /// As many as that, then none.
    fn some(micros: i64, flags: libc::c_int, most: u64) -> Self {
        let alarms = Self::with_flags(micros, flags);
        MOST_ALARMS.store(most, Ordering::Relaxed);
        alarms
    }

    pub(crate) fn with_flags(micros: i64, flags: libc::c_int) -> Self {
        ALARMS.store(0, Ordering::Relaxed);
        MOST_ALARMS.store(u64::MAX, Ordering::Relaxed);
        // SAFETY: an all-zero sigaction is a valid one (no flags, empty mask).
        let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = count_alarm as *const () as usize;
        action.sa_flags = flags;
        // SAFETY: the handler only touches an atomic; the pointers are valid.
        let result =
            unsafe { libc::sigaction(libc::SIGALRM, &raw const action, std::ptr::null_mut()) };
        assert_eq!(result, 0);
        // SAFETY: an all-zero sigevent is a valid one.
        let mut event: libc::sigevent = unsafe { std::mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGALRM;
        // SAFETY: gettid has no preconditions.
        event.sigev_notify_thread_id = unsafe { libc::gettid() };
        let mut timer = std::ptr::null_mut();
        // SAFETY: the pointers are valid for reading and for writing.
        let result =
            unsafe { libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) };
        assert_eq!(result, 0);
        TIMER.store(timer, Ordering::Relaxed);
        set_timer(timer, micros);
        Self(timer)
    }
}

impl Drop for Alarms {
    fn drop(&mut self) {
        // SAFETY: the timer is this value's own and is not used again.
        let result = unsafe { libc::timer_delete(self.0) };
        assert_eq!(result, 0);
    }
}

/// Another process that stops and continues this one over and over.
struct Stopper(Child);

impl Stopper {
    /// It lets this process run for 60 ms between two stops, so that a command
    /// of 20 ms that is sent anew after each stop comes to an end; and it gives
    /// up after 500 stops, so that the test cannot hang.
    fn start() -> Self {
        let script = format!(
            "trap 'kill -CONT {0}; exit' TERM; n=0; \
             while [ $n -lt 500 ] && kill -STOP {0}; do usleep 7000; kill -CONT {0}; \
             usleep 60000; n=$((n + 1)); done",
            std::process::id()
        );
        Self(Command::new("sh").args(["-c", &script]).spawn().unwrap())
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        // It may be between its two signals: then it still sends the second.
        // SAFETY: kill has no preconditions; the child has not been waited for.
        unsafe { libc::kill(self.0.id() as libc::pid_t, libc::SIGTERM) };
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
        let _alarms = Alarms::some(500, libc::SA_RESTART, 1000);
        for _ in 0..100 {
            // EDOM when the interrupted ones have filled the queue.
            let _ = raw_sg_io(&file, &[0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0], -3, &mut buffer);
        }
    }
    let sent = unit.commands() - before;
    println!("100 raw SG_IO: {sent} commands");
    assert!(
        sent > 200,
        "SG_IO is seen to send many more than 100: {sent}"
    );
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

/// Without `SA_RESTART` every system call that can be interrupted returns EINTR,
/// and it is for the crate to go on waiting.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn interrupted_calls_go_on_waiting() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=2000000");
    let unit = lab.unit();
    let mut buffer = [0; 512];
    for node in unit.nodes() {
        let device = ScsiDevice::open(node).unwrap();
        let before = unit.commands();
        {
            let _alarms = Alarms::with_flags(500, 0);
            for lba in 0..300 {
                let outcome = device
                    .read(&Read10::new(lba, 1), &mut buffer)
                    .unwrap_or_else(|error| panic!("{}, read {lba}: {error}", node.display()));
                assert_eq!(outcome.transferred(), 512);
            }
        }
        assert!(ALARMS.load(Ordering::Relaxed) > 300);
        assert_eq!(unit.commands() - before, 300, "{}", node.display());
    }
    // The signals do interrupt: who uses SG_IO on the sg node sees EINTR.
    let file = raw_open(&unit.sg);
    let _alarms = Alarms::some(500, 0, 1000);
    let interrupted = (0..10)
        .filter_map(|_| raw_sg_io(&file, &[0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0], -3, &mut buffer).err())
        .filter(|error| error.kind() == io::ErrorKind::Interrupted)
        .count();
    assert!(interrupted > 0);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn block_and_bsg_nodes_while_being_stopped_and_continued() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=20000000");
    let unit = lab.unit();
    for node in [&unit.block, &unit.bsg] {
        let device = ScsiDevice::open_rw(node).unwrap();
        let before = unit.commands();
        {
            let _stopper = Stopper::start();
            for lba in 0..25 {
                device.write(&Write10::new(lba, 1), &[0x79; 512]).unwrap();
            }
        }
        assert_eq!(unit.commands() - before, 25, "{}", node.display());
    }
}

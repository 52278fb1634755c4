//! Credentials that change while a command is in flight, and those of threads.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    Error, Options, ScsiTransportExt, SgDevice,
    scsi::{Read10, TestUnitReady},
};

use crate::{lab::ScsiDebug, process::Forked};

/// To no effect, and yet every thread gets credentials of its own.
fn set_user_to_root() {
    // SAFETY: setuid has no preconditions.
    assert_eq!(unsafe { libc::setuid(0) }, 0);
}

/// Reads in one thread, changes the credentials in another.
fn lose_a_read(lab: &ScsiDebug, direct: bool) {
    let unit = lab.unit();
    let device = SgDevice::open(&unit.sg).unwrap();
    let before = unit.commands();
    let mut memory = vec![0xee; 2 << 12];
    let start = memory.as_ptr().align_offset(4096);
    let buffer = &mut memory[start..][..4096];
    let begin = Instant::now();
    let error = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            device
                .with_options(Options::new().direct(direct))
                .read(&Read10::new(0, 8), buffer)
                .unwrap_err()
        });
        thread::sleep(Duration::from_millis(300));
        set_user_to_root();
        reader.join().unwrap()
    });
    let took = begin.elapsed();
    assert!(
        matches!(error, Error::CredentialsChanged { sent: true, .. }),
        "{error:?}"
    );
    assert!(error.was_sent());
    assert_eq!(unit.commands() - before, 1);
    let in_flight = device.requests().unwrap().iter().any(|one| one.in_flight);
    assert!(!in_flight, "returned after {took:?}, the device may write");
    assert!(took >= Duration::from_millis(990), "{took:?}");
    // Nothing writes there any more.
    let now = buffer.to_vec();
    thread::sleep(Duration::from_millis(1500));
    assert!(buffer[..] == now[..], "the buffer changed after the return");
    // The result lies in the kernel for ever, so nothing more is sent.
    let error = device.execute(&TestUnitReady).unwrap_err();
    assert!(!error.was_sent(), "{error:?}");
    assert_eq!(unit.commands() - before, 1);
    // A new open works, and the old one closes.
    drop(device);
    SgDevice::open(&unit.sg)
        .unwrap()
        .execute(&TestUnitReady)
        .unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_result_that_nobody_may_fetch() {
    let allow = "/sys/module/sg/parameters/allow_dio";
    // 1 s for each command, nearly: as long as the module takes.
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=999999999");
    std::fs::write(allow, "1").unwrap();
    let results = [false, true].map(|direct| {
        Forked::start(|| {
            lose_a_read(&lab, direct);
            1
        })
        .wait()
    });
    std::fs::write(allow, "0").unwrap();
    assert_eq!(results, [1, 1]);
}

/// Credentials belong to a thread. After setuid in a process of several threads
/// each has its own, and a node serves the thread that opened it, and those
/// that this one starts.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_thread_older_than_setuid_cannot_use_a_node_opened_after_it() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let child = Forked::start(|| {
        let (send, receive) = mpsc::channel::<SgDevice>();
        let older = thread::spawn(move || {
            let device = receive.recv().unwrap();
            let result = device.execute(&TestUnitReady);
            (device, result)
        });
        set_user_to_root();
        let device = SgDevice::open(&lab.unit().sg).unwrap();
        device.execute(&TestUnitReady).unwrap();
        send.send(device).unwrap();
        let (device, result) = older.join().unwrap();
        let error = result.unwrap_err();
        assert!(
            matches!(error, Error::CredentialsChanged { sent: false, .. }),
            "{error:?}"
        );
        assert!(error.to_string().contains("thread"), "{error}");
        // The opener goes on, and so does a thread of its own.
        device.execute(&TestUnitReady).unwrap();
        thread::spawn(move || device.execute(&TestUnitReady).unwrap())
            .join()
            .unwrap();
        1
    });
    assert_eq!(child.wait(), 1);
}

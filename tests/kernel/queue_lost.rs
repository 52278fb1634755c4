//! A queue whose results somebody else takes, or nobody may fetch.

use std::{
    os::fd::AsRawFd,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    AlignedBuf, Error, Options, QueuePosition, ScsiTransportExt, SgDevice,
    device::SgQueue,
    scsi::{Read10, TestUnitReady},
};
use passthru_sys::sg;

use crate::{
    lab::ScsiDebug, permissions::credentials_change_at_sigalrm, process::Forked, reserve::fill,
    threads::duplicate,
};

fn buffer() -> AlignedBuf {
    AlignedBuf::new(512).unwrap()
}

/// One command at a time from now on, each so long.
fn slow(lab: &ScsiDebug, millis: u32) {
    std::fs::write(lab.unit().sysfs.join("queue_depth"), "1").unwrap();
    lab.set("ndelay", &(millis * 1_000_000).to_string());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn setuid_takes_its_results_away() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=200000000");
    let child = Forked::start(|| {
        let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
        for lba in 0..4 {
            queue.submit_read(&Read10::new(lba, 1), buffer()).unwrap();
        }
        // To no effect, and yet the credentials are others.
        // SAFETY: setuid has no preconditions.
        assert_eq!(unsafe { libc::setuid(0) }, 0);
        let mut own = buffer();
        own.fill(0x77);
        let rejected = queue.submit_read(&Read10::new(0, 1), own).unwrap_err();
        let error = &rejected.error;
        assert!(
            matches!(error, Error::CredentialsChanged { sent: false, .. }),
            "{error:?}"
        );
        assert!(rejected.buffer.iter().all(|byte| *byte == 0x77));
        for _ in 0..2 {
            let error = queue.complete().unwrap_err();
            assert!(
                matches!(error, Error::CredentialsChanged { sent: true, .. }),
                "{error:?}"
            );
            thread::sleep(Duration::from_millis(300));
            let error = queue.try_complete().unwrap_err();
            assert!(
                matches!(error, Error::CredentialsChanged { sent: true, .. }),
                "{error:?}"
            );
        }
        assert_eq!(queue.in_flight(), 4);
        let begin = Instant::now();
        drop(queue);
        assert!(begin.elapsed() < Duration::from_secs(3), "nobody waits");
        1
    });
    assert_eq!(child.wait(), 1);
}

/// Reads a result, whichever, from a descriptor that a queue uses or has used.
pub(crate) fn steal(other: &impl AsRawFd) {
    let mut header = sg::sg_io_hdr {
        interface_id: i32::from(b'S'),
        dxfer_direction: sg::SG_DXFER_NONE,
        pack_id: -1,
        ..sg::sg_io_hdr::ZERO
    };
    // SAFETY: the range is that of `header`. The buffers of the command are the
    // queue's, which has not given them back, or so the tests check.
    let got = unsafe {
        libc::read(
            other.as_raw_fd(),
            (&raw mut header).cast(),
            size_of_val(&header),
        )
    };
    assert!(got > 0);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn results_that_somebody_else_took_keep_nobody_waiting() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=100000000");
    for removed in [false, true] {
        let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
        let other = duplicate(&lab.unit().sg);
        for lba in 0..3 {
            queue.submit_read(&Read10::new(lba, 1), buffer()).unwrap();
        }
        steal(&other);
        steal(&other);
        let completion = queue.complete().unwrap().unwrap();
        queue.check(&completion).unwrap();
        assert!(queue.try_complete().unwrap().is_none());
        assert_eq!(queue.in_flight(), 2);
        if removed {
            lab.unit().delete();
            for _ in 0..2 {
                let error = queue.try_complete().unwrap_err();
                assert!(matches!(error, Error::Gone { .. }), "{error:?}");
                let error = queue.complete().unwrap_err();
                assert!(matches!(error, Error::Gone { .. }), "{error:?}");
            }
        }
        let begin = Instant::now();
        drop(queue);
        assert!(begin.elapsed() < Duration::from_secs(5), "it waits in vain");
    }
}

/// A thread's call ends without its result, for that thread's credentials have
/// changed. The result lies in the kernel, with the address of the thread's
/// buffer; the queue, whose thread may read, must not have it written there.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_result_that_a_call_left_behind_is_not_fetched() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 8, 0x31);
    slow(&lab, 300);
    let child = Forked::start(|| {
        credentials_change_at_sigalrm();
        let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
        for lba in [1, 2] {
            queue.submit_read(&Read10::new(lba, 1), buffer()).unwrap();
        }
        let mut memory = [0xee; 512];
        let error = thread::scope(|scope| {
            let (send, thread_id) = mpsc::channel();
            let (queue, memory) = (&queue, &mut memory);
            let reader = scope.spawn(move || {
                // SAFETY: gettid has no preconditions.
                send.send(unsafe { libc::gettid() }).unwrap();
                // Overtakes the queue's second one.
                queue
                    .device()
                    .with_options(Options::new().queue_position(QueuePosition::Head))
                    .read(&Read10::new(3, 1), memory)
                    .unwrap_err()
            });
            let thread_id = thread_id.recv().unwrap();
            thread::sleep(Duration::from_millis(100));
            let process = std::process::id();
            // SAFETY: it interrupts a thread that is being waited for.
            let sent =
                unsafe { libc::syscall(libc::SYS_tgkill, process, thread_id, libc::SIGALRM) };
            assert_eq!(sent, 0);
            reader.join().unwrap()
        });
        assert!(
            matches!(error, Error::CredentialsChanged { sent: true, .. }),
            "{error:?}"
        );
        // This memory is somebody else's now.
        memory.fill(0xa5);
        let mut ended = 0;
        while let Ok(Some(completion)) = queue.complete() {
            let lba = completion.cdb.as_bytes()[5];
            let start = usize::from(lba) * 512;
            assert!(completion.buffer[..] == data[start..][..512]);
            ended += 1;
        }
        assert!(memory == [0xa5; 512], "written, after {ended} completions");
        let error = queue.complete().unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
        let error = queue.submit(&TestUnitReady).unwrap_err().error;
        assert!(matches!(error, Error::Unsupported { .. }), "{error:?}");
        drop(queue);
        assert!(memory == [0xa5; 512], "written by the drop");
        1
    });
    assert_eq!(child.wait(), 1);
}

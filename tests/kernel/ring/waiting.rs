//! Waiting: when it makes a system call, what ends it, and what does not.

use std::{
    thread,
    time::{Duration, Instant},
};

use passthru::{NvmeRing, device::RingBuf, nvme::io::Read};

use crate::nvme_ring::support::{busy, open, plain, stale, succeeds, with};
use crate::{exactly_once::Alarms, nvme::support::within, process::Forked};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// In a process that may only read, write and exit.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn queueing_and_popping_make_no_system_call() {
    for forbidden in [false, true] {
        let child = Forked::start(|| {
            let mut ring = NvmeRing::builder()
                .depth(16)
                .registered_buffers(8, 512)
                .build()
                .unwrap();
            let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
            let mut buffers: Vec<RingBuf> = std::iter::from_fn(|| ring.buffer()).collect();
            buffers.extend((0..8).map(|_| RingBuf::from(stale(512))));
            for (buffer, token) in buffers.drain(..8).zip(0..) {
                ring.read(target, &Read::new(token, 1), buffer, token)
                    .unwrap();
            }
            assert_eq!(ring.wait(8).unwrap(), 8);
            let calls = ring.system_calls();
            assert_eq!(calls, 1, "one that did both");
            if forbidden {
                // SAFETY: this call takes numbers only.
                unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_STRICT) };
            }
            let mut ended = 0_u64;
            while let Some(done) = ring.pop() {
                ended += u64::from(done.result.is_ok());
                std::mem::forget(done);
            }
            for (buffer, token) in buffers.drain(..).zip(0..) {
                ended += u64::from(
                    ring.read(target, &Read::new(token, 1), buffer, token)
                        .is_ok(),
                );
            }
            // There is nothing there yet, and it does not wait either.
            ended += u64::from(ring.pop().is_none());
            ended += u64::from(ring.in_flight() == 8 && ring.queued() == 8);
            ended += u64::from(ring.system_calls() == calls);
            // The other way to exit is forbidden.
            // SAFETY: it ends this process, which has one thread.
            unsafe { libc::syscall(libc::SYS_exit, ended) };
            0
        });
        assert_eq!(child.wait(), 8 + 8 + 3, "{forbidden}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nothing_is_there_before_it_is_waited_for() {
    let (mut ring, target) = with("PTSUB", 1);
    assert!(ring.complete().unwrap().is_none());
    assert_eq!(ring.wait(3).unwrap(), 0);
    assert_eq!(ring.wait_timeout(3, ms(5000)).unwrap(), 0);
    ring.read(target, &Read::new(0, 1), stale(512), 1).unwrap();
    assert!(ring.pop().is_none());
    thread::sleep(ms(50));
    assert!(ring.pop().is_none(), "it was not submitted");
    ring.submit().unwrap();
    assert_eq!((ring.queued(), ring.in_flight()), (0, 1));
    thread::sleep(ms(300));
    // The kernel keeps what has arrived until it is asked; that it is asked for
    // nothing suffices.
    assert_eq!(ring.wait(0).unwrap(), 1);
    assert_eq!(ring.in_flight(), 1);
    let calls = ring.system_calls();
    for _ in 0..10 {
        assert_eq!(ring.wait(1).unwrap(), 1, "without a call");
    }
    assert_eq!(ring.system_calls(), calls);
    ring.pop().unwrap().result.unwrap();
    assert!(ring.pop().is_none());
}

/// The same for the call with a timeout.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_wait_for_nothing_with_a_timeout_fetches_too() {
    let (mut ring, target) = with("PTSUB", 1);
    for timeout in [Duration::ZERO, ms(5), ms(5000)] {
        ring.read(target, &Read::new(0, 1), stale(512), 1).unwrap();
        ring.submit().unwrap();
        thread::sleep(ms(300));
        let begun = Instant::now();
        assert_eq!(ring.wait_timeout(0, timeout).unwrap(), 1, "{timeout:?}");
        assert!(begun.elapsed() < ms(2000), "it did not wait");
        ring.pop().unwrap().result.unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn more_than_there_are_is_as_many_as_there_are() {
    within(60, "waits of a slow drive", || {
        let mut ring = plain();
        let fast = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        busy(3);
        ring.read(slow, &Read::new(0, 1), stale(512), 9).unwrap();
        for token in 0..3 {
            ring.read(fast, &Read::new(token, 1), stale(512), token)
                .unwrap();
        }
        let begun = Instant::now();
        assert!(ring.wait(0).unwrap() <= 3);
        assert_eq!(ring.queued(), 0, "they are handed over");
        assert_eq!(ring.wait(3).unwrap(), 3);
        assert!(begun.elapsed() < ms(1500), "it waited for the slow one");
        for _ in 0..3 {
            assert!(ring.pop().unwrap().token < 3);
        }
        assert!(ring.pop().is_none());
        assert_eq!(ring.wait(usize::MAX).unwrap(), 1);
        assert!(begun.elapsed() > ms(1500), "it did not wait");
        assert_eq!(ring.pop().unwrap().token, 9);
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_ends_the_wait_and_not_the_command() {
    within(60, "timeouts of waits", || {
        let (mut ring, slow) = with("PTSLOW", 1);
        busy(3);
        ring.read(slow, &Read::new(2, 1), stale(512), 4).unwrap();
        let begun = Instant::now();
        assert_eq!(ring.wait_timeout(1, Duration::ZERO).unwrap(), 0);
        assert!(begun.elapsed() < ms(500));
        assert_eq!(ring.queued(), 0, "it is handed over");
        for timeout in [1, 100, 400] {
            let begun = Instant::now();
            assert_eq!(ring.wait_timeout(1, ms(timeout)).unwrap(), 0);
            let took = begun.elapsed();
            assert!(
                (ms(timeout)..ms(timeout + 1000)).contains(&took),
                "{took:?}"
            );
        }
        assert_eq!(ring.in_flight(), 1);
        // For ever, more or less.
        assert_eq!(ring.wait_timeout(1, Duration::MAX).unwrap(), 1);
        assert!(begun.elapsed() > ms(1500));
        let done = ring.pop().unwrap();
        done.result.unwrap();
        assert_eq!((done.token, done.buffer.unwrap().len()), (4, 512));
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn signals_end_no_wait_and_lose_nothing() {
    within(90, "waits under signals", || {
        let mut ring = plain();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        let fast = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
        busy(3);
        ring.read(slow, &Read::new(0, 1), stale(512), 1).unwrap();
        ring.submit().unwrap();
        let alarms = Alarms::with_flags(2000, 0);
        let (begun, calls) = (Instant::now(), ring.system_calls());
        assert_eq!(ring.wait_timeout(1, ms(600)).unwrap(), 0);
        let took = begun.elapsed();
        assert!((ms(600)..ms(1600)).contains(&took), "{took:?}");
        assert_eq!(ring.wait(1).unwrap(), 1);
        assert!(begun.elapsed() > ms(1500));
        let interrupted = ring.system_calls() - calls;
        assert!(interrupted > 20, "no signal came: {interrupted}");
        ring.pop().unwrap().result.unwrap();
        // Each once, whatever ends the calls.
        let mut seen = vec![0; 1500];
        let mut next = 0;
        while next < 1500 || ring.in_flight() > 0 {
            while next < 1500 && !ring.is_full() {
                ring.read(fast, &Read::new(next, 1), stale(512), next)
                    .unwrap();
                next += 1;
            }
            let done = ring.complete().unwrap().unwrap();
            done.result.unwrap();
            seen[done.token as usize] += 1;
        }
        drop(alarms);
        assert!(seen.iter().all(|times| *times == 1));
    });
}

/// A ring that is dropped waits for what is in flight, also under signals.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drop_waits() {
    within(60, "a drop", || {
        for signals in [false, true] {
            let (mut ring, slow) = with("PTSLOW", 1);
            busy(3);
            ring.read(slow, &Read::new(0, 1), stale(512), 1).unwrap();
            ring.submit().unwrap();
            let alarms = signals.then(|| Alarms::with_flags(2000, 0));
            let begun = Instant::now();
            drop(ring);
            drop(alarms);
            assert!(begun.elapsed() > ms(1500), "{:?}", begun.elapsed());
        }
        // What was not submitted is not waited for.
        let (mut ring, slow) = with("PTSLOW", 1);
        busy(4);
        ring.read(slow, &Read::new(0, 1), stale(512), 1).unwrap();
        let begun = Instant::now();
        drop(ring);
        assert!(begun.elapsed() < ms(1500));
        let (mut ring, target) = with("PTSUB", 1);
        ring.read(target, &Read::new(0, 1), stale(512), 1).unwrap();
        succeeds(&mut ring);
    });
}

//! Rings whose completions an event loop waits for.

use std::{
    fs::File,
    io::Read as _,
    os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd},
    thread,
    time::Duration,
};

use passthru::{Error, NvmeNamespace, NvmeRing, nvme::io::Read};
use tokio::{
    io::{Interest, unix::AsyncFd},
    runtime::Builder,
};

use crate::nvme::support::within;
use crate::nvme_ring::support::{busy, open, plain, stale, succeeds, with};

/// Whether there is something to read within that time.
fn readable(fd: &impl AsFd, millis: i32) -> bool {
    let mut poll = libc::pollfd {
        fd: fd.as_fd().as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one pollfd, which outlives the call.
    let count = unsafe { libc::poll(&raw mut poll, 1, millis) };
    assert!(count >= 0);
    assert!(
        count == 0 || poll.revents == libc::POLLIN,
        "{:x}",
        poll.revents
    );
    count == 1
}

/// A counter of the kernel's, and another descriptor of it.
fn counter() -> (File, OwnedFd) {
    // SAFETY: takes numbers only.
    let fd = unsafe { libc::eventfd(0, libc::EFD_NONBLOCK | libc::EFD_CLOEXEC) };
    assert!(fd >= 0);
    // SAFETY: it is new, and nobody else's.
    let fd = unsafe { OwnedFd::from_raw_fd(fd) };
    let other = fd.try_clone().unwrap();
    (File::from(fd), other)
}

/// What it has counted since it was last asked.
fn counted(counter: &mut File) -> u64 {
    let mut bytes = [0; 8];
    match counter.read(&mut bytes) {
        Ok(8) => u64::from_ne_bytes(bytes),
        Ok(other) => panic!("{other}"),
        Err(error) => {
            assert_eq!(error.raw_os_error(), Some(libc::EAGAIN));
            0
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_descriptor_is_readable_when_completions_are_there() {
    within(60, "poll", || {
        let mut ring = plain();
        let fast = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        assert!(!readable(&ring, 0));
        for round in 0..5 {
            ring.read(fast, &Read::new(round, 1), stale(512), 0)
                .unwrap();
            assert!(!readable(&ring, 50), "it was not submitted");
            ring.submit().unwrap();
            assert!(readable(&ring, 10_000));
            assert_eq!(ring.wait(0).unwrap(), 1);
            assert!(readable(&ring, 0), "it was not popped");
            succeeds(&mut ring);
            assert!(!readable(&ring, 0));
        }
        busy(2);
        ring.read(slow, &Read::new(0, 1), stale(512), 0).unwrap();
        ring.submit().unwrap();
        assert!(!readable(&ring, 300), "it takes longer");
        assert!(readable(&ring, 10_000));
        assert_eq!(ring.wait(0).unwrap(), 1);
        succeeds(&mut ring);
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_eventfd_counts_completions() {
    within(60, "eventfd", || {
        let (mut ring, target) = with("PTSUB", 1);
        let (mut first, fd) = counter();
        ring.set_eventfd(fd).unwrap();
        assert_eq!(counted(&mut first), 0);
        for token in 0..8 {
            ring.read(target, &Read::new(token, 1), stale(512), token)
                .unwrap();
        }
        ring.submit().unwrap();
        assert!(readable(&first, 10_000));
        let mut ended = 0;
        // It signals that something is there, once or more often.
        while ended < 8 {
            assert!(readable(&first, 10_000), "after {ended}");
            let count = counted(&mut first);
            assert!(count > 0);
            ring.wait(0).unwrap();
            while let Some(done) = ring.pop() {
                done.result.unwrap();
                ended += 1;
            }
        }
        counted(&mut first);

        // Another one in its place.
        let (mut second, fd) = counter();
        ring.set_eventfd(fd).unwrap();
        ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
        ring.submit().unwrap();
        assert!(readable(&second, 10_000));
        succeeds(&mut ring);
        assert!(counted(&mut second) > 0);
        assert_eq!(counted(&mut first), 0, "it was replaced");

        // What is none.
        let null = File::open("/dev/null").unwrap();
        let error = ring.set_eventfd(null).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Ring {
                    source: Some(_),
                    ..
                }
            ),
            "{error:?}"
        );
        assert!(error.to_string().contains("eventfd"), "{error}");
        ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
        succeeds(&mut ring);
        let (third, fd) = counter();
        ring.set_eventfd(fd).unwrap();
        ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
        ring.submit().unwrap();
        assert!(readable(&third, 10_000));
        succeeds(&mut ring);
        drop(ring);
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_runtime_sleeps_between_completions() {
    const COUNT: u64 = 300;
    let runtime = Builder::new_current_thread().enable_io().build().unwrap();
    let mut ring = NvmeRing::builder().depth(16).build().unwrap();
    let target = ring.add_namespace(open("PTSUB", 2)).unwrap();
    let (seen, vain) = runtime.block_on(async {
        // SAFETY: a ring's descriptor is open, and the same one, until it is dropped.
        let ring = unsafe { AsyncFd::register_with_interest(ring, Interest::READABLE) };
        let mut ring = ring.unwrap();
        let (mut seen, mut next, mut vain) = (vec![0; COUNT as usize], 0, 0);
        loop {
            let queue = ring.get_mut();
            while next < COUNT && !queue.is_full() {
                queue
                    .read(target, &Read::new(next, 1), stale(4096), next)
                    .unwrap();
                next += 1;
            }
            if queue.in_flight() == 0 {
                return (seen, vain);
            }
            queue.submit().unwrap();
            let mut ready = ring.readable_mut().await.unwrap();
            let queue = ready.get_inner_mut();
            let there = queue.wait(0).unwrap();
            vain += u32::from(there == 0);
            while let Some(done) = queue.pop() {
                done.result.unwrap();
                seen[done.token as usize] += 1;
            }
            // It tells of what comes from now on.
            ready.clear_ready();
        }
    });
    assert!(seen.iter().all(|times| *times == 1));
    assert!(vain <= COUNT as u32, "{vain}");
}

/// Readable, though nobody waits: what ended before somebody looks.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_ended_before_is_seen_later() {
    let namespace: NvmeNamespace = open("PTSUB", 1);
    let mut ring = plain();
    let target = ring.add_namespace(namespace).unwrap();
    let (counter, fd) = counter();
    ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
    ring.submit().unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(readable(&ring, 0));
    // This one came too late for it, the descriptor did not.
    ring.set_eventfd(fd).unwrap();
    assert!(readable(&ring, 0));
    assert_eq!(ring.wait(0).unwrap(), 1);
    succeeds(&mut ring);
    drop(ring);
    drop(counter);
}

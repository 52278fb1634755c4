//! The ways to make a ring.

use std::{sync::Arc, thread, time::Duration};

use passthru::{
    NvmeRing, NvmeTransportExt,
    device::{NvmeRingBuilder, RingFlags},
    nvme::io::{Read, Write},
};

use super::crowd::{prepare, read_all};
use crate::{
    lab::pattern,
    nvme::support::within,
    nvme_ring::support::{busy, end, filled, good, open, polls, stale, succeeds},
};

const IDLE: Duration = Duration::from_millis(50);

fn flags(builder: &NvmeRingBuilder) -> RingFlags {
    builder.build().unwrap().flags()
}

/// Both kernels know all of them.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn flags_are_what_the_kernel_took() {
    let one = RingFlags::SINGLE_ISSUER;
    let usual = one | RingFlags::DEFER_TASKRUN;
    let files = RingFlags::REGISTERED_FILES;
    let new = NvmeRing::builder;
    assert_eq!(flags(&new()), usual | files);
    assert_eq!(flags(&new().registered_files(false)), usual);
    if polls() {
        assert_eq!(
            flags(&new().polled(true)),
            usual | files | RingFlags::POLLED
        );
        assert_eq!(
            flags(&new().sqpoll(IDLE).polled(true)),
            one | files | RingFlags::SQPOLL | RingFlags::POLLED
        );
    }
    let buffers = new().registered_buffers(2, 512);
    assert_eq!(
        flags(&buffers),
        usual | files | RingFlags::REGISTERED_BUFFERS
    );
    let thread = new().sqpoll(IDLE);
    assert_eq!(flags(&thread), one | files | RingFlags::SQPOLL);
    assert_eq!(
        flags(&thread.clone().sqpoll_cpu(1)),
        one | files | RingFlags::SQPOLL
    );
    let nowhere = thread.sqpoll_cpu(4000).build().unwrap_err();
    assert!(nowhere.to_string().contains("processor"), "{nowhere}");
    assert_eq!(nowhere.raw_os_error(), Some(libc::EINVAL));
    let nothing = new().registered_buffers(0, 512).build().unwrap_err();
    assert!(nothing.to_string().contains("at least one"), "{nothing}");
    let nothing = new().registered_buffers(1, 0).build().unwrap_err();
    assert!(nothing.to_string().contains("at least one"), "{nothing}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nodes_need_not_be_registered() {
    let drives = prepare();
    let builder = NvmeRing::builder().depth(32).registered_files(false);
    read_all(&mut builder.build().unwrap(), &drives, 300, 5);
}

/// The first 64 are registered, the others are not.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn more_targets_than_are_registered() {
    let [one, other] = [1, 2].map(|nsid| Arc::new(open("PTSUB", nsid)));
    let mut ring = NvmeRing::builder().depth(256).build().unwrap();
    let targets: Vec<_> = (0..140)
        .map(|index| {
            let drive = if index % 2 == 0 { &one } else { &other };
            ring.add_namespace(Arc::clone(drive)).unwrap()
        })
        .collect();
    for (target, token) in targets.iter().zip(0..) {
        let len = if token % 2 == 0 { 512 } else { 4096 };
        let data = pattern(token as u8, len);
        ring.write(*target, &Write::new(1400 + token, 1), filled(&data), token)
            .unwrap();
    }
    let mut ended = 0;
    while let Some(done) = ring.complete().unwrap() {
        done.result.unwrap();
        assert_eq!(done.target, targets[done.token as usize]);
        ended += 1;
    }
    assert_eq!(ended, 140);
    for token in 0..140_u64 {
        let (drive, len) = if token % 2 == 0 {
            (&one, 512)
        } else {
            (&other, 4096)
        };
        let mut now = vec![0; len];
        drive.read(&Read::new(1400 + token, 1), &mut now).unwrap();
        assert!(now == pattern(token as u8, len), "{token}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_thread_of_the_kernels_submits() {
    within(120, "sqpoll", || {
        let drives = prepare();
        for (depth, batch) in [(1, 1), (64, 64), (64, 4), (33, 2)] {
            let mut ring = NvmeRing::builder()
                .depth(depth)
                .batch(batch)
                .sqpoll(Duration::from_millis(200))
                .build()
                .unwrap();
            read_all(&mut ring, &drives, 200, u64::from(depth) + 40);
        }
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_sleeping_thread_is_woken() {
    within(60, "sqpoll that sleeps", || {
        let mut ring = NvmeRing::builder().sqpoll(IDLE).build().unwrap();
        let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
        for round in 0..4 {
            ring.read(target, &Read::new(round, 1), stale(512), round)
                .unwrap();
            if round == 2 {
                // By a call that does not wait.
                ring.submit().unwrap();
                assert_eq!(ring.queued(), 0);
            }
            assert_eq!(good(&mut ring).0.token, round);
            thread::sleep(IDLE * 8);
        }
        // One that is awake takes what is queued, without any call.
        let mut ring = NvmeRing::builder()
            .sqpoll(Duration::from_secs(3))
            .build()
            .unwrap();
        let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
        ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
        succeeds(&mut ring);
        let calls = ring.system_calls();
        ring.read(target, &Read::new(0, 1), stale(512), 7).unwrap();
        let done = crate::lab::eventually("a completion", || ring.pop());
        assert_eq!(ring.system_calls(), calls);
        assert_eq!(done.token, 7);
        done.result.unwrap();
    });
}

/// What its thread has taken is waited for.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_ring_with_a_thread_is_dropped_in_flight() {
    within(60, "sqpoll that is dropped", || {
        let mut ring = NvmeRing::builder().sqpoll(IDLE).build().unwrap();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        busy(2);
        ring.read(slow, &Read::new(0, 1), stale(512), 0).unwrap();
        ring.submit().unwrap();
        let timed_out = ring.wait_timeout(1, Duration::from_millis(300)).unwrap();
        assert_eq!((timed_out, ring.in_flight()), (0, 1));
        let begun = std::time::Instant::now();
        drop(ring);
        assert!(begun.elapsed() > Duration::from_millis(500));
        let mut ring = NvmeRing::builder().sqpoll(IDLE).build().unwrap();
        let past = ring.add_namespace(open("PTSUB", 1)).unwrap();
        ring.read(past, &Read::new(1 << 40, 1), stale(512), 0)
            .unwrap();
        let error = end(&mut ring).result.unwrap_err();
        assert!(error.was_sent());
    });
}

//! Where a ring had gone wrong: full queues, refusals half way, long waits.

use std::time::{Duration, Instant};

use passthru::{
    Error, NvmeRing,
    nvme::io::{Read, Write},
};

use super::{
    Aligned, Busy, LAST, MARK, STALE, complete, filled, format, kinds, open, took_its_time,
};

/// A queue of one entry is full whenever the kernel's thread has not come to it.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_full_queue_waits_for_the_thread_that_submits() {
    let [_, polling] = kinds();
    for batch in [1, 4] {
        let mut ring = polling.clone().depth(64).batch(batch).build().unwrap();
        let target = ring.add_namespace(open("PTMDTS")).unwrap();
        for token in 0..64 {
            let buffer = filled(512, STALE);
            ring.read(target, &Read::new(token, 1), buffer, token)
                .unwrap();
        }
        let mut ended = 0;
        while let Some(done) = ring.complete().unwrap() {
            assert!(done.result.is_ok());
            ended += 1;
        }
        assert_eq!(ended, 64);
        let writes = vec![(target, Write::new(3, 1)); batch as usize];
        for _ in 0..8 {
            ring.write_to_all(&writes, filled(512, MARK), 0).unwrap();
        }
        while let Some(done) = ring.complete().unwrap() {
            assert!(done.result.is_ok());
        }
    }
}

/// Formats are held for what is in flight, and not for what was refused.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_is_refused_holds_no_formats() {
    let mut ring = NvmeRing::builder().depth(4).build().unwrap();
    let mut elsewhere = NvmeRing::builder().build().unwrap();
    let drive = ring.add_namespace(open("PTMDTS")).unwrap();
    let small = ring.add_namespace(super::slow()).unwrap();
    let foreign = elsewhere.add_namespace(open("PTMDTS")).unwrap();
    let good = (drive, Write::new(0, 1));
    for second in [
        (foreign, Write::new(0, 1)),
        (small, Write::new(0, 2)),
        (drive, Write::new(0, 0)),
    ] {
        let rejected = ring
            .write_to_all(&[good, second], filled(512, MARK), 0)
            .unwrap_err();
        assert!(rejected.buffer.is_some() && ring.in_flight() == 0);
        format("PTMDTS").unwrap();
    }
    let read = Read::new(0, 2);
    ring.read(drive, &read, filled(512, STALE), 0).unwrap_err();
    let several = vec![filled(512, STALE).into(), filled(1024, STALE).into()];
    ring.read_vectored(drive, &read, several, 0).unwrap_err();
    let beside = filled(512, STALE);
    ring.read_with_metadata(drive, &read, filled(1024, STALE), beside, 0)
        .unwrap_err();
    format("PTMDTS").unwrap();
    // Full: of the fifth nothing is held, of the others formats are.
    for token in 0..4 {
        let buffer = filled(1024, STALE);
        ring.read(drive, &read, buffer, token).unwrap();
    }
    let rejected = ring
        .read(small, &Read::new(LAST, 1), filled(512, STALE), 4)
        .unwrap_err();
    assert!(matches!(*rejected.error, Error::Nvme(_)));
    super::in_flight(format("PTMDTS"));
    while let Some(done) = ring.complete().unwrap() {
        assert!(done.result.is_ok());
    }
    format("PTMDTS").unwrap();
}

/// The time that this thread has run.
fn worked() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is valid.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_very_long_wait_rests() {
    let [plain, _] = kinds();
    let mut busy = Busy::new(&plain, &[Aligned, Aligned]);
    for (count, time) in [(1, Duration::MAX), (1, Duration::from_secs(u64::MAX / 2))] {
        let (begun, before) = (Instant::now(), worked());
        assert_eq!(busy.ring.wait_timeout(count, time).unwrap(), count);
        let (took, worked) = (begun.elapsed(), worked() - before);
        assert!(
            worked < Duration::from_millis(150),
            "{worked:?} of {took:?}"
        );
        complete(&busy.ring.pop().unwrap());
    }
    took_its_time(busy.until);
}

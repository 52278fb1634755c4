//! Buffers come back with the completion, and not before.

use std::{
    mem::swap,
    time::{Duration, Instant},
};

use passthru::{
    NvmeRing,
    nvme::io::{Read, Write},
};

use super::{
    Aligned, Busy, Fresh, LAST, MARK, Registered, STALE, Vectored, complete, is_full_of, kinds,
    open, registered, took_its_time,
};

/// The ring itself may move meanwhile, which moves none of the memory.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nothing_comes_back_before_its_data_is_there() {
    let [plain, polling] = kinds();
    for (builder, sorts) in [
        (plain, [Registered, Aligned]),
        (polling, [Registered, Vectored]),
    ] {
        let busy = Busy::new(&builder, &sorts);
        // The others are to be had, the one in flight is not.
        let rest: Vec<_> = std::iter::from_fn(|| busy.ring.buffer()).collect();
        assert_eq!(rest.len(), 5);
        let fresh = Fresh::take();
        let taken = |buffer: &[u8]| busy.addresses.contains(&(buffer.as_ptr() as usize));
        assert!(!rest.iter().any(|buffer| taken(buffer)));
        assert!(!busy.addresses.iter().any(|address| fresh.has(*address)));
        let mut home = Box::new(busy.ring);
        let mut other = NvmeRing::builder().build().unwrap();
        let mut times = Vec::new();
        while home.in_flight() > 0 {
            let ready = home.wait_timeout(1, Duration::from_millis(50)).unwrap();
            let mut popped = 0;
            while let Some(done) = home.pop() {
                complete(&done);
                times.push(Instant::now());
                popped += 1;
                if done.token == 0 {
                    assert!(home.buffer().is_none());
                }
                drop(done);
            }
            assert_eq!(popped, ready);
            swap(&mut *home, &mut other);
            assert_eq!(home.in_flight(), 0);
            swap(&mut *home, &mut other);
        }
        assert_eq!(times.len(), 2);
        took_its_time(busy.until);
        assert!(home.buffer().is_some());
        fresh.check();
    }
}

/// A buffer that several commands write is nobody's until the last has ended.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_shared_buffer_stays_until_the_last_one_has_ended() {
    let [plain, _] = kinds();
    let mut busy = Busy::new(&plain, &[Aligned]);
    let ring = &mut busy.ring;
    let fast = ring.add_namespace(open("PTMDTS")).unwrap();
    let rest: Vec<_> = (0..5).map(|_| ring.buffer().unwrap()).collect();
    let buffer = registered(ring, MARK);
    let address = buffer.as_ptr();
    let commands = [
        (fast, Write::new(16, 1)),
        (busy.target, Write::new(LAST, 1)),
        (fast, Write::new(17, 1)),
    ];
    ring.write_to_all(&commands, buffer, 5).unwrap();
    let mut back = Vec::new();
    while ring.in_flight() > 0 {
        assert!(ring.buffer().is_none());
        let done = ring.complete().unwrap().unwrap();
        assert!(done.result.is_ok());
        if done.token == 5 {
            back.push((done.target == busy.target, done.buffer));
        }
    }
    let [(false, None), (false, None), (true, Some(buffer))] = &back[..] else {
        panic!("{back:?}");
    };
    assert_eq!(buffer.as_ptr(), address);
    assert!(is_full_of(buffer, MARK));
    drop((rest, back));
    // Read by both.
    for (target, lba) in [(fast, 16), (fast, 17)] {
        let buffer = registered(ring, STALE);
        ring.read(target, &Read::new(lba, 1), buffer, 0).unwrap();
        complete(&ring.complete().unwrap().unwrap());
    }
}

//! A ring that is dropped with commands in flight.

use std::{
    cell::RefCell,
    panic::resume_unwind,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    NvmeRing, NvmeTransportExt,
    nvme::io::{Read, Write},
};

use super::{
    Aligned, Busy, Fresh, GUARD, LAST, MARK, Registered, STALE, Shared, Vectored, complete, filled,
    format, in_flight, is_full_of, kinds, open, registered, took_its_time,
};

/// Nothing is written after a drop, which has waited.
fn ended(addresses: &[usize]) {
    let fresh = Fresh::take();
    let again = addresses.iter().filter(|address| fresh.has(**address));
    assert!(again.count() > 0, "none of the memory has been given back");
    fresh.watch(Duration::from_millis(800));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn drop_waits_for_what_is_in_flight() {
    let [plain, _] = kinds();
    let busy = Busy::new(&plain, &[Aligned, Registered, Vectored, Shared]);
    let (mut free, kept) = (registered(&busy.ring, GUARD), registered(&busy.ring, GUARD));
    drop(busy.ring);
    took_its_time(busy.until);
    ended(&busy.addresses);
    // Buffers that nobody had given away are still there, and another ring takes
    // them.
    assert!(is_full_of(&kept, GUARD) && is_full_of(&free, GUARD));
    let mut other = NvmeRing::builder().build().unwrap();
    let target = other.add_namespace(super::slow()).unwrap();
    free.fill(STALE);
    other.read(target, &Read::new(LAST, 1), free, 0).unwrap();
    let done = other.complete().unwrap().unwrap();
    complete(&done);
    assert!(is_full_of(&kept, GUARD));
}

thread_local! {
    static RING: RefCell<Option<NvmeRing>> = const { RefCell::new(None) };
}

/// One ring is dropped since its thread panics, and another one when that thread
/// ends.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn so_it_does_in_a_panic_and_at_the_end_of_a_thread() {
    let (send, receive) = std::sync::mpsc::channel();
    let thread = thread::spawn(move || {
        let [plain, _] = kinds();
        let first = Busy::new(&plain, &[Aligned, Registered]);
        let last = Busy::new(&plain, &[Aligned]);
        let second = Duration::from_secs(1);
        let mut addresses = first.addresses.clone();
        addresses.extend(&last.addresses);
        send.send((addresses, first.until, last.until + 2 * second))
            .unwrap();
        RING.set(Some(last.ring));
        // Says nothing.
        resume_unwind(Box::new(()));
    });
    thread.join().unwrap_err();
    let (addresses, first, last) = receive.recv().unwrap();
    took_its_time(first);
    took_its_time(last);
    ended(&addresses);
}

/// The kernel's thread sleeps, and has not been told of all.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn so_it_does_when_the_thread_that_submits_sleeps() {
    let [_, polling] = kinds();
    let mut busy = Busy::new(&polling, &[Aligned, Vectored, Registered]);
    thread::sleep(Duration::from_millis(200));
    busy.queue(Aligned, 3);
    assert_eq!(busy.ring.queued(), 1);
    drop(busy.ring);
    took_its_time(busy.until + Duration::from_secs(1));
    ended(&busy.addresses);
}

/// What the kernel was not told of is not sent, whether or not there is
/// something to wait for.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_was_not_submitted_is_not_sent() {
    let drive = open("PTMDTS");
    drive.write(&Write::new(8, 2), &[GUARD; 1024]).unwrap();
    let [plain, _] = kinds();
    for sorts in [&[][..], &[Aligned, Aligned]] {
        let mut busy = Busy::new(&plain, sorts);
        let other = busy.ring.add_namespace(open("PTMDTS")).unwrap();
        let buffer = registered(&busy.ring, MARK);
        let write = Write::new(8, 1);
        busy.ring.write(other, &write, buffer, 7).unwrap();
        let shared = [(other, Write::new(9, 1)), (other, Write::new(8, 1))];
        busy.ring
            .write_to_all(&shared, filled(512, MARK), 8)
            .unwrap();
        assert_eq!(busy.ring.queued(), 3);
        let begun = Instant::now();
        drop(busy.ring);
        match sorts.is_empty() {
            true => assert!(begun.elapsed() < Duration::from_millis(500)),
            false => took_its_time(busy.until),
        }
        let mut blocks = [0; 1024];
        drive.read(&Read::new(8, 2), &mut blocks).unwrap();
        assert!(blocks == [GUARD; 1024], "sent");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn formats_can_change_afterwards_and_not_before() {
    let mut ring = NvmeRing::builder().build().unwrap();
    let target = ring.add_namespace(open("PTMDTS")).unwrap();
    let read = Read::new(0, 1);
    for submitted in [false, true] {
        // Queued is enough, and so is ended but not taken.
        ring.read(target, &read, filled(512, STALE), 0).unwrap();
        if submitted {
            ring.wait(1).unwrap();
        }
        in_flight(format("PTMDTS"));
        let done = ring.complete().unwrap().unwrap();
        assert!(done.result.is_ok());
    }
    format("PTMDTS").unwrap();
    ring.read(target, &read, filled(512, STALE), 0).unwrap();
    ring.submit().unwrap();
    in_flight(format("PTMDTS"));
    drop(ring);
    format("PTMDTS").unwrap();
}

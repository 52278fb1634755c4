//! A ring in a forked child: it is the parent's.

use std::time::{Duration, Instant};

use passthru::{NvmeRing, nvme::io::Read};

use super::{
    Aligned, Busy, Fresh, LAST, Registered, STALE, Vectored, complete, filled, is_full_of, kinds,
    open,
};
use crate::process::Forked;

/// What the child does with its copies. Where the queues were there is other
/// memory by now.
fn use_and_drop(busy: &mut Option<Busy>, idle: &mut Option<NvmeRing>, in_flight: usize) {
    let fresh = Fresh::take();
    let mut copy = busy.take().unwrap();
    let (ring, target) = (&mut copy.ring, copy.target);
    let begun = Instant::now();
    assert!(ring.pop().is_none());
    for min in [0, 1] {
        ring.wait(min).unwrap_err();
        ring.wait_timeout(min, Duration::from_secs(1)).unwrap_err();
    }
    ring.complete().unwrap_err();
    let rejected = ring
        .read(target, &Read::new(LAST, 1), filled(512, STALE), 9)
        .unwrap_err();
    assert!(!rejected.error.was_sent(), "{rejected:?}");
    assert!(is_full_of(&rejected.buffer.unwrap(), STALE));
    ring.add_namespace(open("PTMDTS")).unwrap_err();
    assert_eq!(ring.in_flight(), in_flight);
    drop(copy);
    drop(idle.take().unwrap());
    assert!(begun.elapsed() < Duration::from_millis(900), "it waits");
    fresh.check();
    Fresh::take().check();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_child_leaves_its_parents_ring_alone() {
    for builder in kinds() {
        let mut busy = Some(Busy::new(&builder, &[Registered, Vectored]));
        // One that the kernel has not been told of.
        busy.as_mut().unwrap().queue(Aligned, 2);
        let mut idle = Some(builder.build().unwrap());
        let child = Forked::start(|| {
            use_and_drop(&mut busy, &mut idle, 3);
            1
        });
        assert_eq!(child.wait(), 1);
        let mut ring = busy.unwrap().ring;
        let mut tokens = Vec::new();
        while let Some(done) = ring.complete().unwrap() {
            complete(&done);
            tokens.push(done.token);
        }
        tokens.sort_unstable();
        assert_eq!(tokens, [0, 1, 2]);
        let mut idle = idle.unwrap();
        let target = idle.add_namespace(open("PTMDTS")).unwrap();
        let buffer = filled(512, STALE);
        idle.read(target, &Read::new(0, 1), buffer, 0).unwrap();
        assert!(idle.complete().unwrap().unwrap().result.is_ok());
    }
}

//! A ring that is forgotten with commands in flight, and a process that ends with
//! some. Each in a process of its own: formats would stay held for other tests.

use std::{
    mem::{ManuallyDrop, forget},
    thread,
    time::{Duration, Instant},
};

use passthru::{
    NvmeNamespace, NvmeRing, NvmeTransportExt,
    device::NvmeRingBuilder,
    nvme::{Nsid, admin::FormatNvm, io::Read},
};

use super::{
    Aligned, Busy, Fresh, LAST, Registered, STALE, Vectored, complete, filled, format, in_flight,
    kinds, slow, took_its_time,
};
use crate::{nvme_lab::namespace, process::Forked};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_forgotten_ring_keeps_its_memory() {
    for builder in kinds() {
        let child = Forked::start(|| {
            let busy = Busy::new(&builder, &[Registered, Vectored]);
            forget(busy.ring);
            let fresh = Fresh::take();
            let given_back = busy.addresses.iter().any(|address| fresh.has(*address));
            assert!(!given_back);
            in_flight(format("PTSLOW"));
            // Another ring works, and its command ends last.
            let mut other = NvmeRing::builder().build().unwrap();
            let target = other.add_namespace(slow()).unwrap();
            other
                .read(target, &Read::new(LAST, 1), filled(512, STALE), 0)
                .unwrap();
            let done = other.complete().unwrap().unwrap();
            complete(&done);
            took_its_time(busy.until);
            // The kernel does what it has to do for this thread.
            fresh.watch(Duration::from_millis(300));
            // They have ended, and nobody can know.
            drop(other);
            in_flight(format("PTSLOW"));
            let (generic, _) = namespace("PTSLOW", 1);
            let namespace = NvmeNamespace::open_rw(generic).unwrap();
            in_flight(namespace.execute(&FormatNvm::new(Nsid::new(1).unwrap(), 0)));
            fresh.check();
            1
        });
        assert_eq!(child.wait(), 1);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_process_that_ends_leaves_nothing_behind() {
    let start = |builder: &NvmeRingBuilder, killed: bool| {
        Forked::start(|| {
            let _busy = ManuallyDrop::new(Busy::new(builder, &[Vectored]));
            if killed {
                thread::sleep(Duration::from_secs(60));
            }
            7
        })
    };
    let [plain, polling] = kinds();
    for builder in [&plain, &polling] {
        let (ends, killed) = (start(builder, false), start(builder, true));
        thread::sleep(Duration::from_millis(400));
        let begun = Instant::now();
        // SAFETY: the child is ours, and has not been waited for.
        unsafe { libc::kill(killed.id(), libc::SIGKILL) };
        assert_eq!(ends.wait(), 7);
        killed.wait_for_signal(libc::SIGKILL);
        assert!(begun.elapsed() < Duration::from_secs(8), "they hang");
    }
    let fresh = Fresh::take();
    // A command behind theirs: the drive does what it is told.
    let mut busy = Busy::new(&plain, &[Aligned]);
    complete(&busy.ring.complete().unwrap().unwrap());
    fresh.check();
    // Nothing is held by those who are no more.
    format("PTMDTS").unwrap();
}

//! A queue whose completions an event loop waits for.

use std::{
    collections::HashMap,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    AlignedBuf, Error, ScsiTransportExt, SgDevice,
    device::{Completion, MAX_IN_FLIGHT, SgQueue},
    scsi::{Read10, Write10},
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    runtime::Builder,
};

use crate::lab::{ScsiDebug, pattern};

/// Runs it on this thread.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_io().build().unwrap();
    runtime.block_on(future)
}

fn watched(queue: SgQueue) -> AsyncFd<SgQueue> {
    // SAFETY: a queue's descriptor is open, and the same one, until it is dropped.
    unsafe { AsyncFd::register_with_interest(queue, Interest::READABLE) }.unwrap()
}

/// The next command that ends, and how often there was none although the
/// descriptor was readable.
async fn next(queue: &mut AsyncFd<SgQueue>) -> (passthru::Result<Completion>, u32) {
    let mut vain = 0;
    loop {
        let mut ready = queue.readable_mut().await.unwrap();
        match ready.get_inner_mut().try_complete() {
            Ok(Some(completion)) => return (Ok(completion), vain),
            Ok(None) => ready.clear_ready(),
            Err(error) => return (Err(error), vain),
        }
        vain += 1;
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sixteen_in_flight_in_an_event_loop() {
    const BLOCKS: u32 = 200;
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 max_queue=64");
    let device = SgDevice::open_rw(&lab.unit().sg).unwrap();
    for lba in 0..BLOCKS {
        let data = pattern(lba as u8, 512);
        device.write(&Write10::new(lba, 1), &data).unwrap();
    }
    lab.set("ndelay", "10000000");
    let before = lab.unit().commands();
    let (mut most, mut vain, mut waiting) = (0, 0, HashMap::new());
    block_on(async {
        let mut queue = watched(SgQueue::new(device));
        let mut lba = 0;
        while lba < BLOCKS || queue.get_ref().in_flight() > 0 {
            if lba < BLOCKS && !queue.get_ref().is_full() {
                let buffer = AlignedBuf::new(512).unwrap();
                let queue = queue.get_mut();
                let ticket = queue.submit_read(&Read10::new(lba, 1), buffer).unwrap();
                assert_eq!(waiting.insert(ticket, lba), None);
                lba += 1;
                most = most.max(queue.device().requests().unwrap().len());
                continue;
            }
            let (completion, times) = next(&mut queue).await;
            let completion = completion.unwrap();
            vain += times;
            queue.get_ref().check(&completion).unwrap();
            let lba = waiting.remove(&completion.ticket).unwrap();
            assert!(
                *completion.buffer == pattern(lba as u8, 512)[..],
                "block {lba}"
            );
        }
    });
    assert!(waiting.is_empty(), "{waiting:?}");
    assert_eq!(most, MAX_IN_FLIGHT);
    assert_eq!(lab.unit().commands() - before, u64::from(BLOCKS));
    // It slept between them: for each it was woken in vain once at most.
    assert!(vain <= BLOCKS, "{vain}");
    assert!(vain > 0, "it never had to wait");
}

/// From then on the descriptor is always readable, with results or without.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_device_that_goes_away_does_not_stop_the_loop() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=900000000");
    let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
    for lba in 0..4 {
        let buffer = AlignedBuf::new(512).unwrap();
        queue.submit_read(&Read10::new(lba, 1), buffer).unwrap();
    }
    let start = Instant::now();
    thread::scope(|scope| {
        // It may wait for the commands.
        scope.spawn(|| lab.unit().delete());
        thread::sleep(Duration::from_millis(300));
        let asked = Instant::now();
        assert!(queue.try_complete().unwrap().is_none(), "none has ended");
        let took = asked.elapsed();
        assert!(took < Duration::from_millis(200), "it waited {took:?}");
    });
    block_on(async {
        let mut queue = watched(queue);
        for left in (0..4).rev() {
            let completion = next(&mut queue).await.0.unwrap();
            assert_eq!(completion.buffer.len(), 512);
            assert_eq!(queue.get_ref().in_flight(), left);
        }
        let buffer = AlignedBuf::new(512).unwrap();
        let rejected = queue.get_mut().submit_read(&Read10::new(0, 1), buffer);
        let error = rejected.unwrap_err().error;
        assert!(matches!(error, Error::Gone { .. }), "{error:?}");
    });
    assert!(start.elapsed() > Duration::from_millis(800));
}

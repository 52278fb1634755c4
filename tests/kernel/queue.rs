//! Commands in flight from one thread.

use std::{
    collections::HashSet,
    os::fd::{AsFd, OwnedFd},
    thread,
    time::{Duration, Instant},
};

use nix::poll::{PollFd, PollFlags, poll};
use passthru::{
    AlignedBuf, Error, ScsiTransportExt, SgDevice, Verdict,
    device::{MAX_IN_FLIGHT, SgQueue},
    scsi::{Read10, TestUnitReady, Write10},
};

use crate::{
    alloc::allocations,
    lab::{ScsiDebug, pattern},
    process::in_child,
    queue_lost::steal,
};

const ALLOW_DIO: &str = "/sys/module/sg/parameters/allow_dio";

fn buffer(len: usize) -> AlignedBuf {
    AlignedBuf::new(len).unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sixteen_and_no_more() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=200000000");
    let device = SgDevice::open_rw(&lab.unit().sg).unwrap();
    for lba in 0..64 {
        // Slow, so only a few.
        if lba % 8 == 0 {
            let data = pattern(lba as u8, 512);
            device.write(&Write10::new(lba, 1), &data).unwrap();
        }
    }
    let mut queue = SgQueue::new(device);
    let before = lab.unit().commands();
    let mut tickets = HashSet::new();
    for index in 0..MAX_IN_FLIGHT as u32 {
        assert!(!queue.is_full());
        let command = Read10::new(index % 8 * 8, 1);
        tickets.insert(queue.submit_read(&command, buffer(512)).unwrap());
    }
    assert!(queue.is_full());
    let mut own = buffer(512);
    own.fill(0x77);
    let rejected = queue.submit_read(&Read10::new(0, 1), own).unwrap_err();
    assert!(matches!(rejected.error, Error::QueueFull { .. }));
    assert!(
        rejected.buffer.iter().all(|byte| *byte == 0x77),
        "it comes back"
    );
    // Waiting on the same thread would be in vain.
    let error = queue.device().execute(&TestUnitReady).unwrap_err();
    assert!(matches!(error, Error::QueueFull { .. }), "{error:?}");
    assert!(!error.was_sent());
    assert_eq!(lab.unit().commands() - before, 16);
    assert!(queue.try_complete().unwrap().is_none(), "none has ended");
    while let Some(completion) = queue.complete().unwrap() {
        assert!(tickets.remove(&completion.ticket));
        queue.check(&completion).unwrap();
        let lba = completion.cdb.as_bytes()[5];
        assert!(*completion.buffer == pattern(lba, 512)[..], "block {lba}");
    }
    assert!(tickets.is_empty());
    queue.device().execute(&TestUnitReady).unwrap();
    assert!(queue.complete().unwrap().is_none());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn commands_reach_the_device_in_order() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=20000000");
    std::fs::write(lab.unit().sysfs.join("queue_depth"), "1").unwrap();
    let mut queue = SgQueue::new(SgDevice::open_rw(&lab.unit().sg).unwrap());
    let mut sent = Vec::new();
    for number in 0..8u8 {
        let mut data = buffer(512);
        data.fill(number);
        sent.push(queue.submit_write(&Write10::new(9, 1), data).unwrap());
    }
    let mut ended = Vec::new();
    while let Some(completion) = queue.complete().unwrap() {
        queue.check(&completion).unwrap();
        ended.push(completion.ticket);
    }
    assert_eq!(ended, sent);
    let mut block = [0; 512];
    queue.device().read(&Read10::new(9, 1), &mut block).unwrap();
    assert_eq!(block, [7; 512], "the last one wins");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_descriptor_tells_when_one_has_ended() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=100000000");
    let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
    let ready = |queue: &SgQueue, millis: u16| {
        let mut polled = [PollFd::new(queue.as_fd(), PollFlags::POLLIN)];
        poll(&mut polled, millis).unwrap() == 1
    };
    assert!(!ready(&queue, 0));
    let ticket = queue.submit(&TestUnitReady).unwrap();
    assert!(!ready(&queue, 0));
    assert!(queue.try_complete().unwrap().is_none());
    assert!(ready(&queue, 5000));
    let completion = queue.try_complete().unwrap().unwrap();
    assert_eq!(completion.ticket, ticket);
    assert_eq!(completion.outcome.verdict(), Verdict::Good);
    assert_eq!(completion.buffer.capacity(), 0);
}

/// A queue with eight reads in flight, one after the other: `scsi_debug` writes
/// the data when it begins with a command, so most of it is yet to come.
fn eight_in_flight(lab: &ScsiDebug, direct: &str) -> SgQueue {
    std::fs::write(lab.unit().sysfs.join("queue_depth"), "1").unwrap();
    std::fs::write(ALLOW_DIO, direct).unwrap();
    let options = passthru::Options::new().direct(direct == "1");
    let open = passthru::OpenOptions::new().defaults(options);
    let mut queue = SgQueue::new(SgDevice::open_with(&lab.unit().sg, &open).unwrap());
    for lba in 0..8 {
        queue
            .submit_read(&Read10::new(lba, 8), buffer(4096))
            .unwrap();
    }
    queue
}

/// Takes all results that come within a second from a descriptor that the queue
/// had, and says how many: the kernel then writes each one's data to where its
/// command's buffer was, which may be memory that has been given anew. None of
/// that may change.
fn results_left_behind(descriptor: &OwnedFd) -> usize {
    let guards: Vec<_> = (0..64)
        .map(|_| {
            let mut guard = buffer(4096);
            guard.fill(0xa5);
            guard
        })
        .collect();
    let mut count = 0;
    let end = Instant::now() + Duration::from_millis(1000);
    while Instant::now() < end {
        let mut polled = [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)];
        if poll(&mut polled, 100u16).unwrap() > 0 {
            steal(descriptor);
            count += 1;
        }
    }
    for guard in &guards {
        assert!(guard.iter().all(|byte| *byte == 0xa5), "{count} results");
    }
    count
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn dropping_it_waits_for_what_is_in_flight() {
    for direct in ["0", "1"] {
        let lab = ScsiDebug::load("dev_size_mb=8 ndelay=100000000");
        let queue = eight_in_flight(&lab, direct);
        let descriptor = queue.as_fd().try_clone_to_owned().unwrap();
        let start = Instant::now();
        drop(queue);
        let took = start.elapsed();
        assert_eq!(results_left_behind(&descriptor), 0);
        assert!(took > Duration::from_millis(600), "{took:?}");
        std::fs::write(ALLOW_DIO, "0").unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn forgetting_it_is_sound() {
    for direct in ["0", "1"] {
        let lab = ScsiDebug::load("dev_size_mb=8 ndelay=100000000");
        let queue = eight_in_flight(&lab, direct);
        let descriptor = queue.as_fd().try_clone_to_owned().unwrap();
        let forgotten = std::os::fd::AsRawFd::as_raw_fd(&queue);
        std::mem::forget(queue);
        assert_eq!(results_left_behind(&descriptor), 8);
        std::fs::write(ALLOW_DIO, "0").unwrap();
        // So that the module can be unloaded.
        // SAFETY: the descriptor is open, and its owner was forgotten.
        unsafe { libc::close(forgotten) };
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_device_that_goes_away_gives_the_buffers_back() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=400000000");
    let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
    for lba in 0..4 {
        queue
            .submit_read(&Read10::new(lba, 1), buffer(512))
            .unwrap();
    }
    thread::sleep(Duration::from_millis(100));
    lab.unit().delete();
    let mut ended = 0;
    while let Ok(Some(completion)) = queue.complete() {
        assert_eq!(completion.buffer.len(), 512);
        ended += 1;
    }
    assert_eq!(ended, 4);
    let rejected = queue.submit(&TestUnitReady).unwrap_err();
    assert!(matches!(rejected.error, Error::Gone { .. }), "{rejected:?}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_child_may_not_use_it() {
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=100000000");
    let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
    queue.submit_read(&Read10::new(0, 1), buffer(512)).unwrap();
    assert!(in_child(|| {
        let submitted = queue.submit(&TestUnitReady);
        let completed = queue.complete();
        matches!(submitted, Err(rejected)
            if matches!(rejected.error, Error::CredentialsChanged { sent: false, .. }))
            && matches!(completed, Err(Error::CredentialsChanged { sent: true, .. }))
    }));
    let completion = queue.complete().unwrap().unwrap();
    queue.check(&completion).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nothing_is_allocated_for_a_command() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut queue = SgQueue::new(SgDevice::open(&lab.unit().sg).unwrap());
    let mut buffers: Vec<_> = (0..MAX_IN_FLIGHT).map(|_| buffer(4096)).collect();
    let count = allocations(|| {
        for _ in 0..20 {
            while let Some(buffer) = buffers.pop() {
                queue.submit_read(&Read10::new(0, 8), buffer).unwrap();
            }
            while let Some(completion) = queue.complete().unwrap() {
                buffers.push(completion.buffer);
            }
        }
    });
    assert_eq!(count, 0);
    assert_eq!(buffers.len(), MAX_IN_FLIGHT);
}

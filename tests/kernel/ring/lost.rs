//! Commands that fail, are cancelled, or lose their drive.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::channel,
    },
    thread,
    time::{Duration, Instant},
};

use passthru::{
    Error, NvmeErrorKind, NvmeNamespace, NvmeRing, NvmeTransportExt, OpenOptions, Options,
    device::{RingRejected, Target},
    nvme::{Sqe, StatusCode, io::Read},
};

use crate::nvme_ring::support::{
    busy, end, nvme_error, open, plain, stale, status, succeeds, with,
};
use crate::{
    lab::eventually,
    nvme::{
        gone::{Removed, lost},
        support::{drive, within},
    },
    nvme_lab::namespace,
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_status_comes_with_the_buffer() {
    for registered in [false, true] {
        let mut builder = NvmeRing::builder();
        if registered {
            builder = builder.registered_buffers(1, 1024);
        }
        let mut ring = builder.build().unwrap();
        let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
        for (slba, blocks) in [(32768, 1), (32767, 2), (u64::MAX, 1), (u64::MAX - 1, 2)] {
            let mut buffer = ring.buffer().unwrap_or_else(|| stale(1024).into());
            buffer.fill(0xee);
            buffer.set_len(blocks * 512);
            let read = Read::new(slba, blocks as u32);
            ring.read(target, &read, buffer, 3).unwrap();
            let done = end(&mut ring);
            assert_eq!(status(&done), StatusCode::LBA_OUT_OF_RANGE);
            let error = done.result.unwrap_err();
            assert!(error.was_sent());
            let error = nvme_error(&error);
            let found = error.status().unwrap();
            assert_eq!(found.raw(), 0x4080);
            assert!(found.do_not_retry() && !error.is_cancelled());
            assert_eq!(error.sqe().unwrap().nsid, 1);
            assert!(error.to_string().contains("Read"), "{error}");
            let buffer = done.buffer.unwrap();
            assert_eq!(buffer.len(), blocks * 512);
            assert!(buffer.iter().all(|byte| *byte == 0xee));
            assert_eq!(buffer.is_registered(), registered);
        }
        ring.read(target, &Read::new(32767, 1), stale(512), 0)
            .unwrap();
        succeeds(&mut ring);
    }
}

fn raw_read(
    ring: &mut NvmeRing,
    target: Target,
    timeout: Option<Duration>,
) -> Result<(), RingRejected> {
    let (sqe, buffer) = (Sqe::new(0x02), Some(stale(512).into()));
    // SAFETY: a read of one block of 512 bytes.
    unsafe { ring.submit_raw(target, &sqe, buffer, None, timeout, 8) }
}

/// Waits until the slow drive works again after a reset, in which its nodes
/// answer nothing.
fn works(node: &Path) {
    eventually("the slow drive", || {
        let mut block = vec![0; 512];
        let slow = NvmeNamespace::open(node).ok()?;
        slow.read(&Read::new(0, 1), &mut block).ok()
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_cancels_a_command() {
    within(150, "a timeout", || {
        let second = Duration::from_secs(1);
        let node = namespace("PTSLOW", 1).0;
        for by_options in [false, true] {
            let mut ring = plain();
            let options = OpenOptions::new();
            let timeout = match by_options {
                true => {
                    let defaults = Options::new().timeout(second);
                    let slow = NvmeNamespace::open_with(&node, &options.defaults(defaults));
                    (ring.add_namespace(slow.unwrap()).unwrap(), None)
                }
                false => (ring.add_namespace(open("PTSLOW", 1)).unwrap(), Some(second)),
            };
            let (slow, timeout) = timeout;
            busy(8);
            let begun = Instant::now();
            raw_read(&mut ring, slow, timeout).unwrap();
            let done = end(&mut ring);
            let took = begun.elapsed();
            assert!(took > second && took < Duration::from_secs(60), "{took:?}");
            assert_eq!((done.token, done.buffer.unwrap().len()), (8, 512));
            let error = done.result.unwrap_err();
            let error = nvme_error(&error);
            assert!(error.is_cancelled(), "{error:?}");
            assert!(error.was_sent());
            drop(ring);
            works(&node);
        }
    });
}

/// Whether it fails as it may; the memory is back in any case.
fn ended_or_lost(result: &Result<passthru::nvme::Completion, Box<Error>>) -> bool {
    match result {
        Ok(_) => false,
        Err(error) => {
            lost(error);
            true
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn all_commands_of_a_removed_drive_come_back() {
    within(150, "removal under a ring", || {
        let (begun, has_begun) = channel();
        let reader = thread::spawn(move || {
            let mut ring = NvmeRing::builder()
                .depth(64)
                .registered_buffers(32, 128 << 10)
                .build()
                .unwrap();
            let target = ring.add_namespace(open("PTMDTS", 1)).unwrap();
            let other = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
            let mut next = 0_u64;
            let (mut out, mut back, mut failed) = (0_u64, 0, 0);
            let deadline = Instant::now() + Duration::from_secs(60);
            while failed < 200 {
                assert!(Instant::now() < deadline, "{out} {back} {failed}");
                while !ring.is_full() {
                    let buffer = ring.buffer().unwrap_or_else(|| stale(128 << 10).into());
                    match ring.read(target, &Read::new(0, 256), buffer, next) {
                        Ok(()) => out += 1,
                        Err(rejected) => {
                            // The format is not known any more, say.
                            assert_eq!(rejected.buffer.unwrap().len(), 128 << 10);
                            failed += 1;
                            break;
                        }
                    }
                    next += 1;
                }
                let Some(done) = ring.complete().unwrap() else {
                    continue;
                };
                back += 1;
                assert_eq!(done.buffer.unwrap().len(), 128 << 10);
                failed += u64::from(ended_or_lost(&done.result));
                if back == 100 {
                    begun.send(()).unwrap();
                }
            }
            while let Some(done) = ring.complete().unwrap() {
                back += 1;
                assert!(done.buffer.is_some());
                ended_or_lost(&done.result);
            }
            assert_eq!(out, back);
            // Other drives go on.
            ring.read(other, &Read::new(0, 1), stale(512), 0).unwrap();
            succeeds(&mut ring);
            let buffers: Vec<_> = std::iter::from_fn(|| ring.buffer()).collect();
            assert_eq!(buffers.len(), 32);
        });
        has_begun.recv().unwrap();
        let removed = Removed::new("PTMDTS");
        reader.join().unwrap();
        drop(removed);
        let (mut ring, target) = with("PTMDTS", 1);
        ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
        succeeds(&mut ring);
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_slow_command_and_its_drive_go_together() {
    within(150, "removal under a slow command", || {
        for reset in [true, false] {
            let mut node = namespace("PTSLOW", 1).0;
            let (sent, was_sent) = channel();
            let reader = thread::spawn(move || {
                let (mut ring, slow) = with("PTSLOW", 1);
                busy(8);
                for token in 0..3 {
                    ring.read(slow, &Read::new(token, 1), stale(512), token)
                        .unwrap();
                }
                ring.submit().unwrap();
                sent.send(()).unwrap();
                let mut tokens = Vec::new();
                while let Some(done) = ring.complete().unwrap() {
                    assert_eq!(done.buffer.unwrap().len(), 512);
                    ended_or_lost(&done.result);
                    tokens.push(done.token);
                }
                tokens.sort_unstable();
                assert_eq!(tokens, [0, 1, 2]);
            });
            was_sent.recv().unwrap();
            thread::sleep(Duration::from_millis(300));
            // The driver may wait for the commands, which then end well.
            let removed = match reset {
                true => {
                    drive("PTSLOW").reset().unwrap();
                    None
                }
                false => Some(Removed::new("PTSLOW")),
            };
            reader.join().unwrap();
            if removed.is_some() {
                drop(removed);
                // It may have another name now.
                node = namespace("PTSLOW", 1).0;
            }
            works(&node);
        }
    });
}

/// A namespace that could have other ways to it has none for a while. The kernel
/// says EINVAL then, which is not the command's fault.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_namespace_without_a_way_to_it() {
    within(150, "resets under a ring", || {
        let done = Arc::new(AtomicBool::new(false));
        let (begun, has_begun) = channel();
        let reader = thread::spawn({
            let done = Arc::clone(&done);
            move || {
                let (mut ring, target) = with("PTSUB", 2);
                let (mut good, mut without) = (0_u32, 0_u32);
                while !done.load(Ordering::Relaxed) || ring.in_flight() > 0 {
                    while !done.load(Ordering::Relaxed) && ring.in_flight() < 4 {
                        let read = Read::new(0, 8);
                        ring.read(target, &read, stale(8 * 4096), 0).unwrap();
                    }
                    let ended = ring.complete().unwrap().unwrap();
                    assert_eq!(ended.buffer.unwrap().len(), 8 * 4096);
                    if let Err(error) = &ended.result {
                        lost(error);
                        let kind = nvme_error(error).kind();
                        without += u32::from(matches!(kind, NvmeErrorKind::NoPath { .. }));
                    } else {
                        good += 1;
                    }
                    if good == 20 {
                        let _ = begun.send(());
                    }
                }
                (good, without)
            }
        });
        has_begun.recv().unwrap();
        for _ in 0..5 {
            drive("PTSUB").reset().unwrap();
            thread::sleep(Duration::from_millis(300));
        }
        done.store(true, Ordering::Relaxed);
        let (good, without) = reader.join().unwrap();
        assert!(good > 20, "{good}");
        assert!(without > 0, "it always had one");
    });
}

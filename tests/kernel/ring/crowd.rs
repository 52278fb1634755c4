//! Many commands in flight, on several drives: each comes back once, with what
//! is its own.

use std::{collections::HashMap, sync::Arc, thread};

use passthru::{
    AlignedBuf, NvmeErrorKind, NvmeNamespace, NvmeRing, NvmeTransportExt,
    device::{NvmeRingBuilder, RingBuf, Target},
    nvme::io::{Read, Write},
};

use crate::nvme_ring::support::{kind, open, stale};

/// Drives by serial number, namespace and bytes of a block.
const DRIVES: [(&str, u32, usize); 5] = [
    ("PTPLAIN", 1, 512),
    ("PTSUB", 1, 512),
    ("PTSUB", 2, 4096),
    ("PTSUB", 4, 528),
    ("PTMDTS", 1, 512),
];
/// How many blocks of each are used.
const BLOCKS: u64 = 512;
/// The most blocks of a command.
const MOST: u64 = 4;

/// What a block of a drive has: its own number all over.
fn block(drive: usize, lba: u64, len: usize) -> Vec<u8> {
    let stamp = (drive as u64 + 1) << 56 | lba;
    stamp.to_le_bytes().repeat(len / 8)
}

fn blocks(drive: usize, lba: u64, count: u64) -> Vec<u8> {
    let len = DRIVES[drive].2;
    (lba..lba + count)
        .flat_map(|lba| block(drive, lba, len))
        .collect()
}

/// Numbers by Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Writes to all drives what their blocks shall have.
pub(super) fn prepare() -> Vec<Arc<NvmeNamespace>> {
    DRIVES
        .iter()
        .enumerate()
        .map(|(drive, (serial, nsid, _))| {
            let namespace = open(serial, *nsid);
            for lba in (0..BLOCKS).step_by(32) {
                let data = blocks(drive, lba, 32);
                namespace.write(&Write::new(lba, 32), &data).unwrap();
            }
            Arc::new(namespace)
        })
        .collect()
}

/// Reads `count` times from places and drives as they come, with as much in
/// flight as there is room for.
pub(super) fn read_all(ring: &mut NvmeRing, drives: &[Arc<NvmeNamespace>], count: u64, seed: u64) {
    let targets: Vec<Target> = drives
        .iter()
        .map(|drive| ring.add_namespace(Arc::clone(drive)).unwrap())
        .collect();
    let mut random = Random(seed);
    // Each once, in an order of its own.
    let mut tokens: Vec<_> = (0..count).map(|token| token << 40 | 7).collect();
    for last in (1..tokens.len()).rev() {
        tokens.swap(last, random.below(last as u64 + 1) as usize);
    }
    let mut in_flight = HashMap::new();
    let mut most = 0;
    loop {
        while !ring.is_full() {
            let Some(token) = tokens.pop() else { break };
            let drive = random.below(DRIVES.len() as u64) as usize;
            let number = 1 + random.below(MOST);
            let lba = random.below(BLOCKS - number);
            let len = number as usize * DRIVES[drive].2;
            let buffer = match ring.buffer() {
                Some(mut buffer) => {
                    buffer.set_len(len);
                    buffer.fill(0xee);
                    buffer
                }
                None => RingBuf::from(stale(len)),
            };
            let command = Read::new(lba, number as u32);
            ring.read(targets[drive], &command, buffer, token).unwrap();
            assert_eq!(in_flight.insert(token, (drive, lba, number)), None);
            assert_eq!(ring.in_flight(), in_flight.len());
            most = most.max(in_flight.len());
        }
        if in_flight.is_empty() {
            break;
        }
        let wanted = random.below(in_flight.len() as u64 + 1) as usize;
        assert!(ring.wait(wanted).unwrap() >= wanted);
        while let Some(done) = ring.pop() {
            let (drive, lba, number) = in_flight.remove(&done.token).unwrap();
            done.result.unwrap();
            assert_eq!(done.target, targets[drive]);
            let buffer = done.buffer.unwrap();
            assert!(
                buffer[..] == blocks(drive, lba, number),
                "{drive}: {lba} {number}"
            );
        }
    }
    assert!(tokens.is_empty());
    assert_eq!(most as u64, u64::from(ring.depth()).min(count));
    assert_eq!((ring.in_flight(), ring.queued()), (0, 0));
    assert!(ring.complete().unwrap().is_none());
}

fn builder(depth: u32, batch: u32) -> NvmeRingBuilder {
    NvmeRing::builder().depth(depth).batch(batch)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn each_token_comes_back_once_with_its_bytes() {
    let drives = prepare();
    for (depth, batch, registered, count) in [
        (1, 1, false, 60),
        (2, 2, true, 120),
        (3, 1, false, 120),
        (64, 64, false, 500),
        (64, 4, true, 500),
        (100, 7, false, 500),
        (600, 64, true, 1500),
    ] {
        let mut builder = builder(depth, batch);
        if registered {
            // Too few, so that both kinds are in flight.
            let buffers = depth.div_ceil(2);
            builder = builder.registered_buffers(buffers, MOST as usize * 4096);
        }
        let mut ring = builder.build().unwrap();
        assert_eq!(ring.depth(), depth);
        read_all(&mut ring, &drives, count, u64::from(depth) * 77 + 1);
    }
}

/// The drives have queues of 1023 commands; what is more waits in the kernel.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn more_in_flight_than_the_drives_have_room_for() {
    let drives = prepare();
    let mut ring = builder(4096, 4096).build().unwrap();
    read_all(&mut ring, &drives, 6000, 99);
    // And all on one.
    let mut ring = builder(4096, 512).build().unwrap();
    let target = ring.add_namespace(Arc::clone(&drives[1])).unwrap();
    for token in 0..4096 {
        let read = Read::new(token % BLOCKS, 1);
        ring.read(target, &read, stale(512), token).unwrap();
    }
    assert!(ring.is_full());
    let mut seen = vec![false; 4096];
    while let Some(done) = ring.complete().unwrap() {
        done.result.unwrap();
        assert!(!std::mem::replace(&mut seen[done.token as usize], true));
        assert!(done.buffer.unwrap()[..] == block(1, done.token % BLOCKS, 512));
    }
    assert!(seen.iter().all(|seen| *seen));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_deepest_ring_is_made() {
    let drives = prepare();
    let mut ring = NvmeRing::builder().depth(65536).build().unwrap();
    assert_eq!(ring.depth(), 65536);
    let target = ring.add_namespace(Arc::clone(&drives[0])).unwrap();
    for token in 0..2000 {
        let read = Read::new(token % BLOCKS, 1);
        ring.read(target, &read, stale(512), token).unwrap();
    }
    assert_eq!((ring.in_flight(), ring.queued()), (2000, 2000));
    assert_eq!(ring.wait(usize::MAX).unwrap(), 2000);
    for _ in 0..2000 {
        let done = ring.pop().unwrap();
        done.result.unwrap();
        assert!(done.buffer.unwrap()[..] == block(0, done.token % BLOCKS, 512));
    }
    assert!(ring.pop().is_none());
}

/// A batch that is smaller than the depth: the ring submits by itself.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_full_batch_is_submitted_by_the_next_command() {
    let drives = prepare();
    let mut ring = builder(64, 4).build().unwrap();
    let target = ring.add_namespace(Arc::clone(&drives[0])).unwrap();
    for token in 0..64 {
        assert_eq!(ring.in_flight(), token as usize);
        let read = Read::new(token, 1);
        ring.read(target, &read, stale(512), token).unwrap();
        let queued = token % 4 + 1;
        assert_eq!(u64::from(ring.queued()), queued, "of {token}");
    }
    // One more than there is room for is refused, and nothing else happens.
    assert!(ring.is_full());
    let back = ring
        .read(target, &Read::new(0, 1), stale(512), 64)
        .unwrap_err();
    let kind = kind(&back.error);
    assert!(
        matches!(kind, NvmeErrorKind::QueueFull { depth: 64 }),
        "{kind:?}"
    );
    assert!(
        back.to_string().contains("made for 64 commands in flight"),
        "{back}"
    );
    assert!(back.buffer.unwrap().iter().all(|byte| *byte == 0xee));
    ring.submit().unwrap();
    assert_eq!((ring.queued(), ring.in_flight()), (0, 64));
    assert_eq!(ring.wait(64).unwrap(), 64);
    assert!(ring.is_full(), "they are not popped yet");
    let mut tokens: Vec<_> = std::iter::from_fn(|| ring.pop())
        .map(|done| {
            done.result.unwrap();
            assert!(done.buffer.unwrap()[..] == block(0, done.token, 512));
            done.token
        })
        .collect();
    tokens.sort_unstable();
    assert!(tokens.into_iter().eq(0..64));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn rings_of_several_threads_share_namespaces() {
    let drives = prepare();
    thread::scope(|scope| {
        for thread in 1..=3 {
            let drives = &drives;
            scope.spawn(move || {
                let mut ring = builder(32, 8).build().unwrap();
                read_all(&mut ring, drives, 400, thread);
            });
        }
    });
    // A buffer may be sent to another thread.
    let buffer = RingBuf::from(AlignedBuf::new(512).unwrap());
    thread::spawn(move || drop(buffer)).join().unwrap();
}

/// Reads and writes at once: what a write to a place of its own brings, a read
/// after its end finds.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn writes_among_reads_go_where_they_shall() {
    let drives = prepare();
    let mut ring = builder(32, 8).registered_buffers(16, 4096).build().unwrap();
    let targets: Vec<Target> = drives
        .iter()
        .map(|drive| ring.add_namespace(Arc::clone(drive)).unwrap())
        .collect();
    // Behind the blocks that are read.
    let place = |token: u64| BLOCKS + token;
    for token in 0..400_u64 {
        let drive = token as usize % DRIVES.len();
        let len = DRIVES[drive].2;
        while ring.is_full() {
            let done = ring.complete().unwrap().unwrap();
            done.result.unwrap();
        }
        let written = block(drive, place(token) << 8, len);
        let mut buffer = match ring.buffer() {
            Some(buffer) if buffer.capacity() >= len => buffer,
            _ => stale(len).into(),
        };
        buffer.set_len(len);
        buffer.copy_from_slice(&written);
        ring.write(targets[drive], &Write::new(place(token), 1), buffer, token)
            .unwrap();
        if !ring.is_full() {
            let read = Read::new(token % BLOCKS, 1);
            ring.read(targets[drive], &read, stale(len), token).unwrap();
        }
    }
    while let Some(done) = ring.complete().unwrap() {
        done.result.unwrap();
    }
    for token in 0..400_u64 {
        let drive = token as usize % DRIVES.len();
        let len = DRIVES[drive].2;
        let mut now = vec![0; len];
        drives[drive]
            .read(&Read::new(place(token), 1), &mut now)
            .unwrap();
        assert!(now == block(drive, place(token) << 8, len), "{token}");
    }
}

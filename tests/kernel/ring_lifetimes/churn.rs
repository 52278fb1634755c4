//! Many rings, each with commands of all kinds, which are dropped at any moment.

use passthru::{
    NvmeNamespace, NvmeRing,
    device::{Completed, RingBuf, Target},
    nvme::io::{Flush, Read, Write},
};

use super::{Fresh, GUARD, MARK, STALE, filled, is_full_of, kinds, open};
use crate::nvme_lab::namespace;

/// A number that differs each time, the same in each run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

/// Where the blocks are that are full of `MARK`, four of them.
const BLOCK: u64 = 64;

fn buffer(ring: &NvmeRing, chance: &mut Chance, blocks: usize) -> RingBuf {
    let mut buffer = match ring.buffer() {
        Some(buffer) if chance.below(2) == 0 => buffer,
        _ => filled(4096, STALE).into(),
    };
    buffer.set_len(blocks * 512);
    buffer.fill(STALE);
    buffer
}

fn check(done: &Completed) {
    assert!(done.result.is_ok(), "{done:?}");
    let buffers = done.buffer.iter().chain(&done.buffers);
    for buffer in buffers.chain(&done.metadata) {
        assert!(is_full_of(buffer, MARK), "{}", done.token);
    }
}

/// One command. All data that is read, or written, is full of `MARK`.
fn queue(ring: &mut NvmeRing, plain: Target, protected: Target, chance: &mut Chance) {
    let blocks = 1 + chance.below(4) as u32;
    let len = blocks as usize;
    let read = Read::new(BLOCK, blocks);
    let full = match chance.below(6) {
        0 => ring.execute(plain, &Flush, 0).is_err(),
        1 => {
            let data = buffer(ring, chance, len);
            let mut metadata = buffer(ring, chance, 1);
            metadata.set_len(len * 8);
            ring.read_with_metadata(protected, &read, data, metadata, 1)
                .is_err()
        }
        2 => {
            let halves = (0..2 * len).map(|_| filled(256, STALE).into());
            ring.read_vectored(plain, &read, halves.collect(), 2)
                .is_err()
        }
        3 => {
            let mut data = buffer(ring, chance, 1);
            data.fill(MARK);
            let writes: Vec<_> = (BLOCK..)
                .take(len)
                .map(|lba| (plain, Write::new(lba, 1)))
                .collect();
            ring.write_to_all(&writes, data, 3).is_err()
        }
        4 => {
            let mut data = buffer(ring, chance, len);
            data.fill(MARK);
            ring.write(plain, &Write::new(BLOCK, blocks), data, 4)
                .is_err()
        }
        _ => {
            let data = buffer(ring, chance, len);
            ring.read(plain, &read, data, 5).is_err()
        }
    };
    assert!(!full || ring.in_flight() > 4);
}

fn protected() -> NvmeNamespace {
    NvmeNamespace::open_rw(namespace("PTSUB", 3).0).unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn rings_that_are_dropped_at_any_moment_write_nothing_afterwards() {
    let mut chance = Chance(7);
    let mut ring = NvmeRing::builder().build().unwrap();
    let plain = ring.add_namespace(open("PTPLAIN")).unwrap();
    let other = ring.add_namespace(protected()).unwrap();
    let data = filled(4 * 512, MARK);
    ring.write(plain, &Write::new(BLOCK, 4), data, 0).unwrap();
    let (data, metadata) = (filled(4 * 512, MARK), filled(32, MARK));
    ring.write_with_metadata(other, &Write::new(BLOCK, 4), data, metadata, 0)
        .unwrap();
    while let Some(done) = ring.complete().unwrap() {
        check(&done);
    }
    let kept = filled(4096, GUARD);
    for round in 0..60 {
        let [plain, polling] = kinds();
        let builder = if round % 4 == 3 { polling } else { plain };
        let builder = builder.depth(8).batch(4).registered_buffers(6, 4096);
        let mut ring = builder.build().unwrap();
        let plain = ring.add_namespace(open("PTPLAIN")).unwrap();
        let other = ring.add_namespace(protected()).unwrap();
        let outlives = ring.buffer().map(|mut buffer| {
            buffer.fill(GUARD);
            buffer
        });
        for _ in 0..4 + chance.below(24) {
            match chance.below(4) {
                0 => ring.submit().unwrap(),
                1 => {
                    ring.wait(chance.below(4) as usize).unwrap();
                    while let Some(done) = ring.pop() {
                        check(&done);
                    }
                }
                _ => queue(&mut ring, plain, other, &mut chance),
            }
        }
        drop(ring);
        let fresh = Fresh::take();
        // Something that has the kernel work for this thread.
        drop(open("PTPLAIN"));
        fresh.check();
        assert!(is_full_of(&kept, GUARD));
        assert!(is_full_of(&outlives.unwrap(), GUARD));
    }
}

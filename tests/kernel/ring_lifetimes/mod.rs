//! The memory of commands in flight: whatever becomes of their ring, nobody
//! writes to memory that somebody else has got by then.
//!
//! The slow drive takes a second for each block, so its commands can outlive
//! nearly everything. Its last block is full of one byte, which memory that is
//! given out afterwards does not have.
//!
//! Their names do without `nvme`: that would have them run in both emulators, and
//! time is what they take most of.

mod buffers;
mod churn;
mod dropped;
mod forgotten;
mod forked;
mod limits;
mod removed;

use std::{
    sync::Once,
    thread,
    time::{Duration, Instant},
};

use passthru::{
    AlignedBuf, Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeRing, NvmeTransportExt,
    Result,
    device::{Completed, NvmeRingBuilder, RingBuf, Target},
    nvme::{
        Completion, Nsid,
        admin::FormatNvm,
        io::{Read, Write},
    },
};

use crate::nvme_lab::{controller, identify, namespace};

/// What the slow drive's last block is full of.
const MARK: u8 = 0xd7;
/// That block. A test of the drive itself wants zeros in others.
const LAST: u64 = 7;
/// What buffers are full of before a command fills them.
const STALE: u8 = 0x11;
/// What memory is full of that no command has to do with.
const GUARD: u8 = 0x3e;

/// A namespace for every command.
fn open(serial: &str) -> NvmeNamespace {
    NvmeNamespace::open_rw(namespace(serial, 1).0).unwrap()
}

/// The slow drive.
fn slow() -> NvmeNamespace {
    static MARKED: Once = Once::new();
    let drive = open("PTSLOW");
    MARKED.call_once(|| {
        drive.write(&Write::new(LAST, 1), &[MARK; 512]).unwrap();
    });
    drive
}

fn filled(len: usize, byte: u8) -> AlignedBuf {
    let mut buffer = AlignedBuf::new(len).unwrap();
    buffer.fill(byte);
    buffer
}

/// Commands of one block each to the slow drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A read into an `AlignedBuf`.
    Aligned,
    /// One into a registered buffer.
    Registered,
    /// One into two buffers with a gap between them, for which the kernel has
    /// memory of its own, and copies to these addresses in the end.
    Vectored,
    /// A write of what is there anyway, from a registered buffer.
    Shared,
}
use Sort::{Aligned, Registered, Shared, Vectored};

/// A ring with commands in flight on the slow drive.
struct Busy {
    ring: NvmeRing,
    target: Target,
    /// Where memory begins that is in flight.
    addresses: Vec<usize>,
    /// When the last one ends, or later.
    until: Instant,
}

impl Busy {
    /// For as many seconds as there are reads, less one, at least. Their tokens
    /// count from 0.
    fn new(builder: &NvmeRingBuilder, sorts: &[Sort]) -> Self {
        let builder = builder.clone().depth(8).registered_buffers(6, 4096);
        let mut ring = builder.build().unwrap();
        let target = ring.add_namespace(slow()).unwrap();
        let mut busy = Self {
            ring,
            target,
            addresses: Vec::new(),
            until: Instant::now(),
        };
        for (token, sort) in (0..).zip(sorts) {
            busy.queue(*sort, token);
        }
        busy.ring.submit().unwrap();
        // What waits to be written counts when it is, so it may end with a read.
        let reads = sorts.iter().filter(|sort| **sort != Shared).count();
        let seconds = reads.saturating_sub(1) as u64;
        busy.until += Duration::from_secs(seconds);
        busy
    }

    fn queue(&mut self, sort: Sort, token: u64) {
        let read = Read::new(LAST, 1);
        let mut own = |buffer: &[u8]| self.addresses.push(buffer.as_ptr() as usize);
        match sort {
            Aligned => {
                let buffer = filled(512, STALE);
                own(&buffer);
                self.ring.read(self.target, &read, buffer, token).unwrap();
            }
            Registered => {
                let buffer = registered(&self.ring, STALE);
                own(&buffer);
                self.ring.read(self.target, &read, buffer, token).unwrap();
            }
            Vectored => {
                let buffers: Vec<RingBuf> = (0..2).map(|_| filled(256, STALE).into()).collect();
                buffers.iter().for_each(|buffer| own(buffer));
                self.ring
                    .read_vectored(self.target, &read, buffers, token)
                    .unwrap();
            }
            Shared => {
                let buffer = registered(&self.ring, MARK);
                own(&buffer);
                let commands = [(self.target, Write::new(LAST, 1))];
                self.ring.write_to_all(&commands, buffer, token).unwrap();
            }
        }
    }
}

/// That it is not earlier than that, with what the drive lets pass.
fn took_its_time(until: Instant) {
    let now = Instant::now() + Duration::from_millis(400);
    assert!(now >= until, "{:?} too early", until - now);
}

/// A registered buffer of one block.
fn registered(ring: &NvmeRing, byte: u8) -> RingBuf {
    let mut buffer = ring.buffer().unwrap();
    buffer.set_len(512);
    buffer.fill(byte);
    buffer
}

/// That a command succeeded, and that all it read is there.
fn complete(done: &Completed) {
    assert!(done.result.is_ok(), "{:?}", done.result);
    let all = done.buffer.iter().chain(&done.buffers);
    let mut len = 0;
    for buffer in all {
        assert!(
            is_full_of(buffer, MARK),
            "command {}: {:02x?}",
            done.token,
            &buffer[..16]
        );
        len += buffer.len();
    }
    assert_eq!(len, 512);
}

/// Page by page: byte by byte is slow in an emulator.
fn is_full_of(memory: &[u8], byte: u8) -> bool {
    memory
        .chunks(4096)
        .all(|chunk| *chunk == [byte; 4096][..chunk.len()])
}

/// Memory that has just been given out, by the kernel and by the allocator.
struct Fresh {
    mapped: Vec<AlignedBuf>,
    heap: Vec<Vec<u8>>,
}

impl Fresh {
    fn take() -> Self {
        // Small ones first: they fit into all holes.
        let mapped = (0..96).map(|n| filled(4096 << (n / 32), GUARD));
        let heap = (0..208).map(|n| vec![GUARD; 16 << (n % 13)]);
        Self {
            mapped: mapped.collect(),
            heap: heap.collect(),
        }
    }

    fn has(&self, address: usize) -> bool {
        self.mapped
            .iter()
            .map(|buffer| buffer.as_ptr_range())
            .any(|range| (range.start as usize..range.end as usize).contains(&address))
    }

    fn check(&self) {
        let mapped = self.mapped.iter().map(|buffer| &buffer[..]);
        let mut all = mapped.chain(self.heap.iter().map(|buffer| &buffer[..]));
        assert!(all.all(|memory| is_full_of(memory, GUARD)), "written");
    }

    /// Checks it for so long.
    fn watch(&self, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.check();
            thread::sleep(Duration::from_millis(50));
        }
        self.check();
    }
}

/// Formats a drive as it is.
fn format(serial: &str) -> Result<Completion> {
    let drive = NvmeController::open_rw(controller(serial)).unwrap();
    let index = identify(serial, 0, 0, 1)[26] & 15;
    drive.execute(&FormatNvm::new(Nsid::new(1).unwrap(), index))
}

/// That this is refused since there are commands in flight.
fn in_flight(result: Result<Completion>) {
    match result.unwrap_err() {
        Error::Nvme(error) => {
            assert!(matches!(error.kind(), NvmeErrorKind::InFlight), "{error}");
            assert!(!error.was_sent());
        }
        other => panic!("{other:?}"),
    }
}

/// Kinds of rings: whose own thread does the kernel's part of a completion, when
/// it asks for it, and one whose thread in the kernel does it at once, and sleeps
/// after a millisecond.
fn kinds() -> [NvmeRingBuilder; 2] {
    let plain = NvmeRing::builder();
    [plain.clone(), plain.sqpoll(Duration::from_millis(1))]
}

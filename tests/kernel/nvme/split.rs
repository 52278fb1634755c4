//! Transfers longer than one command may be.

use passthru::{
    Error, NvmeErrorKind, NvmeNamespace, NvmeTransport,
    nvme::{LengthMismatch, StatusCode},
};

use super::{
    guarded::{GUARD, Guarded},
    support::{status, sub},
};
use crate::{lab::pattern, nvme_lab::namespace};

/// As many blocks as fill 16 MiB.
const BLOCKS: u64 = (16 << 20) / 512;

fn small() -> [NvmeNamespace; 2] {
    let (generic, block) = namespace("PTMDTS", 1);
    [generic, block].map(|node| {
        let namespace = NvmeNamespace::open_rw(node).unwrap();
        assert_eq!(namespace.max_transfer(), Some(128 << 10));
        namespace
    })
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_long_transfer_comes_in_pieces() {
    for namespace in small() {
        for (seed, blocks) in [(1, 255), (2, 256), (3, 257), (4, 512), (5, 1500)] {
            let data = pattern(seed, blocks * 512);
            namespace.write_blocks(1000, &data).unwrap();
            for offset in [0, 4, 512, 3] {
                let mut memory = Guarded::new(offset, data.len());
                namespace.read_blocks(1000, memory.bytes()).unwrap();
                memory.check();
                assert!(memory.bytes() == data, "{blocks} {offset}");
            }
            // From within a piece.
            let mut memory = Guarded::new(0, 100 * 512);
            namespace.read_blocks(1100, memory.bytes()).unwrap();
            memory.check();
            assert!(memory.bytes() == &data[100 * 512..200 * 512]);
        }
        namespace.read_blocks(0, &mut []).unwrap();
        namespace.write_blocks(0, &[]).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn extended_blocks_come_in_pieces() {
    /// So many blocks are in a piece of 256 KiB.
    const PIECE: usize = (256 << 10) / 528;
    let namespace = sub(4);
    let data = pattern(6, 1500 * 528);
    namespace.write_blocks(100, &data).unwrap();
    let mut memory = Guarded::new(0, data.len());
    namespace.read_blocks(100, memory.bytes()).unwrap();
    memory.check();
    let blocks = memory.bytes().chunks(528).zip(data.chunks(528));
    for (at, (came, written)) in blocks.enumerate() {
        assert!(came[..512] == written[..512], "block {at}");
        // QEMU 7.2 moves metadata of more than 512 bytes, no multiple of that, in part:
        // of 496 times 16 bytes the first 256. The last piece has 12 blocks.
        if at % PIECE < 16 {
            assert!(came[512..] == written[512..], "metadata of block {at}");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_error_says_how_far_it_came() {
    for namespace in small() {
        let data = pattern(7, 300 * 512);
        namespace.write_blocks(BLOCKS - 300, &data).unwrap();
        // 256 blocks, then 256 of which 44 are there, then 88.
        let mut memory = Guarded::new(0, 600 * 512);
        let stopped = namespace
            .read_blocks(BLOCKS - 300, memory.bytes())
            .unwrap_err();
        memory.check();
        assert_eq!((stopped.done, stopped.slba), (256, BLOCKS - 44));
        assert!(stopped.to_string().contains("after 256 blocks"));
        let (read, rest) = memory.bytes().split_at(256 * 512);
        assert!(read == &data[..256 * 512]);
        // The piece that failed may have been begun, what is behind it not.
        assert!(rest[256 * 512..].iter().all(|byte| *byte == GUARD));
        let error: passthru::Result<()> = Err(stopped.into());
        assert_eq!(status(error), StatusCode::LBA_OUT_OF_RANGE);

        let changed = pattern(8, 600 * 512);
        let stopped = namespace.write_blocks(BLOCKS - 300, &changed).unwrap_err();
        assert_eq!((stopped.done, stopped.slba), (256, BLOCKS - 44));
        let mut memory = Guarded::new(0, 300 * 512);
        namespace.read_blocks(BLOCKS - 300, memory.bytes()).unwrap();
        assert!(memory.bytes()[..256 * 512] == changed[..256 * 512]);
        assert!(memory.bytes()[256 * 512..] == data[256 * 512..]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn half_blocks_and_separate_metadata_are_refused() {
    for (namespace, len) in [(sub(1), 513), (sub(2), 512), (sub(4), 512), (sub(3), 512)] {
        let mut memory = Guarded::new(0, len);
        let stopped = namespace.read_blocks(0, memory.bytes()).unwrap_err();
        memory.untouched();
        assert_eq!((stopped.done, stopped.slba), (0, 0));
        let Error::Nvme(error) = stopped.error else {
            panic!("{stopped:?}")
        };
        assert!(!error.was_sent());
        let separate = namespace.nsid().get() == 3;
        match error.kind() {
            NvmeErrorKind::Length(LengthMismatch::Unit { .. }) => assert!(!separate),
            NvmeErrorKind::Length(LengthMismatch::Metadata { expected: 8, .. }) => {
                assert!(separate);
            }
            other => panic!("{other:?}"),
        }
    }
}

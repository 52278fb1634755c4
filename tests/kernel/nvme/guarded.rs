//! Memory with a pattern before and behind it, in the same pages: what a command
//! moves beyond its buffer shows.

use passthru::{
    AlignedBuf, Error, NvmeErrorKind, NvmeNamespace, NvmeTransportExt,
    nvme::io::{Read, Write},
};

use crate::lab::pattern;

pub(super) const GUARD: u8 = 0xa5;
/// So much lies behind the buffer: more than the longest transfer that a
/// mistaken block count could make of these.
const BEHIND: usize = 512 << 10;

/// `len` bytes, `offset` bytes behind the beginning of a page.
pub(super) struct Guarded {
    memory: AlignedBuf,
    offset: usize,
    len: usize,
}

impl Guarded {
    pub(super) fn new(offset: usize, len: usize) -> Self {
        let mut memory = AlignedBuf::new(4096 + offset + len + BEHIND).unwrap();
        memory.fill(GUARD);
        let offset = 4096 + offset;
        Self {
            memory,
            offset,
            len,
        }
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.offset..][..self.len]
    }

    /// Whether nobody wrote at all.
    pub(super) fn untouched(&self) {
        assert!(is_guard(&self.memory), "written where nothing was to move");
    }

    /// Whether nobody wrote outside.
    pub(super) fn check(&self) {
        let before = &self.memory[..self.offset];
        let behind = &self.memory[self.offset + self.len..];
        assert!(is_guard(before), "written before");
        let wrong = || behind.iter().filter(|byte| **byte != GUARD).count();
        assert!(is_guard(behind), "written behind: {} bytes", wrong());
    }
}

/// Page by page: byte by byte is slow in an emulator.
fn is_guard(memory: &[u8]) -> bool {
    memory
        .chunks(4096)
        .all(|chunk| *chunk == [GUARD; 4096][..chunk.len()])
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reads_end_where_the_buffer_ends() {
    let namespace = NvmeNamespace::open_rw("/dev/ng0n1").unwrap();
    let data = pattern(9, 64 * 512);
    namespace.write(&Write::new(100, 64), &data).unwrap();
    for blocks in [1, 2, 7, 8, 9, 64] {
        let len = blocks as usize * 512;
        for offset in [0, 4, 512, 4092, 1] {
            let mut memory = Guarded::new(offset, len);
            namespace
                .read(&Read::new(100, blocks), memory.bytes())
                .unwrap();
            memory.check();
            assert!(memory.bytes() == &data[..len], "{blocks} {offset}");
        }
        for wrong in [0, 1, len - 1, len + 1, len - 512, len + 512] {
            let mut memory = Guarded::new(0, wrong);
            let error = namespace
                .read(&Read::new(100, blocks), memory.bytes())
                .unwrap_err();
            let Error::Nvme(error) = error else {
                panic!("{error}")
            };
            assert!(matches!(error.kind(), NvmeErrorKind::Length(_)), "{error}");
            assert!(!error.was_sent());
            memory.check();
            assert!(memory.bytes().iter().all(|byte| *byte == GUARD));
        }
    }
}

use std::{cell::RefCell, path::Path};

use super::*;
use crate::{
    Result,
    nvme::{Completion, NvmeStatus, WithData, io::DatasetManagement, io::DatasetRange},
    transport::{Data, Metadata, NvmeRequest},
};

/// A namespace whose blocks hold their own address, which fails at one of them.
struct Fake {
    format: Option<Format>,
    limit: Option<usize>,
    bad: u64,
    seen: RefCell<Vec<(u64, u32, usize)>>,
}

impl Fake {
    fn new(format: Format, limit: usize) -> Self {
        Self {
            format: Some(format),
            limit: Some(limit),
            bad: u64::MAX,
            seen: RefCell::default(),
        }
    }
}

impl NvmeTransport for Fake {
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        let sqe = *request.sqe();
        let slba = u64::from(sqe.cdw11) << 32 | u64::from(sqe.cdw10);
        let blocks = (sqe.cdw12 & 0xffff) + 1;
        self.seen
            .borrow_mut()
            .push((slba, blocks, request.data_len()));
        let hit = (slba..slba + u64::from(blocks)).contains(&self.bad);
        match request.into_buffers() {
            (Data::In(buffer), Metadata::None) => {
                let unit = buffer.len() / blocks as usize;
                for (block, lba) in buffer.chunks_mut(unit).zip(slba..) {
                    block.fill(lba.to_le_bytes()[0]);
                }
            }
            (Data::Out(_), Metadata::None) => {}
            other => panic!("{other:?}"),
        }
        let status = if hit { 0x0281 } else { 0 };
        Ok(Completion::new(NvmeStatus::from_raw(status), 0))
    }

    fn path(&self) -> &Path {
        Path::new("fake")
    }

    fn format(&self) -> Result<Option<Format>> {
        Ok(self.format)
    }

    fn max_transfer(&self) -> Option<usize> {
        self.limit
    }
}

#[test]
fn reads_in_pieces() {
    let fake = Fake::new(Format::new(512), 4096);
    let mut buffer = vec![0xff; 20 * 512];
    read(&fake, 100, &mut buffer).unwrap();
    let seen = [(100, 8, 4096), (108, 8, 4096), (116, 4, 2048)];
    assert_eq!(*fake.seen.borrow(), seen);
    for (block, lba) in buffer.chunks(512).zip(100..) {
        assert!(block.iter().all(|byte| *byte == lba), "{lba}");
    }
}

#[test]
fn writes_in_pieces_of_extended_blocks() {
    let fake = Fake::new(Format::new(512).metadata(16, true), 4096);
    write(&fake, 0, &vec![0; 10 * 528]).unwrap();
    assert_eq!(*fake.seen.borrow(), [(0, 7, 3696), (7, 3, 1584)]);
}

#[test]
fn nothing_sends_nothing() {
    let fake = Fake::new(Format::new(512), 4096);
    read(&fake, 5, &mut []).unwrap();
    write(&fake, 5, &[]).unwrap();
    assert_eq!(*fake.seen.borrow(), []);
}

#[test]
fn one_command_is_never_longer_than_the_driver_surely_takes() {
    for limit in [None, Some(8 << 20)] {
        let fake = Fake {
            limit,
            ..Fake::new(Format::new(4096), 0)
        };
        write(&fake, 0, &vec![0; 1 << 20]).unwrap();
        let lengths: Vec<_> = fake.seen.borrow().iter().map(|seen| seen.2).collect();
        assert_eq!(lengths, [MOST; 4]);
    }
}

#[test]
fn a_failure_says_where() {
    let fake = Fake {
        bad: 110,
        ..Fake::new(Format::new(512), 4096)
    };
    let failed = read(&fake, 100, &mut [0; 20 * 512]).unwrap_err();
    assert_eq!((failed.done, failed.slba), (8, 108));
    let text = failed.to_string();
    assert!(text.ends_with("(at block 108, after 8 blocks)"), "{text}");
    let failed = write(&fake, 109, &[0; 512 * 2]).unwrap_err();
    assert_eq!((failed.done, failed.slba), (0, 109));
    let Error::Nvme(error) = Error::from(failed) else {
        panic!("another error");
    };
    assert_eq!(error.status(), Some(NvmeStatus::from_raw(0x0281)));
}

#[test]
fn wrong_lengths_send_nothing() {
    let mismatch = |fake: &Fake, len: usize| {
        let failed = write(fake, 7, &vec![0; len]).unwrap_err();
        assert_eq!((failed.done, failed.slba), (0, 7));
        let Error::Nvme(error) = failed.error else {
            panic!("another error");
        };
        assert_eq!(*fake.seen.borrow(), []);
        match error.kind() {
            NvmeErrorKind::Length(mismatch) => *mismatch,
            other => panic!("{other:?}"),
        }
    };
    let plain = Fake::new(Format::new(512), 4096);
    let unit = LengthMismatch::Unit {
        len: 513,
        unit: 512,
    };
    assert_eq!(mismatch(&plain, 513), unit);
    let separate = Fake::new(Format::new(512).metadata(8, false), 4096);
    let metadata = LengthMismatch::Metadata {
        len: 0,
        expected: 16,
    };
    assert_eq!(mismatch(&separate, 1024), metadata);
    let unknown = Fake {
        format: None,
        ..plain
    };
    assert_eq!(mismatch(&unknown, 512), LengthMismatch::NoFormat);
}

#[test]
fn a_command_with_data_is_sent_with_it() {
    let fake = Fake::new(Format::new(512), 4096);
    let ranges = [DatasetRange::new(1, 2), DatasetRange::new(3, 4)];
    let command = DatasetManagement::new(ranges).unwrap();
    fake.send(&command).unwrap();
    fake.write(&command, &command.data()).unwrap();
    // CDW10 is the count, here seen as the low half of an address.
    assert_eq!(*fake.seen.borrow(), [(1, 1, 32); 2]);
}

use std::{
    cell::{Cell, RefCell},
    path::Path,
};

use proptest::prelude::*;

use super::*;
use crate::{
    Data, Options,
    scsi::{AdditionalSense, Cdb, SenseBuffer, Status},
};

/// A disk in memory, whose answers to questions can be set.
#[derive(Debug)]
struct Fake {
    block_length: usize,
    medium: RefCell<Vec<u8>>,
    short: [u8; 8],
    long: Option<[u8; 32]>,
    version: u8,
    /// Pages 00h and B0h, if there are any.
    maximum_transfer: Option<u32>,
    /// The command after so many reads and writes fails.
    fail_after: Cell<Option<usize>>,
    short_by: usize,
    sent: RefCell<Vec<Cdb>>,
}

impl Fake {
    fn new(block_length: u32, blocks: u32) -> Self {
        let mut short = [0; 8];
        short[..4].copy_from_slice(&(blocks - 1).to_be_bytes());
        short[4..].copy_from_slice(&block_length.to_be_bytes());
        let mut long = [0; 32];
        long[4..12].copy_from_slice(&short);
        let block_length = block_length as usize;
        Self {
            block_length,
            medium: RefCell::new(vec![0; block_length * blocks as usize]),
            short,
            long: Some(long),
            version: 6,
            maximum_transfer: None,
            fail_after: Cell::new(None),
            short_by: 0,
            sent: RefCell::default(),
        }
    }

    fn opcodes(&self) -> Vec<u8> {
        self.sent.take().iter().map(Cdb::opcode).collect()
    }

    fn page(&self, code: u8) -> Option<Vec<u8>> {
        let blocks = self.maximum_transfer?;
        Some(match code {
            0x00 => vec![0, 0, 0, 2, 0, 0xb0],
            0xb0 => {
                let mut page = vec![0, 0xb0, 0, 12, 0, 0, 0, 0];
                page.extend(blocks.to_be_bytes());
                page.extend([0; 4]);
                page
            }
            _ => return None,
        })
    }

    /// Where the blocks of a READ or WRITE are in the medium.
    fn range(&self, cdb: &Cdb) -> std::ops::Range<usize> {
        let bytes = cdb.as_bytes();
        let (lba, blocks) = match cdb.len() {
            10 => (
                u64::from(u32::from_be_bytes(bytes[2..6].try_into().unwrap())),
                u32::from(u16::from_be_bytes(bytes[7..9].try_into().unwrap())),
            ),
            _ => (
                u64::from_be_bytes(bytes[2..10].try_into().unwrap()),
                u32::from_be_bytes(bytes[10..14].try_into().unwrap()),
            ),
        };
        let start = usize::try_from(lba).unwrap() * self.block_length;
        start..start + blocks as usize * self.block_length
    }
}

impl ScsiTransport for Fake {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, _: &Options) -> Result<Outcome> {
        self.sent.borrow_mut().push(*cdb);
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        let mut refuse = |key, additional| {
            outcome.set_status(Status::CHECK_CONDITION);
            *outcome.sense_mut() = SenseBuffer::fixed(key, additional);
        };
        let unknown = (
            SenseKey::ILLEGAL_REQUEST,
            AdditionalSense::INVALID_OPERATION_CODE,
        );
        let answer = match cdb.opcode() {
            0x25 => Some(self.short.to_vec()),
            0x9e => self.long.map(|long| long.to_vec()),
            0x12 if cdb.byte(1) == 1 => self.page(cdb.byte(2)),
            0x12 => {
                let mut reply = b"\0\0\x06\x02\x1f\0\0\0ACME    FAKE DRIVE      1.0 ".to_vec();
                reply[2] = self.version;
                Some(reply)
            }
            _ => {
                match self.fail_after.get() {
                    Some(0) => {
                        refuse(SenseKey::MEDIUM_ERROR, AdditionalSense::new(0x11, 0));
                        return Ok(outcome);
                    }
                    left => self.fail_after.set(left.map(|left| left - 1)),
                }
                let moved = data.len().saturating_sub(self.short_by);
                match &mut data {
                    Data::In(slice) => {
                        slice.copy_from_slice(&self.medium.borrow()[self.range(cdb)]);
                    }
                    Data::Out(slice) => {
                        self.medium.borrow_mut()[self.range(cdb)].copy_from_slice(slice);
                    }
                    _ => {}
                }
                outcome.set_transferred(moved);
                return Ok(outcome);
            }
        };
        match answer {
            Some(answer) => outcome.set_transferred(data.fill_from(&answer)),
            None => refuse(unknown.0, unknown.1),
        }
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        Path::new("fake")
    }
}

#[test]
fn the_capacity_is_asked_as_the_device_needs_it() {
    let disk = Disk::new(Fake::new(512, 100)).unwrap();
    assert_eq!((disk.block_length(), disk.blocks()), (512, 100));
    assert_eq!(disk.layout().bytes(), 51_200);
    assert_eq!(disk.transport().opcodes(), [0x25, 0x12, 0x9e]);

    // Older than SPC-3, also with the ISO bit: the long command is not sent.
    for version in [0, 2, 4, 0x82] {
        let mut fake = Fake::new(512, 100);
        fake.version = version;
        fake.long = None;
        let disk = Disk::new(fake).unwrap();
        assert_eq!(disk.blocks(), 100);
        assert_eq!(disk.transport().opcodes(), [0x25, 0x12]);
    }

    // SPC-3 without the long command.
    let mut fake = Fake::new(4096, 7);
    fake.long = None;
    let disk = Disk::new(fake).unwrap();
    assert_eq!((disk.block_length(), disk.blocks()), (4096, 7));

    // Saturated: the long one is needed, whatever the version.
    let mut fake = Fake::new(512, 100);
    fake.version = 2;
    fake.short[..4].fill(0xff);
    fake.long.as_mut().unwrap()[..8].copy_from_slice(&[0, 0, 0, 1, 0, 0, 0, 0]);
    let disk = Disk::new(fake).unwrap();
    assert_eq!(disk.blocks(), (1 << 32) + 1);
    assert_eq!(disk.transport().opcodes(), [0x25, 0x9e]);
    let mut fake = disk.into_transport();
    fake.long = None;
    assert!(matches!(Disk::new(fake), Err(Error::Check(_))));
}

#[test]
fn a_capacity_that_cannot_be_is_an_error_with_both_answers() {
    // 130 PB instead of 512 GB.
    let mut fake = Fake::new(512, 100);
    fake.long.as_mut().unwrap()[2] = 0xe4;
    let error = Disk::new(&fake).unwrap_err();
    let text = error.to_string();
    let Error::Capacity { short, long, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(short.blocks(), Some(100));
    assert!(long.unwrap().blocks().unwrap() > 1 << 40);
    for part in ["fake: ", "two capacities", "last block 99", "(16)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for length in [0u32, 1, 511, 100_000] {
        let mut fake = Fake::new(512, 100);
        fake.version = 2;
        fake.short[4..].copy_from_slice(&length.to_be_bytes());
        let error = Disk::new(fake).err().unwrap();
        assert!(matches!(error, Error::Capacity { long: None, .. }));
        assert!(!error.was_sent());
    }
    let mut fake = Fake::new(512, 100);
    fake.short[..4].fill(0xff);
    fake.long.as_mut().unwrap()[..8].fill(0xff);
    assert!(matches!(Disk::new(fake), Err(Error::Capacity { .. })));
}

#[test]
fn limits_split_transfers() {
    let mut fake = Fake::new(512, 5000);
    fake.maximum_transfer = Some(100);
    let mut disk = Disk::new(&fake).unwrap();
    assert_eq!(disk.max_transfer(), DEFAULT_TRANSFER);
    disk.ask_limits().unwrap();
    assert_eq!(disk.max_transfer(), 51_200);
    fake.opcodes();
    disk.read(1, &mut vec![0; 201 * 512]).unwrap();
    let sent: Vec<_> = fake
        .sent
        .take()
        .iter()
        .map(|cdb| (cdb.byte(0), cdb.byte(5), cdb.byte(8)))
        .collect();
    assert_eq!(sent, [(0x28, 1, 100), (0x28, 101, 100), (0x28, 201, 1)]);
    // In bytes, and never less than a block.
    for (bytes, taken) in [(1300, 1024), (512, 512), (1, 512), (0, 512)] {
        disk.set_max_transfer(bytes);
        assert_eq!(disk.max_transfer(), taken);
    }
    // No pages, no limit.
    let fake = Fake::new(512, 10);
    let mut disk = Disk::new(&fake).unwrap();
    disk.ask_limits().unwrap();
    assert_eq!(disk.max_transfer(), DEFAULT_TRANSFER);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_sent() {
    let fake = Fake::new(512, 10);
    let disk = Disk::new(&fake).unwrap();
    fake.opcodes();
    let past: [(u64, usize); 4] = [(10, 1), (9, 2), (u64::MAX, 1), (0, 11)];
    for (lba, blocks) in past {
        let mut buffer = vec![0; blocks * 512];
        let read = disk.read(lba, &mut buffer).unwrap_err();
        let write = disk.write(lba, &buffer).unwrap_err();
        let verify = disk.verify(lba, blocks as u64).unwrap_err();
        for partial in [read, write, verify] {
            assert_eq!(partial.done, 0);
            let Error::OutOfRange { range, .. } = partial.error else {
                panic!("{partial:?}")
            };
            assert_eq!((range.lba, range.capacity), (lba, 10));
        }
    }
    for len in [1, 511, 513] {
        let error = Error::from(disk.write(0, &vec![0; len]).unwrap_err());
        assert!(matches!(error, Error::Length { .. }), "{error:?}");
        assert!(error.to_string().contains("blocks of 512"), "{error}");
    }
    // Nothing at all is no mistake, and nothing is sent.
    disk.read(10, &mut []).unwrap();
    disk.write(0, &[]).unwrap();
    disk.verify(10, 0).unwrap();
    assert_eq!(fake.opcodes(), []);
}

#[test]
fn the_short_commands_are_used_where_they_do() {
    let fake = Fake::new(512, 10);
    let layout = Layout::new(512, 1 << 40);
    let disk = Disk::with_layout(&fake, layout);
    disk.verify(0xffff_ffff, 1).unwrap();
    disk.verify(0x1_0000_0000, 1).unwrap();
    disk.verify(0, 65_536).unwrap();
    disk.flush().unwrap();
    assert_eq!(fake.opcodes(), [0x2f, 0x8f, 0x2f, 0x2f, 0x35]);
    let opcode = |lba, blocks| {
        let read = layout.read(lba, blocks).unwrap();
        let write = layout.write(lba, blocks).unwrap();
        let len = blocks as usize * 512;
        let opcodes = [read.cdb_for(len), write.cdb_for(len)].map(|cdb| cdb.unwrap().opcode());
        assert!(read.cdb_for(len + 512).is_err());
        opcodes
    };
    assert_eq!(opcode(0xffff_ffff, 0xffff), [0x28, 0x2a]);
    assert_eq!(opcode(0xffff_ffff, 0x1_0000), [0x88, 0x8a]);
    assert_eq!(opcode(0x1_0000_0000, 1), [0x88, 0x8a]);
}

#[test]
fn a_failure_says_how_much_was_done() {
    let fake = Fake::new(512, 100);
    let mut disk = Disk::new(&fake).unwrap();
    disk.set_max_transfer(10 * 512);
    for (after, done) in [(0, 0), (3, 30)] {
        fake.fail_after.set(Some(after));
        let partial = disk.read(7, &mut vec![0; 50 * 512]).unwrap_err();
        assert_eq!(partial.done, done);
        assert!(matches!(partial.error, Error::Check(_)), "{partial:?}");
        fake.fail_after.set(Some(after));
        assert_eq!(disk.write(7, &vec![0; 50 * 512]).unwrap_err().done, done);
    }
    fake.fail_after.set(None);
    // GOOD, and less than all of it.
    let mut fake = Fake::new(512, 100);
    fake.short_by = 512;
    let disk = Disk::new(&fake).unwrap();
    let partial = disk.read(0, &mut [0; 1024]).unwrap_err();
    assert!(
        matches!(partial.error, Error::Malformed { .. }),
        "{partial:?}"
    );
    assert!(disk.write(0, &[0; 1024]).is_err());
}

proptest! {
    /// Any sequence of reads and writes does what it does to a `Vec`.
    #[test]
    fn a_disk_is_a_vec(
        block_length in prop::sample::select(vec![512u32, 520, 4096]),
        limit in 0usize..70_000,
        steps in prop::collection::vec((any::<bool>(), 0u64..64, 0usize..40, any::<u8>()), 1..20),
    ) {
        let fake = Fake::new(block_length, 64);
        let mut disk = Disk::new(&fake).unwrap();
        disk.set_max_transfer(limit);
        let size = block_length as usize;
        let mut model = vec![0u8; 64 * size];
        for (write, lba, blocks, seed) in steps {
            let start = usize::try_from(lba).unwrap() * size;
            let range = start..start + blocks * size;
            let mut buffer: Vec<u8> = (0..blocks * size).map(|at| at.to_le_bytes()[0] ^ at.to_le_bytes()[1] ^ seed).collect();
            let fits = range.end <= model.len();
            if write {
                prop_assert_eq!(disk.write(lba, &buffer).is_ok(), fits);
                if fits {
                    model[range].copy_from_slice(&buffer);
                }
            } else {
                prop_assert_eq!(disk.read(lba, &mut buffer).is_ok(), fits);
                if fits {
                    prop_assert!(buffer == model[range]);
                }
            }
        }
        prop_assert!(*fake.medium.borrow() == model);
    }
}

//! What goes in by a ring comes out by ioctl, and the other way round.

use passthru::{
    NvmeNamespace, NvmeRing, NvmeTransportExt,
    device::{RingBuf, Target},
    nvme::{
        Query as _, StatusCode, WithData,
        io::{
            Compare, DatasetManagement, DatasetRange, Flush, Read, ReportZones, Verify, Write,
            WriteZeroes, ZoneAction, ZoneAppend, ZoneManagementSend, ZoneState,
        },
    },
};

use super::support::{end, filled, good, open, plain, stale, status, succeeds, with};
use crate::lab::pattern;

/// What blocks have in data and separate metadata.
type Both = (Vec<u8>, Vec<u8>);

/// A namespace in a ring, and the same one by ioctl.
struct Lab {
    ring: NvmeRing,
    target: Target,
    drive: NvmeNamespace,
    block: usize,
    beside: usize,
}

/// Of every format that is not zoned, with buffers of the ring's or of our own.
fn labs(registered: bool) -> Vec<Lab> {
    [(1, 512, 0), (2, 4096, 0), (3, 512, 8), (4, 528, 0)]
        .map(|(nsid, block, beside)| {
            let builder = NvmeRing::builder().depth(4);
            let mut ring = match registered {
                true => builder.registered_buffers(2, 32 * block).build().unwrap(),
                false => builder.build().unwrap(),
            };
            Lab {
                target: ring.add_namespace(open("PTSUB", nsid)).unwrap(),
                ring,
                drive: open("PTSUB", nsid),
                block,
                beside,
            }
        })
        .into()
}

impl Lab {
    /// Memory with these bytes: a registered buffer if there are any.
    fn memory(&self, bytes: &[u8]) -> RingBuf {
        let Some(mut buffer) = self.ring.buffer() else {
            return filled(bytes).into();
        };
        assert!(buffer.is_registered());
        buffer.set_len(bytes.len());
        buffer.copy_from_slice(bytes);
        buffer
    }

    fn fresh(&self, seed: u8, blocks: usize) -> Both {
        let metadata = pattern(!seed, blocks * self.beside);
        (pattern(seed, blocks * self.block), metadata)
    }

    fn write(&mut self, lba: u64, (data, metadata): &Both) {
        let command = Write::new(lba, (data.len() / self.block) as u32);
        let buffer = self.memory(data);
        let Self { ring, target, .. } = self;
        if self.beside == 0 {
            ring.write(*target, &command, buffer, 5).unwrap();
        } else {
            let beside = filled(metadata);
            ring.write_with_metadata(*target, &command, buffer, beside, 5)
                .unwrap();
        }
        let (done, _) = good(ring);
        assert_eq!((done.token, done.target), (5, *target));
        assert!(
            done.buffer.unwrap()[..] == data[..],
            "a write changes nothing"
        );
        match done.metadata {
            Some(beside) => assert!(beside[..] == metadata[..]),
            None => assert_eq!(self.beside, 0),
        }
    }

    fn read(&mut self, lba: u64, blocks: usize) -> Both {
        let command = Read::new(lba, blocks as u32);
        let buffer = self.memory(&vec![0xee; blocks * self.block]);
        let Self { ring, target, .. } = self;
        if self.beside == 0 {
            ring.read(*target, &command, buffer, 6).unwrap();
        } else {
            let beside = stale(blocks * self.beside);
            ring.read_with_metadata(*target, &command, buffer, beside, 6)
                .unwrap();
        }
        let (done, _) = good(ring);
        let metadata = done.metadata.map_or(vec![], |metadata| metadata.to_vec());
        (done.buffer.unwrap().to_vec(), metadata)
    }

    fn write_by_ioctl(&self, lba: u64, (data, metadata): &Both) {
        let command = Write::new(lba, (data.len() / self.block) as u32);
        self.drive
            .write_with_metadata(&command, data, metadata)
            .unwrap();
    }

    fn read_by_ioctl(&self, lba: u64, blocks: usize) -> Both {
        let mut data = vec![0; blocks * self.block];
        let mut metadata = vec![0; blocks * self.beside];
        self.drive
            .read_with_metadata(&Read::new(lba, blocks as u32), &mut data, &mut metadata)
            .unwrap();
        (data, metadata)
    }

    /// Whether the data of a block, without metadata behind it, is zero.
    fn is_zero(&self, block: &[u8]) -> bool {
        block[..self.block / 512 * 512]
            .iter()
            .all(|byte| *byte == 0)
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn blocks_of_every_format_go_both_ways() {
    for registered in [false, true] {
        for mut lab in labs(registered) {
            for blocks in [1, 2, 7, 8, 9, 32] {
                let written = lab.fresh(blocks as u8, blocks);
                lab.write(2000, &written);
                lab.ring.execute(lab.target, &Flush, 0).unwrap();
                succeeds(&mut lab.ring);
                assert!(lab.read_by_ioctl(2000, blocks) == written);
                let other = lab.fresh(blocks as u8 ^ 0x55, blocks);
                lab.write_by_ioctl(2000, &other);
                assert!(lab.read(2000, blocks) == other);
            }
            // Not only from where it was written.
            let written = lab.fresh(77, 16);
            lab.write(2100, &written);
            let (data, metadata) = lab.read(2105, 4);
            assert!(data == written.0[5 * lab.block..9 * lab.block]);
            assert!(metadata == written.1[5 * lab.beside..9 * lab.beside]);
            lab.ring
                .execute(lab.target, &Verify::new(2100, 16), 0)
                .unwrap();
            succeeds(&mut lab.ring);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zeroes_are_written_where_they_were_meant() {
    for mut lab in labs(false) {
        let written = lab.fresh(3, 16);
        lab.write_by_ioctl(2200, &written);
        lab.ring
            .execute(lab.target, &WriteZeroes::new(2204, 8), 0)
            .unwrap();
        let (done, _) = good(&mut lab.ring);
        assert!(done.buffer.is_none() && done.metadata.is_none() && done.buffers.is_none());
        let (data, _) = lab.read_by_ioctl(2200, 16);
        for (index, block) in data.chunks(lab.block).enumerate() {
            if (4..12).contains(&index) {
                assert!(lab.is_zero(block), "{index}");
            } else {
                assert!(*block == written.0[index * lab.block..][..lab.block]);
            }
        }
    }
}

/// A block that is not needed any more is what it was, or zero. Others stay.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn ranges_are_deallocated_by_send_and_by_write() {
    for by_send in [true, false] {
        for mut lab in labs(by_send) {
            let written = lab.fresh(9, 32);
            lab.write_by_ioctl(2304, &written);
            let ranges = [DatasetRange::new(2312, 4), DatasetRange::new(2320, 8)];
            let command = DatasetManagement::new(ranges).unwrap().deallocate(true);
            let data = command.data().into_owned();
            assert_eq!(data.len(), 32);
            if by_send {
                // Whatever its length was: there is room for the ranges.
                let buffer = lab.memory(&[0xee; 512]);
                lab.ring.send(lab.target, &command, buffer, 0).unwrap();
            } else {
                let buffer = lab.memory(&data);
                lab.ring.write(lab.target, &command, buffer, 0).unwrap();
            }
            let (done, _) = good(&mut lab.ring);
            assert!(done.buffer.unwrap()[..] == data[..]);
            let (now, _) = lab.read_by_ioctl(2304, 32);
            for (index, block) in now.chunks(lab.block).enumerate() {
                let same = *block == written.0[index * lab.block..][..lab.block];
                let meant = (8..12).contains(&index) || (16..24).contains(&index);
                assert!(same || meant && lab.is_zero(block), "{index}");
            }
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn compare_finds_a_single_bit() {
    for registered in [false, true] {
        for mut lab in labs(registered) {
            let (mut data, metadata) = lab.fresh(14, 8);
            lab.write_by_ioctl(2400, &(data.clone(), metadata.clone()));
            let compare = |lab: &mut Lab, data: &[u8]| {
                let (command, buffer) = (Compare::new(2400, 8), lab.memory(data));
                let Lab { ring, target, .. } = lab;
                match lab.beside {
                    0 => ring.write(*target, &command, buffer, 0),
                    _ => {
                        let beside = filled(&metadata);
                        ring.write_with_metadata(*target, &command, buffer, beside, 0)
                    }
                }
                .unwrap();
                let done = end(ring);
                assert!(done.buffer.as_ref().unwrap()[..] == data[..]);
                done
            };
            compare(&mut lab, &data).result.unwrap();
            for place in [0, 511, data.len() / 2, data.len() - 1] {
                data[place] ^= 0x10;
                let done = compare(&mut lab, &data);
                assert_eq!(status(&done), StatusCode::COMPARE_FAILURE, "{place}");
                data[place] ^= 0x10;
            }
            compare(&mut lab, &data).result.unwrap();
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_append_says_where_it_went() {
    const START: u64 = 2 * 1024;
    let reset = ZoneManagementSend::all(ZoneAction::Reset);
    let (mut ring, target) = with("PTSUB", 5);
    let drive = open("PTSUB", 5);
    ring.execute(target, &reset, 0).unwrap();
    succeeds(&mut ring);
    // All at once, of different lengths, in the order that the drive likes.
    let data: Vec<_> = (1..=6)
        .map(|blocks| pattern(blocks, usize::from(blocks) * 4096))
        .collect();
    for (bytes, blocks) in data.iter().zip(1..) {
        let append = ZoneAppend::new(START, blocks);
        ring.write(target, &append, filled(bytes), blocks.into())
            .unwrap();
    }
    assert_eq!(ring.wait(6).unwrap(), 6);
    let mut covered = vec![0; 21];
    for _ in 0..6 {
        let done = ring.pop().unwrap();
        let at = done.result.unwrap().result();
        let expected = &data[done.token as usize - 1];
        let mut now = vec![0; expected.len()];
        let read = Read::new(at, done.token as u32);
        drive.read(&read, &mut now).unwrap();
        assert!(now == *expected, "{} blocks at {at}", done.token);
        for block in at - START..at - START + done.token {
            covered[block as usize] += 1;
        }
    }
    assert_eq!(covered, [1; 21], "no gap, and nothing twice");
    // The zone by a report through the ring, whose parser is the query's.
    let report = ReportZones::new(START, 1);
    ring.read(target, &report, stale(4096), 0).unwrap();
    let zones = report.parse(&good(&mut ring).0.buffer.unwrap()).unwrap();
    assert_eq!(zones.zones()[0].start(), START);
    assert_eq!(zones.zones()[0].state(), ZoneState::IMPLICITLY_OPENED);
    assert_eq!(zones.zones()[0].write_pointer(), Some(START + 21));
    let within = ZoneAppend::new(START + 6, 1);
    ring.write(target, &within, stale(4096), 0).unwrap();
    assert_eq!(status(&end(&mut ring)), StatusCode::INVALID_FIELD);
    drive.execute(&reset).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn registered_buffers_come_back_to_their_pool() {
    let drive = open("PTSUB", 1);
    let data = pattern(21, 3000 / 512 * 512);
    drive.write(&Write::new(2500, 5), &data).unwrap();
    let mut ring = NvmeRing::builder()
        .registered_buffers(3, 3000)
        .build()
        .unwrap();
    let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
    let mut taken: Vec<_> = std::iter::from_fn(|| ring.buffer()).collect();
    assert_eq!(taken.len(), 3);
    assert!(
        taken
            .iter()
            .all(|buffer| buffer.iter().all(|byte| *byte == 0))
    );
    for (mut buffer, token) in taken.drain(..).zip(0..) {
        assert_eq!((buffer.len(), buffer.capacity()), (3000, 4096));
        buffer.set_len(5 * 512);
        ring.read(target, &Read::new(2500, 5), buffer, token)
            .unwrap();
    }
    assert!(ring.buffer().is_none(), "all are in flight");
    assert_eq!(ring.wait(3).unwrap(), 3);
    assert!(ring.buffer().is_none(), "they are in the completions");
    for _ in 0..3 {
        let buffer = ring.pop().unwrap().buffer.unwrap();
        assert!(buffer.is_registered() && buffer[..] == data[..]);
        drop(buffer);
        let again = ring.buffer().unwrap();
        assert!(again[..5 * 512] == data[..], "its content stays");
        assert_eq!(again.len(), 3000);
        taken.push(again);
    }
    // In another ring they are memory like any other, also after their own.
    let (mut other, there) = with("PTSUB", 1);
    let mut buffer = taken.pop().unwrap();
    buffer.fill(0xee);
    buffer.set_len(512);
    drop(taken);
    drop(ring);
    other.read(there, &Read::new(2500, 1), buffer, 0).unwrap();
    let back = good(&mut other).0.buffer.unwrap();
    assert!(back[..] == data[..512] && back.is_registered());
    back.into_aligned().unwrap_err();
    let mut none = plain();
    assert!(none.buffer().is_none());
    assert!(none.pop().is_none());
}

/// Linux 6.1 looks at all pages that are registered together.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn any_number_of_registered_buffers_of_any_size() {
    let data = pattern(22, 9 * 512);
    open("PTSUB", 1).write(&Write::new(2600, 9), &data).unwrap();
    for (count, size) in [
        (1, 4608),
        (127, 4096),
        (128, 4096),
        (300, 8192),
        (20_000, 4096),
        (2, 508 << 10),
        (2, 512 << 10),
        (2, 2 << 20),
    ] {
        let builder = NvmeRing::builder().registered_buffers(count, size);
        let mut ring = builder.build().unwrap();
        let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
        let blocks = (size / 512).min(9);
        let all: Vec<_> = std::iter::from_fn(|| ring.buffer()).collect();
        assert_eq!(all.len(), count as usize);
        let last = all.len() - 1;
        for (index, mut buffer) in all.into_iter().enumerate() {
            if index > 4 && index % 1000 != 0 && index + 4 < last {
                continue;
            }
            buffer.set_len(blocks * 512);
            let read = Read::new(2600, blocks as u32);
            ring.read(target, &read, buffer, 0).unwrap();
            let back = good(&mut ring).0.buffer.unwrap();
            assert!(
                back[..] == data[..blocks * 512],
                "{index} of {count} * {size}"
            );
        }
    }
}

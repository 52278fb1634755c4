//! What was written comes back, whatever command moved it.

use passthru::{
    NvmeNamespace, NvmeTransportExt,
    nvme::{
        StatusCode,
        io::{
            Compare, CopyBlocks, CopyFormat, CopyRange, DatasetManagement, DatasetRange, Flush,
            Read, Verify, Write, WriteUncorrectable, WriteZeroes,
        },
    },
};

use super::{
    guarded::Guarded,
    support::{status, sub},
};
use crate::lab::pattern;

/// A namespace, and what its blocks have in data and separate metadata.
struct Medium {
    namespace: NvmeNamespace,
    block: usize,
    beside: usize,
}

/// Of every format that is not zoned.
fn media() -> Vec<Medium> {
    [(1, 512, 0), (2, 4096, 0), (3, 512, 8), (4, 528, 0)]
        .map(|(nsid, block, beside)| Medium {
            namespace: sub(nsid),
            block,
            beside,
        })
        .into()
}

impl Medium {
    /// Writes a pattern and gives it.
    fn write(&self, lba: u64, blocks: usize, seed: u8) -> (Vec<u8>, Vec<u8>) {
        let data = pattern(seed, blocks * self.block);
        let metadata = pattern(!seed, blocks * self.beside);
        self.namespace
            .write_with_metadata(&Write::new(lba, blocks as u32), &data, &metadata)
            .unwrap();
        (data, metadata)
    }

    fn read(&self, lba: u64, blocks: usize) -> (Vec<u8>, Vec<u8>) {
        let mut data = Guarded::new(0, blocks * self.block);
        let mut metadata = Guarded::new(0, blocks * self.beside);
        self.namespace
            .read_with_metadata(
                &Read::new(lba, blocks as u32),
                data.bytes(),
                metadata.bytes(),
            )
            .unwrap();
        data.check();
        metadata.check();
        (data.bytes().to_vec(), metadata.bytes().to_vec())
    }

    /// That these blocks of a pattern still are what they were.
    fn same(&self, lba: u64, (data, metadata): &(Vec<u8>, Vec<u8>), from: usize, to: usize) {
        let (now, beside) = self.read(lba + from as u64, to - from);
        assert!(now == data[from * self.block..to * self.block]);
        assert!(beside == metadata[from * self.beside..to * self.beside]);
    }
}

fn zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn written_blocks_come_back() {
    for medium in media() {
        for blocks in [1, 2, 7, 8, 9, 32] {
            let written = medium.write(200, blocks, blocks as u8);
            medium.namespace.execute(&Flush).unwrap();
            assert!(medium.read(200, blocks) == written);
            medium
                .namespace
                .execute(&Verify::new(200, blocks as u32))
                .unwrap();
        }
        // Not only from where it was written.
        let written = medium.write(300, 16, 77);
        medium.same(300, &written, 5, 9);
        let end = medium.namespace.execute(&Verify::new(1 << 40, 1));
        assert_eq!(status(end), StatusCode::LBA_OUT_OF_RANGE);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zeroes_are_written_where_they_were_meant() {
    for medium in media() {
        for deallocate in [false, true] {
            let written = medium.write(400, 16, 3);
            let zeroes = WriteZeroes::new(404, 8).deallocate(deallocate);
            medium.namespace.execute(&zeroes).unwrap();
            medium.same(400, &written, 0, 4);
            medium.same(400, &written, 12, 16);
            let (data, _) = medium.read(404, 8);
            // The last bytes of an extended block are its metadata.
            let block = medium.block / 512 * 512;
            assert!(data.chunks(medium.block).all(|one| zero(&one[..block])));
        }
        let beyond = medium.namespace.execute(&WriteZeroes::new(1 << 40, 8));
        assert_eq!(status(beyond), StatusCode::LBA_OUT_OF_RANGE);
    }
}

/// A block that is not needed any more is what it was, or zero. Others stay.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn deallocated_blocks_are_old_or_zero() {
    for medium in media() {
        let written = medium.write(512, 32, 9);
        let ranges = [DatasetRange::new(520, 4), DatasetRange::new(528, 8)];
        let command = DatasetManagement::new(ranges).unwrap().deallocate(true);
        medium.namespace.send(&command).unwrap();
        for (from, to) in [(0, 8), (12, 16), (24, 32)] {
            medium.same(512, &written, from, to);
        }
        let (data, _) = medium.read(512, 32);
        for (now, before) in data
            .chunks(medium.block)
            .zip(written.0.chunks(medium.block))
        {
            let plain = medium.block / 512 * 512;
            assert!(now[..plain] == before[..plain] || zero(&now[..plain]));
        }
        // A hint changes nothing.
        let written = medium.write(512, 32, 10);
        let hint = DatasetManagement::new([DatasetRange::new(512, 32).sequential_read(true)]);
        medium
            .namespace
            .send(&hint.unwrap().integral_read(true))
            .unwrap();
        medium.same(512, &written, 0, 32);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn copies_are_what_was_copied() {
    for medium in media() {
        let first = medium.write(600, 4, 11);
        let second = medium.write(700, 8, 12);
        let around = medium.write(798, 16, 13);
        let ranges = [CopyRange::new(600, 4), CopyRange::new(702, 3)].map(Option::unwrap);
        let copy = CopyBlocks::new(800, CopyFormat::Same, ranges).unwrap();
        medium.namespace.send(&copy).unwrap();
        let (data, metadata) = medium.read(800, 7);
        let expected = [&first.0[..], &second.0[2 * medium.block..5 * medium.block]].concat();
        assert!(data == expected);
        let expected = [
            &first.1[..],
            &second.1[2 * medium.beside..5 * medium.beside],
        ];
        assert!(metadata == expected.concat());
        medium.same(798, &around, 0, 2);
        medium.same(798, &around, 9, 16);
        medium.same(600, &first, 0, 4);
        let beyond = CopyRange::new(1 << 40, 4);
        let beyond = CopyBlocks::new(900, CopyFormat::Same, beyond).unwrap();
        // QEMU 7.2 finds out, and says that it failed within.
        assert!(matches!(
            status(medium.namespace.send(&beyond)),
            StatusCode::LBA_OUT_OF_RANGE | StatusCode::INTERNAL_ERROR
        ));
        medium.same(798, &around, 9, 16);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn compare_finds_a_single_bit() {
    for medium in media() {
        let (mut data, metadata) = medium.write(900, 8, 14);
        let compare = Compare::new(900, 8);
        let run = |data: &[u8]| {
            medium
                .namespace
                .write_with_metadata(&compare, data, &metadata)
        };
        run(&data).unwrap();
        for place in [0, 511, data.len() / 2, data.len() - 1] {
            data[place] ^= 0x10;
            assert_eq!(status(run(&data)), StatusCode::COMPARE_FAILURE, "{place}");
            data[place] ^= 0x10;
        }
        run(&data).unwrap();
        medium.same(900, &(data, metadata), 0, 8);
    }
}

/// A read-only handle may compare and verify, and read what was written.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_only_handle_compares_and_verifies() {
    let medium = &media()[0];
    let (data, _) = medium.write(1000, 8, 15);
    let path = crate::nvme_lab::namespace("PTSUB", 1).1;
    let namespace = NvmeNamespace::open(path).unwrap();
    namespace.write(&Compare::new(1000, 8), &data).unwrap();
    namespace.execute(&Verify::new(1000, 8)).unwrap();
    let mut memory = Guarded::new(0, data.len());
    namespace.read_blocks(1000, memory.bytes()).unwrap();
    memory.check();
    assert!(memory.bytes() == data);
}

/// QEMU cannot mark blocks as bad.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_command_that_the_controller_lacks_has_its_status() {
    let medium = &media()[0];
    let written = medium.write(1100, 8, 16);
    let result = medium.namespace.execute(&WriteUncorrectable::new(1100, 8));
    assert_eq!(status(result), StatusCode::INVALID_OPCODE);
    medium.same(1100, &written, 0, 8);
}

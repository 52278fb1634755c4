//! Protection information: who makes it, who checks it.

use passthru::{
    NvmeTransportExt,
    nvme::{
        StatusCode,
        io::{BlockTags, Compare, Protect, Read, Verify, Write},
    },
};

use super::{
    guarded::Guarded,
    support::{refused, status, sub},
};
use crate::lab::pattern;

/// The guard of type 1 (CRC-16 with the polynomial 8BB7h).
fn guard(block: &[u8]) -> u16 {
    block.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc: u16, _| {
            crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x8bb7 }
        })
    })
}

/// The tuples that the blocks from `lba` on should have.
fn tuples(data: &[u8], lba: u32, application: u16) -> Vec<u8> {
    let blocks = data.chunks(512).zip(lba..);
    let tuple = blocks.map(|(block, lba)| {
        let mut tuple = guard(block).to_be_bytes().to_vec();
        tuple.extend(application.to_be_bytes());
        tuple.extend(lba.to_be_bytes());
        tuple
    });
    tuple.collect::<Vec<_>>().concat()
}

const LBA: u32 = 2048;

fn all(application: u16) -> Protect {
    Protect::NONE
        .check_guard(true)
        .check_application(application, 0xffff)
        .check_reference(LBA)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_controller_makes_and_takes_off_the_tuples() {
    assert_eq!(guard(&[0; 512]), 0);
    let namespace = sub(3);
    let data = pattern(21, 8 * 512);
    let acting = Protect::NONE
        .action(true)
        .tags(BlockTags::reference(LBA))
        .application_tag(0xbeef, 0xffff);
    let write = Write::new(LBA.into(), 8);
    // No metadata is moved by the action.
    namespace.write(&write.protect(acting), &data).unwrap();
    let (mut memory, mut beside) = (Guarded::new(0, 8 * 512), Guarded::new(4, 8 * 8));
    let read = Read::new(LBA.into(), 8);
    namespace
        .read_with_metadata(&read, memory.bytes(), beside.bytes())
        .unwrap();
    memory.check();
    beside.check();
    assert!(memory.bytes() == data);
    assert!(beside.bytes() == tuples(&data, LBA, 0xbeef));

    let mut memory = Guarded::new(512, 8 * 512);
    let stripped = read.protect(all(0xbeef).action(true));
    namespace.read(&stripped, memory.bytes()).unwrap();
    memory.check();
    assert!(memory.bytes() == data);
    // A metadata buffer has no place there.
    let mut metadata = Guarded::new(0, 64);
    let mut memory = Guarded::new(0, 8 * 512);
    refused(&mut memory, |data| {
        namespace.read_with_metadata(&stripped, data, metadata.bytes())
    });
    metadata.untouched();
    namespace
        .execute(&Verify::new(LBA.into(), 8).protect(all(0xbeef)))
        .unwrap();
    let compare = Compare::new(LBA.into(), 8).protect(all(0xbeef));
    let tuples = tuples(&data, LBA, 0xbeef);
    namespace
        .write_with_metadata(&compare, &data, &tuples)
        .unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn each_part_of_a_tuple_is_checked_where_that_was_asked() {
    let namespace = sub(3);
    let data = pattern(22, 4 * 512);
    let good = tuples(&data, LBA, 0x1234);
    let (write, read) = (Write::new(LBA.into(), 4), Read::new(LBA.into(), 4));
    let checks = [
        Protect::NONE.check_guard(true),
        Protect::NONE.check_application(0x1234, 0xffff),
        Protect::NONE.check_reference(LBA),
    ];
    let expected = [
        StatusCode::GUARD_CHECK_ERROR,
        StatusCode::APPLICATION_TAG_CHECK_ERROR,
        StatusCode::REFERENCE_TAG_CHECK_ERROR,
    ];
    namespace
        .write_with_metadata(&write.protect(all(0x1234)), &data, &good)
        .unwrap();
    for (part, place) in [(0, 8), (1, 8 + 3), (2, 8 + 7)] {
        let mut bad = good.clone();
        bad[place] ^= 1;
        let refused = namespace.write_with_metadata(&write.protect(all(0x1234)), &data, &bad);
        assert_eq!(status(refused), expected[part]);
        // Unchecked it is written and read as it is.
        namespace.write_with_metadata(&write, &data, &bad).unwrap();
        let (mut memory, mut beside) = (Guarded::new(0, 4 * 512), Guarded::new(0, 4 * 8));
        namespace
            .read_with_metadata(&read, memory.bytes(), beside.bytes())
            .unwrap();
        assert!(memory.bytes() == data && beside.bytes() == bad);
        for (index, check) in checks.into_iter().enumerate() {
            let verified = namespace.execute(&Verify::new(LBA.into(), 4).protect(check));
            let (mut memory, mut beside) = (Guarded::new(0, 4 * 512), Guarded::new(0, 4 * 8));
            let checked =
                namespace.read_with_metadata(&read.protect(check), memory.bytes(), beside.bytes());
            memory.check();
            beside.check();
            if index == part {
                assert_eq!(status(checked), expected[part]);
                assert_eq!(status(verified), expected[part]);
            } else {
                checked.unwrap();
                verified.unwrap();
            }
        }
    }
    // Type 1: the reference tag is the block's address.
    let elsewhere = Protect::NONE.check_reference(LBA + 1);
    let wrong = namespace.execute(&Verify::new(LBA.into(), 4).protect(elsewhere));
    assert_eq!(status(wrong), StatusCode::INVALID_PROTECTION_INFORMATION);
    let acting = Protect::NONE.action(true).tags(BlockTags::reference(LBA));
    namespace.write(&write.protect(acting), &data).unwrap();
}

/// Metadata that is no protection information is the caller's affair.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn compare_looks_at_other_metadata_too() {
    let namespace = sub(4);
    let mut data = pattern(23, 4 * 528);
    namespace.write(&Write::new(64, 4), &data).unwrap();
    let compare = Compare::new(64, 4);
    namespace.write(&compare, &data).unwrap();
    for place in [512, 527, 3 * 528 + 520] {
        data[place] ^= 1;
        let differs = namespace.write(&compare, &data);
        assert_eq!(status(differs), StatusCode::COMPARE_FAILURE, "{place}");
        data[place] ^= 1;
    }
}

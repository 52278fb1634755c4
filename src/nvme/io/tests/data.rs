//! Commands with data of their own: dwords and bytes.

use crate::nvme::{Lengths, Nsid, Sqe, WithData, io::*};

/// The entry for the data that the command has.
fn entry(command: &impl WithData) -> Sqe {
    command.sqe(Lengths::data(command.data().len())).unwrap()
}

#[test]
fn dataset_management() {
    let first = DatasetRange::new(0x0102_0304_0506_0708, 0x1112_1314)
        .frequency(0xf5)
        .latency(0xfe)
        .sequential_read(true)
        .sequential_write(true)
        .write_prepare(true)
        .access_size(0x40);
    let command = DatasetManagement::new([first, DatasetRange::new(1, 2)]).unwrap();
    let trim = command.clone().deallocate(true);
    let expected = Sqe {
        cdw10: 1,
        cdw11: 4,
        ..Sqe::new(0x09)
    };
    assert_eq!(entry(&trim), expected);
    assert_eq!(entry(&command.clone().integral_read(true)).cdw11, 1);
    assert_eq!(entry(&command.integral_write(true)).cdw11, 2);
    assert_eq!(
        *trim.data(),
        [
            0x25, 0x07, 0, 0x40, 0x14, 0x13, 0x12, 0x11, 8, 7, 6, 5, 4, 3, 2, 1, //
            0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
        ]
    );
}

#[test]
fn dataset_management_has_1_to_256_ranges() {
    let range = DatasetRange::new(0, 1);
    assert_eq!(DatasetManagement::new([]), None);
    assert_eq!(DatasetManagement::new(std::iter::repeat(range)), None);
    let most = DatasetManagement::new([range; 256]).unwrap();
    assert_eq!((entry(&most).cdw10, most.data().len()), (255, 4096));
    assert_eq!(DatasetManagement::new([range; 257]), None);
}

fn copy_range() -> CopyRange {
    let tags = BlockTags::new(Guard::Bits32, 16, 0xa1a2, 0xb1b2_b3b4_b5b6_b7b8);
    let protect = Protect::NONE
        .tags(tags.unwrap())
        .application_tag(0xc1c2, 0xd1d2);
    CopyRange::new(0x0102_0304_0506_0708, 65536)
        .unwrap()
        .namespace(Nsid::new(0x2122_2324).unwrap())
        .fast_only(true)
        .tags(protect)
}

#[test]
fn copy_ranges_of_each_format() {
    let bytes = |format| {
        let command = CopyBlocks::new(0, format, [copy_range()]).unwrap();
        assert_eq!(entry(&command).cdw12 >> 8 & 0xf, format as u32);
        command.data().into_owned()
    };
    let slba = [8, 7, 6, 5, 4, 3, 2, 1];
    let same = [&[0; 8], &slba[..], &[0xff, 0xff, 0, 0, 0, 0, 0, 0]].concat();
    let nsid = [0x24, 0x23, 0x22, 0x21, 0, 0, 0, 0];
    let any = [&nsid, &slba[..], &[0xff, 0xff, 0, 0, 0, 0, 0, 0x80]].concat();
    let short = [0xb8, 0xb7, 0xb6, 0xb5, 0xc2, 0xc1, 0xd2, 0xd1];
    let long = [
        0, 0, 0xa1, 0xa2, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xc2, 0xc1, 0xd2, 0xd1,
    ];
    let joined = |begin: &[u8], end: &[u8]| [begin, end].concat();
    assert_eq!(bytes(CopyFormat::Same), joined(&same, &short));
    assert_eq!(bytes(CopyFormat::SameWideTags), joined(&same, &long));
    assert_eq!(bytes(CopyFormat::Any), joined(&any, &short));
    assert_eq!(bytes(CopyFormat::AnyWideTags), joined(&any, &long));
}

#[test]
fn copy() {
    let plain =
        CopyBlocks::new(0x0102_0304_0506_0708, CopyFormat::Same, [copy_range(); 3]).unwrap();
    let expected = Sqe {
        cdw10: 0x0506_0708,
        cdw11: 0x0102_0304,
        cdw12: 2,
        ..Sqe::new(0x19)
    };
    assert_eq!(entry(&plain), expected);
    let write = Protect::NONE
        .check_guard(true)
        .application_tag(0x1111, 0x2222)
        .tags(BlockTags::reference(0x3333));
    let all = plain
        .clone()
        .fua(true)
        .limited_retry(true)
        .directive(Directive::placement(0x4444))
        .protect_read(Protect::NONE.action(true).check_storage(true))
        .protect_write(write);
    let expected = Sqe {
        cdw12: 0xd220_8002,
        cdw13: 0x4444_0000,
        cdw14: 0x3333,
        cdw15: 0x2222_1111,
        ..expected
    };
    assert_eq!(entry(&all), expected);
    let stored = plain.protect_write(Protect::NONE.check_storage(true));
    assert_eq!(entry(&stored).cdw12, 0x0100_0002);
}

#[test]
fn copy_has_1_to_256_ranges_of_1_to_65536_blocks() {
    assert_eq!(CopyRange::new(0, 0), None);
    assert_eq!(CopyRange::new(0, 65537), None);
    let range = CopyRange::new(0, 1).unwrap();
    assert_eq!(CopyBlocks::new(0, CopyFormat::Same, []), None);
    let most = CopyBlocks::new(0, CopyFormat::AnyWideTags, [range; 256]).unwrap();
    assert_eq!((entry(&most).cdw12, most.data().len()), (0x3ff, 10240));
    assert_eq!(CopyBlocks::new(0, CopyFormat::Same, [range; 257]), None);
}

#[test]
fn reservations() {
    let keys = [
        8, 7, 6, 5, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,
    ];
    let (first, second) = (0x0102_0304_0506_0708, 0x1112_1314_1516_1718);
    macro_rules! check {
        ($command:expr, $opcode:expr, $cdw10:expr, $bytes:expr) => {
            let expected = Sqe {
                cdw10: $cdw10,
                ..Sqe::new($opcode)
            };
            assert_eq!(entry(&$command), expected);
            assert_eq!(*$command.data(), *$bytes);
        };
    }
    let register = ReservationRegister::replace(first, second);
    check!(register, 0x0d, 2, &keys);
    check!(register.ignore_existing_key(true), 0x0d, 0x0a, &keys);
    let keep = register.keep_through_power_loss(KeepThroughPowerLoss::Yes);
    check!(keep, 0x0d, 0xc000_0002, &keys);
    let lose = keep.keep_through_power_loss(KeepThroughPowerLoss::No);
    check!(lose, 0x0d, 0x8000_0002, &keys);
    let (low, high) = keys.split_at(8);
    let new = ReservationRegister::register(first);
    check!(new, 0x0d, 0, [&[0; 8], low].concat());
    let gone = ReservationRegister::unregister(first);
    check!(gone, 0x0d, 1, [low, &[0; 8]].concat());

    let kind = ReservationType::EXCLUSIVE_ACCESS_REGISTRANTS_ONLY;
    let acquire = ReservationAcquire::acquire(second, kind);
    check!(acquire, 0x11, 0x400, [high, &[0; 8]].concat());
    let preempt = ReservationAcquire::preempt(first, second, kind);
    check!(preempt, 0x11, 0x401, &keys);
    let abort = ReservationAcquire::preempt_and_abort(first, second, kind);
    check!(abort, 0x11, 0x402, &keys);

    check!(ReservationRelease::release(first, kind), 0x15, 0x400, low);
    check!(ReservationRelease::clear(first), 0x15, 1, low);
}

#[test]
fn reclaim_unit_handle_update() {
    assert_eq!(ReclaimUnitHandleUpdate::new([]), None);
    let update = ReclaimUnitHandleUpdate::new([0x0102, 0x0304, 5]).unwrap();
    let expected = Sqe {
        cdw10: 0x0002_0001,
        ..Sqe::new(0x1d)
    };
    assert_eq!(entry(&update), expected);
    assert_eq!(*update.data(), [2, 1, 4, 3, 5, 0]);
    let most = ReclaimUnitHandleUpdate::new((0..65536).map(|_| 7)).unwrap();
    assert_eq!(entry(&most).cdw10, 0xffff_0001);
    assert_eq!(ReclaimUnitHandleUpdate::new((0..65537).map(|_| 7)), None);
}

#[test]
fn zone_descriptor_extension() {
    let command = SetZoneDescriptorExtension::new(0x0102_0304_0506_0708, &[1, 2, 3]).unwrap();
    let expected = Sqe {
        cdw10: 0x0506_0708,
        cdw11: 0x0102_0304,
        cdw13: 0x10,
        ..Sqe::new(0x79)
    };
    assert_eq!(entry(&command), expected);
    assert_eq!(command.data().len(), 16320);
    assert!(command.data().starts_with(&[1, 2, 3, 0]));
    assert!(SetZoneDescriptorExtension::new(0, &[0; 16320]).is_some());
    assert_eq!(SetZoneDescriptorExtension::new(0, &[0; 16321]), None);
}

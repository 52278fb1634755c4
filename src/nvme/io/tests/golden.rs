//! Command dwords of the commands that move blocks or nothing.

use crate::nvme::{Command, Format, Lengths, Query, Sqe, io::*};

const BLOCKS: Lengths = Lengths {
    data: 8 * 512,
    metadata: 0,
    format: Some(Format::new(512)),
};
const NOTHING: Lengths = Lengths::data(0);

/// A command on 8 blocks from this one on.
const SLBA: u64 = 0x0102_0304_0506_0708;

fn entry(opcode: u8, cdw12: u32) -> Sqe {
    Sqe {
        cdw10: 0x0506_0708,
        cdw11: 0x0102_0304,
        cdw12,
        ..Sqe::new(opcode)
    }
}

/// All that can be said of protection information.
fn all_protect() -> Protect {
    let tags = BlockTags::new(Guard::Bits32, 16, 0xa1a2, 0xb1b2_b3b4_b5b6_b7b8);
    Protect::NONE
        .action(true)
        .check_guard(true)
        .check_application(0xc1c2, 0xd1d2)
        .check_tags(tags.unwrap())
}

fn with_tags(sqe: Sqe) -> Sqe {
    Sqe {
        cdw2: 0xa1a2,
        cdw3: 0xb1b2_b3b4,
        cdw14: 0xb5b6_b7b8,
        cdw15: 0xd1d2_c1c2,
        ..sqe
    }
}

#[test]
fn plain() {
    let entries = [
        (Read::new(SLBA, 8).sqe(BLOCKS), 0x02),
        (Write::new(SLBA, 8).sqe(BLOCKS), 0x01),
        (Compare::new(SLBA, 8).sqe(BLOCKS), 0x05),
        (ZoneAppend::new(SLBA, 8).sqe(BLOCKS), 0x7d),
        (Verify::new(SLBA, 8).sqe(NOTHING), 0x0c),
        (WriteZeroes::new(SLBA, 8).sqe(NOTHING), 0x08),
        (WriteUncorrectable::new(SLBA, 8).sqe(NOTHING), 0x04),
    ];
    for (sqe, opcode) in entries {
        assert_eq!(sqe.unwrap(), entry(opcode, 7));
    }
    assert_eq!(Flush.sqe(NOTHING).unwrap(), Sqe::new(0x00));
}

#[test]
fn every_option() {
    let protect = all_protect();
    let hints = Hints::NONE
        .frequency(5)
        .latency(Hints::LOW_LATENCY)
        .sequential(true)
        .incompressible(true);
    let directive = Directive::stream(0xe1e2);
    let read = Read::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect)
        .hints(hints);
    let expected = with_tags(entry(0x02, 0xfd00_0007));
    assert_eq!(
        read.sqe(BLOCKS).unwrap(),
        Sqe {
            cdw13: 0xf5,
            ..expected
        }
    );
    let write = Write::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect)
        .hints(hints)
        .directive(directive);
    let expected = with_tags(entry(0x01, 0xfd10_0007));
    assert_eq!(
        write.sqe(BLOCKS).unwrap(),
        Sqe {
            cdw13: 0xe1e2_00f5,
            ..expected
        }
    );
    let append = ZoneAppend::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect)
        .remap_protection(true)
        .directive(Directive::placement(0xe1e2));
    let expected = with_tags(entry(0x7d, 0xff20_0007));
    assert_eq!(
        append.sqe(BLOCKS).unwrap(),
        Sqe {
            cdw13: 0xe1e2_0000,
            ..expected
        }
    );
    let compare = Compare::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect);
    let expected = with_tags(entry(0x05, 0xfd00_0007));
    assert_eq!(compare.sqe(BLOCKS).unwrap(), expected);
    let verify = Verify::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect);
    let expected = with_tags(entry(0x0c, 0xfd00_0007));
    assert_eq!(verify.sqe(NOTHING).unwrap(), expected);
    let zeroes = WriteZeroes::new(SLBA, 8)
        .fua(true)
        .limited_retry(true)
        .protect(protect)
        .deallocate(true);
    let expected = with_tags(entry(0x08, 0xff00_0007));
    assert_eq!(zeroes.sqe(NOTHING).unwrap(), expected);
}

#[test]
fn each_option_has_its_own_bits() {
    let read = Read::new(0, 1);
    let cases = [
        (read.limited_retry(true), 1 << 31),
        (read.fua(true), 1 << 30),
        (read.protect(Protect::NONE.action(true)), 1 << 29),
        (read.protect(Protect::NONE.check_guard(true)), 1 << 28),
        (read.protect(Protect::NONE.check_application(0, 0)), 1 << 27),
        (read.protect(Protect::NONE.check_reference(0)), 1 << 26),
        (read.protect(Protect::NONE.check_storage(true)), 1 << 24),
        (read.fua(true).fua(false), 0),
        (read.protect(Protect::NONE.action(true).action(false)), 0),
    ];
    let lengths = Lengths {
        data: 512,
        ..BLOCKS
    };
    for (command, cdw12) in cases {
        let expected = Sqe {
            cdw12,
            ..Sqe::new(0x02)
        };
        assert_eq!(command.sqe(lengths).unwrap(), expected);
    }
    let hints = [
        (Hints::NONE.frequency(0xff), 0x0f),
        (Hints::NONE.latency(0xff), 0x30),
        (Hints::NONE.sequential(true), 0x40),
        (Hints::NONE.incompressible(true), 0x80),
        (
            Hints::NONE.frequency(9).frequency(2).latency(3).latency(1),
            0x12,
        ),
    ];
    for (hints, bits) in hints {
        assert_eq!(hints.bits(), bits);
    }
    let write = Write::new(0, 1).directive(Directive::new(0xf3, 0x1234));
    let sqe = write.sqe(lengths).unwrap();
    assert_eq!((sqe.cdw12, sqe.cdw13), (0x0030_0000, 0x1234_0000));
}

#[test]
fn tags_of_each_width() {
    let dwords = |tags: BlockTags| {
        let read = Read::new(0, 8).protect(Protect::NONE.tags(tags));
        let sqe = read.sqe(BLOCKS).unwrap();
        (sqe.cdw2, sqe.cdw3, sqe.cdw14)
    };
    let reference = BlockTags::reference(0x1122_3344);
    assert_eq!(dwords(reference), (0, 0, 0x1122_3344));
    let narrow = BlockTags::new(Guard::Bits16, 8, 0xaa, 0x11_2233);
    assert_eq!(dwords(narrow.unwrap()), (0, 0, 0xaa11_2233));
    let middle = BlockTags::new(Guard::Bits64, 8, 0xaa, 1 << 40);
    assert_eq!(middle, None, "40 bits are left");
    let middle = BlockTags::new(Guard::Bits64, 8, 0xaa, 0x11_2233_4455);
    assert_eq!(dwords(middle.unwrap()), (0, 0xaa11, 0x2233_4455));
    let wide = BlockTags::new(Guard::Bits32, 64, 0xa1a2_a3a4_a5a6_a7a8, 0xb1b2);
    assert_eq!(dwords(wide.unwrap()), (0xa1a2, 0xa3a4_a5a6, 0xa7a8_b1b2));
    assert_eq!(BlockTags::new(Guard::Bits16, 33, 0, 0), None);
    assert_eq!(BlockTags::new(Guard::Bits16, 32, 0, 1), None);
    assert_eq!(BlockTags::new(Guard::Bits16, 0, 1, 0), None);
}

#[test]
fn zone_management_send() {
    let actions = [
        (ZoneAction::Close, 0x01),
        (ZoneAction::Finish, 0x02),
        (ZoneAction::Open, 0x03),
        (ZoneAction::Reset, 0x04),
        (ZoneAction::Offline, 0x05),
        (ZoneAction::FlushRandomWriteArea, 0x11),
    ];
    for (action, cdw13) in actions {
        let sqe = ZoneManagementSend::new(action, SLBA).sqe(NOTHING).unwrap();
        let expected = entry(0x79, 0);
        assert_eq!(sqe, Sqe { cdw13, ..expected });
        let sqe = ZoneManagementSend::all(action).sqe(NOTHING).unwrap();
        let cdw13 = cdw13 | 0x100;
        let expected = Sqe::new(0x79);
        assert_eq!(sqe, Sqe { cdw13, ..expected });
    }
    let open = ZoneManagementSend::new(ZoneAction::Open, 0).random_write_area(true);
    assert_eq!(open.sqe(NOTHING).unwrap().cdw13, 0x203);
}

#[test]
fn queries() {
    let zones = ReportZones::new(SLBA, 3);
    assert_eq!(zones.reply_length(), 64 + 3 * 64);
    let expected = Sqe {
        cdw13: 0x0001_0000,
        ..entry(0x7a, 63)
    };
    assert_eq!(zones.sqe(Lengths::data(256)).unwrap(), expected);
    let zones = zones.filter(ZoneFilter::Offline).partial(false).extended(2);
    assert_eq!(zones.reply_length(), 64 + 3 * 192);
    let expected = Sqe {
        cdw13: 0x0000_0701,
        ..entry(0x7a, 159)
    };
    assert_eq!(zones.sqe(Lengths::data(640)).unwrap(), expected);

    let report = ReservationReport::new(2);
    assert_eq!(report.reply_length(), 24 + 2 * 24);
    let expected = Sqe {
        cdw10: 17,
        ..Sqe::new(0x0e)
    };
    assert_eq!(report.sqe(Lengths::data(72)).unwrap(), expected);
    let report = report.extended(true);
    assert_eq!(report.reply_length(), 64 + 2 * 64);
    let expected = Sqe {
        cdw10: 47,
        cdw11: 1,
        ..Sqe::new(0x0e)
    };
    assert_eq!(report.sqe(Lengths::data(192)).unwrap(), expected);

    let status = ReclaimUnitHandleStatus::new(4);
    assert_eq!(status.reply_length(), 16 + 4 * 32);
    let expected = Sqe {
        cdw10: 1,
        cdw11: 35,
        ..Sqe::new(0x12)
    };
    assert_eq!(status.sqe(Lengths::data(144)).unwrap(), expected);
}

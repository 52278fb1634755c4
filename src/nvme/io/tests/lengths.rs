//! What a command moves and what it says it moves agree.

use proptest::prelude::*;

use crate::nvme::{
    Command, Format, LengthMismatch, Lengths, NoData, Protection, Sqe, WithData, io::*,
};

fn protection(size: u16) -> Option<Protection> {
    Some(Protection {
        kind: 1,
        size,
        first: false,
    })
}

/// Bytes of the data buffer and of the metadata buffer.
type Both = (usize, usize);

/// What a block takes, plainly and with PRACT.
fn formats() -> Vec<(Format, Both, Both)> {
    let base = Format::new(512);
    let (separate, extended) = (base.metadata(8, false), base.metadata(16, true));
    vec![
        (base, (512, 0), (512, 0)),
        (Format::new(4096), (4096, 0), (4096, 0)),
        // Metadata that is none of the controller's business.
        (separate, (512, 8), (512, 8)),
        (extended, (528, 0), (528, 0)),
        // Nothing but protection information.
        (separate.protection(protection(8)), (512, 8), (512, 0)),
        (extended.protection(protection(16)), (528, 0), (512, 0)),
        // More than that.
        (extended.protection(protection(8)), (528, 0), (528, 0)),
        (
            Format::new(4096)
                .metadata(64, false)
                .protection(protection(16)),
            (4096, 64),
            (4096, 64),
        ),
    ]
}

/// The entries of the commands that move blocks.
fn movers(blocks: u32, pract: bool, lengths: Lengths) -> [Result<Sqe, LengthMismatch>; 4] {
    let protect = Protect::NONE.action(pract);
    [
        Read::new(0, blocks).protect(protect).sqe(lengths),
        Write::new(0, blocks).protect(protect).sqe(lengths),
        Compare::new(0, blocks).protect(protect).sqe(lengths),
        ZoneAppend::new(0, blocks).protect(protect).sqe(lengths),
    ]
}

#[test]
fn the_movers_take_their_lengths_from_the_format() {
    const { assert!(Read::BY_FORMAT && Write::BY_FORMAT) };
    const { assert!(Compare::BY_FORMAT && ZoneAppend::BY_FORMAT) };
    let unknown = Lengths::data(512);
    for sqe in movers(1, false, unknown) {
        assert_eq!(sqe, Err(LengthMismatch::NoFormat));
    }
    for blocks in [0, 65537, u32::MAX] {
        for sqe in movers(blocks, true, unknown) {
            assert_eq!(sqe, Err(LengthMismatch::Blocks { blocks }));
        }
        for sqe in [
            Verify::new(0, blocks).sqe(Lengths::data(0)),
            WriteZeroes::new(0, blocks).sqe(Lengths::data(0)),
            WriteUncorrectable::new(0, blocks).sqe(Lengths::data(0)),
        ] {
            assert_eq!(sqe, Err(LengthMismatch::Blocks { blocks }));
        }
    }
}

proptest! {
    /// Whatever the lengths: an entry moves exactly them, or there is none.
    #[test]
    fn an_entry_moves_what_the_lengths_say(
        which in 0..8_usize,
        pract: bool,
        blocks in prop_oneof![1..=4_u32, 1..=65536_u32, Just(65536)],
        data_off in prop_oneof![3 => Just(0_isize), 1 => -600..600_isize],
        metadata_off in prop_oneof![3 => Just(0_isize), 1 => -64..64_isize],
    ) {
        let (format, plain, acting) = formats()[which];
        let (data, metadata) = if pract { acting } else { plain };
        let (data, metadata) = (data * blocks as usize, metadata * blocks as usize);
        let lengths = Lengths {
            data: data.saturating_add_signed(data_off),
            metadata: metadata.saturating_add_signed(metadata_off),
            format: Some(format),
        };
        let fits = lengths.data == data && lengths.metadata == metadata;
        for sqe in movers(blocks, pract, lengths) {
            prop_assert_eq!(sqe.is_ok(), fits, "{:?} {:?}", sqe, lengths);
            if let Ok(sqe) = sqe {
                prop_assert_eq!((sqe.cdw12 & 0xffff) + 1, blocks);
                prop_assert_eq!(sqe.cdw12 >> 29 & 1 == 1, pract);
            }
        }
    }

    /// A report's count of dwords is the buffer's length.
    #[test]
    fn a_report_is_as_long_as_the_buffer(
        len in prop_oneof![0..64_usize, 0..200_000_usize],
        metadata in prop_oneof![3 => Just(0_usize), 1 => 1..64_usize],
    ) {
        let lengths = Lengths { metadata, ..Lengths::data(len) };
        let counts = [
            ReportZones::new(0, 1).sqe(lengths).map(|sqe| sqe.cdw12),
            ReservationReport::new(1).sqe(lengths).map(|sqe| sqe.cdw10),
            ReclaimUnitHandleStatus::new(1).sqe(lengths).map(|sqe| sqe.cdw11),
        ];
        for count in counts {
            prop_assert_eq!(count.is_ok(), len >= 4 && len % 4 == 0 && metadata == 0);
            if let Ok(count) = count {
                prop_assert_eq!((count as usize + 1) * 4, len);
            }
        }
    }

    #[test]
    fn pieces_are_all_of_it_in_order(
        which in 0..8_usize,
        slba in 0..u64::MAX / 2,
        blocks in prop_oneof![0..100_u64, 0..3_000_000_u64],
        most in prop_oneof![0..10_000_usize, 0..(1_usize << 30)],
    ) {
        let (format, _, _) = formats()[which];
        let (mut at, mut left) = (slba, blocks);
        for piece in split(slba, blocks, &format, most).take(5000) {
            prop_assert_eq!(piece.slba, at);
            prop_assert!((1..=65536).contains(&piece.blocks));
            let len = format.data_len(piece.blocks);
            prop_assert!(len <= most as u64 || piece.blocks == 1);
            at += u64::from(piece.blocks);
            left -= u64::from(piece.blocks);
            // None of them could have been larger, but the last.
            let longer = format.data_len(piece.blocks + 1);
            prop_assert!(left == 0 || piece.blocks == 65536 || longer > most as u64);
        }
    }
}

#[test]
fn pieces_at_the_end_of_what_can_be_named() {
    let format = Format::new(512);
    assert_eq!(split(0, 0, &format, 4096).next(), None);
    let all: Vec<_> = split(u64::MAX - 3, 20, &format, 4096).collect();
    let slbas: Vec<_> = all.iter().map(|piece| piece.slba).collect();
    assert_eq!(slbas, [u64::MAX - 3, u64::MAX, u64::MAX]);
}

fn moves_nothing(command: &impl NoData) {
    assert!(command.sqe(Lengths::data(0)).is_ok());
    for (data, metadata) in [(1, 0), (0, 1), (4096, 0)] {
        let lengths = Lengths {
            data,
            metadata,
            format: Some(Format::new(512)),
        };
        command.sqe(lengths).unwrap_err();
    }
}

#[test]
fn what_moves_nothing_takes_no_buffer() {
    moves_nothing(&Verify::new(0, 1));
    moves_nothing(&WriteZeroes::new(0, 65536));
    moves_nothing(&WriteUncorrectable::new(0, 1));
    moves_nothing(&Flush);
    moves_nothing(&ZoneManagementSend::all(ZoneAction::Reset));
}

fn moves_its_own(command: &impl WithData) {
    let own = command.data().len();
    for len in (0..own + 40).chain([4096, 16320, 16384]) {
        let sqe = command.sqe(Lengths::data(len));
        assert_eq!(sqe.is_ok(), len == own, "{len}");
        let lengths = Lengths {
            metadata: 8,
            ..Lengths::data(len)
        };
        command.sqe(lengths).unwrap_err();
    }
}

#[test]
fn what_has_data_moves_it_and_no_more() {
    let range = CopyRange::new(0, 1).unwrap();
    for count in [1, 2, 9] {
        let ranges = vec![DatasetRange::new(0, 1); count];
        moves_its_own(&DatasetManagement::new(ranges).unwrap());
        moves_its_own(&CopyBlocks::new(0, CopyFormat::Any, vec![range; count]).unwrap());
        moves_its_own(&CopyBlocks::new(0, CopyFormat::AnyWideTags, vec![range; count]).unwrap());
        moves_its_own(&ReclaimUnitHandleUpdate::new(vec![1; count]).unwrap());
    }
    moves_its_own(&ReservationRegister::register(1));
    moves_its_own(&ReservationAcquire::acquire(1, ReservationType(1)));
    moves_its_own(&ReservationRelease::clear(1));
    moves_its_own(&SetZoneDescriptorExtension::new(0, &[]).unwrap());
}

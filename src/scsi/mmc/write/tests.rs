use proptest::prelude::*;

use super::*;
use crate::scsi::{Command, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes};

mod data;

fn cdb(command: &impl Command, len: usize) -> Vec<u8> {
    command.cdb_for(len).unwrap().as_bytes().to_vec()
}

#[test]
fn blank() {
    let tail = Blank::new(BlankType::new(7).unwrap()).address(0x0102_0304);
    assert_eq!(cdb(&tail, 0), [0xa1, 7, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0]);
    assert_eq!(cdb(&tail.immediate(true), 0)[1], 0x17);
    assert_eq!(
        cdb(&Blank::new(BlankType::DISC), 0),
        [0xa1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    );
    assert_eq!(cdb(&Blank::new(BlankType::SESSION), 0)[1], 6);
    let disc = Blank::new(BlankType::DISC).immediate(true);
    assert_eq!(cdb(&disc, 0)[1], 0x10);
}

/// A value that is cut to its bits would erase or close something else.
#[test]
fn values_that_have_no_room_in_their_field() {
    for value in 0..=255 {
        let three = BlankType::new(value).map(BlankType::get);
        assert_eq!(three, (value < 8).then_some(value));
        let three = CloseFunction::new(value).map(CloseFunction::get);
        assert_eq!(three, (value < 8).then_some(value));
        let six = FormatType::new(value).map(FormatType::get);
        assert_eq!(six, (value < 64).then_some(value));
    }
}

#[test]
fn close() {
    let track = CloseTrackSession::track(0x0304).immediate(true);
    assert_eq!(cdb(&track, 0), [0x5b, 1, 1, 0, 3, 4, 0, 0, 0, 0]);
    let session = CloseTrackSession::session();
    assert_eq!(cdb(&session, 0), [0x5b, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    let other = CloseTrackSession::new(CloseFunction::new(6).unwrap());
    assert_eq!(cdb(&other, 0)[2], 6);
}

#[test]
fn reserve() {
    assert_eq!(
        cdb(&ReserveTrack::blocks(0x0102_0304), 0),
        [0x53, 0, 0, 0, 0, 1, 2, 3, 4, 0]
    );
    assert_eq!(
        cdb(&ReserveTrack::address(0x0102_0304).rmz(true), 0),
        [0x53, 3, 1, 2, 3, 4, 0, 0, 0, 0]
    );
    assert_eq!(cdb(&ReserveTrack::blocks(0).rmz(true), 0)[1], 2);
}

#[test]
fn cue_sheets_and_calibration() {
    assert_eq!(
        cdb(&SendCueSheet, 0x01_0208),
        [0x5d, 0, 0, 0, 0, 0, 1, 2, 8, 0]
    );
    assert_eq!(cdb(&SendCueSheet, 8)[6..9], [0, 0, 8]);
    assert_eq!(
        SendCueSheet.cdb_for(0),
        Err(LengthMismatch::TooShort { len: 0, min: 8 })
    );
    assert_eq!(
        SendCueSheet.cdb_for(12),
        Err(LengthMismatch::Unit {
            len: 12,
            block_length: 8
        })
    );
    assert!(SendCueSheet.cdb_for(0xff_fff8).is_ok());
    assert_eq!(
        SendCueSheet.cdb_for(0x0100_0000),
        Err(LengthMismatch::TooLong {
            len: 0x0100_0000,
            max: 0x00ff_ffff
        })
    );
    let plain = SendOpc::default();
    assert_eq!(cdb(&plain, 0), [0x54, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(cdb(&plain.exclude_layer(0), 0)[1..3], [1, 1]);
    assert_eq!(cdb(&plain.exclude_layer(1), 0)[1..3], [1, 2]);
    assert_eq!(cdb(&plain.exclude_layer(0).exclude_layer(0xff), 0)[2], 3);
    assert_eq!(
        cdb(&SendOpcValues, 0x0108),
        [0x54, 0, 0, 0, 0, 0, 0, 1, 8, 0]
    );
    assert_eq!(
        SendOpcValues.cdb_for(9),
        Err(LengthMismatch::Unit {
            len: 9,
            block_length: 8
        })
    );
    assert_eq!(
        SendOpcValues.cdb_for(0),
        Err(LengthMismatch::TooShort { len: 0, min: 8 })
    );
}

#[test]
fn format() {
    assert_eq!(cdb(&FormatMedium::new(), 12), [4, 0x11, 0, 0, 0, 0]);
    let complete = FormatMedium::default().complete_list(true);
    assert_eq!(cdb(&complete, 12), [4, 0x19, 0, 0, 0, 0]);
    assert_eq!(
        complete.cdb_for(0),
        Err(LengthMismatch::Exact {
            len: 0,
            expected: 12
        })
    );
    let capacities = ReadFormatCapacities::default();
    assert_eq!(cdb(&capacities, 0x0102), [0x23, 0, 0, 0, 0, 0, 0, 1, 2, 0]);
    assert_eq!(capacities.reply_length(), 252);
    assert_eq!(capacities.allocation_length(12).reply_length(), 12);
    assert_eq!(
        capacities.cdb_for(3),
        Err(LengthMismatch::TooShort { len: 3, min: 4 })
    );
}

#[test]
fn data_where_there_is_none_is_refused() {
    let none = Err(LengthMismatch::Exact {
        len: 1,
        expected: 0,
    });
    assert_eq!(Blank::new(BlankType::DISC).cdb_for(1), none);
    assert_eq!(CloseTrackSession::session().cdb_for(1), none);
    assert_eq!(ReserveTrack::blocks(1).cdb_for(1), none);
    assert_eq!(ReserveTrack::address(1).cdb_for(1), none);
    assert_eq!(SendOpc::new().cdb_for(1), none);
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..=300),
        asked in 4_u16..400,
    ) {
        let command = ReadFormatCapacities::new().allocation_length(asked);
        let capacities = command.parse(ReplyBytes::borrowed(&bytes));
        prop_assert_eq!(capacities.is_ok(), bytes.len() >= 4);
        if let Ok(it) = capacities {
            let all: Vec<_> = it.formattable().collect();
            let lengths = (it.needed_length(), it.length_field_lies());
            let _ = format!("{all:?} {:?} {lengths:?}", it.current());
            prop_assert!(all.len() * 8 + 4 <= bytes.len());
        }
    }
}

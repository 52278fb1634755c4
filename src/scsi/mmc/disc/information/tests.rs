use proptest::prelude::*;

use super::*;
use crate::scsi::LengthLie;

/// A CD-RW with two sessions, and all of the flags.
fn rewritable() -> Vec<u8> {
    let mut bytes = vec![0; 34];
    bytes[..12].copy_from_slice(&[0, 48, 0x1d, 1, 2, 3, 4, 0xf6, 0x20, 1, 2, 3]);
    bytes[12..16].copy_from_slice(&[0x12, 0x34, 0x56, 0x78]);
    bytes[16..20].copy_from_slice(&[0, 97, 27, 0]);
    bytes[20..24].copy_from_slice(&[0, 79, 59, 74]);
    bytes[24..32].copy_from_slice(b"BAR CODE");
    bytes[32..].copy_from_slice(&[0x55, 2]);
    bytes.extend([
        0x1b, 0x90, 1, 2, 3, 4, 5, 6, 0x04, 0x00, 7, 8, 9, 10, 11, 12,
    ]);
    bytes
}

fn standard(bytes: &[u8]) -> DiscInformation<'_> {
    ReadDiscInformation::standard()
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

#[test]
fn cdb_bytes() {
    let bytes = |cdb: Result<Cdb, LengthMismatch>| cdb.unwrap().as_bytes().to_vec();
    assert_eq!(
        bytes(ReadDiscInformation::standard().cdb_for(0x1234)),
        [0x51, 0, 0, 0, 0, 0, 0, 0x12, 0x34, 0]
    );
    assert_eq!(
        bytes(ReadDiscInformation::track_resources().cdb_for(12)),
        [0x51, 1, 0, 0, 0, 0, 0, 0, 12, 0]
    );
    assert_eq!(
        bytes(ReadDiscInformation::pow_resources().cdb_for(16)),
        [0x51, 2, 0, 0, 0, 0, 0, 0, 16, 0]
    );
    assert_eq!(
        ReadDiscInformation::standard().cdb_for(3),
        Err(LengthMismatch::TooShort { len: 3, min: 4 })
    );
    assert!(ReadDiscInformation::standard().cdb_for(65_536).is_err());
    assert_eq!(ReadDiscInformation::standard().reply_length(), 34 + 16 * 8);
    assert_eq!(ReadDiscInformation::track_resources().reply_length(), 12);
    assert_eq!(ReadDiscInformation::pow_resources().reply_length(), 16);
    let short = ReadDiscInformation::standard().allocation_length(34);
    assert_eq!(short.reply_length(), 34);
}

#[test]
fn every_field() {
    let bytes = rewritable();
    let disc = standard(&bytes);
    assert_eq!(disc.is_erasable(), Some(true));
    assert_eq!(disc.last_session_status(), Some(SessionStatus::COMPLETE));
    assert_eq!(disc.status(), Some(DiscStatus::INCOMPLETE));
    assert_eq!(disc.first_track(), Some(1));
    assert_eq!(disc.sessions(), Some(0x0102));
    assert_eq!(disc.first_track_of_last_session(), Some(0x0203));
    assert_eq!(disc.last_track(), Some(0x0304));
    assert_eq!(disc.is_unrestricted(), Some(true));
    assert_eq!(disc.is_dirty(), Some(true));
    assert_eq!(disc.background_format(), Some(BackgroundFormat::RUNNING));
    assert_eq!(disc.disc_type(), Some(DiscType::CD_ROM_XA));
    assert_eq!(disc.identification(), Some(0x1234_5678));
    assert_eq!(disc.last_session_lead_in(), Some([0, 97, 27, 0]));
    assert_eq!(disc.last_possible_lead_out(), Some([0, 79, 59, 74]));
    assert_eq!(disc.bar_code(), Some(*b"BAR CODE"));
    assert_eq!(disc.application_code(), Some(0x55));
    let calibrations: Vec<_> = disc.calibrations().collect();
    assert_eq!(
        calibrations,
        [
            OpcEntry {
                speed: 0x1b90,
                values: [1, 2, 3, 4, 5, 6]
            },
            OpcEntry {
                speed: 0x0400,
                values: [7, 8, 9, 10, 11, 12]
            },
        ]
    );
    assert_eq!(disc.reply().length_field_lies(), None);
}

#[test]
fn fields_that_are_not_valid_are_none() {
    let mut bytes = rewritable();
    bytes[2] = 0;
    bytes[7] = 0;
    bytes[33] = 1;
    let disc = standard(&bytes);
    assert_eq!((disc.identification(), disc.bar_code()), (None, None));
    assert_eq!(disc.application_code(), None);
    assert_eq!(
        (disc.is_erasable(), disc.is_unrestricted()),
        (Some(false), Some(false))
    );
    assert_eq!(disc.is_dirty(), Some(false));
    assert_eq!(disc.status(), Some(DiscStatus::EMPTY));
    assert_eq!(disc.calibrations().count(), 1);
    // One bit for one field.
    for (bit, valid) in [(0x80, [1, 0, 0]), (0x40, [0, 1, 0]), (0x10, [0, 0, 1])] {
        bytes[7] = bit;
        let disc = standard(&bytes);
        let found = [
            disc.identification().is_some(),
            disc.bar_code().is_some(),
            disc.application_code().is_some(),
        ];
        assert_eq!(found.map(u8::from), valid);
    }
}

#[test]
fn replies_that_end_early() {
    let bytes = rewritable();
    let disc = standard(&bytes[..9]);
    // Their upper bytes did not come, though the reply has them.
    assert_eq!(
        (
            disc.sessions(),
            disc.first_track_of_last_session(),
            disc.last_track()
        ),
        (None, None, None)
    );
    let mut short = bytes.clone();
    short[1] = 7;
    assert_eq!(standard(&short[..9]).sessions(), Some(2), "it has none");
    assert_eq!(disc.disc_type(), Some(DiscType::CD_ROM_XA));
    assert_eq!(
        (disc.identification(), disc.last_session_lead_in()),
        (None, None)
    );
    assert_eq!(disc.calibrations().count(), 0);
    let lie = LengthLie::TooHigh {
        claimed: 50,
        arrived: 9,
    };
    assert_eq!(disc.reply().length_field_lies(), Some(lie));
    let cut = standard(&bytes[..45]);
    assert_eq!(cut.calibrations().count(), 1);
    let four = standard(&[0, 2, 2, 1]);
    assert_eq!(
        (four.status(), four.sessions()),
        (Some(DiscStatus::FINALIZED), None)
    );
    assert_eq!((four.is_dirty(), four.disc_type()), (None, None));
    assert_eq!((four.first_track(), four.last_track()), (Some(1), None));
    assert_eq!(
        ReadDiscInformation::standard().parse(ReplyBytes::borrowed(&[0, 2, 2])),
        Err(Malformed::Short { need: 4, got: 3 })
    );
    let low = standard(&[0; 34]);
    assert!(matches!(
        low.reply().length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 2,
            arrived: 34
        })
    ));
}

#[test]
fn resources() {
    let bytes = [0, 10, 0x20, 0, 0, 99, 0, 2, 0, 98, 1, 1];
    let tracks = ReadDiscInformation::track_resources()
        .parse(ReplyBytes::borrowed(&bytes))
        .unwrap();
    assert_eq!((tracks.max_tracks(), tracks.tracks()), (Some(99), Some(2)));
    assert_eq!(tracks.max_appendable_tracks(), Some(98));
    assert_eq!(tracks.appendable_tracks(), Some(0x101));
    assert_eq!(tracks.reply().length_field_lies(), None);
    let short = ReadDiscInformation::track_resources()
        .parse(ReplyBytes::borrowed(&bytes[..7]))
        .unwrap();
    assert_eq!((short.max_tracks(), short.tracks()), (Some(99), None));
    let bytes = [0, 14, 0x40, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0];
    let pow = ReadDiscInformation::pow_resources()
        .parse(ReplyBytes::borrowed(&bytes))
        .unwrap();
    assert_eq!(pow.replacements(), Some(1));
    assert_eq!(pow.map_entries(), Some(0x200));
    assert_eq!(pow.updates(), Some(0x3_0000));
    assert!(!pow.reply().is_truncated());
}

#[test]
fn another_data_type_is_a_mismatch() {
    let bytes = rewritable();
    let bytes = || ReplyBytes::borrowed(&bytes);
    let mismatch = |asked, got| Err(Malformed::OtherFormat { asked, got });
    assert_eq!(
        ReadDiscInformation::track_resources()
            .parse(bytes())
            .map(drop),
        mismatch(1, 0)
    );
    assert_eq!(
        ReadDiscInformation::pow_resources()
            .parse(bytes())
            .map(drop),
        mismatch(2, 0)
    );
    let tracks = ReplyBytes::borrowed(&[0, 10, 0x20, 0]);
    assert_eq!(
        ReadDiscInformation::standard().parse(tracks).map(drop),
        mismatch(0, 1)
    );
}

#[test]
fn names() {
    assert_eq!(DiscStatus::OTHER.to_string(), "other");
    assert_eq!(DiscStatus(4).to_string(), "disc status 4");
    assert_eq!(SessionStatus(2).to_string(), "damaged");
    assert_eq!(SessionStatus(4).to_string(), "session status 4");
    assert_eq!(BackgroundFormat(1).to_string(), "stopped");
    assert_eq!(BackgroundFormat(4).to_string(), "background format 4");
    assert_eq!(DiscType(0x10).to_string(), "CD-i");
    assert_eq!(DiscType(0xff).to_string(), "undefined");
    assert_eq!(DiscType(1).to_string(), "disc type 01h");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Some(byte) = bytes.get_mut(2) {
            *byte &= 0x1f;
        }
        if let Ok(disc) = ReadDiscInformation::standard().parse(ReplyBytes::borrowed(&bytes)) {
            prop_assert!(disc.calibrations().count() * 8 <= bytes.len().saturating_sub(34));
            prop_assert_eq!(disc.bar_code().is_some(), disc.reply().as_bytes().len() >= 32
                && bytes[7] & 0x40 != 0);
            let _ = (disc.status(), disc.sessions(), disc.last_track(), disc.application_code());
        }
    }
}

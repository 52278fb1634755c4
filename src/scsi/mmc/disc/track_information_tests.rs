use proptest::prelude::*;

use super::*;
use crate::scsi::golden::hex;

const CLOSED_CD_RW: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/cases/udftools-44-readtrackinfo-closed-cdrw.hex"
));

fn parse(bytes: &[u8], asked: u16) -> TrackInformation<'_> {
    ReadTrackInformation::of_track(1)
        .allocation_length(asked)
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

#[test]
fn cdb_bytes() {
    let cdb =
        |command: ReadTrackInformation, len| command.cdb_for(len).unwrap().as_bytes().to_vec();
    assert_eq!(
        cdb(ReadTrackInformation::at_lba(Lba(0x0102_0304)), 0x1234),
        [0x52, 0, 1, 2, 3, 4, 0, 0x12, 0x34, 0]
    );
    assert_eq!(
        cdb(ReadTrackInformation::at_lba(Lba(-1)), 48),
        [0x52, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 48, 0]
    );
    assert_eq!(
        cdb(ReadTrackInformation::of_track(0xff).open(true), 48),
        [0x52, 5, 0, 0, 0, 0xff, 0, 0, 48, 0]
    );
    assert_eq!(
        cdb(ReadTrackInformation::of_session(0x102), 48),
        [0x52, 2, 0, 0, 1, 2, 0, 0, 48, 0]
    );
    assert_eq!(
        ReadTrackInformation::of_track(1).cdb_for(3),
        Err(LengthMismatch::TooShort { len: 3, min: 4 })
    );
    assert!(ReadTrackInformation::of_track(1).cdb_for(65_536).is_err());
    assert_eq!(ReadTrackInformation::of_track(1).reply_length(), 48);
}

/// The tool asked for 34 bytes, and the drive has 36.
#[test]
fn a_closed_cd_rw() {
    let bytes = hex(CLOSED_CD_RW);
    let track = parse(&bytes, 34);
    assert_eq!(track.reply().claimed_length(), 36);
    assert!(track.reply().is_truncated());
    assert_eq!(track.reply().needed_length(), Some(36));
    assert_eq!(track.reply().length_field_lies(), None);
    assert_eq!((track.track(), track.session()), (Some(1), Some(1)));
    assert_eq!(track.layer_jump(), Some(LayerJump::NONE));
    assert_eq!(
        (track.is_damaged(), track.is_copy()),
        (Some(false), Some(false))
    );
    assert_eq!(track.control(), Some(TrackControl(4)));
    assert_eq!(
        (track.is_reserved(), track.is_blank()),
        (Some(false), Some(false))
    );
    assert_eq!(
        (track.is_packet(), track.has_fixed_packets()),
        (Some(false), Some(false))
    );
    assert_eq!(track.data_mode(), Some(DataMode::MODE_1));
    assert_eq!(track.start(), Some(Lba(0)));
    assert_eq!((track.next_writable(), track.last_recorded()), (None, None));
    assert_eq!(
        (track.free_blocks(), track.packet_size()),
        (Some(0), Some(0))
    );
    assert_eq!(track.size(), Some(0x8581));
    assert_eq!(track.read_compatibility(), None);
    assert_eq!(
        (track.next_layer_jump(), track.last_layer_jump()),
        (None, None)
    );
    // Had more been asked for, it would be a lie.
    assert!(parse(&bytes, 48).reply().length_field_lies().is_some());
}

/// Every field has a value of its own.
#[test]
fn every_field() {
    let mut bytes = vec![0, 46, 2, 3, 0, 0xb5, 0xb2, 0x03];
    for field in 1..=6 {
        bytes.extend([0, 0, field, field]);
    }
    bytes.extend([4, 5, 0, 0]);
    for field in 7..=9 {
        bytes.extend([0xff, 0xff, 0xff, 0xf0 | field]);
    }
    let track = parse(&bytes, 48);
    assert_eq!((track.track(), track.session()), (Some(0x402), Some(0x503)));
    assert_eq!(track.layer_jump(), Some(LayerJump::MANUAL));
    assert_eq!(
        (track.is_damaged(), track.is_copy()),
        (Some(true), Some(true))
    );
    assert_eq!(track.control(), Some(TrackControl(5)));
    assert_eq!(
        (track.is_reserved(), track.is_blank()),
        (Some(true), Some(false))
    );
    assert_eq!(
        (track.is_packet(), track.has_fixed_packets()),
        (Some(true), Some(true))
    );
    assert_eq!(track.data_mode(), Some(DataMode::MODE_2));
    assert_eq!(
        (track.start(), track.next_writable()),
        (Some(Lba(0x101)), Some(Lba(0x202)))
    );
    assert_eq!(
        (track.free_blocks(), track.packet_size()),
        (Some(0x303), Some(0x404))
    );
    assert_eq!(
        (track.size(), track.last_recorded()),
        (Some(0x505), Some(Lba(0x606)))
    );
    assert_eq!(track.read_compatibility(), Some(Lba(-9)));
    assert_eq!(
        (track.next_layer_jump(), track.last_layer_jump()),
        (Some(Lba(-8)), Some(Lba(-7)))
    );
    // Addresses that are said to be valid are, and one bit is for one.
    bytes[7] = 1;
    let track = parse(&bytes, 48);
    assert_eq!(
        (track.next_writable(), track.last_recorded()),
        (Some(Lba(0x202)), None)
    );
    bytes[7] = 2;
    let track = parse(&bytes, 48);
    assert_eq!(
        (track.next_writable(), track.last_recorded()),
        (None, Some(Lba(0x606)))
    );
    bytes[6] = 0x4f;
    let track = parse(&bytes, 48);
    assert_eq!(
        (track.is_blank(), track.is_reserved()),
        (Some(true), Some(false))
    );
    assert_eq!(track.data_mode(), Some(DataMode::UNKNOWN));
}

#[test]
fn replies_that_end_early() {
    let bytes = [0, 26, 7, 1, 0, 4, 1, 3, 0, 0, 0];
    let track = parse(&bytes, 48);
    assert_eq!(track.track(), Some(7), "such a reply has no upper byte");
    let mut long = bytes;
    long[1] = 46;
    let cut = parse(&long, 48);
    assert_eq!((cut.track(), cut.session()), (None, None));
    assert_eq!(
        (track.start(), track.next_writable(), track.size()),
        (None, None, None)
    );
    assert_eq!(
        ReadTrackInformation::at_lba(Lba(0)).parse(ReplyBytes::borrowed(&bytes[..3])),
        Err(Malformed::Short { need: 4, got: 3 })
    );
    let four = parse(&bytes[..4], 48);
    assert_eq!(
        (four.session(), four.control(), four.data_mode()),
        (Some(1), None, None)
    );
    // An old drive has 28 bytes, and says so.
    let mut old = [0; 28];
    old[1] = 26;
    assert_eq!(parse(&old, 48).reply().length_field_lies(), None);
    assert_eq!(parse(&old, 48).last_recorded(), None);
    old[1] = 20;
    assert!(parse(&old, 48).reply().length_field_lies().is_some());
}

#[test]
fn names() {
    assert_eq!(DataMode(2).to_string(), "mode 2");
    assert_eq!(DataMode(3).to_string(), "data mode 3");
    for (status, name) in [
        (0, "no layer jumps"),
        (1, "unspecified layer jumps"),
        (2, "manual layer jumps"),
        (3, "regular interval layer jumps"),
    ] {
        assert_eq!(LayerJump(status).to_string(), name);
    }
    assert_eq!(LayerJump(4).to_string(), "layer jump status 4");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        let command = ReadTrackInformation::of_track(1);
        if let Ok(track) = command.parse(ReplyBytes::borrowed(&bytes)) {
            prop_assert_eq!(track.size().is_some(), track.reply().as_bytes().len() >= 28);
            let _ = (track.track(), track.next_writable(), track.last_recorded());
            let _ = (track.read_compatibility(), track.layer_jump());
        }
    }
}

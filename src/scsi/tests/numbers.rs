//! Numbers in BCD and in binary: a Q subchannel on the disc has the one, READ TOC in format 0 the
//! other, and drives differ in the full table of contents.

use crate::scsi::{
    Query, ReplyBytes,
    mmc::{
        Bcd, CdTextPack, FullToc, Msf, NumberEncoding, PackType, QCrc, QData, ReadToc, SubQ,
        TrackNumber,
    },
};

fn bcd(number: u8) -> u8 {
    number / 10 * 16 + number % 10
}

/// With the CRC that fits.
fn sub_q(mut bytes: [u8; 12]) -> SubQ {
    bytes[11] = 1;
    if let QCrc::Invalid { computed, .. } = SubQ::new(bytes).crc() {
        bytes[10..].copy_from_slice(&computed.to_be_bytes());
    }
    SubQ::new(bytes)
}

/// The track, index and times of a Q subchannel, for each byte in each place.
#[test]
fn every_byte_of_a_q_subchannel() {
    for byte in 0x00..=0xff {
        let decimal =
            (byte >> 4 < 10 && byte & 0x0f < 10).then_some((byte >> 4) * 10 + (byte & 15));
        let plain = (byte < 100).then_some(byte);
        assert_eq!(Bcd::new(byte).map(Bcd::get), decimal);
        for (numbers, number) in [
            (NumberEncoding::Bcd, decimal),
            (NumberEncoding::Binary, plain),
        ] {
            let place = |at: usize| {
                let mut bytes = [0x01, 1, 1, 0, 2, 0, 0, 0, 4, 0, 0, 0];
                bytes[at] = byte;
                match sub_q(bytes).data(numbers) {
                    QData::Position(position) => Some(position),
                    _ => None,
                }
            };
            let track = place(1).and_then(|position| position.track);
            let expected = match byte {
                0x00 => None,
                0xaa => Some(TrackNumber::LEAD_OUT),
                _ => number.map(TrackNumber),
            };
            assert_eq!(track, expected, "{byte:02x} {numbers:?}");
            assert_eq!(place(2).unwrap().index, number, "{byte:02x}");
            for (at, most) in [(3, 99), (4, 59), (5, 74)] {
                let told = number.filter(|number| *number <= most);
                let relative = place(at).unwrap().relative;
                let absolute = place(at + 4).unwrap().absolute;
                let part = |msf: Msf| msf.to_binary()[at - 3];
                assert_eq!(relative.map(part), told, "{byte:02x} {at}");
                assert_eq!(absolute.map(part), told, "{byte:02x} {at}");
            }
        }
    }
}

/// Format 0 has plain numbers: 10h is track 16.
#[test]
fn every_track_number_of_a_table_of_contents() {
    for number in 0x00..=0xff {
        let bytes = [0, 10, 1, 99, 0, 0x14, number, 0, 0, 0, 0, 0];
        // One entry alone is what the list of sessions looks like.
        let after = [0, 0x14, 0xaa, 0, 0, 0, 1, 0];
        let mut bytes = [&bytes[..], &after].concat();
        bytes[1] = 18;
        let toc = ReadToc::tracks()
            .parse(ReplyBytes::borrowed(&bytes))
            .unwrap();
        let entry = toc.entries().next().unwrap();
        assert_eq!(entry.number(), number);
        assert_eq!(entry.is_track(), matches!(number, 1..=99));
        assert_eq!(entry.is_lead_out(), number == 0xaa);
        let tracks: Vec<_> = toc.tracks().map(|track| track.number).collect();
        assert_eq!(
            tracks,
            if entry.is_track() {
                vec![number]
            } else {
                vec![]
            }
        );
    }
}

/// Tracks of so many frames each. They end before 90 minutes, from where on addresses are negative.
fn full(tracks: u8, frames: u32, turn: fn(u8) -> u8) -> Vec<u8> {
    let mut entries = vec![];
    let mut entry = |point: u8, [minute, second, frame]: [u8; 3]| {
        let time = [turn(minute), turn(second), turn(frame)];
        entries.extend([1, 0x10, 0, point, 0, 0, 0, 0]);
        entries.extend(time);
    };
    let start = |track: u8| {
        let begin = 150 + u32::from(track - 1) * frames;
        Msf::from_frames(begin).unwrap().to_binary()
    };
    entry(0xa0, [1, 0, 0]);
    entry(0xa1, [tracks, 0, 0]);
    entry(0xa2, start(tracks + 1));
    for track in 1..=tracks {
        entry(turn(track), start(track));
    }
    let length = u16::try_from(entries.len() + 2).unwrap().to_be_bytes();
    [&length[..], &[1, 1], &entries].concat()
}

fn parse(bytes: &[u8]) -> FullToc<'_> {
    let command = ReadToc::full().allocation_length(u16::MAX);
    command.parse(ReplyBytes::borrowed(bytes)).unwrap()
}

/// Discs with each number of tracks: the guess is right, or there is none; read as what they
/// are, they all have the same tracks.
#[test]
fn the_encoding_is_guessed_rightly_or_not_at_all() {
    // 54 seconds and 7 frames, so that times tell; a minute, so that they tell nothing.
    let discs = (1..=99).map(|tracks| (tracks, 4_057));
    for (tracks, frames) in discs.chain((1..=88).map(|tracks| (tracks, 4_500))) {
        let plain = full(tracks, frames, |byte| byte);
        let decimal = full(tracks, frames, bcd);
        let (plain, decimal) = (parse(&plain), parse(&decimal));
        assert_ne!(
            plain.guess_encoding(),
            Some(NumberEncoding::Bcd),
            "{tracks}"
        );
        assert_ne!(
            decimal.guess_encoding(),
            Some(NumberEncoding::Binary),
            "{tracks}"
        );
        if tracks >= 10 {
            // 0Ah is no BCD, and track 16 without track 10 no binary number.
            assert_eq!(
                plain.guess_encoding(),
                Some(NumberEncoding::Binary),
                "{tracks}"
            );
            assert_eq!(
                decimal.guess_encoding(),
                Some(NumberEncoding::Bcd),
                "{tracks}"
            );
        }
        let plain = plain.encoding(NumberEncoding::Binary);
        let decimal = decimal.encoding(NumberEncoding::Bcd);
        assert_eq!(plain.tracks(), decimal.tracks(), "{tracks}");
        assert_eq!(plain.sessions(), decimal.sessions(), "{tracks}");
        let numbers: Vec<_> = decimal.tracks().iter().map(|track| track.number).collect();
        assert_eq!(numbers, (1..=tracks).collect::<Vec<_>>());
        assert_eq!(decimal.sessions()[0].last_track, Some(tracks));
        assert_eq!((plain.faults(), decimal.faults()), (vec![], vec![]));
    }
}

/// Any track number and any sequence number in any kind of pack: read without panic, and a text
/// is never given a track that a disc cannot have.
#[test]
fn every_track_number_in_a_pack_of_cd_text() {
    let pack = |kind: u8, track: u8, sequence: u8, block: u8| {
        let mut bytes = [
            kind, track, sequence, block, b'A', 0, b'B', 0, b'C', 0, b'D', 0, b'E', 0, b'F', 0, 0,
            0,
        ];
        let crc = CdTextPack::new(bytes).computed_crc().to_be_bytes();
        bytes[16..].copy_from_slice(&crc);
        bytes
    };
    for kind in 0x80..=0x8f {
        for track in 0x00..=0xff {
            for sequence in [0, 1, 0xfe, 0xff] {
                let packs = [
                    pack(kind, track, sequence, 0x00),
                    pack(kind, track, sequence.wrapping_add(1), 0x7f),
                    pack(kind, track.wrapping_add(1), sequence.wrapping_add(1), 0x0f),
                ];
                let bytes = [&[0, 56, 0, 0][..], &packs.concat()].concat();
                let text = ReadToc::cd_text()
                    .parse(ReplyBytes::borrowed(&bytes))
                    .unwrap();
                assert_eq!(text.packs().count(), 3);
                assert_eq!(text.packs().next().unwrap().track(), track & 0x7f);
                let _ = text.faults();
                for block in text.blocks() {
                    let _ = (block.genre(), block.sizes(), block.language());
                    for kind in 0x80..=0x8f {
                        for text in block.texts(PackType(kind)) {
                            assert!(text.track() <= 99, "{kind:02x} {track:02x} {text:?}");
                        }
                    }
                }
            }
        }
    }
}

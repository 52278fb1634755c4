use proptest::prelude::*;

use super::*;
use crate::scsi::{LengthLie, Query, ReplyBytes, mmc::ReadToc};

mod texts;

/// A pack with its right checksum.
fn pack(head: [u8; 4], data: &[u8; 12]) -> [u8; 18] {
    let mut bytes = [0; 18];
    bytes[..4].copy_from_slice(&head);
    bytes[4..16].copy_from_slice(data);
    let crc = crc::crc16(&bytes[..16]).to_be_bytes();
    bytes[16..].copy_from_slice(&crc);
    bytes
}

/// The reply with these packs.
fn reply(packs: &[[u8; 18]]) -> Vec<u8> {
    let list = packs.concat();
    let length = u16::try_from(list.len() + 2).unwrap().to_be_bytes();
    [&length[..], &[0, 0], &list].concat()
}

fn parse(bytes: &[u8]) -> CdText<'_> {
    ReadToc::cd_text()
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

/// Two tracks with titles and performers, as a program for writing CDs makes
/// them, checksums included.
fn two_tracks() -> Vec<[u8; 18]> {
    [
        b"\x80\x00\x00\x00TestDiskTitl\xe2\x22",
        b"\x80\x00\x01\x0ce\0TestTrackT\xc9\x1b",
        b"\x80\x01\x02\x0aitle1\0TestTr\x40\x3a",
        b"\x80\x02\x03\x06ackTitle2\0\0\0\x80\xe3",
        b"\x81\x00\x04\x00TestDiskPerf\x03\xdf",
        b"\x81\x00\x05\x0cormer\0TestTr\x12\xa5",
        b"\x81\x01\x06\x06ackPerformer\xbc\x5b",
        b"\x81\x01\x07\x0f1\0TestTrackP\xac\x41",
        b"\x81\x02\x08\x0aerformer2\0\0\0\x64\x1a",
        b"\x8f\x00\x09\x00\x01\x01\x02\x00\x04\x05\0\0\0\0\0\0\x6d\xe2",
        b"\x8f\x01\x0a\x00\0\0\0\0\0\0\0\x03\x0b\0\0\0\xcd\x0c",
        b"\x8f\x02\x0b\x00\0\0\0\0\x09\0\0\0\0\0\0\0\xfc\x8c",
    ]
    .into_iter()
    .copied()
    .collect()
}

#[test]
fn packs() {
    let packs = two_tracks();
    for bytes in &packs {
        let pack = CdTextPack::new(*bytes);
        assert!(pack.crc_matches(), "{pack:?}");
    }
    let pack = CdTextPack::new(*b"\x85\xff\x12\xb7123456789012\xab\xcd");
    assert_eq!(pack.pack_type(), PackType::MESSAGE);
    assert_eq!((pack.track(), pack.is_extended()), (0x7f, true));
    assert_eq!((pack.sequence(), pack.block()), (0x12, 3));
    assert_eq!(
        (pack.is_double_byte(), pack.character_position()),
        (true, 7)
    );
    assert_eq!(&pack.data(), b"123456789012");
    assert_eq!(pack.crc(), 0xabcd);
    assert_eq!(pack.as_bytes()[1], 0xff);
}

#[test]
fn sizes() {
    let bytes = reply(&two_tracks());
    let text = parse(&bytes);
    let block = &text.blocks()[0];
    let sizes = block.sizes().unwrap();
    assert_eq!(sizes.characters(), Some(CdTextCharacters::ASCII));
    assert_eq!(
        (sizes.first_track(), sizes.last_track()),
        (Some(1), Some(2))
    );
    assert_eq!(sizes.copyright(), Some(0));
    assert_eq!(sizes.packs(PackType::TITLE), Some(4));
    assert_eq!(sizes.packs(PackType::PERFORMER), Some(5));
    assert_eq!(sizes.packs(PackType::SIZES), Some(3));
    assert_eq!(sizes.packs(PackType(0x7f)), None);
    assert_eq!(sizes.last_sequence(0), Some(11));
    assert_eq!(sizes.last_sequence(8), None);
    assert_eq!(sizes.language(0), Some(CdTextLanguage::ENGLISH));
    assert_eq!(sizes.language(7), Some(CdTextLanguage::UNKNOWN));
    assert_eq!(sizes.language(8), None);
    assert_eq!(block.language(), Some(CdTextLanguage::ENGLISH));
    assert_eq!(block.characters(), CdTextCharacters::ASCII);
}

#[test]
fn sizes_with_packs_missing() {
    let mut packs = two_tracks();
    packs.retain(|pack| pack[0] != 0x8f || pack[1] == 1);
    let bytes = reply(&packs);
    let block = parse(&bytes).blocks().remove(0);
    let sizes = block.sizes().unwrap();
    assert_eq!((sizes.characters(), sizes.language(0)), (None, None));
    assert_eq!(sizes.packs(PackType::SIZES), Some(3));
    assert_eq!(block.language(), None);
    assert_eq!(block.characters(), CdTextCharacters::ISO_8859_1);
}

#[test]
fn all_that_is_wrong() {
    let mut packs = two_tracks();
    packs[0][1] = 100; // cdrdao#80
    packs[0][16] ^= 1;
    packs[4] = packs[3];
    packs[6] = pack([0x81, 3, 6, 6], b"ackPerformer");
    packs.push(pack([0x70, 0, 12, 0], b"123456789012"));
    packs.push(pack([0x8f, 3, 13, 0], &[0; 12]));
    packs.push(pack([0x80, 0, 0, 0x20], b"no sizes\0\0\0\0"));
    let bytes = reply(&packs);
    let text = parse(&bytes);
    assert_eq!(
        text.faults(),
        [
            CdTextFault::Crc {
                pack: 0,
                stored: 0xe322,
                computed: CdTextPack::new(packs[0]).computed_crc(),
            },
            CdTextFault::Track {
                pack: 0,
                track: 100
            },
            CdTextFault::Sequence {
                pack: 4,
                block: 0,
                expected: 4,
                got: 3
            },
            CdTextFault::Sequence {
                pack: 5,
                block: 0,
                expected: 4,
                got: 5
            },
            CdTextFault::Track { pack: 6, track: 3 },
            CdTextFault::PackType {
                pack: 12,
                value: 0x70
            },
            CdTextFault::Track { pack: 13, track: 3 },
            CdTextFault::PackCount {
                block: 0,
                kind: PackType::TITLE,
                claimed: 4,
                found: 3
            },
            CdTextFault::PackCount {
                block: 0,
                kind: PackType::PERFORMER,
                claimed: 5,
                found: 4
            },
            CdTextFault::PackCount {
                block: 0,
                kind: PackType::SIZES,
                claimed: 3,
                found: 4
            },
            CdTextFault::NoSizes { block: 2 },
        ]
    );
    assert_eq!(
        text.faults()[8].to_string(),
        "block 0 has 4 packs of type performer, and says 5"
    );
}

#[test]
fn lengths() {
    let whole = reply(&two_tracks());
    let text = parse(&whole[..30]);
    let lie = LengthLie::TooHigh {
        claimed: 220,
        arrived: 30,
    };
    assert_eq!(
        text.faults()[..2],
        [
            CdTextFault::Length(lie),
            CdTextFault::PartialPack { bytes: 8 }
        ]
    );
    assert_eq!(text.packs().count(), 1);
    let cut = ReadToc::cd_text()
        .allocation_length(30)
        .parse(ReplyBytes::borrowed(&whole[..30]))
        .unwrap();
    assert_eq!(cut.faults(), []);
    assert_eq!(cut.reply().needed_length(), Some(220));
    let none = parse(&[0, 2, 0, 0]);
    assert_eq!((none.blocks().len(), none.faults().len()), (0, 0));
}

#[test]
fn names() {
    assert_eq!(PackType::CODES.to_string(), "UPC/EAN or ISRC");
    assert_eq!(PackType(0x8a).to_string(), "pack type 8ah");
    assert_eq!(CdTextCharacters(0x82).to_string(), "Mandarin Chinese");
    assert_eq!(CdTextCharacters(0x83).to_string(), "character code 83h");
    let languages = [
        (0x00, "unknown"),
        (0x0f, "French"),
        (0x1d, "Dutch"),
        (0x2b, "Walloon"),
        (0x45, "Zulu"),
        (0x56, "Russian"),
        (0x65, "Korean"),
        (0x69, "Japanese"),
        (0x75, "Chinese"),
        (0x7f, "Amharic"),
    ];
    for (code, name) in languages {
        assert_eq!(CdTextLanguage(code).to_string(), name);
    }
    for code in [0x2c, 0x44, 0x80, 0xff] {
        assert_eq!(CdTextLanguage(code).name(), None);
    }
    assert_eq!(GenreCode(0x1b).to_string(), "world music");
    assert_eq!(GenreCode(0x17).name(), Some("rock"));
    assert_eq!(GenreCode(0x1c).name(), None);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..400),
        known: bool,
        ignore: bool,
    ) {
        if let Some(field) = bytes.get_mut(..2) {
            field.copy_from_slice(&[0, 0xff]);
        }
        if known {
            for pack in bytes.get_mut(4..).unwrap_or_default().chunks_exact_mut(18) {
                pack[0] |= 0x80;
                pack[0] &= 0x8f;
                let crc = crc::crc16(&pack[..16]).to_be_bytes();
                pack[16..].copy_from_slice(&crc);
            }
        }
        let Ok(text) = ReadToc::cd_text().parse(ReplyBytes::borrowed(&bytes)) else {
            return Ok(());
        };
        let text = text.ignore_crc(ignore);
        for fault in text.faults() {
            let _ = fault.to_string();
        }
        for block in text.blocks() {
            let _ = (block.genre(), block.language(), block.characters(), block.sizes());
            for kind in (0x80..=0x8f).map(PackType) {
                for text in block.texts(kind) {
                    prop_assert!(text.track() <= 99);
                    prop_assert!(!text.as_bytes().is_empty());
                    let _ = text.to_string();
                }
            }
        }
    }
}

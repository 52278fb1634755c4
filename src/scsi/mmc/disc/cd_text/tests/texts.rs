//! Texts that go over packs.

use super::*;

/// The texts of a type in block 0, with their tracks.
fn texts(packs: &[[u8; 18]], kind: PackType) -> Vec<(u8, String)> {
    let bytes = reply(packs);
    let text = parse(&bytes);
    let block = text.blocks().remove(0);
    block
        .texts(kind)
        .iter()
        .map(|text| (text.track(), text.to_string()))
        .collect()
}

fn titles(packs: &[[u8; 18]]) -> Vec<(u8, String)> {
    texts(packs, PackType::TITLE)
}

fn named(list: &[(u8, &str)]) -> Vec<(u8, String)> {
    list.iter()
        .map(|(track, text)| (*track, (*text).to_owned()))
        .collect()
}

#[test]
fn texts_go_over_packs() {
    let packs = two_tracks();
    assert_eq!(
        titles(&packs),
        named(&[
            (0, "TestDiskTitle"),
            (1, "TestTrackTitle1"),
            (2, "TestTrackTitle2")
        ])
    );
    assert_eq!(
        texts(&packs, PackType::PERFORMER),
        named(&[
            (0, "TestDiskPerformer"),
            (1, "TestTrackPerformer1"),
            (2, "TestTrackPerformer2")
        ])
    );
    assert_eq!(texts(&packs, PackType::SIZES), []);
    assert_eq!(texts(&packs, PackType::COMPOSER), []);
    let bytes = reply(&packs);
    assert_eq!(parse(&bytes).faults(), []);
    let block = parse(&bytes).blocks().remove(0);
    assert_eq!((block.number(), block.packs().len()), (0, 12));
    let title = block.text(PackType::TITLE, 2).unwrap();
    assert_eq!(title.as_bytes(), b"TestTrackTitle2");
    assert_eq!(title.to_text().unwrap(), "TestTrackTitle2");
    assert!(title.is_complete() && !title.is_double_byte());
    assert_eq!(title.characters(), CdTextCharacters::ASCII);
    assert_eq!(block.text(PackType::TITLE, 3), None);
}

#[test]
fn a_lost_pack_takes_no_other_text_with_it() {
    let mut packs = two_tracks();
    packs[1][5] ^= 0x20;
    let bytes = reply(&packs);
    let text = parse(&bytes);
    let block = text.blocks().remove(0);
    let found = block.texts(PackType::TITLE);
    let found: Vec<_> = found
        .iter()
        .map(|text| (text.track(), text.as_bytes(), text.is_complete()))
        .collect();
    // The album's beginning is there; what is left of track 1 is its end, which
    // is no text.
    assert_eq!(
        found,
        [
            (0, &b"TestDiskTitl"[..], false),
            (2, b"TestTrackTitle2", true)
        ]
    );
    // Or the checksum was wrong and the text right.
    let loose = text.ignore_crc(true).blocks().remove(0);
    assert_eq!(loose.texts(PackType::TITLE).len(), 3);
    // The last pack of a type is lost.
    let mut packs = two_tracks();
    packs.remove(3);
    let found = titles(&packs);
    assert_eq!(found.last().unwrap(), &(2, "TestTr".to_owned()));
}

#[test]
fn a_text_that_fills_its_pack() {
    let packs = [
        pack([0x80, 0, 0, 0], b"abcdefghijkl"),
        pack([0x80, 0, 1, 12], b"\0nopqrstuvw\0"),
        pack([0x80, 2, 2, 0], b"yz\0\0\0\0\0\0\0\0\0\0"),
    ];
    assert_eq!(
        titles(&packs),
        named(&[(0, "abcdefghijkl"), (1, "nopqrstuvw"), (2, "yz")])
    );
}

#[test]
fn every_track_in_a_pack_of_its_own() {
    let packs = [
        pack([0x80, 0, 0, 0], b"album\0\0\0\0\0\0\0"),
        pack([0x80, 1, 1, 0], b"one\0\0\0\0\0\0\0\0\0"),
        // And the position is not filled in where a text goes on.
        pack([0x80, 2, 2, 0], b"two, which i"),
        pack([0x80, 2, 3, 0], b"s longer\0\0\0\0"),
    ];
    assert_eq!(
        titles(&packs),
        named(&[(0, "album"), (1, "one"), (2, "two, which is longer")])
    );
}

#[test]
fn an_empty_text_is_none() {
    let packs = [pack([0x80, 0, 0, 0], b"a\0\0c\0\0\0\0\0\0\0\0")];
    assert_eq!(titles(&packs), named(&[(0, "a"), (2, "c")]));
}

#[test]
fn a_tab_repeats_the_track_before() {
    let packs = [pack([0x80, 0, 0, 0], b"a\0same\0\t\0\t\0\0")];
    assert_eq!(
        titles(&packs),
        named(&[(0, "a"), (1, "same"), (2, "same"), (3, "same")])
    );
    // Not that of the album, and not a text that is lost.
    let packs = [pack([0x80, 0, 0, 0], b"album\0\t\0\0\t\0\0")];
    assert_eq!(titles(&packs), named(&[(0, "album")]));
    let double = [pack([0x80, 1, 0, 0x80], b"\x82\xa0\0\0\t\t\0\0\0\0\0\0")];
    let bytes = reply(&double);
    let found = parse(&bytes).blocks()[0].texts(PackType::TITLE);
    assert_eq!(found[1].as_bytes(), found[0].as_bytes());
    assert_eq!(found[1].track(), 2);
}

#[test]
fn characters_of_two_bytes() {
    // A zero in one half of a character ends nothing.
    let packs = [
        pack(
            [0x80, 0, 0, 0x80],
            b"\x83\x65\x30\x00\x00\x41\x83\x58\x83\x67\x83\x40",
        ),
        pack([0x80, 0, 1, 0x86], b"\0\0\x82\xa0\0\0\0\0\0\0\0\0"),
    ];
    let bytes = reply(&packs);
    let block = parse(&bytes).blocks().remove(0);
    assert_eq!(block.characters(), CdTextCharacters::MS_JIS);
    let found = block.texts(PackType::TITLE);
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0].as_bytes(),
        b"\x83\x65\x30\x00\x00\x41\x83\x58\x83\x67\x83\x40"
    );
    assert!(found[0].is_double_byte());
    assert_eq!(found[1].to_text(), None);
    assert_eq!(found[1].to_string(), "82 a0");
}

#[test]
fn letters() {
    let packs = [pack([0x80, 0, 0, 0], b"Bj\xf6rk \x1b[1m\0\0")];
    let bytes = reply(&packs);
    let block = parse(&bytes).blocks().remove(0);
    let text = block.text(PackType::TITLE, 0).unwrap();
    assert_eq!(text.to_text().unwrap(), "Björk \u{1b}[1m");
    assert_eq!(text.to_string(), "Björk \\u{1b}[1m");
    // In ASCII there is no such letter.
    let mut with_sizes = packs.to_vec();
    with_sizes.push(pack([0x8f, 0, 1, 0], &[1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    let bytes = reply(&with_sizes);
    let block = parse(&bytes).blocks().remove(0);
    let text = block.text(PackType::TITLE, 0).unwrap();
    assert_eq!(text.to_text().unwrap(), "Bj\u{fffd}rk \u{1b}[1m");
    // A code goes by no character set of the block.
    let mut japanese = vec![pack([0x8e, 1, 0, 0], b"JPX001234567")];
    japanese.push(pack([0x8e, 1, 1, 12], &[0; 12]));
    japanese.push(pack(
        [0x8f, 0, 2, 0],
        &[0x80, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ));
    assert_eq!(
        texts(&japanese, PackType::CODES),
        named(&[(1, "JPX001234567")])
    );
}

#[test]
fn tracks_that_cannot_be() {
    let packs = [
        pack([0x80, 98, 0, 0], b"98\x0099\x00100\0\0\0"),
        pack([0x80, 101, 1, 0], b"101\0\0\0\0\0\0\0\0\0"),
        pack([0x80, 0x81, 2, 0], b"extended\0\0\0\0"),
    ];
    assert_eq!(titles(&packs), named(&[(98, "98"), (99, "99")]));
}

#[test]
fn packs_that_came_twice_count_once() {
    let mut packs = two_tracks();
    let again = packs.clone();
    packs.extend(again);
    assert_eq!(titles(&packs).len(), 3);
}

#[test]
fn blocks_are_languages() {
    let mut packs = vec![
        pack([0x80, 0, 0, 0x00], b"house\0\0\0\0\0\0\0"),
        pack([0x80, 0, 0, 0x10], b"Haus\0\0\0\0\0\0\0\0"),
    ];
    packs.push(pack([0x8f, 2, 1, 0], &[0, 0, 0, 0, 9, 8, 0, 0, 0, 0, 0, 0]));
    let bytes = reply(&packs);
    let text = parse(&bytes);
    let [first, second] = &text.blocks()[..] else {
        panic!()
    };
    assert_eq!(first.language(), Some(CdTextLanguage::ENGLISH));
    // From the size information of the first.
    assert_eq!(second.sizes(), None);
    assert_eq!(second.language(), Some(CdTextLanguage::GERMAN));
    assert_eq!(second.number(), 1);
    assert_eq!(second.text(PackType::TITLE, 0).unwrap().to_string(), "Haus");
}

#[test]
fn the_genre() {
    let genre = |packs: &[[u8; 18]]| {
        let bytes = reply(packs);
        let block = parse(&bytes).blocks().remove(0);
        block
            .genre()
            .map(|genre| (genre.code, genre.text.to_string()))
    };
    let short = [pack([0x87, 0, 0, 0], b"\0\x17the 60s\0\0\0")];
    assert_eq!(genre(&short), Some((GenreCode(0x17), "the 60s".to_owned())));
    let long = [
        pack([0x87, 0, 0, 0], b"\0\x17USA Rock m"),
        pack([0x87, 0, 1, 10], b"\0\x17usic\0\0\0\0\0\0"),
    ];
    assert_eq!(
        genre(&long),
        Some((GenreCode(0x17), "USA Rock music".to_owned()))
    );
    let unrepeated = [long[0], pack([0x87, 0, 1, 10], b"usic\0\0\0\0\0\0\0\0")];
    assert_eq!(genre(&unrepeated), genre(&long));
    assert_eq!(genre(&two_tracks()), None);
}

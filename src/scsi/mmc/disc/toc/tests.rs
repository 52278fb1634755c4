use proptest::prelude::*;

use super::*;
use crate::scsi::{LengthLie, golden::hex, mmc::DiscType};

mod full;
mod tracks;

/// The reply to a command that asked for `asked` bytes.
fn reply<F: TocFormat>(command: ReadToc<F>, bytes: &[u8], asked: u16) -> F::Reply<'_> {
    command
        .allocation_length(asked)
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

/// The same with as many bytes as there are.
fn exact<F: TocFormat>(command: ReadToc<F>, bytes: &[u8]) -> F::Reply<'_> {
    reply(command, bytes, u16::try_from(bytes.len()).unwrap())
}

/// A list of entries behind a header that says its right length.
fn listed(first: u8, last: u8, entries: &[&[u8]]) -> Vec<u8> {
    let list = entries.concat();
    let length = u16::try_from(list.len() + 2).unwrap().to_be_bytes();
    [&length[..], &[first, last], &list].concat()
}

fn cdb<F: TocFormat>(command: ReadToc<F>, len: usize) -> Vec<u8> {
    command.cdb_for(len).unwrap().as_bytes().to_vec()
}

#[test]
fn cdb_bytes() {
    assert_eq!(
        cdb(ReadToc::tracks(), 804),
        [0x43, 0, 0, 0, 0, 0, 0, 3, 0x24, 0]
    );
    assert_eq!(
        cdb(ReadToc::tracks().msf(true).starting_track(0xaa), 12),
        [0x43, 2, 0, 0, 0, 0, 0xaa, 0, 12, 0]
    );
    assert_eq!(
        cdb(ReadToc::last_session(), 12),
        [0x43, 0, 1, 0, 0, 0, 0, 0, 12, 0x40]
    );
    assert_eq!(
        cdb(ReadToc::last_session().msf(true), 12),
        [0x43, 2, 1, 0, 0, 0, 0, 0, 12, 0x40]
    );
    assert_eq!(
        cdb(ReadToc::full().starting_session(3), 0x1234),
        [0x43, 2, 2, 0, 0, 0, 3, 0x12, 0x34, 0x80]
    );
    assert_eq!(cdb(ReadToc::pma(), 4), [0x43, 2, 3, 0, 0, 0, 0, 0, 4, 0xc0]);
    // Formats that byte 9 has no room for.
    assert_eq!(cdb(ReadToc::atip(), 32), [0x43, 2, 4, 0, 0, 0, 0, 0, 32, 0]);
    assert_eq!(
        cdb(ReadToc::cd_text(), 0xffff),
        [0x43, 2, 5, 0, 0, 0, 0, 0xff, 0xff, 0]
    );
}

#[test]
fn byte_9_can_stay_empty() {
    let modern = ReadToc::full().legacy_format(false);
    assert_eq!(cdb(modern, 48), [0x43, 2, 2, 0, 0, 0, 0, 0, 48, 0]);
    assert_eq!(
        cdb(modern.legacy_format(true), 48),
        [0x43, 2, 2, 0, 0, 0, 0, 0, 48, 0x80]
    );
}

#[test]
fn lengths_that_the_command_cannot_ask_for() {
    for len in 0..4 {
        assert_eq!(
            ReadToc::tracks().cdb_for(len),
            Err(LengthMismatch::TooShort { len, min: 4 })
        );
    }
    assert_eq!(
        ReadToc::full().cdb_for(65_536),
        Err(LengthMismatch::TooLong {
            len: 65_536,
            max: 65_535
        })
    );
    assert_eq!(ReadToc::tracks().reply_length(), 4 + 100 * 8);
    assert_eq!(ReadToc::last_session().reply_length(), 12);
    assert_eq!(ReadToc::cd_text().reply_length(), 4 + 2048 * 18);
    assert_eq!(ReadToc::pma().allocation_length(99).reply_length(), 99);
}

/// QEMU's IDE drive answers format 0 to a format in byte 2 alone.
#[test]
fn another_format_is_a_mismatch() {
    let one = listed(
        1,
        1,
        &[
            &[0, 0x14, 1, 0, 0, 0, 2, 0],
            &[0, 0x14, 0xaa, 0, 0, 0, 4, 25],
        ],
    );
    let asked = |got| move |asked| Err(Malformed::OtherFormat { asked, got });
    let bytes = || ReplyBytes::borrowed(&one);
    let zero = asked(0);
    assert_eq!(ReadToc::last_session().parse(bytes()).map(drop), zero(1));
    assert_eq!(ReadToc::full().parse(bytes()).map(drop), zero(2));
    assert_eq!(ReadToc::pma().parse(bytes()).map(drop), zero(3));
    assert_eq!(ReadToc::atip().parse(bytes()).map(drop), zero(4));
    assert_eq!(ReadToc::cd_text().parse(bytes()).map(drop), zero(5));
    assert_eq!(exact(ReadToc::tracks(), &one).entries().count(), 2);
    // Only the lead-out: format 0 from AAh on.
    let end = listed(1, 1, &[&[0, 0x14, 0xaa, 0, 0, 0, 4, 25]]);
    let parsed = ReadToc::full().parse(ReplyBytes::borrowed(&end)).map(drop);
    assert_eq!(parsed, zero(2));
    let session = listed(1, 1, &[&[0, 0x14, 1, 0, 0, 0, 0, 0]]);
    let parsed = ReadToc::full().parse(ReplyBytes::borrowed(&session));
    assert_eq!(parsed.map(drop), asked(1)(2));
    assert!(
        ReadToc::last_session()
            .parse(ReplyBytes::borrowed(&session))
            .is_ok()
    );
    // The whole table for the tracks.
    let full = hex(full::CASE);
    let parsed = ReadToc::tracks().parse(ReplyBytes::borrowed(&full));
    assert_eq!(parsed.map(drop), asked(2)(0));
    // 88 bytes are 11 entries of the one kind and 8 of the other.
    let entry: &[u8] = &[1, 0x14, 0, 1, 0, 0, 0, 0, 0, 2, 0];
    let many = listed(1, 1, &[entry; 8]);
    assert_eq!(exact(ReadToc::full(), &many).entries().count(), 8);
    let entry: &[u8] = &[0, 0x14, 0, 1, 0, 0, 0, 0, 0, 2, 0];
    let many = listed(1, 1, &[entry; 8]);
    assert_eq!(exact(ReadToc::pma(), &many).entries().count(), 8);
}

#[test]
fn the_last_session() {
    let bytes = [0, 10, 1, 3, 0xff, 0x14, 7, 0xff, 0, 0, 2, 0];
    let last = exact(ReadToc::last_session(), &bytes);
    assert_eq!((last.first_session(), last.last_session()), (1, 3));
    let track = last.first_track().unwrap();
    assert_eq!(
        (track.number(), track.adr(), track.lba()),
        (7, 1, Some(Lba(512)))
    );
    assert!(track.control().is_data());
    assert_eq!(track.msf(), None);
    let last = exact(ReadToc::last_session().msf(true), &bytes);
    assert_eq!(last.first_track().unwrap().lba(), Some(Lba(0)));
    assert_eq!(last.first_track().unwrap().msf(), Msf::new(0, 2, 0));
    let short = reply(ReadToc::last_session(), &bytes[..11], 12);
    assert_eq!(short.first_track(), None);
    assert!(short.reply().length_field_lies().is_some());
}

#[test]
fn the_program_memory_area() {
    let bytes = listed(
        0,
        0,
        &[
            &[0, 0x24, 0, 0, 0x12, 0x34, 0x56, 0, 0, 0, 0],
            &[0, 0x14, 0, 0x10, 0, 0x12, 0x34, 0, 0, 0x02, 0x00],
            &[1, 2],
        ],
    );
    let pma = exact(ReadToc::pma(), &bytes);
    let entries: Vec<_> = pma.entries().collect();
    assert_eq!(entries.len(), 2);
    assert_eq!((entries[0].adr(), entries[0].track()), (2, None));
    assert_eq!(entries[1].track(), Some(16));
    assert_eq!(entries[1].time(), [0, 0x12, 0x34]);
    assert_eq!(entries[1].time_lba(), Some(Lba(18 * 75 + 52 - 150)));
    assert_eq!(pma.partial_entry(), 2);
    let bcd = pma.encoding(NumberEncoding::Bcd).entries().nth(1).unwrap();
    assert_eq!(bcd.track(), Some(10));
    assert_eq!(bcd.time_lba(), Some(Lba(12 * 75 + 34 - 150)));
    assert_eq!(bcd.point_lba(), Some(Lba(0)));
}

#[test]
fn the_atip() {
    let mut bytes = [0u8; 32];
    bytes[1] = 30;
    bytes[4..11].copy_from_slice(&[0xeb, 0x40, 0xd7, 0, 97, 15, 17]);
    bytes[12..15].copy_from_slice(&[79, 59, 74]);
    bytes[16..].copy_from_slice(b"abc\0def\0ghi\0jkl\0");
    let atip = exact(ReadToc::atip(), &bytes);
    assert_eq!(atip.writing_power(), Some(6));
    assert_eq!(atip.is_double_density(), Some(true));
    assert_eq!(atip.reference_speed(), Some(3));
    assert_eq!(atip.is_unrestricted(), Some(true));
    assert_eq!(atip.is_rewritable(), Some(true));
    assert_eq!(atip.sub_type(), Some(2));
    assert_eq!(atip.lead_in(), Msf::new(97, 15, 17));
    assert_eq!(
        atip.lead_in_lba(),
        Some(Lba((97 * 60 + 15) * 75 + 17 - 450_150))
    );
    assert_eq!(atip.last_lead_out_lba(), Some(Lba(359_849)));
    assert_eq!(atip.last_lead_out(), Msf::new(79, 59, 74));
    assert_eq!((atip.a1(), atip.a2()), (Some(*b"abc"), Some(*b"def")));
    assert_eq!((atip.a3(), atip.s4()), (Some(*b"ghi"), Some(*b"jkl")));
    // A disc of 99 minutes, and times that are none.
    bytes[8..15].copy_from_slice(&[97, 60, 17, 0, 99, 0, 0]);
    let atip = exact(ReadToc::atip(), &bytes);
    assert_eq!((atip.lead_in(), atip.lead_in_lba()), (None, None));
    assert_eq!(atip.last_lead_out_lba(), Some(Lba(445_350)));
    // Bits that say that the values are not valid.
    bytes[6] = 0x80;
    let atip = exact(ReadToc::atip(), &bytes);
    assert_eq!((atip.a1(), atip.a2(), atip.a3()), (None, None, None));
    assert_eq!(atip.is_rewritable(), Some(false));
    let short = reply(ReadToc::atip(), &bytes[..10], 32);
    assert_eq!(short.sub_type(), Some(0));
    assert_eq!(
        (short.lead_in(), short.last_lead_out(), short.s4()),
        (None, None, None)
    );
    let empty = exact(ReadToc::atip(), &[0, 2, 0, 0]);
    assert_eq!(
        (empty.writing_power(), empty.is_unrestricted()),
        (None, None)
    );
}

#[test]
fn points_have_names() {
    assert_eq!(TocPoint::LEAD_OUT.to_string(), "lead-out");
    assert_eq!(TocPoint(5).to_string(), "point 05h");
    assert_eq!(TocPoint(0xc0), TocPoint::ATIP);
}

/// Calls everything that a reply has.
fn exercise<F: TocFormat>(command: ReadToc<F>, bytes: &[u8], asked: u16) -> Option<F::Reply<'_>> {
    command
        .allocation_length(asked)
        .parse(ReplyBytes::borrowed(bytes))
        .ok()
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
        asked: u16,
        honest: bool,
        bcd: bool,
    ) {
        let length = bytes.len();
        if let (true, Some(field)) = (honest, bytes.get_mut(..2)) {
            field.copy_from_slice(&u16::try_from(length - 2).unwrap().to_be_bytes());
        }
        if let Some(toc) = exercise(ReadToc::tracks().msf(bcd), &bytes, asked) {
            prop_assert!(toc.entries().count() * 8 <= length);
            prop_assert!(toc.tracks().all(|track| (1..=99).contains(&track.number)));
            prop_assert!(toc.tracks().all(|track| track.length != Some(0)));
            let text: String = toc.faults().iter().map(ToString::to_string).collect();
            let _ = (text, toc.lead_out());
        }
        if let Some(last) = exercise(ReadToc::last_session(), &bytes, asked) {
            prop_assert_eq!(last.first_track().is_some(), last.reply().as_bytes().len() >= 12);
        }
        let encoding = if bcd { NumberEncoding::Bcd } else { NumberEncoding::Binary };
        if let Some(toc) = exercise(ReadToc::full(), &bytes, asked) {
            let toc = toc.encoding(encoding);
            prop_assert!(toc.entries().count() * 11 <= length);
            prop_assert!(toc.tracks().iter().all(|track| (1..=99).contains(&track.number)));
            prop_assert!(toc.sessions().len() <= toc.entries().count());
            let text: String = toc.faults().iter().map(ToString::to_string).collect();
            let _ = (text, toc.guess_encoding());
        }
        if let Some(pma) = exercise(ReadToc::pma(), &bytes, asked) {
            for entry in pma.encoding(encoding).entries() {
                let _ = (entry.track(), entry.time_lba(), entry.point_lba(), entry.point_number());
            }
        }
        if let Some(atip) = exercise(ReadToc::atip(), &bytes, asked) {
            let _ = (atip.lead_in_lba(), atip.last_lead_out_lba(), atip.a1(), atip.a2(), atip.a3());
        }
    }
}

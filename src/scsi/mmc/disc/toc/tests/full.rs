//! Format 2.

use super::*;

pub(super) const CASE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/cases/lab-qemu-fulltoc.hex"
));

#[test]
fn qemu_with_one_track() {
    let bytes = hex(CASE);
    let toc = exact(ReadToc::full(), &bytes);
    assert_eq!(toc.reply().claimed_length(), 48);
    assert_eq!(toc.reply().as_bytes(), bytes);
    assert_eq!((toc.first_session(), toc.last_session()), (1, 1));
    let entries: Vec<_> = toc.entries().collect();
    assert_eq!(entries.len(), 4);
    for entry in &entries {
        assert_eq!((entry.session(), entry.tno(), entry.adr()), (1, 0, 1));
        assert_eq!(entry.control(), TrackControl(4));
        assert_eq!((entry.time(), entry.time_lba()), ([0; 3], Some(Lba(-150))));
    }
    let points: Vec<_> = entries.iter().map(TocQEntry::point).collect();
    assert_eq!(
        points,
        [
            TocPoint::FIRST_TRACK,
            TocPoint::LAST_TRACK,
            TocPoint::LEAD_OUT,
            TocPoint(1),
        ]
    );
    let times: Vec<_> = entries.iter().map(TocQEntry::point_time).collect();
    assert_eq!(times, [[1, 0, 0], [1, 0, 0], [0, 4, 25], [0, 2, 0]]);
    assert_eq!(entries[0].point_number(), Some(1));
    assert_eq!(entries[2].point_msf(), Msf::new(0, 4, 25));
    assert_eq!(entries[3].as_bytes(), &bytes[37..]);
    assert_eq!(
        toc.sessions(),
        [TocSession {
            number: 1,
            first_track: Some(1),
            last_track: Some(1),
            disc_type: Some(DiscType::CD),
            start: Some(Lba(0)),
            lead_out: Some(Lba(175)),
            next_session: None,
        }]
    );
    assert_eq!(
        toc.tracks(),
        [TocTrack {
            session: Some(1),
            number: 1,
            control: TrackControl(4),
            start: Lba(0),
            length: Some(175),
        }]
    );
    assert_eq!(toc.faults(), []);
    // 25 is 19h, which both can be.
    assert_eq!(toc.guess_encoding(), None);
}

/// One entry of a track or point with ADR 1.
fn q(session: u8, control: u8, point: u8, time: [u8; 3]) -> [u8; 11] {
    let [minute, second, frame] = time;
    [
        session,
        0x10 | control,
        0,
        point,
        0,
        0,
        0,
        0,
        minute,
        second,
        frame,
    ]
}

fn full(last: u8, entries: &[[u8; 11]]) -> Vec<u8> {
    let slices: Vec<&[u8]> = entries.iter().map(<[u8; 11]>::as_slice).collect();
    listed(1, last, &slices)
}

/// Audio in the first session, data in the second: an Enhanced CD.
fn enhanced() -> Vec<[u8; 11]> {
    vec![
        q(1, 0, 0xa0, [1, 0, 0]),
        q(1, 0, 0xa1, [2, 0, 0]),
        q(1, 0, 0xa2, [10, 2, 0]),
        q(1, 0, 1, [0, 2, 0]),
        q(1, 0, 2, [5, 2, 0]),
        [1, 0x50, 0, 0xb0, 12, 34, 0, 3, 79, 59, 74],
        [1, 0x50, 0, 0xc0, 95, 0, 0, 0, 97, 26, 66],
        q(2, 4, 0xa0, [3, 0x20, 0]),
        q(2, 4, 0xa1, [3, 0, 0]),
        q(2, 4, 0xa2, [20, 2, 0]),
        q(2, 4, 3, [12, 34, 0]),
    ]
}

#[test]
fn sessions_and_the_tracks_in_them() {
    let bytes = full(2, &enhanced());
    let toc = exact(ReadToc::full(), &bytes);
    assert_eq!(toc.faults(), []);
    let [first, second] = toc.sessions()[..] else {
        panic!("{:?}", toc.sessions())
    };
    assert_eq!(
        (first.start, first.lead_out),
        (Some(Lba(0)), Some(Lba(45_000)))
    );
    assert_eq!(first.next_session, Some(Lba((12 * 60 + 34) * 75 - 150)));
    assert_eq!(
        (second.start, second.lead_out),
        (first.next_session, Some(Lba(90_000)))
    );
    assert_eq!(second.disc_type, Some(DiscType::CD_ROM_XA));
    assert_eq!(second.next_session, None);
    let lengths: Vec<_> = toc
        .tracks()
        .iter()
        .map(|track| (track.session, track.number, track.length))
        .collect();
    assert_eq!(
        lengths,
        [
            (Some(1), 1, Some(22_500)),
            // To the lead-out, not to track 3.
            (Some(1), 2, Some(22_500)),
            (Some(2), 3, Some(90_000 - (754 * 75 - 150))),
        ]
    );
}

/// A disc may be longer than 90 minutes; only C0h is a place in the lead-in.
#[test]
fn times_from_minute_ninety_on() {
    let late = [
        q(1, 0, 0xa2, [99, 0, 0]),
        [1, 0x50, 0, 0xb0, 95, 0, 0, 2, 99, 10, 0],
        [1, 0x50, 0, 0xc0, 0, 0, 0, 0, 97, 26, 66],
    ];
    let bytes = full(1, &late);
    let toc = exact(ReadToc::full(), &bytes);
    let places: Vec<_> = toc.entries().map(|entry| entry.point_lba()).collect();
    assert_eq!(places, [Lba(445_350), Lba(446_100), Lba(-11_634)].map(Some));
    assert_eq!(toc.sessions()[0].next_session, Some(Lba(427_350)));
}

#[test]
fn a_closed_disc_has_no_next_session() {
    let mut entries = enhanced();
    entries[5][4..7].copy_from_slice(&[0xff; 3]);
    let bytes = full(2, &entries);
    assert_eq!(
        exact(ReadToc::full(), &bytes).sessions()[0].next_session,
        None
    );
    // With ADR 1, C0h would be a track that cannot be; B0h is not one.
    entries[5][1] = 0x10;
    let bytes = full(2, &entries);
    assert_eq!(exact(ReadToc::full(), &bytes).tracks().len(), 3);
}

#[test]
fn every_point_that_a_session_must_have() {
    let without = |points: &[u8]| {
        let mut entries = enhanced();
        entries.retain(|entry| entry[0] == 2 || !points.contains(&entry[3]));
        let bytes = full(2, &entries);
        exact(ReadToc::full(), &bytes).faults()
    };
    assert_eq!(without(&[0xa0]), [TocFault::NoFirstTrack { session: 1 }]);
    assert_eq!(without(&[0xa1]), [TocFault::NoLastTrack { session: 1 }]);
    assert_eq!(without(&[0xa2]), [TocFault::NoLeadOut { session: 1 }]);
    assert_eq!(without(&[2]), [TocFault::MissingTrack { number: 2 }]);
    let all = [0xa0, 0xa1, 0xa2, 1, 2, 0xb0, 0xc0];
    assert_eq!(without(&all), [TocFault::NoSession { session: 1 }]);
}

#[test]
fn what_cannot_be() {
    let mut entries = enhanced();
    entries.push(q(2, 4, 100, [13, 0, 0]));
    entries.push(q(3, 4, 3, [12, 34, 0]));
    entries.push(q(2, 4, 4, [14, 0, 75]));
    entries.push(q(2, 4, 5, [21, 0, 0]));
    let bytes = full(2, &entries);
    let toc = exact(ReadToc::full(), &bytes);
    let faults = toc.faults();
    let start = Lba(754 * 75 - 150);
    assert_eq!(
        faults[..4],
        [
            TocFault::TrackNumber { number: 100 },
            TocFault::TrackOrder {
                number: 3,
                after: 3
            },
            TocFault::Address { number: 3, start },
            TocFault::Time {
                number: 4,
                msf: [14, 0, 75]
            },
        ]
    );
    let late = TocFault::Address {
        number: 5,
        start: Lba(21 * 4500 - 150),
    };
    assert!(faults.contains(&late), "{faults:?}");
    assert!(faults.contains(&TocFault::OtherSession { session: 3 }));
    assert!(faults.contains(&TocFault::NoLeadOut { session: 3 }));
    assert!(
        toc.tracks()
            .iter()
            .all(|track| track.number != 4 && track.number != 100)
    );
}

#[test]
fn binary_and_bcd() {
    let guess = |entries: &[[u8; 11]]| {
        let bytes = full(1, entries);
        exact(ReadToc::full(), &bytes).guess_encoding()
    };
    assert_eq!(
        guess(&[q(1, 0, 1, [0, 2, 0x0a])]),
        Some(NumberEncoding::Binary)
    );
    assert_eq!(
        guess(&[q(1, 0, 1, [0, 2, 0x74])]),
        Some(NumberEncoding::Bcd)
    );
    assert_eq!(
        guess(&[q(1, 0, 1, [0, 0x59, 0])]),
        Some(NumberEncoding::Bcd)
    );
    assert_eq!(
        guess(&[q(1, 0, 0x0a, [0, 2, 0])]),
        Some(NumberEncoding::Binary)
    );
    assert_eq!(
        guess(&[q(1, 0, 0xa1, [0x0c, 0, 0])]),
        Some(NumberEncoding::Binary)
    );
    assert_eq!(guess(&[q(1, 0, 0xa1, [0x12, 0, 0])]), None);
    let nine_ten = [q(1, 0, 9, [0, 2, 0]), q(1, 0, 0x10, [0, 3, 0])];
    assert_eq!(guess(&nine_ten), Some(NumberEncoding::Bcd));
    // Neither.
    assert_eq!(guess(&[q(1, 0, 1, [0, 0x7f, 0])]), None);

    let bytes = full(1, &[q(1, 0, 0x10, [0x12, 0x34, 0x15])]);
    let toc = exact(ReadToc::full(), &bytes);
    assert_eq!(toc.tracks()[0].number, 16);
    let toc = toc.encoding(NumberEncoding::Bcd);
    let track = toc.tracks()[0];
    assert_eq!((track.number, track.start), (10, Lba(754 * 75 + 15 - 150)));
}

#[test]
fn lengths() {
    let mut bytes = hex(CASE);
    let toc = reply(ReadToc::full(), &bytes[..4], 4);
    assert_eq!(toc.reply().needed_length(), Some(48));
    assert_eq!(toc.faults(), []);
    let toc = reply(ReadToc::full(), &bytes[..40], 4096);
    let faults = toc.faults();
    let lie = LengthLie::TooHigh {
        claimed: 48,
        arrived: 40,
    };
    assert_eq!(
        faults,
        [
            TocFault::Length(lie),
            TocFault::PartialEntry {
                bytes: 3,
                entry: 11
            },
            TocFault::MissingTrack { number: 1 },
        ]
    );
    assert_eq!(toc.entries().count(), 3);
    bytes[1] = 0x2d;
    let faults = exact(ReadToc::full(), &bytes).faults();
    assert!(matches!(
        faults[0],
        TocFault::PartialEntry { bytes: 10, .. }
    ));
}

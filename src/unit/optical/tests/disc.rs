//! Sessions and tracks.

use super::*;
use crate::scsi::mmc::{TocFault, TrackControl};

/// Two sessions: audio of 10,000 and 5,000 sectors, and data behind a gap.
const TRACKS: [(u8, u8, u8, i32); 3] =
    [(1, 0x10, 1, 0), (1, 0x10, 2, 10_000), (2, 0x14, 3, 26_400)];
const LEAD_OUTS: [(u8, i32); 2] = [(1, 15_000), (2, 30_000)];

fn msf(lba: i32, bcd: bool) -> [u8; 3] {
    let frames = lba + 150;
    [frames / 4500, frames / 75 % 60, frames % 75].map(|number| {
        let number = u8::try_from(number).unwrap();
        number_of(number, bcd)
    })
}

fn number_of(number: u8, bcd: bool) -> u8 {
    if bcd {
        ((number / 10) << 4) | (number % 10)
    } else {
        number
    }
}

fn listed(first: u8, last: u8, entries: &[u8]) -> Vec<u8> {
    let length = u16::try_from(entries.len() + 2).unwrap();
    [&length.to_be_bytes()[..], &[first, last], entries].concat()
}

fn tracks() -> Vec<u8> {
    let entry = |control: u8, number: u8, lba: i32| {
        [&[0, control, number, 0][..], &lba.to_be_bytes()].concat()
    };
    let mut entries: Vec<_> = TRACKS
        .iter()
        .flat_map(|&(_, control, number, lba)| entry(control, number, lba))
        .collect();
    entries.extend(entry(0x14, 0xaa, 30_000));
    listed(1, 3, &entries)
}

fn full(bcd: bool, moved: i32) -> Vec<u8> {
    let entry = |session, control, point, [m, s, f]: [u8; 3]| {
        [session, control, 0, point, 0, 0, 0, 0, m, s, f]
    };
    let mut entries = Vec::new();
    for (session, lead_out) in LEAD_OUTS {
        let of: Vec<_> = TRACKS.iter().filter(|track| track.0 == session).collect();
        entries.extend(entry(session, 0x10, 0xa0, [of[0].2, 0, 0]));
        entries.extend(entry(session, 0x10, 0xa1, [of.last().unwrap().2, 0, 0]));
        entries.extend(entry(session, 0x10, 0xa2, msf(lead_out, bcd)));
        for &&(session, control, number, lba) in &of {
            entries.extend(entry(
                session,
                control,
                number_of(number, bcd),
                msf(lba + moved, bcd),
            ));
        }
    }
    listed(1, 2, &entries)
}

/// A drive that answers READ TOC by format; `None` is refused.
fn with(tables: [Option<Vec<u8>>; 3]) -> Fake<'static> {
    Fake::answering(move |cdb, data| {
        if cdb.opcode() != 0x43 {
            return None;
        }
        match &tables[usize::from(cdb.byte(2))] {
            Some(table) => good(data, table),
            None => Some(Ok(refused(data.len(), ILLEGAL.0, ILLEGAL.1))),
        }
    })
}

fn last_session(first: u8, last: u8, track: u8) -> Vec<u8> {
    listed(first, last, &[0, 0x14, track, 0, 0, 0, 0x67, 0x20])
}

#[test]
fn tables_are_read_in_the_length_that_they_have() {
    let fake = with([Some(tracks()), None, Some(full(false, 0))]);
    let drive = OpticalDrive::new(&fake);
    assert_eq!(drive.toc().unwrap().entries().count(), 4);
    assert_eq!(drive.full_toc().unwrap().entries().count(), 9);
    let lengths: Vec<_> = fake
        .sent
        .take()
        .iter()
        .map(|cdb| (cdb.byte(2), cdb.byte(8)))
        .collect();
    // 4 + 9 * 11 = 103, made even.
    assert_eq!(lengths, [(0, 4), (0, 36), (2, 4), (2, 104)]);
    let empty = with([Some(vec![0, 2, 0, 0]), None, None]);
    assert_eq!(
        OpticalDrive::new(&empty).toc().unwrap().entries().count(),
        0
    );
    assert_eq!(empty.opcodes(), [0x43]);
}

/// 00:02:00 is the same in BCD, and 00:02:40 can be either: the list's lead-out
/// decides.
#[test]
fn the_end_of_a_single_track_decides_the_encoding() {
    let list = |end: i32| {
        let track = [0, 0x10, 1, 0, 0, 0, 0, 0];
        let lead_out = [&[0, 0x10, 0xaa, 0][..], &end.to_be_bytes()].concat();
        listed(1, 1, &[&track[..], &lead_out].concat())
    };
    let full = |bcd: bool| {
        let points = [
            (0xa0, [1, 0, 0]),
            (0xa1, [1, 0, 0]),
            (0xa2, msf(40, bcd)),
            (1, [0, 2, 0]),
        ];
        let entries = points.map(|(point, [m, s, f])| [1, 0x10, 0, point, 0, 0, 0, 0, m, s, f]);
        listed(1, 1, &entries.concat())
    };
    for (bcd, end, found) in [(false, 40, 40), (true, 40, 40), (false, 41, 40)] {
        let fake = with([Some(list(end)), None, Some(full(bcd))]);
        let disc = OpticalDrive::new(&fake).disc().unwrap();
        assert_eq!(disc.source, DiscSource::FullToc);
        assert_eq!(disc.lead_out(), Some(Lba(found)), "{bcd} {end}");
    }
}

#[test]
fn the_full_table_has_sessions_in_either_encoding() {
    for bcd in [false, true] {
        let fake = with([Some(tracks()), None, Some(full(bcd, 0))]);
        let disc = OpticalDrive::new(&fake).disc().unwrap();
        assert_eq!(fake.opcodes(), [0x43; 4]);
        assert_eq!(disc.source, DiscSource::FullToc);
        assert_eq!(disc.faults, []);
        let [first, second] = disc.sessions.as_slice() else {
            panic!("{disc:?}")
        };
        assert_eq!((first.number, first.lead_out), (Some(1), Some(Lba(15_000))));
        assert_eq!(
            (second.number, second.lead_out),
            (Some(2), Some(Lba(30_000)))
        );
        assert_eq!(disc.lead_out(), Some(Lba(30_000)));
        let tracks: Vec<_> = disc
            .tracks()
            .map(|track| {
                (
                    track.session,
                    track.number,
                    track.kind,
                    track.start.0,
                    track.length,
                )
            })
            .collect();
        assert_eq!(
            tracks,
            [
                (Some(1), 1, TrackKind::Audio, 0, Some(10_000)),
                (Some(1), 2, TrackKind::Audio, 10_000, Some(5000)),
                (Some(2), 3, TrackKind::Data, 26_400, Some(3600)),
            ]
        );
        for (lba, number) in [
            (-1, None),
            (0, Some(1)),
            (9999, Some(1)),
            (10_000, Some(2)),
            (15_000, None),
            (29_999, Some(3)),
            (30_000, None),
        ] {
            assert_eq!(
                disc.track_at(Lba(lba)).map(|track| track.number),
                number,
                "{lba}"
            );
        }
        assert_eq!(disc.track(3).unwrap().control, TrackControl(4));
        assert_eq!(disc.track(3).unwrap().end(), Some(Lba(30_000)));
        assert_eq!(disc.track(4), None);
    }
}

#[test]
fn the_list_of_tracks_decides_what_the_bytes_do_not() {
    // 00:02:00 and 10:10:10 are times in both, and a guess is not possible.
    let at = |bcd: bool| {
        if bcd {
            10 * 4500 + 10 * 75 + 10 - 150
        } else {
            16 * 4500 + 16 * 75 + 16 - 150
        }
    };
    let entry = |point, [m, s, f]: [u8; 3]| [1, 0x14, 0, point, 0, 0, 0, 0, m, s, f];
    let full = listed(
        1,
        1,
        &[
            entry(0xa0, [1, 0, 0]),
            entry(0xa1, [2, 0, 0]),
            entry(0xa2, [0x20, 0x10, 0x10]),
            entry(1, [0, 2, 0]),
            entry(2, [0x10, 0x10, 0x10]),
        ]
        .concat(),
    );
    for bcd in [false, true] {
        let [a, b, c, d] = i32::to_be_bytes(at(bcd));
        let tracks = listed(
            1,
            2,
            &[
                0, 0x14, 1, 0, 0, 0, 0, 0, 0, 0x14, 2, 0, a, b, c, d, 0, 0x14, 0xaa, 0, 0, 2, 0, 0,
            ],
        );
        let fake = with([Some(tracks), None, Some(full.clone())]);
        let disc = OpticalDrive::new(&fake).disc().unwrap();
        assert_eq!(
            (disc.source, disc.track(2).unwrap().start),
            (DiscSource::FullToc, Lba(at(bcd)))
        );
    }
    // They do not agree at all.
    let fake = with([Some(tracks()), None, Some(super::disc::full(true, 40))]);
    let disc = OpticalDrive::new(&fake).disc().unwrap();
    assert_eq!(
        (disc.source, disc.track(2).unwrap().start),
        (DiscSource::FullTocAlone, Lba(10_040))
    );
}

#[test]
fn without_the_full_table_the_ends_of_sessions_are_unknown() {
    let fake = with([Some(tracks()), Some(last_session(1, 2, 3)), None]);
    let disc = OpticalDrive::new(&fake).disc().unwrap();
    let formats: Vec<_> = fake.sent.take().iter().map(|cdb| cdb.byte(2)).collect();
    assert_eq!(formats, [0, 0, 2, 1]);
    assert_eq!(disc.source, DiscSource::Tracks);
    let [first, second] = disc.sessions.as_slice() else {
        panic!("{disc:?}")
    };
    assert_eq!(
        (first.number, first.lead_out, first.tracks.len()),
        (Some(1), None, 2)
    );
    assert_eq!(
        (second.number, second.lead_out, second.tracks.len()),
        (Some(2), Some(Lba(30_000)), 1)
    );
    assert_eq!(disc.track(1).unwrap().length, Some(10_000));
    assert_eq!(
        (disc.track(2).unwrap().length, disc.track(2).unwrap().end()),
        (None, None)
    );
    assert_eq!(
        disc.track(3).map(|track| (track.session, track.length)),
        Some((Some(2), Some(3600)))
    );
    assert!(!disc.track(2).unwrap().contains(Lba(12_000)));

    // (format 1) to (session of track 1, of track 3, length of track 2).
    for (last, result) in [
        (
            Some(last_session(1, 1, 1)),
            (Some(1), Some(1), Some(16_400)),
        ),
        (Some(last_session(1, 4, 3)), (None, Some(4), None)),
        (Some(last_session(1, 2, 77)), (None, None, Some(16_400))),
        (None, (None, None, Some(16_400))),
    ] {
        // A drive that answers with the list of tracks to whatever it is asked for.
        let fake = with([Some(tracks()), last, Some(tracks())]);
        let disc = OpticalDrive::new(&fake).disc().unwrap();
        let (one, two, three) = (
            disc.track(1).unwrap(),
            disc.track(2).unwrap(),
            disc.track(3).unwrap(),
        );
        assert_eq!((one.session, three.session, two.length), result);
        assert_eq!(disc.lead_out(), Some(Lba(30_000)));
    }
}

#[test]
fn faults_are_told() {
    let mut table = tracks();
    table.truncate(table.len() - 8);
    table[1] -= 8;
    let fake = with([Some(table), None, None]);
    let disc = OpticalDrive::new(&fake).disc().unwrap();
    assert_eq!(
        (disc.lead_out(), disc.track(3).unwrap().length),
        (None, None)
    );
    assert_eq!(disc.faults, [TocFault::NoLeadOut { session: 1 }]);
    // Any other error than a refusal is one.
    let fake = Fake::answering(|cdb, data| match cdb.byte(2) {
        0 => good(data, &tracks()),
        _ => Some(Ok(refused(
            data.len(),
            SenseKey::NOT_READY,
            AdditionalSense::MEDIUM_NOT_PRESENT,
        ))),
    });
    assert!(matches!(
        OpticalDrive::new(&fake).disc(),
        Err(Error::Check(_))
    ));
}

#[test]
fn kinds_have_names() {
    assert_eq!(format!("{:<6}|", TrackKind::Audio), "audio |");
    assert_eq!(TrackKind::Data.to_string(), "data");
}

//! Format 0.

use super::*;

const ONE: &[u8] = &[0, 0x10, 1, 0, 0, 0, 0, 0];
const TWO: &[u8] = &[0, 0x12, 2, 0, 0, 0, 0x10, 0];
const NINE: &[u8] = &[0, 0x14, 9, 0, 0, 0, 0x30, 0];
const END: &[u8] = &[0, 0x14, 0xaa, 0, 0, 0, 0x40, 0];

#[test]
fn tracks_and_their_lengths() {
    let bytes = listed(1, 2, &[ONE, TWO, END]);
    let toc = exact(ReadToc::tracks(), &bytes);
    assert_eq!((toc.first_track(), toc.last_track()), (1, 2));
    assert_eq!(toc.entries().count(), 3);
    let tracks: Vec<_> = toc.tracks().collect();
    assert_eq!(
        tracks,
        [
            TocTrack {
                session: None,
                number: 1,
                control: TrackControl(0),
                start: Lba(0),
                length: Some(0x1000),
            },
            TocTrack {
                session: None,
                number: 2,
                control: TrackControl(2),
                start: Lba(0x1000),
                length: Some(0x3000),
            },
        ]
    );
    let end = toc.lead_out().unwrap();
    assert_eq!(
        (end.lba(), end.adr(), end.number()),
        (Some(Lba(0x4000)), 1, 0xaa)
    );
    assert_eq!(end.as_bytes(), END);
    assert_eq!(toc.faults(), []);
}

#[test]
fn times_in_place_of_addresses() {
    let bytes = listed(
        1,
        1,
        &[
            &[0, 0x10, 1, 0, 0, 0, 2, 0],
            &[0, 0x10, 0xaa, 0, 0, 80, 1, 74],
        ],
    );
    let toc = exact(ReadToc::tracks().msf(true), &bytes);
    let track = toc.tracks().next().unwrap();
    let length = (80 * 60 + 1) * 75 + 74 - 150;
    assert_eq!((track.start, track.length), (Lba(0), Some(length)));
    assert_eq!(toc.lead_out().unwrap().msf(), Msf::new(80, 1, 74));
    assert_eq!(toc.faults(), []);
    let bytes = listed(
        1,
        1,
        &[
            &[0, 0x10, 1, 0, 0, 0, 2, 0],
            &[0, 0x10, 0xaa, 0, 0, 4, 60, 75],
        ],
    );
    let toc = exact(ReadToc::tracks().msf(true), &bytes);
    let fault = TocFault::Time {
        number: 0xaa,
        msf: [4, 60, 75],
    };
    assert_eq!(toc.faults(), [fault]);
    assert_eq!(
        fault.to_string(),
        "4:60.75 of track or point aah is no time"
    );
}

/// A disc of 99 minutes; and a track that begins at no time is a fault and none.
#[test]
fn times_at_the_end_of_what_can_be() {
    let bytes = listed(
        1,
        2,
        &[
            &[0, 0x10, 1, 0, 0, 0, 60, 0],
            &[0, 0x10, 2, 0, 0, 95, 0, 0],
            &[0, 0x10, 0xaa, 0, 0, 99, 0, 0],
        ],
    );
    let toc = exact(ReadToc::tracks().msf(true), &bytes);
    let tracks: Vec<_> = toc
        .tracks()
        .map(|track| (track.start, track.length))
        .collect();
    assert_eq!(tracks, [(Lba(427_350), Some(18_000))]);
    assert_eq!(toc.lead_out().unwrap().lba(), Some(Lba(445_350)));
    let fault = TocFault::Time {
        number: 1,
        msf: [0, 60, 0],
    };
    assert_eq!(toc.faults(), [fault]);
    assert_eq!(toc.entries().next().unwrap().lba(), None);
}

#[test]
fn a_negative_address() {
    let bytes = listed(1, 1, &[&[0, 0x10, 1, 0, 0xff, 0xff, 0xff, 0x6a], END]);
    let track = exact(ReadToc::tracks(), &bytes).tracks().next().unwrap();
    assert_eq!((track.start, track.length), (Lba(-150), Some(0x4000 + 150)));
}

#[test]
fn what_is_missing() {
    let bytes = listed(1, 9, &[ONE, NINE]);
    let toc = exact(ReadToc::tracks(), &bytes);
    assert_eq!(
        toc.faults(),
        [
            TocFault::NoLeadOut { session: 1 },
            TocFault::MissingTrack { number: 2 },
        ]
    );
    assert_eq!(toc.lead_out(), None);
    assert_eq!(toc.tracks().last().unwrap().length, None);
    // Asked from track 9 on, the others are not missing.
    let bytes = listed(1, 9, &[NINE, END]);
    assert_eq!(
        exact(ReadToc::tracks().starting_track(9), &bytes).faults(),
        []
    );
    let none = listed(1, 9, &[]);
    let toc = exact(ReadToc::tracks(), &none);
    assert_eq!(toc.faults(), [TocFault::NoLeadOut { session: 1 }]);
}

#[test]
fn what_cannot_be() {
    let hundred: &[u8] = &[0, 0x10, 100, 0, 0, 0, 0x30, 0];
    let zero: &[u8] = &[0, 0x10, 0, 0, 0, 0, 0, 0];
    let bytes = listed(1, 2, &[ONE, zero, hundred, TWO, END]);
    let toc = exact(ReadToc::tracks(), &bytes);
    assert_eq!(
        toc.faults(),
        [
            TocFault::TrackNumber { number: 0 },
            TocFault::TrackOrder {
                number: 0,
                after: 1
            },
            TocFault::Address {
                number: 0,
                start: Lba(0)
            },
            TocFault::TrackNumber { number: 100 },
            TocFault::TrackOrder {
                number: 2,
                after: 100
            },
            TocFault::Address {
                number: 2,
                start: Lba(0x1000)
            },
        ]
    );
    let numbers: Vec<_> = toc.tracks().map(|track| track.number).collect();
    assert_eq!(numbers, [1, 2]);
}

#[test]
fn lengths() {
    let bytes = listed(1, 1, &[ONE, END]);
    // No more was asked for.
    let toc = reply(ReadToc::tracks(), &bytes[..12], 12);
    assert!(toc.reply().is_truncated());
    assert_eq!(toc.reply().needed_length(), Some(20));
    assert_eq!(toc.faults(), []);
    assert_eq!(toc.tracks().next().unwrap().length, None);
    let toc = reply(ReadToc::tracks(), &bytes[..14], 14);
    assert_eq!(toc.faults(), [], "it is cut, and not broken");
    // More was asked for, and did not come.
    let toc = reply(ReadToc::tracks(), &bytes[..14], 804);
    let lie = LengthLie::TooHigh {
        claimed: 20,
        arrived: 14,
    };
    assert_eq!(
        toc.faults(),
        [
            TocFault::Length(lie),
            TocFault::PartialEntry { bytes: 2, entry: 8 },
            TocFault::NoLeadOut { session: 1 },
        ]
    );
    // What comes after the end is nothing.
    let long = [&bytes[..], ONE].concat();
    assert_eq!(exact(ReadToc::tracks(), &long).entries().count(), 2);
    assert_eq!(
        ReadToc::tracks().parse(ReplyBytes::borrowed(&bytes[..3])),
        Err(Malformed::Short { need: 4, got: 3 })
    );
    let zero = reply(ReadToc::tracks(), &[0; 20], 20);
    assert_eq!(zero.entries().count(), 0);
    let lie = LengthLie::TooLow {
        claimed: 2,
        arrived: 20,
    };
    assert_eq!(zero.reply().length_field_lies(), Some(lie));
}

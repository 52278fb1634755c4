//! Replies: their fields, and that no bytes are too odd.

use proptest::prelude::*;

use crate::nvme::{Malformed, Query, io::*};

/// `len` zeros with some bytes put in.
fn bytes(len: usize, parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut all = vec![0; len];
    for (at, part) in parts {
        all[*at..*at + part.len()].copy_from_slice(part);
    }
    all
}

const SERIES: [u8; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

#[test]
fn zones() {
    let first: &[u8] = &[0x02, 0x20, 0x8f, 0x0d];
    let reply = bytes(
        64 + 3 * 64,
        &[
            (0, &[2]),
            (64, first),
            (64 + 8, &SERIES[..8]),
            (64 + 16, &SERIES[8..]),
            (64 + 24, &[0xaa, 0, 0, 0, 0, 0, 0, 0xbb]),
            (128, &[0x03, 0xe0]),
            (192, &[0x02, 0x10]),
        ],
    );
    let report = ReportZones::new(0, 3).parse(&reply).unwrap();
    assert_eq!(report.count(), 2);
    let [zone, full] = report.zones() else {
        panic!("{report:?}");
    };
    assert_eq!(zone.kind(), ZoneType::SEQUENTIAL);
    assert_eq!(zone.state(), ZoneState::IMPLICITLY_OPENED);
    assert_eq!(zone.attributes_information(), 0x0d);
    assert_eq!(zone.capacity(), 0x0807_0605_0403_0201);
    assert_eq!(zone.start(), 0x100f_0e0d_0c0b_0a09);
    assert_eq!(zone.write_pointer(), Some(0xbb00_0000_0000_00aa));
    assert_eq!(zone.extension(), None, "there is none in this report");
    assert_eq!(full.state(), ZoneState::FULL);
    assert_eq!(full.write_pointer(), None);
    assert_eq!(full.kind().to_string(), "type 3h");
}

#[test]
fn zone_attributes_have_their_bits() {
    let bits = |byte| {
        let attributes = ZoneAttributes(byte);
        [
            attributes.finished_by_controller(),
            attributes.finish_recommended(),
            attributes.reset_recommended(),
            attributes.has_random_write_area(),
            attributes.has_extension(),
        ]
    };
    assert_eq!(bits(0x01), [true, false, false, false, false]);
    assert_eq!(bits(0x02), [false, true, false, false, false]);
    assert_eq!(bits(0x04), [false, false, true, false, false]);
    assert_eq!(bits(0x08), [false, false, false, true, false]);
    assert_eq!(bits(0x80), [false, false, false, false, true]);
    assert_eq!(bits(0x70), [false; 5]);
}

#[test]
fn zones_with_extensions() {
    let reply = bytes(
        64 + 2 * 128,
        &[
            (0, &[2]),
            (64, &[2, 0x40, 0x80]),
            (128, &SERIES),
            (192, &[2, 0x10]),
            (256, &SERIES),
        ],
    );
    let report = ReportZones::new(0, 2).extended(1).parse(&reply).unwrap();
    let [closed, empty] = report.zones() else {
        panic!("{report:?}");
    };
    assert_eq!(closed.extension(), Some(&*bytes(64, &[(0, &SERIES)])));
    assert_eq!(empty.state(), ZoneState::EMPTY);
    assert_eq!(empty.extension(), None, "it is not valid");
}

#[test]
fn a_partial_report_counts_what_it_has() {
    let reply = bytes(64 + 64, &[(0, &[9])]);
    let report = ReportZones::new(0, 1);
    let too_many = Malformed::Length { named: 9, max: 1 };
    assert_eq!(report.parse(&reply.clone()).unwrap_err(), too_many);
    let all = report.partial(false).parse(&reply).unwrap();
    assert_eq!((all.count(), all.zones().len()), (9, 1));
    let short = Malformed::Short { need: 64, got: 63 };
    assert_eq!(report.parse(&[0; 63]).unwrap_err(), short);
}

#[test]
fn reservation_status() {
    let reply = bytes(
        24 + 2 * 24,
        &[
            (0, &[4, 3, 2, 1, 5, 2, 0, 0xff, 0xff, 1]),
            (24, &[0x34, 0x12, 1]),
            (32, &SERIES),
        ],
    );
    let status = ReservationReport::new(2).parse(&reply).unwrap();
    assert_eq!(status.generation(), 0x0102_0304);
    assert_eq!(
        status.reservation(),
        Some(ReservationType::WRITE_EXCLUSIVE_ALL_REGISTRANTS)
    );
    assert!(status.keeps_through_power_loss() && status.is_complete());
    let [holder, other] = status.registrants() else {
        panic!("{status:?}");
    };
    assert_eq!((holder.controller(), holder.holds()), (0x1234, true));
    assert_eq!(holder.host(), 0x0807_0605_0403_0201);
    assert_eq!(holder.key(), 0x100f_0e0d_0c0b_0a09);
    assert!(!other.holds());
}

#[test]
fn no_more_registrants_than_there_are() {
    for extended in [false, true] {
        let report = ReservationReport::new(5).extended(extended);
        let reply = bytes(report.reply_length(), &[(5, &[2, 0])]);
        let status = report.parse(&reply).unwrap();
        assert_eq!(status.registrants().len(), 2);
        assert!(status.is_complete());
    }
    let status = ReclaimUnitHandleStatus::new(5);
    let reply = bytes(status.reply_length(), &[(14, &[3, 0])]);
    assert_eq!(status.parse(&reply).unwrap().handles().len(), 3);
}

#[test]
fn extended_reservation_status() {
    let reply = bytes(
        64 + 64,
        &[
            (5, &[3, 0]),
            (64, &[0x34, 0x12, 1]),
            (72, &SERIES[..8]),
            (80, &SERIES),
        ],
    );
    let status = ReservationReport::new(1)
        .extended(true)
        .parse(&reply)
        .unwrap();
    assert_eq!((status.registered(), status.is_complete()), (3, false));
    assert_eq!(status.reservation(), None);
    let [one] = status.registrants() else {
        panic!("{status:?}");
    };
    assert_eq!(one.key(), 0x0807_0605_0403_0201);
    assert_eq!(one.host(), 0x100f_0e0d_0c0b_0a09_0807_0605_0403_0201);
    for (extended, need) in [(false, 24), (true, 64)] {
        let got = need - 1;
        let short = ReservationStatus::parse(&vec![0; got], extended);
        assert_eq!(short.unwrap_err(), Malformed::Short { need, got });
        assert!(ReservationStatus::parse(&vec![0; need], extended).is_ok());
    }
}

#[test]
fn reclaim_unit_handles() {
    let reply = bytes(16 + 32, &[(14, &[2, 0]), (16, &SERIES)]);
    let status = ReclaimUnitHandleStatus::new(1).parse(&reply).unwrap();
    assert_eq!((status.count(), status.handles().len()), (2, 1));
    let handle = status.handles()[0];
    assert_eq!((handle.placement(), handle.handle()), (0x0201, 0x0403));
    assert_eq!(handle.time_remaining(), 0x0807_0605);
    assert_eq!(handle.available(), 0x100f_0e0d_0c0b_0a09);
    let short = Malformed::Short { need: 16, got: 15 };
    assert_eq!(ReclaimUnitHandles::parse(&[0; 15]).unwrap_err(), short);
}

#[test]
fn names() {
    assert_eq!(ZoneState::OFFLINE.to_string(), "offline");
    assert_eq!(ZoneState(7).to_string(), "state 7h");
    let kind = ReservationType::WRITE_EXCLUSIVE;
    assert_eq!(kind.to_string(), "write exclusive");
}

proptest! {
    #[test]
    fn no_bytes_panic_a_parser(
        bytes in proptest::collection::vec(any::<u8>(), 0..700),
        units: u8,
        extended: bool,
    ) {
        if let Ok(report) = ZoneReport::parse(&bytes, units) {
            prop_assert!(report.zones().len() as u64 <= report.count());
            prop_assert!(report.zones().len() * 64 <= bytes.len());
            for zone in report.zones() {
                let _ = (zone.extension(), zone.write_pointer(), zone.state().to_string());
            }
        }
        let _ = ReportZones::new(0, 1).extended(units).parse(&bytes.clone());
        if let Ok(status) = ReservationStatus::parse(&bytes, extended) {
            prop_assert!(status.registrants().len() <= usize::from(status.registered()));
            prop_assert!(status.registrants().len() * 24 <= bytes.len());
        }
        if let Ok(handles) = ReclaimUnitHandles::parse(&bytes) {
            prop_assert!(handles.handles().len() <= usize::from(handles.count()));
            prop_assert!(handles.handles().len() * 32 <= bytes.len());
        }
    }
}

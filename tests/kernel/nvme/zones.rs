//! Zones: their states, their reports, and where an append went.

use passthru::{
    NvmeNamespace, NvmeTransportExt,
    nvme::{
        StatusCode,
        io::{
            Read, ReportZones, Write, Zone, ZoneAction, ZoneAppend, ZoneFilter, ZoneManagementSend,
            ZoneState, ZoneType,
        },
    },
};

use super::{
    guarded::Guarded,
    support::{status, sub},
};
use crate::lab::pattern;

/// Blocks from one zone to the next, and those of them that can be written.
const SIZE: u64 = 1024;
const CAPACITY: u64 = 768;

/// The zoned namespace with all zones empty.
fn empty() -> NvmeNamespace {
    let namespace = sub(5);
    namespace
        .execute(&ZoneManagementSend::all(ZoneAction::Reset))
        .unwrap();
    namespace
}

fn zone(namespace: &NvmeNamespace, number: u64) -> Zone {
    let report = namespace
        .query(&ReportZones::new(number * SIZE, 1))
        .unwrap();
    assert_eq!((report.count(), report.zones().len()), (1, 1));
    let zone = report.zones()[0].clone();
    assert_eq!(zone.start(), number * SIZE);
    zone
}

fn state(namespace: &NvmeNamespace, number: u64) -> (ZoneState, Option<u64>) {
    let zone = zone(namespace, number);
    (zone.state(), zone.write_pointer())
}

fn send(namespace: &NvmeNamespace, action: ZoneAction, number: u64) -> passthru::Result<()> {
    let command = ZoneManagementSend::new(action, number * SIZE);
    namespace.execute(&command).map(drop)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn an_append_says_where_it_went() {
    let namespace = empty();
    for number in [2, 15] {
        let start = number * SIZE;
        let append = |blocks: u32, seed| {
            let data = pattern(seed, blocks as usize * 4096);
            let done = namespace.write(&ZoneAppend::new(start, blocks), &data);
            done.map(|completion| (completion.result(), data))
        };
        let (at, first) = append(3, 1).unwrap();
        assert_eq!(at, start);
        let (at, second) = append(2, 2).unwrap();
        assert_eq!(at, start + 3);
        let expected = (ZoneState::IMPLICITLY_OPENED, Some(start + 5));
        assert_eq!(state(&namespace, number), expected);
        // Behind the write pointer there is nothing yet, which reads as zeros.
        let mut memory = Guarded::new(0, 7 * 4096);
        namespace
            .read(&Read::new(start, 7), memory.bytes())
            .unwrap();
        memory.check();
        assert!(memory.bytes()[..3 * 4096] == first);
        assert!(memory.bytes()[3 * 4096..5 * 4096] == second);
        assert!(memory.bytes()[5 * 4096..].iter().all(|byte| *byte == 0));
        // A write has to be where the pointer is.
        let data = pattern(3, 4096);
        let early = namespace.write(&Write::new(start + 4, 1), &data);
        assert_eq!(status(early), StatusCode::ZONE_INVALID_WRITE);
        namespace.write(&Write::new(start + 5, 1), &data).unwrap();
        assert_eq!(zone(&namespace, number).write_pointer(), Some(start + 6));
        let within = namespace.write(&ZoneAppend::new(start + 6, 1), &data);
        assert_eq!(status(within), StatusCode::INVALID_FIELD);
    }
    empty();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_zone_goes_through_its_states() {
    let namespace = empty();
    let start = 4 * SIZE;
    let data = pattern(4, 4096);
    assert_eq!(state(&namespace, 4), (ZoneState::EMPTY, Some(start)));
    send(&namespace, ZoneAction::Open, 4).unwrap();
    assert_eq!(
        state(&namespace, 4),
        (ZoneState::EXPLICITLY_OPENED, Some(start))
    );
    namespace.write(&Write::new(start, 1), &data).unwrap();
    send(&namespace, ZoneAction::Close, 4).unwrap();
    assert_eq!(state(&namespace, 4), (ZoneState::CLOSED, Some(start + 1)));
    namespace.write(&Write::new(start + 1, 1), &data).unwrap();
    assert_eq!(
        state(&namespace, 4),
        (ZoneState::IMPLICITLY_OPENED, Some(start + 2))
    );
    send(&namespace, ZoneAction::Finish, 4).unwrap();
    assert_eq!(state(&namespace, 4), (ZoneState::FULL, None));
    let full = namespace.write(&ZoneAppend::new(start, 1), &data);
    assert_eq!(status(full), StatusCode::ZONE_IS_FULL);
    let closed = send(&namespace, ZoneAction::Close, 4);
    assert_eq!(status(closed), StatusCode::INVALID_ZONE_STATE_TRANSITION);
    // What it holds stays, until it is reset.
    let mut memory = Guarded::new(0, 4096);
    namespace
        .read(&Read::new(start + 1, 1), memory.bytes())
        .unwrap();
    assert!(memory.bytes() == data);
    send(&namespace, ZoneAction::Reset, 4).unwrap();
    assert_eq!(state(&namespace, 4), (ZoneState::EMPTY, Some(start)));
    namespace
        .read(&Read::new(start + 1, 1), memory.bytes())
        .unwrap();
    memory.check();
    assert!(memory.bytes().iter().all(|byte| *byte == 0));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn limits_of_zones_have_their_status() {
    let namespace = empty();
    for number in 0..4 {
        send(&namespace, ZoneAction::Open, number).unwrap();
    }
    let fifth = send(&namespace, ZoneAction::Open, 4);
    assert_eq!(status(fifth), StatusCode::TOO_MANY_OPEN_ZONES);
    namespace
        .execute(&ZoneManagementSend::all(ZoneAction::Close))
        .unwrap();
    // Up to 8 are active, of which these 4 are closed.
    for number in 0..4 {
        assert_eq!(state(&namespace, number).0, ZoneState::CLOSED);
    }
    for number in 4..8 {
        send(&namespace, ZoneAction::Open, number).unwrap();
        send(&namespace, ZoneAction::Close, number).unwrap();
    }
    let ninth = send(&namespace, ZoneAction::Open, 8);
    assert_eq!(status(ninth), StatusCode::TOO_MANY_ACTIVE_ZONES);
    let namespace = empty();
    // Beyond the zone's capacity, though within the namespace.
    let data = pattern(5, 8 * 4096);
    namespace
        .write_blocks(0, &pattern(6, (CAPACITY as usize - 4) * 4096))
        .unwrap();
    let across = namespace.write(&ZoneAppend::new(0, 8), &data);
    assert_eq!(status(across), StatusCode::ZONE_BOUNDARY_ERROR);
    let mut memory = Guarded::new(0, 8 * 4096);
    let across = namespace.read(&Read::new(SIZE - 4, 8), memory.bytes());
    assert_eq!(status(across), StatusCode::ZONE_BOUNDARY_ERROR);
    memory.untouched();
    namespace
        .write(&ZoneAppend::new(0, 4), &data[..4 * 4096])
        .unwrap();
    assert_eq!(state(&namespace, 0), (ZoneState::FULL, None));
    empty();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reports_have_the_zones_that_were_asked_for() {
    let namespace = empty();
    let report = namespace.query(&ReportZones::new(0, 32)).unwrap();
    assert_eq!((report.count(), report.zones().len()), (16, 16));
    for (zone, number) in report.zones().iter().zip(0..) {
        assert_eq!(zone.start(), number * SIZE);
        assert_eq!(zone.capacity(), CAPACITY);
        assert_eq!(zone.write_pointer(), Some(number * SIZE));
        assert_eq!(
            (zone.kind(), zone.state()),
            (ZoneType::SEQUENTIAL, ZoneState::EMPTY)
        );
        assert_eq!(zone.attributes().0, 0);
        assert_eq!(zone.extension(), None);
    }
    send(&namespace, ZoneAction::Open, 3).unwrap();
    send(&namespace, ZoneAction::Finish, 7).unwrap();
    send(&namespace, ZoneAction::Finish, 9).unwrap();
    let of = |filter, from: u64, room, partial| {
        let query = ReportZones::new(from * SIZE, room)
            .filter(filter)
            .partial(partial);
        let report = namespace.query(&query).unwrap();
        let starts: Vec<_> = report
            .zones()
            .iter()
            .map(|zone| zone.start() / SIZE)
            .collect();
        (report.count(), starts)
    };
    assert_eq!(of(ZoneFilter::Full, 0, 16, true), (2, vec![7, 9]));
    assert_eq!(of(ZoneFilter::Full, 8, 16, true), (1, vec![9]));
    assert_eq!(of(ZoneFilter::ExplicitlyOpened, 0, 16, true), (1, vec![3]));
    assert_eq!(of(ZoneFilter::Closed, 0, 16, true), (0, vec![]));
    // With too little room: how many there are, or how many came.
    assert_eq!(of(ZoneFilter::Empty, 0, 2, true), (2, vec![0, 1]));
    assert_eq!(of(ZoneFilter::Empty, 0, 2, false), (13, vec![0, 1]));
    assert_eq!(of(ZoneFilter::All, 14, 16, true), (2, vec![14, 15]));
    let within = namespace
        .query(&ReportZones::new(5 * SIZE + 17, 1))
        .unwrap();
    assert_eq!(within.zones()[0].start(), 5 * SIZE);
    let beyond = namespace.query(&ReportZones::new(16 * SIZE, 1));
    assert_eq!(status(beyond), StatusCode::LBA_OUT_OF_RANGE);
    empty();
}

use super::{numbered, page, parse};
use crate::nvme::{
    Malformed, Nsid, Query,
    log::{
        Ana, AnaState, BootPartition, BootPartitionHeader, ChangedNamespaces, ChangedZones,
        FdpConfigurations, FdpConfigurationsHeader, FdpEventType, FdpEvents, FdpHandleUsage,
        LbaStatus, LbaStatusHeader, LogReply, MAX_LENGTH, PersistentEventType, PersistentEvents,
        PersistentEventsHeader, Telemetry, TelemetryHeader,
    },
};

fn nsids(numbers: &[u32]) -> Vec<Nsid> {
    numbers.iter().copied().filter_map(Nsid::new).collect()
}

#[test]
fn changed_namespaces_end_at_zero() {
    let list: ChangedNamespaces = parse(&page(4096, &[(0, &[1]), (4, &[9]), (12, &[5])]));
    assert!(!list.overflowed());
    assert_eq!(list.iter().collect::<Vec<_>>(), nsids(&[1, 9]));
    let list: ChangedNamespaces = parse(&page(4096, &[(0, &[0xff; 4])]));
    assert!(list.overflowed());
    assert_eq!(list.iter().count(), 0);
}

#[test]
fn changed_zones_are_counted() {
    let list: ChangedZones = parse(&page(4096, &[(0, &[2]), (9, &[1]), (16, &[7]), (24, &[9])]));
    assert_eq!(list.iter().collect::<Vec<_>>(), [0x100, 7]);
    assert!(!list.overflowed());
    let list: ChangedZones = parse(&page(4096, &[(0, &[0xff, 0xff])]));
    assert!(list.overflowed());
    assert_eq!(list.iter().count(), 0);
    assert_eq!(
        ChangedZones::from_bytes(page(4096, &[(0, &[0, 2])])).map(drop),
        Err(Malformed::Length {
            named: 512,
            max: 511
        })
    );
}

fn ana() -> Vec<u8> {
    page(
        16 + 32 + 8 + 32,
        &[
            (0, &[3]),
            (8, &[2]),
            (16, &[1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0x01]),
            (48, &[1, 0, 0, 0, 4]),
            (56, &[2, 0, 0, 0]),
            (72, &[0x0f]),
        ],
    )
}

#[test]
fn groups_follow_each_other() {
    let log: Ana = parse(&ana());
    assert_eq!((log.change_count(), log.group_count()), (3, 2));
    let groups: Result<Vec<_>, _> = log.groups().collect();
    let groups = groups.unwrap();
    assert_eq!((groups[0].id(), groups[0].change_count()), (1, 5));
    assert_eq!(groups[0].state(), AnaState::OPTIMIZED);
    assert_eq!(groups[0].namespaces().collect::<Vec<_>>(), nsids(&[1, 4]));
    assert_eq!((groups[1].id(), groups[1].state()), (2, AnaState::CHANGE));
    assert_eq!(groups[1].namespaces().count(), 0);
}

#[test]
fn a_group_that_says_too_much_is_the_last() {
    let mut bytes = ana();
    bytes[20] = 11;
    let log: Ana = parse(&bytes);
    let groups: Vec<_> = log.groups().collect();
    assert_eq!(groups.len(), 1);
    let named = Malformed::Length { named: 11, max: 10 };
    assert_eq!(groups[0].as_ref().map(|group| group.id()), Err(&named));
    let mut bytes = ana();
    bytes[8] = 9;
    let log: Ana = parse(&bytes);
    assert_eq!(log.groups().filter(Result::is_ok).count(), 2);
    assert_eq!(log.groups().count(), 3, "and the error");
}

fn telemetry(last: [u8; 4]) -> Vec<u8> {
    let [one, two, three, four] = last;
    page(
        512,
        &[
            (0, &[7]),
            (5, &[0xc0, 0xb0, 0xa0]),
            (8, &[one, 0, two, 0, three, 0, 0, 0, four]),
            (380, &[1, 2, 1, 4]),
            (384, b"reason"),
        ],
    )
}

#[test]
fn telemetry_areas_are_what_the_header_says() {
    let header: TelemetryHeader = parse(&telemetry([1, 1, 3, 0]));
    assert_eq!(header.oui(), [0xa0, 0xb0, 0xc0]);
    assert_eq!((header.host_scope(), header.host_generation()), (1, 2));
    assert!(header.is_available());
    assert_eq!(header.controller_generation(), 4);
    assert_eq!(&header.reason()[..7], b"reason\0");
    assert_eq!(header.length(), 4 * 512);
    assert_eq!(Telemetry::whole(&header).unwrap().reply_length(), 2048);
    assert_eq!(
        Telemetry::up_to_area(&header, 2).unwrap().reply_length(),
        1024
    );

    let mut bytes = telemetry([1, 1, 3, 0]);
    bytes.resize(2048, 0xee);
    bytes[512] = 0x11;
    bytes[1024] = 0x33;
    let log: Telemetry = parse(&bytes);
    assert_eq!(
        log.area(1).map(|area| (area.len(), area[0])),
        Some((512, 0x11))
    );
    assert_eq!(log.area(2), Some(&[][..]));
    assert_eq!(
        log.area(3).map(|area| (area.len(), area[0])),
        Some((1024, 0x33))
    );
    assert_eq!(log.area(4), Some(&[][..]));
    assert_eq!((log.area(0), log.area(5)), (None, None));
    assert_eq!(log.as_bytes().len(), 2048);
    bytes.truncate(2047);
    assert_eq!(parse::<Telemetry>(&bytes).area(3), None);
}

#[test]
fn telemetry_that_lies_is_refused() {
    let header = page(512, &[(0, &[8]), (16, &[0xff; 4])]);
    let header: TelemetryHeader = parse(&header);
    assert_eq!(header.length(), 1 << 41);
    assert_eq!(
        Telemetry::whole(&header).map(drop),
        Err(Malformed::Length {
            named: 1 << 41,
            max: MAX_LENGTH
        })
    );
    assert!(Telemetry::up_to_area(&header, 3).is_ok());
    assert!(
        TelemetryHeader::from_bytes(vec![0; 512]).is_err(),
        "another page"
    );
}

fn event(kind: u8, lengths: [u8; 3], body: &[u8]) -> Vec<u8> {
    let [header, vendor, all] = lengths;
    let mut bytes = page(
        usize::from(header) + 3,
        &[
            (0, &[kind, 1, header, 1, 9, 0]),
            (6, &[0xe8, 0x03, 0, 0, 0, 0, 0xff, 0xff]),
            (14, &[3, 0]),
            (20, &[vendor, 0, all, 0]),
        ],
    );
    bytes.extend_from_slice(body);
    bytes
}

fn persistent(events: &[Vec<u8>], count: u8) -> Vec<u8> {
    let body = events.concat();
    let length = u16::try_from(512 + body.len()).unwrap().to_le_bytes();
    let mut bytes = page(
        512,
        &[
            (0, &[0x0d]),
            (4, &[count]),
            (8, &length),
            (16, &[3, 0, 0xec, 0x01]),
            (480, &[0x02, 0x20]),
        ],
    );
    bytes.extend_from_slice(&body);
    bytes
}

#[test]
fn events_follow_each_other() {
    let bytes = persistent(
        &[
            event(0x0d, [21, 1, 3], &[0x77, 1, 2]),
            event(0xde, [25, 0, 1], &[5]),
        ],
        2,
    );
    let header: PersistentEventsHeader = parse(&bytes);
    assert_eq!((header.event_count(), header.revision()), (2, 3));
    assert!(header.supports(PersistentEventType::THERMAL_EXCURSION));
    assert!(!header.supports(PersistentEventType::VENDOR));
    assert_eq!(header.length(), 568);
    assert_eq!(
        PersistentEvents::whole(&header).unwrap().reply_length(),
        568
    );
    let log: PersistentEvents = parse(&bytes);
    let events: Result<Vec<_>, _> = log.events().collect();
    let events = events.unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].kind().to_string(), "thermal excursion");
    assert_eq!((events[0].revision(), events[0].controller()), (1, 9));
    assert_eq!((events[0].timestamp(), events[0].port()), (1000, Some(3)));
    assert_eq!(
        (events[0].vendor(), events[0].data()),
        (&[0x77][..], &[1, 2][..])
    );
    assert_eq!(events[1].kind(), PersistentEventType::VENDOR);
    assert_eq!((events[1].vendor(), events[1].data()), (&[][..], &[5][..]));
}

#[test]
fn the_fields_of_a_persistent_header_have_their_places() {
    let header: PersistentEventsHeader = parse(&numbered(512));
    let bytes = numbered(512);
    let at = |from: usize, len: usize| {
        let mut number = [0; 16];
        number[..len].copy_from_slice(&bytes[from..from + len]);
        u128::from_le_bytes(number)
    };
    assert_eq!(u128::from(header.event_count()), at(4, 4));
    assert_eq!(u128::from(header.length()), at(8, 8));
    assert_eq!(u128::from(header.timestamp()), at(20, 6));
    assert_eq!(header.power_on_hours(), at(28, 16));
    assert_eq!(u128::from(header.power_cycles()), at(44, 8));
    assert_eq!(u128::from(header.vendor_id()), at(52, 2));
    assert_eq!(u128::from(header.subsystem_vendor_id()), at(54, 2));
    assert_eq!(header.serial().as_bytes()[0], 56);
    assert_eq!(header.model().as_bytes()[0], 76);
    assert_eq!(header.nqn().as_bytes()[0], 116);
    assert_eq!(u128::from(header.generation()), at(372, 2));
    assert_eq!(u128::from(header.context()), at(374, 4));
}

#[test]
fn events_that_lie_are_the_last() {
    let good = event(1, [21, 0, 0], &[]);
    let lies = [
        (
            event(1, [21, 0, 4], &[1, 2, 3]),
            Malformed::Length { named: 28, max: 27 },
        ),
        (
            event(1, [21, 3, 2], &[1, 2]),
            Malformed::Length { named: 3, max: 2 },
        ),
        (
            event(1, [21, 0, 0], &[])[..20].to_vec(),
            Malformed::Short { need: 24, got: 20 },
        ),
    ];
    for (lie, reason) in lies {
        let log: PersistentEvents = parse(&persistent(&[good.clone(), lie], 9));
        let events: Vec<_> = log.events().map(|event| event.map(drop)).collect();
        assert_eq!(events, [Ok(()), Err(reason)]);
    }
    let mut short = event(1, [21, 0, 0], &[]);
    short[2] = 20;
    let log: PersistentEvents = parse(&persistent(&[short], 1));
    let reason = Malformed::Field {
        field: "EHL",
        value: 20,
    };
    assert_eq!(
        log.events().next().map(|event| event.map(drop)),
        Some(Err(reason))
    );
}

#[test]
fn events_end_where_the_log_does() {
    let mut bytes = persistent(&[event(1, [21, 0, 0], &[])], 2);
    bytes.extend(event(2, [21, 0, 0], &[]));
    let log: PersistentEvents = parse(&bytes);
    let events: Vec<_> = log.events().map(|event| event.map(drop)).collect();
    let none = Malformed::Short { need: 24, got: 0 };
    assert_eq!(events, [Ok(()), Err(none)]);
}

#[test]
fn a_persistent_log_that_lies_about_its_length_is_refused() {
    for length in [511, MAX_LENGTH + 1, u64::MAX] {
        let bytes = page(512, &[(8, &length.to_le_bytes())]);
        let header: PersistentEventsHeader = parse(&bytes);
        assert!(PersistentEvents::whole(&header).is_err(), "{length}");
    }
}

#[test]
fn fdp_configurations_follow_each_other() {
    let one = page(
        76,
        &[
            (0, &[76, 0, 0x92, 3, 4, 0, 0, 0, 2, 0, 7, 0, 9, 0, 0, 0]),
            (16, &[0, 0, 0, 1]),
            (24, &[60]),
            (64, &[1, 0, 0, 0, 2, 0, 0, 0, 0xa, 0xb, 0xc]),
        ],
    );
    let two = page(64, &[(0, &[64])]);
    let mut bytes = page(16, &[(0, &[1, 0, 0, 0, 156])]);
    bytes.extend([one, two].concat());
    let header: FdpConfigurationsHeader = parse(&bytes);
    assert_eq!((header.count(), header.length()), (2, 156));
    assert_eq!(
        FdpConfigurations::whole(1, &header).unwrap().reply_length(),
        156
    );
    let log: FdpConfigurations = parse(&bytes);
    let all: Result<Vec<_>, _> = log.iter().collect();
    let all = all.unwrap();
    assert_eq!(all.len(), 2);
    assert!(all[0].is_valid() && all[0].has_write_cache());
    assert_eq!((all[0].group_bits(), all[0].reclaim_groups()), (2, 4));
    assert_eq!((all[0].max_placement_ids(), all[0].namespaces()), (8, 9));
    assert_eq!(
        (all[0].reclaim_unit_size(), all[0].time_limit()),
        (16 << 20, 60)
    );
    assert_eq!(all[0].handles().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(all[0].vendor(), [0xa, 0xb, 0xc]);
    assert!(!all[1].is_valid());

    // More handles than its size has room for, and a size beyond the end.
    for (at, value) in [(24, 4), (16, 141), (16, 63)] {
        let mut lie = bytes.clone();
        lie[at] = value;
        let log: FdpConfigurations = parse(&lie);
        assert!(log.iter().next().unwrap().is_err(), "{value} at {at}");
        assert_eq!(log.iter().count(), 1);
    }
}

#[test]
fn fdp_usage_and_events() {
    let usage: FdpHandleUsage = parse(&page(24, &[(0, &[3]), (8, &[1]), (16, &[2])]));
    assert_eq!(
        (usage.count(), usage.iter().collect::<Vec<_>>()),
        (3, vec![1, 2])
    );

    let mut record = numbered(64);
    record[..2].copy_from_slice(&[0x03, 0x07]);
    let bytes = page(4096, &[(0, &[1]), (64, &record)]);
    let log: FdpEvents = parse(&bytes);
    let events: Vec<_> = log.iter().collect();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind(), FdpEventType::INVALID_PLACEMENT);
    assert_eq!(events[0].placement(), Some(0x0302));
    assert_eq!(events[0].timestamp(), 0x0908_0706_0504);
    assert_eq!(events[0].nsid(), Nsid::new(0x0f0e_0d0c));
    assert_eq!(events[0].specific()[0], 16);
    assert_eq!(events[0].location(), Some((0x2120, 0x22)));
    assert_eq!(events[0].vendor()[0], 40);
    assert!(FdpEvents::from_bytes(page(4096, &[(0, &[64])])).is_err());
}

#[test]
fn a_boot_partition_is_as_long_as_its_header_says() {
    let bytes = page(
        20,
        &[(0, &[0x15]), (4, &[2, 0, 0, 0x80]), (16, &[9, 8, 7, 6])],
    );
    let header: BootPartitionHeader = parse(&bytes);
    assert_eq!((header.active(), header.size()), (1, 256 << 10));
    let page = BootPartition::whole(1, &header).unwrap();
    assert_eq!(page.reply_length(), (256 << 10) + 16);
    let partition: BootPartition = parse(&bytes);
    assert_eq!(partition.data(), [9, 8, 7, 6]);
    assert_eq!(partition.header().active(), 1);
}

#[test]
fn lba_status_by_namespace() {
    let bytes = page(
        64,
        &[
            (0, &[64, 0, 0, 0, 2, 0, 0, 0, 9]),
            (14, &[5]),
            (16, &[1, 0, 0, 0, 1, 0, 0, 0, 0x10]),
            (32, &[0, 1, 0, 0, 0, 0, 0, 0, 8]),
            (48, &[2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x11]),
        ],
    );
    let header: LbaStatusHeader = parse(&bytes);
    assert_eq!((header.length(), header.element_count()), (64, 2));
    assert_eq!((header.estimate(), header.generation()), (9, 5));
    assert_eq!(LbaStatus::whole(&header).unwrap().reply_length(), 64);
    let log: LbaStatus = parse(&bytes);
    let all: Result<Vec<_>, _> = log.elements().collect();
    let all = all.unwrap();
    assert_eq!((all[0].nsid(), all[0].action()), (Nsid::new(1), 0x10));
    let ranges: Vec<_> = all[0]
        .ranges()
        .map(|range| (range.lba(), range.blocks()))
        .collect();
    assert_eq!(ranges, [(0x100, 8)]);
    assert!(all[1].is_whole_namespace() && !all[0].is_whole_namespace());
    assert_eq!(all[1].ranges().count(), 0);
    let mut lie = bytes;
    lie[20] = 3;
    assert!(parse::<LbaStatus>(&lie).elements().next().unwrap().is_err());
}

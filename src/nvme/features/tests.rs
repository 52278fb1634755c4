use proptest::prelude::*;

use super::*;
use crate::nvme::{Command, LengthMismatch, Lengths, Malformed, Nsid, Query};

fn nsid(nsid: u32) -> Nsid {
    Nsid::new(nsid).unwrap()
}

#[test]
fn every_feature_has_the_length_of_its_data() {
    let with_data = [
        (0x03, 4096),
        (0x0c, 256),
        (0x0d, 4096),
        (0x0e, 8),
        (0x13, 512),
        (0x16, 512),
        (0x1e, 2),
        (0x7d, 4096),
        (0x7e, 4096),
        (0x7f, 4096),
        (0x81, 8),
    ];
    let without = (0x01..=0x1b)
        .chain([0x1d, 0x80, 0x82, 0x83, 0x84, 0x85])
        .filter(|id| with_data.iter().all(|(other, _)| id != other));
    let known: Vec<_> = without.map(|id| (id, 0)).chain(with_data).collect();
    for id in 0..=u8::MAX {
        let expected = known.iter().find(|(other, _)| *other == id);
        let expected = expected.map_or(8192, |(_, len)| *len);
        assert_eq!(
            GetFeature::new(FeatureId(id)).data_len(),
            expected,
            "{id:02x}h"
        );
    }
}

#[test]
fn some_lengths_are_a_matter_of_dword_11() {
    let get = |id, dword11| GetFeature::new(id).dword11(dword11).data_len();
    assert_eq!(get(FeatureId::HOST_IDENTIFIER, 1), 16);
    let events = FeatureId::FLEXIBLE_DATA_PLACEMENT_EVENTS;
    assert_eq!(get(events, 0xff_ffff), 510);
    assert_eq!(SetFeature::new(events, 0xff_0001).unwrap().data_len(), 255);
    assert_eq!(
        SetFeature::new(FeatureId::HOST_IDENTIFIER, 0)
            .unwrap()
            .data_len(),
        8
    );
}

#[test]
fn what_may_be_a_pointer_cannot_be_set() {
    let refused = |id: u8| SetFeature::new(FeatureId(id), u32::MAX).is_none();
    for id in [0x00, 0x0d, 0x1c, 0x1f, 0x20, 0x21, 0x7c, 0x86, 0xbf] {
        assert!(refused(id), "{id:02x}h");
    }
    for id in [0x01, 0x0c, 0x0e, 0x1e, 0x7f, 0x81, 0x85, 0xc0, 0xff] {
        assert!(!refused(id), "{id:02x}h");
    }
    let vendor = SetFeature::new(FeatureId(0xc0), 1).unwrap();
    assert!(vendor.sqe(Lengths::data(0)).is_err());
    assert_eq!(vendor.sqe(Lengths::data(8192)).unwrap().cdw11, 1);
}

#[test]
fn golden_get_features() {
    let get = GetFeature::new(FeatureId(0xc5))
        .select(Select::Supported)
        .namespace(nsid(7))
        .dword11(0x1234_5678)
        .uuid_index(0xff);
    let sqe = get.sqe(Lengths::data(8192)).unwrap();
    assert_eq!((sqe.opcode, sqe.nsid), (0x0a, 7));
    assert_eq!((sqe.cdw10, sqe.cdw11), (0x3c5, 0x1234_5678));
    assert_eq!((sqe.cdw12, sqe.cdw13, sqe.cdw14), (0, 0, 0x7f));
    for (select, bits) in [
        (Select::Current, 0x006),
        (Select::Default, 0x106),
        (Select::Saved, 0x206),
    ] {
        let get = GetFeature::new(FeatureId::VOLATILE_WRITE_CACHE).select(select);
        assert_eq!(get.sqe(Lengths::data(0)).unwrap().cdw10, bits);
    }
}

#[test]
fn golden_set_features() {
    let set = SetFeature::new(FeatureId(0xc5), 0x1234_5678)
        .unwrap()
        .save(true)
        .namespace(Nsid::ALL)
        .uuid_index(0x81);
    let sqe = set.sqe(Lengths::data(8192)).unwrap();
    assert_eq!((sqe.opcode, sqe.nsid), (0x09, u32::MAX));
    assert_eq!((sqe.cdw10, sqe.cdw11), (0x8000_00c5, 0x1234_5678));
    assert_eq!((sqe.cdw12, sqe.cdw14), (0, 1));
    let sqe = FdpEvents::set(nsid(1), 0x203, 2, true)
        .sqe(Lengths::data(2))
        .unwrap();
    assert_eq!(
        (sqe.cdw10, sqe.cdw11, sqe.cdw12),
        (0x1e, 0x0002_0203, 1),
        "{sqe}"
    );
}

/// What Set Features sends of a value, and that it comes back.
fn dword<F: DwordFeature + PartialEq + core::fmt::Debug>(value: F, id: u32, expected: u32) {
    let sqe = value.set().sqe(Lengths::data(0)).unwrap();
    assert_eq!((sqe.cdw10, sqe.cdw11), (id, expected), "{value:?}");
    assert_eq!(F::from_dword(expected), value);
    assert_eq!(F::get().sqe(Lengths::data(0)).unwrap().cdw10, id);
}

#[test]
fn golden_dwords() {
    dword(
        Arbitration::default().burst(0xff).weights(256, 0, 2),
        0x01,
        0xff00_0107,
    );
    dword(PowerManagement::new(0xff).workload(0xff), 0x02, 0xff);
    let threshold = TemperatureThreshold::new(0x152)
        .sensor(0xf1)
        .hysteresis(0xff);
    dword(threshold, 0x04, 0x01c1_0152);
    assert_eq!(
        (threshold.kelvin(), threshold.hysteresis_kelvin()),
        (0x152, 7)
    );
    let recovery = ErrorRecovery::default()
        .time_limit(0xffff)
        .deallocated_is_error(true);
    dword(recovery, 0x05, 0x1_ffff);
    assert!(recovery.is_deallocated_error());
    dword(VolatileWriteCache::new(true), 0x06, 1);
    let coalescing = InterruptCoalescing::default().threshold(300).time(9);
    dword(coalescing, 0x08, 0x9ff);
    assert_eq!(
        (coalescing.completions(), coalescing.hundred_microseconds()),
        (256, 9)
    );
    dword(InterruptVector::new(0xfffe, true), 0x09, 0x1_fffe);
    dword(WriteAtomicity::new(true), 0x0a, 1);
    dword(AsyncEventConfiguration::DISCOVERY, 0x0b, 1 << 31);
    dword(KeepAliveTimer::new(5000), 0x0f, 5000);
    dword(HostThermalManagement::new(0x150, 0x160), 0x10, 0x0150_0160);
    dword(NonOperationalPower::new(true), 0x11, 1);
    dword(LbaStatusInterval::new(0x1234), 0x15, 0x1234);
    dword(SanitizeConfiguration::new(true), 0x17, 1);
    dword(
        EnduranceEventConfiguration::new(0x1234, 0x0d),
        0x18,
        0x000d_1234,
    );
    dword(CommandSetProfile::new(0xffff), 0x19, 0x1ff);
    dword(SpinupControl::new(true), 0x1a, 1);
    dword(SoftwareProgress::new(0xff), 0x80, 0xff);
    dword(
        ReservationNotificationMask::new(true, false, true),
        0x82,
        0xa,
    );
    dword(ReservationPersistence::new(true), 0x83, 1);
    dword(NamespaceWriteProtection::PERMANENT, 0x84, 3);
    assert_eq!(
        NumberOfQueues::from_dword(0xffff_0000).completion(),
        0x1_0000
    );
    assert_eq!(FlexibleDataPlacement::from_dword(0x0301).index(), 3);
}

#[test]
fn golden_selectors() {
    let dword11 = |get: GetFeature| get.sqe(Lengths::data(0)).unwrap().cdw11;
    assert_eq!(dword11(TemperatureThreshold::get_of(3, true)), 0x0013_0000);
    assert_eq!(dword11(InterruptVector::get_of(0xabc)), 0xabc);
    assert_eq!(dword11(EnduranceEventConfiguration::get_of(9)), 9);
    assert_eq!(dword11(ReadRecoveryLevel::get_of(9)), 9);
    assert_eq!(dword11(FlexibleDataPlacement::get_of(9)), 9);
    let get = NamespaceWriteProtection::get_of(nsid(5));
    assert_eq!(get.sqe(Lengths::data(0)).unwrap().nsid, 5);
}

#[test]
fn power_state_transitions_go_there_and_back() {
    let transition = PowerStateTransition {
        to_state: 31,
        idle_milliseconds: 0xff_ffff,
    };
    let table = AutonomousTransition::new()
        .with(31, Some(transition))
        .with(32, Some(transition));
    let bytes = table.to_bytes();
    assert_eq!(bytes[248..], [0xf8, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    assert_eq!(bytes[..248], [0; 248]);
    assert_eq!(AutonomousTransition::parse(&bytes).unwrap(), table);
    let sqe = AutonomousTransition::set(true).sqe(Lengths::data(256));
    assert_eq!(sqe.unwrap().cdw11, 1);
}

#[test]
fn ranges_go_there_and_back() {
    let range = LbaRange {
        kind: 1,
        attributes: 3,
        first_block: 0x0807_0605_0403_0201,
        blocks: 0x100,
        guid: *b"0123456789abcdef",
    };
    let ranges = LbaRanges::new(vec![range; 64]).unwrap();
    let bytes = ranges.to_bytes();
    assert_eq!(bytes.len(), 4096);
    assert_eq!(bytes[..2], [1, 3]);
    assert_eq!(bytes[16..26], [1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0]);
    assert_eq!(bytes[32..48], *b"0123456789abcdef");
    assert_eq!(LbaRanges::parse(&bytes, u32::MAX).unwrap(), ranges);
    let one = LbaRanges::parse(&bytes, 0).unwrap();
    assert_eq!(one.ranges(), [range]);
    let sqe = ranges.set(nsid(2)).sqe(Lengths::data(4096)).unwrap();
    assert_eq!((sqe.nsid, sqe.cdw10, sqe.cdw11), (2, 3, 63));
    assert!(LbaRanges::new(vec![]).is_none());
    assert!(LbaRanges::new(vec![range; 65]).is_none());
}

#[test]
fn a_count_of_events_does_not_lead_beyond_them() {
    let error = FdpEvents::parse(&[0; 5], 3).unwrap_err();
    assert_eq!(error, Malformed::Length { named: 3, max: 2 });
    assert_eq!(FdpEvents::parse(&[0; 5], 2).unwrap().events().len(), 2);
    let get = FdpEvents::get(nsid(1), 3, 20);
    assert_eq!(get.data_len(), 40);
    assert_eq!(get.sqe(Lengths::data(40)).unwrap().cdw11, 0x0014_0003);
    // None is no reason to send a command that moves data without a buffer.
    assert_eq!(FdpEvents::get(nsid(1), 3, 0).data_len(), 2);
    assert_eq!(FdpEvents::set(nsid(1), 3, 0, true).data_len(), 1);
}

#[test]
fn host_identifiers() {
    let extended = HostIdentifier::Extended([9; 16]);
    let sqe = extended.set().sqe(Lengths::data(16)).unwrap();
    assert_eq!((sqe.cdw10, sqe.cdw11), (0x81, 1));
    assert!(
        HostIdentifier::Short([9; 8])
            .set()
            .sqe(Lengths::data(16))
            .is_err()
    );
    assert_eq!(HostIdentifier::parse(&[9; 16]).unwrap(), extended);
    let query = HostIdentifier::get_extended();
    assert_eq!(query.reply_length(), 16);
    assert_eq!(HostIdentifier::get().reply_length(), 8);
    assert!(HostIdentifier::Short([0; 8]).is_unset());
}

#[test]
fn timestamps() {
    let parse = |attributes| Timestamp::parse(&[0xff, 0, 0, 0, 0, 1, attributes, 0xee]).unwrap();
    assert_eq!(parse(0xff).milliseconds(), 0x0100_0000_00ff);
    assert!(parse(0b010).was_set() && !parse(0b010).may_have_stopped());
    assert!(!parse(0b100).was_set() && !parse(0).was_set());
    let sqe = Timestamp::set().sqe(Lengths::data(8)).unwrap();
    assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x09, 0x0e, 0));
    assert_eq!(
        Timestamp::new(u64::MAX).to_bytes(),
        [255, 255, 255, 255, 255, 255, 0, 0]
    );
}

#[test]
fn host_behavior() {
    let behavior = HostBehavior::new()
        .advanced_retry(true)
        .telemetry_area_4(true)
        .copy_formats(0x000c);
    let bytes = behavior.to_bytes();
    assert_eq!(bytes[..6], [1, 1, 0, 0, 0x0c, 0]);
    let parsed = HostBehavior::parse(&bytes).unwrap();
    assert!(parsed.has_advanced_retry() && parsed.has_telemetry_area_4());
    assert!(!parsed.has_more_formats());
    assert_eq!(parsed.copy_format_bits(), 0x000c);
}

proptest! {
    #[test]
    fn get_features_takes_its_length_only(id: u8, dword11: u32, select in 0..4, len in 0_usize..9000) {
        let select = [Select::Current, Select::Default, Select::Saved, Select::Supported][select as usize];
        let get = GetFeature::new(FeatureId(id)).dword11(dword11).select(select);
        let expected = get.data_len();
        prop_assert!(expected <= 8192);
        prop_assert!(get.sqe(Lengths::data(expected)).is_ok());
        if len != expected {
            let mismatch = LengthMismatch::Data { len, expected: expected as u64 };
            prop_assert_eq!(get.sqe(Lengths::data(len)), Err(mismatch));
        }
    }

    #[test]
    fn set_features_takes_its_length_only(id: u8, dword11: u32, len in 0_usize..9000) {
        if let Some(set) = SetFeature::new(FeatureId(id), dword11) {
            let sqe = set.sqe(Lengths::data(len));
            prop_assert_eq!(sqe.is_ok(), len == set.data_len());
        }
    }

    #[test]
    fn no_bytes_panic_a_parser(bytes in prop::collection::vec(any::<u8>(), 0..5000), dword0: u32) {
        prop_assert_eq!(AutonomousTransition::parse(&bytes).is_ok(), bytes.len() >= 256);
        prop_assert_eq!(Timestamp::parse(&bytes).is_ok(), bytes.len() >= 8);
        prop_assert_eq!(HostBehavior::parse(&bytes).is_ok(), bytes.len() >= 512);
        prop_assert_eq!(HostIdentifier::parse(&bytes).is_ok(), bytes.len() >= 8);
        prop_assert_eq!(LbaRanges::parse(&bytes, dword0).is_ok(), bytes.len() >= 4096);
        let _ = FdpEvents::parse(&bytes, dword0);
        let _ = FdpEvents::parse(&bytes, dword0 & 0x7ff);
    }
}

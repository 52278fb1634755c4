use std::time::Duration;

use super::{numbered, page, parse};
use crate::{
    nvme::{
        Malformed, Nsid, Queue, StatusCode,
        log::{
            CommandEffects, CriticalWarning, EnduranceGroup, ErrorInformation, FdpStatistics,
            FirmwareSlots, LogId, LogReply, ReservationNotification, RotationalMedia,
            SanitizeState, SanitizeStatus, SelfTest, SelfTestCode, SelfTestOutcome, SmartHealth,
            SupportedLogs,
        },
    },
    scsi::golden::hex,
};

const SMART_2759: &str = include_str!("../../../../tests/cases/nvme-cli-2759-smartlog-head.hex");

/// What `N` bytes of [`numbered`] from `at` on are as a number.
fn number(at: usize, bytes: usize) -> u128 {
    let mut whole = [0; 16];
    whole[..bytes].copy_from_slice(&numbered(512)[at..at + bytes]);
    u128::from_le_bytes(whole)
}

#[test]
fn smart_of_a_real_drive() {
    let mut bytes = hex(SMART_2759);
    bytes.resize(512, 0);
    let health: SmartHealth = parse(&bytes);
    assert!(health.critical_warning().is_empty());
    assert_eq!(health.temperature(), 312);
    assert_eq!(health.available_spare(), 100);
    assert_eq!(health.available_spare_threshold(), 10);
    assert_eq!(health.percentage_used(), 1);
    assert!(health.endurance_group_warning().is_empty());
    assert_eq!(health.data_units_read(), 0x0828_bc3a);
    assert_eq!(health.data_units_written(), 0x034c_fcc4);
    assert_eq!(health.host_read_commands(), 0x1cac_462a);
    assert_eq!(health.host_write_commands(), 0x2f8b_e5d9);
    assert!(!health.is_blank());
    assert_eq!(health.sensor(1), None);
}

/// The same drive gave zeros on another way.
#[test]
fn a_smart_page_of_zeros_is_seen() {
    assert!(parse::<SmartHealth>(&[0; 512]).is_blank());
    for at in [1, 3, 4, 32, 63, 112, 143] {
        let bytes = page(512, &[(at, &[1])]);
        assert!(!parse::<SmartHealth>(&bytes).is_blank(), "byte {at}");
    }
}

#[test]
fn every_smart_field_has_its_place() {
    let health: SmartHealth = parse(&numbered(512));
    assert_eq!(health.critical_warning().bits(), 0);
    assert_eq!(health.temperature(), 0x0201);
    assert_eq!(health.available_spare(), 3);
    assert_eq!(health.available_spare_threshold(), 4);
    assert_eq!(health.percentage_used(), 5);
    assert_eq!(health.endurance_group_warning().bits(), 6);
    let counters = [
        health.data_units_read(),
        health.data_units_written(),
        health.host_read_commands(),
        health.host_write_commands(),
        health.busy_minutes(),
        health.power_cycles(),
        health.power_on_hours(),
        health.unexpected_power_losses(),
        health.media_errors(),
        health.error_log_entries(),
    ];
    for (index, counter) in counters.into_iter().enumerate() {
        assert_eq!(counter, number(32 + 16 * index, 16), "counter {index}");
    }
    let dwords = [
        (192, health.warning_temperature_minutes()),
        (196, health.critical_temperature_minutes()),
        (216, health.light_throttle_count()),
        (220, health.heavy_throttle_count()),
        (224, health.light_throttle_seconds()),
        (228, health.heavy_throttle_seconds()),
    ];
    for (at, value) in dwords {
        assert_eq!(u128::from(value), number(at, 4), "at {at}");
    }
    assert_eq!(health.sensor(0), None);
    assert_eq!(health.sensor(1), Some(0xc9c8));
    assert_eq!(health.sensor(8), Some(0xd7d6));
    assert_eq!(health.sensor(9), None);
}

#[test]
fn warnings_have_names() {
    let text = |bits| CriticalWarning::new(bits).to_string();
    assert_eq!(text(0), "none");
    assert_eq!(text(0x03), "spare capacity low, temperature");
    assert_eq!(text(0xc8), "media read-only, C0h");
    assert!(CriticalWarning::new(5).contains(CriticalWarning::RELIABILITY));
    assert!(!CriticalWarning::new(5).contains(CriticalWarning::TEMPERATURE));
}

#[test]
fn fewer_bytes_than_a_page_has_are_an_error() {
    assert_eq!(
        SmartHealth::from_bytes(vec![0; 511]).map(drop),
        Err(Malformed::Short {
            need: 512,
            got: 511
        })
    );
    assert!(SelfTest::from_bytes(vec![0; 563]).is_err());
    assert!(CommandEffects::from_bytes(vec![0; 4095]).is_err());
}

#[test]
fn errors_are_the_entries_in_use() {
    let mut entry = numbered(64);
    entry[12..16].copy_from_slice(&[0x05, 0x40, 0x28, 0x03]);
    entry[63] = 1;
    let none = page(64, &[]);
    let log: ErrorInformation = parse(&[&entry[..], &none[..]].concat());
    let entries: Vec<_> = log.entries().collect();
    assert_eq!(entries.len(), 1);
    let error = entries[0];
    assert_eq!(u128::from(error.count()), number(0, 8));
    assert_eq!(error.queue_id(), Some(0x0908));
    assert_eq!(error.command_id(), Some(0x0b0a));
    // Bit 0 is the phase tag.
    assert_eq!(error.status().raw(), 0x2002);
    assert_eq!(error.location(), Some((0x28, 3)));
    assert_eq!(u128::from(error.lba()), number(16, 8));
    assert_eq!(error.nsid(), Nsid::new(0x1b1a_1918));
    assert_eq!(error.vendor_page(), Some(LogId::new(0x1c)));
    assert_eq!(error.transport(), 0x1d);
    assert_eq!(error.opcode(), Some((0x1e, 0x1f)));
    assert_eq!(u128::from(error.command_specific()), number(32, 8));
    assert_eq!(error.transport_specific(), 0x2928);
}

#[test]
fn an_error_of_no_command_says_so() {
    let bytes = page(64, &[(0, &[1]), (8, &[0xff; 4]), (14, &[0xff; 2])]);
    let log: ErrorInformation = parse(&bytes);
    let error = log.entries().next().unwrap();
    assert_eq!((error.queue_id(), error.command_id()), (None, None));
    assert_eq!((error.location(), error.opcode()), (None, None));
    assert_eq!((error.nsid(), error.vendor_page()), (None, None));
}

#[test]
fn firmware_by_slot() {
    let bytes = page(
        512,
        &[(0, &[0x21]), (8, b"1.0     "), (56, b"7.7\0\0\0\0\0")],
    );
    let slots: FirmwareSlots = parse(&bytes);
    assert_eq!((slots.active(), slots.next()), (1, Some(2)));
    assert_eq!(slots.revision(1).as_deref(), Some("1.0"));
    assert_eq!(slots.revision(2), None);
    assert_eq!(slots.revision(7).as_deref(), Some("7.7"));
    assert_eq!((slots.revision(0), slots.revision(8)), (None, None));
}

#[test]
fn effects_by_queue_and_opcode() {
    let format = 0x0002_0005_u32.to_le_bytes();
    let write = 0x0018_0003_u32.to_le_bytes();
    let bytes = page(4096, &[(0x80 * 4, &format), (1024 + 4, &write)]);
    let effects: CommandEffects = parse(&bytes);
    let of = effects.of(Queue::Admin, 0x80);
    assert!(of.is_supported() && of.changes_namespace() && !of.changes_blocks());
    assert!(!of.changes_inventory() && !of.changes_controller() && !of.selects_uuid());
    assert_eq!((of.exclusion(), of.scope()), (2, 0));
    let of = effects.of(Queue::Io, 1);
    assert!(of.is_supported() && of.changes_blocks() && of.selects_uuid());
    assert_eq!((of.exclusion(), of.scope()), (0, 1));
    assert!(!effects.of(Queue::Admin, 1).is_supported());
    assert_eq!(effects.of(Queue::Io, 0xff).raw(), 0);
}

#[test]
fn supported_pages() {
    let bytes = page(
        1024,
        &[(2 * 4, &[1]), (0x0d * 4, &[3, 0, 1, 0]), (0xff * 4, &[2])],
    );
    let logs: SupportedLogs = parse(&bytes);
    let ids: Vec<_> = logs.iter().map(|(id, _)| id).collect();
    assert_eq!(ids, [LogId::SMART_HEALTH, LogId::PERSISTENT_EVENTS]);
    let events = logs.get(LogId::PERSISTENT_EVENTS).unwrap();
    assert!(events.has_index_offset());
    assert_eq!(events.specific(), 1);
    assert_eq!(logs.get(LogId::new(0xff)), None);
}

#[test]
fn self_tests_that_ran() {
    let mut first = numbered(28);
    first[..4].copy_from_slice(&[0x27, 9, 0x0f, 0]);
    first[24..26].copy_from_slice(&[2, 0x81]);
    let bytes = page(
        564,
        &[
            (0, &[0x01, 0x85]),
            (4, &first),
            (32, &[0x10]),
            (60, &[0x1f]),
        ],
    );
    let log: SelfTest = parse(&bytes);
    assert_eq!(
        (log.running(), log.percentage()),
        (Some(SelfTestCode::SHORT), 5)
    );
    let results: Vec<_> = log.results().collect();
    assert_eq!(results.len(), 2);
    let failed = results[0];
    assert_eq!(failed.code(), SelfTestCode::EXTENDED);
    assert_eq!(failed.outcome(), SelfTestOutcome::FAILED_SEGMENT);
    assert!(failed.outcome().is_failure());
    assert_eq!(failed.segment(), Some(9));
    assert_eq!(u128::from(failed.power_on_hours()), number(4, 8));
    assert_eq!(failed.nsid(), Nsid::new(0x0f0e_0d0c));
    assert_eq!(failed.lba().map(u128::from), Some(number(16, 8)));
    assert_eq!(failed.status_code(), Some(StatusCode::from_raw(0x281)));
    assert_eq!(failed.vendor(), [26, 27]);
    let passed = results[1];
    assert_eq!(passed.outcome().to_string(), "passed");
    assert_eq!(
        (passed.segment(), passed.nsid(), passed.lba()),
        (None, None, None)
    );
    assert_eq!(passed.status_code(), None);
    assert_eq!(parse::<SelfTest>(&[0; 564]).running(), None);
}

#[test]
fn every_field_of_an_endurance_group_has_its_place() {
    let group: EnduranceGroup = parse(&numbered(512));
    assert_eq!(group.critical_warning().bits(), 0);
    assert!(group.is_rotational());
    assert_eq!(group.available_spare(), 3);
    assert_eq!(group.available_spare_threshold(), 4);
    assert_eq!(group.percentage_used(), 5);
    assert_eq!(group.domain(), 0x0706);
    let counters = [
        group.endurance_estimate(),
        group.data_units_read(),
        group.data_units_written(),
        group.media_units_written(),
        group.host_read_commands(),
        group.host_write_commands(),
        group.media_errors(),
        group.error_log_entries(),
        group.capacity(),
        group.unallocated_capacity(),
    ];
    for (index, counter) in counters.into_iter().enumerate() {
        assert_eq!(counter, number(32 + 16 * index, 16), "counter {index}");
    }
}

#[test]
fn sanitize_that_runs() {
    let mut bytes = numbered(512);
    bytes[..4].copy_from_slice(&[0x00, 0x80, 0x1a, 0x01]);
    bytes[12..16].copy_from_slice(&[0xff; 4]);
    let status: SanitizeStatus = parse(&bytes);
    assert_eq!(status.progress(), 0x8000);
    assert!((status.fraction() - 0.5).abs() < 1e-6);
    assert_eq!(status.state(), SanitizeState::IN_PROGRESS);
    assert_eq!(status.completed_passes(), 3);
    assert!(status.is_erased());
    assert_eq!(u128::from(status.command()), number(4, 4));
    let times = [
        (8, status.overwrite_time()),
        (16, status.crypto_erase_time()),
        (20, status.overwrite_no_deallocate_time()),
        (24, status.block_erase_no_deallocate_time()),
        (28, status.crypto_erase_no_deallocate_time()),
        (32, status.verification_time()),
    ];
    for (at, time) in times {
        let seconds = u64::try_from(number(at, 4)).unwrap();
        assert_eq!(time, Some(Duration::from_secs(seconds)), "at {at}");
    }
    assert_eq!(status.block_erase_time(), None);
    assert_eq!(status.state_information(), 36);
    let never: SanitizeStatus = parse(&page(512, &[(0, &[0xff, 0xff])]));
    assert_eq!(never.state().to_string(), "never sanitized");
    assert!((never.fraction() - 1.0).abs() < 1e-6);
}

#[test]
fn smaller_pages() {
    let bytes = numbered(512);
    let media: RotationalMedia = parse(&bytes);
    let words = [media.group(), media.actuators(), media.nominal_speed()];
    assert_eq!(words, [0x0100, 0x0302, 0x0504]);
    assert_eq!(
        (media.spin_ups(), media.failed_spin_ups()),
        (0x0b0a_0908, 0x0f0e_0d0c)
    );
    assert_eq!(
        (media.loads(), media.failed_loads()),
        (0x1312_1110, 0x1716_1514)
    );

    let notification: ReservationNotification = parse(&bytes);
    assert_eq!(u128::from(notification.count()), number(0, 8));
    assert_eq!((notification.kind(), notification.more()), (8, 9));
    assert_eq!(notification.nsid(), Nsid::new(0x0f0e_0d0c));

    let statistics: FdpStatistics = parse(&bytes);
    assert_eq!(statistics.host_bytes_written(), number(0, 16));
    assert_eq!(statistics.media_bytes_written(), number(16, 16));
    assert_eq!(statistics.media_bytes_erased(), number(32, 16));
}

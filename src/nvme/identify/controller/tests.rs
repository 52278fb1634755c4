use core::time::Duration;

use proptest::prelude::*;

use super::*;

/// A controller with these bytes at these places.
fn with(places: &[(usize, &[u8])]) -> ControllerData {
    let mut bytes = vec![0; 4096];
    for (at, part) in places {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    ControllerData::parse(&bytes).unwrap()
}

/// First byte and width of the fields by Figure 312 of NVMe Base 2.1, and what
/// came from there.
fn numbers(data: &ControllerData) -> Vec<(usize, usize, &'static str, u128)> {
    vec![
        (0, 2, "VID", data.vendor_id().into()),
        (2, 2, "SSVID", data.subsystem_vendor_id().into()),
        (77, 1, "MDTS", data.max_transfer_exponent().into()),
        (78, 2, "CNTLID", data.controller_id().into()),
        (100, 2, "RRLS", data.read_recovery_levels().into()),
        (102, 1, "BPCAP", data.boot_partition_capabilities().into()),
        (110, 1, "PLSI", data.power_loss_signaling().into()),
        (134, 1, "CRCAP", data.reachability_capabilities().into()),
        (253, 1, "NVMSR", data.subsystem_report().into()),
        (255, 1, "MEC", data.management_endpoints().into()),
        (260, 1, "FRMW", data.firmware_updates().into()),
        (280, 16, "TNVMCAP", data.total_capacity()),
        (296, 16, "UNVMCAP", data.unallocated_capacity()),
        (312, 4, "RPMBS", data.rpmb_support().into()),
        (318, 1, "DSTO", data.self_test_options().into()),
        (319, 1, "FWUG", data.firmware_granularity_raw().into()),
        (336, 2, "HMMAXD", data.host_memory_descriptors().into()),
        (338, 2, "NSETIDMAX", data.nvm_set_maximum().into()),
        (340, 2, "ENDGIDMAX", data.endurance_group_maximum().into()),
        (344, 4, "ANAGRPMAX", data.ana_group_maximum().into()),
        (348, 4, "NANAGRPID", data.ana_groups().into()),
        (356, 2, "DID", data.domain_id().into()),
        (358, 1, "KPIOC", data.key_per_io_capabilities().into()),
        (368, 16, "MEGCAP", data.endurance_group_capacity_maximum()),
        (514, 2, "MAXCMD", data.max_outstanding().into()),
        (516, 4, "NN", data.namespaces().into()),
        (525, 1, "VWC", data.write_cache_raw().into()),
        (534, 2, "CDFS", data.copy_formats().into()),
        (536, 4, "SGLS", data.sgl_support().into()),
        (540, 4, "MNAN", data.namespaces_maximum().into()),
        (544, 16, "MAXDNA", data.domain_attachments_maximum()),
        (560, 4, "MAXCNA", data.attachments_maximum().into()),
        (564, 4, "OAQD", data.optimal_queue_depth().into()),
        (568, 1, "RHIRI", data.refresh_interval().into()),
        (569, 1, "HIRT", data.refresh_time().into()),
        (570, 2, "CMMRTD", data.tracking_descriptors().into()),
        (
            572,
            2,
            "NMMRTD",
            data.subsystem_tracking_descriptors().into(),
        ),
        (
            574,
            1,
            "MINMRTG",
            data.tracking_granularity_minimum().into(),
        ),
        (
            575,
            1,
            "MAXMRTG",
            data.tracking_granularity_maximum().into(),
        ),
        (576, 1, "TRATTR", data.tracking_attributes().into()),
        (578, 2, "MCUDMQ", data.migration_queues().into()),
        (580, 2, "MNSUDMQ", data.subsystem_migration_queues().into()),
        (582, 2, "MCMR", data.data_queue_ranges().into()),
        (584, 2, "NMCMR", data.subsystem_data_queue_ranges().into()),
        (586, 2, "MCDQPC", data.data_queue_prps().into()),
        (1803, 1, "MSDBD", data.capsule_descriptors().into()),
        (1806, 1, "DCTYPE", data.discovery_type().into()),
    ]
}

#[test]
fn numbers_are_where_the_figure_has_them() {
    let bytes: Vec<u8> = (0..4096_u32)
        .map(|at| (at * 37 + at / 256 + 11).to_le_bytes()[0])
        .collect();
    let data = ControllerData::parse(&bytes).unwrap();
    let numbers = numbers(&data);
    assert_eq!(numbers.len(), 47);
    for (at, width, name, value) in numbers {
        let mut expected = [0; 16];
        expected[..width].copy_from_slice(&bytes[at..at + width]);
        assert_eq!(value, u128::from_le_bytes(expected), "{name} at byte {at}");
    }
}

#[test]
fn texts() {
    let data = with(&[
        (4, b" SN12345            "),
        (24, b"Mod\xffel\0\0"),
        (64, b"1.0     "),
        (768, b"nqn.2014-08.org.nvmexpress:uuid:x\0rubbish"),
    ]);
    assert_eq!(data.serial(), "SN12345");
    assert_eq!(data.model(), "Mod\u{fffd}el");
    assert_eq!(data.firmware_revision(), "1.0");
    assert_eq!(data.subsystem_nqn(), "nqn.2014-08.org.nvmexpress:uuid:x");
    assert_eq!(with(&[(768, &[b'x'; 256])]).subsystem_nqn().len(), 256);
}

#[test]
fn identity_and_sharing() {
    let data = with(&[
        (72, &[6]),
        (73, &[0x54, 0x52, 0x00]),
        (76, &[0x0a]),
        (80, &[0, 1, 2, 0]),
        (111, &[1]),
        (112, &[1, 2]),
        (254, &[0x85]),
    ]);
    assert_eq!(data.arbitration_burst(), 64);
    assert_eq!(data.oui(), [0x00, 0x52, 0x54]);
    assert_eq!(
        data.sharing(),
        ControllerSharing::MULTIPLE_CONTROLLERS | ControllerSharing::ANA_REPORTING
    );
    assert_eq!(data.version().to_string(), "2.1");
    assert_eq!(data.controller_type(), ControllerType::IO);
    assert!(data.fru_guid().unwrap().to_string().starts_with("010200"));
    assert_eq!(data.vpd_writes_left(), Some(5));

    let none = with(&[(254, &[5])]);
    assert_eq!((none.fru_guid(), none.vpd_writes_left()), (None, None));
    assert_eq!(none.controller_type().to_string(), "not reported");
    assert_eq!(
        ControllerType::from_raw(9).to_string(),
        "controller type 09h"
    );
    assert_eq!(with(&[(72, &[255])]).arbitration_burst(), u64::MAX);
}

#[test]
fn transfer_limits() {
    assert_eq!(with(&[]).max_transfer(4096), None);
    assert_eq!(with(&[(77, &[7])]).max_transfer(4096), Some(512 << 10));
    assert_eq!(with(&[(77, &[5])]).max_transfer(65536), Some(2 << 20));
    assert_eq!(with(&[(77, &[64])]).max_transfer(4096), None);
    assert_eq!(with(&[(77, &[255])]).max_transfer(4096), None);
}

#[test]
fn times() {
    let data = with(&[
        (84, &1000_u32.to_le_bytes()),
        (88, &2_000_000_u32.to_le_bytes()),
        (104, &3_u32.to_le_bytes()),
        (128, &[1, 0, 2, 0, 3, 1]),
        (270, &[20, 0]),
        (316, &[90, 0]),
        (320, &[100, 0]),
        (342, &[10]),
        (360, &[7, 0]),
        (386, &[9, 0]),
    ]);
    assert_eq!(data.d3_resume_latency(), Duration::from_millis(1));
    assert_eq!(data.d3_entry_latency(), Duration::from_secs(2));
    assert_eq!(data.subsystem_shutdown_latency(), Duration::from_micros(3));
    let delays = [0, 1, 2, 3, 4].map(|index| data.retry_delay(index).as_millis());
    assert_eq!(delays, [0, 100, 200, 25_900, 0]);
    assert_eq!(data.firmware_activation_time(), Duration::from_secs(2));
    assert_eq!(data.extended_self_test_time(), Duration::from_secs(5400));
    assert_eq!(data.keep_alive_granularity(), Duration::from_secs(10));
    assert_eq!(data.ana_transition_time(), Duration::from_secs(10));
    assert_eq!(
        data.firmware_activation_processing_time(),
        Duration::from_millis(700)
    );
    assert_eq!(data.command_quiesce_time(), Duration::from_millis(9));
}

#[test]
fn admin_fields() {
    let data = with(&[
        (256, &[0x17, 0x02]),
        (258, &[3, 255]),
        (260, &[0x17, 0x0e, 63, 4]),
        (264, &[1, 1]),
        (266, &[0x57, 1, 0x61, 1]),
        (272, &[0, 1, 0, 0, 2, 0, 0, 0]),
        (312, &[0x01, 0, 0x1f, 0x07]),
        (319, &[0x10]),
        (322, &[1, 0, 0x11, 1, 0, 0]),
        (328, &[3, 0, 0, 0x40, 1]),
        (352, &[2]),
        (384, &[0xfd]),
    ]);
    assert_eq!(
        data.admin_commands(),
        AdminCommands::SECURITY
            | AdminCommands::FORMAT_NVM
            | AdminCommands::FIRMWARE
            | AdminCommands::SELF_TEST
            | AdminCommands::LBA_STATUS
    );
    assert_eq!((data.abort_limit(), data.async_event_limit()), (4, 256));
    assert_eq!(data.firmware_slots(), 3);
    assert!(data.first_slot_read_only() && data.activates_without_reset());
    assert!(!data.detects_overlapping_downloads());
    assert!(
        !data
            .log_attributes()
            .contains(LogAttributes::SMART_PER_NAMESPACE)
    );
    assert!(data.log_attributes().contains(LogAttributes::TELEMETRY));
    assert_eq!(data.error_log_entries(), 64);
    assert!(data.admin_vendor_standard_format() && data.autonomous_power());
    assert_eq!(data.warning_temperature(), Some(343));
    assert_eq!(data.critical_temperature(), Some(353));
    assert_eq!(data.host_memory_preferred(), 1 << 20);
    assert_eq!(data.host_memory_minimum(), 8192);
    let rpmb = data.rpmb().unwrap();
    assert_eq!((rpmb.targets, rpmb.authentication), (1, 0));
    assert_eq!((rpmb.size, rpmb.access_size), (4 << 20, 4096));
    assert_eq!(data.firmware_granularity(), Some(65536));
    assert!(data.host_thermal_management());
    assert_eq!(data.thermal_management_minimum(), Some(273));
    assert_eq!(data.thermal_management_maximum(), None);
    assert_eq!(
        data.sanitize()
            .iter_names()
            .map(|(name, _)| name)
            .collect::<Vec<_>>(),
        ["CRYPTO_ERASE", "BLOCK_ERASE"]
    );
    assert_eq!(data.no_deallocate_modifies_media(), Some(false));
    assert_eq!(data.host_memory_descriptor_minimum(), 4096);
    assert_eq!(data.persistent_event_log_size(), 128 << 10);
    assert_eq!(data.temperature_hysteresis_maximum(), 5);

    let zeros = with(&[]);
    assert_eq!((zeros.rpmb(), zeros.firmware_granularity()), (None, None));
    assert_eq!(zeros.no_deallocate_modifies_media(), None);
    assert_eq!(zeros.warning_temperature(), None);
    assert_eq!(with(&[(319, &[255])]).firmware_granularity(), Some(4));
    let most = with(&[(312, &[0xff; 4])]).rpmb().unwrap();
    assert_eq!((most.size, most.access_size), (32 << 20, 128 << 10));
}

#[test]
fn io_fields() {
    let data = with(&[
        (512, &[0x66, 0x44]),
        (520, &[0x5f, 0x01, 1]),
        (524, &[0x05, 0x07]),
        (526, &[255, 255, 7, 0, 1, 3]),
        (532, &[1, 0]),
        (536, &[1]),
        (1792, &[4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 1]),
    ]);
    assert_eq!(data.submission_entry_sizes(), (64, 64));
    assert_eq!(data.completion_entry_sizes(), (16, 16));
    assert!(
        data.io_commands()
            .contains(IoCommands::COPY | IoCommands::TIMESTAMP)
    );
    assert!(
        !data
            .io_commands()
            .intersects(IoCommands::RESERVATIONS | IoCommands::VERIFY)
    );
    assert!(data.fused_compare_write());
    assert_eq!(
        data.format_attributes(),
        FormatAttributes::FORMAT_ALL | FormatAttributes::CRYPTO_ERASE
    );
    assert!(data.has_write_cache());
    assert_eq!(data.flushes_all(), Some(true));
    assert_eq!(data.atomic_write_normal(), 65536);
    assert_eq!(data.atomic_write_power_fail(), 8);
    assert!(data.io_vendor_standard_format());
    assert_eq!(
        data.write_protection(),
        WriteProtection::BASIC | WriteProtection::UNTIL_POWER_CYCLE
    );
    assert_eq!(data.atomic_compare_write(), 2);
    assert!(data.has_sgls());
    assert_eq!(data.command_capsule_size(), 64);
    assert_eq!(data.response_capsule_size(), 16);
    assert_eq!(data.capsule_data_offset(), 32);
    assert!(data.static_controllers() && data.disconnect());

    let cache = |vwc| with(&[(525, &[vwc])]).flushes_all();
    assert_eq!(
        [1, 3, 5, 7].map(cache),
        [None, None, Some(false), Some(true)]
    );
    assert!(!with(&[(536, &[4])]).has_sgls());
}

#[test]
fn power_states() {
    let mut second = [0; 32];
    second[..4].copy_from_slice(&[0xf4, 1, 0, 3]); // 500 * 0.0001 W, not operational
    second[4..12].copy_from_slice(&[0x88, 0x13, 0, 0, 0x10, 0x27, 0, 0]);
    second[12..16].copy_from_slice(&[0xe1, 2, 3, 4]);
    second[16..19].copy_from_slice(&[50, 0, 0x40]);
    second[20..23].copy_from_slice(&[2, 0, 0x82]);
    second[23..28].copy_from_slice(&[1, 2, 3, 0x54, 0x06]);
    let data = with(&[(263, &[1]), (2048, &[0x52, 3]), (2080, &second)]);
    let states: Vec<_> = data.power_states().collect();
    assert_eq!(states.len(), 2);
    assert_eq!(states[0].max_power(), Some(8_500_000));
    assert!(states[0].is_operational());
    assert_eq!(
        (states[0].idle_power(), states[0].active_power()),
        (None, None)
    );
    let state = states[1];
    assert_eq!(state.max_power(), Some(50_000));
    assert!(!state.is_operational());
    assert_eq!(state.entry_latency(), Duration::from_millis(5));
    assert_eq!(state.exit_latency(), Duration::from_millis(10));
    assert_eq!((state.read_throughput(), state.read_latency()), (1, 2));
    assert_eq!((state.write_throughput(), state.write_latency()), (3, 4));
    assert_eq!(state.idle_power(), Some(5000));
    assert_eq!((state.active_power(), state.workload()), (Some(20_000), 2));
    let times = [
        state.emergency_recovery(),
        state.quiescence_vault(),
        state.emergency_vault(),
    ];
    assert_eq!(
        times.map(|time| (time.value, time.scale)),
        [(1, 4), (2, 5), (3, 6)]
    );
    assert_eq!(with(&[(263, &[255])]).power_states().len(), 32);
}

#[test]
fn flags_that_nobody_knows_are_kept() {
    let data = with(&[(96, &[0xff; 4])]);
    assert_eq!(data.attributes().bits(), u32::MAX);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 4096)) {
        let data = ControllerData::parse(&bytes).unwrap();
        let _ = format!("{data:?} {} {}", data.version(), data.controller_type());
        let _ = (data.max_transfer(u32::MAX), data.rpmb(), data.subsystem_nqn());
        let _ = (data.submission_entry_sizes(), data.completion_entry_sizes());
        let _ = (data.serial(), data.arbitration_burst(), numbers(&data));
        for state in data.power_states() {
            let _ = (state.max_power(), state.idle_power(), state.active_power());
        }
    }
}

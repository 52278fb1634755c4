//! Replies of one command set, and the one that is for all.

use super::*;

fn page(places: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; 4096];
    for (at, part) in places {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    bytes
}

fn dword(value: u32) -> [u8; 4] {
    value.to_le_bytes()
}

#[test]
fn nvm_namespace() {
    let numbers: Vec<u8> = (1..=7).flat_map(dword).collect();
    let bytes = page(&[
        (0, &0x0102_0304_0506_0708_u64.to_le_bytes()),
        (8, &[0x05, 0x12]),
        (12 + 63 * 4, &dword(1 << 7 | 0x50)),
        (268, &numbers),
    ]);
    let data = NvmNamespaceData::parse(&bytes[..296]).unwrap();
    assert_eq!(data.storage_tag_mask(), 0x0102_0304_0506_0708);
    assert_eq!(
        data.guard_capabilities(),
        GuardCapabilities::STORAGE_TAG_16 | GuardCapabilities::STORAGE_TAG_CHECK_READ
    );
    assert_eq!(data.storage_tag_masking(), 2);
    assert_eq!(data.guard(63), Some(Guard::BITS_32));
    assert_eq!(data.storage_tag_size(63), Some(0x50));
    assert_eq!(data.storage_tag_size(64), None);
    assert_eq!(data.guard(0), Some(Guard::BITS_16));
    let found = [
        data.deallocate_granularity(),
        data.read_granularity(),
        data.read_alignment(),
        data.optimal_read_size(),
        data.deallocate_alignment(),
        data.placement_shard_size(),
        data.allocation_granularity(),
    ];
    assert_eq!(found, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn nvm_controller() {
    let bytes = page(&[
        (0, &[1, 2, 3, 4, 5]),
        (8, &[6]),
        (16, &[7, 8, 9, 0, 0, 1, 1, 0, 10]),
    ]);
    let data = NvmControllerData::parse(&bytes).unwrap();
    assert_eq!(data.max_verify(4096), Some(8192));
    assert_eq!(data.max_write_zeroes(4096), Some(16384));
    assert_eq!(data.max_write_uncorrectable(4096), Some(32768));
    assert_eq!(data.max_write_zeroes_deallocate(4096), Some(1 << 20));
    assert_eq!(data.max_dataset_ranges(), Some(4));
    assert_eq!(data.max_dataset_range_blocks(), Some(5));
    assert_eq!(data.max_dataset_blocks(), Some(6));
    assert_eq!((data.key_per_io(), data.admin_commands()), (7, 9));
    assert_eq!(data.version().to_string(), "1.1");
    assert_eq!(data.migration_queue_format(), 10);

    let none = NvmControllerData::parse(&page(&[])).unwrap();
    assert_eq!(
        (none.max_verify(4096), none.max_dataset_ranges()),
        (None, None)
    );
    assert_eq!(none.max_dataset_range_blocks(), None);
    assert_eq!(none.max_dataset_blocks(), None);
    let most = NvmControllerData::parse(&[0xff; 25]).unwrap();
    assert_eq!(most.max_verify(4096), None);
}

#[test]
fn zoned_namespace() {
    let numbers: Vec<u8> = (1..=11).flat_map(dword).collect();
    let bytes = page(&[
        (0, &[1, 0, 3, 0]),
        (4, &numbers),
        (48, &[21, 0, 22, 0, 1]),
        (2816 + 16, &[0, 0x10, 0, 0, 0, 0, 0, 0, 2]),
    ]);
    let data = ZonedNamespaceData::parse(&bytes[..3840]).unwrap();
    assert_eq!(
        data.characteristics(),
        ZoneCharacteristics::VARIABLE_CAPACITY
    );
    assert_eq!(
        data.commands(),
        ZoneCommands::READ_ACROSS_ZONES | ZoneCommands::RANDOM_WRITE_AREA
    );
    assert_eq!((data.max_active(), data.max_open()), (Some(2), Some(3)));
    assert_eq!(
        [0, 1, 2, 3, 4].map(|index| data.reset_limit(index)),
        [Some(3), Some(5), Some(6), Some(7), None]
    );
    assert_eq!(
        [0, 1, 2, 3, 4].map(|index| data.finish_limit(index)),
        [Some(4), Some(8), Some(9), Some(10), None]
    );
    assert_eq!(data.random_write_areas(), 11);
    assert_eq!(data.random_write_flush_granularity(), 21);
    assert_eq!(data.random_write_area_size(), 22);
    assert!(data.random_write_explicit_flush());
    assert_eq!((data.zone_size(1), data.zone_size(0)), (Some(4096), None));
    assert_eq!(data.zone_size(64), None);
    assert_eq!(data.zone_descriptor_extension(1), 128);
    assert_eq!(data.zone_descriptor_extension(64), 0);

    let bytes = page(&[(4, &[0xff; 8])]);
    let data = ZonedNamespaceData::parse(&bytes).unwrap();
    assert_eq!((data.max_active(), data.max_open()), (None, None));
    assert_eq!(data.reset_limit(0), None);
}

#[test]
fn zoned_controller() {
    let limit = |zasl: u8| {
        ZonedControllerData::parse(&[zasl])
            .unwrap()
            .max_append(4096)
    };
    assert_eq!([0, 5, 255].map(limit), [None, Some(128 << 10), None]);
}

#[test]
fn independent_namespace() {
    let bytes = [
        0x38, 3, 0x81, 0x85, 1, 2, 3, 4, 1, 0, 5, 6, 7, 8, 1, 2, 9, 10, 0, 0, 11, 12, 13, 14,
    ];
    let data = IndependentNamespaceData::parse(&bytes).unwrap();
    assert_eq!(
        data.features(),
        IndependentNamespaceFeatures::IDS_NOT_REUSED
            | IndependentNamespaceFeatures::ROTATIONAL
            | IndependentNamespaceFeatures::NO_WRITE_CACHE
    );
    assert_eq!(
        data.sharing(),
        NamespaceSharing::SHARED | NamespaceSharing::DISPERSED
    );
    assert!(
        data.reservations()
            .contains(ReservationCapabilities::IGNORE_EXISTING_KEY)
    );
    assert_eq!(data.format_remaining(), Some(5));
    assert_eq!(data.ana_group(), 0x0403_0201);
    assert!(data.is_write_protected() && data.is_ready());
    assert_eq!((data.nvm_set(), data.endurance_group()), (0x0605, 0x0807));
    assert_eq!((data.key_per_io(), data.key_tag_maximum()), (2, 0x0a09));
    assert_eq!(data.reachability_group(), 0x0e0d_0c0b);
}

#[test]
fn names_of_open_sets() {
    let names = [0, 1, 2, 3, 4, 0x2f].map(|raw| CommandSet::from_raw(raw).to_string());
    assert_eq!(names[0], "NVM Command Set");
    assert_eq!(names[5], "command set 2Fh");
    assert!(names.iter().all(|name| !name.is_empty()));
    assert_eq!(Guard::from_raw(5).to_string(), "guard format 5h");
}

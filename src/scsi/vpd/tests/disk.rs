use core::time::Duration;

use proptest::prelude::*;

use super::*;

/// A page of 64 bytes in which each byte holds its offset.
fn counting(code: u8) -> Vec<u8> {
    let data: Vec<u8> = (4..64).collect();
    super::page(code, &data)
}

#[test]
fn block_limits_are_where_sbc_4_has_them() {
    let mut bytes = counting(0xb0);
    bytes[32] |= 0x80;
    let limits = read(BlockLimits, &bytes).unwrap();
    assert_eq!(limits.page().code(), VpdCode::BLOCK_LIMITS);
    assert_eq!(limits.write_same_non_zero(), Some(false));
    assert_eq!(limits.maximum_compare_and_write_length(), Some(5));
    assert_eq!(limits.optimal_transfer_length_granularity(), Some(0x0607));
    assert_eq!(limits.maximum_transfer_length(), Some(0x0809_0a0b));
    assert_eq!(limits.optimal_transfer_length(), Some(0x0c0d_0e0f));
    assert_eq!(limits.maximum_prefetch_length(), Some(0x1011_1213));
    assert_eq!(limits.maximum_unmap_lba_count(), Some(0x1415_1617));
    assert_eq!(limits.maximum_unmap_descriptor_count(), Some(0x1819_1a1b));
    assert_eq!(limits.optimal_unmap_granularity(), Some(0x1c1d_1e1f));
    assert_eq!(limits.unmap_granularity_alignment(), Some(0x2021_2223));
    assert_eq!(
        limits.maximum_write_same_length(),
        Some(0x2425_2627_2829_2a2b)
    );
    assert_eq!(limits.maximum_atomic_transfer_length(), Some(0x2c2d_2e2f));
    assert_eq!(limits.atomic_alignment(), Some(0x3031_3233));
    assert_eq!(
        limits.atomic_transfer_length_granularity(),
        Some(0x3435_3637)
    );
    assert_eq!(
        limits.maximum_atomic_transfer_length_with_boundary(),
        Some(0x3839_3a3b)
    );
    assert_eq!(limits.maximum_atomic_boundary_size(), Some(0x3c3d_3e3f));

    bytes[4] = 1;
    bytes[32] &= 0x7f;
    let limits = read(BlockLimits, &bytes).unwrap();
    assert_eq!(limits.write_same_non_zero(), Some(true));
    assert_eq!(limits.unmap_granularity_alignment(), None);
}

/// Every field of the page, as numbers.
fn limits(page: &BlockLimitsPage<'_>) -> [(usize, Option<u64>); 16] {
    [
        (5, page.write_same_non_zero().map(u64::from)),
        (6, page.maximum_compare_and_write_length().map(u64::from)),
        (8, page.optimal_transfer_length_granularity().map(u64::from)),
        (12, page.maximum_transfer_length().map(u64::from)),
        (16, page.optimal_transfer_length().map(u64::from)),
        (20, page.maximum_prefetch_length().map(u64::from)),
        (24, page.maximum_unmap_lba_count().map(u64::from)),
        (28, page.maximum_unmap_descriptor_count().map(u64::from)),
        (32, page.optimal_unmap_granularity().map(u64::from)),
        (36, page.unmap_granularity_alignment().map(u64::from)),
        (44, page.maximum_write_same_length()),
        (48, page.maximum_atomic_transfer_length().map(u64::from)),
        (52, page.atomic_alignment().map(u64::from)),
        (56, page.atomic_transfer_length_granularity().map(u64::from)),
        (
            60,
            page.maximum_atomic_transfer_length_with_boundary()
                .map(u64::from),
        ),
        (64, page.maximum_atomic_boundary_size().map(u64::from)),
    ]
}

#[test]
fn a_field_is_there_once_its_last_byte_is() {
    let mut bytes = counting(0xb0);
    bytes[32] |= 0x80;
    let whole = read(BlockLimits, &bytes).unwrap();
    for len in 4..=64 {
        // Cut by the transfer, and by the page length.
        let cut = read(BlockLimits, &bytes[..len]).unwrap();
        let mut short = bytes.clone();
        short[3] = u8::try_from(len - 4).unwrap();
        let short = read(BlockLimits, &short).unwrap();
        for page in [&cut, &short] {
            for ((end, field), (_, value)) in limits(page).into_iter().zip(limits(&whole)) {
                assert_eq!(field, value.filter(|_| len >= end), "{len} {end}");
            }
        }
    }
}

#[test]
fn zero_is_not_reported_or_not_supported() {
    let bytes = super::page(0xb0, &[0; 60]);
    let page = read(BlockLimits, &bytes).unwrap();
    assert_eq!(page.optimal_transfer_length_granularity(), None);
    assert_eq!(page.maximum_transfer_length(), None);
    assert_eq!(page.optimal_transfer_length(), None);
    assert_eq!(page.maximum_prefetch_length(), None);
    assert_eq!(page.maximum_unmap_lba_count(), Some(0));
    assert_eq!(page.maximum_unmap_descriptor_count(), Some(0));
    assert_eq!(page.optimal_unmap_granularity(), None);
    assert_eq!(page.unmap_granularity_alignment(), None);
    assert_eq!(page.maximum_write_same_length(), None);
    assert_eq!(page.maximum_atomic_transfer_length(), None);
    assert_eq!(page.atomic_alignment(), Some(0));
    assert_eq!(page.maximum_atomic_boundary_size(), Some(0));
}

#[test]
fn characteristics_of_a_turning_disk() {
    let mut bytes = super::page(0xb1, &[0; 60]);
    bytes[4..16].copy_from_slice(&[0x1c, 0x20, 0x07, 0x92, 0x26, 0, 0, 0, 0, 1, 0x51, 0x80]);
    let page = read(BlockCharacteristics, &bytes).unwrap();
    assert_eq!(page.page().code(), VpdCode::BLOCK_CHARACTERISTICS);
    assert_eq!(page.rotation(), Some(MediumRotation(7200)));
    assert_eq!(page.product_type(), Some(7));
    assert_eq!(page.write_after_block_erase_required(), Some(2));
    assert_eq!(page.write_after_crypto_erase_required(), Some(1));
    assert_eq!(page.form_factor(), Some(FormFactor::INCH_3_5));
    assert_eq!(page.zoned(), Some(Zoned::DEVICE_MANAGED));
    assert_eq!(page.background_operation_control(), Some(true));
    assert_eq!(page.fua_behavior(), Some(true));
    assert_eq!(page.verify_of_unmapped_supported(), Some(false));
    assert_eq!(page.depopulation_time(), Some(Duration::from_secs(86_400)));
}

#[test]
fn rotation_rates_by_range() {
    for (rate, name, shown) in [
        (
            MediumRotation::NOT_REPORTED,
            Some("not reported"),
            "not reported",
        ),
        (
            MediumRotation::NON_ROTATING,
            Some("not rotating"),
            "not rotating",
        ),
        (MediumRotation(0x0002), None, "rotation rate 0002h"),
        (MediumRotation(0x0400), None, "rotation rate 0400h"),
        (MediumRotation(0x0401), Some("rotating"), "1025 rpm"),
        (MediumRotation(0x1518), Some("rotating"), "5400 rpm"),
        (MediumRotation(0xfffe), Some("rotating"), "65534 rpm"),
        (MediumRotation(0xffff), None, "rotation rate ffffh"),
    ] {
        assert_eq!(rate.name(), name);
        assert_eq!(rate.to_string(), shown);
        let turns = name == Some("rotating");
        assert_eq!(rate.rpm(), turns.then_some(rate.0));
    }
}

#[test]
fn each_bit_of_the_characteristics() {
    let with = |byte8: u8| super::page(0xb1, &[0, 1, 0, 0xc5, byte8]);
    for (byte8, zoned, bits) in [
        (0x00, Zoned::NOT_REPORTED, [false, false, false]),
        (0x11, Zoned::HOST_AWARE, [false, false, true]),
        (0x22, Zoned::DEVICE_MANAGED, [false, true, false]),
        (0x34, Zoned(3), [true, false, false]),
    ] {
        let bytes = with(byte8);
        let page = read(BlockCharacteristics, &bytes).unwrap();
        assert_eq!(page.rotation(), Some(MediumRotation::NON_ROTATING));
        assert_eq!(page.zoned(), Some(zoned));
        assert_eq!(page.form_factor(), Some(FormFactor::SMALLER));
        assert_eq!(page.write_after_block_erase_required(), Some(3));
        assert_eq!(
            [
                page.background_operation_control(),
                page.fua_behavior(),
                page.verify_of_unmapped_supported()
            ],
            bits.map(Some)
        );
        assert_eq!(page.depopulation_time(), None);
    }
    for (zoned, name) in [
        (Zoned::NOT_REPORTED, "not reported"),
        (Zoned::HOST_AWARE, "host aware"),
        (Zoned::DEVICE_MANAGED, "device managed"),
    ] {
        assert_eq!(zoned.name(), Some(name));
        assert_eq!(zoned.to_string(), name);
    }
    assert_eq!(Zoned(3).name(), None);
    assert_eq!(Zoned(3).to_string(), "zoned value 3h");
    for (factor, name) in [
        (FormFactor::NOT_REPORTED, "not reported"),
        (FormFactor::INCH_5_25, "5.25 inch"),
        (FormFactor::INCH_3_5, "3.5 inch"),
        (FormFactor::INCH_2_5, "2.5 inch"),
        (FormFactor::INCH_1_8, "1.8 inch"),
        (FormFactor::SMALLER, "less than 1.8 inch"),
    ] {
        assert_eq!(factor.name(), Some(name));
        assert_eq!(factor.to_string(), name);
    }
    assert_eq!(FormFactor(9).name(), None);
    assert_eq!(FormFactor(9).to_string(), "form factor 9h");
}

#[test]
fn provisioning_of_a_thin_disk() {
    let bytes = super::page(0xb2, &[0x0b, 0xe6, 0x1a, 0x32]);
    let page = read(Provisioning, &bytes).unwrap();
    assert_eq!(page.page().code(), VpdCode::PROVISIONING);
    assert_eq!(page.threshold_exponent(), Some(11));
    assert_eq!(page.threshold_set_size(), Some(2048));
    assert_eq!(page.unmap_supported(), Some(true));
    assert_eq!(page.write_same_16_unmaps(), Some(true));
    assert_eq!(page.write_same_10_unmaps(), Some(true));
    assert_eq!(page.unmapped_reads(), Some(UnmappedReads::ZEROS));
    assert_eq!(page.anchor_supported(), Some(true));
    assert_eq!(page.descriptor_present(), Some(false));
    assert_eq!(page.minimum_percentage(), Some(3));
    assert_eq!(page.provisioning_type(), Some(ProvisioningType::THIN));
    assert_eq!(page.threshold_percentage(), Some(50));
    assert_eq!(page.group(), Ok(None));
}

#[test]
fn a_device_exponent_never_overflows() {
    // sg3_utils#74: shift by 32 and more.
    for exponent in 0..=255u8 {
        let bytes = super::page(0xb2, &[exponent, 0, 0, 0]);
        let page = read(Provisioning, &bytes).unwrap();
        let size = page.threshold_set_size();
        match exponent {
            1..=63 => assert_eq!(size.map(u64::trailing_zeros), Some(exponent.into())),
            _ => assert_eq!(size, None),
        }
    }
}

#[test]
fn what_unmapped_blocks_read_as() {
    for (reads, name) in [
        (UnmappedReads::NOT_REPORTED, Some("not reported")),
        (UnmappedReads::ZEROS, Some("zeros")),
        (UnmappedReads::PATTERN, Some("pattern")),
        (UnmappedReads(3), Some("zeros")),
        (UnmappedReads(4), None),
        (UnmappedReads(5), Some("zeros")),
        (UnmappedReads(6), None),
        (UnmappedReads(7), Some("zeros")),
    ] {
        let bytes = super::page(0xb2, &[0, reads.0 << 2 | 0xe3, 0, 0]);
        let page = read(Provisioning, &bytes).unwrap();
        assert_eq!(page.unmapped_reads(), Some(reads));
        assert_eq!(reads.is_zeros(), name == Some("zeros"));
        assert_eq!(reads.name(), name);
        let number = format!("LBPRZ value {}h", reads.0);
        assert_eq!(reads.to_string(), name.unwrap_or(&number));
    }
    for (kind, name) in [
        (
            ProvisioningType::FULL_OR_NOT_REPORTED,
            "full, or not reported",
        ),
        (ProvisioningType::RESOURCE, "resource provisioned"),
        (ProvisioningType::THIN, "thin provisioned"),
    ] {
        assert_eq!(kind.name(), Some(name));
        assert_eq!(kind.to_string(), name);
    }
    assert_eq!(ProvisioningType(5).name(), None);
    assert_eq!(ProvisioningType(5).to_string(), "provisioning type 5");
}

#[test]
fn the_provisioning_group_is_a_designator() {
    let group = [
        0x01, 0x03, 0x00, 0x08, 0x50, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
    ];
    let bytes = super::page(0xb2, &[&[0, 1, 0, 0], &group[..]].concat());
    let page = read(Provisioning, &bytes).unwrap();
    let found = page.group().unwrap().unwrap();
    assert_eq!(found.to_string(), "naa.5001020304050607");
    for len in 9..bytes.len() {
        let page = read(Provisioning, &bytes[..len]).unwrap();
        assert!(matches!(page.group(), Err(Malformed::Short { .. })));
    }
    // The bit is set and nothing follows.
    assert_eq!(read(Provisioning, &bytes[..8]).unwrap().group(), Ok(None));
    assert_eq!(
        read(Provisioning, &bytes[..5])
            .unwrap()
            .descriptor_present(),
        None
    );
}

proptest! {
    #[test]
    fn any_bytes_are_a_disk_page(
        mut bytes in proptest::collection::vec(any::<u8>(), 4..=600),
        length in 0..=80u16,
    ) {
        bytes[0] &= 0x1f;
        bytes[2..4].copy_from_slice(&length.to_be_bytes());
        bytes[1] = 0xb0;
        let page = read(BlockLimits, &bytes).unwrap();
        let end = page.page().as_bytes().len();
        for (need, field) in limits(&page) {
            prop_assert!(field.is_none() || need <= end);
        }
        bytes[1] = 0xb1;
        let page = read(BlockCharacteristics, &bytes).unwrap();
        let _ = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            page.rotation().map(|rate| rate.to_string()), page.product_type(),
            page.write_after_block_erase_required(), page.write_after_crypto_erase_required(),
            page.form_factor().map(|factor| factor.to_string()), page.zoned(),
            page.background_operation_control(), page.fua_behavior(),
            page.verify_of_unmapped_supported(), page.depopulation_time(),
        );
        bytes[1] = 0xb2;
        let page = read(Provisioning, &bytes).unwrap();
        let _ = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            page.threshold_set_size(), page.unmap_supported(), page.write_same_16_unmaps(),
            page.write_same_10_unmaps(), page.unmapped_reads(), page.anchor_supported(),
            page.descriptor_present(), page.minimum_percentage(), page.provisioning_type(),
            page.threshold_percentage(), page.group().map(|group| group.map(|one| one.to_string())),
        );
    }
}

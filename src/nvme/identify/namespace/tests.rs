use proptest::prelude::*;

use super::*;
use crate::nvme::identify::{Eui64, Nguid};

/// A namespace of 8 blocks with these bytes at these places.
fn with(places: &[(usize, &[u8])]) -> NamespaceData {
    let mut bytes = vec![0; 4096];
    bytes[0] = 8;
    for (at, part) in places {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    NamespaceData::parse(&bytes).unwrap()
}

fn nvm(places: &[(usize, &[u8])]) -> NvmNamespaceData {
    let mut bytes = vec![0; 4096];
    for (at, part) in places {
        bytes[*at..at + part.len()].copy_from_slice(part);
    }
    NvmNamespaceData::parse(&bytes).unwrap()
}

#[test]
fn numbers_are_where_the_figure_has_them() {
    let bytes: Vec<u8> = (0..4096_u32)
        .map(|at| (at * 37 + at / 256 + 11).to_le_bytes()[0])
        .collect();
    let data = NamespaceData::parse(&bytes).unwrap();
    let numbers: [(usize, usize, &str, u128); 13] = [
        (0, 8, "NSZE", data.size().into()),
        (8, 8, "NCAP", data.capacity().into()),
        (16, 8, "NUSE", data.utilization().into()),
        (42, 2, "NABO", data.atomic_boundary_offset().into()),
        (46, 2, "NOIOB", data.optimal_boundary().unwrap().into()),
        (48, 16, "NVMCAP", data.nvm_capacity()),
        (74, 2, "MSSRL", data.copy_range_maximum().into()),
        (76, 4, "MCL", data.copy_maximum().into()),
        (81, 1, "KPIOS", data.key_per_io().into()),
        (84, 4, "KPIODAAG", data.key_per_io_granularity().into()),
        (92, 4, "ANAGRPID", data.ana_group().into()),
        (100, 2, "NVMSETID", data.nvm_set().into()),
        (102, 2, "ENDGID", data.endurance_group().into()),
    ];
    for (at, width, name, value) in numbers {
        let mut expected = [0; 16];
        expected[..width].copy_from_slice(&bytes[at..at + width]);
        assert_eq!(value, u128::from_le_bytes(expected), "{name} at byte {at}");
    }
    assert_eq!(
        data.nguid(),
        Some(Nguid(bytes[104..120].try_into().unwrap()))
    );
    assert_eq!(
        data.eui64(),
        Some(Eui64(bytes[120..128].try_into().unwrap()))
    );
    assert_eq!(data.vendor_specific()[..], bytes[384..]);
}

#[test]
fn bit_fields() {
    let data = with(&[
        (24, &[0x9b]),
        (27, &[3, 0x1f, 0x0a, 1, 0xff, 0xb2, 0x19]),
        (99, &[1]),
    ]);
    assert_eq!(
        data.features(),
        NamespaceFeatures::THIN
            | NamespaceFeatures::ATOMIC
            | NamespaceFeatures::IDS_NOT_REUSED
            | NamespaceFeatures::OPTIMAL_WRITE
            | NamespaceFeatures::OPTIMAL_READ
    );
    assert_eq!(
        data.metadata(),
        MetadataCapabilities::EXTENDED | MetadataCapabilities::SEPARATE
    );
    assert!(
        data.protection_capabilities()
            .contains(ProtectionCapabilities::LAST)
    );
    assert_eq!((data.protection_type(), data.protection_first()), (2, true));
    assert_eq!(data.sharing(), NamespaceSharing::SHARED);
    assert!(
        data.reservations()
            .contains(ReservationCapabilities::PERSIST)
    );
    assert_eq!(data.format_remaining(), Some(50));
    assert_eq!(data.deallocated_reads(), DeallocatedReads::ZEROS);
    assert!(data.write_zeroes_deallocates() && data.deallocated_guard_is_crc());
    assert!(data.is_write_protected());

    let zeros = with(&[(32, &[50])]);
    assert_eq!(
        (zeros.format_remaining(), zeros.nguid(), zeros.eui64()),
        (None, None, None)
    );
    assert!(!zeros.is_write_protected());
    assert_eq!(zeros.deallocated_reads().to_string(), "not reported");
}

#[test]
fn counts_that_are_only_valid_if_a_bit_says_so() {
    let places: [(usize, &[u8]); 3] = [
        (34, &[1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0]),
        (64, &[7, 0, 15, 0, 31, 0, 63, 0, 127, 0]),
        (80, &[127]),
    ];
    let data = with(&[places[0], places[1], places[2], (24, &[0x12])]);
    assert_eq!(data.atomic_write_normal(), Some(2));
    assert_eq!(data.atomic_write_power_fail(), Some(3));
    assert_eq!(data.atomic_compare_write(), Some(4));
    assert_eq!(data.atomic_boundary_normal(), Some(5));
    assert_eq!(data.atomic_boundary_power_fail(), None);
    assert_eq!(data.optimal_boundary(), None);
    assert_eq!(data.write_granularity(), Some(8));
    assert_eq!(data.write_alignment(), Some(16));
    assert_eq!(data.deallocate_granularity(), Some(32));
    assert_eq!(data.deallocate_alignment(), Some(64));
    assert_eq!(data.optimal_write_size(), Some(128));
    assert_eq!(data.copy_ranges_maximum(), 128);

    let data = with(&places);
    assert_eq!(data.atomic_write_normal(), None);
    assert_eq!(data.write_granularity(), None);
    assert_eq!(data.atomic_boundary_normal(), Some(5));
}

#[test]
fn all_formats() {
    // As QEMU: 512 and 4096 bytes, each with 0, 8, 16, 64 bytes of metadata.
    let mut lbaf = Vec::new();
    for exponent in [9, 12] {
        for metadata in [0, 8, 16, 64] {
            lbaf.extend([metadata, 0, exponent, exponent - 9]);
        }
    }
    let data = with(&[(25, &[7, 6]), (128, &lbaf)]);
    let formats: Vec<_> = data.formats().collect();
    assert_eq!(formats.len(), 8);
    assert_eq!(data.format_index(), 6);
    let format = formats[6];
    assert_eq!((format.index(), format.block_length()), (6, Some(4096)));
    assert_eq!(
        (format.metadata_size(), format.relative_performance()),
        (16, 3)
    );
    assert_eq!(data.format(), Some(Format::new(4096).metadata(16, false)));
    // 64 is the most, whatever is said.
    assert_eq!(with(&[(25, &[255]), (82, &[255])]).formats().count(), 64);
    assert_eq!(with(&[(25, &[3]), (82, &[2])]).formats().count(), 6);
}

#[test]
fn the_index_has_more_bits_with_more_formats() {
    let index =
        |nlbaf, flbas, nulbaf| with(&[(25, &[nlbaf, flbas]), (82, &[nulbaf])]).format_index();
    assert_eq!(index(15, 0x65, 0), 5);
    assert_eq!(index(16, 0x65, 0), 53);
    assert_eq!(index(10, 0x25, 6), 21);
    assert_eq!(index(10, 0x25, 5), 5);
    assert_eq!(index(63, 0x7f, 0), 63);
    // Format 20 of more than 16.
    let data = with(&[(25, &[24, 0x24]), (128 + 20 * 4, &[0, 0, 12])]);
    assert_eq!(data.format(), Some(Format::new(4096)));
}

#[test]
fn formats_that_cannot_be() {
    let lbads = |exponent| with(&[(128, &[0, 0, exponent])]).format();
    assert_eq!(lbads(9), Some(Format::new(512)));
    assert_eq!(lbads(31), Some(Format::new(1 << 31)));
    for exponent in [0, 8, 32, 64, 255] {
        assert_eq!(lbads(exponent), None);
    }
    assert_eq!(with(&[(0, &[0]), (128, &[0, 0, 9])]).format(), None);
}

#[test]
fn protection_has_the_size_of_its_guard() {
    let data = |metadata, dps| with(&[(29, &[dps]), (128, &[metadata, 0, 12])]);
    let elbaf = |value: u32| nvm(&[(12, &value.to_le_bytes())]);
    let size = |metadata, pif: u32| {
        let format = data(metadata, 0x09).format_with(&elbaf(pif << 7))?;
        format.protection_information().map(|found| found.size)
    };
    assert_eq!(size(8, 0), Some(8));
    assert_eq!(size(16, 1), Some(16));
    assert_eq!(size(16, 2), Some(16));
    assert_eq!(size(64, 2), Some(16));
    // No room for it, so there is none; a guard that nobody knows is no format.
    assert_eq!(size(8, 2), None);
    assert!(data(8, 1).format_with(&elbaf(2 << 7)).is_some());
    assert_eq!(data(16, 1).format_with(&elbaf(3 << 7)), None);
    assert_eq!(data(0, 1).format(), Some(Format::new(4096)));

    let format = data(16, 0x0b).format_with(&elbaf(1 << 7)).unwrap();
    let expected = Protection {
        kind: 3,
        size: 16,
        first: true,
    };
    assert_eq!(format.protection_information(), Some(expected));
    // Without protection information the guard means nothing.
    assert_eq!(
        data(16, 0).format_with(&elbaf(3 << 7)),
        data(16, 0).format()
    );
    assert!(data(16, 0).format().is_some());
}

#[test]
fn a_qualified_guard() {
    let both = |pic: u8, elbaf: u32| nvm(&[(8, &[pic]), (12, &elbaf.to_le_bytes())]).guard(0);
    use crate::nvme::identify::Guard;
    assert_eq!(both(8, 3 << 7 | 2 << 9), Some(Guard::BITS_64));
    assert_eq!(both(8, 3 << 7 | 9 << 9).unwrap().protection_size(), None);
    assert_eq!(both(0, 3 << 7 | 2 << 9), Some(Guard::from_raw(3)));
    assert_eq!(both(8, 1 << 7 | 2 << 9), Some(Guard::BITS_32));
    assert_eq!(nvm(&[]).guard(64), None);
    assert_eq!(Guard::BITS_16.to_string(), "16-bit guard");
}

proptest! {
    #[test]
    fn no_bytes_panic(
        bytes in proptest::collection::vec(any::<u8>(), 4096),
        other in proptest::collection::vec(any::<u8>(), 4096),
    ) {
        let data = NamespaceData::parse(&bytes).unwrap();
        let nvm = NvmNamespaceData::parse(&other).unwrap();
        prop_assert!(data.formats().count() <= 64);
        if let Some(format) = data.format_with(&nvm) {
            prop_assert_eq!(Some(format.block_length()), data.format().map(|own| own.block_length()));
        }
        let _ = format!("{data:?} {nvm:?}");
        let _ = (data.atomic_write_normal(), data.atomic_boundary_normal());
    }
}

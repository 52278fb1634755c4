use proptest::prelude::*;

use super::*;
use crate::scsi::{DeviceType, golden::hex};

const PLEXTOR: &str = include_str!("../../tests/cases/bluescsi-v2-127-inquiry-plextor-lun0.hex");
const IDE_CD: &str = include_str!("../../tests/cases/lab-qemu-idecd-inquiry-alloc96.hex");
const SCSI_CD: &str = include_str!("../../tests/cases/lab-qemu-scsicd-inquiry-alloc96.hex");
const RZ24: &str = include_str!("../../tests/cases/piscsi-458-inquiry-scsi1-rz24.hex");

/// Parses `bytes` as the answer to a command that asked for `asked`.
fn answer(bytes: &[u8], asked: u16) -> StandardInquiry<'_> {
    Inquiry::standard()
        .allocation_length(asked)
        .parse(ReplyBytes::borrowed(bytes))
        .unwrap()
}

#[test]
fn cdb_bytes() {
    let standard = Inquiry::standard();
    assert_eq!(standard.reply_length(), 36);
    assert_eq!(
        standard.cdb_for(36).unwrap().as_bytes(),
        [0x12, 0, 0, 0, 36, 0]
    );
    let long = standard.allocation_length(0x1234);
    assert_eq!(long.reply_length(), 0x1234);
    assert_eq!(
        long.cdb_for(0x1234).unwrap().as_bytes(),
        [0x12, 0, 0, 0x12, 0x34, 0]
    );
    assert_eq!(
        Inquiry::vpd_raw(0xc7).cdb_for(0x1234).unwrap().as_bytes(),
        [0x12, 1, 0xc7, 0x12, 0x34, 0]
    );
    // Page 00h differs from the standard data by the EVPD bit alone.
    assert_eq!(
        Inquiry::vpd_raw(0).cdb_for(36).unwrap().as_bytes(),
        [0x12, 1, 0, 0, 36, 0]
    );
}

#[test]
fn the_length_has_sixteen_bits_and_a_least_value() {
    for len in 0..5 {
        let short = Err(LengthMismatch::TooShort { len, min: 5 });
        assert_eq!(Inquiry::standard().cdb_for(len), short);
        assert_eq!(Inquiry::vpd_raw(0).cdb_for(len), short);
    }
    assert!(Inquiry::standard().cdb_for(5).is_ok());
    assert!(Inquiry::standard().cdb_for(65_535).is_ok());
    assert_eq!(
        Inquiry::standard().cdb_for(65_536),
        Err(LengthMismatch::TooLong {
            len: 65_536,
            max: 65_535
        })
    );
}

#[test]
fn no_command_asks_for_more_than_the_buffer_has() {
    // hreinecke/sg3_utils#70: 252 bytes asked for into a buffer of 36. Whatever reply was meant,
    // the CDB has the length of the buffer that is there.
    for wanted in [5, 36, 96, 252, 0xffff] {
        for len in (5..=300).chain([0x1234, 0xffff]) {
            let [high, low] = u16::try_from(len).unwrap().to_be_bytes();
            let standard = Inquiry::standard().allocation_length(wanted);
            let page = Inquiry::vpd_raw(0x83).allocation_length(wanted);
            for cdb in [standard.cdb_for(len), page.cdb_for(len)] {
                let cdb = cdb.unwrap();
                assert_eq!([cdb.byte(3), cdb.byte(4)], [high, low], "{wanted} {len}");
            }
        }
    }
}

/// 36 bytes of a disk with this additional length.
fn disk(additional_length: u8) -> Vec<u8> {
    let mut bytes = b"\0\0\x05\x02\0\0\0\x02ACME    ROCKET          0100".to_vec();
    bytes[4] = additional_length;
    bytes
}

#[test]
fn every_length_that_is_too_low_is_flagged_and_hides_nothing() {
    // tinyusb#1349: "INQUIRY result too short (5), using 36".
    for additional_length in 0..31 {
        let mut bytes = disk(additional_length);
        let claimed = usize::from(additional_length) + 5;
        for arrived in [36, 37, 96, 255] {
            bytes.resize(arrived, 0xaa);
            let data = answer(&bytes, 255);
            assert_eq!(
                data.length_field_lies(),
                Some(LengthLie::TooLow { claimed, arrived })
            );
            assert_eq!(data.vendor(), "ACME");
            assert_eq!(data.product(), "ROCKET");
            assert_eq!(data.revision(), "0100");
            // What lies past the 36 that every device has is not data.
            assert_eq!(data.vendor_specific(), b"");
            assert!(!data.is_truncated());
        }
    }
}

#[test]
fn every_length_that_is_too_high_is_flagged_and_adds_nothing() {
    // pico-bootrom-rp2040#14: 37 additional bytes said, 36 bytes sent.
    for additional_length in 32..=255 {
        let bytes = disk(additional_length);
        let claimed = usize::from(additional_length) + 5;
        let data = answer(&bytes, 255);
        assert_eq!(
            data.length_field_lies(),
            Some(LengthLie::TooHigh {
                claimed,
                arrived: 36
            })
        );
        assert_eq!(data.needed_length(), None);
        assert_eq!(data.vendor_specific(), b"");
        // The same bytes, had no more been asked for.
        let data = answer(&bytes, 36);
        assert_eq!(data.length_field_lies(), None);
        assert_eq!(data.needed_length().map(usize::from), Some(claimed));
    }
    let data = StandardInquiry::parse(ReplyBytes::borrowed(b"\0\0\x05\x02\xff")).unwrap();
    assert_eq!(data.needed_length(), Some(260));
    assert!(
        answer(b"\0\0\x05\x02\xff", 36)
            .length_field_lies()
            .unwrap()
            .to_string()
            .contains("260 bytes, 5 arrived")
    );
}

#[test]
fn more_than_was_asked_for_is_read_by_the_length_field() {
    // armory-ums#2: the device ignores the allocation length.
    let bytes = hex(SCSI_CD);
    let data = answer(&bytes, 36);
    assert_eq!(data.vendor_specific(), [0; 20]);
    assert_eq!(data.length_field_lies(), None);
    assert_eq!(data.needed_length(), None);
}

#[test]
fn no_logical_unit_in_all_its_forms() {
    // BlueSCSI#127, #112: 7Fh; SCST#249: qualifier 011b with type 1Fh.
    for first in 0..=255u8 {
        let mut bytes = disk(31);
        bytes[0] = first;
        let data = answer(&bytes, 36);
        let (qualifier, kind) = (first >> 5, first & 0x1f);
        assert_eq!(data.peripheral_qualifier(), PeripheralQualifier(qualifier));
        assert_eq!(data.device_type(), DeviceType(kind));
        assert_eq!(data.no_logical_unit(), qualifier == 3 || kind == 0x1f);
        assert_eq!(data.is_connected(), qualifier == 0 && kind != 0x1f);
        assert!(!(data.is_connected() && data.no_logical_unit()));
    }
    for (qualifier, name) in [
        (PeripheralQualifier::CONNECTED, "connected"),
        (PeripheralQualifier::NOT_CONNECTED, "not connected"),
        (PeripheralQualifier::NO_LOGICAL_UNIT, "no logical unit"),
    ] {
        assert_eq!(qualifier.name(), Some(name));
        assert_eq!(qualifier.to_string(), name);
    }
    for raw in [2, 4, 5, 6, 7] {
        let unnamed = PeripheralQualifier(raw);
        assert_eq!(unnamed.name(), None);
        let shown = format!("peripheral qualifier {raw:03b}b");
        assert_eq!(unnamed.to_string(), shown);
    }
}

#[test]
fn a_cut_reply_has_the_same_fields_or_none() {
    // BlueSCSI#152, kvm-guest-drivers#1634: short data is less data.
    for golden in [PLEXTOR, IDE_CD, SCSI_CD, RZ24] {
        let bytes = hex(golden);
        let full = answer(&bytes, 96);
        for len in 0..bytes.len() {
            let cut = Inquiry::standard().parse(ReplyBytes::borrowed(&bytes[..len]));
            if len < 5 {
                assert_eq!(cut, Err(Malformed::Short { need: 5, got: len }));
                continue;
            }
            let cut = cut.unwrap();
            assert_eq!(cut.device_type(), full.device_type());
            assert_eq!(cut.protection().is_some(), len > 5);
            assert_eq!(cut.multi_port().is_some(), len > 6);
            assert_eq!(cut.command_queueing().is_some(), len > 7);
            for (field, whole, start) in [
                (cut.vendor(), full.vendor(), 8),
                (cut.product(), full.product(), 16),
                (cut.revision(), full.revision(), 32),
            ] {
                let part = field.as_bytes();
                assert_eq!(!part.is_empty(), len > start, "{len}");
                assert!(whole.as_bytes().starts_with(part));
            }
        }
    }
}

#[test]
fn version_descriptors_without_the_empty_ones() {
    let mut bytes = disk(91);
    bytes.resize(96, 0);
    bytes[58..64].copy_from_slice(&[0x00, 0xa2, 0x00, 0x00, 0x04, 0x60]);
    bytes[72..76].copy_from_slice(&[0x06, 0x00, 0xff, 0xff]);
    let data = answer(&bytes, 96);
    let found: Vec<_> = data.version_descriptors().collect();
    assert_eq!(found, [0x00a2, 0x0460, 0x0600]);
    // One that is cut in its middle is none.
    let data = answer(&bytes[..73], 96);
    assert_eq!(data.version_descriptors().count(), 2);
}

#[test]
fn each_flag_is_its_own_bit() {
    let flags = |data: &StandardInquiry<'_>| {
        [
            Some(data.removable()),
            Some(data.conglomerate()),
            Some(data.normal_aca()),
            Some(data.hierarchical_addressing()),
            data.storage_array_controller(),
            data.third_party_copy(),
            data.protection(),
            data.enclosure_services(),
            data.multi_port(),
            data.command_queueing(),
        ]
    };
    let bits = [
        (1, 0x80),
        (1, 0x40),
        (3, 0x20),
        (3, 0x10),
        (5, 0x80),
        (5, 0x08),
        (5, 0x01),
        (6, 0x40),
        (6, 0x10),
        (7, 0x02),
    ];
    for (index, (offset, mask)) in bits.into_iter().enumerate() {
        let mut bytes = [0; 36];
        bytes[offset] = mask;
        let mut expected = [Some(false); 10];
        expected[index] = Some(true);
        assert_eq!(flags(&answer(&bytes, 36)), expected);
    }
    for (bits, tpgs, name) in [
        (0, Tpgs::NONE, "none"),
        (0x10, Tpgs::IMPLICIT, "implicit"),
        (0x20, Tpgs::EXPLICIT, "explicit"),
        (0x30, Tpgs::BOTH, "both"),
    ] {
        let mut bytes = [0; 36];
        bytes[5] = bits | 0xcf;
        assert_eq!(answer(&bytes, 36).target_port_groups(), Some(tpgs));
        assert_eq!(tpgs.name(), Some(name));
        assert_eq!(tpgs.to_string(), name);
    }
    assert_eq!(Tpgs(4).name(), None);
    assert_eq!(Tpgs(4).to_string(), "target port group support 4h");
}

#[test]
fn names_of_versions() {
    for (version, name) in [
        (ScsiVersion::UNCLAIMED, "no standard claimed"),
        (ScsiVersion::SCSI_1, "SCSI-1"),
        (ScsiVersion::SCSI_2, "SCSI-2"),
        (ScsiVersion::SPC, "SPC"),
        (ScsiVersion::SPC_2, "SPC-2"),
        (ScsiVersion::SPC_3, "SPC-3"),
        (ScsiVersion::SPC_4, "SPC-4"),
        (ScsiVersion::SPC_5, "SPC-5"),
        (ScsiVersion::SPC_6, "SPC-6"),
        (ScsiVersion(0x82), "SCSI-2"),
        (ScsiVersion(0x83), "SPC"),
        (ScsiVersion(0x84), "SPC-2"),
    ] {
        assert_eq!(version.name(), Some(name));
        assert_eq!(version.to_string(), name);
    }
    for byte in [0x08, 0x0c, 0x0e, 0x7f, 0x8d] {
        assert_eq!(ScsiVersion(byte).name(), None);
        assert_eq!(
            ScsiVersion(byte).to_string(),
            format!("version {byte:02x}h")
        );
    }
}

#[test]
fn a_device_without_names_still_has_a_line() {
    assert_eq!(
        answer(&[0; 36], 36).to_string(),
        "disk (00h), no standard claimed"
    );
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..=600),
        asked: u16,
    ) {
        let parsed = Inquiry::standard()
            .allocation_length(asked)
            .parse(ReplyBytes::borrowed(&bytes));
        prop_assert_eq!(parsed.is_ok(), bytes.len() >= 5);
        let Ok(data) = parsed else { return Ok(()) };
        let _ = format!("{data} {data:?} {:?}", data.length_field_lies());
        let _ = (
            data.target_port_groups(), data.storage_array_controller(), data.third_party_copy(),
            data.protection(), data.enclosure_services(), data.multi_port(),
            data.command_queueing(), data.response_data_format(), data.normal_aca(),
            data.hierarchical_addressing(), data.removable(), data.conglomerate(),
            data.is_connected(), data.no_logical_unit(), data.is_truncated(),
        );
        let used = data.vendor_specific().len() + 36;
        prop_assert!(data.vendor_specific().is_empty() || used <= bytes.len());
        prop_assert!(data.version_descriptors().count() <= 8);
        prop_assert!(data.needed_length().is_none_or(|need| usize::from(need) > bytes.len()));
        let too_high = matches!(data.length_field_lies(), Some(LengthLie::TooHigh { .. }));
        prop_assert!(!(data.is_truncated() && too_high));
    }
}

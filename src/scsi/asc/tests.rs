use super::*;

#[test]
fn the_table_is_sorted_and_has_no_pair_twice() {
    assert!(table::TEXTS.is_sorted_by(|one, two| one.0 < two.0));
    assert_eq!(table::TEXTS.len(), 761);
    for (code, text) in table::TEXTS {
        let [asc, _] = code.to_be_bytes();
        assert!(
            asc < 0x80 && !matches!(asc, 0x4D | 0x70),
            "{code:04X}h is not for the table"
        );
        assert!(
            !text.is_empty() && text.trim() == *text && text.is_ascii(),
            "{code:04X}h"
        );
        let first = text.chars().next();
        assert!(
            first.is_some_and(char::is_uppercase) || text.starts_with("iSCSI"),
            "{text}"
        );
    }
}

#[test]
fn texts_over_the_whole_range() {
    let expected = [
        (0x00, 0x00, "No additional sense information"),
        (0x00, 0x01, "Filemark detected"),
        (0x00, 0x05, "End-of-data detected"),
        (0x00, 0x1D, "ATA pass through information available"),
        (0x00, 0x23, "Overlapping atomic command in progress"),
        (0x02, 0x00, "No seek complete"),
        (0x04, 0x01, "Logical unit is in process of becoming ready"),
        (
            0x04,
            0x0B,
            "Logical unit not accessible, target port in standby state",
        ),
        (0x04, 0x1B, "Logical unit not ready, sanitize in progress"),
        (0x04, 0x25, "Depopulation restoration in progress"),
        (
            0x08,
            0x03,
            "Logical unit communication CRC error (Ultra-DMA/32)",
        ),
        (0x0B, 0x01, "Warning - specified temperature exceeded"),
        (0x0C, 0x12, "Write error - insufficient zone resources"),
        (0x10, 0x01, "Logical block guard check failed"),
        (0x11, 0x05, "L-EC uncorrectable error"),
        (0x14, 0x03, "End-of-data not found"),
        (
            0x18,
            0x01,
            "Recovered data with error corr. & retries applied",
        ),
        (0x1D, 0x00, "Miscompare during verify operation"),
        (0x20, 0x00, "Invalid command operation code"),
        (0x21, 0x04, "Unaligned write command"),
        (0x23, 0x0A, "Invalid token operation, invalid token length"),
        (0x24, 0x00, "Invalid field in CDB"),
        (0x26, 0x0D, "Copy segment granularity violation"),
        (0x27, 0x01, "Hardware write protected"),
        (
            0x28,
            0x00,
            "Not ready to ready change, medium may have changed",
        ),
        (0x29, 0x00, "Power on, reset, or bus device reset occurred"),
        (0x29, 0x07, "I_T nexus loss occurred"),
        (0x2A, 0x09, "Capacity data has changed"),
        (0x2C, 0x13, "Well known logical unit access required"),
        (0x2E, 0x02, "Command timeout during processing"),
        (0x30, 0x02, "Cannot read medium - incompatible format"),
        (0x38, 0x07, "Thin provisioning soft threshold reached"),
        (0x3A, 0x02, "Medium not present - tray open"),
        (0x3B, 0x20, "Element static information changed"),
        (0x3F, 0x0E, "Reported LUNs data has changed"),
        (0x40, 0x00, "RAM failure (should use 40 NN)"),
        (0x44, 0x71, "ATA device failed set features"),
        (0x47, 0x7F, "Some commands cleared by iSCSI protocol event"),
        (0x4B, 0x15, "PCIe TLP prefix blocked"),
        (0x53, 0x02, "Medium removal prevented"),
        (0x55, 0x11, "Insufficient resources to bind"),
        (0x5D, 0x00, "Failure prediction threshold exceeded"),
        (
            0x5D,
            0x1D,
            "Hardware impending failure power loss protection circuit",
        ),
        (
            0x5D,
            0x6C,
            "Firmware impending failure drive calibration retry count",
        ),
        (0x5D, 0xFF, "Failure prediction threshold exceeded (false)"),
        (0x5E, 0x0A, "STANDBY_Y condition activated by command"),
        (0x63, 0x00, "End of user area encountered on this track"),
        (0x67, 0x0D, "Explicit bind not allowed"),
        (
            0x6F,
            0x05,
            "Drive region must be permanent/region reset count error",
        ),
        (0x71, 0x00, "Decompression exception long algorithm ID"),
        (0x73, 0x03, "Power calibration area error"),
        (0x74, 0x79, "Security conflict in translated device"),
    ];
    for (asc, ascq, text) in expected {
        assert_eq!(
            AdditionalSense::new(asc, ascq).text(),
            Some(text),
            "{asc:02X}h/{ascq:02X}h"
        );
    }
}

#[test]
fn numbers_in_the_qualifier_are_shown() {
    let show = |asc, ascq| AdditionalSense::new(asc, ascq).to_string();
    assert_eq!(
        show(0x40, 0x80),
        "Diagnostic failure on component 80h (40h/80h)"
    );
    assert_eq!(
        show(0x40, 0xFF),
        "Diagnostic failure on component FFh (40h/FFh)"
    );
    assert_eq!(show(0x40, 0x00), "RAM failure (should use 40 NN) (40h/00h)");
    assert_eq!(show(0x40, 0x7F), "unassigned (40h/7Fh)");
    assert_eq!(
        show(0x4D, 0x00),
        "Tagged overlapped commands, task tag 00h (4Dh/00h)"
    );
    assert_eq!(
        show(0x4D, 0x81),
        "Tagged overlapped commands, task tag 81h (4Dh/81h)"
    );
    assert_eq!(
        show(0x70, 0x2A),
        "Decompression exception, short algorithm ID 2Ah (70h/2Ah)"
    );
}

#[test]
fn unknown_pairs_say_whose_they_are() {
    let show = |asc, ascq| AdditionalSense::new(asc, ascq).to_string();
    assert_eq!(show(0x02, 0x82), "vendor specific (02h/82h)");
    assert_eq!(show(0x80, 0x00), "vendor specific (80h/00h)");
    assert_eq!(show(0xFF, 0xFF), "vendor specific (FFh/FFh)");
    assert_eq!(show(0x0F, 0x00), "unassigned (0Fh/00h)");
    assert_eq!(show(0x24, 0x7F), "unassigned (24h/7Fh)");
    // An assigned qualifier in the vendors' range is T10's.
    assert!(!AdditionalSense::new(0x5D, 0xFF).is_vendor_specific());
}

#[test]
fn every_pair_can_be_shown() {
    let assigned = (0..=u16::MAX)
        .map(u16::to_be_bytes)
        .map(|[asc, ascq]| AdditionalSense::new(asc, ascq))
        .filter(|pair| !pair.to_string().is_empty() && pair.text().is_some())
        .count();
    // The table, the components from 80h on, and every qualifier of 4Dh and 70h.
    assert_eq!(assigned, 761 + 0x80 + 0x100 + 0x100);
}

use super::*;

#[test]
fn the_tables_are_in_order_and_no_row_is_hidden() {
    assert!(OPCODES.is_sorted_by_key(|row| row.0));
    assert!(SERVICE_ACTIONS.is_sorted_by_key(|row| (row.0, row.1)));
    for (at, row) in OPCODES.iter().enumerate() {
        let before = OPCODES[..at].iter().filter(|other| other.0 == row.0);
        let taken = before.fold(0, |types, other| types | other.1);
        assert_ne!(row.1 & !taken, 0, "{} is never found", row.2);
    }
    for (at, row) in SERVICE_ACTIONS.iter().enumerate() {
        let before = SERVICE_ACTIONS[..at]
            .iter()
            .filter(|other| (other.0, other.1) == (row.0, row.1));
        let taken = before.fold(0, |types, other| types | other.2);
        assert_ne!(row.2 & !taken, 0, "{} is never found", row.3);
        assert!(
            OPCODES.iter().any(|other| other.0 == row.0),
            "{} has no group",
            row.3
        );
    }
}

#[test]
fn one_code_has_different_names_on_different_devices() {
    let cases = [
        (0x01, "REWIND", "REZERO UNIT", "REZERO UNIT"),
        (0x1B, "LOAD UNLOAD", "START STOP UNIT", "START STOP UNIT"),
        (0x2B, "LOCATE(10)", "SEEK(10)", "SEEK(10)"),
        (
            0x91,
            "SPACE(16)",
            "SYNCHRONIZE CACHE(16)",
            "SYNCHRONIZE CACHE(16)",
        ),
        (
            0xA1,
            "ATA PASS-THROUGH(12)",
            "BLANK",
            "ATA PASS-THROUGH(12)",
        ),
        (0x42, "UNMAP", "READ SUB-CHANNEL", "UNMAP"),
        (
            0x25,
            "READ CAPACITY(10)",
            "READ CAPACITY",
            "READ CAPACITY(10)",
        ),
    ];
    for (opcode, tape, cd, disk) in cases {
        assert_eq!(opcode_name(opcode, Some(0x01)), Some(tape));
        assert_eq!(opcode_name(opcode, Some(0x05)), Some(cd));
        assert_eq!(opcode_name(opcode, Some(0x00)), Some(disk));
        assert_eq!(opcode_name(opcode, Some(0x14)), Some(disk));
        assert_eq!(opcode_name(opcode, None), Some(disk));
    }
    assert_eq!(opcode_name(0xB8, Some(0x08)), Some("READ ELEMENT STATUS"));
    assert_eq!(opcode_name(0xA6, Some(0x08)), Some("EXCHANGE MEDIUM"));
    assert_eq!(
        opcode_name(0x1C, Some(0x0D)),
        Some("RECEIVE DIAGNOSTIC RESULTS")
    );
}

#[test]
fn codes_of_one_kind_of_device_have_no_name_on_others() {
    assert_eq!(opcode_name(0x43, None), Some("READ TOC/PMA/ATIP"));
    assert_eq!(opcode_name(0x43, Some(0x00)), None);
    assert_eq!(opcode_name(0x51, Some(0x05)), Some("READ DISC INFORMATION"));
    assert_eq!(opcode_name(0x51, None), Some("READ DISC INFORMATION"));
    assert_eq!(opcode_name(0xBE, Some(0x05)), Some("READ CD"));
    assert_eq!(opcode_name(0xBE, None), Some("READ CD"));
    assert_eq!(opcode_name(0x02, None), None);
    for vendor in 0xC0..=0xFF {
        assert_eq!(opcode_name(vendor, None), None);
    }
}

#[test]
fn a_device_type_with_qualifier_bits_is_masked() {
    assert_eq!(opcode_name(0xA1, Some(0x25)), Some("BLANK"));
}

#[test]
fn service_actions_are_named() {
    let name = |cdb: &[u8]| command_name(cdb, Some(0x00));
    assert_eq!(name(&[0x9E, 0x12, 0, 0]), Some("GET LBA STATUS(16)"));
    assert_eq!(
        name(&[0x9E, 0xF0, 0, 0]),
        Some("READ CAPACITY(16)"),
        "bits 5 to 7 are not part of it"
    );
    assert_eq!(name(&[0x9E, 0x1F]), Some("SERVICE ACTION IN(16)"));
    assert_eq!(name(&[0x9E]), Some("SERVICE ACTION IN(16)"));
    assert_eq!(name(&[0x5F, 0x04]), Some("PERSISTENT RESERVE OUT, PREEMPT"));
    assert_eq!(name(&[0x95, 0x00]), Some("REPORT ZONES"));
    assert_eq!(name(&[0x28, 0x10]), Some("READ(10)"));
    assert_eq!(name(&[]), None);
    let mut long = [0; 32];
    (long[0], long[7], long[9]) = (0x7F, 0x18, 0x09);
    assert_eq!(name(&long), Some("READ(32)"));
    assert_eq!(name(&long[..9]), Some("VARIABLE LENGTH CDB"));
    // On an optical drive A3h and A4h are no maintenance commands.
    assert_eq!(command_name(&[0xA3, 0x0C], Some(0x05)), Some("SEND KEY"));
    assert_eq!(command_name(&[0xA4, 0x0A], Some(0x05)), Some("REPORT KEY"));
    assert_eq!(
        command_name(&[0xA3, 0x0C], None),
        Some("REPORT SUPPORTED OPERATION CODES")
    );
}

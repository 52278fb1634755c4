//! Sense data of real devices, kernels and bridges. Where each comes from is said in its file.

use super::*;

/// A fixed format answer of 18 or more bytes with nothing in it but a key and the codes.
fn fixed(key: SenseKey, asc: u8, ascq: u8) -> Fields {
    Fields {
        format: SenseFormat::Fixed,
        response_code: Some(0x70),
        key: Some(key),
        asc: Some(asc),
        ascq: Some(ascq),
        information_raw: Some(0),
        command_specific: Some(0),
        ..Fields::ABSENT
    }
}

fn descriptor(key: SenseKey, asc: u8, ascq: u8) -> Fields {
    Fields {
        format: SenseFormat::Descriptor,
        response_code: Some(0x72),
        key: Some(key),
        asc: Some(asc),
        ascq: Some(ascq),
        ..Fields::ABSENT
    }
}

/// Fixed format with VALID set and the INFORMATION field.
fn valid(information: u32, base: Fields) -> Fields {
    Fields {
        information: Some(u64::from(information)),
        information_raw: Some(u64::from(information)),
        information_signed: Some(i64::from(information)),
        ..base
    }
}

fn registers(layout: AtaLayout, error: u8, status: u8) -> AtaRegisters {
    AtaRegisters {
        layout,
        extend: false,
        error,
        count: 0,
        count_upper_lost: false,
        lba: Some(0),
        lba_upper_lost: false,
        device: 0,
        status,
        log_index: if layout == AtaLayout::Descriptor {
            None
        } else {
            Some(0)
        },
    }
}

#[test]
fn libata_refuses_identify_for_an_atapi_drive_with_status_good() {
    let bytes = case!("lab-libata-atapi-status-good-with-sense");
    let ata = AtaRegisters {
        count: 1,
        lba: Some(0x00EB_1401),
        ..registers(AtaLayout::Fixed, 0x04, 0x41)
    };
    // Signature 14h EBh: this is a packet device.
    assert_eq!(
        (ata.lba_low(), ata.lba_mid(), ata.lba_high()),
        (Some(1), Some(0x14), Some(0xEB))
    );
    assert!(ata.is_error() && !ata.all_zero());
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            command_specific: Some(0x0001_14EB),
            ata: Some(ata),
            ..valid(0x0441_0001, fixed(SenseKey::ILLEGAL_REQUEST, 0x20, 0x00))
        }
    );
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: Invalid command operation code (20h/00h), information 71368705, \
         command specific 70891"
    );
}

#[test]
fn libata_aborts_an_invalid_command() {
    let bytes = case!("lab-libata-sense-badcmd");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(registers(AtaLayout::Fixed, 0x04, 0x41)),
            ..valid(0x0441_0000, fixed(SenseKey::ABORTED_COMMAND, 0x00, 0x00))
        }
    );
    assert_eq!(
        line(&bytes),
        "ABORTED COMMAND: No additional sense information (00h/00h), information 71368704"
    );
}

#[test]
fn libata_says_aborted_although_the_identify_worked() {
    let bytes = case!("lab-libata-sense-ck1-identify-key-b");
    let ata = AtaRegisters {
        count: 1,
        ..registers(AtaLayout::Fixed, 0x00, 0x58)
    };
    assert!(!ata.is_error());
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            ..valid(0x0058_0001, fixed(SenseKey::ABORTED_COMMAND, 0x00, 0x00))
        }
    );
}

#[test]
fn smart_return_status_in_a_descriptor() {
    let bytes = case!("lab-libata-sense-ck1-smartstatus");
    let ata = AtaRegisters {
        lba: Some(0x00C2_4F00),
        ..registers(AtaLayout::Descriptor, 0x00, 0x50)
    };
    assert_eq!((ata.lba_mid(), ata.lba_high()), (Some(0x4F), Some(0xC2)));
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            descriptors: vec![(0x09, 12)],
            ..descriptor(SenseKey::RECOVERED_ERROR, 0x00, 0x1D)
        }
    );
    assert_eq!(
        line(&bytes),
        "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
         ATA status 50h error 00h"
    );
}

#[test]
fn check_power_mode_in_a_descriptor() {
    let bytes = case!("lab-libata-sense-ck1-success-desc");
    let ata = AtaRegisters {
        count: 0xFF,
        ..registers(AtaLayout::Descriptor, 0x00, 0x50)
    };
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            descriptors: vec![(0x09, 12)],
            ..descriptor(SenseKey::RECOVERED_ERROR, 0x00, 0x1D)
        }
    );
}

#[test]
fn libata_points_at_a_field_of_the_cdb() {
    let bytes = case!("lab-libata-sense-rsoc-skptr");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            key_specific: Some(SenseKeySpecific::FieldPointer {
                in_cdb: true,
                bit: None,
                byte: 2
            }),
            ..fixed(SenseKey::ILLEGAL_REQUEST, 0x24, 0x00)
        }
    );
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: Invalid field in CDB (24h/00h), CDB byte 2"
    );
}

#[test]
fn descriptor_sense_that_old_tools_take_for_not_ready() {
    let bytes = case!("lab-tcmu-sense-desc-info");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            information: Some(0xBC),
            information_raw: Some(0xBC),
            information_signed: Some(0xBC),
            descriptors: vec![(0x00, 10)],
            ..descriptor(SenseKey::MEDIUM_ERROR, 0x02, 0x00)
        }
    );
    assert_eq!(
        line(&bytes),
        "MEDIUM ERROR: No seek complete (02h/00h), information 188"
    );
}

#[test]
fn a_medium_error_with_its_block() {
    let bytes = case!("lab-tcmu-sense-medium-info");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            // Not from an ATA command: what ata_registers gives here means nothing.
            ata: Some(AtaRegisters {
                count: 0xB1,
                ..registers(AtaLayout::Fixed, 0, 0)
            }),
            ..valid(177, fixed(SenseKey::MEDIUM_ERROR, 0x11, 0x05))
        }
    );
    assert_eq!(
        line(&bytes),
        "MEDIUM ERROR: L-EC uncorrectable error (11h/05h), information 177"
    );
}

#[test]
fn a_bridge_that_says_nothing_but_aborted() {
    let bytes = case!("lenovo-password-4-sense-aborted-asc0");
    assert_eq!(
        Fields::of(&bytes),
        fixed(SenseKey::ABORTED_COMMAND, 0x00, 0x00)
    );
    assert_eq!(
        line(&bytes),
        "ABORTED COMMAND: No additional sense information (00h/00h)"
    );
}

#[test]
fn sixteen_bytes_end_before_the_key_specific_ones() {
    let bytes = case!("lkml-20040814-readcd-sense-3002");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            truncated: true,
            ..fixed(SenseKey::ILLEGAL_REQUEST, 0x30, 0x02)
        }
    );
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: Cannot read medium - incompatible format (30h/02h)"
    );
}

#[test]
fn an_adapter_without_ata_translation() {
    let bytes = case!("nwipe-444-sense-unsupported");
    assert_eq!(bytes.len(), 32);
    assert_eq!(Sense::parse(&bytes).as_bytes().len(), 18);
    assert_eq!(
        Fields::of(&bytes),
        fixed(SenseKey::ILLEGAL_REQUEST, 0x20, 0x00)
    );
}

#[test]
fn registers_under_a_key_without_an_additional_sense_code() {
    let bytes = case!("openseachest-114-sense-desc-aborted-ata");
    let ata = AtaRegisters {
        extend: true,
        device: 0x40,
        ..registers(AtaLayout::Descriptor, 0x04, 0x51)
    };
    assert!(ata.is_error());
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            descriptors: vec![(0x09, 12)],
            ..descriptor(SenseKey::ABORTED_COMMAND, 0x00, 0x00)
        }
    );
    assert_eq!(
        line(&bytes),
        "ABORTED COMMAND: No additional sense information (00h/00h), ATA status 51h error 04h"
    );
}

#[test]
fn nothing_but_zeros_is_no_sense_data() {
    let bytes = case!("openwrt-packages-26182-sense-all-zero");
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            response_code: Some(0),
            ..Fields::ABSENT
        }
    );
    assert_eq!(line(&bytes), "no sense data");
}

#[test]
fn a_bridge_that_does_not_know_ata_commands() {
    let bytes = case!("rpi-linux-3335-sense-bridge-2400");
    assert_eq!(
        Fields::of(&bytes),
        fixed(SenseKey::ILLEGAL_REQUEST, 0x24, 0x00)
    );
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: Invalid field in CDB (24h/00h)"
    );
}

#[test]
fn success_of_an_ata_command_in_fixed_format() {
    let bytes = case!("udisks-1153-sense-fixed-001d");
    let ata = AtaRegisters {
        count: 1,
        ..registers(AtaLayout::Fixed, 0x00, 0x58)
    };
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            ..valid(0x0058_0001, fixed(SenseKey::RECOVERED_ERROR, 0x00, 0x1D))
        }
    );
    assert_eq!(
        line(&bytes),
        "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
         ATA status 58h error 00h"
    );
}

#[test]
fn success_of_an_ata_command_under_illegal_request() {
    let bytes = case!("udisks-1334-sense-fixed-key5-2104");
    let ata = AtaRegisters {
        count: 1,
        ..registers(AtaLayout::Fixed, 0x00, 0x58)
    };
    assert!(!ata.is_error());
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            ..valid(0x0058_0001, fixed(SenseKey::ILLEGAL_REQUEST, 0x21, 0x04))
        }
    );
}

#[test]
fn old_libata_with_a_busy_drive() {
    let bytes = case!("udisks-511-sense-aborted-47");
    // libata turns status 80h, BSY, into 0Bh 47h/00h: the second register is the status.
    let ata = registers(AtaLayout::OldLibata, 0x00, 0x80);
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            command_specific: Some(0x0080_0000),
            ata: Some(ata),
            ..fixed(SenseKey::ABORTED_COMMAND, 0x47, 0x00)
        }
    );
}

#[test]
fn old_libata_puts_the_registers_at_byte_8() {
    let bytes = case!("udisks-732-sense-regs-at-byte8");
    let ata = AtaRegisters {
        count: 1,
        ..registers(AtaLayout::OldLibata, 0x00, 0x58)
    };
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            command_specific: Some(0x0058_0001),
            ata: Some(ata),
            ..fixed(SenseKey::ILLEGAL_REQUEST, 0x21, 0x04)
        }
    );
    // Cut to the length that the kernel copies, the LBA registers are gone, and not zero.
    let short = Sense::parse(&bytes[..18]).ata_registers();
    assert_eq!(short, Some(AtaRegisters { lba: None, ..ata }));
}

#[test]
fn valid_registers_that_are_all_zero() {
    let bytes = case!("udisks-799-sense-fixed-001d-valid-zero");
    let ata = registers(AtaLayout::Fixed, 0x00, 0x00);
    assert!(ata.all_zero());
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            ata: Some(ata),
            ..valid(0, fixed(SenseKey::RECOVERED_ERROR, 0x00, 0x1D))
        }
    );
}

#[test]
fn what_the_cases_mean() {
    let expected = [
        // In the order of `all_cases`.
        Condition::UnknownCommand,
        Condition::Aborted,
        // A success, as the registers say.
        Condition::Aborted,
        Condition::Recovered,
        Condition::Recovered,
        Condition::InvalidField,
        Condition::MediumError,
        Condition::MediumError,
        Condition::Aborted,
        Condition::WrongMedium,
        Condition::UnknownCommand,
        Condition::Aborted,
        Condition::Unknown,
        Condition::InvalidField,
        Condition::Recovered,
        // A success, as the registers say; and 21h/04h is not 21h/00h.
        Condition::IllegalRequest,
        Condition::TransferError,
        Condition::IllegalRequest,
        Condition::Recovered,
    ];
    let conditions: Vec<_> = all_cases()
        .iter()
        .map(|bytes| Sense::parse(bytes).condition())
        .collect();
    assert_eq!(conditions, expected);
    let healthy: Vec<_> = all_cases()
        .iter()
        .filter_map(|bytes| Sense::parse(bytes).ata_registers()?.smart_passed())
        .collect();
    assert_eq!(healthy, [true], "only lab-libata-sense-ck1-smartstatus");
}

#[test]
fn every_case_has_a_test_here() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
        .expect("the cases are in the tree")
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().contains("-sense"))
        .count();
    assert_eq!(files, all_cases().len());
}

//! What the cases of `golden.rs` say beside their fields: where they end, what they mean for the
//! command, their registers one by one, their descriptors and the line that a person reads.

use super::*;

/// What one case says. Nothing, unless it is said.
#[derive(Debug, Default, PartialEq)]
struct Rest {
    /// The announced end, or the end of what came.
    end: usize,
    /// The failed block of a command on the blocks below one million.
    block: Option<u64>,
    /// LBA LOW, MID and HIGH.
    lba: Option<[Option<u8>; 3]>,
    /// ERR or DF is set; all registers are zero.
    ata: Option<(bool, bool)>,
    smart: Option<bool>,
    clipped: bool,
    line: &'static str,
}

impl Rest {
    fn of(bytes: &[u8], line: &'static str) -> Self {
        let sense = Sense::parse(bytes);
        assert_eq!(sense.to_string(), line);
        let ata = sense.ata_registers();
        Self {
            end: sense.as_bytes().len(),
            block: sense.failed_block(0..1_000_000),
            lba: ata.map(|ata| [ata.lba_low(), ata.lba_mid(), ata.lba_high()]),
            ata: ata.map(|ata| (ata.is_error(), ata.all_zero())),
            smart: ata.and_then(|ata| ata.smart_passed()),
            clipped: sense.descriptors().any(|item| item.is_clipped()),
            line,
        }
    }
}

const ZERO: Option<[Option<u8>; 3]> = Some([Some(0); 3]);

#[test]
fn what_else_the_cases_say() {
    let fixed = || Rest {
        end: 18,
        ..Rest::default()
    };
    let descriptor = || Rest {
        end: 22,
        ata: Some((false, false)),
        lba: ZERO,
        ..Rest::default()
    };
    let table = [
        (
            case!("lab-libata-atapi-status-good-with-sense"),
            "ILLEGAL REQUEST: Invalid command operation code (20h/00h), information 71368705, \
             command specific 70891",
            Rest {
                // 41h: DRDY and ERR.
                ata: Some((true, false)),
                lba: Some([Some(0x01), Some(0x14), Some(0xEB)]),
                ..fixed()
            },
        ),
        (
            case!("lab-libata-sense-badcmd"),
            "ABORTED COMMAND: No additional sense information (00h/00h), information 71368704",
            Rest {
                ata: Some((true, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("lab-libata-sense-ck1-identify-key-b"),
            "ABORTED COMMAND: No additional sense information (00h/00h), information 5767169",
            Rest {
                // 58h: DRDY, DSC and DRQ. No error.
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("lab-libata-sense-ck1-smartstatus"),
            "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
             ATA status 50h error 00h",
            Rest {
                lba: Some([Some(0x00), Some(0x4F), Some(0xC2)]),
                smart: Some(true),
                ..descriptor()
            },
        ),
        (
            case!("lab-libata-sense-ck1-success-desc"),
            "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
             ATA status 50h error 00h",
            descriptor(),
        ),
        (
            case!("lab-libata-sense-rsoc-skptr"),
            "ILLEGAL REQUEST: Invalid field in CDB (24h/00h), CDB byte 2",
            Rest { end: 26, ..fixed() },
        ),
        (
            case!("lab-tcmu-sense-desc-info"),
            "MEDIUM ERROR: No seek complete (02h/00h), information 188",
            Rest {
                end: 20,
                block: Some(188),
                ..Rest::default()
            },
        ),
        (
            case!("lab-tcmu-sense-medium-info"),
            "MEDIUM ERROR: L-EC uncorrectable error (11h/05h), information 177",
            Rest {
                block: Some(177),
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("lenovo-password-4-sense-aborted-asc0"),
            "ABORTED COMMAND: No additional sense information (00h/00h)",
            fixed(),
        ),
        (
            case!("lkml-20040814-readcd-sense-3002"),
            "ILLEGAL REQUEST: Cannot read medium - incompatible format (30h/02h)",
            // 18 announced, 16 came.
            Rest { end: 16, ..fixed() },
        ),
        (
            case!("nwipe-444-sense-unsupported"),
            "ILLEGAL REQUEST: Invalid command operation code (20h/00h)",
            fixed(),
        ),
        (
            case!("openseachest-114-sense-desc-aborted-ata"),
            "ABORTED COMMAND: No additional sense information (00h/00h), ATA status 51h error 04h",
            Rest {
                ata: Some((true, false)),
                ..descriptor()
            },
        ),
        (
            case!("openwrt-packages-26182-sense-all-zero"),
            "no sense data",
            Rest { end: 32, ..fixed() },
        ),
        (
            case!("rpi-linux-3335-sense-bridge-2400"),
            "ILLEGAL REQUEST: Invalid field in CDB (24h/00h)",
            fixed(),
        ),
        (
            case!("udisks-1153-sense-fixed-001d"),
            "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
             ATA status 58h error 00h",
            Rest {
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("udisks-1334-sense-fixed-key5-2104"),
            "ILLEGAL REQUEST: Unaligned write command (21h/04h), information 5767169",
            Rest {
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("udisks-511-sense-aborted-47"),
            "ABORTED COMMAND: SCSI parity error (47h/00h), command specific 8388608",
            Rest {
                // 80h: BSY. Neither ERR nor DF, and the drive did not answer.
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("udisks-732-sense-regs-at-byte8"),
            "ILLEGAL REQUEST: Unaligned write command (21h/04h), command specific 5767169",
            Rest {
                ata: Some((false, false)),
                lba: ZERO,
                ..fixed()
            },
        ),
        (
            case!("udisks-799-sense-fixed-001d-valid-zero"),
            "RECOVERED ERROR: ATA pass through information available (00h/1Dh), \
             ATA status 00h error 00h",
            Rest {
                ata: Some((false, true)),
                lba: ZERO,
                ..fixed()
            },
        ),
    ];
    assert_eq!(table.len(), all_cases().len());
    for (bytes, line, rest) in table {
        assert!(all_cases().contains(&bytes), "{line}");
        assert_eq!(Rest::of(&bytes, line), Rest { line, ..rest }, "{line}");
    }
}

/// None of them is about work that ends by itself, so that nothing is waited for.
#[test]
fn no_case_is_waited_for() {
    for bytes in all_cases() {
        let condition = Sense::parse(&bytes).condition();
        assert!(!condition.ends_by_itself(), "{condition:?}");
        assert_eq!(condition.progress(), None, "{condition:?}");
    }
}

/// The descriptors, taken apart.
#[test]
fn what_the_descriptors_of_the_cases_say() {
    let status = |count, lba, error, device, status, extend| {
        SenseDescriptor::AtaStatusReturn(AtaRegisters {
            layout: AtaLayout::Descriptor,
            extend,
            error,
            count,
            count_upper_lost: false,
            lba: Some(lba),
            lba_upper_lost: false,
            device,
            status,
            log_index: None,
        })
    };
    let table = [
        (
            case!("lab-libata-sense-ck1-smartstatus"),
            status(0x00, 0x00C2_4F00, 0x00, 0x00, 0x50, false),
        ),
        (
            case!("lab-libata-sense-ck1-success-desc"),
            status(0xFF, 0, 0x00, 0x00, 0x50, false),
        ),
        (
            case!("openseachest-114-sense-desc-aborted-ata"),
            status(0x00, 0, 0x04, 0x40, 0x51, true),
        ),
        (
            case!("lab-tcmu-sense-desc-info"),
            SenseDescriptor::Information {
                valid: true,
                value: 0xBC,
            },
        ),
    ];
    for (bytes, expected) in table {
        let sense = Sense::parse(&bytes);
        let items: Vec<_> = sense.descriptors().collect();
        let [item] = items[..] else {
            panic!("{items:?}")
        };
        assert_eq!(item.as_bytes(), &bytes[8..]);
        assert_eq!(item.body(), &bytes[10..]);
        for key in 0..=0xF {
            assert_eq!(item.decode(SenseKey(key)), expected);
        }
    }
}

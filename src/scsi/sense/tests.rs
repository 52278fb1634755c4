//! What the tests of sense data share: the cases of `tests/cases`, and a record of every field.

mod bounds;
mod built;
mod conditions;
mod golden;
mod golden_rest;
mod kinds;
mod meaning;
mod properties;

use super::*;

/// A file of `tests/cases` by its name.
macro_rules! case {
    ($name:literal) => {
        crate::scsi::golden::hex(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/cases/",
            $name,
            ".hex"
        )))
    };
}
pub(super) use case;

/// Every file of `tests/cases` that is sense data.
pub(super) fn all_cases() -> Vec<Vec<u8>> {
    vec![
        case!("lab-libata-atapi-status-good-with-sense"),
        case!("lab-libata-sense-badcmd"),
        case!("lab-libata-sense-ck1-identify-key-b"),
        case!("lab-libata-sense-ck1-smartstatus"),
        case!("lab-libata-sense-ck1-success-desc"),
        case!("lab-libata-sense-rsoc-skptr"),
        case!("lab-tcmu-sense-desc-info"),
        case!("lab-tcmu-sense-medium-info"),
        case!("lenovo-password-4-sense-aborted-asc0"),
        case!("lkml-20040814-readcd-sense-3002"),
        case!("nwipe-444-sense-unsupported"),
        case!("openseachest-114-sense-desc-aborted-ata"),
        case!("openwrt-packages-26182-sense-all-zero"),
        case!("rpi-linux-3335-sense-bridge-2400"),
        case!("udisks-1153-sense-fixed-001d"),
        case!("udisks-1334-sense-fixed-key5-2104"),
        case!("udisks-511-sense-aborted-47"),
        case!("udisks-732-sense-regs-at-byte8"),
        case!("udisks-799-sense-fixed-001d-valid-zero"),
    ]
}

/// The answer of every accessor, so that a test names all that is there and nothing else is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fields {
    pub(super) format: SenseFormat,
    pub(super) response_code: Option<u8>,
    pub(super) truncated: bool,
    pub(super) deferred: bool,
    pub(super) key: Option<SenseKey>,
    pub(super) asc: Option<u8>,
    pub(super) ascq: Option<u8>,
    pub(super) information: Option<u64>,
    pub(super) information_raw: Option<u64>,
    pub(super) information_signed: Option<i64>,
    pub(super) command_specific: Option<u64>,
    pub(super) filemark: bool,
    pub(super) eom: bool,
    pub(super) ili: bool,
    pub(super) sdat_overflow: bool,
    pub(super) fru: Option<u8>,
    pub(super) key_specific: Option<SenseKeySpecific>,
    pub(super) progress: Option<Progress>,
    pub(super) ata: Option<AtaRegisters>,
    /// Type and length of the body.
    pub(super) descriptors: Vec<(u8, usize)>,
}

impl Fields {
    /// What sense data without a single byte gives.
    pub(super) const ABSENT: Self = Self {
        format: SenseFormat::Empty,
        response_code: None,
        truncated: false,
        deferred: false,
        key: None,
        asc: None,
        ascq: None,
        information: None,
        information_raw: None,
        information_signed: None,
        command_specific: None,
        filemark: false,
        eom: false,
        ili: false,
        sdat_overflow: false,
        fru: None,
        key_specific: None,
        progress: None,
        ata: None,
        descriptors: Vec::new(),
    };

    pub(super) fn of(bytes: &[u8]) -> Self {
        let sense = Sense::parse(bytes);
        assert_eq!(
            sense.additional(),
            sense
                .asc()
                .zip(sense.ascq())
                .map(|(asc, ascq)| AdditionalSense::new(asc, ascq))
        );
        Self {
            format: sense.format(),
            response_code: sense.response_code(),
            truncated: sense.is_truncated(),
            deferred: sense.is_deferred(),
            key: sense.key(),
            asc: sense.asc(),
            ascq: sense.ascq(),
            information: sense.information(),
            information_raw: sense.information_raw(),
            information_signed: sense.information_signed(),
            command_specific: sense.command_specific(),
            filemark: sense.filemark(),
            eom: sense.eom(),
            ili: sense.ili(),
            sdat_overflow: sense.sdat_overflow(),
            fru: sense.fru(),
            key_specific: sense.sense_key_specific(),
            progress: sense.progress(),
            ata: sense.ata_registers(),
            descriptors: sense
                .descriptors()
                .map(|item| (item.kind(), item.body().len()))
                .collect(),
        }
    }
}

/// The line that a person reads.
pub(super) fn line(bytes: &[u8]) -> String {
    Sense::parse(bytes).to_string()
}

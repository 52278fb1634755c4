//! Sense data put together after the standards, for what no recorded case shows.

use super::*;

/// Descriptor format sense data around descriptors.
pub(super) fn with(
    response_code: u8,
    key: u8,
    asc: u8,
    ascq: u8,
    descriptors: &[&[u8]],
) -> Vec<u8> {
    let body = descriptors.concat();
    let length = u8::try_from(body.len()).expect("at most 244 bytes");
    let mut bytes = vec![response_code, key, asc, ascq, 0, 0, 0, length];
    bytes.extend(body);
    bytes
}

/// Fixed format sense data of 18 bytes.
pub(super) fn fixed(
    code: u8,
    flags: u8,
    information: [u8; 4],
    asc: u8,
    ascq: u8,
    sks: [u8; 3],
) -> Vec<u8> {
    let [i0, i1, i2, i3] = information;
    let [s0, s1, s2] = sks;
    vec![
        code, 0, flags, i0, i1, i2, i3, 10, 0, 0, 0, 0, asc, ascq, 0, s0, s1, s2,
    ]
}

pub(super) const INFORMATION: &[u8] = &[
    0x00, 0x0A, 0x80, 0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0,
];
pub(super) const COMMAND_SPECIFIC: &[u8] = &[0x01, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
pub(super) const FIELD_POINTER: &[u8] = &[0x02, 0x06, 0, 0, 0xCB, 0x00, 0x0E, 0];
pub(super) const UNIT: &[u8] = &[0x03, 0x02, 0, 0x42];
pub(super) const STREAM: &[u8] = &[0x04, 0x02, 0, 0xE0];

#[test]
fn the_common_descriptors_together() {
    let bytes = with(
        0x72,
        0x05,
        0x24,
        0x00,
        &[INFORMATION, COMMAND_SPECIFIC, FIELD_POINTER, UNIT, STREAM],
    );
    let pointer = SenseKeySpecific::FieldPointer {
        in_cdb: true,
        bit: Some(3),
        byte: 14,
    };
    assert_eq!(
        Fields::of(&bytes),
        Fields {
            format: SenseFormat::Descriptor,
            response_code: Some(0x72),
            key: Some(SenseKey::ILLEGAL_REQUEST),
            asc: Some(0x24),
            ascq: Some(0x00),
            information: Some(0x1234_5678_9ABC_DEF0),
            information_raw: Some(0x1234_5678_9ABC_DEF0),
            information_signed: Some(0x1234_5678_9ABC_DEF0),
            command_specific: Some(7),
            filemark: true,
            eom: true,
            ili: true,
            fru: Some(0x42),
            key_specific: Some(pointer),
            descriptors: vec![(0, 10), (1, 10), (2, 6), (3, 2), (4, 2)],
            ..Fields::ABSENT
        }
    );
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: Invalid field in CDB (24h/00h), filemark, end of medium, incorrect \
         length, residue 1311768467463790320, command specific 7, CDB byte 14 bit 3, unit 42h"
    );
}

#[test]
fn the_combined_descriptor_for_disks() {
    let mut combined = [0; 32];
    combined[..8].copy_from_slice(&[0x0D, 0x1E, 0xA0, 0, 0x80, 0x00, 0x05, 0x09]);
    combined[15] = 0x63;
    combined[23] = 0x64;
    let bytes = with(0x72, 0x03, 0x11, 0x00, &[&combined]);
    let fields = Fields::of(&bytes);
    assert_eq!(fields.information, Some(0x63));
    assert_eq!(fields.command_specific, Some(0x64));
    assert_eq!(fields.key_specific, Some(SenseKeySpecific::RetryCount(5)));
    assert_eq!(fields.fru, Some(9));
    assert!(fields.ili && !fields.filemark && !fields.eom);
    let sense = Sense::parse(&bytes);
    let decoded = sense
        .descriptors()
        .next()
        .map(|item| item.decode(SenseKey::MEDIUM_ERROR));
    assert_eq!(
        decoded,
        Some(SenseDescriptor::DirectAccessBlock {
            ili: true,
            key_specific: Some(SenseKeySpecific::RetryCount(5)),
            fru: 9,
            information_valid: true,
            information: 0x63,
            command_specific: 0x64,
        })
    );
}

#[test]
fn information_that_is_not_valid_is_not_given() {
    let mut not_valid = INFORMATION.to_vec();
    not_valid[2] = 0;
    let bytes = with(0x72, 0x03, 0x11, 0x00, &[&not_valid]);
    assert_eq!(Sense::parse(&bytes).information(), None);
    assert_eq!(Sense::parse(&bytes).information_signed(), None);
    assert_eq!(
        Sense::parse(&bytes).information_raw(),
        Some(0x1234_5678_9ABC_DEF0)
    );
    let bytes = fixed(0x70, 0x03, [0, 0, 0, 9], 0x11, 0x00, [0; 3]);
    assert_eq!(Sense::parse(&bytes).information(), None);
    assert_eq!(Sense::parse(&bytes).information_raw(), Some(9));
}

#[test]
fn a_tape_block_of_another_length() {
    // Asked for 512 bytes, the block has 1024.
    let bytes = fixed(0xF0, 0x20, [0xFF, 0xFF, 0xFE, 0x00], 0, 0, [0; 3]);
    let sense = Sense::parse(&bytes);
    assert_eq!(sense.information_signed(), Some(-512));
    assert_eq!(sense.information(), Some(0xFFFF_FE00));
    assert!(sense.ili());
    assert_eq!(
        sense.to_string(),
        "NO SENSE: No additional sense information (00h/00h), incorrect length, residue -512"
    );
    let mut wide = INFORMATION.to_vec();
    wide[4..].copy_from_slice(&(-512_i64).to_be_bytes());
    let bytes = with(0x72, 0, 0, 0, &[&wide, &[0x04, 2, 0, 0x20]]);
    assert_eq!(Sense::parse(&bytes).information_signed(), Some(-512));
}

#[test]
fn a_tape_at_a_filemark() {
    let bytes = fixed(0xF0, 0x80, [0, 0, 0, 3], 0x00, 0x01, [0; 3]);
    assert_eq!(
        line(&bytes),
        "NO SENSE: Filemark detected (00h/01h), filemark, residue 3"
    );
    let bytes = fixed(0x70, 0x4D, [0; 4], 0x00, 0x02, [0; 3]);
    assert!(Sense::parse(&bytes).eom());
    assert_eq!(Sense::parse(&bytes).key(), Some(SenseKey::VOLUME_OVERFLOW));
}

#[test]
fn deferred_errors_say_so() {
    for (bytes, code) in [
        (fixed(0xF1, 0x03, [0, 0, 0, 1], 0x0C, 0x02, [0; 3]), 0x71),
        (with(0x73, 0x03, 0x0C, 0x02, &[]), 0x73),
    ] {
        let sense = Sense::parse(&bytes);
        assert!(sense.is_deferred());
        assert_eq!(sense.response_code(), Some(code));
        assert!(
            sense
                .to_string()
                .starts_with("deferred MEDIUM ERROR: Write error - auto")
        );
    }
}

#[test]
fn the_key_decides_what_the_specific_bytes_are() {
    let specific = |key: u8, raw: [u8; 3]| {
        let bytes = fixed(0x70, key, [0; 4], 0, 0, raw);
        Sense::parse(&bytes).sense_key_specific()
    };
    let raw = [0xEB, 0x12, 0x34];
    for key in [0x0, 0x2] {
        assert_eq!(
            specific(key, raw),
            Some(SenseKeySpecific::Progress(Progress(0x1234)))
        );
    }
    for key in [0x1, 0x3, 0x4] {
        assert_eq!(
            specific(key, raw),
            Some(SenseKeySpecific::RetryCount(0x1234))
        );
    }
    let (bit, byte) = (Some(3), 0x1234);
    let in_cdb = Some(SenseKeySpecific::FieldPointer {
        in_cdb: true,
        bit,
        byte,
    });
    assert_eq!(specific(0x5, raw), in_cdb);
    let in_list = Some(SenseKeySpecific::FieldPointer {
        in_cdb: false,
        bit: None,
        byte: 5,
    });
    assert_eq!(specific(0x5, [0x83, 0, 5]), in_list);
    assert_eq!(
        specific(0x6, raw),
        Some(SenseKeySpecific::UnitAttentionOverflow(true))
    );
    assert_eq!(
        specific(0x6, [0x80, 0, 0]),
        Some(SenseKeySpecific::UnitAttentionOverflow(false))
    );
    let in_segment = Some(SenseKeySpecific::SegmentPointer {
        in_segment: true,
        bit,
        byte,
    });
    assert_eq!(specific(0xA, raw), in_segment);
    for key in [0x7, 0x8, 0x9, 0xB, 0xC, 0xD, 0xE, 0xF] {
        assert_eq!(specific(key, raw), Some(SenseKeySpecific::Other(raw)));
    }
    for key in 0x0..=0xF {
        assert_eq!(specific(key, [0x7F, 0x12, 0x34]), None, "SKSV is not set");
    }
}

#[test]
fn progress_of_this_and_of_another_operation() {
    let bytes = fixed(0x70, 0x02, [0; 4], 0x04, 0x01, [0x80, 0x55, 0x55]);
    assert_eq!(Sense::parse(&bytes).progress(), Some(Progress(0x5555)));
    assert_eq!(
        line(&bytes),
        "NOT READY: Logical unit is in process of becoming ready (04h/01h), 33.3 % done"
    );
    let bytes = with(
        0x72,
        0x05,
        0x24,
        0,
        &[&[0x0A, 6, 0x02, 0x04, 0x1B, 0, 0xFF, 0xFF]],
    );
    let sense = Sense::parse(&bytes);
    assert_eq!(sense.progress(), Some(Progress(0xFFFF)));
    assert_eq!(sense.sense_key_specific(), None);
    assert_eq!(Progress(0xFFFF).to_string(), "99.9 %");
    assert!((Progress(0x4000).percent() - 25.0).abs() < 1e-9);
    assert_eq!(
        sense
            .descriptors()
            .next()
            .map(|item| item.decode(SenseKey::ILLEGAL_REQUEST)),
        Some(SenseDescriptor::AnotherProgress {
            key: SenseKey::NOT_READY,
            additional: AdditionalSense::new(0x04, 0x1B),
            progress: Progress(0xFFFF),
        })
    );
}

#[test]
fn forwarded_sense_is_shown_one_level_deep() {
    let innermost = fixed(0x70, 0x04, [0; 4], 0x44, 0x00, [0; 3]);
    let forward = |flags: u8, sense: &[u8]| {
        let length = u8::try_from(sense.len() + 2).expect("short");
        [&[0x0C, length, flags, 0x02][..], sense].concat()
    };
    let inner = with(0x72, 0x03, 0x11, 0x00, &[&forward(0x01, &innermost)]);
    let outer = with(0x72, 0x0A, 0x0D, 0x01, &[&forward(0x80, &inner)]);
    assert_eq!(
        line(&outer),
        "COPY ABORTED: Third party device failure (0Dh/01h); from the copy source: \
         MEDIUM ERROR: Unrecovered read error (11h/00h)"
    );
    let sense = Sense::parse(&outer);
    let forwarded = sense
        .descriptors()
        .next()
        .map(|item| item.decode(SenseKey::COPY_ABORTED));
    let Some(SenseDescriptor::Forwarded(forwarded)) = forwarded else {
        panic!("{forwarded:?}");
    };
    assert!(forwarded.is_truncated());
    assert_eq!(forwarded.source(), 0);
    assert!(forwarded.status().is_check_condition());
    assert_eq!(
        forwarded.sense().to_string(),
        "MEDIUM ERROR: Unrecovered read error (11h/00h); from copy destination 1: \
         HARDWARE ERROR: Internal target failure (44h/00h)"
    );
}

#[test]
fn the_less_common_descriptors() {
    let decode = |bytes: &'static [u8]| RawSenseDescriptor::first(bytes).decode(SenseKey::NO_SENSE);
    assert_eq!(
        decode(&[0x05, 2, 0, 0x20]),
        SenseDescriptor::Block { ili: true }
    );
    assert_eq!(
        decode(&[0x06, 2, 1, 2]),
        SenseDescriptor::Osd {
            kind: 6,
            body: &[1, 2]
        }
    );
    assert_eq!(
        decode(&[0x0B, 2, 1, 0]),
        SenseDescriptor::UserDataSegmentReferral {
            not_all: true,
            segments: ReferralSegments::new(&[])
        }
    );
    assert_eq!(
        decode(&[0x0E, 4, 0, 3, 0xAA, 0xBB]),
        SenseDescriptor::DeviceDesignation {
            usage: 3,
            designation: &[0xAA, 0xBB]
        }
    );
    assert_eq!(
        decode(&[0x0F, 6, 0, 0, 0, 0, 0x01, 0x2C]),
        SenseDescriptor::MicrocodeActivation { seconds: 300 }
    );
    assert_eq!(
        decode(&[0x80, 3, 1, 2, 3]),
        SenseDescriptor::Vendor {
            kind: 0x80,
            body: &[1, 2, 3]
        }
    );
    assert_eq!(
        decode(&[0xDE, 0]),
        SenseDescriptor::Vendor {
            kind: 0xDE,
            body: &[]
        }
    );
    assert_eq!(
        decode(&[0x10, 1, 9]),
        SenseDescriptor::Unknown {
            kind: 0x10,
            body: &[9]
        }
    );
    assert_eq!(
        decode(&[0x00, 1, 0x80]),
        SenseDescriptor::Unknown {
            kind: 0,
            body: &[0x80]
        }
    );
}

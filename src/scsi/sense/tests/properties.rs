//! What holds for any bytes.

use proptest::prelude::*;

use super::*;

/// True when a field of cut sense data is absent, or the same as in the whole.
fn absent_or_same<T: PartialEq>(cut: &Option<T>, whole: &Option<T>) -> bool {
    cut.is_none() || cut == whole
}

/// Asserts that nothing in the prefix contradicts the whole.
fn assert_never_wrong(whole: &[u8], length: usize) {
    let (cut, full) = (Fields::of(&whole[..length]), Fields::of(whole));
    let context = format!("{length} bytes of {whole:02x?}");
    assert!(
        absent_or_same(&cut.response_code, &full.response_code),
        "{context}"
    );
    assert!(absent_or_same(&cut.key, &full.key), "{context}");
    assert!(absent_or_same(&cut.asc, &full.asc), "{context}");
    assert!(absent_or_same(&cut.ascq, &full.ascq), "{context}");
    assert!(
        absent_or_same(&cut.information, &full.information),
        "{context}"
    );
    assert!(
        absent_or_same(&cut.information_raw, &full.information_raw),
        "{context}"
    );
    assert!(
        absent_or_same(&cut.information_signed, &full.information_signed),
        "{context}"
    );
    assert!(
        absent_or_same(&cut.command_specific, &full.command_specific),
        "{context}"
    );
    assert!(absent_or_same(&cut.fru, &full.fru), "{context}");
    assert!(
        absent_or_same(&cut.key_specific, &full.key_specific),
        "{context}"
    );
    assert!(absent_or_same(&cut.progress, &full.progress), "{context}");
    assert!(!cut.deferred || full.deferred, "{context}");
    assert!(!cut.filemark || full.filemark, "{context}");
    assert!(!cut.eom || full.eom, "{context}");
    assert!(!cut.ili || full.ili, "{context}");
    assert!(!cut.sdat_overflow || full.sdat_overflow, "{context}");
    assert!(cut.descriptors.len() <= full.descriptors.len(), "{context}");
    // Old libata put the LBA registers, and with them the flags, behind the announced end.
    match (cut.ata, full.ata) {
        (Some(cut), Some(full)) if cut.lba.is_none() => {
            let AtaRegisters {
                layout,
                error,
                count,
                device,
                status,
                ..
            } = full;
            assert_eq!(
                cut,
                AtaRegisters {
                    layout,
                    error,
                    count,
                    device,
                    status,
                    ..cut
                }
            );
        }
        (cut, full) => assert!(absent_or_same(&cut, &full), "{context}"),
    }
}

#[test]
fn every_prefix_of_every_case_has_fields_absent_and_not_wrong() {
    for case in all_cases() {
        for length in 0..=case.len() {
            assert_never_wrong(&case, length);
            assert!(!line(&case[..length]).is_empty());
        }
    }
}

/// Bytes that look enough like sense data to get past the first byte.
fn likely_sense() -> impl Strategy<Value = Vec<u8>> {
    let header = (0x70_u8..=0x73, any::<bool>(), any::<[u8; 6]>(), any::<u8>());
    let descriptor = (
        0_u8..=0x11,
        0_u8..=34,
        prop::collection::vec(any::<u8>(), 34),
    );
    let tail = prop::collection::vec(descriptor, 0..=8);
    (header, tail).prop_map(|((code, valid, middle, length), tail)| {
        let mut bytes = vec![code | u8::from(valid) << 7];
        bytes.extend(middle);
        bytes.push(length);
        for (kind, length, body) in tail {
            bytes.extend([kind, length]);
            bytes.extend(&body[..usize::from(length)]);
        }
        bytes
    })
}

/// Asks for everything there is to ask.
fn ask_everything(bytes: &[u8]) {
    let sense = Sense::parse(bytes);
    let _ = (Fields::of(bytes), sense.to_string(), format!("{sense:?}"));
    assert!(bytes.starts_with(sense.as_bytes()));
    let mut seen = 0;
    for item in sense.descriptors() {
        seen += item.as_bytes().len();
        for key in 0..=0x10 {
            match item.decode(SenseKey(key)) {
                SenseDescriptor::Forwarded(inner) => {
                    assert!(inner.sense().as_bytes().len() < bytes.len());
                    let _ = (inner.sense().to_string(), inner.status(), inner.source());
                    let _ = (inner.sense().condition(), inner.is_truncated());
                }
                SenseDescriptor::UserDataSegmentReferral { segments, .. } => {
                    let groups: usize = segments.map(|segment| segment.groups().count()).sum();
                    assert!(segments.count() * 20 + groups * 4 <= item.body().len());
                }
                _ => {}
            }
        }
        let _ = (item.is_clipped(), format!("{item:?}"));
    }
    assert!(seen <= bytes.len());
    let condition = sense.condition();
    assert!(condition.ends_by_itself() || condition.progress().is_none());
    assert_eq!(condition == Condition::Deferred, sense.is_deferred());
    if let Some(block) = sense.failed_block(100..200) {
        assert!((100..200).contains(&block) && !sense.is_deferred());
    }
    let buffer = SenseBuffer::from_slice(bytes);
    assert_eq!(
        buffer.as_bytes(),
        &bytes[..bytes.len().min(SenseBuffer::CAPACITY)]
    );
    if let Some(registers) = sense.ata_registers() {
        let _ = (
            registers.lba_low(),
            registers.lba_mid(),
            registers.lba_high(),
            registers.smart_passed(),
        );
        assert!(!(registers.all_zero() && registers.is_error()));
    }
    if let Some(progress) = sense.progress() {
        assert!(progress.percent() < 100.0);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..=300)) {
        ask_everything(&bytes);
    }

    #[test]
    fn any_descriptors_are_answered(bytes in likely_sense()) {
        ask_everything(&bytes);
    }

    #[test]
    fn any_prefix_is_never_wrong(
        bytes in likely_sense(),
        at in any::<prop::sample::Index>(),
    ) {
        assert_never_wrong(&bytes, at.index(bytes.len() + 1));
    }
}

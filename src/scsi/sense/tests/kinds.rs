//! Kinds of fault that reports tell one example of, each over its whole range.

use super::{
    built::{fixed as fixed_sense, with},
    *,
};

/// Whatever the announced length (byte 7) says and however many bytes came: a field is there
/// exactly when it lies wholly inside both.
#[test]
fn fixed_fields_end_with_what_was_announced_and_what_came() {
    // Every byte has a value of its own, so that nothing absent looks like a zero.
    let mut whole = [0; 40];
    for (at, byte) in whole.iter_mut().enumerate() {
        *byte = 0x80 | u8::try_from(at).expect("below 40");
    }
    whole[2] = 0xF5;
    for code in [0x70, 0x71, 0xF0, 0xF1] {
        whole[0] = code;
        for announced in 0..=0xFF {
            whole[7] = announced;
            for came in 0..=whole.len() {
                let claimed = usize::from(announced) + 8;
                let end = if came < 8 { came } else { came.min(claimed) };
                let of = Fields::of(&whole[..came]);
                let context = format!("{code:02x} {announced} {came}");
                assert_eq!(Sense::parse(&whole[..came]).as_bytes(), &whole[..end]);
                assert_eq!(of.truncated, came > 0 && came < claimed.max(8), "{context}");
                let within = |last: usize| end > last;
                let key = within(2).then_some(SenseKey::ILLEGAL_REQUEST);
                assert_eq!(of.key, key, "{context}");
                let flags = [of.filemark, of.eom, of.ili, of.sdat_overflow];
                assert_eq!(flags, [within(2); 4], "{context}");
                let raw = within(6).then_some(0x8384_8586);
                assert_eq!(of.information_raw, raw, "{context}");
                let valid = raw.filter(|_| code & 0x80 != 0);
                assert_eq!(of.information, valid, "{context}");
                let specific = within(11).then_some(0x8889_8A8B);
                assert_eq!(of.command_specific, specific, "{context}");
                assert_eq!(of.asc, within(12).then_some(0x8C), "{context}");
                assert_eq!(of.ascq, within(13).then_some(0x8D), "{context}");
                assert_eq!(of.fru, within(14).then_some(0x8E), "{context}");
                let pointer = SenseKeySpecific::FieldPointer {
                    in_cdb: false,
                    bit: Some(7),
                    byte: 0x9091,
                };
                let pointer = within(17).then_some(pointer);
                assert_eq!(of.key_specific, pointer, "{context}");
                assert_eq!(of.ata.is_some(), within(11), "{context}");
                assert_eq!(of.descriptors, [], "{context}");
            }
        }
    }
}

/// The same for a descriptor, which has a length of its own inside the announced one.
#[test]
fn descriptors_end_with_both_lengths_and_what_came() {
    // Type, the bytes of the descriptor that its field needs, whether it was found.
    type Found = fn(&Fields) -> bool;
    let types: [(u8, usize, Found); 8] = [
        (0x00, 12, |of| of.information.is_some()),
        (0x01, 12, |of| of.command_specific.is_some()),
        (0x02, 7, |of| of.key_specific.is_some()),
        (0x03, 4, |of| of.fru.is_some()),
        (0x04, 4, |of| of.filemark && of.eom && of.ili),
        (0x05, 4, |of| of.ili),
        (0x09, 14, |of| of.ata.is_some()),
        // Told only where nothing is cut off.
        (0x0A, 8, |of| of.progress.is_some()),
    ];
    for (kind, need, found) in types {
        let mut whole = vec![0x72, 0x05, 0x24, 0x00, 0, 0, 0, 0, kind, 0];
        whole.resize(40, 0xF5);
        for length in 0..=0xFF {
            whole[9] = length;
            for announced in (0..=40).chain([0x7F, 0xF4, 0xFF]) {
                whole[7] = announced;
                for came in 0..=whole.len() {
                    let end = came.min(usize::from(announced) + 8);
                    let inside = end.saturating_sub(8);
                    let has = inside >= 2 && inside.min(usize::from(length) + 2) >= need;
                    let of = Fields::of(&whole[..came]);
                    let cut = kind == 0x0A && of.truncated;
                    assert_eq!(
                        found(&of),
                        has && !cut,
                        "{kind:02x} {length} {announced} {came}"
                    );
                    let first = of.descriptors.first().map(|item| item.1 + 2);
                    let whole_length = inside.min(usize::from(length) + 2);
                    assert_eq!(first, (inside >= 2).then_some(whole_length));
                }
            }
        }
    }
}

/// A second descriptor is found where the first one's length says, and nowhere else.
#[test]
fn a_descriptor_behind_one_of_any_length() {
    for length in 0..=235 {
        let mut first = vec![0x81, length];
        first.resize(usize::from(length) + 2, 0x03);
        let second = [0x03, 0x02, 0x00, 0x42];
        let bytes = with(0x72, 0x04, 0x44, 0x00, &[&first, &second]);
        let of = Fields::of(&bytes);
        assert_eq!(of.descriptors, [(0x81, usize::from(length)), (0x03, 2)]);
        assert_eq!(of.fru, Some(0x42));
    }
}

/// VALID decides, and only VALID, whether INFORMATION is one: for every key, in every form.
#[test]
fn information_is_there_when_it_is_marked_as_valid() {
    const BLOCK: u64 = 0x0000_4711;
    for key in 0x0..=0xF {
        for valid in [false, true] {
            let mark = if valid { 0x80 } else { 0x00 };
            let own = [0x00, 0x0A, mark, 0, 0, 0, 0, 0, 0, 0, 0x47, 0x11];
            let mut block = vec![
                0x0D, 0x1E, mark, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x47, 0x11,
            ];
            block.resize(32, 0);
            for deferred in [0, 1] {
                let forms = [
                    fixed_sense(
                        0x70 | mark | deferred,
                        key,
                        [0, 0, 0x47, 0x11],
                        0x11,
                        0x00,
                        [0; 3],
                    ),
                    with(0x72 | deferred, key, 0x11, 0x00, &[&own]),
                    with(0x72 | deferred, key, 0x11, 0x00, &[&block]),
                ];
                for bytes in forms {
                    let sense = Sense::parse(&bytes);
                    assert_eq!(sense.information_raw(), Some(BLOCK), "{sense:?}");
                    assert_eq!(sense.information(), valid.then_some(BLOCK), "{sense:?}");
                    let signed = sense.information_signed();
                    assert_eq!(signed, valid.then_some(0x4711), "{sense:?}");
                    // An address only under the keys that tell of an error at a block.
                    let told = matches!(key, 0x1 | 0x3 | 0x4 | 0x8 | 0xB);
                    let named = (valid && told && deferred == 0).then_some(BLOCK);
                    assert_eq!(sense.failed_block(0..BLOCK + 1), named, "{sense:?}");
                    assert_eq!(sense.failed_block(0..BLOCK), None, "{sense:?}");
                }
            }
        }
    }
}

/// No qualifier of a vendor's means what a standard one means: nothing to wait for, nothing
/// unknown hidden, and the key still decides.
#[test]
fn qualifiers_of_vendors_change_no_meaning() {
    let judged = |key, asc, ascq| {
        let fixed = fixed_sense(0x70, key, [0; 4], asc, ascq, [0x80, 0x40, 0]);
        let condition = Sense::parse(&fixed).condition();
        let descriptors = with(0x72, key, asc, ascq, &[]);
        let other = Sense::parse(&descriptors).condition();
        assert_eq!(condition, other, "{key:x} {asc:02x} {ascq:02x}");
        condition
    };
    for key in 0x0..=0xF {
        for asc in 0x00..=0xFF {
            // All of a vendor's qualifiers amount to the same.
            let first = judged(key, asc, 0x80);
            assert!(!first.ends_by_itself(), "{key:x} {asc:02x}");
            for ascq in 0x80..=0xFF {
                let additional = AdditionalSense::new(asc, ascq);
                let own = additional.text().is_none();
                assert_eq!(additional.is_vendor_specific(), own);
                let said = additional.to_string();
                assert_eq!(said.starts_with("vendor specific ("), own, "{said}");
                assert!(said.ends_with(&format!(" ({asc:02X}h/{ascq:02X}h)")));
                assert_eq!(
                    judged(key, asc, ascq),
                    first,
                    "{key:x} {asc:02x} {ascq:02x}"
                );
            }
        }
        // And so do its codes above 80h, whatever their qualifiers.
        for asc in 0x80..=0xFF {
            for ascq in 0x00..=0xFF {
                assert_eq!(judged(key, asc, ascq), judged(key, 0x80, 0x00));
                assert!(AdditionalSense::new(asc, ascq).is_vendor_specific());
            }
        }
    }
    // Plextor's 03/02/82 and 03/02/8D among them.
    assert_eq!(judged(0x3, 0x02, 0x82), Condition::MediumError);
    assert_eq!(judged(0x3, 0x02, 0x8D), Condition::MediumError);
}

/// ILLEGAL REQUEST, for each code in each form: which refusals are about the command, a field, the
/// address, the unit or the medium, and that no other is taken for one of these.
#[test]
fn every_illegal_request_has_its_meaning() {
    for asc in 0x00..=0xFF {
        for ascq in 0x00..=0xFF {
            let vendors = ascq >= 0x80;
            let expected = match asc {
                0x10 if (0x01..=0x05).contains(&ascq) => Condition::ProtectionInformation,
                0x20 if ascq == 0x00 || vendors => Condition::UnknownCommand,
                // The others are about elements, layers, zones and misaligned writes.
                0x21 if ascq == 0x00 => Condition::OutOfRange,
                // In the CDB, in the parameter list; the qualifier only says how.
                0x24 | 0x26 => Condition::InvalidField,
                0x25 => Condition::NoSuchUnit,
                0x30 => Condition::WrongMedium,
                // 01h is an invalid packet size.
                0x64 if ascq == 0x00 || vendors => Condition::WrongMedium,
                _ => Condition::IllegalRequest,
            };
            for bytes in [
                fixed_sense(0x70, 0x05, [0; 4], asc, ascq, [0; 3]),
                fixed_sense(0xF0, 0x05, [0, 0, 0, 1], asc, ascq, [0xC0, 0, 2]),
                with(0x72, 0x05, asc, ascq, &[]),
            ] {
                let condition = Sense::parse(&bytes).condition();
                assert_eq!(condition, expected, "{asc:02x}/{ascq:02x} {bytes:02x?}");
            }
        }
    }
}

/// 20h/00h says that a command is not known. The other qualifiers of 20h refuse one that is:
/// access controls (SPC-3 8.3.1) and the modes of a tape.
#[test]
fn only_one_qualifier_says_that_a_command_is_unknown() {
    for ascq in 0x00..=0xFF {
        let bytes = fixed_sense(0x70, 0x05, [0; 4], 0x20, ascq, [0; 3]);
        let unknown = Sense::parse(&bytes).condition() == Condition::UnknownCommand;
        assert_eq!(unknown, matches!(ascq, 0x00 | 0x80..), "{ascq:02x}");
    }
}

/// Health is told by two pairs of registers out of all.
#[test]
fn every_other_pair_of_registers_is_no_health() {
    for mid in 0x00..=0xFF {
        for high in 0x00..=0xFF {
            let expected = match (mid, high) {
                (0x4F, 0xC2) => Some(true),
                (0xF4, 0x2C) => Some(false),
                _ => None,
            };
            let status = [9, 12, 0, 0, 0, 0, 0, 0, 0, mid, 0, high, 0, 0x50];
            let mut fixed = fixed_sense(0xF0, 0x01, [0, 0x50, 0, 0], 0x00, 0x1D, [0; 3]);
            fixed[9..12].copy_from_slice(&[0, mid, high]);
            // The registers of SMART RETURN STATUS as libata wrote them, shifted.
            let mut old = fixed_sense(0x70, 0x01, [0; 4], 0x00, 0x1D, [0; 3]);
            old[8..12].copy_from_slice(&[0, 0x50, 0, 0]);
            old.extend([mid, high]);
            for bytes in [with(0x72, 1, 0, 0x1D, &[&status]), fixed, old] {
                let registers = Sense::parse(&bytes).ata_registers().expect("registers");
                assert_eq!(registers.smart_passed(), expected, "{registers:?}");
            }
        }
    }
}

/// The answer of `CK_COND` in each form, under each key, with each status: the registers are
/// found by the form alone, and tell success by ERR and DF alone.
#[test]
fn registers_are_read_under_every_key() {
    for key in 0x0..=0xF {
        for (asc, ascq) in [(0x00, 0x1D), (0x21, 0x04), (0x00, 0x00), (0x47, 0x00)] {
            for status in 0x01..=0xFF {
                let body = [9, 12, 0, 4, 0, 1, 0, 7, 0, 8, 0, 9, 0xA0, status];
                let mut fixed = fixed_sense(0xF0, key, [4, status, 0xA0, 1], asc, ascq, [0; 3]);
                fixed[9..12].copy_from_slice(&[7, 8, 9]);
                let mut old = fixed_sense(0x70, key, [0; 4], asc, ascq, [0; 3]);
                old[8..12].copy_from_slice(&[4, status, 0xA0, 1]);
                old.truncate(17);
                old.extend([7, 8, 9]);
                for (bytes, layout) in [
                    (with(0x72, key, asc, ascq, &[&body]), AtaLayout::Descriptor),
                    (fixed, AtaLayout::Fixed),
                    (old, AtaLayout::OldLibata),
                ] {
                    let found = Sense::parse(&bytes).ata_registers().expect("registers");
                    assert_eq!(found.layout, layout);
                    assert_eq!((found.error, found.status, found.device), (4, status, 0xA0));
                    assert_eq!((found.count, found.lba), (1, Some(0x09_0807)), "{layout:?}");
                    assert_eq!(found.is_error(), status & 0x21 != 0);
                    assert!(!found.all_zero());
                }
            }
        }
    }
}

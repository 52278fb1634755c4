//! What is sent to the drive, and what it returns.

use super::*;

#[test]
fn a_format_list() {
    let plain = FormatList::new(FormatType::new(0x26).unwrap(), 0x0102_0304);
    assert_eq!(plain.as_bytes(), [0, 0, 0, 8, 1, 2, 3, 4, 0x98, 0, 0, 0]);
    let all = plain.subtype(0xff).parameter(0xff05_0607);
    assert_eq!(all.as_bytes(), [0, 0, 0, 8, 1, 2, 3, 4, 0x9b, 5, 6, 7]);
    for (list, flags) in [
        (plain.options_valid(true), 0x80),
        (plain.disable_certification(true), 0x20),
        (plain.try_out(true), 0x04),
        (plain.immediate(true), 0x02),
        (plain.vendor_specific(true), 0x01),
        (plain.immediate(true).try_out(true).immediate(false), 0x04),
    ] {
        assert_eq!(list.as_bytes()[1], flags);
    }
}

#[test]
fn a_cue_sheet() {
    let line = CueLine {
        control: TrackControl(0x4),
        track: 1,
        index: 2,
        data_form: 0x10,
        scms: 0x80,
        time: Msf::new(3, 4, 5).unwrap(),
    };
    let sheet = CueSheet::new()
        .catalogue_number(Mcn::new(*b"4008321123456").unwrap())
        .isrc(TrackControl(5), 9, Isrc::new(*b"DEA123456789").unwrap())
        .line(line);
    let mut expected = b"\x024008321\x02123456\0".to_vec();
    expected.extend_from_slice(b"\x53\x09DEA123\x53\x09456789");
    expected.extend_from_slice(&[0x41, 1, 2, 0x10, 0x80, 3, 4, 5]);
    assert_eq!(sheet.as_bytes(), expected);
    assert_eq!(cdb(&SendCueSheet, sheet.as_bytes().len())[8], 40);
    assert_eq!(CueSheet::default().as_bytes(), b"");
}

#[test]
fn values_of_a_calibration() {
    let values = OpcValues::new(0x0102, [3, 4, 5, 6, 7, 8]);
    assert_eq!(values.as_bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn format_capacities() {
    let bytes = [
        0, 0, 0, 24, // header
        0, 1, 2, 3, 0xfd, 0, 8, 0, // current
        4, 5, 6, 7, 0x43, 0, 0, 0x10, // two that can be had
        0, 0, 0, 1, 0x00, 0xff, 0xff, 0xff, //
        9, 9, 9, 9, 9, 9, 9, 9, // past the end
    ];
    let command = ReadFormatCapacities::new();
    let read = |bytes: &[u8]| {
        let reply = command.parse(ReplyBytes::borrowed(bytes)).unwrap();
        let formattable: Vec<_> = reply.formattable().collect();
        (
            reply.current(),
            formattable,
            reply.length_field_lies(),
            reply.list_length(),
        )
    };
    let (current, formattable, lie, length) = read(&bytes);
    let capacity = CapacityDescriptor {
        blocks: 0x01_0203,
        kind: CapacityDescriptorType::UNFORMATTED,
        block_length: 2048,
    };
    let first = FormattableCapacity {
        blocks: 0x0405_0607,
        kind: FormatType::CD_DVD_RW_FULL,
        subtype: 3,
        parameter: 16,
    };
    let second = FormattableCapacity {
        blocks: 1,
        kind: FormatType::FULL,
        subtype: 0,
        parameter: 0x00ff_ffff,
    };
    assert_eq!(current, Some(capacity));
    assert_eq!(formattable, [first, second]);
    assert_eq!((lie, length), (None, 24));
    let (current, formattable, lie, _) = read(&bytes[..19]);
    assert_eq!(current, Some(capacity));
    assert_eq!(formattable, []);
    assert_eq!(
        lie,
        Some(LengthLie::TooHigh {
            claimed: 28,
            arrived: 19
        })
    );
    let mut low = bytes;
    low[3] = 7;
    let (current, _, lie, _) = read(&low);
    assert_eq!(current, None);
    assert_eq!(
        lie,
        Some(LengthLie::TooLow {
            claimed: 11,
            arrived: 36
        })
    );
    low[3] = 8;
    assert_eq!(read(&low), (Some(capacity), vec![], None, 8));
    let head = command.allocation_length(12);
    let head = head.parse(ReplyBytes::borrowed(&bytes[..12])).unwrap();
    assert_eq!(head.needed_length(), Some(28));
    assert_eq!(head.length_field_lies(), None);
    for len in 0..4 {
        assert_eq!(
            FormatCapacities::parse(ReplyBytes::borrowed(&bytes[..len])),
            Err(Malformed::Short { need: 4, got: len })
        );
    }
}

//! Sense data that is cut, too long, or none at all, and what is left of the registers then.

use super::{built::*, *};

#[test]
fn a_descriptor_that_runs_past_the_end_is_clipped() {
    let bytes = with(0x72, 0x01, 0, 0x1D, &[&[0x09, 0x0C, 0, 0, 0, 1], &[]]);
    let sense = Sense::parse(&bytes);
    let items: Vec<_> = sense.descriptors().collect();
    assert_eq!(items.len(), 1);
    assert!(items[0].is_clipped());
    assert_eq!(items[0].body(), [0, 0, 0, 1]);
    assert_eq!(sense.ata_registers(), None);
    // A single byte at the end is not a descriptor; a length of zero is legal.
    let bytes = with(0x72, 0x01, 0, 0, &[&[0x81, 0], UNIT, &[0x03]]);
    assert_eq!(Fields::of(&bytes).descriptors, [(0x81, 0), (0x03, 2)]);
    assert_eq!(Sense::parse(&bytes).fru(), Some(0x42));
}

#[test]
fn the_announced_length_ends_the_sense_data() {
    // What is behind the end is not looked at.
    let mut bytes = with(0x72, 0x03, 0x11, 0x00, &[UNIT]);
    bytes.extend_from_slice(INFORMATION);
    assert_eq!(Sense::parse(&bytes).information(), None);
    assert!(!Sense::parse(&bytes).is_truncated());
    let mut bytes = fixed(0x70, 0x05, [0; 4], 0x24, 0x00, [0xC0, 0, 2]);
    bytes[7] = 6;
    assert_eq!(Sense::parse(&bytes).sense_key_specific(), None);
    assert_eq!(Sense::parse(&bytes).ascq(), Some(0));
    bytes[7] = 5;
    assert_eq!(Sense::parse(&bytes).asc(), Some(0x24));
    assert_eq!(Sense::parse(&bytes).additional(), None);
    assert_eq!(
        line(&bytes),
        "ILLEGAL REQUEST: additional sense code 24h, qualifier cut off"
    );
    // An announced length beyond the buffer does not extend it.
    bytes[7] = 0x58;
    assert!(Sense::parse(&bytes).is_truncated());
    assert_eq!(Sense::parse(&bytes).as_bytes().len(), 18);
}

#[test]
fn eight_bytes_have_a_key_and_no_codes() {
    let bytes = fixed(0x70, 0x06, [0; 4], 0x29, 0x00, [0; 3]);
    let sense = Sense::parse(&bytes[..8]);
    assert_eq!(sense.key(), Some(SenseKey::UNIT_ATTENTION));
    assert_eq!(sense.additional(), None);
    assert!(sense.is_truncated());
    assert_eq!(
        sense.to_string(),
        "UNIT ATTENTION: additional sense cut off"
    );
    assert_eq!(line(&bytes[..2]), "sense data without a sense key");
}

#[test]
fn bytes_that_are_not_sense_data() {
    assert_eq!(Sense::parse(&[]).format(), SenseFormat::Empty);
    assert_eq!(line(&[]), "no sense data");
    let vendor = Sense::parse(&[0x7F, 0x05, 0x24, 0, 0, 0, 0, 0]);
    assert_eq!(vendor.format(), SenseFormat::Vendor);
    assert_eq!((vendor.key(), vendor.asc()), (None, None));
    assert_eq!(vendor.to_string(), "vendor specific sense data");
    // A drive of before SCSI-2: class 0, error 21h, block address.
    let old = Sense::parse(&[0x21, 0x00, 0x12, 0x34]);
    assert_eq!(old.format(), SenseFormat::NotSense);
    assert_eq!(old.key(), None);
    assert_eq!(old.to_string(), "not sense data (response code 21h)");
    assert_eq!(Sense::parse(&[0x00, 0x01]).format(), SenseFormat::NotSense);
}

#[test]
fn overflow_of_the_sense_data() {
    let mut bytes = with(0x72, 0x03, 0x11, 0x00, &[]);
    bytes[4] = 0x80;
    assert!(Sense::parse(&bytes).sdat_overflow());
    assert!(Sense::parse(&fixed(0x70, 0x13, [0; 4], 0, 0, [0; 3])).sdat_overflow());
    assert!(line(&bytes).ends_with(", sense data overflow"));
}

#[test]
fn fixed_registers_say_what_they_lost() {
    let mut bytes = fixed(0xF0, 0x01, [0x00, 0x50, 0x40, 0x01], 0x00, 0x1D, [0; 3]);
    bytes[8..12].copy_from_slice(&[0xE3, 0x11, 0x22, 0x33]);
    assert_eq!(
        Sense::parse(&bytes).ata_registers(),
        Some(AtaRegisters {
            layout: AtaLayout::Fixed,
            extend: true,
            error: 0,
            count: 1,
            count_upper_lost: true,
            lba: Some(0x0033_2211),
            lba_upper_lost: true,
            device: 0x40,
            status: 0x50,
            log_index: Some(3),
        })
    );
}

#[test]
fn descriptor_registers_of_a_48_bit_command() {
    let status = [
        9, 12, 1, 4, 0xC1, 0xC0, 0x33, 0x00, 0x44, 0x11, 0x55, 0x22, 0xE0, 0x51,
    ];
    let bytes = with(0x72, 0x01, 0, 0x1D, &[&status]);
    let registers = Sense::parse(&bytes)
        .ata_registers()
        .expect("a whole descriptor");
    assert_eq!(registers.lba, Some(0x5544_3322_1100));
    assert_eq!(registers.count, 0xC1C0);
    let mut short = status;
    short[2] = 0;
    let bytes = with(0x72, 0x01, 0, 0x1D, &[&short]);
    let registers = Sense::parse(&bytes)
        .ata_registers()
        .expect("a whole descriptor");
    assert_eq!((registers.lba, registers.count), (Some(0x0022_1100), 0xC0));
}

#[test]
fn a_buffer_keeps_what_fits() {
    let mut buffer = SenseBuffer::EMPTY;
    assert!(buffer.is_empty() && buffer == SenseBuffer::default());
    assert_eq!(format!("{buffer:?}"), "SenseBuffer()");
    buffer.as_mut_array()[..3].copy_from_slice(&[0x70, 0, 0x05]);
    buffer.set_len(3);
    assert_eq!(buffer.len(), 3);
    assert_eq!(format!("{buffer:?}"), "SenseBuffer(70 00 05)");
    assert_eq!(format!("{:?}", buffer.sense()), "Sense(70 00 05)");
    assert_eq!(buffer, SenseBuffer::from(&[0x70, 0, 0x05][..]));
    // Bytes behind the length do not count.
    buffer.set_len(2);
    assert_eq!(buffer, SenseBuffer::from_slice(&[0x70, 0]));
    buffer.set_len(1000);
    assert_eq!(buffer.len(), 252);
    assert_eq!(
        SenseBuffer::from_slice(&[0x72; 300]).as_bytes(),
        [0x72; 252]
    );
}

#[test]
fn keys_have_names() {
    assert_eq!(SenseKey(0x0).to_string(), "NO SENSE");
    assert_eq!(SenseKey(0xB).to_string(), "ABORTED COMMAND");
    assert_eq!(SenseKey(0xF).to_string(), "COMPLETED");
    assert_eq!(SenseKey(0x10).to_string(), "sense key 10h");
    assert!(SenseKey::COMPLETED.is_informational() && !SenseKey::NOT_READY.is_informational());
}

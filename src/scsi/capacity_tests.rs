use proptest::prelude::*;

use super::*;
use crate::scsi::golden::hex;

const FOUR_KN: &str = include_str!("../../tests/cases/toolbin-22-readcap10-4kn.hex");
const BIT_31: &str = include_str!("../../tests/cases/libaums-441-readcap10-bit31.hex");
const GARBAGE: &str = include_str!("../../tests/cases/rpi-linux-3388-readcap16-130PB.hex");

fn short(last_lba: u32, block_length: u32) -> Capacity10 {
    let bytes = [last_lba.to_be_bytes(), block_length.to_be_bytes()].concat();
    Capacity10::parse(&bytes).unwrap()
}

fn long(last_lba: u64, block_length: u32) -> Capacity16 {
    let bytes = [&last_lba.to_be_bytes()[..], &block_length.to_be_bytes()].concat();
    Capacity16::parse(&bytes).unwrap()
}

#[test]
fn cdb_bytes() {
    assert_eq!(
        ReadCapacity10.cdb_for(8).unwrap().as_bytes(),
        [0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    );
    assert_eq!(ReadCapacity10.reply_length(), 8);
    let command = ReadCapacity16::default();
    assert_eq!(command.reply_length(), 32);
    assert_eq!(
        command.cdb_for(0x0102_0304).unwrap().as_bytes(),
        [0x9e, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0]
    );
    assert_eq!(command.allocation_length(12).reply_length(), 12);
}

#[test]
fn no_command_asks_for_a_length_that_means_nothing() {
    // disktrim#8, #11: READ CAPACITY(16) with allocation length 0.
    for len in 0..12 {
        assert_eq!(
            ReadCapacity16::new().cdb_for(len),
            Err(LengthMismatch::TooShort { len, min: 12 })
        );
    }
    assert!(ReadCapacity16::new().cdb_for(12).is_ok());
    for len in (0..40).filter(|&len| len != 8) {
        assert_eq!(
            ReadCapacity10.cdb_for(len),
            Err(LengthMismatch::Exact { len, expected: 8 })
        );
    }
    #[cfg(target_pointer_width = "64")]
    assert!(matches!(
        ReadCapacity16::new().cdb_for(1 << 32),
        Err(LengthMismatch::TooLong {
            max: 0xffff_ffff,
            ..
        })
    ));
}

#[test]
fn a_disk_with_blocks_of_4096_bytes() {
    let capacity = Capacity10::parse(&hex(FOUR_KN)).unwrap();
    assert_eq!(capacity.last_lba(), LastLba(0x9083_ffff));
    assert_eq!(capacity.block_length(), 4096);
    assert_eq!(capacity.blocks(), Some(0x9084_0000));
    assert_eq!(capacity.capacity_bytes(), Some(0x9084_0000 * 4096));
    assert!(!capacity.is_saturated());
    assert!(capacity.is_plausible());
}

#[test]
fn bit_31_is_no_sign() {
    let capacity = Capacity10::parse(&hex(BIT_31)).unwrap();
    assert_eq!(capacity.last_lba(), LastLba(4_000_797_359));
    assert_eq!(capacity.block_length(), 512);
    assert_eq!(capacity.blocks(), Some(4_000_797_360));
    assert_eq!(capacity.capacity_bytes(), Some(2_048_408_248_320));
    assert!(!capacity.is_saturated());
    assert!(capacity.is_plausible());
}

#[test]
fn a_bridge_that_says_130_petabytes() {
    let capacity = Capacity16::parse(&hex(GARBAGE)).unwrap();
    assert_eq!(capacity.last_lba(), LastLba(0xe4b3_4555_a7b4));
    assert_eq!(capacity.blocks(), Some(251_458_613_520_309));
    assert_eq!(capacity.block_length(), 512);
    assert_eq!(capacity.capacity_bytes(), 128_746_810_122_398_208);
    // Nothing in it is wrong by itself; the other command tells.
    assert!(capacity.is_plausible());
    assert!(!capacity.agrees_with(&short(1_000_215_215, 512)));
    assert!(long(1_000_215_215, 512).agrees_with(&short(1_000_215_215, 512)));
    // Twelve bytes came: the rest is not known.
    assert_eq!(capacity.protection_enabled(), None);
    assert_eq!(capacity.protection_type(), None);
    assert_eq!(capacity.basis(), None);
    assert_eq!(capacity.protection_intervals(), None);
    assert_eq!(capacity.logical_blocks_per_physical(), None);
    assert_eq!(capacity.provisioning_enabled(), None);
    assert_eq!(capacity.unmapped_reads_zeros(), None);
    assert_eq!(capacity.lowest_aligned_lba(), None);
}

#[test]
fn the_number_of_blocks_is_one_more_than_the_last_address() {
    // esp-usb#583, USG#4, rt-thread#3493, jSCSI#8.
    for last in [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe] {
        let blocks = u64::from(last) + 1;
        assert_eq!(short(last, 512).blocks(), Some(blocks));
        assert_eq!(long(last.into(), 512).blocks(), Some(blocks));
        assert_eq!(
            short(last, 520).capacity_bytes(),
            Some(u128::from(blocks) * 520)
        );
    }
    let end = long(u64::MAX, u32::MAX);
    assert_eq!(end.blocks(), None);
    assert_eq!(end.capacity_bytes(), (1 << 64) * u128::from(u32::MAX));
    assert!(!long(u64::MAX, 512).is_plausible());
}

#[test]
fn a_saturated_reply_has_no_capacity() {
    // libaums#294, smartmontools#423.
    let saturated = short(u32::MAX, 512);
    assert!(saturated.is_saturated());
    assert_eq!(saturated.blocks(), None);
    assert_eq!(saturated.capacity_bytes(), None);
    assert_eq!(saturated.last_lba(), LastLba(0xffff_ffff));
    assert!(long(0xffff_ffff, 512).agrees_with(&saturated));
    assert!(long(0x1_d1c0_beaf, 512).agrees_with(&saturated));
    assert!(!long(0xffff_fffe, 512).agrees_with(&saturated));
    assert!(!long(0x1_d1c0_beaf, 4096).agrees_with(&saturated));
    // A 5 TB drive whose short answer wrapped around instead.
    assert!(!long(0x2_46bf_afff, 512).agrees_with(&short(0x46bf_afff, 512)));
}

#[test]
fn plausible_block_lengths() {
    // fio#2146: 528 is no power of two.
    for bytes in [512, 520, 528, 1024, 2048, 4096, 4104, 4160, 4224, 65_536] {
        assert!(short(1, bytes).is_plausible(), "{bytes}");
        assert!(long(1, bytes).is_plausible(), "{bytes}");
    }
    for bytes in [
        0,
        1,
        256,
        511,
        513,
        1000,
        4097,
        131_072,
        0x0200_0000,
        u32::MAX,
    ] {
        assert!(!short(1, bytes).is_plausible(), "{bytes}");
        assert!(!long(1, bytes).is_plausible(), "{bytes}");
    }
}

#[test]
fn a_reply_of_zeros_is_not_plausible() {
    // disktrim#11: the status was not looked at, the buffer still zero.
    assert!(!Capacity10::parse(&[0; 8]).unwrap().is_plausible());
    assert!(!Capacity16::parse(&[0; 32]).unwrap().is_plausible());
}

/// READ CAPACITY(16) with these bytes from 12 on.
fn with_tail(tail: [u8; 4]) -> Vec<u8> {
    let mut bytes = vec![0; 32];
    bytes[7] = 0xff;
    bytes[10] = 2;
    bytes[12..16].copy_from_slice(&tail);
    bytes
}

#[test]
fn each_field_of_the_long_reply() {
    let bytes = with_tail([0x15, 0x23, 0xd2, 0x34]);
    let capacity = Capacity16::parse(&bytes).unwrap();
    assert_eq!(capacity.last_lba(), LastLba(255));
    assert_eq!(capacity.block_length(), 512);
    assert_eq!(capacity.protection_enabled(), Some(true));
    assert_eq!(capacity.protection_type(), Some(3));
    assert_eq!(capacity.basis(), Some(1));
    assert_eq!(capacity.protection_intervals(), Some(4));
    assert_eq!(capacity.logical_blocks_per_physical(), Some(8));
    assert_eq!(capacity.provisioning_enabled(), Some(true));
    assert_eq!(capacity.unmapped_reads_zeros(), Some(true));
    assert_eq!(capacity.lowest_aligned_lba(), Some(0x1234));
    let debug = format!("{capacity:?}");
    assert!(debug.contains("lowest_aligned_lba: Some(4660)"), "{debug}");

    let capacity = Capacity16::parse(&with_tail([0x0e, 0xff, 0x40, 0])).unwrap();
    assert_eq!(capacity.protection_enabled(), Some(false));
    assert_eq!(capacity.protection_type(), None);
    assert_eq!(capacity.protection_intervals(), Some(32_768));
    assert_eq!(capacity.logical_blocks_per_physical(), Some(32_768));
    assert_eq!(capacity.provisioning_enabled(), Some(false));
    assert_eq!(capacity.unmapped_reads_zeros(), Some(true));
    assert_eq!(capacity.lowest_aligned_lba(), Some(0));
}

#[test]
fn short_replies_have_fewer_fields() {
    let bytes = with_tail([0x01, 0x03, 0x80, 0x00]);
    for len in 0..=bytes.len() {
        match Capacity16::parse(&bytes[..len]) {
            Ok(capacity) => {
                assert!(len >= 12);
                assert_eq!(capacity.protection_type().is_some(), len >= 13);
                assert_eq!(capacity.logical_blocks_per_physical().is_some(), len >= 14);
                assert_eq!(capacity.lowest_aligned_lba().is_some(), len >= 16);
                assert_eq!(capacity.blocks(), Some(256));
            }
            Err(error) => {
                assert!(len < 12);
                assert_eq!(error, Malformed::Short { need: 12, got: len });
            }
        }
    }
    for len in 0..8 {
        assert_eq!(
            Capacity10::parse(&bytes[..len]),
            Err(Malformed::Short { need: 8, got: len })
        );
    }
}

#[test]
fn more_bytes_than_asked_for_change_nothing() {
    // armory-ums#2: the answer is longer than the allocation length.
    let mut bytes = hex(BIT_31);
    let capacity = Capacity10::parse(&bytes);
    bytes.resize(512, 0xff);
    assert_eq!(Capacity10::parse(&bytes), capacity);
    let mut bytes = with_tail([0x01, 0x03, 0x80, 0x00]);
    let capacity = Capacity16::parse(&bytes);
    bytes.resize(512, 0xff);
    assert_eq!(Capacity16::parse(&bytes), capacity);
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..=600),
    ) {
        let reply = || ReplyBytes::borrowed(&bytes);
        let ten = ReadCapacity10.parse(reply());
        let sixteen = ReadCapacity16::new().parse(reply());
        prop_assert_eq!(ten.is_ok(), bytes.len() >= 8);
        prop_assert_eq!(sixteen.is_ok(), bytes.len() >= 12);
        if let (Ok(ten), Ok(sixteen)) = (ten, sixteen) {
            let _ = format!("{ten:?} {sixteen:?} {} {}", ten.last_lba(), sixteen.last_lba());
            let _ = (
                ten.blocks(), ten.capacity_bytes(), ten.is_plausible(), sixteen.blocks(),
                sixteen.capacity_bytes(), sixteen.is_plausible(), sixteen.agrees_with(&ten),
                sixteen.basis(), sixteen.protection_enabled(),
            );
            prop_assert!(sixteen.protection_intervals().is_none_or(u32::is_power_of_two));
            prop_assert!(sixteen.logical_blocks_per_physical().is_none_or(u32::is_power_of_two));
        }
    }

    #[test]
    fn capacity_is_blocks_times_length(last: u64, length: u32) {
        let capacity = long(last, length);
        prop_assert_eq!(capacity.capacity_bytes(), (u128::from(last) + 1) * u128::from(length));
    }
}

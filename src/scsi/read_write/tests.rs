use proptest::prelude::*;

use super::*;

/// All options set to values whose bits can be told apart.
const PROTECT: Protect = Protect::new(5).unwrap();
const GROUP: GroupNumber = GroupNumber::new(0x2a).unwrap();

#[test]
fn golden_bytes_of_plain_commands() {
    assert_eq!(
        Read10::new(0x0102_0304, 8)
            .cdb_for(4096)
            .unwrap()
            .as_bytes(),
        [0x28, 0, 1, 2, 3, 4, 0, 0, 8, 0]
    );
    assert_eq!(
        Write10::new(0x0102_0304, 8)
            .cdb_for(4096)
            .unwrap()
            .as_bytes(),
        [0x2a, 0, 1, 2, 3, 4, 0, 0, 8, 0]
    );
    assert_eq!(
        Read16::new(0x0102_0304_0506_0708, 8)
            .cdb_for(4096)
            .unwrap()
            .as_bytes(),
        [0x88, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 8, 0, 0]
    );
    assert_eq!(
        Write16::new(0x0102_0304_0506_0708, 8)
            .cdb_for(4096)
            .unwrap()
            .as_bytes(),
        [0x8a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 8, 0, 0]
    );
}

#[test]
fn golden_bytes_of_every_option() {
    let bytes = 0x0102 * 4104;
    assert_eq!(
        Read10::new(0xfffe_fdfc, 0x0102)
            .protect(PROTECT)
            .dpo(true)
            .fua(true)
            .group_number(GROUP)
            .control(0x04)
            .block_length(4104)
            .cdb_for(bytes)
            .unwrap()
            .as_bytes(),
        [0x28, 0xb8, 0xff, 0xfe, 0xfd, 0xfc, 0x2a, 0x01, 0x02, 0x04]
    );
    assert_eq!(
        Write10::new(0xfffe_fdfc, 0x0102)
            .protect(PROTECT)
            .dpo(true)
            .fua(true)
            .group_number(GROUP)
            .control(0x04)
            .block_length(4104)
            .cdb_for(bytes)
            .unwrap()
            .as_bytes(),
        [0x2a, 0xb8, 0xff, 0xfe, 0xfd, 0xfc, 0x2a, 0x01, 0x02, 0x04]
    );
    let limit = DurationLimit::new(6).unwrap();
    let tail = [0, 0, 1, 2, 0xaa, 0x04];
    assert_eq!(
        Read16::new(0xfffe_fdfc_fbfa_f9f8, 0x0102)
            .protect(PROTECT)
            .dpo(true)
            .fua(true)
            .group_number(GROUP)
            .duration_limit(limit)
            .control(0x04)
            .block_length(4104)
            .cdb_for(bytes)
            .unwrap()
            .as_bytes(),
        [
            &[0x88, 0xb9, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8],
            &tail[..]
        ]
        .concat()
    );
    assert_eq!(
        Write16::new(0xfffe_fdfc_fbfa_f9f8, 0x0102)
            .protect(PROTECT)
            .dpo(true)
            .fua(true)
            .group_number(GROUP)
            .duration_limit(limit)
            .control(0x04)
            .block_length(4104)
            .cdb_for(bytes)
            .unwrap()
            .as_bytes(),
        [
            &[0x8a, 0xb9, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0xf9, 0xf8],
            &tail[..]
        ]
        .concat()
    );
}

#[test]
fn each_option_sets_its_own_bits() {
    let plain = Read16::new(0, 1);
    for (command, offset, bits) in [
        (plain.protect(Protect::CHECK), 1, 0x20),
        (plain.protect(Protect::NO_CHECK), 1, 0x60),
        (plain.dpo(true), 1, 0x10),
        (plain.fua(true), 1, 0x08),
        (
            plain.duration_limit(DurationLimit::new(4).unwrap()),
            1,
            0x01,
        ),
        (
            plain.duration_limit(DurationLimit::new(2).unwrap()),
            14,
            0x80,
        ),
        (
            plain.duration_limit(DurationLimit::new(1).unwrap()),
            14,
            0x40,
        ),
        (plain.group_number(GroupNumber::new(63).unwrap()), 14, 0x3f),
        (plain.control(0x81), 15, 0x81),
        (plain.fua(true).fua(false), 1, 0),
    ] {
        let mut expected = [0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0];
        expected[offset] |= bits;
        assert_eq!(command.cdb_for(512).unwrap().as_bytes(), expected);
    }
}

#[test]
fn fields_of_a_few_bits_are_checked() {
    for value in 0..=255 {
        assert_eq!(Protect::new(value).is_some(), value <= 7);
        assert_eq!(DurationLimit::new(value).is_some(), value <= 7);
        assert_eq!(GroupNumber::new(value).is_some(), value <= 63);
    }
    assert_eq!(Protect::new(3), Some(Protect::NO_CHECK));
    assert_eq!(DurationLimit::new(7).unwrap().get(), 7);
    assert_eq!(DurationLimit::NONE.get(), 0);
    assert_eq!(GROUP.get(), 0x2a);
}

#[test]
fn with_a_block_length_the_buffer_is_exact() {
    for block_length in [256, 512, 520, 528, 2048, 2352, 4096, 4160] {
        let read = Read10::new(0, 3).block_length(block_length);
        let expected = u64::from(block_length) * 3;
        let fit = usize::try_from(expected).unwrap();
        assert!(read.cdb_for(fit).is_ok());
        for len in [0, fit - 1, fit + 1, fit * 2] {
            assert_eq!(
                read.cdb_for(len),
                Err(LengthMismatch::Exact { len, expected })
            );
        }
    }
}

#[test]
fn without_one_it_is_a_multiple_of_at_least_512_each() {
    let write = Write16::new(0, 3);
    for len in [1536, 1539, 3 * 520, 3 * 4096] {
        assert!(write.cdb_for(len).is_ok());
    }
    for len in [0, 1, 3, 512, 1533, 1535, 1537, 1538, 4096] {
        let mismatch = LengthMismatch::Blocks { len, blocks: 3 };
        assert_eq!(write.cdb_for(len), Err(mismatch));
        // A block length of zero is none: READ CAPACITY may say so.
        assert_eq!(write.block_length(0).cdb_for(len), Err(mismatch));
    }
}

#[test]
fn no_blocks_are_no_bytes() {
    for block_length in [0, 512] {
        assert!(
            Read10::new(7, 0)
                .block_length(block_length)
                .cdb_for(0)
                .is_ok()
        );
        let read = Read16::new(7, 0).block_length(block_length);
        assert_eq!(
            read.cdb_for(0).unwrap().as_bytes(),
            [0x88, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0]
        );
        for len in [1, 512, 4096] {
            assert_eq!(
                read.cdb_for(len),
                Err(LengthMismatch::Exact { len, expected: 0 })
            );
        }
    }
}

#[test]
fn the_largest_counts_do_not_overflow() {
    let read = Read16::new(u64::MAX, u32::MAX).block_length(u32::MAX);
    let expected = u64::from(u32::MAX) * u64::from(u32::MAX);
    assert_eq!(
        read.cdb_for(0),
        Err(LengthMismatch::Exact { len: 0, expected })
    );
    assert_eq!(
        Read16::new(0, u32::MAX).cdb_for(usize::MAX).is_ok(),
        usize::BITS == 64
    );
}

#[test]
fn a_command_tells_its_address_and_count() {
    assert_eq!(
        (Read10::new(1, 2).lba(), Read10::new(1, 2).blocks()),
        (1, 2)
    );
    assert_eq!(
        (Read16::new(1, 2).lba(), Read16::new(1, 2).blocks()),
        (1, 2)
    );
    assert_eq!(
        (Write10::new(1, 2).lba(), Write10::new(1, 2).blocks()),
        (1, 2)
    );
    assert_eq!(
        (Write16::new(1, 2).lba(), Write16::new(1, 2).blocks()),
        (1, 2)
    );
}

proptest! {
    #[test]
    fn what_is_accepted_is_what_the_cdb_says(
        lba: u64, blocks in 0..20u32, length in prop_oneof![Just(0u32), 1..9000u32],
        len in 0..200_000usize, fit: bool,
    ) {
        let len = if fit { (blocks * length) as usize } else { len };
        let read = Read16::new(lba, blocks).block_length(length);
        if let Ok(cdb) = read.cdb_for(len) {
            let bytes = cdb.as_bytes();
            prop_assert_eq!(&bytes[2..10], lba.to_be_bytes());
            prop_assert_eq!(&bytes[10..14], blocks.to_be_bytes());
            prop_assert_eq!(len == 0, blocks == 0);
            prop_assert!(length == 0 || len == (blocks * length) as usize);
            prop_assert!(length != 0 || len >= (blocks * 512) as usize);
        } else {
            prop_assert!(!(fit && length != 0));
        }
    }

    #[test]
    fn any_length_is_answered(lba: u32, few: u16, blocks: u32, length: u32, len: usize) {
        let _ = Read10::new(lba, few).block_length(length).cdb_for(len);
        let _ = Write10::new(lba, few).cdb_for(len);
        let _ = Write16::new(lba.into(), blocks).block_length(length).cdb_for(len);
    }
}

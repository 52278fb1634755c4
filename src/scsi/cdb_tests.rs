use super::*;
use crate::scsi::{DeviceType, command_name, golden::hex, is_read_only};

const LEAD_IN: &str = include_str!("../../tests/cases/redumper-27-cdb-d8-leadin.hex");

#[test]
fn plextors_read_cd_da_in_the_lead_in() {
    let bytes = hex(LEAD_IN);
    let cdb = Cdb::new(&bytes).unwrap();
    assert_eq!(cdb.as_bytes(), bytes);
    assert_eq!(cdb.as_ref(), bytes);
    assert_eq!(cdb.len(), 12);
    assert_eq!(cdb.opcode(), 0xd8);
    assert_eq!(cdb.service_action(), None);
    assert_eq!(cdb.to_string(), "d8 00 ff ff b1 4b 00 00 00 01 02 00");
    // Address -20149, one sector, with all sub-channels.
    let field = |at: usize| [0, 1, 2, 3].map(|offset| cdb.byte(at + offset));
    assert_eq!(i32::from_be_bytes(field(2)), -20_149);
    assert_eq!(u32::from_be_bytes(field(6)), 1);
    assert_eq!(cdb.byte(10), 0x02);
    assert_eq!(cdb.byte(12), 0, "what is not there is zero");
    // It only reads, but that is the vendor's word: D8h can be anything.
    for kind in (0..=0x1f).map(DeviceType) {
        assert!(!is_read_only(&cdb, Some(kind)), "{kind}");
        assert_eq!(command_name(&bytes, Some(kind.0)), None);
    }
    assert!(!is_read_only(&cdb, None));
}

#[test]
fn six_to_thirty_two_bytes() {
    for len in 0..=300 {
        let bytes = vec![0xa5; len];
        match Cdb::new(&bytes) {
            Ok(cdb) => {
                assert!((6..=32).contains(&len), "{len}");
                assert_eq!(cdb.as_bytes(), bytes);
            }
            Err(error) => {
                assert!(!(6..=32).contains(&len), "{len}");
                assert_eq!(error, CdbLengthError { len });
            }
        }
        assert_eq!(Cdb::try_from(&bytes[..]), Cdb::new(&bytes));
    }
}

#[test]
fn a_length_is_part_of_a_cdb() {
    // The rest of the room is zero, and still these are different commands.
    let short = Cdb::from_array([0x12, 0, 0, 0, 36, 0]);
    let long = Cdb::from_array([0x12, 0, 0, 0, 36, 0, 0, 0, 0, 0]);
    assert_ne!(short, long);
    assert_eq!(short, Cdb::new(short.as_bytes()).unwrap());
}

#[test]
fn service_actions_are_where_the_opcode_has_them() {
    for opcode in 0..=255u8 {
        let mut bytes = [0; 32];
        (bytes[0], bytes[1], bytes[8], bytes[9]) = (opcode, 0xf2, 0x12, 0x34);
        let expected = match opcode {
            0x7f => Some(0x1234),
            0x48 | 0x5e | 0x5f | 0x83 | 0x84 | 0x8c | 0x8d | 0x94 | 0x95 | 0x9b..=0x9f => {
                Some(0x12)
            }
            0xa3 | 0xa4 | 0xa9 | 0xab => Some(0x12),
            _ => None,
        };
        assert_eq!(
            Cdb::from_array(bytes).service_action(),
            expected,
            "{opcode:02x}"
        );
    }
    // Too short for its own service action.
    for len in 6..32 {
        let mut bytes = vec![0; len];
        bytes[0] = 0x7f;
        let action = Cdb::new(&bytes).unwrap().service_action();
        assert_eq!(action.is_some(), len >= 10, "{len}");
    }
}

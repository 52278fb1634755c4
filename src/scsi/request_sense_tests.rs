use proptest::prelude::*;

use super::*;

#[test]
fn cdb_bytes() {
    let fixed = RequestSense::new();
    assert_eq!(fixed.reply_length(), 252);
    assert_eq!(
        fixed.cdb_for(252).unwrap().as_bytes(),
        [0x03, 0, 0, 0, 252, 0]
    );
    let descriptor = RequestSense::default()
        .descriptor(true)
        .allocation_length(18);
    assert_eq!(descriptor.reply_length(), 18);
    assert_eq!(
        descriptor.cdb_for(18).unwrap().as_bytes(),
        [0x03, 1, 0, 0, 18, 0]
    );
}

#[test]
fn the_length_has_eight_bits() {
    let command = RequestSense::new();
    assert!(command.cdb_for(255).is_ok());
    assert_eq!(
        command.cdb_for(256),
        Err(LengthMismatch::TooLong { len: 256, max: 255 })
    );
    assert!(command.cdb_for(8).is_ok());
    for len in 0..8 {
        assert_eq!(
            command.cdb_for(len),
            Err(LengthMismatch::TooShort { len, min: 8 })
        );
    }
}

proptest! {
    #[test]
    fn any_reply_is_sense(bytes in proptest::collection::vec(any::<u8>(), 0..=600)) {
        let reply = RequestSense::new().parse(ReplyBytes::borrowed(&bytes)).unwrap();
        prop_assert_eq!(reply.as_bytes(), &bytes[..]);
        let _ = format!("{:?}", reply.sense());
    }
}

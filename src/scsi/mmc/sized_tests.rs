use proptest::prelude::*;

use super::*;

fn short(bytes: &[u8], asked: usize) -> SizedReply<'_> {
    SizedReply::with_16_bits(ReplyBytes::borrowed(bytes), asked, 4, 8).unwrap()
}

#[test]
fn a_reply_ends_where_its_length_says() {
    let reply = short(&[0, 6, 1, 2, 3, 4, 5, 6, 7, 8], 10);
    assert_eq!(reply.claimed_length(), 8);
    assert_eq!(reply.as_bytes(), [0, 6, 1, 2, 3, 4, 5, 6]);
    assert_eq!(reply.list(4), [3, 4, 5, 6]);
    assert_eq!(reply.arrived().len(), 10);
    assert_eq!(reply.needed_length(), None);
    assert_eq!(reply.length_field_lies(), None);
}

#[test]
fn what_was_cut_can_be_asked_for() {
    let reply = short(&[0, 11, 0, 0], 4);
    assert!(reply.is_truncated());
    assert_eq!(reply.needed_length(), Some(14), "13 bytes, made even");
    assert_eq!(reply.length_field_lies(), None);
    assert_eq!(short(&[0xff, 0xff, 0, 0], 4).needed_length(), Some(65_535));
    // All that can be asked for has come.
    let mut all = vec![0xff; 65_535];
    assert_eq!(short(&all, 65_535).needed_length(), None);
    all.truncate(4);
    let long = SizedReply::with_32_bits(ReplyBytes::borrowed(&all), 4, 4, 4).unwrap();
    assert!(long.is_truncated());
    assert_eq!(long.needed_length(), Some(65_535));
}

#[test]
fn lengths_that_lie() {
    let reply = short(&[0, 11, 0, 0], 20);
    assert!(!reply.is_truncated());
    assert_eq!(reply.needed_length(), None);
    let lie = LengthLie::TooHigh {
        claimed: 13,
        arrived: 4,
    };
    assert_eq!(reply.length_field_lies(), Some(lie));
    let lie = LengthLie::TooLow {
        claimed: 2,
        arrived: 9,
    };
    assert_eq!(short(&[0; 9], 9).length_field_lies(), Some(lie));
    // Eight is enough, whatever comes after it.
    assert_eq!(
        short(&[0, 6, 0, 0, 0, 0, 0, 0, 0], 9).length_field_lies(),
        None
    );
    assert_eq!(
        SizedReply::with_16_bits(ReplyBytes::borrowed(&[0, 2, 0]), 4, 4, 4),
        Err(Malformed::Short { need: 4, got: 3 })
    );
    assert_eq!(
        SizedReply::with_32_bits(ReplyBytes::borrowed(&[0, 2, 0]), 8, 8, 8),
        Err(Malformed::Short { need: 8, got: 3 })
    );
}

proptest! {
    #[test]
    fn never_more_than_came(mut bytes: Vec<u8>, small: bool, asked in 0usize..70_000, header in 0usize..12) {
        // Lengths that are less than what came.
        if small {
            for index in [0, 1, 2] {
                if let Some(byte) = bytes.get_mut(index) {
                    *byte &= 0x0f;
                }
            }
            if let Some(byte) = bytes.get_mut(0) {
                *byte = 0;
            }
        }
        for reply in [
            SizedReply::with_16_bits(ReplyBytes::borrowed(&bytes), asked, header, 8),
            SizedReply::with_32_bits(ReplyBytes::borrowed(&bytes), asked, header, 8),
        ].into_iter().flatten() {
            prop_assert!(bytes.starts_with(reply.as_bytes()));
            prop_assert!(reply.as_bytes().len() <= reply.claimed_length());
            prop_assert!(reply.list(header).len() + header <= bytes.len().max(header));
            let too_high = matches!(reply.length_field_lies(), Some(LengthLie::TooHigh { .. }));
            prop_assert!(!(reply.is_truncated() && too_high));
        }
    }
}

//! What is read out of several fields together.

use super::{
    built::{fixed, with},
    *,
};

const BLOCK_9: [u8; 4] = [0, 0, 0, 9];

fn block(code: u8, flags: u8, asc: u8, ascq: u8) -> Option<u64> {
    let bytes = fixed(code, flags, BLOCK_9, asc, ascq, [0; 3]);
    Sense::parse(&bytes).failed_block(9..10)
}

#[test]
fn the_failed_block_is_one_that_was_asked_for() {
    let bytes = fixed(0xF0, 0x03, BLOCK_9, 0x11, 0x00, [0; 3]);
    let sense = Sense::parse(&bytes);
    assert_eq!(sense.failed_block(0..9), None);
    assert_eq!(sense.failed_block(9..10), Some(9));
    assert_eq!(sense.failed_block(10..100), None);
    assert_eq!(sense.failed_block(9..9), None);
    let wide = [0, 0x0A, 0x80, 0, 0, 0, 0, 1, 0, 0, 0, 0];
    let bytes = with(0x72, 0x03, 0x11, 0x00, &[&wide]);
    let asked = 0xFFFF_FFFF..0x1_0000_0001;
    assert_eq!(
        Sense::parse(&bytes).failed_block(asked),
        Some(0x1_0000_0000)
    );
}

#[test]
fn keys_that_name_a_block() {
    for key in 0x0..=0xF {
        let expected = matches!(key, 0x1 | 0x3 | 0x4 | 0x8 | 0xB).then_some(9);
        assert_eq!(block(0xF0, key, 0x11, 0x00), expected, "key {key:x}");
    }
    assert_eq!(block(0x70, 0x03, 0x11, 0x00), None, "not valid");
    assert_eq!(block(0xF1, 0x03, 0x11, 0x00), None, "deferred");
    assert_eq!(block(0xF0, 0x01, 0x00, 0x1D), None, "ATA registers");
    for flag in [0x80, 0x40, 0x20] {
        assert_eq!(block(0xF0, 0x08 | flag, 0x00, 0x05), None, "a residue");
    }
    assert_eq!(Sense::parse(&[]).failed_block(0..1), None);
}

#[test]
fn smart_status_is_one_of_two_or_unknown() {
    let of = |low: u8, mid: u8, high: u8| {
        let status = [9, 12, 0, 0, 0, 0, 0, low, 0, mid, 0, high, 0, 0x50];
        let bytes = with(0x72, 1, 0, 0x1D, &[&status]);
        Sense::parse(&bytes).ata_registers()?.smart_passed()
    };
    assert_eq!(of(0, 0x4F, 0xC2), Some(true));
    assert_eq!(of(9, 0xF4, 0x2C), Some(false));
    for (low, mid, high) in [
        (0, 0, 0),
        // Byte order.
        (0, 0xC2, 0x4F),
        (0, 0x4F, 0x2C),
        (0, 0xF4, 0xC2),
        // Of a FreeBSD host and its bridge.
        (0xD7, 0xAD, 0x64),
    ] {
        assert_eq!(of(low, mid, high), None);
    }
    // Fixed format, as SAT-2 has it.
    let mut bytes = fixed(0xF0, 0x01, [0, 0x50, 0, 0], 0x00, 0x1D, [0; 3]);
    bytes[9..12].copy_from_slice(&[0, 0xF4, 0x2C]);
    let registers = Sense::parse(&bytes).ata_registers().unwrap();
    assert_eq!(registers.smart_passed(), Some(false));
}

#[test]
fn referrals_name_blocks_and_ports() {
    let mut body = vec![0x0B, 2 + 28 + 24, 0x01, 0];
    let segment = |first: u64, last: u64, groups: &[(u8, u16)]| {
        let mut bytes = vec![0, 0, 0, u8::try_from(groups.len()).unwrap()];
        bytes.extend(first.to_be_bytes());
        bytes.extend(last.to_be_bytes());
        for (state, group) in groups {
            let [high, low] = group.to_be_bytes();
            bytes.extend([*state, 0, high, low]);
        }
        bytes
    };
    body.extend(segment(0, 0x1_0000_0000, &[(0, 1), (0xF1, 0x1234)]));
    body.extend(segment(u64::MAX - 1, u64::MAX, &[(2, 3)]));
    let bytes = with(0x72, 0x06, 0x3F, 0x15, &[&body]);
    let sense = Sense::parse(&bytes);
    let Some(SenseDescriptor::UserDataSegmentReferral { not_all, segments }) = sense
        .descriptors()
        .next()
        .map(|item| item.decode(SenseKey::UNIT_ATTENTION))
    else {
        panic!("{sense:?}");
    };
    assert!(not_all);
    let read: Vec<_> = segments
        .map(|segment| {
            let groups: Vec<_> = segment
                .groups()
                .map(|port| (port.access_state, port.group))
                .collect();
            (segment.first_lba(), segment.last_lba(), groups)
        })
        .collect();
    assert_eq!(
        read,
        [
            (0, 0x1_0000_0000, vec![(0, 1), (1, 0x1234)]),
            (u64::MAX - 1, u64::MAX, vec![(2, 3)]),
        ]
    );
    // A segment that claims more groups than there are ends the walk.
    let whole = segments.as_bytes();
    for length in 0..whole.len() {
        let cut = ReferralSegments::new(&whole[..length]);
        assert_eq!(cut.count(), usize::from(length >= 28), "{length} bytes");
    }
}

/// The replies of a REQUEST SENSE that tell a progress, in each place that it can be.
#[test]
fn request_sense_tells_a_progress() {
    use crate::scsi::{Query, ReplyBytes, RequestSense};
    let replies = [
        fixed(0x70, 0x00, [0; 4], 0x04, 0x04, [0x80, 0x40, 0]),
        fixed(0x70, 0x02, [0; 4], 0x04, 0x04, [0x80, 0x40, 0]),
        with(0x72, 0x00, 0x04, 0x04, &[&[2, 6, 0, 0, 0x80, 0x40, 0, 0]]),
        with(0x72, 0x02, 0x04, 0x04, &[&[0x0A, 6, 2, 4, 4, 0, 0x40, 0]]),
    ];
    for bytes in replies {
        let reply = RequestSense::new()
            .parse(ReplyBytes::borrowed(&bytes))
            .unwrap();
        let quarter = Some(Progress(0x4000));
        assert_eq!(reply.sense().progress(), quarter);
        assert_eq!(reply.sense().condition(), Condition::Formatting(quarter));
    }
}

//! What a failed command brought: data, sense data and registers, all of it kept.

use passthru::{
    Verdict,
    scsi::{Inquiry, Malformed, Query, RawCdb, ReplyBytes, Sense, sense::AtaLayout},
};

use super::*;

/// Fixed with the registers in their new and old places, and in a descriptor.
fn with_registers(key: u8) -> [(Vec<u8>, AtaLayout); 3] {
    let mut fixed = vec![0xf0, 0, key, 4, 0x51, 0xa0, 1, 10, 0, 7, 8, 9];
    fixed.resize(18, 0);
    let mut old = vec![0x70, 0, key, 0, 0, 0, 0, 10, 4, 0x51, 0xa0, 1];
    old.resize(17, 0);
    old.extend([7, 8, 9]);
    let descriptor = vec![
        0x72, key, 0, 0, 0, 0, 0, 14, 9, 12, 0, 4, 0, 1, 0, 7, 0, 8, 0, 9, 0xa0, 0x51,
    ];
    [
        (fixed, AtaLayout::Fixed),
        (old, AtaLayout::OldLibata),
        (descriptor, AtaLayout::Descriptor),
    ]
}

/// Under every key, in every form, with GOOD and with CHECK CONDITION: the caller has the bytes
/// that came, the sense data as it came, and the registers in it.
#[test]
fn data_and_sense_data_come_back_together() {
    let reply = b"\0\0\x06\x02\x1f\0\0\0ACME    FAKE DRIVE      1.0 ";
    for key in 0x0..=0xf {
        for (sense, layout) in with_registers(key) {
            for status in [Status::GOOD, Status::CHECK_CONDITION] {
                let drive = Drive::new(|_, data| {
                    let mut outcome = good(data, reply);
                    outcome.set_status(status);
                    *outcome.sense_mut() = SenseBuffer::from_slice(&sense);
                    Ok(outcome)
                });
                let check = |outcome: &Outcome| {
                    assert_eq!(outcome.sense_bytes(), sense);
                    let ata = Sense::parse(outcome.sense_bytes()).ata_registers().unwrap();
                    assert_eq!((ata.layout, ata.error, ata.status), (layout, 4, 0x51));
                };
                let done = matches!((key, status), (0x1 | 0xf, _) | (0x0, Status::GOOD));
                match drive.query(&Inquiry::standard()) {
                    Ok(data) => assert!(done && data.as_bytes() == reply, "{key:x}"),
                    Err(error) => {
                        assert!(!done, "{error}");
                        assert_eq!(error.failure().unwrap().data(), reply);
                        check(error.outcome().unwrap());
                    }
                }
                let mut buffer = [0; 36];
                let raw = RawCdb::from_array([0x12, 0, 0, 0, 36, 0]);
                match drive.read(&raw, &mut buffer) {
                    Ok(outcome) => {
                        assert!(done);
                        assert_eq!(outcome.verdict(), Verdict::GoodWithSense);
                        check(&outcome);
                    }
                    Err(error) => check(error.outcome().unwrap()),
                }
                assert_eq!(&buffer, reply, "{key:x}");
            }
        }
    }
}

/// A bridge that has given up says GOOD, a residual of 0, and sends nothing. Whoever puts a pattern
/// into the buffer sees that, at each length: it is handed on as it is, and parsed afterwards.
#[test]
fn a_pattern_in_the_buffer_shows_that_nothing_came() {
    let drive = Drive::new(|_, data| {
        let mut outcome = Outcome::new(Status::GOOD, data.len());
        outcome.set_duration(Duration::from_secs(20));
        Ok(outcome)
    });
    for len in (5..=96).chain([252, 255, 512, 4096]) {
        let mut buffer = vec![0xa5; len];
        let outcome = drive.read(&Inquiry::standard(), &mut buffer).unwrap();
        assert_eq!(buffer, vec![0xa5; len]);
        // The layers below say nothing of it but the time.
        assert_eq!(
            (outcome.verdict(), outcome.transferred()),
            (Verdict::Good, len)
        );
        assert_eq!(outcome.duration(), Some(Duration::from_secs(20)));
        let whole = Inquiry::standard()
            .parse(ReplyBytes::borrowed(&buffer))
            .unwrap();
        assert_eq!(whole.additional_length(), 0xa5);
        // A query's own memory is zero before.
        let asked = u16::try_from(len).unwrap();
        let zeros = drive.query(&Inquiry::standard().allocation_length(asked));
        assert!(zeros.unwrap().as_bytes().iter().all(|&byte| byte == 0));
    }
}

/// A reply that is none is kept as well, at each length.
#[test]
fn what_is_no_reply_is_kept() {
    let bytes: Vec<u8> = (1..=36).collect();
    for came in 0..5 {
        let drive = Drive::new(|_, data| Ok(good(data, &bytes[..came])));
        let Err(Error::Malformed { failure, reason }) = drive.query(&Inquiry::standard()) else {
            panic!("{came} bytes are no reply");
        };
        assert_eq!(reason, Malformed::Short { need: 5, got: came });
        assert_eq!(failure.data(), &bytes[..came]);
    }
}

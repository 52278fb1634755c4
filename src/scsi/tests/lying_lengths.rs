//! A length field that lies, in every reply that has one: with every value, and with every number
//! of bytes that came.

use super::replies::{Kind, all};
use crate::scsi::LengthLie;

const ASKED: u16 = 255;

/// Where the reply ends by its field, and where it ends in what came.
fn ends(kind: &Kind, value: u32, came: usize) -> (usize, usize) {
    let claimed =
        usize::try_from(value).map_or(usize::MAX, |value| value.saturating_add(kind.plus));
    (claimed, came.min(claimed.max(kind.mandatory)))
}

/// What lies behind the end is not read: whatever is there, the reply says the same.
#[test]
fn nothing_behind_the_end_is_read() {
    for kind in all() {
        for value in kind.lengths_to_try() {
            let whole = kind.with_length(value);
            for came in 0..=whole.len() {
                let bytes = &whole[..came];
                let said = (kind.look)(bytes, ASKED);
                let context = || format!("{} {value} {came}", kind.name);
                assert_eq!(said.is_err(), came < kind.header, "{} {said:?}", context());
                let (_, end) = ends(&kind, value, came);
                for filling in [0x00, 0x20, 0xa5, 0xff] {
                    let mut other = bytes.to_vec();
                    other[end..].fill(filling);
                    assert_eq!((kind.look)(&other, ASKED), said, "{}", context());
                }
                if end >= kind.header {
                    assert_eq!((kind.look)(&bytes[..end], ASKED), said, "{}", context());
                }
            }
        }
    }
}

/// Longer than what came is a lie where more was asked for, and a reason to ask for more where it
/// was not; never both.
#[test]
fn a_length_beyond_what_came_is_told() {
    for kind in all() {
        let Some(lengths) = &kind.lengths else {
            continue;
        };
        for value in kind.lengths_to_try() {
            let whole = kind.with_length(value);
            for came in kind.header.max(kind.at + kind.width)..=whole.len() {
                let (claimed, _) = ends(&kind, value, came);
                let short = u16::try_from(came).expect("short samples");
                for asked in [short, short + 1, ASKED] {
                    let context = format!("{} {value} {came} {asked}", kind.name);
                    let (lie, needed) = lengths(&whole[..came], asked).expect("whole headers");
                    let beyond = claimed > came;
                    let cut = beyond && usize::from(asked) <= came;
                    let told = matches!(lie, Some(LengthLie::TooHigh { .. }));
                    assert_eq!(told, beyond && !cut, "{context}");
                    if let Some(LengthLie::TooHigh {
                        claimed: said,
                        arrived,
                    }) = lie
                    {
                        assert_eq!((said, arrived), (claimed, came), "{context}");
                    }
                    if let Some(LengthLie::TooLow {
                        claimed: said,
                        arrived,
                    }) = lie
                    {
                        assert_eq!((said, arrived), (claimed, came), "{context}");
                        assert!(claimed < came, "{context}");
                    }
                    assert_eq!(needed.is_some(), cut, "{context} {needed:?}");
                    if let Some(needed) = needed {
                        assert!(needed > came && needed >= claimed.min(0xffff), "{context}");
                        assert!(needed <= claimed.saturating_add(1), "{context}");
                    }
                }
            }
        }
    }
}

/// The samples are read whole, so that the tests above compare something.
#[test]
fn every_byte_of_a_sample_changes_what_is_said() {
    for kind in all() {
        let said = (kind.look)(&kind.sample, ASKED).expect("a whole reply");
        let behind = kind.header.max(kind.at + kind.width);
        let deaf = (behind..kind.sample.len()).filter(|&at| {
            let mut other = kind.sample.clone();
            // A reply that is refused for the change says something else as well.
            (0..8).all(|bit| {
                other[at] ^= 1 << bit;
                (kind.look)(&other, ASKED).is_ok_and(|other| other == said)
            })
        });
        let deaf: Vec<_> = deaf.collect();
        assert!(
            deaf.len() * 3 <= kind.sample.len(),
            "{} {deaf:?}",
            kind.name
        );
    }
}

/// What is cut off is absent, or bytes that end earlier, and never another value.
#[test]
fn a_field_of_a_cut_reply_is_absent_or_the_same() {
    let mut compared = 0;
    for kind in all() {
        let whole = (kind.look)(&kind.sample, ASKED).expect("a whole reply");
        for came in kind.header..kind.sample.len() {
            let Ok(cut) = (kind.look)(&kind.sample[..came], ASKED) else {
                continue;
            };
            for (cut, whole) in cut.lines().zip(whole.lines()) {
                // Several fields together may have lost some of them, and so may a list.
                if cut.contains("None") || cut.starts_with('(') {
                    continue;
                }
                compared += 1;
                let start = cut.trim_end_matches([']', ')']);
                let same = match cut.contains('[') {
                    true => whole.starts_with(start),
                    false => whole == cut,
                };
                assert!(same, "{} {came}: {cut} of {whole}", kind.name);
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

//! Every status byte under every kind of sense data and each layer above it.

use super::*;

/// What stands in the sense buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    /// No bytes, zeros, a vendor's format, bytes that are none: nobody can read it.
    Nothing,
    /// A key about this command.
    Key(u8),
    /// A key about an earlier one.
    Earlier,
}

/// Sense data in each form, with what it says.
fn all_sense() -> Vec<(Vec<u8>, Said)> {
    let mut all = vec![
        (vec![], Said::Nothing),
        (vec![0; 18], Said::Nothing),
        (vec![0; 252], Said::Nothing),
        (vec![0x7F, 5, 0x24, 0, 0, 0, 0, 0], Said::Nothing),
        (vec![0x21, 0, 0x12, 0x34], Said::Nothing),
        // Cut before the key.
        (vec![0x70, 0], Said::Nothing),
        (vec![0x72], Said::Nothing),
    ];
    for key in 0x0..=0xF {
        // Bytes 4 to 7 of the key's byte are flags, which change nothing.
        for flags in [0x00, 0xF0] {
            for (code, earlier) in [(0x70, false), (0xF0, false), (0x71, true), (0xF1, true)] {
                let said = if earlier {
                    Said::Earlier
                } else {
                    Said::Key(key)
                };
                let short = vec![code, 0, flags | key];
                let mut whole = vec![code, 0, flags | key, 0, 0, 0, 0, 10];
                whole.resize(18, 0);
                all.push((short, said));
                all.push((whole, said));
            }
            for (code, said) in [(0x72, Said::Key(key)), (0x73, Said::Earlier)] {
                all.push((vec![code, flags | key], said));
                all.push((vec![code, flags | key, 0, 0, 0, 0, 0, 0], said));
            }
        }
    }
    all
}

/// What the standards make of a status byte with sense data (SAM-6 5.3, SPC-6 4.4).
fn expected(status: u8, said: Said) -> Verdict {
    // Bits 7 and 0 are reserved, and vendors have used them.
    let status = status & 0x7E;
    let check = status == 0x02;
    let done = matches!(status, 0x00 | 0x04 | 0x10 | 0x14);
    match said {
        Said::Earlier => Verdict::Deferred,
        Said::Nothing if check => Verdict::CheckWithoutSense,
        Said::Nothing if done => Verdict::Good,
        Said::Nothing => Verdict::Status,
        // CHECK CONDITION with key 0 is a failure without a reason, and no success.
        Said::Key(0x0) if check => Verdict::Check,
        Said::Key(0x1 | 0xF) if check => Verdict::GoodWithSense,
        Said::Key(0x0 | 0x1 | 0xF) if done => Verdict::GoodWithSense,
        Said::Key(0x0 | 0x1 | 0xF) => Verdict::Status,
        Said::Key(_) => Verdict::Check,
    }
}

#[test]
fn every_status_under_every_kind_of_sense() {
    for (sense, said) in all_sense() {
        for status in 0x00..=0xFF {
            let mut outcome = Outcome::new(Status(status), 512);
            *outcome.sense_mut() = SenseBuffer::from_slice(&sense);
            outcome.set_residual(12);
            let context = format!("{status:02x} {sense:02x?}");
            let verdict = expected(status, said);
            // Driver status 08h only says that there is sense data, with any suggestion.
            for driver in [0x00, 0x08, 0x10, 0x18, 0x80, 0x88] {
                outcome.set_driver(DriverStatus(driver));
                assert_eq!(outcome.verdict(), verdict, "{context}");
            }
            assert_eq!(outcome.status(), Status(status), "{context}");
            assert_eq!(outcome.sense_bytes(), sense, "{context}");
            let moved = if verdict.is_success() { 500 } else { 0 };
            assert_eq!(outcome.transferred(), moved, "{context}");
            assert_eq!(outcome.claimed(), 500, "{context}");
        }
    }
}

/// Above the status byte: whatever a device seems to have said, the command was lost.
#[test]
fn a_layer_above_decides_before_every_status() {
    let senses = all_sense();
    for status in [0x00, 0x02, 0x04, 0x08, 0x18, 0x28, 0x40, 0x06, 0xFF] {
        for (sense, _) in &senses {
            let mut outcome = Outcome::new(Status(status), 512);
            *outcome.sense_mut() = SenseBuffer::from_slice(sense);
            for host in (0x01..=0x14).chain([0x15, 0xFF, 0x100, 0xFFFF]) {
                outcome.set_host(HostStatus(host));
                assert_eq!(
                    outcome.verdict(),
                    Verdict::Transport,
                    "{host:x} {status:02x}"
                );
                assert_eq!(outcome.transferred(), 0);
                assert_eq!(outcome.sense_bytes(), sense, "it is kept");
            }
            outcome.set_host(HostStatus(0));
            for code in (0x01..=0x0F).filter(|code| *code != 0x08) {
                for suggestion in [0x00, 0x10, 0x80] {
                    outcome.set_driver(DriverStatus(code | suggestion));
                    assert_eq!(outcome.verdict(), Verdict::Transport, "{code:x}");
                }
            }
        }
    }
}

/// The residual is a hint of any size, and what it gives is never more than was asked for.
#[test]
fn any_residual_stays_within_what_was_asked_for() {
    let hints = [
        i32::MIN,
        i32::MIN + 1,
        -513,
        -512,
        -1,
        0,
        1,
        511,
        512,
        513,
        i32::MAX,
    ];
    for requested in [0, 1, 512, 65_536, i32::MAX as usize, usize::MAX] {
        for residual in hints {
            let mut outcome = Outcome::new(Status::GOOD, requested);
            outcome.set_residual(residual);
            let less = usize::try_from(residual.max(0)).expect("not below zero");
            let moved = requested.saturating_sub(less);
            assert_eq!(outcome.transferred(), moved, "{requested} {residual}");
            assert_eq!(outcome.claimed(), moved, "{requested} {residual}");
            assert_eq!(outcome.residual(), residual);
        }
        for moved in [0, 1, 512, usize::MAX] {
            let mut outcome = Outcome::new(Status::GOOD, requested);
            outcome.set_transferred(moved);
            assert!(outcome.transferred() <= requested);
        }
    }
}

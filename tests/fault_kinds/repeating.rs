//! What is tried again, and what is not.

use super::*;

/// 05/20/00 is final: no question is put again in the same words.
#[test]
fn an_unknown_command_is_sent_once() {
    for ascq in [0x00, 0x80, 0xff] {
        let drive = Drive::refusing(0x5, 0x20, ascq);
        let unit = OpticalDrive::new(&drive);
        assert!(unit.layouts().probe(Lba(16)).is_err());
        assert_eq!(drive.sent().len(), 1, "a probe ends with its first command");
        let mut buffer = vec![0; 100 * 2352];
        let read = unit.read(&raw(), Lba(0), &mut buffer).unwrap_err();
        assert_eq!((read.sectors(), drive.sent().len()), (0, 1));
    }
}

/// No code under ILLEGAL REQUEST is tried again, whatever the policy.
#[test]
fn no_illegal_request_is_sent_again() {
    let code = Cell::new((0, 0));
    let drive = Drive::new(|_, data| {
        let (asc, ascq) = code.get();
        Ok(refused(data.len(), 0x5, asc, ascq))
    });
    let clock = Slept::new();
    let policy = patient();
    let retries = policy.on(&drive).clock(&clock);
    for asc in 0x00..=0xff {
        for ascq in 0x00..=0xff {
            code.set((asc, ascq));
            retries.execute(&TestUnitReady).unwrap_err();
            let read = ReadCd::new(Lba(0), 1, raw()).unwrap();
            retries.read(&read, &mut [0; 2352]).unwrap_err();
            assert_eq!(drive.sent().len(), 2, "{asc:02x}/{ascq:02x}");
        }
    }
    assert_eq!(clock.time(), Duration::ZERO);
}

/// 02/3A ends every wait at once, with each qualifier, and in the middle of one.
#[test]
fn nobody_waits_for_a_medium() {
    for ascq in 0x00..=0xff {
        let drive = Drive::refusing(0x2, 0x3a, ascq);
        let error = OpticalDrive::new(&drive).wait_ready(HOUR).unwrap_err();
        let condition = error.outcome().map(|outcome| outcome.sense().condition());
        assert_eq!(condition, Some(Condition::NoMedium), "{ascq:02x}");
        assert_eq!(drive.sent().len(), 1, "{ascq:02x}");

        let clock = Slept::new();
        let retries = patient().on(&drive).clock(&clock);
        retries.execute(&TestUnitReady).unwrap_err();
        retries
            .read(&Read10::new(0, 1).block_length(2048), &mut [0; 2048])
            .unwrap_err();
        assert_eq!(drive.sent().len(), 2, "{ascq:02x}");
        assert_eq!(clock.time(), Duration::ZERO);

        // It was becoming ready, was BUSY, had a UNIT ATTENTION, and then: nothing there.
        for before in 1..6 {
            let asked = Cell::new(0);
            let drive = Drive::new(|_, data| {
                let at = asked.replace(asked.get() + 1);
                let len = data.len();
                Ok(match at {
                    at if at >= before => refused(len, 0x2, 0x3a, ascq),
                    1 => Outcome::new(Status::BUSY, len),
                    2 => refused(len, 0x6, 0x29, 0x00),
                    _ => refused(len, 0x2, 0x04, 0x01),
                })
            });
            let clock = Slept::new();
            let error = patient().on(&drive).clock(&clock).execute(&TestUnitReady);
            let error = error.unwrap_err();
            let condition = error.outcome().map(|outcome| outcome.sense().condition());
            assert_eq!(condition, Some(Condition::NoMedium));
            assert_eq!(drive.sent().len(), before + 1);
        }
    }
}

/// How many outcomes are in a log.
fn logged(log: &RetryLog) -> usize {
    log.entries()
        .iter()
        .map(|entry| entry.times() as usize)
        .sum()
}

/// Each UNIT ATTENTION, with each policy: swallowed only by one that says so, as often as it
/// says, and told then; never for a command that may write, and no data from another medium.
#[test]
fn every_unit_attention_is_seen_by_the_caller_or_logged() {
    let code = Cell::new((0, 0, 0));
    let drive = Drive::new(|_, data| {
        let (asc, ascq, left) = code.get();
        if left == 0 {
            return Ok(good(data, &[]));
        }
        code.set((asc, ascq, left - 1));
        Ok(refused(data.len(), 0x6, asc, ascq))
    });
    let clock = Slept::new();
    let read = Read10::new(0, 1).block_length(2048);
    let write = Write10::new(0, 1).block_length(2048);
    for asc in 0x00..=0xff {
        for ascq in 0x00..=0xff {
            let medium = asc == 0x28 && ascq != 0x01;
            for most in 0..3 {
                let policy = RetryPolicy::new().unit_attentions(most);
                let retries = policy.on(&drive).clock(&clock);
                let context = format!("{asc:02x}/{ascq:02x} {most}");
                code.set((asc, ascq, 2));
                let well = retries.execute(&TestUnitReady).is_ok();
                assert_eq!(well, most == 2, "{context}");
                let swallowed = most as usize;
                assert_eq!(drive.sent().len(), 1 + swallowed, "{context}");
                assert_eq!(logged(&retries.take_log()), swallowed, "{context}");

                code.set((asc, ascq, 2));
                let well = retries.read(&read, &mut [0; 2048]).is_ok();
                assert_eq!(well, most == 2 && !medium, "{context}");
                let swallowed = if medium { 0 } else { swallowed };
                assert_eq!(drive.sent().len(), 1 + swallowed, "{context}");
                assert_eq!(logged(&retries.take_log()), swallowed, "{context}");

                code.set((asc, ascq, 1));
                retries.write(&write, &[0; 2048]).unwrap_err();
                assert_eq!(drive.sent().len(), 1, "{context}");
            }
        }
    }
    assert_eq!(clock.time(), Duration::ZERO);
}

/// Each NOT READY: waited for where it ends by itself within minutes, and for no other, of vendors'
/// too.
#[test]
fn only_what_becomes_ready_is_waited_for() {
    let code = Cell::new((0, 0, 0));
    let drive = Drive::new(|_, data| {
        let (asc, ascq, left) = code.get();
        if left == 0 {
            return Ok(good(data, &[]));
        }
        code.set((asc, ascq, left - 1));
        Ok(refused(data.len(), 0x2, asc, ascq))
    });
    for asc in 0x00..=0xff {
        for ascq in 0x00..=0xff {
            // Becoming ready; operations, of tapes among them; a long write.
            let waits = matches!(
                (asc, ascq),
                (0x04, 0x01 | 0x07 | 0x08) | (0x00, 0x16 | 0x18..=0x1c)
            );
            let clock = Slept::new();
            let policy = patient();
            let retries = policy.on(&drive).clock(&clock);
            code.set((asc, ascq, 3));
            let well = retries.execute(&TestUnitReady).is_ok();
            assert_eq!(well, waits, "{asc:02x}/{ascq:02x}");
            let sent = drive.sent().len();
            assert_eq!(sent > 1, waits, "{asc:02x}/{ascq:02x}");
            assert_eq!(clock.time() > Duration::ZERO, waits);
            // And not longer than the policy says, if it never ends.
            if waits {
                let short = RetryPolicy::new()
                    .becoming_ready(Duration::from_secs(5))
                    .operations(Duration::from_secs(5));
                let clock = Slept::new();
                code.set((asc, ascq, u32::MAX));
                short
                    .on(&drive)
                    .clock(&clock)
                    .execute(&TestUnitReady)
                    .unwrap_err();
                assert!(clock.time() <= Duration::from_secs(5), "{:?}", clock.time());
                assert!(drive.sent().len() < 30);
            }
        }
    }
}

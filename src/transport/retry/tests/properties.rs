//! What holds for any drive and any policy.

use proptest::prelude::*;

use super::*;

fn answer() -> impl Strategy<Value = Answer> {
    let code = prop_oneof![
        Just((0x04, 0x01)),
        Just((0x04, 0x07)),
        Just((0x29, 0x00)),
        Just((0x28, 0x00)),
        Just((0x47, 0x00)),
        any::<(u8, u8)>(),
    ];
    let sensed = (0_u8..=0xF, code, prop::bool::weighted(0.1));
    prop_oneof![
        2 => Just(Answer::Good),
        3 => Just(becoming()),
        2 => Just(reset()),
        1 => Just(BUSY),
        1 => Just(FULL),
        1 => Just(Answer::Status(Status::RESERVATION_CONFLICT)),
        1 => any::<u8>().prop_map(|status| Answer::Status(Status(status))),
        1 => (1_u16..=0x15).prop_map(Answer::Host),
        1 => (1_u16..=0x0F).prop_map(Answer::Driver),
        4 => sensed.prop_map(|(key, (asc, ascq), late)| match late {
            true => deferred(key, asc, ascq),
            false => sense(key, asc, ascq),
        }),
        1 => prop::collection::vec(any::<u8>(), 0..=252)
            .prop_map(|bytes| Answer::Sense(SenseBuffer::from_slice(&bytes))),
    ]
}

fn policy() -> impl Strategy<Value = RetryPolicy> {
    let time = || prop::option::of((0_u64..=20).prop_map(Duration::from_secs));
    (0_u32..=4, time(), time(), time(), any::<bool>()).prop_map(
        |(unit_attentions, becoming_ready, operations, busy, repeat_reads)| RetryPolicy {
            unit_attentions,
            becoming_ready,
            operations,
            busy,
            repeat_reads,
        },
    )
}

/// What the device answered to each command.
fn answered(drive: &Script, answers: &[Answer]) -> Vec<(u8, Outcome)> {
    let again = Script::new(answers.iter().cloned());
    let options = Options::new();
    let sent = drive.sent.lock().unwrap();
    sent.iter()
        .map(|cdb| (cdb.opcode(), again.send(cdb, Data::None, &options).unwrap()))
        .collect()
}

proptest! {
    /// Whatever the drive says, a write is sent again only if it was refused for the moment.
    #[test]
    fn a_write_is_carried_out_at_most_once(
        answers in prop::collection::vec(answer(), 1..=12),
        policy in policy(),
    ) {
        let drive = Script::new(answers.clone());
        let device = drive.with(policy);
        let command = Write10::new(7, 1).block_length(512);
        let _ = device.write(&command, &[1; 512]);
        let mut writes = answered(&drive, &answers);
        writes.retain(|(opcode, _)| *opcode == 0x2A);
        writes.pop();
        for (_, outcome) in writes {
            let refused = match outcome.verdict() {
                Verdict::Status => outcome.status().is_busy(),
                Verdict::Check => {
                    let codes = outcome.sense().additional().map(|code| (code.asc, code.ascq));
                    outcome.sense().key() == Some(SenseKey::NOT_READY)
                        && matches!(codes, Some((0x04, 0x01 | 0x07 | 0x08)))
                }
                _ => false,
            };
            prop_assert!(refused, "{outcome:?}");
        }
    }

    /// It ends, in time, with every outcome returned or logged, and nothing else is sent.
    #[test]
    fn it_ends_and_tells_all(
        answers in prop::collection::vec(answer(), 1..=12),
        policy in policy(),
    ) {
        let drive = Script::new(answers.clone());
        let device = drive.with(policy);
        let result = device.send(
            &Cdb::from_array([0x28, 0, 0, 0, 0, 7, 0, 0, 1, 0]),
            Data::In(&mut [0; 512]),
            &Options::new(),
        );
        let sent = drive.opcodes();
        let waits = [policy.becoming_ready, policy.operations, policy.busy];
        let longest: Duration = waits.into_iter().flatten().sum();
        prop_assert!(drive.clock.passed() <= longest);
        prop_assert!(sent.len() <= 200);
        prop_assert!(sent.iter().all(|opcode| matches!(opcode, 0x28 | 0x00)));
        if policy.becoming_ready.is_none() && policy.operations.is_none() {
            prop_assert!(!sent.contains(&0));
        }
        let log = device.take_log();
        let of = |reason| -> u32 {
            let entries = log.entries().iter();
            entries.filter(|entry| entry.reason() == reason).map(Swallowed::times).sum()
        };
        prop_assert!(of(Reason::UnitAttention) <= policy.unit_attentions);
        let repeated = of(Reason::Transport) + of(Reason::Aborted);
        prop_assert!(repeated <= u32::from(policy.repeat_reads));
        let logged: u32 = log.entries().iter().map(Swallowed::times).sum();
        let outcome = result.unwrap();
        let failed = answered(&drive, &answers)
            .iter()
            .filter(|(_, outcome)| !outcome.verdict().is_success())
            .count();
        let returned = usize::from(!outcome.verdict().is_success());
        prop_assert_eq!(logged as usize + returned, failed);
        prop_assert_eq!((log.left_out(), outcome.requested()), (0, 512));
        prop_assert!(log.entries().iter().all(|entry| !entry.outcome().verdict().is_success()));
    }
}

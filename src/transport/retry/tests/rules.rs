//! Every rule in both directions: when it is tried again, and when it must not be.

use super::*;

const READ: u8 = 0x28;
const WRITE: u8 = 0x2A;
const TUR: u8 = 0x00;

/// Asserts that an answer comes back after one command, with everything switched on.
#[track_caller]
fn comes_back(answer: &Answer) {
    let answers = [answer.clone(), Answer::Good];
    let (verdict, sent) = read(all(), &answers);
    assert!(!verdict.is_success(), "{answer:?}");
    assert_eq!(sent, [READ], "{answer:?}");
    let (verdict, sent) = write(all(), &answers);
    assert!(!verdict.is_success(), "{answer:?}");
    assert_eq!(sent, [WRITE], "{answer:?}");
}

#[test]
fn nothing_is_tried_again_by_default() {
    assert_eq!(RetryPolicy::default(), RetryPolicy::new());
    for answer in [
        reset(),
        becoming(),
        sense(2, 0x04, 0x07),
        BUSY,
        FULL,
        Answer::Host(0x07),
        sense(0xB, 0x47, 0x00),
    ] {
        let answers = [answer, Answer::Good];
        let (verdict, sent) = read(RetryPolicy::new(), &answers);
        assert!(!verdict.is_success());
        assert_eq!(sent, [READ]);
    }
}

/// Each switch alone takes its own answers and leaves the others'.
#[test]
fn a_switch_is_for_its_own() {
    let off = RetryPolicy::new();
    let table: [(RetryPolicy, &[Answer]); 5] = [
        (off.unit_attentions(1), &[reset()]),
        (off.becoming_ready(LONG), &[becoming()]),
        (
            off.operations(LONG),
            &[sense(2, 0x04, 0x07), sense(2, 0x04, 0x08)],
        ),
        (off.busy(LONG), &[BUSY, FULL]),
        (
            off.repeat_reads(true),
            &[Answer::Host(0x03), sense(0xB, 0x00, 0x00)],
        ),
    ];
    for (at, (policy, _)) in table.iter().enumerate() {
        for (of, (_, answers)) in table.iter().enumerate() {
            for answer in *answers {
                let (verdict, _) = read(*policy, &[answer.clone(), Answer::Good]);
                assert_eq!(verdict.is_success(), at == of, "{policy:?} {answer:?}");
            }
        }
    }
}

#[test]
fn a_success_is_sent_once() {
    assert_eq!(read(all(), &[Answer::Good]), (Verdict::Good, vec![READ]));
    // RECOVERED ERROR is one, with its data.
    let (verdict, sent) = read(all(), &[sense(1, 0x17, 0x00), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::GoodWithSense, vec![READ]));
}

/// READ CAPACITY after a reset, whose failure made 3.84 TB into 2.19 (smartmontools#114); 29h after
/// a plug (libaums#431); after session recovery (fujita/tgt#70).
#[test]
fn unit_attentions_up_to_the_number() {
    let stacked = [
        reset(),
        sense(6, 0x2A, 0x01),
        sense(6, 0x3F, 0x0E),
        Answer::Good,
    ];
    for most in 0..3 {
        let (verdict, sent) = read(RetryPolicy::new().unit_attentions(most), &stacked);
        assert_eq!(verdict, Verdict::Check);
        assert_eq!(sent.len(), most as usize + 1);
    }
    let (verdict, sent) = read(RetryPolicy::new().unit_attentions(3), &stacked);
    assert_eq!((verdict, sent), (Verdict::Good, vec![READ; 4]));
    // In descriptor format as well.
    let bytes = [0x72, 0x06, 0x29, 0x00, 0, 0, 0, 0];
    let answers = [Answer::Sense(SenseBuffer::from_slice(&bytes)), Answer::Good];
    assert_eq!(read(all(), &answers).0, Verdict::Good);

    let drive = Script::new([reset(), Answer::Good]);
    let device = drive.with(RetryPolicy::new().unit_attentions(1));
    let _ = device.query(&crate::scsi::ReadCapacity10).unwrap();
    assert_eq!(drive.opcodes(), [0x25, 0x25]);
    assert_eq!(
        device.take_log().entries().len(),
        1,
        "the caller can see it"
    );
}

#[test]
fn a_command_that_may_write_gets_its_unit_attention() {
    let (verdict, sent) = write(all(), &[reset(), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Check, vec![WRITE]));
    // A TEST UNIT READY takes it before.
    let drive = Script::new([reset(), Answer::Good]);
    let device = drive.with(all());
    device.execute(&TestUnitReady).unwrap();
    device
        .write(&Write10::new(7, 1).block_length(512), &[0; 512])
        .unwrap();
    assert_eq!(drive.opcodes(), [TUR, TUR, WRITE]);
}

#[test]
fn data_is_not_read_from_another_medium() {
    let changed = [sense(6, 0x28, 0x00), Answer::Good];
    let (verdict, sent) = read(all(), &changed);
    assert_eq!((verdict, sent), (Verdict::Check, vec![READ]));
    // A question has the new medium's answer.
    let drive = Script::new(changed);
    drive
        .with(all())
        .query(&crate::scsi::ReadCapacity10)
        .unwrap();
    assert_eq!(drive.opcodes(), [0x25, 0x25]);
    // Nor after it has become ready with another.
    let (verdict, sent) = read(all(), &[becoming(), sense(6, 0x28, 0x00), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Check, vec![READ, TUR]));
}

#[test]
fn it_is_waited_until_ready() {
    for send in [read, write] {
        let (verdict, sent) = send(all(), &[becoming(), becoming(), becoming(), Answer::Good]);
        assert_eq!(verdict, Verdict::Good);
        assert_eq!(sent[1..4], [TUR; 3]);
        assert_eq!((sent.len(), sent[0]), (5, sent[4]));
    }
    for ascq in [0x07, 0x08] {
        let progress = [sense(2, 0x04, ascq), sense(2, 0x04, ascq), Answer::Good];
        assert_eq!(write(all(), &progress).1, [WRITE, TUR, TUR, WRITE]);
    }
    // Ready by TEST UNIT READY, and again not for the command.
    let (verdict, sent) = read(all(), &[becoming(), Answer::Good, becoming(), Answer::Good]);
    assert_eq!(verdict, Verdict::Good);
    assert_eq!(sent, [READ, TUR, READ, TUR, READ]);
}

/// No other NOT READY is waited for (`sg3_utils#34`: 3Ah at once).
#[test]
fn what_does_not_become_ready_comes_back() {
    for ascq in (0x00..=0x30).filter(|ascq| !matches!(ascq, 0x01 | 0x07 | 0x08)) {
        comes_back(&sense(2, 0x04, ascq));
    }
    for ascq in 0..=4 {
        comes_back(&sense(2, 0x3A, ascq));
    }
    comes_back(&sense(2, 0x30, 0x00));
    // Cut before its reason.
    let cut = SenseBuffer::from_slice(&[0x70, 0, 0x02, 0, 0, 0, 0, 10]);
    comes_back(&Answer::Sense(cut));
}

/// What ends a wait is returned in place of the command's outcome.
#[test]
fn another_answer_ends_the_waiting() {
    let (key, asc) = (SenseKey::NOT_READY, AdditionalSense::MEDIUM_NOT_PRESENT);
    let drive = Script::new([becoming(), becoming(), sense(2, 0x3A, 0x00), Answer::Good]);
    let error = drive
        .with(all())
        .write(&Write10::new(7, 1).block_length(512), &[0; 512])
        .unwrap_err();
    let failure = error.failure().unwrap();
    assert_eq!(drive.opcodes(), [WRITE, TUR, TUR]);
    assert_eq!(failure.cdb().opcode(), WRITE);
    assert_eq!(failure.outcome().requested(), 512);
    assert_eq!(failure.outcome().transferred(), 0);
    let sense_data = failure.outcome().sense();
    assert_eq!(sense_data.key(), Some(key));
    assert_eq!(sense_data.additional(), Some(asc));
    for answer in [
        sense(3, 0x11, 0x00),
        sense(2, 0x04, 0x02),
        sense(5, 0x20, 0x00),
        sense(0xB, 0x47, 0x00),
        deferred(3, 0x0C, 0x02),
        Answer::Status(Status::RESERVATION_CONFLICT),
        Answer::Status(Status::CHECK_CONDITION),
        Answer::Host(0x03),
    ] {
        for send in [read, write] {
            let answers = [becoming(), answer.clone(), Answer::Good];
            let (verdict, sent) = send(all(), &answers);
            assert!(!verdict.is_success(), "{answer:?}");
            assert_eq!(sent[1..], [TUR], "{answer:?}");
        }
    }
    let answers = [becoming(), deferred(3, 0x0C, 0x02), Answer::Good];
    assert_eq!(write(all(), &answers).0, Verdict::Deferred);
    let answers = [becoming(), Answer::Host(0x03), Answer::Good];
    assert_eq!(write(all(), &answers).0, Verdict::Transport);
    // An operation, when only becoming ready is waited for.
    let ready_only = RetryPolicy::new().becoming_ready(LONG);
    let answers = [becoming(), sense(2, 0x04, 0x07), Answer::Good];
    assert_eq!(read(ready_only, &answers).1, [READ, TUR]);
}

/// While it becomes ready a device may tell of the reset that came before, or be busy.
#[test]
fn unit_attentions_and_busy_while_waiting() {
    let answers = [becoming(), reset(), becoming(), BUSY, Answer::Good];
    let (verdict, sent) = read(all(), &answers);
    assert_eq!(verdict, Verdict::Good);
    assert_eq!(sent, [READ, TUR, TUR, TUR, TUR, READ]);
    // They count: one for the waiting, none for the command.
    let one = RetryPolicy::new().becoming_ready(LONG).unit_attentions(1);
    let answers = [becoming(), reset(), Answer::Good, reset(), Answer::Good];
    let (verdict, sent) = read(one, &answers);
    assert_eq!(
        (verdict, sent),
        (Verdict::Check, vec![READ, TUR, TUR, READ])
    );
    // A command that may write gets that of its waiting.
    let (verdict, sent) = write(all(), &answers);
    assert_eq!((verdict, sent), (Verdict::Check, vec![WRITE, TUR]));
    let busy_off = RetryPolicy::new().becoming_ready(LONG);
    let (verdict, _) = read(busy_off, &[becoming(), BUSY, Answer::Good]);
    assert_eq!(verdict, Verdict::Status);
}

#[test]
fn a_busy_device_is_asked_again() {
    for send in [read, write] {
        let (verdict, sent) = send(all(), &[BUSY, FULL, BUSY, Answer::Good]);
        assert_eq!(verdict, Verdict::Good);
        assert_eq!(sent, [sent[0]; 4], "no TEST UNIT READY between them");
    }
}

/// RESERVATION CONFLICT above all.
#[test]
fn no_other_status_is_tried_again() {
    for status in 0..=0xFF_u8 {
        let status = Status(status);
        if !status.is_success() && !status.is_busy() {
            comes_back(&Answer::Status(status));
        }
    }
}

#[test]
fn a_read_that_was_lost_is_repeated_once() {
    let lost = Answer::Host(0x03);
    let (verdict, sent) = read(all(), &[lost.clone(), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Good, vec![READ; 2]));
    let (verdict, sent) = read(all(), &[lost.clone(), lost.clone(), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Transport, vec![READ; 2]));
    // Once in all, whichever way it was lost.
    let aborted = sense(0xB, 0x47, 0x00);
    let (verdict, sent) = read(all(), &[aborted, lost.clone(), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Transport, vec![READ; 2]));
    // The reset that follows a timeout is a unit attention.
    let (verdict, sent) = read(all(), &[lost.clone(), reset(), Answer::Good]);
    assert_eq!((verdict, sent), (Verdict::Good, vec![READ; 3]));
    let only = RetryPolicy::new().repeat_reads(true);
    assert_eq!(read(only, &[lost, reset(), Answer::Good]).1, [READ; 2]);
}

#[test]
fn a_write_that_was_lost_is_not_repeated() {
    for host in 1..=0x20 {
        let (verdict, sent) = write(all(), &[Answer::Host(host), Answer::Good]);
        assert_eq!((verdict, sent), (Verdict::Transport, vec![WRITE]));
    }
    for driver in (1..=0x0F).filter(|driver| *driver != 8) {
        let (verdict, sent) = write(all(), &[Answer::Driver(driver), Answer::Good]);
        assert_eq!((verdict, sent), (Verdict::Transport, vec![WRITE]));
    }
    for answer in [sense(0xB, 0x47, 0x00), sense(0xB, 0x00, 0x00)] {
        let (verdict, sent) = write(all(), &[answer, Answer::Good]);
        assert_eq!((verdict, sent), (Verdict::Check, vec![WRITE]));
    }
    // Not after it was not taken at first either.
    let answers = [
        BUSY,
        becoming(),
        Answer::Good,
        Answer::Host(0x03),
        Answer::Good,
    ];
    let (verdict, sent) = write(all(), &answers);
    assert_eq!(
        (verdict, sent),
        (Verdict::Transport, vec![WRITE, WRITE, TUR, WRITE])
    );
}

#[test]
fn transport_errors_that_do_not_pass() {
    let passing = [
        0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0x14,
    ];
    for host in 1..=0x40 {
        let (verdict, sent) = read(all(), &[Answer::Host(host), Answer::Good]);
        assert_eq!(verdict.is_success(), passing.contains(&host), "{host:02x}h");
        assert_eq!(sent.len(), 1 + usize::from(passing.contains(&host)));
    }
    for driver in (1..=0x0F).filter(|driver| *driver != 8) {
        let (verdict, _) = read(all(), &[Answer::Driver(driver), Answer::Good]);
        assert_eq!(
            verdict.is_success(),
            matches!(driver, 1 | 2 | 6),
            "{driver}"
        );
    }
    // Not with sense data of an error that is the device's.
    let with = |key, asc| SenseBuffer::fixed(SenseKey(key), AdditionalSense::new(asc, 0));
    for (key, asc, again) in [
        (3, 0x11, false),
        (4, 0x44, false),
        (5, 0x20, false),
        (7, 0x27, false),
        (0xB, 0x47, true),
    ] {
        let answers = [Answer::HostAnd(0x07, with(key, asc)), Answer::Good];
        assert_eq!(read(all(), &answers).0.is_success(), again, "key {key:x}");
    }
    let old = SenseBuffer::from_slice(&[0x73, 0x0B, 0x47, 0, 0, 0, 0, 0]);
    let answers = [Answer::HostAnd(0x07, old), Answer::Good];
    assert_eq!(read(all(), &answers).1, [READ], "deferred");
}

/// 03h/04h above all, and 05h/20h, which a prober met for every sector (redumper#350).
#[test]
fn errors_of_the_device_come_back() {
    for key in [0x3, 0x4, 0x5, 0x7, 0x8, 0x9, 0xA, 0xC, 0xD, 0xE] {
        for (asc, ascq) in [(0x00, 0x00), (0x11, 0x00), (0x20, 0x00), (0x04, 0x01)] {
            comes_back(&sense(key, asc, ascq));
        }
    }
    comes_back(&sense(0, 0x00, 0x00));
    comes_back(&sense(0, 0x04, 0x01));
    // The data is wrong, and the next try might hide it.
    for key in [0x5, 0xB] {
        comes_back(&sense(key, 0x10, 0x01));
    }
    comes_back(&Answer::Status(Status::CHECK_CONDITION));
    comes_back(&Answer::Sense(SenseBuffer::from_slice(&[0x7F; 18])));
    comes_back(&Answer::Sense(SenseBuffer::from_slice(&[0x70, 0])));
}

#[test]
fn deferred_errors_come_back() {
    for (key, asc, ascq) in [
        (0x3, 0x0C, 0x02),
        (0x6, 0x29, 0x00),
        (0x2, 0x04, 0x01),
        (0xB, 0x47, 0x00),
    ] {
        let answers = [deferred(key, asc, ascq), Answer::Good];
        assert_eq!(read(all(), &answers), (Verdict::Deferred, vec![READ]));
        assert_eq!(write(all(), &answers), (Verdict::Deferred, vec![WRITE]));
    }
}

#[test]
fn errors_of_the_transports_own_come_back() {
    for answers in [
        vec![Answer::Lost],
        vec![BUSY, Answer::Lost],
        vec![becoming(), Answer::Lost],
    ] {
        let lines = answers.len();
        let drive = Script::new(answers);
        let error = drive
            .with(all())
            .read(&Read10::new(7, 1).block_length(512), &mut [0; 512])
            .unwrap_err();
        assert!(matches!(error, Error::Os { sent: true, .. }), "{error:?}");
        assert_eq!(drive.opcodes().len(), lines);
    }
}

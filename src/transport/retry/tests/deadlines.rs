//! That nothing goes on for ever.

use super::*;

fn millis(times: &[u64]) -> Vec<Duration> {
    times.iter().copied().map(Duration::from_millis).collect()
}

fn run(policy: RetryPolicy, drive: &Script) -> Verdict {
    let block = [0; 512];
    let command = Write10::new(7, 1).block_length(512);
    ended(drive.with(policy).write(&command, &block), || ())
}

/// A TEST UNIT READY that is repeated without a bound hangs a host (tinyusb#3898).
#[test]
fn waiting_ends_at_its_deadline() {
    let drive = Script::new([becoming()]);
    let policy = RetryPolicy::new().becoming_ready(3 * SECOND);
    assert_eq!(run(policy, &drive), Verdict::Check);
    assert_eq!(
        *drive.clock.pauses.lock().unwrap(),
        millis(&[100, 200, 400, 800, 1000, 500])
    );
    assert_eq!(drive.clock.passed(), 3 * SECOND);
    assert_eq!(drive.opcodes(), [0x2A, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn busy_ends_at_its_deadline() {
    for answer in [BUSY, FULL] {
        let drive = Script::new([answer]);
        let policy = RetryPolicy::new().busy(2 * SECOND);
        assert_eq!(run(policy, &drive), Verdict::Status);
        assert_eq!(
            *drive.clock.pauses.lock().unwrap(),
            millis(&[10, 20, 40, 80, 160, 320, 640, 730])
        );
        assert_eq!(drive.clock.passed(), 2 * SECOND);
    }
}

/// The time of the commands counts.
#[test]
fn slow_answers_use_up_the_time() {
    let mut drive = Script::new([becoming()]);
    drive.takes = 2 * SECOND;
    let policy = RetryPolicy::new().becoming_ready(5 * SECOND);
    assert_eq!(run(policy, &drive), Verdict::Check);
    // The command; then TEST UNIT READY at 0.1, 2.3 and 4.7 s of the waiting.
    assert_eq!(drive.opcodes(), [0x2A, 0, 0, 0]);
}

/// A device that is ready for TEST UNIT READY and for nothing else does not get new time.
#[test]
fn the_deadline_is_one_for_the_call() {
    let alternating = || {
        let pair = [becoming(), Answer::Good];
        std::iter::repeat_n(pair, 1000).flatten()
    };
    let drive = Script::new(alternating());
    let policy = RetryPolicy::new().becoming_ready(10 * SECOND);
    assert_eq!(run(policy, &drive), Verdict::Check);
    assert_eq!(drive.clock.passed(), 10 * SECOND);
    assert!(drive.opcodes().len() < 40);
    // The next call has its own.
    *drive.answers.lock().unwrap() = alternating().collect();
    assert_eq!(run(policy, &drive), Verdict::Check);
    assert_eq!(drive.clock.passed(), 20 * SECOND);
}

#[test]
fn each_kind_of_waiting_has_its_own_deadline() {
    let operation = sense(2, 0x04, 0x07);
    let policy = RetryPolicy::new().becoming_ready(SECOND).operations(LONG);
    let drive = Script::new([becoming(), operation.clone()]);
    assert_eq!(run(policy, &drive), Verdict::Check);
    assert_eq!(drive.clock.passed(), LONG);
    let policy = RetryPolicy::new().becoming_ready(LONG).operations(SECOND);
    let drive = Script::new([becoming(), operation]);
    assert_eq!(run(policy, &drive), Verdict::Check);
    assert_eq!(drive.clock.passed(), SECOND);
}

#[test]
fn a_deadline_of_nothing_is_off() {
    let zero = Duration::ZERO;
    let policy = RetryPolicy::new()
        .becoming_ready(zero)
        .operations(zero)
        .busy(zero);
    for answer in [becoming(), sense(2, 0x04, 0x07), BUSY] {
        let drive = Script::new([answer, Answer::Good]);
        assert!(!run(policy, &drive).is_success());
        assert_eq!(drive.opcodes(), [0x2A]);
        assert!(drive.clock.pauses.lock().unwrap().is_empty());
    }
}

#[test]
fn a_clock_can_end_it() {
    for (answer, sent) in [(becoming(), 3), (BUSY, 3)] {
        let mut drive = Script::new([answer]);
        drive.clock.patience = 3;
        assert!(!run(all(), &drive).is_success());
        assert_eq!(drive.opcodes().len(), sent);
    }
}

#[test]
fn unit_attentions_without_end_come_back() {
    let drive = Script::new([reset()]);
    let device = drive.with(RetryPolicy::new().unit_attentions(5));
    assert_eq!(read_on(&device), Verdict::Check);
    assert_eq!(drive.opcodes().len(), 6);
    // Also those that TEST UNIT READY meets.
    let drive = Script::new([becoming(), reset()]);
    let policy = RetryPolicy::new().unit_attentions(5).becoming_ready(LONG);
    assert_eq!(read_on(&drive.with(policy)), Verdict::Check);
    assert_eq!(drive.opcodes().len(), 7);
}

/// The device has told one thing, and has the next at hand.
#[test]
fn unit_attentions_cost_no_time() {
    let answers = [
        becoming(),
        reset(),
        sense(6, 0x2A, 0x01),
        Answer::Good,
        reset(),
        Answer::Good,
    ];
    let drive = Script::new(answers);
    assert_eq!(read_on(&drive.with(all())), Verdict::Good);
    assert_eq!(*drive.clock.pauses.lock().unwrap(), millis(&[100]));
}

#[test]
fn the_systems_clock_sleeps() {
    let begin = SystemClock.now();
    assert!(SystemClock.sleep(Duration::from_millis(5)));
    assert!(SystemClock.now() - begin >= Duration::from_millis(5));
}

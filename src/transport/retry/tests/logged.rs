//! That what was swallowed is told.

use super::*;

fn gist(log: &RetryLog) -> Vec<(u8, Reason, u32)> {
    log.entries()
        .iter()
        .map(|entry| (entry.cdb().opcode(), entry.reason(), entry.times()))
        .collect()
}

#[test]
fn each_outcome_with_its_command() {
    let drive = Script::new([
        reset(),
        sense(6, 0x2A, 0x09),
        BUSY,
        BUSY,
        Answer::Host(0x0B),
        becoming(),
        becoming(),
        becoming(),
        Answer::Good,
    ]);
    let device = drive.with(all());
    assert_eq!(read_on(&device), Verdict::Good);
    let log = device.take_log();
    assert_eq!(
        gist(&log),
        [
            (0x28, Reason::UnitAttention, 1),
            (0x28, Reason::UnitAttention, 1),
            (0x28, Reason::Busy, 2),
            (0x28, Reason::Transport, 1),
            (0x28, Reason::NotReady, 1),
            (0x00, Reason::NotReady, 2),
        ]
    );
    assert_eq!(log.left_out(), 0);
    let lines: Vec<_> = log.entries().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines[1],
        "READ(10) (28h): CHECK CONDITION (02h), UNIT ATTENTION: Capacity data has changed \
         (2Ah/09h)"
    );
    assert_eq!(lines[2], "READ(10) (28h): BUSY (08h), 2 times");
    assert_eq!(log.entries()[0].outcome().requested(), 512);
    assert!(device.take_log().is_empty(), "it was taken");
}

/// 42h is UNMAP on disks, and READ SUB-CHANNEL on optical drives.
#[test]
fn a_command_has_the_name_that_it_has_on_the_device() {
    let subchannel = Cdb::from_array([0x42, 0, 0x40, 1, 0, 0, 0, 0, 16, 0]);
    for (kind, name) in [
        (DeviceType::DISK, "UNMAP (42h): BUSY (08h)"),
        (DeviceType::OPTICAL, "READ SUB-CHANNEL (42h): BUSY (08h)"),
    ] {
        let drive = Script::of(Some(kind), [BUSY, Answer::Good]);
        let device = drive.with(all());
        let outcome = device.send(&subchannel, Data::In(&mut [0; 16]), &Options::new());
        assert!(outcome.unwrap().verdict().is_success());
        assert_eq!(device.take_log().entries()[0].to_string(), name);
    }
}

#[test]
fn aborted_commands_say_so() {
    let drive = Script::new([sense(0xB, 0x47, 0x00), Answer::Good]);
    let device = drive.with(all());
    assert_eq!(read_on(&device), Verdict::Good);
    assert_eq!(gist(&device.take_log()), [(0x28, Reason::Aborted, 1)]);
}

/// What comes back is not in the log: each outcome is in one place.
#[test]
fn every_outcome_is_returned_or_logged() {
    let ends = [
        Answer::Good,
        sense(3, 0x11, 0x00),
        sense(2, 0x3A, 0x00),
        Answer::Status(Status::RESERVATION_CONFLICT),
        deferred(3, 0x0C, 0x02),
        Answer::Host(0x01),
    ];
    let begins: [&[Answer]; 7] = [
        &[],
        &[reset()],
        &[reset(), sense(6, 0x3F, 0x0E)],
        &[BUSY, FULL],
        &[becoming()],
        &[becoming(), reset(), becoming()],
        &[Answer::Host(0x07), becoming()],
    ];
    for begin in begins {
        for end in &ends {
            let answers = begin.iter().chain([end]).cloned();
            let drive = Script::new(answers);
            let device = drive.with(all());
            let verdict = read_on(&device);
            let logged: u32 = gist(&device.take_log()).iter().map(|entry| entry.2).sum();
            let polled_well = verdict.is_success() && drive.opcodes().contains(&0);
            assert_eq!(
                logged as usize + 1 + usize::from(polled_well),
                drive.opcodes().len(),
                "{begin:?} {end:?}"
            );
        }
    }
    // A deadline.
    let drive = Script::new([becoming()]);
    let device = drive.with(RetryPolicy::new().becoming_ready(SECOND));
    assert_eq!(read_on(&device), Verdict::Check);
    let log = device.take_log();
    let polls = u32::try_from(drive.opcodes().len() - 1).unwrap();
    assert_eq!(
        gist(&log),
        [
            (0x28, Reason::NotReady, 1),
            (0x00, Reason::NotReady, polls - 1)
        ]
    );
}

#[test]
fn a_success_and_a_refusal_are_not_logged() {
    let drive = Script::new([Answer::Good]);
    let device = drive.with(all());
    read_on(&device);
    assert_eq!(device.take_log(), RetryLog::default());
    let drive = Script::new([sense(5, 0x20, 0x00)]);
    let device = drive.with(all());
    read_on(&device);
    assert!(device.take_log().is_empty());
}

#[test]
fn the_log_has_a_bound() {
    let drive = Script::new([]);
    let device = drive.with(all());
    for round in 0..50 {
        *drive.answers.lock().unwrap() = [reset(), BUSY, Answer::Good].into();
        assert_eq!(read_on(&device), Verdict::Good, "round {round}");
    }
    let log = device.take_log();
    assert_eq!((log.entries().len(), log.left_out()), (64, 36));
    assert_eq!(log.entries()[0].reason(), Reason::UnitAttention);
    // Many of one kind are one entry.
    *drive.answers.lock().unwrap() = [becoming()].into();
    read_on(&device);
    let log = device.take_log();
    assert_eq!((log.entries().len(), log.left_out()), (2, 0));
    assert!(log.entries()[1].times() > 3000, "{log:?}");
}

#[test]
fn outcomes_that_differ_in_a_layer_are_entries_of_their_own() {
    let drive = Script::new([
        Answer::Driver(1),
        Answer::Good,
        Answer::Driver(2),
        Answer::Good,
        Answer::Host(0x0B),
        Answer::Good,
        Answer::Host(0x0B),
        Answer::Good,
    ]);
    let device = drive.with(all());
    (0..4).for_each(|_| assert_eq!(read_on(&device), Verdict::Good));
    let times: Vec<_> = gist(&device.take_log())
        .iter()
        .map(|entry| entry.2)
        .collect();
    assert_eq!(times, [1, 1, 2]);
}

#[test]
fn the_latest_progress_is_kept() {
    let at = |progress: u8| {
        let bytes = [
            0x70, 0, 2, 0, 0, 0, 0, 10, 0, 0, 0, 0, 4, 1, 0, 0x80, progress, 0,
        ];
        Answer::Sense(SenseBuffer::from_slice(&bytes))
    };
    let drive = Script::new([at(0x10), at(0x20), at(0x40), Answer::Good]);
    let device = drive.with(all());
    read_on(&device);
    let log = device.take_log();
    assert_eq!(gist(&log)[1], (0, Reason::NotReady, 2));
    let progress = log.entries()[1].outcome().sense().progress().unwrap();
    assert_eq!(progress.to_string(), "25.0 %");
}

#[test]
fn threads_share_a_log() {
    let drive = Script::new([BUSY]);
    let device = drive.with(RetryPolicy::new().busy(SECOND));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| read_on(&device));
        }
    });
    let logged: u32 = gist(&device.take_log()).iter().map(|entry| entry.2).sum();
    assert_eq!(logged as usize + 4, drive.opcodes().len());
    let shown = format!("{device:?}");
    assert!(shown.contains("script") && shown.contains("unit_attentions: 0"));
}

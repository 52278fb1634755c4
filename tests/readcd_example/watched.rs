//! What is seen of what a drive tells meanwhile, and what is waited for.

use std::{
    cell::{Cell, RefCell},
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use passthru::{
    Data, Error, Options, Outcome, Result, ScsiTransport, ScsiTransportExt,
    scsi::{
        Cdb, DeviceType, HostStatus, SenseBuffer, Status,
        mmc::{Lba, ReadCd},
    },
};

use crate::{
    Folder,
    drive::{Patience, policy},
    events::{Events, Pending, Watched},
    fake::Fake,
    good,
    hooked::{Hooked, once_at, read_at},
    kind,
    memory::is_waited_for,
    plan::raw,
    run, run_on, run_watched, whole,
};

const MEDIUM: (u8, u8, u8) = (3, 0x11, 5);
const CHANGED: (u8, u8, u8) = (6, 0x28, 0);
const RESET: (u8, u8, u8) = (6, 0x29, 0);

fn told(status: u8, sense: &[u8]) -> Outcome {
    let mut outcome = Outcome::new(Status(status), 0);
    *outcome.sense_mut() = SenseBuffer::from_slice(sense);
    outcome
}

fn fixed(response: u8, key: u8, asc: u8, ascq: u8) -> [u8; 18] {
    let mut sense = [0; 18];
    (sense[0], sense[2], sense[7], sense[12], sense[13]) = (response, key, 10, asc, ascq);
    sense
}

#[test]
fn what_tells_of_another_disc_is_not_taken_care_of() {
    let events = Events::default();
    for (key, asc, ascq, other, attention, not_ready) in [
        (6, 0x28, 0, true, true, false),
        (6, 0x28, 1, true, true, false),
        (2, 0x3a, 0, true, false, true),
        (2, 0x3a, 2, true, false, true),
        (0, 0x3a, 0, true, false, false),
        (6, 0x29, 0, false, true, false),
        (6, 0x2a, 1, false, true, false),
        (2, 0x04, 1, false, false, true),
        (3, 0x11, 5, false, false, false),
        (1, 0x18, 0, false, false, false),
    ] {
        let at = format!("{key:x}/{asc:02x}/{ascq:02x}");
        events.see(told(2, &fixed(0x70, key, asc, ascq)).sense());
        assert_eq!(events.is_pending(), other || attention || not_ready, "{at}");
        assert_eq!(events.attentions(), u64::from(attention), "{at}");
        let expected = Pending {
            attention,
            not_ready,
        };
        if other {
            assert_eq!(kind(&events.take().unwrap_err()), "another_disc", "{at}");
            // It stays so.
            assert!(events.is_pending(), "{at}");
        } else {
            assert_eq!(events.take().unwrap(), expected, "{at}");
            assert_eq!(events.take().unwrap(), Pending::default(), "{at}");
        }
        events.forget();
        assert!(!events.is_pending() && events.attentions() == 0, "{at}");
        // The same of an earlier command is nothing of this one.
        events.see(told(2, &fixed(0x71, key, asc, ascq)).sense());
        assert!(!events.is_pending() && events.attentions() == 0, "{at}");
    }
}

/// Gives this once, and GOOD from then on.
struct Once(RefCell<Option<Outcome>>, Cell<usize>);

impl ScsiTransport for Once {
    fn send(&self, _: &Cdb, _: Data<'_>, _: &Options) -> Result<Outcome> {
        self.1.set(self.1.get() + 1);
        let first = self.0.take();
        Ok(first.unwrap_or(Outcome::new(Status::GOOD, 0)))
    }

    fn path(&self) -> &Path {
        Path::new("once")
    }

    fn device_type(&self) -> Option<DeviceType> {
        Some(DeviceType::OPTICAL)
    }
}

/// What comes at a mapped buffer is left to the transport if, and only if, that waits.
#[test]
fn what_is_waited_for_is_what_the_policy_waits_for() {
    let mut outcomes: Vec<_> = (0..=0x40).map(|status| told(status, &[])).collect();
    for key in 0..16 {
        for (asc, ascq) in (0..=0x20).map(|ascq| (4, ascq)).chain([
            (0, 0x16),
            (0, 0x18),
            (0x3a, 0),
            (0x28, 0),
            (0x29, 0),
            (0x11, 5),
            (0x30, 0),
        ]) {
            for response in [0x70, 0x71] {
                outcomes.push(told(2, &fixed(response, key, asc, ascq)));
            }
        }
    }
    outcomes.push({
        let mut outcome = told(8, &[]);
        outcome.set_host(HostStatus::TIME_OUT);
        outcome
    });
    // The clock waits no time, and lets it be sent again.
    struct NoTime;
    impl passthru::retry::Clock for NoTime {
        fn now(&self) -> std::time::Instant {
            std::time::Instant::now()
        }
        fn sleep(&self, _: std::time::Duration) -> bool {
            true
        }
    }
    let mut waited = 0;
    for outcome in outcomes {
        let once = Once(RefCell::new(Some(outcome)), Cell::new(0));
        let command = ReadCd::new(Lba(0), 1, raw()).unwrap();
        let _ = policy(false)
            .on(&once)
            .clock(&NoTime)
            .read(&command, &mut [0; 2352]);
        let again = once.1.get() > 1;
        assert_eq!(is_waited_for(&outcome), again, "{outcome:?}");
        waited += usize::from(again);
    }
    assert!(waited > 4, "{waited}");
}

/// A command that was waited for, and what became of the disc meanwhile.
#[test]
fn what_comes_after_waiting_is_of_the_same_disc_or_not_taken() {
    let folder = Folder::new("waited");
    let pipe = folder.file("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    let fake = Fake::audio(300);
    let ready = once_at(54, || {
        fake.change(|state| {
            state.attentions.push_back((0, (2, 4, 1)));
            state.swap = Some(2);
        });
    });
    let hooked = Hooked::new(&fake, ready);
    let events = Events::default();
    let watched = Watched::new(&hooked, &events);
    let patience = Patience(Arc::default());
    let waiting = policy(false).on(&watched).clock(&patience);
    let going = AtomicBool::new(false);
    let arguments = ["--output", &pipe];
    let run = run_watched(&waiting, &events, || fake.forget(), &going, &arguments);
    let (_, problem, _) = run.unwrap();
    assert_eq!(kind(&problem.unwrap()), "another_disc");
    // Out of a pipe nothing can be taken back.
    assert!(reader.join().unwrap() == whole(54));
}

#[test]
fn the_disc_is_looked_at_when_something_has_happened() {
    let folder = Folder::new("looked-at");
    let fake = Fake::audio(900).with(|state| {
        state.attentions.push_back((2, RESET));
        state.swap = Some(2);
    });
    let arguments = ["--output", &folder.file("a")];
    let (report, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert_eq!(kind(&problem.unwrap()), "another_disc");
    // And not only at the end.
    assert_eq!((fake.reads().len(), report.next), (3, 0));
}

#[test]
fn what_the_last_command_hears_counts() {
    let folder = Folder::new("last");
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(55, (2, MEDIUM));
    });
    // A try, a read, and the speed that is set back behind the last sector.
    let hear = [(0, (0, 0, 0)), (0xbe, MEDIUM), (0xbb, CHANGED)];
    let asked = || {
        fake.forget();
        fake.change(|state| state.attentions_of.extend(hear));
    };
    let arguments = ["--output", &folder.file("a"), "--retry-speed", "4"];
    let (report, problem, _) = run_on(&fake, asked, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.unwrap().message.contains("told of another disc"));
    assert_eq!(report.next, 60);
}

#[test]
fn a_try_that_finds_no_disc_is_the_last() {
    let folder = Folder::new("no-disc");
    let fake = Fake::audio(60).with(|state| {
        state.bad.insert(30, (u32::MAX, MEDIUM));
    });
    let asked = || {
        fake.forget();
        fake.change(|state| state.attentions_of.push_back((0, (2, 0x3a, 0))));
    };
    let arguments = ["--output", &folder.file("a"), "--no-error"];
    let (report, problem, _) = run_on(&fake, asked, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.unwrap().message.contains("there is no disc"));
    assert_eq!(report.next, 30);
}

fn lost() -> Option<Result<Outcome>> {
    let mut outcome = Outcome::new(Status::GOOD, 0);
    outcome.set_host(HostStatus::TIME_OUT);
    Some(Ok(outcome))
}

fn gone(cdb: &Cdb) -> Option<Result<Outcome>> {
    Some(Err(Error::Gone {
        path: "drive".into(),
        cdb: Some(*cdb),
        sent: false,
        source: std::io::Error::from_raw_os_error(19),
    }))
}

/// One command is lost with the reset of another; a drive that answers none is gone.
#[test]
fn whether_the_drive_is_there_is_asked_twice() {
    let folder = Folder::new("asked-twice");
    for (number, lost_polls) in [0, 1, 2].into_iter().enumerate() {
        let fake = Fake::audio(60);
        let reads = Cell::new(2);
        let polls = Cell::new(0);
        let hooked = Hooked::new(&fake, |cdb| {
            let take = |left: &Cell<u32>| left.get().checked_sub(1).map(|less| left.set(less));
            if read_at(cdb).is_some_and(|lba| lba >= 27) && take(&reads).is_some() {
                polls.set(lost_polls);
                return lost();
            }
            (cdb.opcode() == 0 && reads.get() == 0 && take(&polls).is_some())
                .then(lost)
                .flatten()
        });
        let file = folder.file(&number.to_string());
        let arguments = ["--output", &file, "--no-error"];
        let run = run_on(&hooked, || (), &AtomicBool::new(false), &arguments);
        let (report, problem, _) = run.unwrap();
        if lost_polls < 2 {
            assert!(problem.is_none(), "{problem:?}");
            assert_eq!(report.good, 60);
        } else {
            assert!(
                problem
                    .unwrap()
                    .message
                    .contains("does not answer any more")
            );
            assert_eq!(report.next, 27);
        }
    }
    let fake = Fake::audio(60);
    let is_lost = Cell::new(false);
    let hooked = Hooked::new(&fake, |cdb| {
        if read_at(cdb).is_some_and(|lba| lba >= 27) {
            is_lost.set(true);
            return lost();
        }
        is_lost.get().then(|| gone(cdb)).flatten()
    });
    let arguments = ["--output", &folder.file("gone"), "--no-error"];
    let (report, problem, _) = run_on(&hooked, || (), &AtomicBool::new(false), &arguments).unwrap();
    let problem = problem.unwrap();
    assert!(
        problem.message.contains("does not answer any more"),
        "{problem:?}"
    );
    assert_eq!((report.next, report.bad), (27, vec![]));
}

#[test]
fn only_sectors_in_a_row_that_are_not_there_are_an_end() {
    let folder = Folder::new("in-a-row");
    let beyond = (5, 0x21, 0);
    for between in [None, Some(MEDIUM)] {
        let fake = Fake::audio(300).with(|state| {
            for lba in (100..201).chain([299]) {
                state.bad.insert(lba, (u32::MAX, beyond));
            }
            state.bad.remove(&150);
            if let Some(code) = between {
                state.bad.insert(150, (u32::MAX, code));
            }
        });
        let file = folder.file(if between.is_some() { "bad" } else { "good" });
        let arguments = ["--output", &file, "--no-error", "--retries", "0"];
        let report = good(&fake, &arguments);
        assert_eq!(report.good, 199 - u64::from(between.is_some()));
    }
}

#[test]
fn what_the_drive_does_not_send_is_asked_for_once() {
    let folder = Folder::new("once");
    let fake = Fake::audio(90).with(|state| {
        state.refused.insert(0xbe, (5, 0x24, 0));
    });
    let arguments = ["--output", &folder.file("a")];
    let (_, problem, _) = run(&fake, &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.unwrap().message.contains("does not send"));
    assert_eq!(fake.sent(0xbe), 1);
}

#[test]
fn the_type_of_sectors_may_change_more_than_once() {
    let folder = Folder::new("types");
    let fake = Fake::data(96);
    let kinds = [(0, 2), (32, 4), (64, 2)];
    let hooked = Hooked::new(&fake, |cdb| {
        let lba = read_at(cdb)?;
        let kind = kinds.iter().rev().find(|(from, _)| lba >= *from)?.1;
        fake.change(|state| state.data_type = kind);
        None
    });
    let arguments = ["--output", &folder.file("a"), "--retries", "0"];
    let (report, problem, _) = run_on(&hooked, || (), &AtomicBool::new(false), &arguments).unwrap();
    assert!(problem.is_none(), "{problem:?}");
    assert_eq!((report.good, report.effort.retries), (96, 0));
}

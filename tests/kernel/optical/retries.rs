//! Policies of sending again, with what a drive really says, and their log.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use passthru::{
    Options, RetryPolicy, ScsiTransportExt as _,
    retry::{Clock, Reason, RetryLog},
    scsi::{
        Status, TestUnitReady,
        mmc::{Lba, ReadToc},
        sense::Condition,
    },
    unit::OpticalDrive,
};

use super::{drives, raw};
use crate::mmc_drive::{TestDrive, expected::audio};

/// Counts pauses and does not make them.
#[derive(Debug, Default)]
struct NoPauses(AtomicU32);

impl Clock for NoPauses {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, _: Duration) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }
}

const fn policy() -> RetryPolicy {
    RetryPolicy::new()
        .unit_attentions(4)
        .becoming_ready(Duration::from_secs(30))
        .operations(Duration::from_secs(30))
}

/// Of each entry: the command, why, how often, ASC.
fn entries(log: &RetryLog) -> Vec<(u8, Reason, u32, u8)> {
    let entries = log.entries().iter().map(|entry| {
        let asc = entry.outcome().sense().additional().map(|code| code.asc);
        (
            entry.cdb().opcode(),
            entry.reason(),
            entry.times(),
            asc.unwrap_or(0),
        )
    });
    entries.collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn attentions_and_waiting_are_swallowed_and_logged() {
    let mut test = TestDrive::start("audio", "");
    let clock = NoPauses::default();
    for drive in &drives(&test) {
        for sense in ["", "\ndescriptor_sense"] {
            let device = policy().on(drive.transport()).clock(&clock);
            test.arm(&format!(
                "unit_attention 29 00 count 2\nunit_attention 2a 01\nbecoming_ready 4{sense}"
            ));
            let before = clock.0.load(Ordering::Relaxed);
            device
                .query(&ReadToc::tracks().allocation_length(36))
                .unwrap();
            assert_eq!(
                entries(&device.take_log()),
                [
                    (0x43, Reason::UnitAttention, 2, 0x29),
                    (0x43, Reason::UnitAttention, 1, 0x2a),
                    (0x43, Reason::NotReady, 1, 4),
                    (0, Reason::NotReady, 3, 4),
                ]
            );
            assert_eq!(clock.0.load(Ordering::Relaxed) - before, 4);
            let sent: Vec<_> = test.log().iter().map(|logged| logged.cdb[0]).collect();
            assert_eq!(sent, [0x43, 0x43, 0x43, 0x43, 0, 0, 0, 0, 0x43]);
            // Nothing is left of it.
            device.execute(&TestUnitReady).unwrap();
            assert!(device.take_log().is_empty());
        }
    }
}

/// What is not for a policy to decide is returned.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_a_policy_does_not_swallow() {
    let mut test = TestDrive::start("audio", "");
    let clock = NoPauses::default();
    for drive in &drives(&test) {
        let device = policy().on(drive.transport()).clock(&clock);
        let patient = OpticalDrive::new(&device);
        // More of them than it takes.
        test.arm("unit_attention 29 00 count 6");
        let error = device.execute(&TestUnitReady).unwrap_err();
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::Reset);
        assert_eq!(
            entries(&device.take_log()),
            [(0, Reason::UnitAttention, 4, 0x29)]
        );
        // Sectors of another disc are no answer to a question about this one.
        test.arm("disc audio at 12");
        let partial = patient.read(&raw(), Lba(10), &mut [0; 5 * 2352]);
        let error = passthru::Error::from(partial.unwrap_err());
        let condition = error.outcome().unwrap().sense().condition();
        assert_eq!(condition, Condition::MediumChanged);
        assert!(device.take_log().is_empty());
        for (faults, expected) in [
            ("no_medium", Condition::NoMedium),
            ("medium_error 10", Condition::MediumError),
            ("refuse be", Condition::UnknownCommand),
            ("deferred 03 0c 02", Condition::Deferred),
        ] {
            test.arm(faults);
            let partial = patient.read(&raw(), Lba(10), &mut [0; 2352]).unwrap_err();
            let error = passthru::Error::from(partial);
            let condition = error.outcome().unwrap().sense().condition();
            assert_eq!(condition, expected, "{faults}");
            assert!(device.take_log().is_empty(), "{faults}");
            assert_eq!(test.log().len(), 1, "{faults}");
        }
        test.arm("");
    }
}

/// The kernel sends again by itself for as long as the command may take; what
/// arrives after that is for the policy.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_drive_that_stays_busy() {
    let mut test = TestDrive::start("audio", "");
    let clock = NoPauses::default();
    let [drive, ..] = &drives(&test);
    test.arm("busy count 5 only be");
    let mut sector = [0; 2352];
    drive.read(&raw(), Lba(7), &mut sector).unwrap();
    assert!(sector[..] == audio(7));
    assert_eq!(test.log().len(), 6);
    let device = RetryPolicy::new()
        .busy(Duration::from_secs(2))
        .on(drive.transport())
        .clock(&clock);
    test.arm("busy count 1000000 only 00");
    let begin = Instant::now();
    let short = Options::new().timeout(Duration::from_secs(1));
    let error = device.with_options(short).execute(&TestUnitReady);
    assert_eq!(error.unwrap_err().outcome().unwrap().status(), Status::BUSY);
    assert!(begin.elapsed() < Duration::from_secs(15), "{begin:?}");
    let kinds = entries(&device.take_log());
    assert_eq!((kinds[0].0, kinds[0].1, kinds.len()), (0, Reason::Busy, 1));
    assert!(kinds[0].2 >= 1, "{kinds:?}");
    test.arm("");
    device.execute(&TestUnitReady).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn waiting_until_it_is_ready() {
    let mut test = TestDrive::start("audio", "");
    for drive in &drives(&test) {
        test.arm("disc audio\nbecoming_ready 2");
        let log = drive.wait_ready(Duration::from_secs(30)).unwrap();
        assert_eq!(
            entries(&log),
            [
                (0, Reason::UnitAttention, 1, 0x28),
                (0, Reason::NotReady, 2, 4)
            ]
        );
        // No disc is not waited for, and no drive for ever.
        test.arm("no_medium");
        let begin = Instant::now();
        drive.wait_ready(Duration::from_secs(30)).unwrap_err();
        assert!(begin.elapsed() < Duration::from_secs(5));
        test.arm("becoming_ready 1000");
        let error = drive.wait_ready(Duration::from_millis(300)).unwrap_err();
        assert!(begin.elapsed() < Duration::from_secs(10));
        let sense = error.outcome().unwrap().sense();
        assert!(
            matches!(sense.condition(), Condition::BecomingReady(Some(_))),
            "{error}"
        );
        test.arm("");
    }
}

//! Drives that answer anything at all: whatever they say, the program ends, what it has
//! written is what was on the disc, and what it tells fits together.

use std::{cell::Cell, fs, path::Path, sync::atomic::AtomicBool};

use passthru::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType, DriverStatus, HostStatus, SenseBuffer, Status},
};
use proptest::prelude::*;

use crate::{
    Folder,
    fake::{FOUND_PAGE, FOUND_SPEED, Fake, main_channel},
    report::Report,
    run_on,
};

const SECTORS: i32 = 60;
const CASES: u32 = 120;

/// What is done to an answer.
#[derive(Clone, Debug)]
enum Lie {
    None,
    /// Another answer, and no data.
    Sense(Vec<u8>),
    Status(u8),
    Host(u16),
    Driver(u16),
    /// So many bytes at the end did not come, as the residual says.
    Short(usize),
    /// All data, and another residual.
    Residual(i32),
    /// All data, and RECOVERED ERROR.
    Recovered,
    /// Something else; for all but reads.
    Garbage(Vec<u8>),
}

fn lie() -> impl Strategy<Value = Lie> {
    let keys = prop_oneof![Just(2_u8), Just(3), Just(5), Just(6), 0_u8..16];
    let codes = prop_oneof![
        Just((0x04_u8, 0x01_u8)),
        Just((0x3a, 0)),
        Just((0x28, 0)),
        Just((0x29, 0)),
        Just((0x2a, 1)),
        Just((0x64, 0)),
        Just((0x21, 0)),
        Just((0x24, 0)),
        Just((0x20, 0)),
        Just((0x11, 5)),
        any::<(u8, u8)>(),
    ];
    let sense = (
        prop_oneof![8 => Just(0x70_u8), 1 => Just(0x71), 1 => any::<u8>()],
        keys,
        codes,
    )
        .prop_map(|(format, key, (asc, ascq))| {
            Lie::Sense(match format {
                0x72 | 0x73 => vec![format, key, asc, ascq, 0, 0, 0, 0],
                _ => vec![
                    format, 0, key, 0, 0, 0, 0, 10, 0, 0, 0, 0, asc, ascq, 0, 0, 0, 0,
                ],
            })
        });
    let none = || Just(Lie::None);
    prop_oneof![
        20 => none(),
        6 => sense,
        1 => any::<u8>().prop_map(Lie::Status),
        1 => (0_u16..0x16).prop_map(Lie::Host),
        1 => (0_u16..0x10).prop_map(Lie::Driver),
        2 => (1_usize..70_000).prop_map(Lie::Short),
        2 => prop_oneof![Just(i32::MAX), Just(i32::MIN), -100_000..0].prop_map(Lie::Residual),
        1 => Just(Lie::Recovered),
        1 => proptest::collection::vec(any::<u8>(), 0..300).prop_map(Lie::Garbage),
    ]
}

/// Lies after up to so many honest answers.
fn lies(honest: usize) -> impl Strategy<Value = Vec<Lie>> {
    let lies = proptest::collection::vec(lie(), 0..40);
    (0..honest, lies).prop_map(|(honest, lies)| {
        let mut all = vec![Lie::None; honest];
        all.extend(lies);
        all
    })
}

struct Hostile<'a> {
    fake: &'a Fake,
    lies: &'a [Lie],
    sent: Cell<usize>,
    longest: Cell<usize>,
}

impl ScsiTransport for Hostile<'_> {
    fn send(&self, cdb: &Cdb, mut data: Data<'_>, options: &Options) -> Result<Outcome> {
        let number = self.sent.replace(self.sent.get() + 1);
        assert!(number < 20_000, "it does not end");
        let len = data.len();
        self.longest.set(len.max(self.longest.get()));
        let mut failed = Outcome::new(Status::CHECK_CONDITION, len);
        let is_read = cdb.opcode() == 0xbe;
        match self.lies.get(number).unwrap_or(&Lie::None) {
            Lie::Sense(bytes) => {
                *failed.sense_mut() = SenseBuffer::from_slice(bytes);
                return Ok(failed);
            }
            Lie::Status(status) if Status(*status).is_success() => {}
            Lie::Status(status) => {
                failed.set_status(Status(*status));
                return Ok(failed);
            }
            Lie::Host(host) if *host > 0 => {
                failed.set_status(Status::GOOD);
                failed.set_host(HostStatus(*host));
                return Ok(failed);
            }
            Lie::Driver(driver) if !matches!(driver, 0 | 8) => {
                failed.set_status(Status::GOOD);
                failed.set_driver(DriverStatus(*driver));
                return Ok(failed);
            }
            Lie::Garbage(bytes) if !is_read => {
                let mut outcome = Outcome::new(Status::GOOD, len);
                let moved = data.fill_from(bytes);
                outcome.set_transferred(moved);
                return Ok(outcome);
            }
            _ => {}
        }
        let mut bytes = vec![0; len];
        let is_in = matches!(data, Data::In(_));
        let mut outcome = if is_in {
            self.fake.send(cdb, Data::In(&mut bytes), options)?
        } else {
            return self.fake.send(cdb, data, options);
        };
        match self.lies.get(number) {
            Some(Lie::Short(by)) if is_read && outcome.verdict().is_success() => {
                let left = len.saturating_sub(*by);
                bytes[left..].fill(0);
                outcome.set_transferred(left);
            }
            Some(Lie::Residual(residual)) => outcome.set_residual(*residual),
            Some(Lie::Recovered) if outcome.status() == Status::GOOD => {
                outcome.set_status(Status::CHECK_CONDITION);
                *outcome.sense_mut() = SenseBuffer::from_slice(&[
                    0x70, 0, 1, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x17, 1, 0, 0, 0, 0,
                ]);
            }
            _ => {}
        }
        data.fill_from(&bytes);
        Ok(outcome)
    }

    fn path(&self) -> &Path {
        self.fake.path()
    }

    fn device_type(&self) -> Option<DeviceType> {
        self.fake.device_type()
    }
}

/// What the report says fits together.
fn check(report: &Report, problem: bool) -> std::result::Result<(), TestCaseError> {
    let json = report.to_json();
    let number = |key: &str| json[key].as_i64().unwrap();
    prop_assert!(report.next >= report.range.first && report.next <= report.range.end);
    prop_assert_eq!(json["complete"].as_bool().unwrap(), report.is_complete());
    prop_assert!(report.is_complete() || problem);
    let listed: i64 = report.bad.iter().map(|bad| i64::from(bad.sectors)).sum();
    prop_assert_eq!(number("errors") + number("not_sent"), listed);
    let text = &mut Vec::new();
    report.print(text).unwrap();
    prop_assert!(!String::from_utf8(text.clone()).unwrap().contains('\x1b'));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_what_is_on_the_disc(
        lies in lies(25),
        no_error: bool,
        retries in 0_u32..14,
    ) {
        let folder = Folder::new(&format!("hostile-{retries}-{no_error}"));
        let file = folder.file("a");
        let retries = retries.to_string();
        let mut arguments = vec!["--output", &file, "--sector", "raw", "--retries", &retries];
        arguments.extend(no_error.then_some("--no-error"));
        let fake = Fake::audio(SECTORS).with(|state| {
            state.bad.insert(9, (4, (3, 0x11, 5)));
        });
        let drive = Hostile { fake: &fake, lies: &lies, sent: Cell::new(0), longest: Cell::new(0) };
        // Once with the lies, and then to the end without any more.
        for _ in 0..2 {
            let ended = run_on(&drive, || {}, &AtomicBool::new(false), &arguments);
            prop_assert!(drive.longest.get() <= 1 << 17);
            let Ok((report, problem, _)) = ended else { continue };
            check(&report, problem.is_some())?;
            let Ok(bytes) = fs::read(&file) else { continue };
            for (lba, sector) in (report.range.first..report.next).zip(bytes.chunks(2352)) {
                let is_bad = report.bad.iter().any(|bad| bad.has(lba));
                let expected = if is_bad || report.gaps.end_at(lba).is_some() {
                    vec![0; 2352]
                } else {
                    main_channel(lba)
                };
                prop_assert!(sector == expected, "sector {lba} of {report:?}");
            }
        }
    }

    #[test]
    fn what_is_counted_fits_and_the_drive_is_set_back(
        lies in lies(45),
    ) {
        let fake = Fake::audio(SECTORS).with(|state| {
            state.c2.insert(7, vec![1, 2, 3]);
        });
        let drive = Hostile { fake: &fake, lies: &lies, sent: Cell::new(0), longest: Cell::new(0) };
        let arguments = ["--c2scan", "--retries", "2"];
        let ended = run_on(&drive, || {}, &AtomicBool::new(false), &arguments);
        let Ok((report, problem, _)) = ended else { return Ok(()) };
        check(&report, problem.is_some())?;
        if let Some(scanned) = &report.c2 {
            let not = report.bad.iter().map(|bad| u64::from(bad.sectors)).sum::<u64>();
            let left_out = report.gaps.sectors_before(report.next);
            let all = u64::from(report.next.abs_diff(report.range.first));
            prop_assert_eq!(scanned.count.scanned + not + left_out, all);
            prop_assert!(scanned.count.errors <= 3);
        }
        let kind = problem.map(|problem| problem.to_json()["kind"].clone());
        if drive.sent.get() > lies.len() && kind.is_none_or(|kind| kind != "not_restored") {
            prop_assert_eq!(fake.settings(), (FOUND_PAGE, FOUND_SPEED));
        }
    }
}

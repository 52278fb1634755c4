//! `--output` and `--c2scan`: from the first sector to the last.

use std::{path::Path, sync::atomic::AtomicBool, sync::atomic::Ordering};

use passthru::{ScsiTransport, scsi::mmc::SectorLayout, unit::OpticalDrive};
use serde_json::Value;

use crate::{
    arguments::{Cli, SectorKind, SectorRange},
    drive::{CdInDrive, Names},
    image::{Content, Image},
    plan::{Plan, range_of, usual_kind},
    probe::{Sends, Sent, probe},
    problem::{Code, Problem},
    progress::Progress,
    reader::{Effort, Reader, Sink},
    report::{Notes, Report, Scanned},
    scan::Scan,
    setup::Setup,
    trouble::bad_count,
};

/// What a reading needs.
pub(crate) struct Reading<'a, T: ScsiTransport> {
    pub(crate) cli: &'a Cli,
    pub(crate) drive: &'a OpticalDrive<T>,
    pub(crate) names: Names,
    pub(crate) cd: &'a CdInDrive,
    /// What opening the node for writing would take, if that was denied.
    pub(crate) denied: Option<&'a str>,
    pub(crate) interrupted: &'a AtomicBool,
}

impl<T: ScsiTransport> Reading<'_, T> {
    /// Reads to a file.
    pub(crate) fn output(
        &self,
        path: &Path,
        notes: &mut Notes,
    ) -> Result<(Report, Option<Problem>), Problem> {
        let range = self.range(notes)?;
        let kind = self.cli.sector.unwrap_or(usual_kind(self.cd, range));
        let disc = self.cd.sectors();
        let mut plan = Plan::new(kind, range, disc, self.drive.max_transfer())
            .map_err(|error| Problem::usage(error.to_string()))?;
        if plan.layout.c2().is_some() || plan.layout.sub().is_some() {
            plan.layout = self.layout_that_comes(kind, range)?;
        }
        let mut setup = Setup::new(self.drive);
        if let Some(times) = self.cli.speed {
            setup.speed(times, self.denied, notes)?;
        }
        let content = Content {
            sector: kind.name(),
            sector_length: plan.sector_length(),
            range,
            disc: self.cd.identity.clone(),
        };
        let mut image = Image::open(path, content, self.cli.no_error)?;
        let mut report = self.report(plan, kind.name());
        report.output = Some(path.to_string_lossy().into_owned());
        report.resumed = image.resumed;
        let problem = self.all(plan, image.next, &mut image, &mut setup, &mut report);
        report.next = image.next;
        report.good = image.good;
        report.bad.clone_from(&image.bad);
        let closed = if report.is_complete() {
            image.finish()
        } else {
            image.leave()
        };
        Ok((report, problem.or(closed.err())))
    }

    /// Counts C2 errors.
    pub(crate) fn scan(&self, notes: &mut Notes) -> Result<(Report, Option<Problem>), Problem> {
        let range = self.range(notes)?;
        let disc = self.cd.sectors();
        let sends = probe(self.drive, range, disc, |sends| {
            sends.c2_294.is_yes() || sends.c2_296.is_yes()
        })?;
        let Sent::Yes(layout) = sends.c2() else {
            let why = sends.c2().why();
            let what = match sends.c2() {
                Sent::Unknown(_) => "it cannot be told whether the drive sends C2 pointers",
                _ => "the drive sends no C2 pointers",
            };
            let problem = Problem::own(
                Code::Device,
                "not_scanned",
                format!("not scanned: {what}: {why}"),
            );
            // What there is to say of a scan that was none.
            let plan = Plan::new(SectorKind::RawC2, range, disc, self.drive.max_transfer())
                .map_err(|error| Problem::usage(error.to_string()))?;
            return Ok((self.report(plan, SectorKind::RawC2.name()), Some(problem)));
        };
        let plan = Plan::scan(*layout, range, disc, self.drive.max_transfer());
        let mut setup = Setup::new(self.drive);
        setup.deliver_errors(self.denied, notes)?;
        if let Some(times) = self.cli.speed {
            setup.speed(times, self.denied, notes)?;
        }
        let mut scan = Scan::new(range.first);
        let mut report = self.report(plan, SectorKind::RawC2.name());
        let problem = self.all(plan, range.first, &mut scan, &mut setup, &mut report);
        report.next = scan.next;
        report.good = scan.count.scanned;
        report.bad = scan.bad;
        if scan.count.errors == 0 && scan.count.scanned > 0 {
            notes.add(
                "the drive reported no C2 error: that it sends pointers is sure, that it would \
                 ever set one is not",
            );
        }
        report.c2 = Some(Scanned {
            pointers: layout.c2_kind().length().into(),
            count: scan.count,
        });
        Ok((report, problem))
    }

    /// The sectors that are meant.
    fn range(&self, notes: &mut Notes) -> Result<SectorRange, Problem> {
        let range = range_of(self.cli.sectors, self.cd)?;
        if self.cd.sessions > 1 && self.cli.sectors.is_none() {
            notes.add(format!(
                "the disc has {} sessions, and most drives read nothing between them: --sectors \
                 names those of one (--info)",
                self.cd.sessions
            ));
        }
        Ok(range)
    }

    /// Reads all sectors from `from` on, and sets the drive back.
    fn all<S: Sink + Place>(
        &self,
        plan: Plan,
        from: i32,
        sink: &mut S,
        setup: &mut Setup<'_, T>,
        report: &mut Report,
    ) -> Option<Problem> {
        let mut reader = match Reader::new(self.drive, plan, self.cli.retries(), self.interrupted) {
            Ok(reader) => reader,
            Err(problem) => return Some(problem),
        };
        let progress = Progress::new(plan.range, from);
        let mut result = Ok(());
        while sink.next() < plan.range.end && result.is_ok() {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            result = reader.chunk(sink.next(), sink, &mut || setup.renew());
            progress.at(sink.next(), &sink.errors());
        }
        report.seconds = progress.seconds();
        report.effort = reader.effort;
        drop(progress);
        let restored = setup.restore();
        result.and(restored).err()
    }

    /// In which layout the drive really sends what is asked for; an error if it does
    /// not.
    fn layout_that_comes(
        &self,
        kind: SectorKind,
        range: SectorRange,
    ) -> Result<SectorLayout, Problem> {
        let is_sub = kind == SectorKind::RawSub;
        let which = |sends: &Sends| {
            if is_sub {
                sends.sub.clone()
            } else {
                sends.c2_294.clone()
            }
        };
        let sends = probe(self.drive, range, self.cd.sectors(), |sends| {
            which(sends).is_yes()
        })?;
        let what = if is_sub { "subchannels" } else { "C2 pointers" };
        match which(&sends) {
            Sent::Yes(layout) => Ok(layout),
            Sent::Unknown(why) => Err(Problem::own(
                Code::Device,
                "not_sent",
                format!(
                    "nothing was read: it cannot be told whether the drive sends {what}: {why}"
                ),
            )),
            other => Err(Problem::own(
                Code::Device,
                "not_sent",
                format!(
                    "nothing was read: the drive sends no {what}: {}",
                    other.why()
                ),
            )),
        }
    }

    fn report(&self, plan: Plan, sector: &'static str) -> Report {
        Report {
            device: self.cli.device.to_string_lossy().into_owned(),
            task: self.cli.task(),
            names: self.names.clone(),
            medium: self.cd.profile.map(|profile| profile.to_string()),
            output: None,
            sector,
            sector_length: plan.sector_length(),
            range: plan.range,
            next: plan.range.first,
            resumed: 0,
            good: 0,
            seconds: 0.0,
            bad: Vec::new(),
            effort: Effort::default(),
            c2: None,
            interrupted: false,
            error: Value::Null,
            notes: Vec::new(),
        }
    }
}

/// How far a sink is.
trait Place {
    fn next(&self) -> i32;
    fn errors(&self) -> String;
}

impl Place for Image {
    fn next(&self) -> i32 {
        self.next
    }

    fn errors(&self) -> String {
        format!("{} bad", bad_count(&self.bad))
    }
}

impl Place for Scan {
    fn next(&self) -> i32 {
        self.next
    }

    fn errors(&self) -> String {
        format!(
            "{} C2 errors in {} sectors, {} not scanned",
            self.count.errors,
            self.count.sectors.len(),
            bad_count(&self.bad)
        )
    }
}

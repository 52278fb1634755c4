//! `--output` and `--c2scan`: from the first sector to the last.

use std::{path::Path, sync::atomic::AtomicBool, sync::atomic::Ordering};

use passthru::{ScsiDevice, ScsiTransport, scsi::mmc::SectorLayout, unit::OpticalDrive};
use serde_json::Value;

use crate::{
    arguments::{Cli, SectorKind, SectorRange},
    drive::{CdInDrive, Names},
    events::{Events, another_disc},
    gaps::Gaps,
    hollow::with_sync,
    image::Image,
    memory,
    noted::Content,
    output::complain,
    plan::{Plan, range_of, usual_kind},
    probe::{Sends, Sent, probe},
    problem::{Code, Problem},
    progress::Progress,
    reader::{Effort, Reader, Sink},
    report::{Notes, Report, Scanned},
    resume,
    scan::Scan,
    setup::Setup,
    target::{Caretaker, Target},
};

/// What a reading needs.
pub(crate) struct Reading<'a, T: ScsiTransport> {
    pub(crate) cli: &'a Cli,
    pub(crate) drive: &'a OpticalDrive<T>,
    /// The node that it was opened by.
    pub(crate) node: Option<&'a ScsiDevice>,
    pub(crate) names: Names,
    pub(crate) cd: &'a CdInDrive,
    /// What opening the node for writing would take, if that was denied.
    pub(crate) denied: Option<&'a str>,
    pub(crate) interrupted: &'a AtomicBool,
    /// What has happened since the disc was looked at.
    pub(crate) events: &'a Events,
}

impl<'a, T: ScsiTransport> Reading<'a, T> {
    /// Reads to a file.
    pub(crate) fn output(
        &self,
        path: &Path,
        notes: &mut Notes,
    ) -> Result<(Report, Option<Problem>), Problem> {
        let range = self.range()?;
        let kind = self.cli.sector.unwrap_or(usual_kind(self.cd, range));
        let disc = self.cd.sectors();
        let mut plan = Plan::new(kind, range, disc, self.drive.max_transfer())
            .map_err(|error| Problem::usage(error.to_string()))?;
        plan.gaps = self.gaps(notes);
        plan.with_sync = with_sync(self.cd, plan.layout);
        if plan.layout.c2().is_some() || plan.layout.sub().is_some() {
            plan.layout = self.layout_that_comes(kind, range)?;
        }
        let content = Content {
            sector: kind.name(),
            sector_length: plan.sector_length(),
            range,
            gaps: plan.gaps.clone(),
            disc: self.cd.identity.clone(),
        };
        let mut image = Image::open(path, content.clone(), self.cli.no_error)?;
        if image.resumed() > 0 {
            resume::compare(self.drive, &plan, path, &content, (image.next, &image.bad))?;
        }
        image.start()?;
        let mut report = self.report(&plan, kind.name());
        report.output = Some(path.to_string_lossy().into_owned());
        report.resumed = image.resumed();
        let mut setup = Setup::new(self.drive);
        let problem = match self.speeds(&mut setup, notes) {
            Ok(()) => self.all(plan, image.next, &mut image, &mut setup, &mut report),
            Err(problem) => {
                image.leave()?;
                return Err(problem);
            }
        };
        report.next = image.next;
        report.good = image.good();
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
        let range = self.range()?;
        let disc = self.cd.sectors();
        let sends = self.probe(range, |sends| {
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
            return Ok((self.report(&plan, SectorKind::RawC2.name()), Some(problem)));
        };
        let mut plan = Plan::scan(*layout, range, disc, self.drive.max_transfer());
        plan.gaps = self.gaps(notes);
        plan.with_sync = with_sync(self.cd, plan.layout);
        let mut setup = Setup::new(self.drive);
        setup.deliver_errors(self.denied, notes)?;
        self.speeds(&mut setup, notes)?;
        let mut scan = Scan::new(range.first);
        let mut report = self.report(&plan, SectorKind::RawC2.name());
        let problem = self.all(plan, range.first, &mut scan, &mut setup, &mut report);
        if scan.is_mixed {
            // Nobody knows what of it was counted on which disc.
            return Ok((report, problem));
        }
        report.next = scan.next;
        report.good = scan.count.scanned();
        report.bad = scan.bad;
        if scan.count.errors() == 0 && scan.count.scanned() > 0 {
            notes.add(
                "the drive reported no C2 error: that it sends pointers is sure, that it would \
                 ever set one is not",
            );
        }
        report.c2 = Some(Scanned {
            pointers: layout.c2_kind().length().into(),
            block_error: scan.count.block_error(),
            count: scan.count.result(),
        });
        Ok((report, problem))
    }

    /// The sectors that are meant.
    fn range(&self) -> Result<SectorRange, Problem> {
        range_of(self.cli.sectors, self.cd)
    }

    /// What is not read of all of the disc; what is asked for is read.
    fn gaps(&self, notes: &mut Notes) -> Gaps {
        if self.cli.sectors.is_some() {
            return Gaps::default();
        }
        let gaps = self.cd.gaps.clone();
        for gap in gaps.as_slice() {
            notes.add(format!(
                "sectors {} to {} are left out: they lie between two sessions{} (--sectors reads \
                 what it names)",
                gap.first,
                gap.end.saturating_sub(1),
                if gaps.are_assumed {
                    ", if these are as far apart as usual, which the drive does not tell"
                } else {
                    ""
                }
            ));
        }
        gaps
    }

    fn speeds(&self, setup: &mut Setup<'a, T>, notes: &mut Notes) -> Result<(), Problem> {
        if let Some(times) = self.cli.speed {
            setup.speed(times, self.denied, notes)?;
        }
        if let Some(times) = self.cli.retry_speed {
            setup.retry_speed(times, self.denied, notes)?;
        }
        Ok(())
    }

    /// Reads all sectors from `from` on, and sets the drive back.
    fn all<S: Sink + Target>(
        &self,
        plan: Plan,
        from: i32,
        sink: &mut S,
        setup: &mut Setup<'a, T>,
        report: &mut Report,
    ) -> Option<Problem> {
        let (range, gaps) = (plan.range, plan.gaps.clone());
        let watched = (self.interrupted, self.events);
        let mut again = self.node.and_then(memory::open_again);
        let mapped = again.as_mut();
        let mut reader = match Reader::new(self.drive, plan, self.cli.retries(), watched, mapped) {
            Ok(reader) => reader,
            Err(problem) => return Some(problem),
        };
        let progress = Progress::new(range, from);
        let mut result = Ok(());
        let mut caretaker = Caretaker::new(self.cd, self.drive, setup);
        while sink.next() < range.end && result.is_ok() {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            let next = sink.next();
            result = match gaps.end_at(next) {
                Some(end) => sink.skip(end.min(range.end)),
                None => reader.chunk(next, sink, &mut caretaker),
            };
            if caretaker.take_checked() {
                // Which sectors of this chunk came before that look is not known.
                sink.is_sure(next);
            }
            progress.at(sink.next(), || sink.errors());
        }
        report.seconds = progress.seconds();
        report.effort = reader.effort();
        drop(progress);
        let result = result.and(self.to_the_end(sink));
        let restored = setup.restore();
        if let (Err(_), Err(problem)) = (&result, &restored) {
            complain("readcd", &problem.message);
        }
        result.and(restored).err()
    }

    /// Whether it was the same disc up to here. The unit attention that tells of
    /// another one may have been told to somebody else: the kernel asks too. What may
    /// be of another disc is taken back.
    fn to_the_end<S: Target>(&self, sink: &mut S) -> Result<(), Problem> {
        // Told to us, it was told in time.
        self.events.take()?;
        match self.cd.is_there(self.drive) {
            Ok(true) => Ok(()),
            Ok(false) => {
                sink.take_back()?;
                Err(another_disc("its tracks are others"))
            }
            Err(problem) => Err(problem),
        }
    }

    fn probe(&self, range: SectorRange, enough: impl Fn(&Sends) -> bool) -> Result<Sends, Problem> {
        probe(self.drive, self.cd, range, self.interrupted, enough)
    }

    /// In which layout the drive really sends what is asked for; an error if it does
    /// not.
    fn layout_that_comes(
        &self,
        kind: SectorKind,
        range: SectorRange,
    ) -> Result<SectorLayout, Problem> {
        let which = |sends: &Sends| match kind {
            SectorKind::RawSub => sends.sub.clone(),
            SectorKind::RawC2Block => sends.c2_296.clone(),
            _ => sends.c2_294.clone(),
        };
        let sends = self.probe(range, |sends| which(sends).is_yes())?;
        let what = match kind {
            SectorKind::RawSub => "subchannels",
            SectorKind::RawC2Block => "C2 pointers with block error bytes",
            _ => "C2 pointers without block error bytes",
        };
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

    fn report(&self, plan: &Plan, sector: &'static str) -> Report {
        Report {
            device: self.cli.device.to_string_lossy().into_owned(),
            task: self.cli.task(),
            names: self.names.clone(),
            medium: self.cd.profile.map(|profile| profile.to_string()),
            output: None,
            sector,
            sector_length: plan.sector_length(),
            range: plan.range,
            gaps: plan.gaps.clone(),
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

//! Reading: a chunk, after an error its sectors one by one, after more errors with
//! reads far away between the tries.

use std::sync::atomic::{AtomicBool, Ordering};

use passthru::{
    Error, ScsiTransport, ScsiTransportExt, SgDevice,
    scsi::{
        TestUnitReady,
        mmc::{Lba, Sectors},
    },
    unit::OpticalDrive,
};

use crate::{
    events::Events,
    hollow,
    memory::Memory,
    plan::{Plan, raw},
    problem::{Code, Problem},
    trouble::{ATTENTIONS, BadSectors, Cause, Fault},
};

/// So many tries follow each other; before each later one the drive reads
/// somewhere else, so that it cannot answer from its cache and moves its head.
const NEAR_TRIES: u32 = 10;

/// How often a sector is tried that is lost on the way or comes without all of its
/// bytes. Each of the former takes a minute and a reset.
const HOPELESS_TRIES: u32 = 2;

/// After so many sectors in a row that are not there, it is looked whether there are
/// more: a second of audio. Run-outs and the like are shorter.
const BEYOND: u32 = 75;

/// Where sectors go.
pub(crate) trait Sink {
    /// Sectors that were read, from this one on.
    fn good(&mut self, lba: i32, sectors: Sectors<'_>) -> Result<(), Problem>;

    /// A sector that could not be read; an error ends the reading.
    fn bad(&mut self, bad: BadSectors, problem: Problem) -> Result<(), Problem>;
}

/// What is done for the reading by others.
pub(crate) trait Care {
    /// The drive told of a reset or the like: settings may be lost.
    fn renew(&mut self) -> Result<(), Problem>;

    /// Something happened: an error if it is another disc now.
    fn same_disc(&mut self) -> Result<(), Problem>;

    /// Tries after a failed one follow, or are over.
    fn slow(&mut self, slow: bool) -> Result<(), Problem>;
}

/// What it took, so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) retries: u64,
    pub(crate) far_seeks: u64,
    pub(crate) attentions: u64,
    /// Commands that went well by the drive's own efforts (RECOVERED ERROR).
    pub(crate) recovered: u64,
}

pub(crate) struct Reader<'a, T: ScsiTransport> {
    drive: &'a OpticalDrive<T>,
    plan: Plan,
    retries: u32,
    interrupted: &'a AtomicBool,
    events: &'a Events,
    effort: Effort,
    memory: Memory<'a>,
    random: u64,
    /// Sectors have been read as they are asked for.
    worked: bool,
    /// So many sectors in a row are not there, says the drive.
    beyond: u32,
}

impl<'a, T: ScsiTransport> Reader<'a, T> {
    pub(crate) fn new(
        drive: &'a OpticalDrive<T>,
        plan: Plan,
        retries: u32,
        (interrupted, events): (&'a AtomicBool, &'a Events),
        mapped: Option<&'a mut SgDevice>,
    ) -> Result<Self, Problem> {
        let len = plan.sector_length() * plan.chunk as usize;
        let memory = Memory::new(len, mapped)?;
        Ok(Self {
            drive,
            plan,
            retries,
            interrupted,
            events,
            effort: Effort::default(),
            memory,
            random: 0x2545_f491_4f6c_dd1d,
            worked: false,
            beyond: 0,
        })
    }

    pub(crate) fn effort(&self) -> Effort {
        Effort {
            attentions: self.events.attentions(),
            ..self.effort
        }
    }

    /// Reads one chunk. Every sector goes to the sink, in order; when Ctrl-C was
    /// pressed those that are left do not.
    pub(crate) fn chunk(
        &mut self,
        lba: i32,
        sink: &mut dyn Sink,
        care: &mut dyn Care,
    ) -> Result<(), Problem> {
        let mut memory = std::mem::replace(&mut self.memory, Memory::empty());
        let result = self.chunk_into(lba, &mut memory, sink, care);
        self.memory = memory;
        result
    }

    fn chunk_into(
        &mut self,
        lba: i32,
        memory: &mut Memory<'_>,
        sink: &mut dyn Sink,
        care: &mut dyn Care,
    ) -> Result<(), Problem> {
        let sectors = self.plan.sectors_at(lba);
        match self.attempt((lba, sectors), memory, care) {
            Ok(()) => return sink.good(lba, memory.sectors(self.plan.layout, sectors)),
            Err(Fault::Stop(cause)) => return Err(cause.problem),
            Err(Fault::Refused(cause)) if !self.worked => return Err(cause.problem),
            Err(_) => {}
        }
        // Nothing of it is relied on: who knows what arrived of which sector.
        for lba in (lba..).take(sectors as usize) {
            match self.single(lba, memory, care)? {
                Single::Good => sink.good(lba, memory.sectors(self.plan.layout, 1))?,
                Single::Interrupted => return Ok(()),
                Single::Bad {
                    cause,
                    missing,
                    beyond,
                } => {
                    self.beyond = if beyond {
                        self.beyond.saturating_add(1)
                    } else {
                        0
                    };
                    let bad = BadSectors {
                        lba,
                        sectors: 1,
                        reason: cause.reason,
                        missing,
                    };
                    sink.bad(bad, cause.problem)?;
                    if self.beyond == BEYOND {
                        self.goes_on(lba)?;
                    }
                }
            }
        }
        care.slow(false)
    }

    /// Tries one sector until it is read, or until there is no hope.
    fn single(
        &mut self,
        lba: i32,
        memory: &mut Memory<'_>,
        care: &mut dyn Care,
    ) -> Result<Single, Problem> {
        let mut hopeless = 0;
        let mut tries = 0;
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Ok(Single::Interrupted);
            }
            if tries > 0 {
                self.before_retry(tries, care)?;
            }
            let fault = match self.attempt((lba, 1), memory, care) {
                Ok(()) => return Ok(Single::Good),
                Err(Fault::OtherType(cause)) => match self.attempt_as_other(lba, memory, care) {
                    Some(Ok(())) => return Ok(Single::Good),
                    Some(Err(fault)) => fault,
                    None => Fault::Never(cause),
                },
                Err(fault) => fault,
            };
            tries = tries.saturating_add(1);
            if matches!(fault, Fault::Transport(_)) {
                self.is_there()?;
            }
            let missing = matches!(fault, Fault::Missing(_));
            let beyond = matches!(fault, Fault::Beyond(_));
            let is_last = match &fault {
                // What was taken of other sectors is about this one.
                Fault::Refused(_) if self.worked => true,
                Fault::Stop(_) | Fault::Refused(_) | Fault::Attention(_) => {
                    return Err(fault.cause().problem);
                }
                Fault::Never(_) | Fault::Beyond(_) | Fault::OtherType(_) => true,
                Fault::Sector(_) => false,
                Fault::Missing(_) | Fault::Transport(_) => {
                    hopeless += 1;
                    hopeless >= HOPELESS_TRIES
                }
            };
            if is_last || tries > self.retries {
                let cause = fault.cause();
                return Ok(Single::Bad {
                    cause,
                    missing,
                    beyond,
                });
            }
        }
    }

    /// What comes before a try that is not the first.
    fn before_retry(&mut self, tries: u32, care: &mut dyn Care) -> Result<(), Problem> {
        self.effort.retries += 1;
        // The transport's policy waits for it.
        if let Err(error) = self.drive.transport().execute(&TestUnitReady) {
            if let Fault::Stop(cause) = Fault::from(error) {
                return Err(cause.problem);
            }
        }
        care.slow(true)?;
        if tries >= NEAR_TRIES {
            self.far_seek(tries - NEAR_TRIES);
        }
        Ok(())
    }

    /// Whether there is anything up to the end, after many sectors were not there.
    /// Tables of contents lie about the end, and what is beyond it has none.
    fn goes_on(&mut self, lba: i32) -> Result<(), Problem> {
        let end = self.plan.range.end;
        let first = lba.saturating_sub_unsigned(BEYOND - 1);
        let last = Lba(end.saturating_sub(1));
        let read = self.drive.read(&raw(), last, &mut [0; 2352]);
        match read.map_err(|partial| Fault::from(Error::from(partial))) {
            Err(Fault::Beyond(cause)) => Err(Problem::own(
                Code::Device,
                "beyond_end",
                format!(
                    "the disc ends before sector {first}, says the drive, and not at {end}: {}",
                    cause.reason
                ),
            )),
            _ => Ok(()),
        }
    }

    /// Whether the drive answers anything at all, after a command was lost. What it
    /// answers is seen to later.
    fn is_there(&self) -> Result<(), Problem> {
        let ask = || self.drive.transport().execute(&TestUnitReady);
        // One that was under way when the drive was reset may be lost with it.
        match ask().or_else(|error| match error {
            Error::Transport(_) => ask(),
            error => Err(error),
        }) {
            Err(error @ (Error::Transport(_) | Error::Gone { .. })) => {
                let mut problem = Problem::from(error);
                problem
                    .message
                    .push_str("; the drive does not answer any more");
                Err(problem)
            }
            _ => Ok(()),
        }
    }

    /// Reads the last, the first or some sector of the disc. What comes of it does
    /// not matter.
    fn far_seek(&mut self, turn: u32) {
        let disc = self.plan.disc;
        let lba = match turn % 3 {
            0 => disc.end.saturating_sub(1),
            1 => disc.first,
            _ => {
                // xorshift64
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let sectors = u64::from(disc.end.abs_diff(disc.first).max(1));
                let offset = u32::try_from(self.random % sectors).unwrap_or(0);
                disc.first.saturating_add_unsigned(offset)
            }
        };
        self.effort.far_seeks += 1;
        // Nor is anything lost that it tells: that is seen by who watches.
        let _ = self.drive.read(&raw(), Lba(lba), &mut [0; 2352]);
    }

    /// Asks for the other type that may be meant; what works is asked first from
    /// then on.
    fn attempt_as_other(
        &mut self,
        lba: i32,
        memory: &mut Memory<'_>,
        care: &mut dyn Care,
    ) -> Option<Result<(), Fault>> {
        let other = self.plan.other?;
        let first = std::mem::replace(&mut self.plan.request, other);
        let result = self.attempt((lba, 1), memory, care);
        if result.is_ok() {
            self.plan.other = Some(first);
        } else {
            self.plan.request = first;
        }
        Some(result)
    }

    /// Reads sectors, and again when something happened that has nothing to do with
    /// them.
    fn attempt(
        &mut self,
        (lba, sectors): (i32, u32),
        memory: &mut Memory<'_>,
        care: &mut dyn Care,
    ) -> Result<(), Fault> {
        let mut left = ATTENTIONS;
        loop {
            self.settle(care)?;
            let Plan {
                request, layout, ..
            } = self.plan;
            let result = memory.read(
                self.drive,
                self.events,
                (&request, layout),
                (Lba(lba), sectors),
            );
            let fault = match result {
                Ok(read) => {
                    self.effort.recovered += read.remarks().len() as u64;
                    // It was waited for, and who knows what for.
                    self.settle(care)?;
                    let arrived = memory.sectors(layout, sectors);
                    hollow::check(&self.plan.with_sync, lba, arrived)?;
                    self.worked = true;
                    self.beyond = 0;
                    return Ok(());
                }
                Err(error) => Fault::from(error),
            };
            match left.checked_sub(1) {
                Some(fewer) if matches!(fault, Fault::Attention(_)) => left = fewer,
                _ => return Err(fault),
            }
        }
    }

    /// Sees to what has happened, whichever command was told of it.
    fn settle(&mut self, care: &mut dyn Care) -> Result<(), Fault> {
        let stop = |problem: Problem| {
            let reason = problem.message.clone();
            Fault::Stop(Cause { problem, reason })
        };
        for _ in 0..=ATTENTIONS {
            if !self.events.is_pending() {
                return Ok(());
            }
            let pending = self.events.take().map_err(stop)?;
            if pending.attention {
                care.renew().map_err(stop)?;
            }
            care.same_disc().map_err(stop)?;
        }
        Err(stop(Problem::own(
            Code::Device,
            "attentions",
            "the drive tells of something new again and again",
        )))
    }
}

enum Single {
    Good,
    Bad {
        cause: Cause,
        missing: bool,
        beyond: bool,
    },
    Interrupted,
}

//! The workers: what they need, how they are started, and the progress bar.

use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use passthru::{Error, ScsiDevice, SgDevice};

use crate::{
    ends::{End, Kind, Node, buffer},
    plan::Plan,
    problem::Problem,
    report::Notes,
    sink::{DeviceSink, Sink},
    worker::{Feed, Job, Tally, Task, Worker},
};

/// What came of a job.
pub(crate) struct Done {
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
    /// So many bytes from the start on are done; more may be, behind a gap.
    pub(crate) complete: u64,
    pub(crate) problem: Option<Problem>,
}

pub(crate) struct Crew<'a> {
    pub(crate) source: &'a End,
    pub(crate) targets: &'a [End],
    /// How many workers at most.
    pub(crate) workers: usize,
    pub(crate) no_error: bool,
    pub(crate) progress: bool,
    pub(crate) interrupted: Arc<AtomicBool>,
}

impl Crew<'_> {
    /// How the data goes, in the words of `--json`.
    pub(crate) fn method(&self) -> &'static str {
        match &self.source.kind {
            Kind::Node(node) if matches!(node.device, ScsiDevice::Sg(_)) => "reserve_buffer",
            Kind::Stream(_) => "stream",
            _ if self.targets.iter().any(End::is_stream) => "stream",
            _ => "aligned_buffer",
        }
    }

    /// Makes pieces as small as the reserve buffer of the source is.
    pub(crate) fn fit_reserve(&self, plan: &mut Plan, notes: &mut Notes) -> Result<(), Problem> {
        if self.method() != "reserve_buffer" {
            return Ok(());
        }
        let mut device = SgDevice::open(&self.source.path)?;
        let given = match device.map_reserve(plan.chunk_bytes()) {
            Ok(_) => return Ok(()),
            Err(Error::ReserveTooLarge { given, .. }) if given > 0 => given,
            Err(error) => return Err(error.into()),
        };
        let blocks = plan.blocks_of(given + 1) - 1;
        notes.add(format!(
            "{}: the kernel gives a reserve buffer of {given} bytes",
            self.source.path.display()
        ));
        plan.chunk_blocks = blocks.max(1);
        Ok(())
    }

    /// Does all pieces of `plan`.
    pub(crate) fn run(&self, plan: Plan, task: Task, notes: &mut Notes) -> Result<Done, Problem> {
        let job = Job {
            plan,
            task,
            no_error: self.no_error,
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            interrupted: Arc::clone(&self.interrupted),
            failures: Mutex::default(),
        };
        let pieces = plan.bytes.map_or(u64::MAX, |bytes| {
            bytes.div_ceil(plan.chunk_bytes().max(1) as u64)
        });
        let wanted = self
            .workers
            .min(usize::try_from(pieces).unwrap_or(usize::MAX));
        let mut sg = self.sg_devices(wanted)?;
        let feeds = self.feeds(&mut sg, wanted, &plan, notes)?;
        let mut workers = Vec::new();
        for feed in feeds {
            let mut sinks = Vec::new();
            for target in self.targets {
                sinks.push(sink(target)?);
            }
            workers.push(Worker {
                job: &job,
                feed,
                sinks,
                tally: Tally::default(),
                spare: None,
            });
        }
        let start = Instant::now();
        let tally = self.work(&job, workers);
        Ok(self.judge(&job, tally, start.elapsed()))
    }

    fn judge(&self, job: &Job, tally: Tally, time: Duration) -> Done {
        let mut failures = job.failures();
        failures.sort_by_key(|(index, _)| *index);
        // Pieces are begun in their order, and all that were begun are done but
        // those that failed.
        let end = job.plan.bytes.unwrap_or(tally.bytes);
        let begun = match failures.first() {
            Some((index, _)) => *index,
            None => job.next.load(Ordering::Relaxed),
        };
        let complete = match self.method() {
            "stream" => tally.bytes,
            _ => begun.saturating_mul(job.plan.chunk_bytes() as u64).min(end),
        };
        Done {
            tally,
            seconds: time.as_secs_f64(),
            complete,
            problem: failures.into_iter().next().map(|(_, problem)| problem),
        }
    }

    /// Those of an sg source: one for each worker.
    fn sg_devices(&self, wanted: usize) -> Result<Vec<SgDevice>, Problem> {
        let wanted = match self.method() {
            "reserve_buffer" => wanted,
            _ => 0,
        };
        let mut devices = Vec::new();
        for _ in 0..wanted {
            devices.push(SgDevice::open(&self.source.path)?);
        }
        Ok(devices)
    }

    fn feeds<'d>(
        &'d self,
        sg: &'d mut [SgDevice],
        wanted: usize,
        plan: &Plan,
        notes: &mut Notes,
    ) -> Result<Vec<Feed<'d>>, Problem> {
        let len = plan.chunk_bytes();
        let mut feeds = Vec::new();
        match &self.source.kind {
            Kind::Node(node) if !sg.is_empty() => {
                for device in sg {
                    match device.map_reserve(len) {
                        Ok(reserve) => feeds.push(Feed::Reserve(reserve, node.layout)),
                        // There is less memory than for all of them.
                        Err(Error::ReserveTooLarge { .. }) if !feeds.is_empty() => {
                            notes.add(format!("there is memory for {} workers", feeds.len()));
                            break;
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            }
            Kind::Node(node) => {
                for _ in 0..wanted {
                    feeds.push(Feed::Device(&node.device, node.layout, buffer(len)?));
                }
            }
            Kind::File(file) => {
                for _ in 0..wanted {
                    feeds.push(Feed::File(file, buffer(len)?));
                }
            }
            Kind::Stream(file) => feeds.push(Feed::Stream(file, buffer(len)?)),
        }
        Ok(feeds)
    }

    /// Runs the workers, and shows how far they are.
    fn work(&self, job: &Job, mut workers: Vec<Worker<'_>>) -> Tally {
        let bar = self.bar(&job.plan);
        if workers.len() == 1 && bar.is_none() {
            return workers.pop().map_or_else(Tally::default, Worker::run);
        }
        let running = AtomicUsize::new(workers.len());
        let caller = thread::current();
        let mut total = Tally::default();
        thread::scope(|scope| {
            let handles: Vec<_> = workers
                .into_iter()
                .map(|worker| {
                    let (running, caller) = (&running, caller.clone());
                    scope.spawn(move || {
                        let tally = worker.run();
                        running.fetch_sub(1, Ordering::Release);
                        caller.unpark();
                        tally
                    })
                })
                .collect();
            while let Some(bar) = &bar {
                if running.load(Ordering::Acquire) == 0 {
                    break;
                }
                let begun = job.next.load(Ordering::Relaxed);
                let bytes = begun.saturating_mul(job.plan.chunk_bytes() as u64);
                bar.set_position(job.plan.bytes.map_or(bytes, |all| bytes.min(all)));
                thread::park_timeout(Duration::from_millis(100));
            }
            for handle in handles {
                match handle.join() {
                    Ok(tally) => total.add(tally),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        total
    }

    /// None where nobody sees it: it costs a thread's time.
    fn bar(&self, plan: &Plan) -> Option<ProgressBar> {
        if !self.progress {
            return None;
        }
        let bar = match plan.bytes {
            Some(bytes) => ProgressBar::new(bytes),
            None => ProgressBar::new_spinner(),
        };
        let style =
            "{wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
        if let (Some(_), Ok(style)) = (plan.bytes, ProgressStyle::with_template(style)) {
            bar.set_style(style);
        }
        (!bar.is_hidden()).then_some(bar)
    }
}

/// A worker has its own handle of each target.
fn sink(target: &End) -> Result<Sink<'_>, Problem> {
    Ok(match &target.kind {
        Kind::Node(node) => Sink::Device(
            Node::open_target(&target.path)?,
            DeviceSink {
                layout: node.layout,
                alignment_mask: alignment_mask(node),
            },
        ),
        Kind::File(file) => Sink::File(file),
        Kind::Stream(file) => Sink::Stream(file),
    })
}

/// `dma_alignment` of the queue; that of a sector where it does not say.
fn alignment_mask(node: &Node) -> usize {
    let read = || {
        let address = node.device.address()?;
        let blocks = format!("/sys/class/scsi_device/{address}/device/block");
        let block = fs::read_dir(blocks).ok()?.flatten().next()?.path();
        let text = fs::read_to_string(block.join("queue/dma_alignment")).ok()?;
        text.trim().parse().ok()
    };
    read().unwrap_or(511)
}

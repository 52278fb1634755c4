//! What is told at the end.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    time::{Duration, Instant},
};

use passthru::{NvmeTransport, device::RingFlags};
use serde_json::{Value, json};

use crate::{
    arguments::Cli,
    drive::Drive,
    latency::{Latency, Summary},
    output::escaped,
    problem::Problem,
    tally::{Cause, Count, Tally},
};

/// The keys of `--json`. None is renamed or removed; new ones may come.
pub(crate) const JSON_KEYS: &str = "\
Keys of --json:
  rw, bs, depth, batch, complete, fixed, polled, sqpoll   as given
  ring_flags       what all rings use, as the kernel took it: single_issuer,
                   defer_taskrun, coop_taskrun, polled, sqpoll, registered_files,
                   registered_buffers
  seconds          from the first command of a thread to the end of the last
  commands         that have ended, errors among them
  errors           that have failed
  iops, bytes_per_second   of those that have not, data without metadata
  system_calls, system_calls_per_command
  latency          null without any, or nanoseconds of commands that have not
                   failed: count, min, mean, p50, p90, p99, p99_9, p99_99, max
  threads          a list: thread, devices (paths), commands, errors, seconds, iops,
                   system_calls, ring_flags
  devices          a list: path, nsid, block_size, metadata_size, blocks (that it
                   has), blocks_per_command, threads (how many), commands, errors
  statuses         a list of how commands failed: status (the status field, or
                   null), name, commands
  interrupted      by Ctrl-C
  error            null, or what went wrong first
A failure before anything was sent: path, error";

/// All that was measured.
pub(crate) struct Report<'a> {
    cli: &'a Cli,
    drives: &'a [Drive],
    threads: Vec<Thread>,
    devices: BTreeMap<usize, Count>,
    causes: BTreeMap<Cause, u64>,
    latency: Option<Summary>,
    time: Duration,
    interrupted: bool,
    problem: Option<Problem>,
}

/// What is told of a thread.
struct Thread {
    flags: RingFlags,
    devices: BTreeSet<usize>,
    count: Count,
    time: Duration,
    system_calls: u64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(
        cli: &'a Cli,
        drives: &'a [Drive],
        tallies: Vec<Tally>,
        interrupted: bool,
    ) -> Self {
        let begun: Option<Instant> = tallies.iter().map(|tally| tally.begun).min();
        let ended = tallies.iter().map(|tally| tally.ended).max();
        let mut report = Self {
            cli,
            drives,
            threads: Vec::new(),
            devices: BTreeMap::new(),
            causes: BTreeMap::new(),
            latency: None,
            time: begun
                .zip(ended)
                .map_or(Duration::ZERO, |(begun, ended)| ended - begun),
            interrupted,
            problem: None,
        };
        let mut latency: Option<Latency> = None;
        for tally in tallies {
            report.threads.push(Thread {
                flags: tally.flags,
                devices: tally.devices.keys().copied().collect(),
                count: tally.count(),
                time: tally.ended - tally.begun,
                system_calls: tally.system_calls,
            });
            for (device, count) in tally.devices {
                report.devices.entry(device).or_default().add(count);
            }
            for (cause, times) in tally.causes {
                *report.causes.entry(cause).or_default() += times;
            }
            latency = match (latency, tally.latency) {
                (Some(mut all), Some(one)) => {
                    all.add(one);
                    Some(all)
                }
                (all, one) => all.or(one),
            };
            report.problem = report.problem.or(tally.problem);
        }
        report.latency = latency.map(Latency::summary);
        report
    }

    /// What went wrong first.
    pub(crate) fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    fn count(&self) -> Count {
        let mut sum = Count::default();
        for thread in &self.threads {
            sum.add(thread.count);
        }
        sum
    }

    fn system_calls(&self) -> u64 {
        self.threads.iter().map(|thread| thread.system_calls).sum()
    }

    /// What all rings have.
    fn flags(&self) -> RingFlags {
        self.threads
            .iter()
            .map(|thread| thread.flags)
            .reduce(RingFlags::intersection)
            .unwrap_or(RingFlags::empty())
    }

    fn path(&self, device: usize) -> String {
        self.drives
            .get(device)
            .map(|drive| drive.path.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    pub(crate) fn to_json(&self) -> Value {
        let (cli, count) = (self.cli, self.count());
        let iops = ratio(count.good, self.time);
        json!({
            "rw": cli.rw.name(),
            "bs": cli.bs,
            "depth": cli.depth,
            "batch": cli.batch(),
            "complete": cli.complete(),
            "fixed": cli.fixed,
            "polled": cli.polled,
            "sqpoll": cli.sqpoll,
            "ring_flags": names(self.flags()),
            "seconds": self.time.as_secs_f64(),
            "commands": count.all(),
            "errors": count.failed,
            "iops": iops,
            "bytes_per_second": iops * f64::from(cli.bs),
            "system_calls": self.system_calls(),
            "system_calls_per_command": per(self.system_calls(), count.all()),
            "latency": self.latency.map_or(Value::Null, Summary::to_json),
            "threads": (0..).zip(&self.threads).map(|(n, t)| self.thread(n, t)).collect::<Vec<_>>(),
            "devices": (0..).zip(self.drives).map(|(n, d)| self.device(n, d)).collect::<Vec<_>>(),
            "statuses": self.causes.iter().map(|((status, name), times)| json!({
                "status": status,
                "name": name,
                "commands": times,
            })).collect::<Vec<_>>(),
            "interrupted": self.interrupted,
            "error": self.problem.as_ref().map(Problem::to_json),
        })
    }

    fn thread(&self, number: u32, thread: &Thread) -> Value {
        let paths: Vec<_> = thread.devices.iter().map(|n| self.path(*n)).collect();
        json!({
            "thread": number,
            "devices": paths,
            "commands": thread.count.all(),
            "errors": thread.count.failed,
            "seconds": thread.time.as_secs_f64(),
            "iops": ratio(thread.count.good, thread.time),
            "system_calls": thread.system_calls,
            "ring_flags": names(thread.flags),
        })
    }

    fn device(&self, number: usize, drive: &Drive) -> Value {
        let count = self.devices.get(&number).copied().unwrap_or_default();
        json!({
            "path": self.path(number),
            "nsid": drive.namespace.nsid().get(),
            "block_size": drive.shape.block,
            "metadata_size": drive.shape.metadata,
            "blocks": drive.shape.size,
            "blocks_per_command": drive.shape.blocks,
            "threads": self.threads_of(number),
            "commands": count.all(),
            "errors": count.failed,
        })
    }

    fn threads_of(&self, device: usize) -> usize {
        let with = |thread: &&Thread| thread.devices.contains(&device);
        self.threads.iter().filter(with).count()
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let (cli, count) = (self.cli, self.count());
        writeln!(
            out,
            "commands      {} of {} bytes; in each of {} threads {} in flight, batches of {}",
            cli.rw.name(),
            cli.bs,
            cli.threads,
            cli.depth,
            cli.batch()
        )?;
        writeln!(out, "ring          {}", names(self.flags()).join(" "))?;
        writeln!(
            out,
            "done          {} commands in {:.3} s, {} errors{}",
            count.all(),
            self.time.as_secs_f64(),
            count.failed,
            if self.interrupted {
                ", interrupted"
            } else {
                ""
            }
        )?;
        let iops = ratio(count.good, self.time);
        let rate = iops * f64::from(cli.bs) / 1e6;
        writeln!(out, "iops          {iops:.0}, {rate:.1} MB/s")?;
        if let Some(latency) = &self.latency {
            for words in latency.text().chunks(4) {
                writeln!(out, "latency       {}", words.join(", "))?;
            }
        }
        writeln!(
            out,
            "system calls  {}, {:.4} a command",
            self.system_calls(),
            per(self.system_calls(), count.all())
        )?;
        for (number, thread) in (0..)
            .zip(&self.threads)
            .skip_while(|_| self.threads.len() < 2)
        {
            let number: u32 = number;
            let paths: Vec<_> = thread.devices.iter().map(|n| self.path(*n)).collect();
            writeln!(
                out,
                "thread {number:<6} {} commands, {} errors, {:.0} iops, {} system calls: {}",
                thread.count.all(),
                thread.count.failed,
                ratio(thread.count.good, thread.time),
                thread.system_calls,
                escaped(&paths.join(" "))
            )?;
        }
        for (number, drive) in self.drives.iter().enumerate() {
            let count = self.devices.get(&number).copied().unwrap_or_default();
            writeln!(
                out,
                "device        {}: {} commands, {} errors; {} blocks of {} bytes{}",
                escaped(&drive.namespace.path().to_string_lossy()),
                count.all(),
                count.failed,
                drive.shape.size,
                drive.shape.block,
                match drive.shape.metadata {
                    0 => String::new(),
                    bytes => format!(" and {bytes} of metadata"),
                }
            )?;
        }
        for ((_, name), times) in &self.causes {
            writeln!(out, "error         {times} times: {}", escaped(name))?;
        }
        Ok(())
    }
}

/// So many in a second.
fn ratio(number: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds > 0.0 {
        float(number) / seconds
    } else {
        0.0
    }
}

fn per(number: u64, all: u64) -> f64 {
    if all > 0 {
        float(number) / float(all)
    } else {
        0.0
    }
}

/// For rates: 52 bits are enough.
#[allow(clippy::cast_precision_loss)]
fn float(number: u64) -> f64 {
    number as f64
}

/// The flags in the words of `--json`.
pub(crate) fn names(flags: RingFlags) -> Vec<String> {
    flags
        .iter_names()
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect()
}

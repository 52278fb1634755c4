//! What the arguments mean, checked before anything is opened.

use std::{path::PathBuf, time::Duration};

use clap::{Parser, ValueEnum};

use crate::problem::Problem;

/// Commands to copy, for `-h` and `--help`.
pub(crate) const EXAMPLES: &str = "\
Examples:
  nvme_bench /dev/ng0n1                                  random reads of 4 KiB
  nvme_bench /dev/ng0n1 --fixed --polled --batch 32      as fast as it goes
  nvme_bench /dev/ng0n1 --depth 1 --count 10000          how long one read takes
  nvme_bench /dev/ng0n1 /dev/ng1n1 --threads 4 --json
  nvme_bench /dev/ng0n1 --rw randwrite --write           overwrites the namespace";

/// How fast NVMe namespaces are, by commands that go through io_uring.
///
/// Each thread has a ring of its own. DEVICEs are dealt out to threads as
/// t/io_uring does it: if there are more threads than devices, each device gets
/// its share of them; if there are less, each thread has several devices, to
/// which its commands go in turn, none with more in flight than its share.
///
/// In each round a thread queues up to --batch commands, hands them to the kernel
/// and waits until --complete of those in flight have ended, in one system call.
/// All threads are ready, with their buffers, before the clock starts, and it
/// stops when the last command has ended. Ctrl-C ends the run with what has been
/// measured so far; a second one ends at once.
///
/// The latency of a command is the time from when the thread began to fill its
/// batch to when the thread got to see that it has ended, so it includes what it
/// waits for others of its batches: use --batch 1 to measure the drive's. The
/// clock is read once a round.
#[allow(clippy::doc_markdown)] // shown as it is by --help
#[derive(Debug, Parser)]
#[command(name = "nvme_bench", version, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// The namespaces: generic nodes, /dev/ngXnY
    #[arg(value_name = "DEVICE", required = true)]
    pub(crate) devices: Vec<PathBuf>,

    /// What to do; those that write need --write too
    #[arg(long, value_enum, default_value = "randread")]
    pub(crate) rw: Mode,

    /// Let the writing modes write: this DESTROYS what is on the namespaces
    #[arg(long)]
    pub(crate) write: bool,

    /// How many bytes of data a command moves: a multiple of the block size, as
    /// 4096, 4k or 1M
    #[arg(long, value_name = "BYTES", default_value = "4k", value_parser = bytes)]
    pub(crate) bs: u32,

    /// How many commands a thread has in flight
    #[arg(long, value_name = "N", default_value_t = 128,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) depth: u32,

    /// How many commands are handed over at once, at most; without this 32, or
    /// --depth if that is less
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32768))]
    batch: Option<u32>,

    /// How many completions to wait for, at least; without this as --batch
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65536))]
    complete: Option<u32>,

    /// Use buffers that are registered with the kernel
    #[arg(long)]
    pub(crate) fixed: bool,

    /// Poll for completions instead of waiting for interrupts; needs nvme's
    /// module parameter poll_queues
    #[arg(long)]
    pub(crate) polled: bool,

    /// Have a thread of the kernel's submit, one for each ring
    ///
    /// Each of them wants a processor of its own. A thread of the program looks
    /// for completions for a while without a system call before it sleeps.
    #[arg(long)]
    pub(crate) sqpoll: bool,

    /// The processor that this thread runs on
    #[arg(long, value_name = "CPU", requires = "sqpoll")]
    pub(crate) sqpoll_cpu: Option<u32>,

    /// Do not register the nodes with the kernel
    #[arg(long)]
    pub(crate) no_registered_files: bool,

    /// How many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) threads: u32,

    /// How many commands in all, shared out to the threads
    #[arg(long, value_name = "N", conflicts_with = "seconds",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: Option<u64>,

    /// How long, as 10 or 0.5; without --count and this 5 seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,

    /// Do not measure latencies: the clock is not read in between
    #[arg(long)]
    pub(crate) no_latency: bool,

    /// Print one JSON object instead, and nothing else
    #[arg(long, short = 'j')]
    pub(crate) json: bool,
}

/// What the commands are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Reads of blocks anywhere
    Randread,
    /// Reads from the first block on, and from there again after the last
    Read,
    /// Writes to blocks anywhere
    Randwrite,
    /// Writes from the first block on, and from there again after the last
    Write,
}

impl Mode {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Randread => "randread",
            Self::Read => "read",
            Self::Randwrite => "randwrite",
            Self::Write => "write",
        }
    }

    pub(crate) const fn writes(self) -> bool {
        matches!(self, Self::Randwrite | Self::Write)
    }

    pub(crate) const fn is_random(self) -> bool {
        matches!(self, Self::Randread | Self::Randwrite)
    }
}

impl Cli {
    /// What clap cannot check.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.rw.writes() != self.write {
            let name = self.rw.name();
            return Err(Problem::usage(if self.write {
                format!("--write does not go with --rw {name}, which only reads")
            } else {
                format!(
                    "--rw {name} destroys what is on the namespaces: add --write to do it; \
                     nothing was sent"
                )
            }));
        }
        for (name, given) in [("--batch", self.batch), ("--complete", self.complete)] {
            if given.is_some_and(|given| given > self.depth) {
                return Err(Problem::usage(format!("{name} is more than --depth")));
            }
        }
        Ok(())
    }

    pub(crate) fn batch(&self) -> u32 {
        self.batch.unwrap_or(32).min(self.depth)
    }

    pub(crate) fn complete(&self) -> u32 {
        self.complete.unwrap_or_else(|| self.batch())
    }

    /// How long at most.
    pub(crate) fn time(&self) -> Option<Duration> {
        match self.count {
            Some(_) => None,
            None => Some(self.seconds.unwrap_or(Duration::from_secs(5))),
        }
    }
}

/// More than any drive takes in a command.
const MOST: u32 = 256 << 20;

fn bytes(text: &str) -> Result<u32, String> {
    let (digits, unit) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (text.get(..text.len() - 1), 1 << 10),
        Some(b'M' | b'm') => (text.get(..text.len() - 1), 1 << 20),
        _ => (Some(text), 1),
    };
    digits
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse::<u32>().ok())
        .and_then(|number| number.checked_mul(unit))
        .filter(|bytes| (1..=MOST).contains(bytes))
        .ok_or_else(|| format!("no number of bytes between 1 and {MOST}"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| *time >= Duration::from_millis(1) && time.as_secs() <= 30 * 86_400)
        .ok_or_else(|| "no time between 0.001 seconds and 30 days".to_owned())
}

//! A thread: its ring, and what it does with it.

use std::{
    collections::BTreeMap,
    hint,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use passthru::{
    AlignedBuf, NvmeRing, Result as Passthru,
    device::{Completed, RingBuf, RingFlags, Target},
    nvme::io::{Read, Write},
};

use crate::{
    arguments::Cli,
    drive::Drive,
    latency::Latency,
    plan::{self, Places, Share},
    problem::Problem,
    tally::{Count, Tally},
};

/// How long a submitting thread looks for commands before it sleeps.
const IDLE: Duration = Duration::from_secs(1);
/// How often a thread with a submitting thread looks for completions before it
/// sleeps.
const LOOKS: u32 = 10_000;
/// A token is the number of the device in the thread above the time at which the
/// command's batch was begun, in nanoseconds modulo 2^48: 78 hours.
const TIME_BITS: u32 = 48;
const TIME: u64 = (1 << TIME_BITS) - 1;

/// A device, as the thread has it.
struct Part {
    /// Its number in the list of devices.
    device: usize,
    target: Target,
    places: Places,
    blocks: u32,
    len: usize,
    in_flight: u32,
    count: Count,
}

/// A thread that is ready to begin. It stays in the thread that made it.
pub(crate) struct Worker {
    ring: NvmeRing,
    parts: Vec<Part>,
    /// Which of them is next.
    turn: usize,
    /// How many commands a device may have in flight.
    most_each: u32,
    idle: Vec<RingBuf>,
    depth: u32,
    batch: u32,
    complete: usize,
    writes: bool,
    sqpoll: bool,
    /// How many commands are to be sent yet.
    left: u64,
    latency: Option<Latency>,
}

impl Worker {
    /// Makes the ring and its buffers. No command is sent.
    pub(crate) fn new(
        cli: &Cli,
        thread: u32,
        drives: &[Drive],
        shares: &[Share],
    ) -> Result<Self, Problem> {
        let mine = |share: &Share| drives.get(share.device);
        let len = shares.iter().filter_map(mine).map(|drive| drive.shape.len);
        let len = len.max().unwrap_or(1);
        let mut builder = NvmeRing::builder()
            .depth(cli.depth)
            .batch(cli.batch())
            .polled(cli.polled)
            .registered_files(!cli.no_registered_files);
        if cli.sqpoll {
            // Room for all, so that the queue is never full before the kernel's
            // thread has come to it.
            builder = builder.sqpoll(IDLE).batch(cli.depth.min(32768));
        }
        if let Some(cpu) = cli.sqpoll_cpu {
            builder = builder.sqpoll_cpu(cpu);
        }
        if cli.fixed {
            builder = builder.registered_buffers(cli.depth, len);
        }
        let mut ring = builder.build()?;
        let mut parts = Vec::new();
        for share in shares {
            let Some(drive) = mine(share) else { continue };
            let shape = &drive.shape;
            let seed = (u64::from(thread) << 32) | share.device as u64;
            parts.push(Part {
                device: share.device,
                target: ring.add_namespace(Arc::clone(&drive.namespace))?,
                places: match cli.rw.is_random() {
                    true => Places::random(shape.size, shape.blocks, seed),
                    false => Places::rising(shape.size, shape.blocks, share),
                },
                blocks: shape.blocks,
                len: shape.len,
                in_flight: 0,
                count: Count::default(),
            });
        }
        let idle = buffers(&ring, cli, len, thread)?;
        let left = cli.count.map_or(u64::MAX, |count| {
            plan::part_of(count, thread.into(), cli.threads.into())
        });
        Ok(Self {
            most_each: cli
                .depth
                .div_ceil(u32::try_from(parts.len().max(1)).unwrap_or(1)),
            ring,
            parts,
            turn: 0,
            idle,
            depth: cli.depth,
            batch: cli.batch(),
            complete: usize::try_from(cli.complete()).unwrap_or(1),
            writes: cli.rw.writes(),
            sqpoll: cli.sqpoll,
            left,
            latency: if cli.no_latency { None } else { Latency::new() },
        })
    }

    pub(crate) fn flags(&self) -> RingFlags {
        self.ring.flags()
    }

    /// Sends commands until as many as wished for have ended, or until `stop` is
    /// set, which it sets itself when nothing more can come of it.
    pub(crate) fn run(mut self, stop: &AtomicBool) -> Tally {
        let begun = Instant::now();
        let mut tally = Tally {
            flags: self.flags(),
            begun,
            ended: begun,
            devices: BTreeMap::new(),
            latency: None,
            system_calls: 0,
            causes: BTreeMap::new(),
            problem: None,
        };
        let calls = self.ring.system_calls();
        if let Err(problem) = self.rounds(begun, stop, &mut tally) {
            stop.store(true, Ordering::Relaxed);
            tally.broken(problem);
        }
        tally.ended = Instant::now();
        tally.system_calls = self.ring.system_calls() - calls;
        for part in &self.parts {
            tally
                .devices
                .entry(part.device)
                .or_default()
                .add(part.count);
        }
        tally.latency = self.latency;
        tally
    }

    fn rounds(
        &mut self,
        begun: Instant,
        stop: &AtomicBool,
        tally: &mut Tally,
    ) -> Result<(), Problem> {
        let mut now = 0;
        // The first time all of them; the ring submits when a batch is full.
        let mut most = self.depth;
        loop {
            if stop.load(Ordering::Relaxed) {
                self.left = 0;
            }
            let room = most.min(self.room());
            let wanted = u64::from(room).min(self.left);
            for _ in 0..wanted {
                self.queue(now)?;
            }
            self.left -= wanted;
            most = self.batch;
            if self.ring.in_flight() == 0 {
                return Ok(());
            }
            // There is another batch to be sent before there is need to wait.
            let more = self.left > 0 && self.room() >= self.batch;
            let want = if more { 0 } else { self.complete };
            let first = self.wait(want)?;
            if self.latency.is_some() {
                // Not more than 584 years.
                now = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
            }
            if let Some(done) = first {
                self.ended(done, now, stop, tally);
            }
            while let Some(done) = self.ring.pop() {
                self.ended(done, now, stop, tally);
            }
        }
    }

    fn room(&self) -> u32 {
        let in_flight = u32::try_from(self.ring.in_flight()).unwrap_or(u32::MAX);
        self.depth.saturating_sub(in_flight)
    }

    /// Queues a command for the next device that has not its share in flight.
    #[inline]
    fn queue(&mut self, now: u64) -> Result<(), Problem> {
        let Some(mut buffer) = self.idle.pop() else {
            return Ok(());
        };
        let parts = self.parts.len();
        let mut turn = self.turn;
        // The shares together are at least the depth, so there is one.
        for _ in 0..parts {
            if turn >= parts {
                turn = 0;
            }
            let busy = |part: &Part| part.in_flight >= self.most_each;
            if !self.parts.get(turn).is_some_and(busy) {
                break;
            }
            turn += 1;
        }
        self.turn = turn + 1;
        let Some(part) = self.parts.get_mut(turn) else {
            return Ok(());
        };
        if buffer.len() != part.len {
            buffer.set_len(part.len);
        }
        let token = ((turn as u64) << TIME_BITS) | (now & TIME);
        let slba = part.places.next();
        let queued = if self.writes {
            let write = Write::new(slba, part.blocks);
            self.ring.write(part.target, &write, buffer, token)
        } else {
            let read = Read::new(slba, part.blocks);
            self.ring.read(part.target, &read, buffer, token)
        };
        queued.map_err(|rejected| Problem::from(*rejected.error))?;
        part.in_flight += 1;
        Ok(())
    }

    /// Hands over what is queued and waits for `want` completions, of which it may
    /// give one.
    #[inline]
    fn wait(&mut self, want: usize) -> Passthru<Option<Completed>> {
        if !self.sqpoll {
            self.ring.wait(want)?;
            return Ok(None);
        }
        // The kernel's thread looks after both ends, so there is no system call
        // unless it sleeps, or nothing comes for long.
        self.ring.submit()?;
        if want == 0 {
            return Ok(None);
        }
        for _ in 0..LOOKS {
            if let Some(done) = self.ring.pop() {
                return Ok(Some(done));
            }
            hint::spin_loop();
        }
        self.ring.wait(1)?;
        Ok(None)
    }

    #[inline]
    fn ended(&mut self, done: Completed, now: u64, stop: &AtomicBool, tally: &mut Tally) {
        self.idle.extend(done.buffer);
        let turn = usize::try_from(done.token >> TIME_BITS).unwrap_or(usize::MAX);
        let Some(part) = self.parts.get_mut(turn) else {
            return;
        };
        part.in_flight -= 1;
        match done.result {
            Ok(_) => {
                part.count.good += 1;
                if let Some(latency) = &mut self.latency {
                    latency.record(now.wrapping_sub(done.token) & TIME);
                }
            }
            Err(error) => {
                part.count.failed += 1;
                if !tally.failed(*error) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// As many as commands are in flight, with bytes that no drive can pack.
fn buffers(ring: &NvmeRing, cli: &Cli, len: usize, thread: u32) -> Result<Vec<RingBuf>, Problem> {
    let mut idle = Vec::new();
    let mut seed = u64::from(thread) + 1;
    for _ in 0..cli.depth {
        let mut buffer = match ring.buffer() {
            Some(buffer) => buffer,
            None => AlignedBuf::new(len)
                .map_err(|error| Problem::file("memory for buffers", &error))?
                .into(),
        };
        for part in buffer.chunks_mut(8) {
            let bytes = plan::mixed(&mut seed).to_ne_bytes();
            for (to, from) in part.iter_mut().zip(bytes) {
                *to = from;
            }
        }
        idle.push(buffer);
    }
    Ok(idle)
}

//! One worker: takes the next piece, reads it, writes it to every target.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use passthru::{
    AlignedBuf, ReserveBuffer, ScsiDevice, ScsiTransport, ScsiTransportExt, unit::Layout,
};

use crate::{
    ends::buffer,
    plan::{Chunk, Plan},
    problem::Problem,
    sink::{Sink, in_range, whole},
    trouble::{BadRange, differs, is_unreadable, once_more, place},
};

/// What all workers share.
pub(crate) struct Job {
    pub(crate) plan: Plan,
    pub(crate) task: Task,
    pub(crate) no_error: bool,
    /// The number of the piece that is next.
    pub(crate) next: AtomicU64,
    /// Nobody begins another piece.
    pub(crate) stop: AtomicBool,
    /// Ctrl-C was pressed.
    pub(crate) interrupted: Arc<AtomicBool>,
    /// What went wrong, and at which piece.
    pub(crate) failures: Mutex<Vec<(u64, Problem)>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Copy,
    Compare,
}

/// What a worker did.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) bytes: u64,
    pub(crate) zero_copy: u64,
    pub(crate) bounced: u64,
    pub(crate) attentions: u64,
    pub(crate) bad: Vec<BadRange>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.zero_copy += other.zero_copy;
        self.bounced += other.bounced;
        self.attentions += other.attentions;
        self.bad.extend(other.bad);
    }
}

/// Where a worker's data comes from, with the memory that it comes to.
pub(crate) enum Feed<'a> {
    Reserve(ReserveBuffer<'a>, Layout),
    Device(&'a ScsiDevice, Layout, AlignedBuf),
    File(&'a File, AlignedBuf),
    Stream(&'a File, AlignedBuf),
}

pub(crate) struct Worker<'a> {
    pub(crate) job: &'a Job,
    pub(crate) feed: Feed<'a>,
    pub(crate) sinks: Vec<Sink<'a>>,
    pub(crate) tally: Tally,
    /// For what does not go the usual way.
    pub(crate) spare: Option<AlignedBuf>,
}

impl Worker<'_> {
    pub(crate) fn run(mut self) -> Tally {
        loop {
            if self.job.stop.load(Ordering::Relaxed) || self.job.interrupted.load(Ordering::Relaxed)
            {
                break;
            }
            let index = self.job.next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = self.job.plan.chunk(index) else {
                break;
            };
            let done = match self.job.task {
                Task::Copy => self.copy(chunk),
                Task::Compare => self.compare(chunk),
            };
            match done {
                Ok(bytes) => {
                    self.tally.bytes += bytes as u64;
                    // The end of a stream.
                    if bytes < chunk.bytes {
                        self.job.stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(problem) => {
                    self.job.stop.store(true, Ordering::Relaxed);
                    self.job.fail(index, problem);
                    break;
                }
            }
        }
        self.tally
    }

    /// Gives how many bytes that were.
    fn copy(&mut self, chunk: Chunk) -> Result<usize, Problem> {
        let Self {
            job,
            feed,
            sinks,
            tally,
            spare,
        } = self;
        let (data, chunk) = fill(job, feed, tally, spare, chunk)?;
        if chunk.bytes == 0 {
            return Ok(0);
        }
        let to = job.plan.seek + chunk.first;
        for sink in sinks {
            sink.put(job, to, chunk, data, tally)?;
        }
        Ok(chunk.bytes)
    }

    fn compare(&mut self, chunk: Chunk) -> Result<usize, Problem> {
        let Self {
            job,
            feed,
            sinks,
            tally,
            spare,
        } = self;
        let mut back = buffer(chunk.blocks as usize * job.plan.block_length as usize)?;
        let (data, chunk) = fill(job, feed, tally, spare, chunk)?;
        let at = job.plan.seek + chunk.first;
        for sink in sinks {
            let wanted = sink.get(job, at, chunk, &mut back, tally)?;
            let (ours, theirs) = (data.get(..wanted), back.get(..wanted));
            if ours != theirs {
                let pairs = data.iter().zip(back.iter());
                let byte = pairs.take_while(|(a, b)| a == b).count();
                let block = at + (byte / job.plan.block_length as usize) as u64;
                return Err(differs(format!(
                    "{}: block {block} is not what was written",
                    sink.name()
                )));
            }
        }
        Ok(chunk.bytes)
    }
}

/// Reads a piece. Gives its bytes, whole blocks, and what it really has.
#[inline]
fn fill<'d>(
    job: &Job,
    feed: &'d mut Feed<'_>,
    tally: &mut Tally,
    spare: &'d mut Option<AlignedBuf>,
    mut chunk: Chunk,
) -> Result<(&'d [u8], Chunk), Problem> {
    let from = job.plan.skip + chunk.first;
    let len = chunk.blocks as usize * job.plan.block_length as usize;
    let result = match feed {
        Feed::Reserve(reserve, layout) => {
            let command = in_range(layout.read(from, chunk.blocks), reserve.device())?;
            once_more(&mut tally.attentions, || {
                let result = reserve.read(&command, len);
                whole(result, &command, reserve.device())
            })
            .map(drop)
        }
        Feed::Device(device, layout, memory) => {
            let command = in_range(layout.read(from, chunk.blocks), *device)?;
            memory.set_len(len);
            once_more(&mut tally.attentions, || {
                whole(device.read(&command, memory), &command, *device)
            })
            .map(drop)
        }
        Feed::File(file, memory) => {
            memory.set_len(len);
            let (head, tail) = memory.split_at_mut(chunk.bytes.min(len));
            tail.fill(0);
            file.read_exact_at(head, from * u64::from(job.plan.block_length))
                .map_err(|error| Problem::file("reading the source", &error))?;
            Ok(())
        }
        Feed::Stream(file, memory) => {
            memory.set_len(len);
            let got = read_full(file, memory.get_mut(..chunk.bytes).unwrap_or_default())
                .map_err(|error| Problem::file("reading the source", &error))?;
            memory.get_mut(got..).unwrap_or_default().fill(0);
            chunk.bytes = got;
            chunk.blocks = job.plan.blocks_of(got);
            Ok(())
        }
    };
    let len = chunk.blocks as usize * job.plan.block_length as usize;
    match result {
        Ok(()) => Ok((feed.data().get(..len).unwrap_or_default(), chunk)),
        Err(error) if is_unreadable(&error) => {
            if !job.no_error {
                let place = place(&error, from, chunk.blocks);
                let mut problem = Problem::from(error);
                problem.message.push_str("; ");
                problem.message.push_str(&place);
                return Err(problem);
            }
            rescue(job, feed, tally, spare, chunk)?;
            let data = spare.as_deref().unwrap_or_default();
            Ok((data.get(..len).unwrap_or_default(), chunk))
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads a piece block by block, with zeros for what cannot be read.
#[cold]
fn rescue(
    job: &Job,
    feed: &mut Feed<'_>,
    tally: &mut Tally,
    spare: &mut Option<AlignedBuf>,
    chunk: Chunk,
) -> Result<(), Problem> {
    let block = job.plan.block_length as usize;
    let memory = match spare {
        Some(memory) => memory,
        none => none.insert(buffer(job.plan.chunk_bytes())?),
    };
    let from = job.plan.skip + chunk.first;
    for (lba, piece) in (from..).zip(memory.chunks_mut(block).take(chunk.blocks as usize)) {
        let result = match feed {
            Feed::Reserve(reserve, layout) => {
                one_block(reserve.device(), layout, lba, piece, tally)
            }
            Feed::Device(device, layout, _) => one_block(*device, layout, lba, piece, tally),
            _ => return Ok(()),
        };
        match result {
            Ok(()) => {}
            Err(error) if is_unreadable(&error) => {
                piece.fill(0);
                tally.bad.push(BadRange { lba, blocks: 1 });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn one_block<T: ScsiTransport>(
    device: &T,
    layout: &Layout,
    lba: u64,
    piece: &mut [u8],
    tally: &mut Tally,
) -> passthru::Result<()> {
    let command = in_range(layout.read(lba, 1), device)?;
    once_more(&mut tally.attentions, || {
        whole(device.read(&command, piece), &command, device)
    })
    .map(drop)
}

impl Feed<'_> {
    fn data(&self) -> &[u8] {
        match self {
            Self::Reserve(reserve, _) => reserve,
            Self::Device(_, _, memory) | Self::File(_, memory) | Self::Stream(_, memory) => memory,
        }
    }
}

/// As much as there is; less than the buffer only at the end.
fn read_full(mut file: &File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(got) => done += got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

impl Job {
    #[cold]
    fn fail(&self, index: u64, problem: Problem) {
        let failures = self.failures.lock();
        failures
            .unwrap_or_else(PoisonError::into_inner)
            .push((index, problem));
    }

    pub(crate) fn failures(&self) -> Vec<(u64, Problem)> {
        std::mem::take(&mut *self.failures.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

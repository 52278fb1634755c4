//! `bench_copy SOURCE TARGET[,TARGET] BYTES TOTAL WORKERS`: copies TOTAL bytes from an sg node to block nodes, BYTES
//! with each command, by as many threads as WORKERS, and prints the nanoseconds that this took, with everything opened
//! before. It is the bare loop, to be compared with the same calls in C. With `-` as the target it only reads, from a
//! block node; both for `cargo vm bench copy`.
#![allow(clippy::print_stdout)]

use std::{
    error::Error,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use passthru::{
    AlignedBuf, BlockDevice, IoPath, ReserveBuffer, ScsiTransportExt, SgDevice,
    scsi::{Read16, Write16},
};

const BLOCK: u64 = 512;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_copy: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [source, targets, bytes, total, workers] = arguments.as_slice() else {
        return Err("usage: bench_copy SOURCE TARGET[,TARGET]|- BYTES TOTAL WORKERS".into());
    };
    let work = Work {
        source,
        blocks: u32::try_from(bytes.parse::<u64>()? / BLOCK)?,
        total: total.parse::<u64>()? / BLOCK,
        next: AtomicU64::new(0),
    };
    let time = if targets == "-" {
        work.read()?
    } else {
        let targets = targets
            .split(',')
            .map(BlockDevice::open_rw)
            .collect::<Result<Vec<_>, _>>()?;
        work.share(&targets, workers.parse()?)?
    };
    println!("{}", time.as_nanos());
    Ok(())
}

/// Numbers are in blocks.
struct Work<'a> {
    source: &'a str,
    blocks: u32,
    total: u64,
    next: AtomicU64,
}

impl Work<'_> {
    fn next(&self) -> Option<u64> {
        let lba = self
            .next
            .fetch_add(u64::from(self.blocks), Ordering::Relaxed);
        (lba < self.total).then_some(lba)
    }

    fn bytes(&self) -> usize {
        self.blocks as usize * 512
    }

    fn share(&self, targets: &[BlockDevice], workers: usize) -> Result<Duration, Box<dyn Error>> {
        let mut sources = (0..workers)
            .map(|_| SgDevice::open(self.source))
            .collect::<Result<Vec<_>, _>>()?;
        let mut buffers = sources
            .iter_mut()
            .map(|source| source.map_reserve(self.bytes()))
            .collect::<Result<Vec<_>, _>>()?;
        let start = Instant::now();
        if let [only] = buffers.as_mut_slice() {
            self.copy(only, targets)?;
            return Ok(start.elapsed());
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = buffers
                .iter_mut()
                .map(|buffer| {
                    scope.spawn(|| {
                        self.copy(buffer, targets)
                            .map_err(|error| error.to_string())
                    })
                })
                .collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().map_err(|_| "a worker panicked")?)
        })?;
        Ok(start.elapsed())
    }

    fn copy(
        &self,
        reserve: &mut ReserveBuffer<'_>,
        targets: &[BlockDevice],
    ) -> Result<(), Box<dyn Error>> {
        let len = self.bytes();
        while let Some(lba) = self.next() {
            reserve.read(&Read16::new(lba, self.blocks).block_length(512), len)?;
            let command = Write16::new(lba, self.blocks).block_length(512);
            for target in targets {
                let outcome = target.write(&command, reserve)?;
                if outcome.io_path() == IoPath::Bounced {
                    return Err("a write was bounced".into());
                }
            }
        }
        Ok(())
    }

    fn read(&self) -> Result<Duration, Box<dyn Error>> {
        let source = BlockDevice::open(self.source)?;
        let mut buffer = AlignedBuf::new(self.bytes())?;
        let start = Instant::now();
        while let Some(lba) = self.next() {
            source.read(
                &Read16::new(lba, self.blocks).block_length(512),
                &mut buffer,
            )?;
        }
        Ok(start.elapsed())
    }
}

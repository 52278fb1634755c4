//! `bench_ring DEVICE COUNT [--depth N] [--batch N] [--fixed] [--polled] [--block BYTES]`: nanoseconds for each read
//! through `NvmeRing`; the Rust side of `cargo vm bench ring`, beside `ring_loop` in C.
#![allow(clippy::print_stdout)]

use std::{process::ExitCode, time::Instant};

use passthru::{
    AlignedBuf, NvmeNamespace, NvmeRing, NvmeTransport, NvmeTransportExt,
    device::{RingBuf, Target},
    nvme::{identify::IdentifyNamespace, io::Read},
};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_ring: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Arguments {
    device: String,
    count: u64,
    depth: u32,
    batch: u32,
    fixed: bool,
    polled: bool,
    bytes: usize,
}

impl Arguments {
    fn read() -> Result<Self, Box<dyn std::error::Error>> {
        const USAGE: &str = "usage: bench_ring DEVICE COUNT [--depth N] [--batch N] [--fixed] \
                             [--polled] [--block BYTES]";
        let mut words = std::env::args().skip(1);
        let mut found = Self {
            device: words.next().ok_or(USAGE)?,
            count: words.next().ok_or(USAGE)?.parse()?,
            depth: 0,
            batch: 1,
            fixed: false,
            polled: false,
            bytes: 4096,
        };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--fixed" => found.fixed = true,
                "--polled" => found.polled = true,
                "--depth" => found.depth = words.next().ok_or(USAGE)?.parse()?,
                "--batch" => found.batch = words.next().ok_or(USAGE)?.parse()?,
                "--block" => found.bytes = words.next().ok_or(USAGE)?.parse()?,
                _ => return Err(USAGE.into()),
            }
        }
        if found.depth == 0 {
            found.depth = found.batch;
        }
        Ok(found)
    }
}

/// Where to read next: xorshift, scaled to the range without a division.
#[derive(Clone, Copy)]
struct Places {
    state: u64,
    count: u64,
    blocks: u32,
}

impl Places {
    fn next(&mut self) -> Read {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        let place = ((self.state >> 32) * self.count) >> 32;
        Read::new(place * u64::from(self.blocks), self.blocks)
    }
}

/// Reads `count` times with `idle.len()` in flight, and hands them over by `batch`.
fn reads(
    ring: &mut NvmeRing,
    drive: Target,
    idle: &mut Vec<RingBuf>,
    places: &mut Places,
    (count, batch): (u64, usize),
) -> passthru::Result<()> {
    let mut left = count;
    let mut next = *places;
    while let Some(buffer) = idle.pop() {
        ring.read(drive, &next.next(), buffer, left)?;
        left = left.saturating_sub(1);
        if left == 0 {
            break;
        }
        if ring.queued() as usize == batch {
            ring.submit()?;
        }
    }
    while ring.in_flight() > 0 {
        // A batch, or at the end all.
        ring.wait(if left > 0 { batch } else { usize::MAX })?;
        while let Some(done) = ring.pop() {
            done.result?;
            let Some(buffer) = done.buffer else { continue };
            if left == 0 {
                idle.push(buffer);
                continue;
            }
            ring.read(drive, &next.next(), buffer, left)?;
            left -= 1;
        }
    }
    *places = next;
    Ok(())
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::read()?;
    let namespace = NvmeNamespace::open(&arguments.device)?;
    let size = namespace
        .query(&IdentifyNamespace::new(namespace.nsid()))?
        .size();
    let format = namespace.format()?.ok_or("the namespace has no blocks")?;
    let blocks = u32::try_from(arguments.bytes)? / format.block_length();
    let mut places = Places {
        state: 0x9e37_79b9_7f4a_7c15,
        count: size / u64::from(blocks.max(1)),
        blocks,
    };
    let mut builder = NvmeRing::builder()
        .depth(arguments.depth)
        .batch(arguments.batch)
        .polled(arguments.polled);
    if arguments.fixed {
        builder = builder.registered_buffers(arguments.depth, arguments.bytes);
    }
    let mut ring = builder.build()?;
    let drive = ring.add_namespace(namespace)?;
    let mut idle = Vec::new();
    for _ in 0..arguments.depth {
        idle.push(match ring.buffer() {
            Some(buffer) => buffer,
            None => AlignedBuf::new(arguments.bytes)?.into(),
        });
    }
    let batch = usize::try_from(arguments.batch)?;
    let mut run = |count| reads(&mut ring, drive, &mut idle, &mut places, (count, batch));
    run(arguments.count / 10 + 1)?;
    let start = Instant::now();
    run(arguments.count)?;
    println!(
        "{}",
        start.elapsed().as_nanos() / u128::from(arguments.count.max(1))
    );
    Ok(())
}

//! `bench_sync DEVICE COUNT`: nanoseconds for each 64 KiB READ(10) through
//! `SgDevice`; the Rust side of `cargo vm bench sync`.
#![allow(clippy::print_stdout)]

use std::{process::ExitCode, time::Instant};

use passthru::{ScsiTransportExt, SgDevice, scsi::Read10};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_sync: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let device = arguments.next().ok_or("usage: bench_sync DEVICE COUNT")?;
    let count: u32 = arguments
        .next()
        .ok_or("usage: bench_sync DEVICE COUNT")?
        .parse()?;
    let device = SgDevice::open(device)?;
    // At the start of a page, as the C program's buffer.
    let mut memory = vec![0u8; (64 << 10) + 4096];
    let start = memory.as_ptr().align_offset(4096);
    let buffer = &mut memory[start..start + (64 << 10)];
    let mut reads = |count: u32| -> passthru::Result<()> {
        for index in 0..count {
            let command = Read10::new(index % 64 * 128, 128).block_length(512);
            device.read(&command, buffer)?;
        }
        Ok(())
    };
    reads(count / 10)?;
    let start = Instant::now();
    reads(count)?;
    let each = start.elapsed().as_nanos() / u128::from(count.max(1));
    println!("passthru {each}");
    Ok(())
}

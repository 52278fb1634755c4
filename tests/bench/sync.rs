//! `bench_sync DEVICE COUNT [BLOCKS]`: nanoseconds for each READ(10) of so many
//! blocks of 512 bytes (128, 64 KiB, if not given) through `SgDevice`; the Rust
//! side of `cargo vm bench sync`.
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
    const USAGE: &str = "usage: bench_sync DEVICE COUNT [BLOCKS]";
    let mut arguments = std::env::args().skip(1);
    let device = SgDevice::open(arguments.next().ok_or(USAGE)?)?;
    let count: u32 = arguments.next().ok_or(USAGE)?.parse()?;
    let blocks: u16 = arguments.next().map_or(Ok(128), |blocks| blocks.parse())?;
    // At the start of a page, as the C program's buffer.
    let len = usize::from(blocks) * 512;
    let mut memory = vec![0u8; len + 4096];
    let start = memory.as_ptr().align_offset(4096);
    let buffer = &mut memory[start..start + len];
    let command = Read10::new(0, blocks).block_length(512);
    let mut reads = |count: u32| -> passthru::Result<()> {
        for _ in 0..count {
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

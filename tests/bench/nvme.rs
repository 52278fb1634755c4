//! `bench_nvme DEVICE COUNT`: nanoseconds for each Identify Controller through `NvmeController`; the Rust side of
//! `cargo vm bench nvme`.
#![allow(clippy::print_stdout)]

use std::{process::ExitCode, time::Instant};

use passthru::{NvmeController, NvmeTransportExt, nvme::identify::IdentifyController};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_nvme: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    const USAGE: &str = "usage: bench_nvme DEVICE COUNT";
    let mut arguments = std::env::args().skip(1);
    let drive = NvmeController::open(arguments.next().ok_or(USAGE)?)?;
    let count: u32 = arguments.next().ok_or(USAGE)?.parse()?;
    let identify = |count: u32| -> passthru::Result<u64> {
        let mut seen = 0;
        for _ in 0..count {
            let data = drive.query(&IdentifyController)?;
            seen += u64::from(std::hint::black_box(&data).vendor_id());
        }
        Ok(seen)
    };
    identify(count / 10 + 1)?;
    let start = Instant::now();
    identify(count)?;
    println!("{}", start.elapsed().as_nanos() / u128::from(count.max(1)));
    Ok(())
}

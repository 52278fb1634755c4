//! `bench_lookup COUNT`: what finding the command of a completion costs, with few and with many in flight. Lines
//! `lookup IN_FLIGHT NANOSECONDS`.
//!
//! A ring cannot have 100,000 in flight (the kernel's completion queues end at 65,536), so this has the ring's table
//! and completions that come from a list, in an order that nobody foresees.
#![allow(clippy::print_stdout, dead_code)]

#[path = "../../src/device/nvme/ring/table.rs"]
mod table;

use std::{hint::black_box, process::ExitCode, time::Instant};

use table::Table;

/// As large as what a ring keeps of a command.
type Flight = [u64; 16];

fn main() -> ExitCode {
    let Some(count) = std::env::args().nth(1).and_then(|word| word.parse().ok()) else {
        eprintln!("usage: bench_lookup COUNT");
        return ExitCode::from(2);
    };
    for in_flight in [100, 100_000] {
        measure(in_flight, count / 10 + 1);
        println!("lookup {in_flight} {:.2}", measure(in_flight, count));
    }
    ExitCode::SUCCESS
}

/// Nanoseconds for each completion, after which a new command is put in flight.
fn measure(in_flight: u32, count: u32) -> f64 {
    let mut table: Table<Flight> = Table::new(in_flight);
    for number in 0..in_flight {
        insert(&mut table, number);
    }
    let mut state = 88_172_645_463_325_252_u64;
    let start = Instant::now();
    for token in 0..count {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Any of those in flight.
        let number = ((state >> 32) * u64::from(in_flight)) >> 32;
        if let Some(mut taken) = table.taken(number) {
            black_box(taken.value());
            taken.free();
        }
        insert(&mut table, token);
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

fn insert(table: &mut Table<Flight>, token: u32) {
    if let Some(vacant) = table.vacant() {
        black_box(vacant.number());
        *vacant.take() = [token.into(); 16];
    }
}

//! Tests against real kernels.
//!
//! They need root, kernel modules that they load and unload, and devices that
//! they may write to, so they run in a virtual machine: `cargo vm test`.
//! Elsewhere libtest counts them as ignored.

#![allow(clippy::cast_possible_truncation, clippy::print_stdout)]

mod alloc;
mod bad_input;
mod control;
mod copy;
mod copy_guard;
mod credentials;
mod discover;
mod disk;
mod event_loop;
mod exactly_once;
mod injected;
mod lab;
mod mapped_sectors;
mod mmc_drive;
mod no_alloc;
mod nvme;
mod nvme_bench_example;
mod nvme_example;
mod nvme_lab;
mod nvme_loop;
mod nvme_peer;
#[cfg(feature = "uring")]
mod nvme_ring;
mod open;
mod optical;
mod outcomes;
mod permissions;
mod process;
mod queue;
mod queue_lost;
mod read_only;
mod readcd;
mod removal;
mod replaced;
mod reserve;
mod reserve_pages;
#[cfg(feature = "uring")]
mod ring;
#[cfg(feature = "uring")]
mod ring_lifetimes;
mod round_trips;
mod states;
mod statuses;
mod stopped;
mod storm;
mod threads;
mod vectors;

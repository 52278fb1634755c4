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
mod disk;
mod exactly_once;
mod lab;
mod no_alloc;
mod outcomes;
mod permissions;
mod queue;
mod read_only;
mod removal;
mod reserve;
mod round_trips;
mod threads;

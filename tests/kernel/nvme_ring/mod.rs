//! NVMe by `io_uring`.

mod admin;
mod crowd;
mod event_loop;
mod formats;
mod lost;
mod no_ring;
mod polled;
mod refusals;
mod refused_lengths;
mod round_trips;
mod setup;
mod support;
mod vectored;
mod waiting;
mod write_to_all;

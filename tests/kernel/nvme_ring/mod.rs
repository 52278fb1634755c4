//! NVMe by `io_uring`.

mod admin;
mod crowd;
mod no_ring;
mod refusals;
mod refused_lengths;
mod round_trips;
mod support;
mod vectored;
mod write_to_all;

//! NVMe by `io_uring`.

mod admin;
mod refusals;
mod refused_lengths;
mod round_trips;
pub(crate) mod support;
mod vectored;
mod write_to_all;

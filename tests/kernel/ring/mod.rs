//! What a ring does whatever the drive: without `nvme` in their names, these run
//! in one emulator only.

mod crowd;
mod event_loop;
mod formats;
mod lost;
mod no_ring;
mod polled;
mod setup;
mod waiting;

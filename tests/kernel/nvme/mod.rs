//! NVMe by ioctl.

mod basics;
mod formats;
mod guarded;
mod traps;

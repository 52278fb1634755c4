//! NVMe by ioctl.

mod basics;
mod guarded;

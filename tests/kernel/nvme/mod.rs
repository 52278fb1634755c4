//! NVMe by ioctl.

mod attach;
mod basics;
mod data;
mod features;
mod formats;
pub(crate) mod gone;
mod guarded;
mod guards;
mod guards_admin;
mod logs;
mod placement;
mod protection;
mod rights;
mod split;
pub(crate) mod support;
mod traps;
mod values;
mod zones;

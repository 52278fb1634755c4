//! A disk by its node.

use std::path::Path;

use super::Disk;
use crate::{Result, device::ScsiDevice};

impl Disk<ScsiDevice> {
    /// Opens the node for commands that change nothing and asks for the
    /// capacity, see [`new`](Self::new). A transfer is at most what the node's
    /// host adapter takes.
    ///
    /// # Errors
    /// As [`ScsiDevice::open`] and [`new`](Self::new).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::of_node(ScsiDevice::open(path)?)
    }

    /// As [`open`](Self::open), for every command.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        Self::of_node(ScsiDevice::open_rw(path)?)
    }

    fn of_node(device: ScsiDevice) -> Result<Self> {
        let limit = device.max_transfer();
        let mut disk = Self::new(device)?;
        if let Some(limit) = limit {
            disk.limit(limit);
        }
        Ok(disk)
    }
}

//! An optical drive by its node.

use std::path::Path;

use super::OpticalDrive;
use crate::{Result, device::ScsiDevice};

impl OpticalDrive<ScsiDevice> {
    /// Opens the node for commands that change nothing; sends nothing. A transfer
    /// is at most what the node's host adapter takes.
    ///
    /// Speed, error recovery, tray and lock need [`open_rw`](Self::open_rw).
    ///
    /// # Errors
    /// As [`ScsiDevice::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        ScsiDevice::open(path).map(Self::of_node)
    }

    /// As [`open`](Self::open), for every command.
    ///
    /// # Errors
    /// As [`ScsiDevice::open_rw`].
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        ScsiDevice::open_rw(path).map(Self::of_node)
    }

    fn of_node(device: ScsiDevice) -> Self {
        let limit = device.max_transfer();
        let mut drive = Self::new(device);
        if let Some(limit) = limit {
            drive.limit(limit);
        }
        drive
    }
}

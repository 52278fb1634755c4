//! `OpticalDrive` on the test drive, by its sg, sr and bsg node.

mod disc;
mod probe;
mod read;
mod retries;
mod rights;
mod settings;

use passthru::{
    ScsiDevice,
    scsi::mmc::{MainChannel, SectorRequest, SectorType},
    unit::OpticalDrive,
};

use crate::mmc_drive::TestDrive;

/// One for each node. What the kernel sends when they are opened has come when this
/// returns; what it sends some time after the block node was closed (TEST UNIT READY)
/// does not come as long as they are kept.
fn drives(drive: &TestDrive) -> [OpticalDrive<ScsiDevice>; 3] {
    [drive.sg(), drive.sr(), drive.bsg()].map(|node| OpticalDrive::open_rw(node).unwrap())
}

const fn raw() -> SectorRequest {
    SectorRequest::new(SectorType::Any, MainChannel::RAW)
}

/// Error recovery as the drive has it at first.
const RECOVERY: [u8; 2] = [0, 5];

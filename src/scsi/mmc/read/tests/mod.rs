use super::*;
use crate::scsi::{Command, LengthMismatch, Malformed, golden::hex};

mod layout;
mod properties;
mod raw_sector;
mod read_cd;
mod sectors;
mod subchannel;

/// Any type of sector, all of it.
fn raw() -> SectorRequest {
    SectorRequest::new(SectorType::Any, MainChannel::RAW)
}

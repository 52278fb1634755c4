//! Writing: blanking, tracks, cue sheets, calibration, formatting.
//!
//! How a disc is written is a mode page,
//! [`WriteParameters`](crate::scsi::mode::WriteParameters); the data goes by
//! [`Write10`](crate::scsi::Write10), and
//! [`SynchronizeCache10`](crate::scsi::SynchronizeCache10) ends it.

mod blank;
mod close;
mod cue_sheet;
mod format;
mod format_capacities;
mod opc;
mod reserve;

pub use blank::{Blank, BlankType};
pub use close::{CloseFunction, CloseTrackSession};
pub use cue_sheet::{CueLine, CueSheet, SendCueSheet};
pub use format::{FormatList, FormatMedium, FormatType};
pub use format_capacities::{
    CapacityDescriptor, CapacityDescriptorType, FormatCapacities, FormattableCapacity,
    ReadFormatCapacities,
};
pub use opc::{OpcValues, SendOpc, SendOpcValues};
pub use reserve::ReserveTrack;

use super::{Isrc, Mcn, Msf, TrackControl};

#[cfg(test)]
mod tests;

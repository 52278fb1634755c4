//! Send SCSI and NVMe commands to drives through Linux's pass-through
//! interfaces, from safe code.
#![deny(unsafe_code)]
#![warn(clippy::indexing_slicing, clippy::unwrap_used)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used))]

#[cfg(not(target_os = "linux"))]
compile_error!("passthru talks to Linux's drivers; it builds for Linux only");

pub mod device;
mod error;
mod outcome;
pub mod scsi;
mod syscall;
mod transport;

#[doc(inline)]
pub use device::{
    Access, BlockDevice, BsgDevice, NodeKind, OpenOptions, ScsiAddress, ScsiDevice, SgDevice,
};
pub use error::{Error, Failure, Result};
pub use outcome::{IoPath, Outcome, Verdict};
pub use transport::{Data, Options, QueuePosition, ScsiTransport, ScsiTransportExt, WithOptions};

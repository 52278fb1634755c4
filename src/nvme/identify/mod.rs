//! Identify (06h): what a controller, its namespaces and its subsystem are.
//! NVMe Base 2.1, 5.1.13.

mod controller;
mod namespace;

pub use controller::{ControllerData, IdentifyController};
pub use namespace::{IdentifyNamespace, NamespaceData};

use super::{LengthMismatch, Lengths, Nsid, Sqe};

/// Identify always moves so many bytes.
pub(super) const LENGTH: usize = 4096;

/// The entry of an Identify command.
fn sqe(cns: u8, nsid: Option<Nsid>) -> Sqe {
    Sqe {
        nsid: nsid.map_or(0, Nsid::get),
        cdw10: u32::from(cns),
        ..Sqe::new(0x06)
    }
}

/// Identify moves 4096 bytes whatever is asked for, which the crate's memory
/// has room for, so any shorter buffer is good.
fn check(lengths: Lengths) -> Result<(), LengthMismatch> {
    match lengths.data {
        0 => Err(LengthMismatch::TooShort { len: 0, min: 1 }),
        1..=LENGTH => Ok(()),
        len => Err(LengthMismatch::TooLong { len, max: LENGTH }),
    }
}

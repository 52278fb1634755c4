//! What SCSI and NVMe devices the machine has, as sysfs tells it.
//!
//! No command is sent and nothing in `/dev` is opened: asking a device that
//! sleeps does not wake it, and no permission is needed.
//!
//! ```no_run
//! for unit in passthru::discover::scsi()? {
//!     println!("{unit}"); // 0:0:0:0 disk ACME DISK 1.0 /dev/sg0 /dev/sda
//!     if let Some(sg) = unit.sg() {
//!         let device = passthru::SgDevice::open(sg);
//!     }
//! }
//! for subsystem in passthru::discover::nvme()? {
//!     for namespace in subsystem.namespaces() {
//!         println!("{namespace}: {:?} bytes", namespace.size());
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A list holds what tells one device from another: addresses, names and nodes.
//! The rest ([`ScsiUnit::serial`], [`NvmeController::state`] and so on) is read
//! when it is asked for, and is `None` if the kernel does not say or if the
//! device has gone meanwhile. What vanishes while the list is made is not in
//! it, which is no error.
//!
//! Strings of devices are kept as they came, in [`Text`](crate::scsi::Text) and
//! [`TextBuf`]: displaying those escapes control characters.
//!
//! A node is named as the kernel asks for it to be named; a rule of udev or a
//! container may have put it elsewhere, or nowhere.

mod namespace;
mod nvme;
mod scsi;
mod subsystem;
mod sysfs;
mod text;
mod transport;
#[cfg(test)]
mod tree;
mod unit;

use std::io;

pub use namespace::{NvmeNamespace, NvmePath};
pub use subsystem::{NvmeController, NvmeSubsystem};
pub use sysfs::Sysfs;
pub use text::TextBuf;
pub use transport::Transport;
pub use unit::ScsiUnit;

/// All SCSI logical units of this machine, in the order of their addresses.
///
/// A machine without SCSI, or without sysfs, has none.
///
/// # Errors
/// If sysfs cannot be read for another reason than that something is not there.
pub fn scsi() -> io::Result<Vec<ScsiUnit>> {
    Sysfs::new().scsi()
}

/// All NVMe subsystems of this machine, with their controllers and namespaces,
/// in the order of their numbers.
///
/// A machine without NVMe, or without sysfs, has none.
///
/// # Errors
/// If sysfs cannot be read for another reason than that something is not there.
pub fn nvme() -> io::Result<Vec<NvmeSubsystem>> {
    Sysfs::new().nvme()
}

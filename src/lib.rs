//! Send SCSI and NVMe commands to drives through Linux's pass-through
//! interfaces, from safe code.
//!
//! ```rust,no_run
//! use passthru::{ScsiDevice, ScsiTransportExt, scsi::{Inquiry, Read16, ReadCapacity10}};
//!
//! fn main() -> passthru::Result<()> {
//!     let disk = ScsiDevice::open("/dev/sda")?; // or /dev/sg0, or /dev/bsg/0:0:0:0
//!     let inquiry = disk.query(&Inquiry::standard())?;
//!     println!("{} {}", inquiry.vendor(), inquiry.product());
//!
//!     let block_length = disk.query(&ReadCapacity10)?.block_length();
//!     let mut blocks = vec![0; 8 * block_length as usize];
//!     disk.read(&Read16::new(0, 8).block_length(block_length), &mut blocks)?;
//!     Ok(())
//! }
//! ```
//!
//! NVMe works the same way; [`nvme`] says how:
//!
//! ```rust,no_run
//! use passthru::{NvmeController, NvmeTransportExt, nvme::{identify::IdentifyController, log::SmartHealth}};
//!
//! fn main() -> passthru::Result<()> {
//!     let drive = NvmeController::open("/dev/nvme0")?;
//!     println!("{}", drive.query(&IdentifyController)?.model());
//!     println!("{} K", drive.query(&SmartHealth::page())?.temperature());
//!     Ok(())
//! }
//! ```
//!
//! # How it fits together
//!
//! ```text
//! scsi::Read16, Inquiry, RawCdb ...   a command, as a value
//!         |  cdb_for(length of the buffer)
//! ScsiTransportExt                    execute, read, write, query
//!         |  CDB, Data, Options
//! ScsiTransport                       SgDevice, BlockDevice, BsgDevice, or yours
//!         |  one system call of passthru-sys's layouts
//! Outcome                             host, driver and SCSI status, sense, residual
//!         |  Outcome::verdict
//! a reply, or an Error that holds the Outcome
//! ```
//!
//! # Which node?
//!
//! | node | type | filter of the kernel | signals | several at once | timeout |
//! |---|---|---|---|---|---|
//! | `/dev/sgN` | [`SgDevice`] | none if the node may be written | exactly once, by `write` and `read` | 16, from threads | as given |
//! | `/dev/sdX`, `/dev/srN` | [`BlockDevice`] | `CAP_SYS_RAWIO` for unusual commands | exactly once, uninterruptible | one a thread | 7 s at least |
//! | `/dev/bsg/H:C:T:L` | [`BsgDevice`] | `CAP_SYS_RAWIO` for unusual commands | uninterruptible, see there | one a thread | 7 s at least |
//! | `/dev/nvmeX` | [`NvmeController`] | `CAP_SYS_ADMIN` for most commands | exactly once, uninterruptible | one a thread | as given |
//! | `/dev/ngXnY`, `/dev/nvmeXnY` | [`NvmeNamespace`] | by the drive's effects log, since Linux 6.2 | exactly once, uninterruptible | one a thread | as given |
//!
//! [`ScsiDevice::open`] looks at the path and takes the right one. [`discover`]
//! lists what devices there are, with their nodes.
//!
//! # What is safe, and what is not
//!
//! No safe call lets a device or the kernel write to memory that your program
//! can reach at the same time or that has been freed. All `unsafe` code is in
//! the private modules that make the system calls, hold page-aligned memory, and
//! queue the commands of rings; docs/safety.md lists them.
//! NVMe commands that this crate has no type for are sent by `unsafe` calls,
//! since the kernel does not bound what they move.
//!
//! Safe code can still erase a disk: a handle from `open_rw` sends whatever it
//! is given, FORMAT UNIT, SANITIZE and vendor commands included. One from
//! `open` refuses everything that is not known to change nothing
//! ([`scsi::is_read_only`], [`nvme::is_read_only`]).
//!
//! # Permissions
//!
//! Nodes belong to root and the group `disk` (disks) or `cdrom` (optical
//! drives). An sg node must be readable and writable, since a command is written
//! to it. To let a user `sam` read a certain enclosure's sg node, a udev rule:
//!
//! ```text
//! SUBSYSTEM=="scsi_generic", ATTRS{vendor}=="ACME*", ATTRS{type}=="13", OWNER="sam"
//! ```
//!
//! A user who may write to an sg node may send any command to the device.
//!
//! # Errors and outcomes
//!
//! [`Error`] says why a command was not carried out, and
//! [`Error::was_sent`] whether the device may have seen it. Nothing is retried:
//! a UNIT ATTENTION after a reset or a change of medium comes to you, unless you
//! send it through a [`RetryPolicy`].
//!
//! ```no_run
//! use passthru::{Error, ScsiDevice, ScsiTransportExt, scsi::{SenseKey, TestUnitReady}};
//!
//! let drive = ScsiDevice::open("/dev/sr0")?;
//! match drive.execute(&TestUnitReady) {
//!     Ok(_) => println!("ready"),
//!     Err(Error::Check(failure)) => match failure.outcome().sense().key() {
//!         Some(SenseKey::NOT_READY) => println!("not ready: {}", failure.outcome()),
//!         Some(SenseKey::UNIT_ATTENTION) => println!("something changed, ask again"),
//!         _ => return Err(Error::Check(failure)),
//!     },
//!     Err(other) => return Err(other),
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! # Features
//!
//! `uring`: NVMe commands by `io_uring`, thousands in flight (`NvmeRing`; `x86_64`
//! and `aarch64`). None by default. Rust 1.85 or newer, Linux only.
#![deny(unsafe_code)]
#![warn(clippy::indexing_slicing, clippy::unwrap_used)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used))]

#[cfg(not(target_os = "linux"))]
compile_error!("passthru talks to Linux's drivers; it builds for Linux only");

#[cfg(all(
    feature = "uring",
    not(all(
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))
))]
compile_error!(
    "passthru's feature `uring` is for x86_64 and aarch64 only: build without it; NVMe commands \
     then go by ioctl"
);

pub mod device;
pub mod discover;
mod error;
mod memory;
pub mod nvme;
mod outcome;
pub mod scsi;
mod syscall;
mod transport;
pub mod unit;

#[cfg(feature = "uring")]
#[doc(inline)]
pub use device::NvmeRing;
#[doc(inline)]
pub use device::{
    Access, BlockDevice, BlocksError, BsgDevice, NodeKind, NvmeController, NvmeNamespace,
    OpenOptions, ReserveBuffer, ScsiAddress, ScsiDevice, SgDevice,
};
pub use error::{Error, Failure, NvmeError, NvmeErrorKind, OutOfRange, Result};
pub use memory::AlignedBuf;
pub use outcome::{IoPath, Outcome, Verdict};
pub use transport::{
    Data, Metadata, NvmeRequest, NvmeTransport, NvmeTransportExt, Options, QueuePosition,
    RetryPolicy, ScsiTransport, ScsiTransportExt, WithOptions, WithRetries, retry,
};

//! The SCSI protocol: commands as values, replies as views over bytes.
//!
//! Nothing here sends anything. A command (INQUIRY, say) is a small struct; a
//! [transport](crate::ScsiTransport) asks it for its CDB and moves its data; a
//! reply reads the bytes that came back and gives `None` for what did not.
//! So all of it works on any transport, and on bytes from a file: the command
//! that asks for a reply [parses](Query::parse) it.
//!
//! ```
//! use passthru::scsi::{Inquiry, Query, ReplyBytes, Sense};
//!
//! let saved = b"\0\0\x06\x02\x1f\0\0\0ACME    DRIVE           1.0 ";
//! let inquiry = Inquiry::standard().parse(ReplyBytes::borrowed(saved))?;
//! assert_eq!(inquiry.product(), "DRIVE");
//! // Sense data is not the reply to a command, and any bytes will do.
//! let sense = Sense::parse(&[0x70, 0, 0x02, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x3a, 0, 0, 0, 0, 0]);
//! assert_eq!(sense.to_string(), "NOT READY: Medium not present (3Ah/00h)");
//! # Ok::<(), passthru::scsi::Malformed>(())
//! ```
//!
//! All bytes that are given are read, whatever the command would ask for. Only if
//! the reply was cut by a shorter allocation length, give the command the same:
//! otherwise its length field counts as wrong.
//!
//! To add a command: a struct in a file of its family, [`Command`] for its CDB,
//! one of [`NoData`], [`DataIn`] and [`DataOut`] for its direction, [`Query`]
//! if its reply has a type, a line below, and the bytes of its CDB as a test.

mod asc;
mod block_cdb;
mod capacity;
mod cdb;
mod command;
mod device_type;
#[cfg(test)]
pub(crate) mod golden;
mod inquiry;
mod lengths;
pub mod mmc;
pub mod mode;
mod opcode;
mod raw;
mod read_only;
mod read_write;
mod reply;
mod request_sense;
pub mod sense;
mod status;
mod synchronize_cache;
mod test_unit_ready;
#[cfg(test)]
mod tests;
mod text;
mod timeout;
mod verify;
pub mod vpd;
mod wire;

pub use asc::AdditionalSense;
pub use capacity::{
    Capacity10, Capacity16, LastLba, ReadCapacity10, ReadCapacity16, is_plausible_block_length,
};
pub use cdb::{Cdb, CdbLengthError};
pub use command::{Command, DataIn, DataOut, LengthMismatch, NoData, Query};
pub use device_type::DeviceType;
pub use inquiry::{Inquiry, LengthLie, PeripheralQualifier, ScsiVersion, StandardInquiry, Tpgs};
pub use opcode::{command_name, opcode_name};
pub use raw::RawCdb;
pub use read_only::is_read_only;
pub use read_write::{DurationLimit, GroupNumber, Protect, Read10, Read16, Write10, Write16};
pub use reply::{Malformed, ReplyBytes};
pub use request_sense::{RequestSense, SenseReply};
pub use sense::{Sense, SenseBuffer, SenseKey};
pub use status::{DriverStatus, HostStatus, Status};
pub use synchronize_cache::{SynchronizeCache10, SynchronizeCache16};
pub use test_unit_ready::TestUnitReady;
pub use text::Text;
pub use timeout::default_timeout;
pub use verify::{Verify10, Verify16};
pub use vpd::{Vpd, VpdCode, VpdInquiry, VpdPage};

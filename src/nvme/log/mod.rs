//! Get Log Page (02h): what a controller records of itself. NVMe Base 2.1,
//! 5.1.12.
//!
//! A page with a type is asked for by a [`LogPage`] of it, which the type's own
//! functions make; [`GetLog`] asks for the bytes of any page. Commands that move
//! more than the controller or the kernel takes at once go out in pieces.
//!
//! ```no_run
//! use passthru::{NvmeController, NvmeTransportExt, nvme::log::{SmartHealth, Telemetry}};
//!
//! let drive = NvmeController::open("/dev/nvme0")?;
//! let health = drive.query(&SmartHealth::page())?;
//! println!("{} K, {} % used", health.temperature(), health.percentage_used());
//!
//! // A page whose length only the page knows: its header first.
//! let header = drive.query(&Telemetry::host_header())?;
//! println!("{} bytes of telemetry", header.length());
//! # Ok::<(), passthru::Error>(())
//! ```
//!
//! # Events
//! Some pages belong to an asynchronous event, and reading such a page to its
//! end tells the controller that the event was seen, unless the command says to
//! retain it ([`LogPage::retain_event`]). Only the telemetry pages are read with
//! that by default; of a page that comes in pieces only the last one can take
//! the event away.

mod ana;
mod boot_partition;
mod changed;
mod effects;
mod endurance;
mod error_information;
mod fdp;
mod fdp_events;
mod firmware;
mod get_log;
mod id;
mod lba_status;
mod page;
mod persistent;
mod pieces;
mod reservation;
mod rotational;
mod sanitize;
mod self_test;
mod smart;
mod supported;
mod telemetry;
mod wire;

pub use ana::{Ana, AnaGroup, AnaState};
pub use boot_partition::{BootPartition, BootPartitionHeader};
pub use changed::{ChangedNamespaces, ChangedZones};
pub use effects::{CommandEffects, Effects};
pub use endurance::EnduranceGroup;
pub use error_information::{ErrorEntry, ErrorInformation};
pub use fdp::{
    FdpConfiguration, FdpConfigurations, FdpConfigurationsHeader, FdpHandleUsage, FdpStatistics,
};
pub use fdp_events::{FdpEvent, FdpEventSource, FdpEventType, FdpEvents};
pub use firmware::FirmwareSlots;
pub use get_log::{GetLog, OffsetType};
pub use id::LogId;
pub use lba_status::{LbaStatus, LbaStatusElement, LbaStatusHeader, LbaStatusRange};
pub use page::{LogPage, LogReply, MAX_LENGTH};
pub use persistent::{
    PersistentEvent, PersistentEventType, PersistentEvents, PersistentEventsHeader,
};
pub use pieces::Pieces;
pub use reservation::ReservationNotification;
pub use rotational::RotationalMedia;
pub use sanitize::{SanitizeState, SanitizeStatus};
pub use self_test::{SelfTest, SelfTestCode, SelfTestOutcome, SelfTestResult};
pub use smart::{CriticalWarning, SmartHealth};
pub use supported::{SupportedLog, SupportedLogs};
pub use telemetry::{Telemetry, TelemetryHeader};

#[cfg(test)]
mod tests;

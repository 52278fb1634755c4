//! Get Features (0Ah) and Set Features (09h): the settings of a controller and
//! its namespaces. NVMe Base 2.1, 5.1.11 and 5.1.25.
//!
//! A feature's value is a dword or a data structure:
//!
//! | the value | is asked for by | is set by |
//! |---|---|---|
//! | a dword with a type ([`DwordFeature`]) | `execute` of [`get`](DwordFeature::get), then [`from_dword`](DwordFeature::from_dword) of the completion's dword 0 | `execute` of [`set`](DwordFeature::set) |
//! | data with a type ([`DataFeature`]) | `query` of [`get`](DataFeature::get) | `write` of its `set` and `to_bytes` |
//! | data and a count in dword 0 ([`LbaRanges`], [`FdpEvents`]) | `read` of its `get` | `write` |
//! | another | `execute`, `read` or `query` of a [`GetFeature`] | `execute` or `write` of a [`SetFeature`] |
//!
//! ```no_run
//! use passthru::{NvmeController, NvmeTransportExt};
//! use passthru::nvme::features::{DataFeature, DwordFeature, TemperatureThreshold, Timestamp};
//!
//! let drive = NvmeController::open("/dev/nvme0")?;
//! let completion = drive.execute(&TemperatureThreshold::get())?;
//! let threshold = TemperatureThreshold::from_dword(completion.dword0());
//! println!("warns above {} K", threshold.kelvin());
//! println!("its clock: {} ms", drive.query(&Timestamp::get())?.milliseconds());
//! # Ok::<(), passthru::Error>(())
//! ```

mod apst;
mod asked;
mod data;
mod dword;
mod events;
mod fdp;
mod get;
mod host;
mod id;
mod lba_range;
mod media;
mod power;
mod queues;
mod set;
#[cfg(test)]
mod tests;
mod timestamp;

pub use apst::{AutonomousTransition, PowerStateTransition};
pub use asked::{Capabilities, Select};
pub use data::{DataFeature, GetData};
pub use dword::DwordFeature;
pub use events::{
    AsyncEventConfiguration, EnduranceEventConfiguration, LbaStatusInterval,
    ReservationNotificationMask, ReservationPersistence,
};
pub use fdp::{FdpEvent, FdpEvents, FlexibleDataPlacement};
pub use get::GetFeature;
pub use host::{HostBehavior, HostIdentifier};
pub use id::FeatureId;
pub use lba_range::{LbaRange, LbaRanges};
pub use media::{
    ErrorRecovery, NamespaceWriteProtection, ReadRecoveryLevel, SanitizeConfiguration,
    VolatileWriteCache, WriteAtomicity,
};
pub use power::{
    HostThermalManagement, NonOperationalPower, PowerManagement, SpinupControl,
    TemperatureThreshold,
};
pub use queues::{
    Arbitration, CommandSetProfile, InterruptCoalescing, InterruptVector, KeepAliveTimer,
    NumberOfQueues, SoftwareProgress,
};
pub use set::SetFeature;
pub use timestamp::Timestamp;

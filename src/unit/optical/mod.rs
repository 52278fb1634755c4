//! Optical drives, and the CDs in them.

mod disc;
mod drive;
mod lock;
mod mapped;
mod mark;
mod open;
mod page;
mod partial;
mod probe;
mod probed;
mod read;
mod recovery;
mod sectors;

pub use disc::{Disc, DiscSource, Session, Track, TrackKind};
pub use drive::{OPTICAL_TRANSFER, OpticalDrive, Speed};
pub use lock::LockGuard;
pub use partial::{PartialRead, ReadFault};
pub use probe::Layouts;
pub use probed::{LayoutAnswer, ProbedLayout, ProbedLayouts};
pub use recovery::RecoveryGuard;
pub use sectors::{ReadSectors, Remark};

#[cfg(test)]
mod tests;

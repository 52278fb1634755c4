//! The commands of the I/O queues: what a namespace is there for. NVM Command
//! Set 1.1, 3.3; Zoned Namespace Command Set 1.1, 3.4; NVMe Base 2.1, 7.
//!
//! Commands that move blocks take their lengths from the format of the
//! namespace. Those with data of their own ([`WithData`](crate::nvme::WithData))
//! hold it and are sent by `send`.

mod blocks;
mod compare;
mod copy;
mod dataset_management;
mod options;
mod placement;
mod read;
mod reservation;
mod reservation_report;
mod split;
mod still;
mod verify;
mod write;
mod zone_append;
mod zone_report;
mod zone_send;

#[cfg(test)]
mod tests;

pub use compare::Compare;
pub use copy::{CopyBlocks, CopyFormat, CopyRange};
pub use dataset_management::{DatasetManagement, DatasetRange};
pub use options::{BlockTags, Directive, Guard, Hints, Protect};
pub use placement::{
    ReclaimUnitHandle, ReclaimUnitHandleStatus, ReclaimUnitHandleUpdate, ReclaimUnitHandles,
};
pub use read::Read;
pub use reservation::{
    KeepThroughPowerLoss, ReservationAcquire, ReservationRegister, ReservationRelease,
    ReservationType,
};
pub use reservation_report::{Registrant, ReservationReport, ReservationStatus};
pub use split::{Piece, Split, split};
pub use still::{Flush, WriteUncorrectable, WriteZeroes};
pub use verify::Verify;
pub use write::Write;
pub use zone_append::ZoneAppend;
pub use zone_report::{
    ReportZones, Zone, ZoneAttributes, ZoneFilter, ZoneReport, ZoneState, ZoneType,
};
pub use zone_send::{SetZoneDescriptorExtension, ZoneAction, ZoneManagementSend};

use zerocopy::FromBytes;

use super::Sqe;

/// A count of 1 to 2^32 for a field that counts from 0.
fn from_zero(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)
}

/// The entries of a list that has nothing between them; what is left at the end
/// is too short for one.
fn entries<W: FromBytes>(list: &[u8]) -> impl Iterator<Item = W> {
    list.chunks_exact(size_of::<W>().max(1))
        .filter_map(|bytes| W::read_from_bytes(bytes).ok())
}

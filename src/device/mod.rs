//! The nodes through which Linux takes commands.

mod block;
mod bounce;
mod bsg;
mod core;
mod node;
mod nvme;
mod open;
mod queue;
mod reserve;
mod scsi_device;
mod sg;
mod sg_control;
mod sysfs;

pub use block::BlockDevice;
pub use bsg::BsgDevice;
pub use core::ScsiAddress;
pub use node::NodeKind;
pub use nvme::{BlocksError, NvmeController, NvmeNamespace};
#[cfg(feature = "uring")]
pub use nvme::{Completed, NvmeRing, NvmeRingBuilder, RingBuf, RingFlags, RingRejected, Target};
pub use open::{Access, OpenOptions};
pub use queue::{Completion, Rejected, SgQueue, Ticket};
pub use reserve::ReserveBuffer;
pub use scsi_device::ScsiDevice;
pub use sg::{MAX_IN_FLIGHT, SgDevice};
pub use sg_control::{Reset, SgRequest, SgScsiId, SgVersion};

//! NVMe nodes: controllers (`/dev/nvmeX`) and namespaces (`/dev/ngXnY`,
//! `/dev/nvmeXnY`).

mod controller;
mod core;
mod formats;
mod namespace;
mod node;
mod raw;
#[cfg(feature = "uring")]
mod ring;

pub use controller::NvmeController;
pub use namespace::NvmeNamespace;
#[cfg(feature = "uring")]
pub use ring::{Completed, NvmeRing, NvmeRingBuilder, RingBuf, RingFlags, RingRejected, Target};

mod blocks;

pub use blocks::BlocksError;

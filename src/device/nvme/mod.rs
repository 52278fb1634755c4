//! NVMe nodes: controllers (`/dev/nvmeX`) and namespaces (`/dev/ngXnY`,
//! `/dev/nvmeXnY`).

mod controller;
mod core;
mod formats;
mod namespace;
mod node;
mod raw;

pub use controller::NvmeController;
pub use namespace::NvmeNamespace;

mod blocks;

pub use blocks::BlocksError;

//! Memory for the data of commands.

mod aligned;

pub use aligned::AlignedBuf;
pub(crate) use aligned::page_size;

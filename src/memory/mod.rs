//! Memory for the data of commands.

mod aligned;
#[cfg(feature = "uring")]
mod mark;
mod page;
#[cfg(feature = "uring")]
mod pool;

pub use aligned::AlignedBuf;
pub(crate) use aligned::page_size;
// In the signature of a hidden method of a public trait, and nowhere else.
#[cfg(feature = "uring")]
pub(crate) use mark::ForkMark;
#[allow(unreachable_pub)]
pub use page::Page;
#[cfg(feature = "uring")]
pub(crate) use pool::{Pool, PoolBuf};

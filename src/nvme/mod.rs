//! NVMe: commands as values, replies as types. Pure: nothing here talks to a
//! device.
//!
//! A command is sent by a [controller](crate::NvmeController) or a
//! [namespace](crate::NvmeNamespace) through the calls of
//! [`NvmeTransportExt`](crate::NvmeTransportExt):
//!
//! | the command | is sent by | and gives |
//! |---|---|---|
//! | moves no data ([`NoData`]) | `execute` | the [`Completion`] |
//! | has a reply with a type ([`Query`]) | `query` | the reply |
//! | brings bytes ([`DataIn`]) | `read` | them in the caller's slice |
//! | takes bytes ([`DataOut`]) | `write` | the [`Completion`] |
//! | takes bytes that it knows ([`WithData`]) | `send` | the [`Completion`] |
//!
//! # Why only this crate makes commands
//!
//! The kernel never compares the length of a buffer with what a command moves:
//! a READ of eight blocks into a buffer of one overwrites the seven blocks of
//! memory behind it. So every type here derives one from the other, and the
//! traits cannot be implemented elsewhere. Anything can be sent by the `unsafe`
//! calls of the devices (`submit_raw`).

mod command;
mod entry;
mod format;
pub mod identify;
pub mod io;
pub mod log;
mod nsid;
mod owned;
mod read_only;
mod status;
mod text;

pub use command::{Command, DataIn, DataOut, LengthMismatch, Lengths, Malformed, NoData, Query};
pub use entry::{Completion, Queue, Sqe};
pub use format::{Format, Protection};
pub use nsid::Nsid;
pub use read_only::is_read_only;
pub(crate) use read_only::may_change_formats;
pub use status::*;

mod with_data;

pub use with_data::WithData;
pub mod admin;
mod bits;
pub mod features;

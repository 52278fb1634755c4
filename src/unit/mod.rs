//! Logical units: what a program does with a whole disk, over any transport.
//!
//! A [`Disk`] knows how many blocks it has and how long they are, checks every
//! range before anything is sent, picks the commands that fit and splits what is
//! too long for one. It retries nothing.

mod disk;
mod layout;
mod open;
mod partial;

pub use disk::{DEFAULT_TRANSFER, Disk};
pub use layout::{Layout, ReadBlocks, VerifyBlocks, WriteBlocks};
pub use partial::Partial;

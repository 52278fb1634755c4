//! Optical drives (MMC-6): their commands and replies.

mod crc;
mod disc;
mod drive;
mod read;
mod write;

pub use disc::*;
pub use drive::*;
pub use read::*;
pub use write::*;

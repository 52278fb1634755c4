//! Logical units: what a program does with a whole disk, over any transport.
//!
//! A [`Disk`] knows how many blocks it has and how long they are, checks every
//! range before anything is sent, picks the commands that fit and splits what is
//! too long for one. It retries nothing.
//!
//! An [`OpticalDrive`] is a drive with a CD in it: sessions and tracks, reading
//! sectors with C2 and subchannels, and settings that are put back.

mod disk;
mod layout;
mod open;
mod optical;
mod partial;

pub use disk::{DEFAULT_TRANSFER, Disk};
pub use layout::{Layout, ReadBlocks, VerifyBlocks, WriteBlocks};
pub use optical::{
    Disc, DiscSource, LayoutAnswer, Layouts, LockGuard, OPTICAL_TRANSFER, OpticalDrive,
    PartialRead, ProbedLayout, ProbedLayouts, ReadFault, ReadSectors, RecoveryGuard, Remark,
    Session, Speed, Track, TrackKind,
};
pub use partial::Partial;

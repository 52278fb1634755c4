//! Blocks that are not there.

/// A range of blocks that is not within a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{blocks} blocks from block {lba} on were asked for, there are {capacity} blocks")]
pub struct OutOfRange {
    /// The address of the first block.
    pub lba: u64,
    /// How many blocks.
    pub blocks: u64,
    /// How many blocks the device has.
    pub capacity: u64,
}

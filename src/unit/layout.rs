//! The blocks of a disk, and the commands that reach them.

use crate::{
    error::OutOfRange,
    scsi::{
        Cdb, Command, DataIn, DataOut, LengthMismatch, NoData, Read10, Read16, Verify10, Verify16,
        Write10, Write16,
    },
};

/// How long the blocks of a disk are and how many there are; a value that makes
/// commands within them.
///
/// The commands are the ones with 10 bytes where address and count fit, else
/// those with 16. They work on any transport, and through a
/// [`ReserveBuffer`](crate::ReserveBuffer):
///
/// ```no_run
/// use passthru::{SgDevice, unit::Disk};
///
/// let layout = Disk::new(SgDevice::open("/dev/sg1")?)?.layout();
/// let mut source = SgDevice::open("/dev/sg1")?;
/// let mut reserve = source.map_reserve(64 << 10)?;
/// let blocks = (64 << 10) / layout.block_length();
/// reserve.read(&layout.read(0, blocks)?, 64 << 10)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    block_length: u32,
    blocks: u64,
}

/// READ(10) or READ(16); made by [`Layout::read`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReadBlocks(Sized<Read10, Read16>);

/// WRITE(10) or WRITE(16); made by [`Layout::write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteBlocks(Sized<Write10, Write16>);

/// VERIFY(10) or VERIFY(16); made by [`Layout::verify`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VerifyBlocks(Sized<Verify10, Verify16>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sized<Ten, Sixteen> {
    Ten(Ten),
    Sixteen(Sixteen),
}

impl<Ten: Command, Sixteen: Command> Sized<Ten, Sixteen> {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        match self {
            Self::Ten(command) => command.cdb_for(data_len),
            Self::Sixteen(command) => command.cdb_for(data_len),
        }
    }
}

macro_rules! commands {
    ($($name:ident is $direction:ident),*) => {$(
        impl Command for $name {
            fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
                self.0.cdb_for(data_len)
            }
        }

        impl $direction for $name {}
    )*};
}

commands!(ReadBlocks is DataIn, WriteBlocks is DataOut, VerifyBlocks is NoData);

impl Layout {
    /// Blocks of `block_length` bytes, `blocks` of them.
    #[must_use]
    pub const fn new(block_length: u32, blocks: u64) -> Self {
        Self {
            block_length,
            blocks,
        }
    }

    /// How many bytes a block has.
    #[must_use]
    pub const fn block_length(&self) -> u32 {
        self.block_length
    }

    /// How many blocks there are.
    #[must_use]
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// The capacity in bytes.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        u128::from(self.blocks) * u128::from(self.block_length)
    }

    /// Whether `blocks` blocks from block `lba` on are there.
    ///
    /// # Errors
    /// [`OutOfRange`] if not.
    pub fn check(&self, lba: u64, blocks: u64) -> Result<(), OutOfRange> {
        match lba.checked_add(blocks) {
            Some(end) if end <= self.blocks => Ok(()),
            _ => Err(OutOfRange {
                lba,
                blocks,
                capacity: self.blocks,
            }),
        }
    }

    /// Reads `blocks` blocks from block `lba` on, into a buffer of exactly that
    /// length.
    ///
    /// # Errors
    /// [`OutOfRange`] if they are not all there.
    pub fn read(&self, lba: u64, blocks: u32) -> Result<ReadBlocks, OutOfRange> {
        self.check(lba, blocks.into())?;
        Ok(ReadBlocks(match short(lba, blocks) {
            Some((lba, blocks)) => {
                Sized::Ten(Read10::new(lba, blocks).block_length(self.block_length))
            }
            None => Sized::Sixteen(Read16::new(lba, blocks).block_length(self.block_length)),
        }))
    }

    /// Writes `blocks` blocks from block `lba` on, from a buffer of exactly that
    /// length.
    ///
    /// # Errors
    /// [`OutOfRange`] if they are not all there.
    pub fn write(&self, lba: u64, blocks: u32) -> Result<WriteBlocks, OutOfRange> {
        self.check(lba, blocks.into())?;
        Ok(WriteBlocks(match short(lba, blocks) {
            Some((lba, blocks)) => {
                Sized::Ten(Write10::new(lba, blocks).block_length(self.block_length))
            }
            None => Sized::Sixteen(Write16::new(lba, blocks).block_length(self.block_length)),
        }))
    }

    /// Has the device check `blocks` blocks from block `lba` on.
    ///
    /// # Errors
    /// [`OutOfRange`] if they are not all there.
    pub fn verify(&self, lba: u64, blocks: u32) -> Result<VerifyBlocks, OutOfRange> {
        self.check(lba, blocks.into())?;
        Ok(VerifyBlocks(match short(lba, blocks) {
            Some((lba, blocks)) => Sized::Ten(Verify10::new(lba, blocks)),
            None => Sized::Sixteen(Verify16::new(lba, blocks)),
        }))
    }
}

/// Address and count as a 10-byte CDB holds them.
fn short(lba: u64, blocks: u32) -> Option<(u32, u16)> {
    Some((lba.try_into().ok()?, blocks.try_into().ok()?))
}

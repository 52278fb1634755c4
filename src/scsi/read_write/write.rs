//! WRITE(10) and WRITE(16).

use zerocopy::byteorder::big_endian::{U16, U32, U64};

use super::{
    Cdb, Command, DataOut, DurationLimit, GroupNumber, LengthMismatch, Options, Protect, Wire10,
    Wire16,
};

/// WRITE(10) (2Ah, SBC-4 5.40): writes blocks with addresses up to
/// FFFFFFFFh and at most 65,535 blocks.
///
/// ```
/// use passthru::scsi::{Command, LengthMismatch, Write10};
///
/// let write = Write10::new(0x1000, 8).block_length(512).fua(true);
/// assert_eq!(
///     write.cdb_for(4096)?.as_bytes(),
///     [0x2a, 0x08, 0, 0, 0x10, 0x00, 0, 0, 8, 0],
/// );
/// // A buffer for 9 blocks is a mistake, found before anything is sent.
/// assert!(write.cdb_for(4608).is_err());
/// # Ok::<(), LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "WRITE_10")]
pub struct Write10 {
    lba: u32,
    blocks: u16,
    options: Options,
}

impl Write10 {
    /// Writes `blocks` blocks from block `lba` on; none at all if `blocks` is
    /// 0, and then the buffer must be empty.
    #[must_use]
    pub const fn new(lba: u32, blocks: u16) -> Self {
        Self {
            lba,
            blocks,
            options: Options::NONE,
        }
    }

    /// How many bytes are transferred for each block, protection information
    /// included. With it the buffer must have exactly that much for all blocks;
    /// without it, or with 0, the buffer's length must be a multiple of the
    /// number of blocks and leave at least 512 bytes for each.
    #[must_use]
    pub const fn block_length(mut self, bytes: u32) -> Self {
        self.options.block_length = bytes;
        self
    }

    /// Has the blocks on the medium before the command ends (FUA).
    #[must_use]
    #[doc(alias("FUA", "force_unit_access"))]
    pub const fn fua(mut self, fua: bool) -> Self {
        self.options.fua = fua;
        self
    }

    /// Tells the device that these blocks are not worth a place in its cache
    /// (DPO).
    #[must_use]
    #[doc(alias("DPO", "disable_page_out"))]
    pub const fn dpo(mut self, dpo: bool) -> Self {
        self.options.dpo = dpo;
        self
    }

    /// What to do with protection information (WRPROTECT).
    #[must_use]
    #[doc(alias = "WRPROTECT")]
    pub const fn protect(mut self, protect: Protect) -> Self {
        self.options.protect = protect;
        self
    }

    /// Counts the command under this group number.
    #[must_use]
    pub const fn group_number(mut self, group: GroupNumber) -> Self {
        self.options.group = group;
        self
    }

    /// The control byte; 0 without this.
    #[must_use]
    pub const fn control(mut self, control: u8) -> Self {
        self.options.control = control;
        self
    }

    /// The address of the first block.
    #[must_use]
    pub const fn lba(&self) -> u32 {
        self.lba
    }

    /// How many blocks.
    #[must_use]
    pub const fn blocks(&self) -> u16 {
        self.blocks
    }
}

impl Command for Write10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        self.options.check(self.blocks.into(), data_len)?;
        Ok(Wire10 {
            opcode: 0x2a,
            flags: self.options.flags(),
            lba: U32::new(self.lba),
            group: self.options.group.get(),
            blocks: U16::new(self.blocks),
            control: self.options.control,
        }
        .into())
    }
}

impl DataOut for Write10 {}

/// WRITE(16) (8Ah, SBC-4 5.42): writes blocks with any address,
/// and up to 4,294,967,295 blocks.
///
/// ```
/// use passthru::scsi::{Command, LengthMismatch, Write16};
///
/// let write = Write16::new(0x1000, 8).block_length(512).fua(true);
/// assert_eq!(
///     write.cdb_for(4096)?.as_bytes(),
///     [0x8a, 0x08, 0, 0, 0, 0, 0, 0, 0x10, 0x00, 0, 0, 0, 8, 0, 0],
/// );
/// // A buffer for 9 blocks is a mistake, found before anything is sent.
/// assert!(write.cdb_for(4608).is_err());
/// # Ok::<(), LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "WRITE_16")]
pub struct Write16 {
    lba: u64,
    blocks: u32,
    options: Options,
    duration_limit: DurationLimit,
}

impl Write16 {
    /// Writes `blocks` blocks from block `lba` on; none at all if `blocks` is
    /// 0, and then the buffer must be empty.
    #[must_use]
    pub const fn new(lba: u64, blocks: u32) -> Self {
        Self {
            lba,
            blocks,
            options: Options::NONE,
            duration_limit: DurationLimit::NONE,
        }
    }

    /// How many bytes are transferred for each block, protection information
    /// included. With it the buffer must have exactly that much for all blocks;
    /// without it, or with 0, the buffer's length must be a multiple of the
    /// number of blocks and leave at least 512 bytes for each.
    #[must_use]
    pub const fn block_length(mut self, bytes: u32) -> Self {
        self.options.block_length = bytes;
        self
    }

    /// Has the blocks on the medium before the command ends (FUA).
    #[must_use]
    #[doc(alias("FUA", "force_unit_access"))]
    pub const fn fua(mut self, fua: bool) -> Self {
        self.options.fua = fua;
        self
    }

    /// Tells the device that these blocks are not worth a place in its cache
    /// (DPO).
    #[must_use]
    #[doc(alias("DPO", "disable_page_out"))]
    pub const fn dpo(mut self, dpo: bool) -> Self {
        self.options.dpo = dpo;
        self
    }

    /// What to do with protection information (WRPROTECT).
    #[must_use]
    #[doc(alias = "WRPROTECT")]
    pub const fn protect(mut self, protect: Protect) -> Self {
        self.options.protect = protect;
        self
    }

    /// Counts the command under this group number.
    #[must_use]
    pub const fn group_number(mut self, group: GroupNumber) -> Self {
        self.options.group = group;
        self
    }

    /// How long the command may take in the device: one of the descriptors in
    /// its command duration limits mode page for writes.
    #[must_use]
    #[doc(alias("DLD", "CDL"))]
    pub const fn duration_limit(mut self, limit: DurationLimit) -> Self {
        self.duration_limit = limit;
        self
    }

    /// The control byte; 0 without this.
    #[must_use]
    pub const fn control(mut self, control: u8) -> Self {
        self.options.control = control;
        self
    }

    /// The address of the first block.
    #[must_use]
    pub const fn lba(&self) -> u64 {
        self.lba
    }

    /// How many blocks.
    #[must_use]
    pub const fn blocks(&self) -> u32 {
        self.blocks
    }
}

impl Command for Write16 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        self.options.check(self.blocks, data_len)?;
        Ok(Wire16 {
            opcode: 0x8a,
            flags: self.options.flags() | self.duration_limit.high(),
            lba: U64::new(self.lba),
            blocks: U32::new(self.blocks),
            group: self.duration_limit.low() | self.options.group.get(),
            control: self.options.control,
        }
        .into())
    }
}

impl DataOut for Write16 {}

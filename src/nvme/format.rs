//! How the blocks of a namespace look: what a read or write moves.

/// Protection information of a namespace (NVM Command Set 1.1, 5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Protection {
    /// Type 1, 2 or 3.
    pub kind: u8,
    /// How many bytes it has: 8 with a 16-bit guard, 16 with a 32-bit or 64-bit
    /// guard.
    pub size: u16,
    /// Whether it is the first bytes of the metadata, not the last.
    pub first: bool,
}

/// The LBA format of a namespace: what its blocks are made of.
///
/// ```
/// use passthru::nvme::Format;
///
/// let plain = Format::new(4096);
/// assert_eq!((plain.data_len(8), plain.metadata_len(8)), (32768, 0));
/// let extended = Format::new(512).metadata(16, true);
/// assert_eq!((extended.data_len(8), extended.metadata_len(8)), (4224, 0));
/// let separate = Format::new(512).metadata(8, false);
/// assert_eq!((separate.data_len(8), separate.metadata_len(8)), (4096, 64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("lbaf", "FLBAS", "LBADS"))]
pub struct Format {
    block_length: u32,
    metadata: u16,
    extended: bool,
    protection: Option<Protection>,
    /// What a block takes of the data buffer, in bytes.
    data_unit: u64,
    /// What it takes of the metadata buffer.
    metadata_unit: u64,
}

impl Format {
    /// Blocks of `block_length` bytes without metadata.
    #[must_use]
    pub const fn new(block_length: u32) -> Self {
        Self {
            block_length,
            metadata: 0,
            extended: false,
            protection: None,
            data_unit: block_length as u64,
            metadata_unit: 0,
        }
    }

    /// With `bytes` of metadata for each block, behind its data (`extended`) or
    /// in a buffer of its own.
    #[must_use]
    pub const fn metadata(mut self, bytes: u16, extended: bool) -> Self {
        self.metadata = bytes;
        self.extended = extended && bytes > 0;
        let (length, bytes) = (self.block_length as u64, bytes as u64);
        (self.data_unit, self.metadata_unit) = if extended {
            (length + bytes, 0)
        } else {
            (length, bytes)
        };
        self
    }

    /// With protection information in the metadata.
    #[must_use]
    pub const fn protection(mut self, protection: Option<Protection>) -> Self {
        self.protection = protection;
        self
    }

    /// How many bytes of data a block has, without metadata.
    #[must_use]
    pub const fn block_length(&self) -> u32 {
        self.block_length
    }

    /// How many bytes of metadata a block has.
    #[must_use]
    pub const fn metadata_size(&self) -> u16 {
        self.metadata
    }

    /// Whether the metadata is moved with the data, behind each block's.
    #[must_use]
    pub const fn is_extended(&self) -> bool {
        self.extended
    }

    /// The protection information, if it is enabled.
    #[must_use]
    pub const fn protection_information(&self) -> Option<Protection> {
        self.protection
    }

    /// Whether the metadata is protection information and nothing else, so that
    /// a command with PRACT moves none: the controller makes and checks it.
    #[must_use]
    pub fn is_pure_protection(&self) -> bool {
        self.protection
            .is_some_and(|protection| protection.size == self.metadata)
    }

    /// How many bytes of the data buffer `blocks` blocks take.
    #[must_use]
    #[inline]
    pub fn data_len(&self, blocks: u32) -> u64 {
        u64::from(blocks) * self.data_unit
    }

    /// How many bytes of the metadata buffer `blocks` blocks take.
    #[must_use]
    #[inline]
    pub fn metadata_len(&self, blocks: u32) -> u64 {
        u64::from(blocks) * self.metadata_unit
    }
}

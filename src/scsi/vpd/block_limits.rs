//! VPD page B0h of a disk: block limits.

use super::{Malformed, Vpd, VpdCode, VpdPage, wire};

/// Asks for page B0h, the block limits of a disk (SBC-4 6.6.4).
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::BlockLimits};
///
/// // The 16 bytes of an SBC-2 device: at most 256 blocks a command.
/// let reply = [0, 0xb0, 0, 12, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 0];
/// let limits = Inquiry::vpd(BlockLimits).parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!(limits.maximum_transfer_length(), Some(256));
/// assert_eq!(limits.optimal_transfer_length(), None); // 0: not reported
/// assert_eq!(limits.maximum_unmap_lba_count(), None); // not in the page
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "VPD B0h")]
pub struct BlockLimits;

impl Vpd for BlockLimits {
    type Page<'a> = BlockLimitsPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::BLOCK_LIMITS
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<BlockLimitsPage<'a>, Malformed> {
        Ok(BlockLimitsPage(page))
    }
}

/// VPD page B0h of a disk, as it arrived. Lengths are in logical blocks.
///
/// A getter gives `None` if the page ends before the field. For most fields 0
/// stands for "not reported", and gives `None` too; the other ones say what 0
/// means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLimitsPage<'a>(VpdPage<'a>);

impl<'a> BlockLimitsPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    fn reported(&self, offset: usize) -> Option<u32> {
        wire::be32(self.bytes(), offset).filter(|&value| value != 0)
    }

    /// Whether WRITE SAME with a block count of zero is refused instead of
    /// meaning "to the end of the medium" (WSNZ).
    #[must_use]
    #[doc(alias = "WSNZ")]
    pub fn write_same_non_zero(&self) -> Option<bool> {
        wire::flag(self.bytes(), 4, 0x01)
    }

    /// The most blocks that COMPARE AND WRITE takes; 0 if that command is not
    /// supported.
    #[must_use]
    pub fn maximum_compare_and_write_length(&self) -> Option<u8> {
        wire::byte(self.bytes(), 5)
    }

    /// The number of blocks of which a transfer should be a multiple.
    #[must_use]
    pub fn optimal_transfer_length_granularity(&self) -> Option<u16> {
        wire::be16(self.bytes(), 6).filter(|&value| value != 0)
    }

    /// The most blocks that one command transfers.
    #[must_use]
    pub fn maximum_transfer_length(&self) -> Option<u32> {
        self.reported(8)
    }

    /// Above this many blocks a transfer may become slower.
    #[must_use]
    pub fn optimal_transfer_length(&self) -> Option<u32> {
        self.reported(12)
    }

    /// The most blocks that PRE-FETCH takes.
    #[must_use]
    pub fn maximum_prefetch_length(&self) -> Option<u32> {
        self.reported(16)
    }

    /// The most blocks that one UNMAP command unmaps; 0 if that command is not
    /// supported, `u32::MAX` if there is no limit.
    #[must_use]
    pub fn maximum_unmap_lba_count(&self) -> Option<u32> {
        wire::be32(self.bytes(), 20)
    }

    /// The most descriptors in one UNMAP command; 0 if that command is not
    /// supported, `u32::MAX` if there is no limit.
    #[must_use]
    pub fn maximum_unmap_descriptor_count(&self) -> Option<u32> {
        wire::be32(self.bytes(), 24)
    }

    /// The number of blocks of which an unmapped range should be a multiple.
    #[must_use]
    pub fn optimal_unmap_granularity(&self) -> Option<u32> {
        self.reported(28)
    }

    /// The first block at which such a range should begin, if the UGAVALID bit
    /// says that the field means something.
    #[must_use]
    #[doc(alias = "UGAVALID")]
    pub fn unmap_granularity_alignment(&self) -> Option<u32> {
        let field = wire::be32(self.bytes(), 32)?;
        (field >> 31 == 1).then_some(field & 0x7fff_ffff)
    }

    /// The most blocks that one WRITE SAME writes.
    #[must_use]
    pub fn maximum_write_same_length(&self) -> Option<u64> {
        wire::be64(self.bytes(), 36).filter(|&value| value != 0)
    }

    /// The most blocks that an atomic write without boundaries takes.
    #[must_use]
    pub fn maximum_atomic_transfer_length(&self) -> Option<u32> {
        self.reported(44)
    }

    /// The number of blocks of which an atomic write's LBA must be a multiple;
    /// 0 if there is no such rule.
    #[must_use]
    pub fn atomic_alignment(&self) -> Option<u32> {
        wire::be32(self.bytes(), 48)
    }

    /// The number of blocks of which an atomic write's length must be a
    /// multiple; 0 if there is no such rule.
    #[must_use]
    pub fn atomic_transfer_length_granularity(&self) -> Option<u32> {
        wire::be32(self.bytes(), 52)
    }

    /// The most blocks that an atomic write with boundaries takes.
    #[must_use]
    pub fn maximum_atomic_transfer_length_with_boundary(&self) -> Option<u32> {
        self.reported(56)
    }

    /// The largest distance of atomic boundaries in blocks; 0 if an atomic
    /// write can have one block only.
    #[must_use]
    pub fn maximum_atomic_boundary_size(&self) -> Option<u32> {
        wire::be32(self.bytes(), 60)
    }
}

//! The replies of READ CAPACITY.

use core::fmt;

use super::{LEN_10, LEN_16, MIN_16};
use crate::scsi::{Malformed, wire};

/// The address of the last block, which is one less than the number of blocks.
///
/// ```
/// use passthru::scsi::LastLba;
///
/// assert_eq!(LastLba(0xee77_52af).blocks(), Some(0xee77_52b0));
/// assert_eq!(LastLba(u64::MAX).blocks(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "RETURNED LOGICAL BLOCK ADDRESS")]
pub struct LastLba(pub u64);

impl LastLba {
    /// How many blocks there are; `None` for `u64::MAX`, which is no address
    /// that a device has.
    #[must_use]
    pub const fn blocks(self) -> Option<u64> {
        self.0.checked_add(1)
    }

    /// The capacity in bytes. The largest product has 96 bits.
    #[must_use]
    pub fn capacity_bytes(self, block_length: u32) -> u128 {
        u128::from(self.0)
            .saturating_add(1)
            .saturating_mul(block_length.into())
    }
}

impl fmt::Display for LastLba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Whether a device may have blocks of so many bytes: a power of two from 512
/// to 65,536, or one of those sizes with protection or system bytes (520, 524,
/// 528, 4104, 4160, 4224), or the sector of a CD writer that counts its headers
/// (2336, 2340, 2352).
///
/// Do not calculate with masks on it: not all of them are powers of two.
#[must_use]
pub const fn is_plausible_block_length(bytes: u32) -> bool {
    match bytes {
        520 | 524 | 528 | 2336 | 2340 | 2352 | 4104 | 4160 | 4224 => true,
        512..=65_536 => bytes.is_power_of_two(),
        _ => false,
    }
}

/// The reply of READ CAPACITY(10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity10 {
    last_lba: u32,
    block_length: u32,
}

impl Capacity10 {
    /// Reads the bytes that arrived.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 8.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (Some(last_lba), Some(block_length)) = (wire::be32(bytes, 0), wire::be32(bytes, 4))
        else {
            return Err(Malformed::Short {
                need: LEN_10,
                got: bytes.len(),
            });
        };
        Ok(Self {
            last_lba,
            block_length,
        })
    }

    /// The last block's address as the device has it; FFFFFFFFh if it does not
    /// fit ([`is_saturated`](Self::is_saturated)).
    #[must_use]
    pub fn last_lba(&self) -> LastLba {
        LastLba(self.last_lba.into())
    }

    /// Whether the capacity is too large for this command, so that only
    /// [`ReadCapacity16`](super::ReadCapacity16) can tell it.
    #[must_use]
    pub const fn is_saturated(&self) -> bool {
        self.last_lba == u32::MAX
    }

    /// The length of a block in bytes.
    #[must_use]
    pub const fn block_length(&self) -> u32 {
        self.block_length
    }

    /// How many blocks there are; `None` if saturated.
    #[must_use]
    pub fn blocks(&self) -> Option<u64> {
        if self.is_saturated() {
            return None;
        }
        self.last_lba().blocks()
    }

    /// The capacity in bytes; `None` if saturated.
    #[must_use]
    pub fn capacity_bytes(&self) -> Option<u128> {
        (!self.is_saturated()).then(|| self.last_lba().capacity_bytes(self.block_length))
    }

    /// Whether a device can have such blocks; see
    /// [`is_plausible_block_length`].
    #[must_use]
    pub const fn is_plausible(&self) -> bool {
        is_plausible_block_length(self.block_length)
    }
}

/// The reply of READ CAPACITY(16) (SBC-4 5.21). What may be missing in a short
/// one is an `Option`.
///
/// ```
/// use passthru::scsi::{Capacity10, Capacity16};
///
/// // A USB bridge that answers nonsense: 130 PB instead of 512 GB.
/// let long = Capacity16::parse(&[0, 0, 0xe4, 0xb3, 0x45, 0x55, 0xa7, 0xb4, 0, 0, 2, 0])?;
/// let short = Capacity10::parse(&[0x3b, 0x9e, 0x12, 0xaf, 0, 0, 2, 0])?;
/// assert!(!long.agrees_with(&short));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capacity16 {
    last_lba: u64,
    block_length: u32,
    protection: Option<u8>,
    exponents: Option<u8>,
    provisioning: Option<u16>,
}

impl Capacity16 {
    /// Reads the bytes that arrived.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 12.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let bytes = wire::head(bytes, LEN_16);
        let (Some(last_lba), Some(block_length)) = (wire::be64(bytes, 0), wire::be32(bytes, 8))
        else {
            return Err(Malformed::Short {
                need: MIN_16,
                got: bytes.len(),
            });
        };
        Ok(Self {
            last_lba,
            block_length,
            protection: wire::byte(bytes, 12),
            exponents: wire::byte(bytes, 13),
            provisioning: wire::be16(bytes, 14),
        })
    }

    /// The last block's address.
    #[must_use]
    pub const fn last_lba(&self) -> LastLba {
        LastLba(self.last_lba)
    }

    /// The length of a block in bytes, protection information not counted.
    #[must_use]
    pub const fn block_length(&self) -> u32 {
        self.block_length
    }

    /// How many blocks there are; `None` if the last address is `u64::MAX`.
    #[must_use]
    pub const fn blocks(&self) -> Option<u64> {
        self.last_lba().blocks()
    }

    /// The capacity in bytes.
    #[must_use]
    pub fn capacity_bytes(&self) -> u128 {
        self.last_lba().capacity_bytes(self.block_length)
    }

    /// Whether blocks carry protection information (`PROT_EN`).
    #[must_use]
    #[doc(alias = "PROT_EN")]
    pub fn protection_enabled(&self) -> Option<bool> {
        self.protection.map(|byte| byte & 0x01 != 0)
    }

    /// The protection type, 1 to 3, if blocks carry protection information:
    /// one more than the `P_TYPE` field.
    #[must_use]
    #[doc(alias = "P_TYPE")]
    pub fn protection_type(&self) -> Option<u8> {
        let byte = self.protection?;
        (byte & 0x01 != 0).then_some(((byte >> 1) & 7) + 1)
    }

    /// What the last address is that of (`RC_BASIS`): 0 the last block of the
    /// zones that can be written at random, 1 the last block of all. For host
    /// managed and host aware zoned disks.
    #[must_use]
    #[doc(alias = "RC_BASIS")]
    pub fn basis(&self) -> Option<u8> {
        self.protection.map(|byte| (byte >> 4) & 3)
    }

    /// How many protection information intervals a block has: 1 to 32,768.
    #[must_use]
    #[doc(alias = "P_I_EXPONENT")]
    pub fn protection_intervals(&self) -> Option<u32> {
        self.exponents.map(|byte| 1 << (byte >> 4))
    }

    /// How many logical blocks a physical block has: 1 to 32,768. 1 may also
    /// mean that the device does not say.
    #[must_use]
    #[doc(alias = "LOGICAL BLOCKS PER PHYSICAL BLOCK EXPONENT")]
    pub fn logical_blocks_per_physical(&self) -> Option<u32> {
        self.exponents.map(|byte| 1 << (byte & 0x0f))
    }

    /// Whether blocks can be unmapped (LBPME).
    #[must_use]
    #[doc(alias = "LBPME")]
    pub fn provisioning_enabled(&self) -> Option<bool> {
        self.provisioning.map(|field| field & 0x8000 != 0)
    }

    /// Whether unmapped blocks read as zeros (LBPRZ).
    #[must_use]
    #[doc(alias = "LBPRZ")]
    pub fn unmapped_reads_zeros(&self) -> Option<bool> {
        self.provisioning.map(|field| field & 0x4000 != 0)
    }

    /// The first logical block that begins a physical one.
    #[must_use]
    pub fn lowest_aligned_lba(&self) -> Option<u16> {
        self.provisioning.map(|field| field & 0x3fff)
    }

    /// Whether a device can have such blocks
    /// ([`is_plausible_block_length`]) and so many of them (the last address is
    /// not `u64::MAX`).
    #[must_use]
    pub const fn is_plausible(&self) -> bool {
        is_plausible_block_length(self.block_length) && self.blocks().is_some()
    }

    /// Whether both commands tell the same: equal block lengths, and equal last
    /// addresses unless the short one is saturated and the long one above what
    /// it holds. If not, at least one of them is wrong, often that of a USB
    /// bridge; compare with what the block layer found.
    #[must_use]
    pub fn agrees_with(&self, short: &Capacity10) -> bool {
        let same_end = if short.is_saturated() {
            self.last_lba >= u64::from(u32::MAX)
        } else {
            self.last_lba() == short.last_lba()
        };
        same_end && self.block_length == short.block_length
    }
}

impl fmt::Debug for Capacity16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capacity16")
            .field("last_lba", &self.last_lba)
            .field("block_length", &self.block_length)
            .field("protection_type", &self.protection_type())
            .field(
                "logical_blocks_per_physical",
                &self.logical_blocks_per_physical(),
            )
            .field("provisioning_enabled", &self.provisioning_enabled())
            .field("unmapped_reads_zeros", &self.unmapped_reads_zeros())
            .field("lowest_aligned_lba", &self.lowest_aligned_lba())
            .finish_non_exhaustive()
    }
}

//! READ CAPACITY (10) and (16).

use core::fmt;

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U32, U64},
};

use super::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, wire};

/// READ CAPACITY(10) (25h, SBC-5 5.18): the last block and the block length of
/// a disk or an optical medium.
///
/// ```
/// use passthru::scsi::{Command, Query, ReadCapacity10, ReplyBytes};
///
/// let command = ReadCapacity10;
/// let cdb = command.cdb_for(command.allocation_length())?;
/// assert_eq!(cdb.as_bytes(), [0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
///
/// let reply = ReplyBytes::borrowed(&[0x90, 0x83, 0xff, 0xff, 0x00, 0x00, 0x10, 0x00]);
/// let capacity = command.parse(reply).unwrap();
/// assert_eq!(capacity.block_length(), 4096);
/// assert_eq!(capacity.blocks(), Some(2_424_569_856));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "READ_CAPACITY")]
pub struct ReadCapacity10;

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire10 {
    opcode: u8,
    obsolete: u8,
    lba: U32,
    reserved: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<Wire10>() == 10);

/// The reply of READ CAPACITY(10), in bytes; the CDB cannot ask for another
/// length.
const LEN_10: usize = 8;

impl Command for ReadCapacity10 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        if data_len != LEN_10 {
            return Err(LengthMismatch::Exact {
                len: data_len,
                expected: LEN_10 as u64,
            });
        }
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire10 {
            opcode: 0x25,
            obsolete: 0,
            lba: U32::ZERO,
            reserved: [0; 3],
            control: 0,
        })))
    }
}

impl DataIn for ReadCapacity10 {}

impl Query for ReadCapacity10 {
    type Reply<'a> = Capacity10;

    fn allocation_length(&self) -> usize {
        LEN_10
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Capacity10, Malformed> {
        Capacity10::parse(&reply)
    }
}

/// READ CAPACITY(16) (9Eh/10h, SBC-5 5.19): the same with 64 bits, and the
/// physical block size, provisioning and protection.
///
/// Some old devices hang on it. Ask for [`ReadCapacity10`] first, and for this
/// one if the answer [is saturated](Capacity10::is_saturated) or the device
/// claims SPC-3 or later.
///
/// ```
/// use passthru::scsi::{Command, Query, ReadCapacity16};
///
/// let command = ReadCapacity16::new();
/// let cdb = command.cdb_for(command.allocation_length())?;
/// assert_eq!(
///     cdb.as_bytes(),
///     [0x9e, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("SERVICE_ACTION_IN_16", "SAI_READ_CAPACITY_16"))]
pub struct ReadCapacity16 {
    allocation_length: u32,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire16 {
    opcode: u8,
    service_action: u8,
    lba: U64,
    allocation_length: U32,
    obsolete: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire16>() == 16);

/// The last block and the block length: less than that says nothing.
const MIN_16: usize = 12;

/// The whole reply.
const LEN_16: usize = 32;

impl ReadCapacity16 {
    /// Asks for all 32 bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocation_length: 32,
        }
    }

    /// How many bytes to ask for: 12 or more, of which 32 mean something.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u32) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Default for ReadCapacity16 {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for ReadCapacity16 {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        if data_len < MIN_16 {
            return Err(LengthMismatch::TooShort {
                len: data_len,
                min: MIN_16,
            });
        }
        let allocation_length = u32::try_from(data_len).map_err(|_| LengthMismatch::TooLong {
            len: data_len,
            max: usize::try_from(u32::MAX).unwrap_or(usize::MAX),
        })?;
        Ok(Cdb::from_array::<16>(zerocopy::transmute!(Wire16 {
            opcode: 0x9e,
            service_action: 0x10,
            lba: U64::ZERO,
            allocation_length: U32::new(allocation_length),
            obsolete: 0,
            control: 0,
        })))
    }
}

impl DataIn for ReadCapacity16 {}

impl Query for ReadCapacity16 {
    type Reply<'a> = Capacity16;

    fn allocation_length(&self) -> usize {
        usize::try_from(self.allocation_length).unwrap_or(usize::MAX)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Capacity16, Malformed> {
        Capacity16::parse(&reply)
    }
}

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
    /// [`ReadCapacity16`] can tell it.
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

/// The reply of READ CAPACITY(16) (SBC-5 5.19.2). What may be missing in a short
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

#[cfg(test)]
#[path = "capacity_tests.rs"]
mod tests;

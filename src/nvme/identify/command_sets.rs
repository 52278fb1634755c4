//! I/O command sets, and which of them a controller has (CNS 1Ch).

use core::fmt;

use bitflags::bitflags;
use zerocopy::byteorder::little_endian::U64;

use super::{LENGTH, queries, sqe, with_controller};
use crate::nvme::{Malformed, Sqe};

/// An I/O command set (CSI). NVMe Base 2.1, 5.1.13.1.
///
/// ```
/// use passthru::nvme::identify::CommandSet;
///
/// assert_eq!(CommandSet::ZONED.to_string(), "Zoned Namespace Command Set");
/// assert_eq!(CommandSet::from_raw(0x30).to_string(), "command set 30h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("CSI", "nvme_csi", "NVME_CSI_NVM", "NVME_CSI_ZNS"))]
pub struct CommandSet(u8);

impl CommandSet {
    /// Blocks.
    pub const NVM: Self = Self(0);
    /// Keys and values.
    pub const KEY_VALUE: Self = Self(1);
    /// Blocks in zones.
    pub const ZONED: Self = Self(2);
    /// Subsystem local memory.
    pub const LOCAL_MEMORY: Self = Self(3);
    /// Computational programs.
    pub const COMPUTATIONAL_PROGRAMS: Self = Self(4);

    /// The set of this number.
    #[must_use]
    pub const fn from_raw(raw: u8) -> Self {
        Self(raw)
    }

    /// The number.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }
}

impl fmt::Display for CommandSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NVM => "NVM Command Set",
            Self::KEY_VALUE => "Key Value Command Set",
            Self::ZONED => "Zoned Namespace Command Set",
            Self::LOCAL_MEMORY => "Subsystem Local Memory Command Set",
            Self::COMPUTATIONAL_PROGRAMS => "Computational Programs Command Set",
            Self(other) => return write!(f, "command set {other:02X}h"),
        })
    }
}

/// Which combinations of I/O command sets a controller can be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_id_iocs")]
pub struct ListCommandSets {
    controller: u16,
}

impl ListCommandSets {
    /// Of the controller that is asked.
    #[must_use]
    pub const fn new() -> Self {
        Self { controller: 0xffff }
    }

    /// Of another controller of the NVM subsystem.
    #[must_use]
    pub const fn of(controller: u16) -> Self {
        Self { controller }
    }

    fn entry(&self) -> Sqe {
        with_controller(sqe(0x1c, None), self.controller)
    }
}

impl Default for ListCommandSets {
    fn default() -> Self {
        Self::new()
    }
}

queries!(ListCommandSets => CommandSetList);

bitflags! {
    /// A combination of I/O command sets: bit n for [`CommandSet`] n.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "IOCSC")]
    pub struct CommandSets: u64 {
        /// [`CommandSet::NVM`].
        const NVM = 1 << 0;
        /// [`CommandSet::KEY_VALUE`].
        const KEY_VALUE = 1 << 1;
        /// [`CommandSet::ZONED`].
        const ZONED = 1 << 2;
        /// [`CommandSet::LOCAL_MEMORY`].
        const LOCAL_MEMORY = 1 << 3;
        /// [`CommandSet::COMPUTATIONAL_PROGRAMS`].
        const COMPUTATIONAL_PROGRAMS = 1 << 4;
        // Later revisions may define more.
        const _ = !0;
    }
}

/// The Identify I/O Command Set data structure. NVMe Base 2.1, 5.1.13.2, CNS 1Ch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSetList(Vec<CommandSets>);

impl CommandSetList {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 4096 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let (wire, _) = super::prefix::<[U64; LENGTH / 8]>(bytes)?;
        Ok(Self(
            wire.iter()
                .map(|vector| CommandSets::from_bits_retain(vector.get()))
                .collect(),
        ))
    }

    /// The combinations, with their indexes for the I/O Command Set Profile
    /// feature.
    pub fn combinations(&self) -> impl Iterator<Item = (usize, CommandSets)> + '_ {
        let all = self.0.iter().copied().enumerate();
        all.filter(|(_, sets)| !sets.is_empty())
    }
}

//! What the NVM Command Set adds to controllers (CNS 06h with CSI 00h).

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{CommandSet, Version, queries, size_limit, sqe, with_command_set};
use crate::nvme::{Malformed, Sqe};

/// Asks for the limits of a controller for single commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("nvm-id-ctrl", "nvme_id_ctrl_nvm"))]
pub struct IdentifyNvmController;

impl IdentifyNvmController {
    #[allow(clippy::unused_self)] // as all others
    fn entry(&self) -> Sqe {
        with_command_set(sqe(0x06, None), CommandSet::NVM)
    }
}

queries!(IdentifyNvmController => NvmControllerData);

/// The I/O Command Set Specific Identify Controller data structure of the NVM
/// Command Set 1.1, 4.1.5.4.
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_id_ctrl_nvm")]
pub struct NvmControllerData(NvmControllerDataWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct NvmControllerDataWire {
    vsl: u8,
    wzsl: u8,
    wusl: u8,
    dmrl: u8,
    dmrsl: U32,
    dmsl: U64,
    kpiocap: u8,
    wzdsl: u8,
    aocs: U16,
    ver: U32,
    lbamqf: u8,
}

const _: () = assert!(size_of::<NvmControllerDataWire>() == 25);

impl NvmControllerData {
    /// Reads the data structure.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than 25 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        super::prefix(bytes).map(|(data, _)| Self(data))
    }

    /// The most bytes that one Verify may verify (VSL), if `page_size` is the
    /// controller's least page size in bytes. `None` for no limit.
    #[must_use]
    #[doc(alias = "VSL")]
    pub fn max_verify(&self, page_size: u32) -> Option<u64> {
        size_limit(self.0.vsl, page_size)
    }

    /// The most bytes that one Write Zeroes may write (WZSL), as
    /// [`max_verify`](Self::max_verify).
    #[must_use]
    #[doc(alias = "WZSL")]
    pub fn max_write_zeroes(&self, page_size: u32) -> Option<u64> {
        size_limit(self.0.wzsl, page_size)
    }

    /// The most bytes that one Write Zeroes that deallocates may write (WZDSL),
    /// as [`max_verify`](Self::max_verify). `None` if
    /// [`max_write_zeroes`](Self::max_write_zeroes) says so.
    #[must_use]
    #[doc(alias = "WZDSL")]
    pub fn max_write_zeroes_deallocate(&self, page_size: u32) -> Option<u64> {
        size_limit(self.0.wzdsl, page_size)
    }

    /// The most bytes that one Write Uncorrectable may mark (WUSL), as
    /// [`max_verify`](Self::max_verify).
    #[must_use]
    #[doc(alias = "WUSL")]
    pub fn max_write_uncorrectable(&self, page_size: u32) -> Option<u64> {
        size_limit(self.0.wusl, page_size)
    }

    /// How many ranges one Dataset Management may name (DMRL); `None` for no
    /// limit.
    #[must_use]
    #[doc(alias = "DMRL")]
    pub fn max_dataset_ranges(&self) -> Option<u8> {
        Some(self.0.dmrl).filter(|limit| *limit != 0)
    }

    /// How many blocks one range of a Dataset Management may have (DMRSL);
    /// `None` for no limit.
    #[must_use]
    #[doc(alias = "DMRSL")]
    pub fn max_dataset_range_blocks(&self) -> Option<u32> {
        Some(self.0.dmrsl.get()).filter(|limit| *limit != 0)
    }

    /// How many blocks all ranges of a Dataset Management may have together
    /// (DMSL); `None` for no limit.
    #[must_use]
    #[doc(alias = "DMSL")]
    pub fn max_dataset_blocks(&self) -> Option<u64> {
        Some(self.0.dmsl.get()).filter(|limit| *limit != 0)
    }

    /// Key per I/O (KPIOCAP), as it is.
    #[must_use]
    #[doc(alias = "KPIOCAP")]
    pub fn key_per_io(&self) -> u8 {
        self.0.kpiocap
    }

    /// Optional admin commands of the command set (AOCS), as they are.
    #[must_use]
    #[doc(alias = "AOCS")]
    pub fn admin_commands(&self) -> u16 {
        self.0.aocs.get()
    }

    /// The version of the NVM Command Set Specification that it keeps to (VER);
    /// 0.0 before 1.1.
    #[must_use]
    #[doc(alias = "VER")]
    pub fn version(&self) -> Version {
        Version::from_raw(self.0.ver.get())
    }

    /// The format of the entries of a user data migration queue (LBAMQF).
    #[must_use]
    #[doc(alias = "LBAMQF")]
    pub fn migration_queue_format(&self) -> u8 {
        self.0.lbamqf
    }
}

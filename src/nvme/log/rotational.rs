//! Rotational Media Information (16h). NVMe Base 2.1, 5.1.12.1.22.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// The Rotational Media Information page of an endurance group.
/// (NVMe Base 2.1, 5.1.12.1.22)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::RotationalMedia};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// println!("{} rpm", drive.query(&RotationalMedia::page(1))?.nominal_speed());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "nvme_rotational_media_log")]
pub struct RotationalMedia(Wire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    group: U16,
    actuators: U16,
    speed: U16,
    reserved6: [u8; 2],
    spin_ups: U32,
    failed_spin_ups: U32,
    loads: U32,
    failed_loads: U32,
}

const LENGTH: usize = 512;
const _: () = assert!(size_of::<Wire>() == 24);

impl Sealed for RotationalMedia {}

impl LogReply for RotationalMedia {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(Self)
    }
}

impl RotationalMedia {
    /// Of an endurance group.
    pub const fn page(group: u16) -> LogPage<Self> {
        let log = GetLog::new(LogId::ROTATIONAL_MEDIA).specific_identifier(group);
        LogPage::new(log, LENGTH)
    }

    /// The endurance group.
    #[must_use]
    #[doc(alias = "ENDGID")]
    pub fn group(&self) -> u16 {
        self.0.group.get()
    }

    /// How many actuators there are.
    #[must_use]
    #[doc(alias("NUMA", "numa"))]
    pub fn actuators(&self) -> u16 {
        self.0.actuators.get()
    }

    /// Nominal rotational speed, in rotations a minute; 0 if that is not told, 1
    /// if nothing rotates.
    #[must_use]
    #[doc(alias("NRS", "nrs"))]
    pub fn nominal_speed(&self) -> u16 {
        self.0.speed.get()
    }

    /// How often it spun up.
    #[must_use]
    #[doc(alias("SPINC", "spinc"))]
    pub fn spin_ups(&self) -> u32 {
        self.0.spin_ups.get()
    }

    /// How often spinning up failed.
    #[must_use]
    #[doc(alias("FSPINC", "fspinc"))]
    pub fn failed_spin_ups(&self) -> u32 {
        self.0.failed_spin_ups.get()
    }

    /// How often the heads were loaded.
    #[must_use]
    #[doc(alias("LDC", "ldc"))]
    pub fn loads(&self) -> u32 {
        self.0.loads.get()
    }

    /// How often loading the heads failed.
    #[must_use]
    #[doc(alias("FLDC", "fldc"))]
    pub fn failed_loads(&self) -> u32 {
        self.0.failed_loads.get()
    }
}

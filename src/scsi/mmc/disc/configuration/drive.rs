//! Features of the drive itself.

use core::fmt;

use super::wire;
use crate::scsi::mode::LoadingMechanism;

/// What a drive is connected by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PhysicalInterface(pub u32);

impl PhysicalInterface {
    /// Not said.
    pub const UNSPECIFIED: Self = Self(0);
    /// Parallel SCSI and its family.
    pub const SCSI: Self = Self(1);
    /// ATAPI.
    pub const ATAPI: Self = Self(2);
    /// IEEE 1394 (1995).
    pub const IEEE_1394: Self = Self(3);
    /// IEEE 1394A.
    pub const IEEE_1394_A: Self = Self(4);
    /// Fibre Channel.
    pub const FIBRE_CHANNEL: Self = Self(5);
    /// IEEE 1394B.
    pub const IEEE_1394_B: Self = Self(6);
    /// Serial ATAPI.
    pub const SERIAL_ATAPI: Self = Self(7);
    /// USB.
    pub const USB: Self = Self(8);
    /// The vendor's own.
    pub const VENDOR: Self = Self(0xffff);

    /// The name, for the interfaces that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::UNSPECIFIED => "unspecified",
            Self::SCSI => "SCSI",
            Self::ATAPI => "ATAPI",
            Self::IEEE_1394 => "IEEE 1394",
            Self::IEEE_1394_A => "IEEE 1394A",
            Self::FIBRE_CHANNEL => "Fibre Channel",
            Self::IEEE_1394_B => "IEEE 1394B",
            Self::SERIAL_ATAPI => "Serial ATAPI",
            Self::USB => "USB",
            Self::VENDOR => "vendor unique",
            _ => return None,
        })
    }
}

impl fmt::Display for PhysicalInterface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "physical interface {:08X}h", self.0),
        }
    }
}

/// What every drive has (0001h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Core {
    /// What the drive is connected by.
    #[doc(alias = "PHYSICAL INTERFACE STANDARD")]
    pub interface: Option<PhysicalInterface>,
    /// Whether GET EVENT STATUS NOTIFICATION has device busy events.
    #[doc(alias = "DBE")]
    pub device_busy_events: Option<bool>,
    /// Whether INQUIRY has vital product data (INQ2).
    #[doc(alias = "INQ2")]
    pub inquiry_2: Option<bool>,
}

impl Core {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            interface: wire::be32(data, 0).map(PhysicalInterface),
            device_busy_events: wire::flag(data, 4, 0x01),
            inquiry_2: wire::flag(data, 4, 0x02),
        }
    }
}

/// How the drive tells that its features have changed (0002h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Morphing {
    /// Whether GET EVENT STATUS NOTIFICATION works without polling.
    #[doc(alias = "ASYNC")]
    pub asynchronous: Option<bool>,
    /// Whether it has operational change events.
    #[doc(alias = "OCEvent")]
    pub operational_change_events: Option<bool>,
}

impl Morphing {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            asynchronous: wire::flag(data, 0, 0x01),
            operational_change_events: wire::flag(data, 0, 0x02),
        }
    }
}

/// How discs go in and out (0003h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RemovableMedium {
    /// The loading mechanism.
    pub mechanism: Option<LoadingMechanism>,
    /// Whether START STOP UNIT can close the drive (a slot or slim drive cannot).
    /// Drives with an older [version](super::Feature::version) of the feature have 0
    /// here also if they can.
    pub load: Option<bool>,
    /// Whether START STOP UNIT can open it.
    pub eject: Option<bool>,
    /// Whether the drive is unlocked after power up; if not, a jumper locks it.
    #[doc(alias = "Pvnt Jmpr")]
    pub unlocked_at_power_up: Option<bool>,
    /// Whether there are device busy events while a disc is loaded or unloaded.
    #[doc(alias = "DBML")]
    pub loading_events: Option<bool>,
    /// Whether PREVENT ALLOW MEDIUM REMOVAL can lock it.
    pub lock: Option<bool>,
}

impl RemovableMedium {
    pub(super) fn of(data: &[u8]) -> Self {
        let flag = |mask| wire::flag(data, 0, mask);
        Self {
            mechanism: wire::byte(data, 0).map(|byte| LoadingMechanism(byte >> 5)),
            load: flag(0x10),
            eject: flag(0x08),
            unlocked_at_power_up: flag(0x04),
            loading_events: flag(0x02),
            lock: flag(0x01),
        }
    }
}

/// The drive plays audio by itself (0103h, obsolete).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CdAudioPlay {
    /// Whether SCAN works.
    pub scan: Option<bool>,
    /// Whether channels can be muted separately (SCM).
    #[doc(alias = "SCM")]
    pub separate_mute: Option<bool>,
    /// Whether channels have volumes of their own (SV).
    #[doc(alias = "SV")]
    pub separate_volume: Option<bool>,
    /// How many levels of volume there are.
    pub volume_levels: Option<u16>,
}

impl CdAudioPlay {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            scan: wire::flag(data, 0, 0x04),
            separate_mute: wire::flag(data, 0, 0x02),
            separate_volume: wire::flag(data, 0, 0x01),
            volume_levels: wire::be16(data, 2),
        }
    }
}

/// The firmware can be replaced (0104h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MicrocodeUpgrade {
    /// Whether READ BUFFER and WRITE BUFFER have mode 5 as SPC says.
    #[doc(alias = "M5")]
    pub mode_5: Option<bool>,
}

impl MicrocodeUpgrade {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            mode_5: wire::flag(data, 0, 0x01),
        }
    }
}

/// Commands end within a time (0105h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TimeoutFeature {
    /// Whether the times of group 3 are in mode page 1Dh.
    pub group_3: Option<bool>,
    /// The unit of group 3 times: so many blocks.
    pub unit_length: Option<u16>,
}

impl TimeoutFeature {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            group_3: wire::flag(data, 0, 0x01),
            unit_length: wire::be16(data, 2),
        }
    }
}

/// DVDs with CSS (0106h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DvdCss {
    /// The version of CSS.
    pub version: Option<u8>,
}

impl DvdCss {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            version: wire::byte(data, 3),
        }
    }
}

/// Reads and writes keep a speed (0107h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RealTimeStreaming {
    /// Whether SET STREAMING can ask for a minimum (SMP).
    #[doc(alias = "SMP")]
    pub set_minimum_performance: Option<bool>,
    /// Whether READ BUFFER CAPACITY counts blocks (RBCB).
    #[doc(alias = "RBCB")]
    pub buffer_capacity_blocks: Option<bool>,
    /// Whether SET CD SPEED works (SCS).
    #[doc(alias = "SCS")]
    pub set_cd_speed: Option<bool>,
    /// Whether mode page 2Ah has write speed descriptors (MP2A).
    #[doc(alias = "MP2A")]
    pub mode_page_2a: Option<bool>,
    /// Whether GET PERFORMANCE has write speeds (WSPD).
    #[doc(alias = "WSPD")]
    pub write_speeds: Option<bool>,
    /// Whether writing can stream (SW).
    #[doc(alias = "SW")]
    pub stream_writing: Option<bool>,
}

impl RealTimeStreaming {
    pub(super) fn of(data: &[u8]) -> Self {
        let flag = |mask| wire::flag(data, 0, mask);
        Self {
            set_minimum_performance: flag(0x20),
            buffer_capacity_blocks: flag(0x10),
            set_cd_speed: flag(0x08),
            mode_page_2a: flag(0x04),
            write_speeds: flag(0x02),
            stream_writing: flag(0x01),
        }
    }
}

/// AACS (010Dh).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Aacs {
    /// Whether the drive returns its certificate (RDC).
    #[doc(alias = "RDC")]
    pub read_drive_certificate: Option<bool>,
    /// Whether it can encrypt what it returns (BEC).
    #[doc(alias = "BEC")]
    pub bus_encryption: Option<bool>,
    /// Whether it can make a binding nonce (BNG).
    #[doc(alias = "BNG")]
    pub binding_nonce: Option<bool>,
    /// How many blocks hold the binding nonce.
    pub nonce_blocks: Option<u8>,
    /// How many authentications can go on at the same time.
    #[doc(alias = "AGID")]
    pub agids: Option<u8>,
    /// The version of AACS.
    pub version: Option<u8>,
}

impl Aacs {
    pub(super) fn of(data: &[u8]) -> Self {
        Self {
            read_drive_certificate: wire::flag(data, 0, 0x10),
            bus_encryption: wire::flag(data, 0, 0x02),
            binding_nonce: wire::flag(data, 0, 0x01),
            nonce_blocks: wire::byte(data, 1),
            agids: wire::byte(data, 2).map(|byte| byte & 0x0f),
            version: wire::byte(data, 3),
        }
    }
}

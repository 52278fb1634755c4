//! The peripheral device type.

use core::fmt;

/// The peripheral device type (SPC-6 6.7.2): what kind of device a logical unit
/// is. It decides what an opcode means: 42h is UNMAP on a disk and READ
/// SUB-CHANNEL on an optical drive.
///
/// ```
/// use passthru::scsi::DeviceType;
/// assert_eq!(DeviceType::OPTICAL.to_string(), "CD/DVD (05h)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("PDT", "scsi_type", "TYPE_DISK"))]
pub struct DeviceType(pub u8);

impl DeviceType {
    /// Direct access block device: a disk or an SSD (SBC).
    #[doc(alias = "TYPE_DISK")]
    pub const DISK: Self = Self(0x00);
    /// Sequential access device: a tape drive (SSC).
    #[doc(alias = "TYPE_TAPE")]
    pub const TAPE: Self = Self(0x01);
    /// Printer (obsolete).
    #[doc(alias = "TYPE_PRINTER")]
    pub const PRINTER: Self = Self(0x02);
    /// Processor device.
    #[doc(alias = "TYPE_PROCESSOR")]
    pub const PROCESSOR: Self = Self(0x03);
    /// Write-once device (SBC).
    #[doc(alias = "TYPE_WORM")]
    pub const WRITE_ONCE: Self = Self(0x04);
    /// CD, DVD or BD drive (MMC).
    #[doc(alias("TYPE_ROM", "MMC"))]
    pub const OPTICAL: Self = Self(0x05);
    /// Scanner (obsolete).
    #[doc(alias = "TYPE_SCANNER")]
    pub const SCANNER: Self = Self(0x06);
    /// Optical memory device (SBC).
    #[doc(alias = "TYPE_MOD")]
    pub const OPTICAL_MEMORY: Self = Self(0x07);
    /// Medium changer (SMC).
    #[doc(alias = "TYPE_MEDIUM_CHANGER")]
    pub const CHANGER: Self = Self(0x08);
    /// Storage array controller (SCC).
    #[doc(alias = "TYPE_RAID")]
    pub const ARRAY: Self = Self(0x0c);
    /// Enclosure services device (SES).
    #[doc(alias = "TYPE_ENCLOSURE")]
    pub const ENCLOSURE: Self = Self(0x0d);
    /// Simplified direct access device (RBC).
    #[doc(alias = "TYPE_RBC")]
    pub const SIMPLE_DISK: Self = Self(0x0e);
    /// Object-based storage device (OSD).
    #[doc(alias = "TYPE_OSD")]
    pub const OBJECT_STORAGE: Self = Self(0x11);
    /// Automation/drive interface (ADC).
    pub const AUTOMATION: Self = Self(0x12);
    /// Host managed zoned block device (ZBC).
    #[doc(alias = "TYPE_ZBC")]
    pub const ZONED_DISK: Self = Self(0x14);
    /// Well known logical unit.
    #[doc(alias = "TYPE_WLUN")]
    pub const WELL_KNOWN: Self = Self(0x1e);
    /// Unknown or no device type.
    #[doc(alias = "TYPE_NO_LUN")]
    pub const NONE: Self = Self(0x1f);

    /// Whether it answers the block commands of SBC.
    #[must_use]
    pub const fn is_block(self) -> bool {
        matches!(
            self,
            Self::DISK
                | Self::WRITE_ONCE
                | Self::OPTICAL_MEMORY
                | Self::SIMPLE_DISK
                | Self::ZONED_DISK
        )
    }

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::DISK => "disk",
            Self::TAPE => "tape",
            Self::PRINTER => "printer",
            Self::PROCESSOR => "processor",
            Self::WRITE_ONCE => "write-once disk",
            Self::OPTICAL => "CD/DVD",
            Self::SCANNER => "scanner",
            Self::OPTICAL_MEMORY => "optical memory",
            Self::CHANGER => "medium changer",
            Self::ARRAY => "storage array controller",
            Self::ENCLOSURE => "enclosure services",
            Self::SIMPLE_DISK => "simplified disk",
            Self::OBJECT_STORAGE => "object storage",
            Self::AUTOMATION => "automation/drive interface",
            Self::ZONED_DISK => "host managed zoned disk",
            Self::WELL_KNOWN => "well known logical unit",
            Self::NONE => "no device",
            _ => return None,
        })
    }
}

impl fmt::Display for DeviceType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02x}h)", self.0),
            None => write!(f, "device type {:02x}h", self.0),
        }
    }
}

//! The codes of vital product data pages.

use core::fmt;

use crate::scsi::DeviceType;

/// The code of a vital product data page (SPC-6 7.7, SBC-4 6.6, SSC-5).
///
/// ```
/// use passthru::scsi::{DeviceType, VpdCode};
///
/// assert_eq!(VpdCode(0x83).to_string(), "device identification (83h)");
/// assert_eq!(VpdCode(0xb0).to_string(), "page b0h");
/// assert_eq!(VpdCode(0xb0).name_for(DeviceType::DISK), Some("block limits"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VpdCode(pub u8);

impl VpdCode {
    /// Supported VPD pages.
    pub const SUPPORTED_PAGES: Self = Self(0x00);
    /// Unit serial number.
    pub const SERIAL_NUMBER: Self = Self(0x80);
    /// Device identification.
    pub const DEVICE_IDENTIFICATION: Self = Self(0x83);
    /// Software interface identification.
    pub const SOFTWARE_INTERFACE: Self = Self(0x84);
    /// Management network addresses.
    pub const MANAGEMENT_ADDRESSES: Self = Self(0x85);
    /// Extended INQUIRY data.
    pub const EXTENDED_INQUIRY: Self = Self(0x86);
    /// Mode page policy.
    pub const MODE_PAGE_POLICY: Self = Self(0x87);
    /// SCSI ports.
    pub const SCSI_PORTS: Self = Self(0x88);
    /// ATA information (SAT).
    pub const ATA_INFORMATION: Self = Self(0x89);
    /// Power condition.
    pub const POWER_CONDITION: Self = Self(0x8a);
    /// Device constituents.
    pub const DEVICE_CONSTITUENTS: Self = Self(0x8b);
    /// Power consumption.
    pub const POWER_CONSUMPTION: Self = Self(0x8d);
    /// Third-party copy.
    pub const THIRD_PARTY_COPY: Self = Self(0x8f);
    /// Protocol-specific logical unit information.
    pub const PROTOCOL_UNIT: Self = Self(0x90);
    /// Protocol-specific port information.
    pub const PROTOCOL_PORT: Self = Self(0x91);
    /// SCSI feature sets.
    pub const FEATURE_SETS: Self = Self(0x92);
    /// Block limits of a disk; capabilities of a tape drive.
    pub const BLOCK_LIMITS: Self = Self(0xb0);
    /// Block device characteristics of a disk; manufacturer-assigned serial
    /// number of a tape drive.
    pub const BLOCK_CHARACTERISTICS: Self = Self(0xb1);
    /// Logical block provisioning of a disk; TapeAlert flags of a tape drive.
    pub const PROVISIONING: Self = Self(0xb2);
    /// Referrals of a disk; serial number of a tape drive's automation device.
    pub const REFERRALS: Self = Self(0xb3);
    /// Zoned block device characteristics.
    pub const ZONED_CHARACTERISTICS: Self = Self(0xb6);
    /// Block limits extension.
    pub const BLOCK_LIMITS_EXTENSION: Self = Self(0xb7);

    /// The name, for the codes that mean the same on every device. B0h and
    /// above depend on the device type ([`name_for`](Self::name_for)); C0h and
    /// above belong to the vendor.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::SUPPORTED_PAGES => "supported pages",
            Self::SERIAL_NUMBER => "unit serial number",
            Self::DEVICE_IDENTIFICATION => "device identification",
            Self::SOFTWARE_INTERFACE => "software interface identification",
            Self::MANAGEMENT_ADDRESSES => "management network addresses",
            Self::EXTENDED_INQUIRY => "extended INQUIRY data",
            Self::MODE_PAGE_POLICY => "mode page policy",
            Self::SCSI_PORTS => "SCSI ports",
            Self::ATA_INFORMATION => "ATA information",
            Self::POWER_CONDITION => "power condition",
            Self::DEVICE_CONSTITUENTS => "device constituents",
            Self::POWER_CONSUMPTION => "power consumption",
            Self::THIRD_PARTY_COPY => "third-party copy",
            Self::PROTOCOL_UNIT => "protocol-specific logical unit information",
            Self::PROTOCOL_PORT => "protocol-specific port information",
            Self::FEATURE_SETS => "SCSI feature sets",
            _ => return None,
        })
    }

    /// The name that the code has on devices of this type: as [`name`](Self::name),
    /// and those of B0h and above on disks ([`DeviceType::is_block`]) and tape
    /// drives.
    #[must_use]
    pub const fn name_for(self, device_type: DeviceType) -> Option<&'static str> {
        Some(match (self, device_type) {
            (Self(0xb0..=0xbf), DeviceType::TAPE) => return self.name_on_tape(),
            (Self(0xb0..=0xbf), _) if !device_type.is_block() => return None,
            (Self::BLOCK_LIMITS, _) => "block limits",
            (Self::BLOCK_CHARACTERISTICS, _) => "block device characteristics",
            (Self::PROVISIONING, _) => "logical block provisioning",
            (Self::REFERRALS, _) => "referrals",
            (Self::ZONED_CHARACTERISTICS, _) => "zoned block device characteristics",
            (Self::BLOCK_LIMITS_EXTENSION, _) => "block limits extension",
            _ => return self.name(),
        })
    }

    const fn name_on_tape(self) -> Option<&'static str> {
        Some(match self.0 {
            0xb0 => "sequential-access device capabilities",
            0xb1 => "manufacturer-assigned serial number",
            0xb2 => "TapeAlert supported flags",
            0xb3 => "automation device serial number",
            _ => return None,
        })
    }

    /// Whether the page belongs to the vendor (C0h to FFh).
    #[must_use]
    pub const fn is_vendor_specific(self) -> bool {
        self.0 >= 0xc0
    }
}

impl fmt::Display for VpdCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02x}h)", self.0),
            None => write!(f, "page {:02x}h", self.0),
        }
    }
}

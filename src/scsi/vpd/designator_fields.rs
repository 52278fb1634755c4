//! The fields in the header of a designator.

use core::fmt;

/// What a designator names (SPC-6 7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "ASSOCIATION")]
pub struct Association(pub u8);

impl Association {
    /// 00b: the logical unit.
    pub const LOGICAL_UNIT: Self = Self(0);
    /// 01b: the target port that the command came through.
    pub const TARGET_PORT: Self = Self(1);
    /// 10b: the target device that holds the logical unit.
    pub const TARGET_DEVICE: Self = Self(2);

    /// The name; 11b is reserved.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::LOGICAL_UNIT => "logical unit",
            Self::TARGET_PORT => "target port",
            Self::TARGET_DEVICE => "target device",
            _ => return None,
        })
    }
}

impl fmt::Display for Association {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "association {:x}h", self.0),
        }
    }
}

/// How the bytes of a designator are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "CODE SET")]
pub struct CodeSet(pub u8);

impl CodeSet {
    /// Binary values.
    pub const BINARY: Self = Self(1);
    /// Printable ASCII.
    pub const ASCII: Self = Self(2);
    /// UTF-8.
    pub const UTF8: Self = Self(3);

    /// The name, for the code sets that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::BINARY => "binary",
            Self::ASCII => "ASCII",
            Self::UTF8 => "UTF-8",
            _ => return None,
        })
    }
}

impl fmt::Display for CodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "code set {:x}h", self.0),
        }
    }
}

/// What kind of name a designator is (SPC-6 7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "DESIGNATOR TYPE")]
pub struct DesignatorType(pub u8);

impl DesignatorType {
    /// Vendor specific.
    pub const VENDOR_SPECIFIC: Self = Self(0x0);
    /// The T10 vendor name, then what that vendor likes.
    pub const T10_VENDOR_ID: Self = Self(0x1);
    /// Based on an EUI-64.
    pub const EUI64: Self = Self(0x2);
    /// A world wide name with a network address authority.
    pub const NAA: Self = Self(0x3);
    /// The number of the target port within the device.
    pub const RELATIVE_TARGET_PORT: Self = Self(0x4);
    /// The number of the target port group.
    pub const TARGET_PORT_GROUP: Self = Self(0x5);
    /// The number of the logical unit group.
    pub const LOGICAL_UNIT_GROUP: Self = Self(0x6);
    /// An MD5 digest.
    pub const MD5: Self = Self(0x7);
    /// A SCSI name string, such as `iqn.` or `naa.`.
    pub const SCSI_NAME: Self = Self(0x8);
    /// A port identifier in the protocol's own form.
    pub const PROTOCOL_SPECIFIC_PORT: Self = Self(0x9);
    /// A UUID.
    pub const UUID: Self = Self(0xa);

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::VENDOR_SPECIFIC => "vendor specific",
            Self::T10_VENDOR_ID => "T10 vendor identification",
            Self::EUI64 => "EUI-64",
            Self::NAA => "NAA",
            Self::RELATIVE_TARGET_PORT => "relative target port",
            Self::TARGET_PORT_GROUP => "target port group",
            Self::LOGICAL_UNIT_GROUP => "logical unit group",
            Self::MD5 => "MD5",
            Self::SCSI_NAME => "SCSI name string",
            Self::PROTOCOL_SPECIFIC_PORT => "protocol specific port identifier",
            Self::UUID => "UUID",
            _ => return None,
        })
    }
}

impl fmt::Display for DesignatorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "designator type {:x}h", self.0),
        }
    }
}

/// A SCSI transport protocol (SPC-6 7.6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "PROTOCOL IDENTIFIER")]
pub struct ProtocolIdentifier(pub u8);

impl ProtocolIdentifier {
    /// Fibre Channel (FCP).
    pub const FIBRE_CHANNEL: Self = Self(0x0);
    /// Parallel SCSI (SPI).
    pub const PARALLEL: Self = Self(0x1);
    /// SSA.
    pub const SSA: Self = Self(0x2);
    /// IEEE 1394 (SBP).
    pub const IEEE_1394: Self = Self(0x3);
    /// SCSI over RDMA (SRP).
    pub const SRP: Self = Self(0x4);
    /// iSCSI.
    pub const ISCSI: Self = Self(0x5);
    /// Serial Attached SCSI (SPL).
    pub const SAS: Self = Self(0x6);
    /// Automation/drive interface transport.
    pub const ADT: Self = Self(0x7);
    /// ATA and ATAPI.
    pub const ATA: Self = Self(0x8);
    /// USB attached SCSI.
    pub const UAS: Self = Self(0x9);
    /// SCSI over PCI Express (SOP).
    pub const SOP: Self = Self(0xa);
    /// PCI Express, as with NVMe.
    pub const PCIE: Self = Self(0xb);

    /// The name, for the protocols that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::FIBRE_CHANNEL => "Fibre Channel",
            Self::PARALLEL => "parallel SCSI",
            Self::SSA => "SSA",
            Self::IEEE_1394 => "IEEE 1394",
            Self::SRP => "SRP",
            Self::ISCSI => "iSCSI",
            Self::SAS => "SAS",
            Self::ADT => "ADT",
            Self::ATA => "ATA",
            Self::UAS => "UAS",
            Self::SOP => "SCSI over PCIe",
            Self::PCIE => "PCIe",
            _ => return None,
        })
    }
}

impl fmt::Display for ProtocolIdentifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "protocol {:x}h", self.0),
        }
    }
}

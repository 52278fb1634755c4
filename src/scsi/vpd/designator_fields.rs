//! The fields in the header of a designator.

use core::fmt;

/// What a designator names (SPC-6 7.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "ASSOCIATION")]
pub enum Association {
    /// 00b: the logical unit.
    LogicalUnit,
    /// 01b: the target port that the command came through.
    TargetPort,
    /// 10b: the target device that holds the logical unit.
    TargetDevice,
    /// 11b: reserved.
    Reserved,
}

impl fmt::Display for Association {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::LogicalUnit => "logical unit",
            Self::TargetPort => "target port",
            Self::TargetDevice => "target device",
            Self::Reserved => "reserved association",
        })
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
}

impl fmt::Display for CodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BINARY => f.write_str("binary"),
            Self::ASCII => f.write_str("ASCII"),
            Self::UTF8 => f.write_str("UTF-8"),
            Self(other) => write!(f, "code set {other:x}h"),
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
    /// The name, for the numbers that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0x0 => "Fibre Channel",
            0x1 => "parallel SCSI",
            0x2 => "SSA",
            0x3 => "IEEE 1394",
            0x4 => "SRP",
            0x5 => "iSCSI",
            0x6 => "SAS",
            0x7 => "ADT",
            0x8 => "ATA",
            0x9 => "UAS",
            0xa => "SCSI over PCIe",
            0xb => "PCIe",
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

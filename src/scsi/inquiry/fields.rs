//! Values in INQUIRY data.

use core::fmt;

/// The peripheral qualifier (SPC-6 6.7.2): whether there is a logical unit
/// behind the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PeripheralQualifier(pub u8);

impl PeripheralQualifier {
    /// 000b: a device of the said type is there, or the target cannot tell.
    pub const CONNECTED: Self = Self(0);
    /// 001b: one could be there, but is not now.
    pub const NOT_CONNECTED: Self = Self(1);
    /// 011b: there can be no logical unit at this address.
    pub const NO_LOGICAL_UNIT: Self = Self(3);

    /// The qualifier in byte 0 of any INQUIRY reply.
    pub(in crate::scsi) fn of(byte: u8) -> Self {
        Self(byte >> 5)
    }

    /// The name, for the qualifiers that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::CONNECTED => "connected",
            Self::NOT_CONNECTED => "not connected",
            Self::NO_LOGICAL_UNIT => "no logical unit",
            _ => return None,
        })
    }
}

impl fmt::Display for PeripheralQualifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "peripheral qualifier {:03b}b", self.0),
        }
    }
}

/// The version byte (SPC-6 6.7.2): which edition of the standard the device
/// claims to follow.
///
/// ```
/// use passthru::scsi::ScsiVersion;
///
/// assert_eq!(ScsiVersion::SPC_4, ScsiVersion(6));
/// assert_eq!(ScsiVersion(6).to_string(), "SPC-4");
/// assert_eq!(ScsiVersion(0x82).name(), Some("SCSI-2")); // with the ISO bit
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("ANSI_version", "scsi_level"))]
pub struct ScsiVersion(pub u8);

impl ScsiVersion {
    /// No standard is claimed.
    pub const UNCLAIMED: Self = Self(0x00);
    /// SCSI-1 (or its CCS).
    pub const SCSI_1: Self = Self(0x01);
    /// SCSI-2.
    pub const SCSI_2: Self = Self(0x02);
    /// SPC, the first of SCSI-3.
    pub const SPC: Self = Self(0x03);
    /// SPC-2.
    pub const SPC_2: Self = Self(0x04);
    /// SPC-3.
    pub const SPC_3: Self = Self(0x05);
    /// SPC-4.
    pub const SPC_4: Self = Self(0x06);
    /// SPC-5.
    pub const SPC_5: Self = Self(0x07);
    /// SPC-6. (08h to 0Ch are obsolete.)
    pub const SPC_6: Self = Self(0x0d);

    /// The standard's name, if the number has one. The ISO and ECMA bits of
    /// SCSI-2 (bits 7 to 3) may be set.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            0x00 => "no standard claimed",
            0x01 => "SCSI-1",
            0x02 | 0x80 | 0x82 | 0x8a | 0x92 | 0x0a | 0x4a => "SCSI-2",
            0x03 | 0x83 => "SPC",
            0x04 | 0x84 => "SPC-2",
            0x05 => "SPC-3",
            0x06 => "SPC-4",
            0x07 => "SPC-5",
            0x0d => "SPC-6",
            _ => return None,
        })
    }
}

impl fmt::Display for ScsiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "version {:02x}h", self.0),
        }
    }
}

/// Target port group support (SPC-6 6.7.2): how the logical unit reports
/// asymmetric access, as in multipath arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("TPGS", "ALUA"))]
pub struct Tpgs(pub u8);

impl Tpgs {
    /// 00b: not at all, or in a vendor's way.
    pub const NONE: Self = Self(0);
    /// 01b: the device alone changes the states.
    pub const IMPLICIT: Self = Self(1);
    /// 10b: SET TARGET PORT GROUPS changes them.
    pub const EXPLICIT: Self = Self(2);
    /// 11b: both.
    pub const BOTH: Self = Self(3);

    /// The name, which every value of the two bits has.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NONE => "none",
            Self::IMPLICIT => "implicit",
            Self::EXPLICIT => "explicit",
            Self::BOTH => "both",
            _ => return None,
        })
    }
}

impl fmt::Display for Tpgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "target port group support {:x}h", self.0),
        }
    }
}

/// A length field that contradicts the transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LengthLie {
    /// It says fewer bytes than came, and fewer than such a reply must have.
    TooLow {
        /// The reply's length as the field has it, header included.
        claimed: usize,
        /// How many bytes arrived.
        arrived: usize,
    },
    /// It says more bytes than came, though more were asked for.
    TooHigh {
        /// The reply's length as the field has it, header included.
        claimed: usize,
        /// How many bytes arrived.
        arrived: usize,
    },
}

impl fmt::Display for LengthLie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::TooLow { claimed, arrived } | Self::TooHigh { claimed, arrived }) = self;
        write!(
            f,
            "the length field says {claimed} bytes, {arrived} arrived"
        )
    }
}

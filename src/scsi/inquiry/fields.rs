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
}

impl fmt::Display for PeripheralQualifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::CONNECTED => f.write_str("connected"),
            Self::NOT_CONNECTED => f.write_str("not connected"),
            Self::NO_LOGICAL_UNIT => f.write_str("no logical unit"),
            Self(other) => write!(f, "peripheral qualifier {other:03b}b"),
        }
    }
}

/// The version byte (SPC-6 6.7.2): which edition of the standard the device
/// claims to follow.
///
/// ```
/// use passthru::scsi::ScsiVersion;
/// assert_eq!(ScsiVersion(6).to_string(), "SPC-4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("ANSI_version", "scsi_level"))]
pub struct ScsiVersion(pub u8);

impl ScsiVersion {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("TPGS", "ALUA"))]
pub enum Tpgs {
    /// 00b: not at all, or in a vendor's way.
    None,
    /// 01b: the device alone changes the states.
    Implicit,
    /// 10b: SET TARGET PORT GROUPS changes them.
    Explicit,
    /// 11b: both.
    Both,
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

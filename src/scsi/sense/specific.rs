//! The three bytes whose meaning depends on the sense key.

use core::fmt;

use super::SenseKey;

/// The sense key specific bytes, read by the key they came with (SPC-6 4.4.2.4).
///
/// The same three bytes are a place in the CDB, a count of retries or a progress, so they are only
/// taken apart together with their key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(alias = "SKS")]
#[non_exhaustive]
pub enum SenseKeySpecific {
    /// ILLEGAL REQUEST: which field the device did not accept.
    FieldPointer {
        /// True for a byte of the CDB, false for a byte of the parameter list that was sent.
        in_cdb: bool,
        /// The most significant bit of the field, 0 to 7, if the device names one.
        bit: Option<u8>,
        /// The first byte of the field.
        byte: u16,
    },
    /// RECOVERED ERROR, MEDIUM ERROR, HARDWARE ERROR: how many retries the device has made.
    RetryCount(u16),
    /// NO SENSE, NOT READY: how far an operation in progress has come.
    Progress(Progress),
    /// COPY ABORTED: which field of the copy's parameter list is at fault.
    SegmentPointer {
        /// True when `byte` counts from the start of a segment descriptor, false when it counts
        /// from the start of the parameter list.
        in_segment: bool,
        /// The most significant bit of the field, 0 to 7, if the device names one.
        bit: Option<u8>,
        /// The first byte of the field.
        byte: u16,
    },
    /// UNIT ATTENTION: true when the device lost some of its unit attention conditions because
    /// its queue for them was full.
    UnitAttentionOverflow(bool),
    /// A key for which the bytes have no standard meaning: the bytes as they came.
    Other([u8; 3]),
}

impl SenseKeySpecific {
    /// Reads the three bytes; `None` when SKSV, bit 7 of the first, says that they are not valid.
    pub(super) fn decode(key: SenseKey, raw: [u8; 3]) -> Option<Self> {
        let [flags, high, low] = raw;
        if flags & 0x80 == 0 {
            return None;
        }
        let value = u16::from_be_bytes([high, low]);
        let bit = (flags & 0x08 != 0).then_some(flags & 0x07);
        Some(match key {
            SenseKey::ILLEGAL_REQUEST => Self::FieldPointer {
                in_cdb: flags & 0x40 != 0,
                bit,
                byte: value,
            },
            SenseKey::RECOVERED_ERROR | SenseKey::MEDIUM_ERROR | SenseKey::HARDWARE_ERROR => {
                Self::RetryCount(value)
            }
            SenseKey::NO_SENSE | SenseKey::NOT_READY => Self::Progress(Progress(value)),
            SenseKey::COPY_ABORTED => Self::SegmentPointer {
                in_segment: flags & 0x20 != 0,
                bit,
                byte: value,
            },
            SenseKey::UNIT_ATTENTION => Self::UnitAttentionOverflow(flags & 0x01 != 0),
            _ => Self::Other(raw),
        })
    }
}

impl fmt::Display for SenseKeySpecific {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = |f: &mut fmt::Formatter<'_>, place: &str, byte: u16, bit: Option<u8>| {
            write!(f, "{place} byte {byte}")?;
            bit.map_or(Ok(()), |bit| write!(f, " bit {bit}"))
        };
        match *self {
            Self::FieldPointer {
                in_cdb: true,
                bit,
                byte,
            } => pointer(f, "CDB", byte, bit),
            Self::FieldPointer {
                in_cdb: false,
                bit,
                byte,
            } => pointer(f, "parameter list", byte, bit),
            Self::RetryCount(count) => write!(f, "retry count {count}"),
            Self::Progress(progress) => write!(f, "{progress} done"),
            Self::SegmentPointer {
                in_segment: true,
                bit,
                byte,
            } => pointer(f, "segment descriptor", byte, bit),
            Self::SegmentPointer {
                in_segment: false,
                bit,
                byte,
            } => pointer(f, "copy parameter list", byte, bit),
            Self::UnitAttentionOverflow(true) => f.write_str("unit attention conditions were lost"),
            Self::UnitAttentionOverflow(false) => f.write_str("no unit attention was lost"),
            Self::Other([first, second, third]) => {
                write!(f, "sense key specific {first:02X} {second:02X} {third:02X}")
            }
        }
    }
}

/// How far an operation has come, in 65536ths.
///
/// ```
/// use passthru::scsi::sense::Progress;
///
/// assert_eq!(Progress(0x5555).to_string(), "33.3 %");
/// assert_eq!(Progress(0x8000).fraction(), 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Progress(pub u16);

impl Progress {
    /// From 0 to just under 1.
    #[must_use]
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 65536.0
    }

    /// From 0 to just under 100.
    #[must_use]
    pub fn percent(self) -> f64 {
        self.fraction() * 100.0
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded down, so that an operation that still runs never shows as 100.0 %.
        let tenths = (u32::from(self.0) * 1000) >> 16;
        write!(f, "{}.{} %", tenths / 10, tenths % 10)
    }
}

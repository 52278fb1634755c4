//! Identifiers that are unique in the world.

use core::fmt;

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// An IEEE Extended Unique Identifier of 64 bits, in the order in which it is
/// written (big endian).
///
/// ```
/// use passthru::nvme::identify::Eui64;
///
/// let id = Eui64([0x52, 0x54, 0, 0, 0, 0, 0, 1]);
/// assert_eq!(id.to_string(), "5254000000000001");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "EUI64")]
pub struct Eui64(pub [u8; 8]);

impl Eui64 {
    /// `None` for zeros, which mean that there is none.
    pub(super) fn not_zero(bytes: [u8; 8]) -> Option<Self> {
        (!is_zero(&bytes)).then_some(Self(bytes))
    }
}

impl fmt::Display for Eui64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0)
    }
}

/// A Globally Unique Identifier of 128 bits, in the order in which it is written
/// (big endian).
///
/// ```
/// use passthru::nvme::identify::Nguid;
///
/// assert_eq!(Nguid([0xab; 16]).to_string(), "ab".repeat(16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "NGUID")]
pub struct Nguid(pub [u8; 16]);

impl Nguid {
    /// `None` for zeros, which mean that there is none.
    pub(super) fn not_zero(bytes: [u8; 16]) -> Option<Self> {
        (!is_zero(&bytes)).then_some(Self(bytes))
    }
}

impl fmt::Display for Nguid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0)
    }
}

/// A UUID of RFC 9562, in the order in which it is written (big endian).
///
/// ```
/// use passthru::nvme::identify::Uuid;
///
/// let id = Uuid(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef_u128.to_be_bytes());
/// assert_eq!(id.to_string(), "01234567-89ab-cdef-0123-456789abcdef");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "UUID")]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// `None` for zeros, which mean that there is none.
    pub(super) fn not_zero(bytes: [u8; 16]) -> Option<Self> {
        (!is_zero(&bytes)).then_some(Self(bytes))
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

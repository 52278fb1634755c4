//! What the controller is told of the host.

use super::{DataFeature, FeatureId, GetData, SetFeature, data::prefix};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// Host Behavior Support (16h): what the host can cope with. The kernel (6.12)
/// lets nobody else set it. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::features::HostBehavior;
///
/// let behavior = HostBehavior::new().more_formats(true);
/// assert_eq!(behavior.to_bytes()[2], 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_feat_host_behavior")]
pub struct HostBehavior([u8; 512]);

impl HostBehavior {
    /// Nothing of it.
    #[must_use]
    pub const fn new() -> Self {
        Self([0; 512])
    }

    /// Status codes that ask for another try, with a delay (ACRE).
    #[must_use]
    #[doc(alias = "ACRE")]
    pub const fn advanced_retry(mut self, on: bool) -> Self {
        self.0[0] = on as u8;
        self
    }

    /// Telemetry data area 4 (ETDAS).
    #[must_use]
    #[doc(alias = "ETDAS")]
    pub const fn telemetry_area_4(mut self, on: bool) -> Self {
        self.0[1] = on as u8;
        self
    }

    /// More than 16 LBA formats, and extended protection information (LBAFEE).
    #[must_use]
    #[doc(alias = "LBAFEE")]
    pub const fn more_formats(mut self, on: bool) -> Self {
        self.0[2] = on as u8;
        self
    }

    /// Formats of copy descriptors, a bit each: bit 2 for format 2h (CDFE).
    #[must_use]
    #[doc(alias = "CDFE")]
    pub const fn copy_formats(mut self, bits: u16) -> Self {
        [self.0[4], self.0[5]] = bits.to_le_bytes();
        self
    }

    /// Whether the host copes with [`advanced_retry`](Self::advanced_retry).
    #[must_use]
    pub const fn has_advanced_retry(&self) -> bool {
        self.0[0] == 1
    }

    /// Whether it copes with [`telemetry_area_4`](Self::telemetry_area_4).
    #[must_use]
    pub const fn has_telemetry_area_4(&self) -> bool {
        self.0[1] == 1
    }

    /// Whether it copes with [`more_formats`](Self::more_formats).
    #[must_use]
    pub const fn has_more_formats(&self) -> bool {
        self.0[2] == 1
    }

    /// The copy descriptor formats that it copes with, a bit each.
    #[must_use]
    pub const fn copy_format_bits(&self) -> u16 {
        u16::from_le_bytes([self.0[4], self.0[5]])
    }

    /// Sets it: send it by `write` with [`to_bytes`](Self::to_bytes).
    pub const fn set() -> SetFeature {
        SetFeature::typed(FeatureId::HOST_BEHAVIOR, 0)
    }

    /// The data structure.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 512] {
        self.0
    }
}

impl Default for HostBehavior {
    fn default() -> Self {
        Self::new()
    }
}

impl Sealed for HostBehavior {}

impl DataFeature for HostBehavior {
    const ID: FeatureId = FeatureId::HOST_BEHAVIOR;

    fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        prefix(bytes).copied().map(Self)
    }
}

/// Host Identifier (81h): who it is that reserves. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::{Command, Lengths};
/// use passthru::nvme::features::{DataFeature, HostIdentifier};
///
/// let sqe = HostIdentifier::get_extended().sqe(Lengths::data(16))?;
/// assert_eq!(sqe.cdw11, 1);
/// assert_eq!(HostIdentifier::parse(&[7; 8])?, HostIdentifier::Short([7; 8]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("HOSTID", "EXHID", "nvme_feat_host_id"))]
pub enum HostIdentifier {
    /// 64 bits, which hosts of fabrics do not have.
    Short([u8; 8]),
    /// 128 bits.
    Extended([u8; 16]),
}

impl HostIdentifier {
    /// Asks for the 128-bit identifier ([`get`](DataFeature::get) asks for the
    /// 64-bit one): send it by `query`.
    pub fn get_extended() -> GetData<Self> {
        Self::get().dword11(1)
    }

    /// Sets it: send it by `write` with [`as_bytes`](Self::as_bytes).
    pub const fn set(&self) -> SetFeature {
        let extended = matches!(self, Self::Extended(_)) as u32;
        SetFeature::typed(FeatureId::HOST_IDENTIFIER, extended)
    }

    /// The 8 or 16 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(bytes) => bytes,
            Self::Extended(bytes) => bytes,
        }
    }

    /// Whether it is 0: no identifier was set.
    #[must_use]
    pub fn is_unset(&self) -> bool {
        self.as_bytes().iter().all(|byte| *byte == 0)
    }
}

impl Sealed for HostIdentifier {}

impl DataFeature for HostIdentifier {
    const ID: FeatureId = FeatureId::HOST_IDENTIFIER;

    fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        match prefix(bytes) {
            Ok(bytes) => Ok(Self::Extended(*bytes)),
            Err(_) => prefix(bytes).copied().map(Self::Short),
        }
    }
}

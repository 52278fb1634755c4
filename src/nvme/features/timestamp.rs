//! Timestamp.

use super::{DataFeature, FeatureId, SetFeature, data::prefix};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// Timestamp (0Eh): the controller's clock. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::features::{DataFeature, Timestamp};
///
/// let now = Timestamp::new(1_700_000_000_000);
/// assert_eq!(now.to_bytes(), [0, 0x68, 0xe5, 0xcf, 0x8b, 0x01, 0, 0]);
/// let of_the_drive = Timestamp::parse(&[1, 0, 0, 0, 0, 0, 0b011, 0])?;
/// assert_eq!(of_the_drive.milliseconds(), 1);
/// assert!(of_the_drive.was_set() && of_the_drive.may_have_stopped());
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "nvme_timestamp")]
pub struct Timestamp {
    milliseconds: u64,
    attributes: u8,
}

impl Timestamp {
    /// A time to set, in milliseconds since 1970 (UTC). 48 bits are kept.
    #[must_use]
    pub const fn new(milliseconds: u64) -> Self {
        Self {
            milliseconds: milliseconds & 0xffff_ffff_ffff,
            attributes: 0,
        }
    }

    /// The time in milliseconds: since 1970 if it [was set](Self::was_set), else
    /// since the controller's last reset.
    #[must_use]
    pub const fn milliseconds(&self) -> u64 {
        self.milliseconds
    }

    /// Whether a host has set it, with Set Features or otherwise (origin 001b).
    #[must_use]
    pub const fn was_set(&self) -> bool {
        self.attributes >> 1 & 7 == 1
    }

    /// Whether the clock may have stood still meanwhile, in a non-operational
    /// power state (Synch).
    #[must_use]
    pub const fn may_have_stopped(&self) -> bool {
        self.attributes & 1 != 0
    }

    /// Sets the clock: send it by `write` with [`to_bytes`](Self::to_bytes).
    pub const fn set() -> SetFeature {
        SetFeature::typed(FeatureId::TIMESTAMP, 0)
    }

    /// The data structure to set.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 8] {
        self.milliseconds.to_le_bytes()
    }
}

impl Sealed for Timestamp {}

impl DataFeature for Timestamp {
    const ID: FeatureId = FeatureId::TIMESTAMP;

    fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let bytes: &[u8; 8] = prefix(bytes)?;
        let [.., attributes, _] = *bytes;
        Ok(Self {
            attributes,
            ..Self::new(u64::from_le_bytes(*bytes))
        })
    }
}

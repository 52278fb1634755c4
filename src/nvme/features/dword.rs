//! Features whose value is a dword.

use super::{FeatureId, GetFeature, SetFeature};
use crate::nvme::command::sealed::Sealed;

/// A feature whose value is one dword: command dword 11 of Set Features, and
/// completion dword 0 of Get Features.
///
/// ```
/// use passthru::nvme::{Command, Lengths};
/// use passthru::nvme::features::{DwordFeature, ErrorRecovery};
///
/// let recovery = ErrorRecovery::default().time_limit(70);
/// let sqe = recovery.set().sqe(Lengths::data(0))?;
/// assert_eq!((sqe.cdw10, sqe.cdw11), (0x05, 70));
/// assert_eq!(ErrorRecovery::from_dword(70), recovery);
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
pub trait DwordFeature: Copy + Sealed {
    /// Its identifier.
    const ID: FeatureId;

    /// The value that a dword is.
    #[must_use]
    fn from_dword(dword: u32) -> Self;

    /// The dword of the value.
    #[must_use]
    fn dword(self) -> u32;

    /// Asks for the value: send it by `execute`.
    fn get() -> GetFeature {
        GetFeature::new(Self::ID)
    }

    /// Sets the value: send it by `execute`.
    fn set(self) -> SetFeature {
        SetFeature::typed(Self::ID, self.dword())
    }
}

/// The type of a feature that is a dword.
macro_rules! dword_feature {
    ($(#[$attribute:meta])* $name:ident = $id:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[must_use]
        pub struct $name(u32);

        impl $crate::nvme::command::sealed::Sealed for $name {}

        impl $crate::nvme::features::DwordFeature for $name {
            const ID: $crate::nvme::features::FeatureId =
                $crate::nvme::features::FeatureId::$id;

            fn from_dword(dword: u32) -> Self {
                Self(dword)
            }

            fn dword(self) -> u32 {
                self.0
            }
        }
    };
}

pub(super) use dword_feature;

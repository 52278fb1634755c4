//! Namespace identifiers.

use core::{fmt, num::NonZeroU32};

/// A namespace identifier (NSID): 1 to `FFFFFFFEh`, or [`ALL`](Self::ALL).
///
/// It is not the number in a node's name: `/dev/nvme0n2` may well be NSID 3.
///
/// ```
/// use passthru::nvme::Nsid;
///
/// assert_eq!(Nsid::new(3).map(Nsid::get), Some(3));
/// assert_eq!(Nsid::new(0), None);
/// assert_eq!(Nsid::ALL.to_string(), "all");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "NVME_IOCTL_ID")]
pub struct Nsid(NonZeroU32);

impl Nsid {
    /// The broadcast value: all namespaces of the controller
    /// (`NVME_NSID_ALL`).
    #[doc(alias = "NVME_NSID_ALL")]
    pub const ALL: Self = Self(NonZeroU32::MAX);

    /// `None` for 0, which means no namespace.
    #[must_use]
    pub const fn new(nsid: u32) -> Option<Self> {
        match NonZeroU32::new(nsid) {
            Some(nsid) => Some(Self(nsid)),
            None => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Nsid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            f.write_str("all")
        } else {
            self.get().fmt(f)
        }
    }
}

//! How discs get into a drive.

use core::fmt;

/// How discs get into a drive, by page 2Ah and by the feature
/// [`RemovableMedium`](crate::scsi::mmc::RemovableMedium).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "LOADING MECHANISM TYPE")]
pub struct LoadingMechanism(pub u8);

impl LoadingMechanism {
    /// In a caddy, or into a slot.
    pub const CADDY: Self = Self(0);
    /// On a tray.
    pub const TRAY: Self = Self(1);
    /// Under a lid; the drive cannot close it.
    pub const POP_UP: Self = Self(2);
    /// Into a changer, one by one.
    pub const CHANGER: Self = Self(4);
    /// Into a changer, by magazines.
    pub const MAGAZINE: Self = Self(5);
}

impl fmt::Display for LoadingMechanism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::CADDY => "caddy or slot",
            Self::TRAY => "tray",
            Self::POP_UP => "pop-up",
            Self::CHANGER => "changer",
            Self::MAGAZINE => "changer with magazines",
            _ => return write!(f, "loading mechanism {}", self.0),
        })
    }
}

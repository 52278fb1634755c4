//! Values in disc information.

use core::fmt;

/// The state of a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiscStatus(pub u8);

impl DiscStatus {
    /// 00b: nothing is recorded.
    pub const EMPTY: Self = Self(0);
    /// 01b: it can be appended to.
    pub const INCOMPLETE: Self = Self(1);
    /// 10b: it is closed, or read-only.
    pub const FINALIZED: Self = Self(2);
    /// 11b: another state: the disc is written at random, say.
    pub const OTHER: Self = Self(3);

    /// The name, which every value of the two bits has.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::EMPTY => "empty",
            Self::INCOMPLETE => "incomplete",
            Self::FINALIZED => "finalized",
            Self::OTHER => "other",
            _ => return None,
        })
    }
}

impl fmt::Display for DiscStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "disc status {}", self.0),
        }
    }
}

/// The state of the last session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionStatus(pub u8);

impl SessionStatus {
    /// 00b: nothing is recorded in it.
    pub const EMPTY: Self = Self(0);
    /// 01b: it can be appended to.
    pub const INCOMPLETE: Self = Self(1);
    /// 10b: it was not closed properly, or it is reserved.
    pub const DAMAGED: Self = Self(2);
    /// 11b: it is closed.
    pub const COMPLETE: Self = Self(3);

    /// The name, which every value of the two bits has.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::EMPTY => "empty",
            Self::INCOMPLETE => "incomplete",
            Self::DAMAGED => "damaged",
            Self::COMPLETE => "complete",
            _ => return None,
        })
    }
}

impl fmt::Display for SessionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "session status {}", self.0),
        }
    }
}

/// How far formatting in the background is (MRW and DVD+RW discs).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BackgroundFormat(pub u8);

impl BackgroundFormat {
    /// 00b: the disc is not formatted so.
    pub const NONE: Self = Self(0);
    /// 01b: it has begun, and was stopped.
    pub const STOPPED: Self = Self(1);
    /// 10b: it goes on.
    pub const RUNNING: Self = Self(2);
    /// 11b: the disc is formatted.
    pub const COMPLETE: Self = Self(3);

    /// The name, which every value of the two bits has.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NONE => "none",
            Self::STOPPED => "stopped",
            Self::RUNNING => "running",
            Self::COMPLETE => "complete",
            _ => return None,
        })
    }
}

impl fmt::Display for BackgroundFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "background format {}", self.0),
        }
    }
}

/// The type of a CD, as its table of contents has it (PSEC of point A0h).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiscType(pub u8);

impl DiscType {
    /// 00h: audio, or data in mode 1. Discs other than CDs have it as well.
    #[doc(alias("CD-DA", "CD-ROM"))]
    pub const CD: Self = Self(0x00);
    /// 10h: CD-i.
    pub const CD_I: Self = Self(0x10);
    /// 20h: CD-ROM XA, data in mode 2.
    pub const CD_ROM_XA: Self = Self(0x20);
    /// FFh: not known, as on an empty disc.
    pub const UNDEFINED: Self = Self(0xff);

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::CD => "CD-DA or CD-ROM",
            Self::CD_I => "CD-i",
            Self::CD_ROM_XA => "CD-ROM XA",
            Self::UNDEFINED => "undefined",
            _ => return None,
        })
    }
}

impl fmt::Display for DiscType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "disc type {:02x}h", self.0),
        }
    }
}

/// A power calibration of the drive for a disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias = "OPC")]
pub struct OpcEntry {
    /// The speed in kB/s that it is for.
    pub speed: u16,
    /// Its values, which are the vendor's.
    pub values: [u8; 6],
}

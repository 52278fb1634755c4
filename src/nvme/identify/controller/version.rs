//! Newtypes of Identify Controller.

use core::fmt;

/// A version of the NVMe Base Specification. NVMe Base 2.1, 3.1.4.2.
///
/// ```
/// use passthru::nvme::identify::Version;
///
/// let version = Version::from_raw(0x0001_0201);
/// assert_eq!((version.major(), version.minor(), version.tertiary()), (1, 2, 1));
/// assert_eq!(version.to_string(), "1.2.1");
/// assert!(version < Version::from_raw(0x0002_0000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("VER", "VS"))]
pub struct Version(u32);

impl Version {
    /// The version of this number.
    #[must_use]
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The number.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// 2 of 2.1.
    #[must_use]
    pub const fn major(self) -> u16 {
        let [_, _, low, high] = self.0.to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// 1 of 2.1.
    #[must_use]
    pub const fn minor(self) -> u8 {
        self.0.to_le_bytes()[1]
    }

    /// 1 of 1.2.1, mostly 0.
    #[must_use]
    pub const fn tertiary(self) -> u8 {
        self.0.to_le_bytes()[0]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major(), self.minor())?;
        match self.tertiary() {
            0 => Ok(()),
            tertiary => write!(f, ".{tertiary}"),
        }
    }
}

/// What a controller is there for (CNTRLTYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "CNTRLTYPE")]
pub struct ControllerType(u8);

impl ControllerType {
    /// It is older than the field.
    pub const NOT_REPORTED: Self = Self(0);
    /// It has namespaces.
    pub const IO: Self = Self(1);
    /// It names NVM subsystems.
    pub const DISCOVERY: Self = Self(2);
    /// It manages only.
    pub const ADMINISTRATIVE: Self = Self(3);

    /// The type of this number.
    #[must_use]
    pub const fn from_raw(raw: u8) -> Self {
        Self(raw)
    }

    /// The number.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }
}

impl fmt::Display for ControllerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::NOT_REPORTED => "not reported",
            Self::IO => "I/O controller",
            Self::DISCOVERY => "discovery controller",
            Self::ADMINISTRATIVE => "administrative controller",
            Self(other) => return write!(f, "controller type {other:02X}h"),
        })
    }
}

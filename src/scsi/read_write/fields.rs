//! Fields of a few bits, checked when they are made.

/// The RDPROTECT or WRPROTECT field, 0 to 7 (SBC-4 5.16 and 5.40): what happens
/// with protection information on a medium that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("RDPROTECT", "WRPROTECT", "T10-PI", "DIF"))]
pub struct Protect(u8);

impl Protect {
    /// 000b: it is not transferred; the device checks it or makes it.
    pub const NONE: Self = Self(0);
    /// 001b: it is transferred and checked: 8 more bytes for each protection
    /// interval.
    pub const CHECK: Self = Self(1);
    /// 011b: it is transferred and not checked.
    pub const NO_CHECK: Self = Self(3);

    /// The field with this value; `None` if it is above 7.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 7 { Some(Self(value)) } else { None }
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The GROUP NUMBER field, 0 to 63 (SBC-4): under which number the device
/// counts the command in its statistics, or which stream a write belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupNumber(u8);

impl GroupNumber {
    /// 0: no group.
    pub const NONE: Self = Self(0);

    /// The group with this number; `None` if it is above 63.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 63 { Some(Self(value)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// A command duration limit descriptor, 0 to 7 (the DLD2, DLD1 and DLD0 bits):
/// how long the command may take in the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("DLD", "CDL"))]
pub struct DurationLimit(u8);

impl DurationLimit {
    /// 0: no limit.
    pub const NONE: Self = Self(0);

    /// The descriptor with this number; `None` if it is above 7.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 7 { Some(Self(value)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// DLD2, for bit 0 of byte 1.
    pub(super) const fn high(self) -> u8 {
        self.0 >> 2
    }

    /// DLD1 and DLD0, for bits 7 and 6 of byte 14.
    pub(super) const fn low(self) -> u8 {
        (self.0 & 3) << 6
    }
}

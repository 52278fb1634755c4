//! Which value of a feature is asked for.

/// Which of a feature's values Get Features gives (SEL). A controller without
/// Save and Select (ONCS bit 4) gives the current one whatever is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("SEL", "nvme_get_features_sel"))]
pub enum Select {
    /// The value in use.
    #[default]
    Current,
    /// The value that the drive left its maker with.
    Default,
    /// The value that comes back with power.
    Saved,
    /// What can be done with the feature: see [`Capabilities`].
    Supported,
}

impl Select {
    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::Current => 0,
            Self::Default => 1,
            Self::Saved => 2,
            Self::Supported => 3,
        }
    }
}

/// What can be done with a feature: completion dword 0 of Get Features with
/// [`Select::Supported`]. NVMe Base 2.1, 5.1.11.
///
/// ```
/// use passthru::nvme::features::Capabilities;
///
/// let capabilities = Capabilities::from_dword(5);
/// assert!(capabilities.is_saveable() && capabilities.is_changeable());
/// assert!(!capabilities.is_by_namespace());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capabilities(u32);

impl Capabilities {
    /// Of completion dword 0.
    #[must_use]
    pub const fn from_dword(dword0: u32) -> Self {
        Self(dword0)
    }

    /// Whether the value can be saved, to outlive a reset and a loss of power.
    #[must_use]
    pub const fn is_saveable(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether each namespace has a value of its own.
    #[must_use]
    #[doc(alias = "namespace specific")]
    pub const fn is_by_namespace(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether the value can be changed.
    #[must_use]
    pub const fn is_changeable(self) -> bool {
        self.0 & 4 != 0
    }
}

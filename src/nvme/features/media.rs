//! Features of reading, writing and erasing.

use super::{DwordFeature, FeatureId, GetFeature, SetFeature, dword::dword_feature};
use crate::nvme::{Nsid, bits};

dword_feature! {
    /// Error Recovery (05h), of a namespace. NVM Command Set 1.1, 4.1.3.
    #[doc(alias = "nvme_feat_err_recovery")]
    ErrorRecovery = ERROR_RECOVERY
}

impl ErrorRecovery {
    /// How long to try, in units of 100 ms; 0 for no limit (TLER).
    #[doc(alias = "TLER")]
    pub const fn time_limit(self, hundred_milliseconds: u16) -> Self {
        Self(bits::with(self.0, 0, 16, hundred_milliseconds as u32))
    }

    /// Whether reading a block that was deallocated or never written is an
    /// error (DULBE).
    #[doc(alias = "DULBE")]
    pub const fn deallocated_is_error(self, error: bool) -> Self {
        Self(bits::with(self.0, 16, 1, error as u32))
    }

    /// How long to try, in units of 100 ms; 0 for no limit.
    #[must_use]
    pub const fn hundred_milliseconds(self) -> u16 {
        bits::word(self.0, 0)
    }

    /// Whether reading a deallocated block is an error.
    #[must_use]
    pub const fn is_deallocated_error(self) -> bool {
        bits::get(self.0, 16, 1) != 0
    }
}

dword_feature! {
    /// Volatile Write Cache (06h). NVMe Base 2.1, 5.1.25.1.
    #[doc(alias("WCE", "nvme_feat_volatile_wc"))]
    VolatileWriteCache = VOLATILE_WRITE_CACHE
}

impl VolatileWriteCache {
    /// Whether it is used.
    pub const fn new(enabled: bool) -> Self {
        Self(enabled as u32)
    }

    /// Whether it is used.
    #[must_use]
    pub const fn is_enabled(self) -> bool {
        self.0 & 1 != 0
    }
}

dword_feature! {
    /// Write Atomicity Normal (0Ah). NVM Command Set 1.1, 4.1.3.
    #[doc(alias("DN", "nvme_feat_write_atomic"))]
    WriteAtomicity = WRITE_ATOMICITY
}

impl WriteAtomicity {
    /// Whether the host can do without writes being atomic in normal operation
    /// (DN), and only needs them to be at a power failure.
    pub const fn new(disable_normal: bool) -> Self {
        Self(disable_normal as u32)
    }

    /// Whether it can (DN).
    #[must_use]
    pub const fn is_normal_disabled(self) -> bool {
        self.0 & 1 != 0
    }
}

dword_feature! {
    /// Sanitize Config (17h): what becomes of a sanitize command that forbids
    /// deallocation where the controller cannot do without. NVMe Base 2.1,
    /// 5.1.25.1.
    #[doc(alias("NODRM", "nvme_feat_sanitize"))]
    SanitizeConfiguration = SANITIZE_CONFIG
}

impl SanitizeConfiguration {
    /// Whether it is carried out with a warning (`true`) or fails.
    pub const fn new(warn: bool) -> Self {
        Self(warn as u32)
    }

    /// Whether it is carried out with a warning.
    #[must_use]
    pub const fn warns(self) -> bool {
        self.0 & 1 != 0
    }
}

dword_feature! {
    /// Namespace Write Protection Config (84h). NVMe Base 2.1, 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::{Nsid, features::NamespaceWriteProtection};
    ///
    /// let protect = NamespaceWriteProtection::WRITE_PROTECT.set_of(Nsid::new(1).unwrap());
    /// # let _ = protect;
    /// ```
    #[doc(alias("WPS", "nvme_feat_write_protect"))]
    NamespaceWriteProtection = NAMESPACE_WRITE_PROTECTION
}

impl NamespaceWriteProtection {
    /// It can be written to.
    pub const NONE: Self = Self(0);
    /// It cannot.
    pub const WRITE_PROTECT: Self = Self(1);
    /// It cannot until power is lost.
    pub const UNTIL_POWER_CYCLE: Self = Self(2);
    /// It never can again.
    pub const PERMANENT: Self = Self(3);

    /// The state's number, 0 to 7.
    #[must_use]
    pub const fn state(self) -> u8 {
        bits::byte(self.0, 0) & 7
    }

    /// Asks for a namespace's state.
    pub fn get_of(nsid: Nsid) -> GetFeature {
        Self::get().namespace(nsid)
    }

    /// Sets a namespace's state. [`PERMANENT`](Self::PERMANENT) cannot be taken
    /// back.
    pub fn set_of(self, nsid: Nsid) -> SetFeature {
        self.set().namespace(nsid)
    }
}

/// Read Recovery Level Config (12h), of an NVM set. NVMe Base 2.1, 5.1.25.1.
///
/// ```
/// use passthru::nvme::{Command, Lengths, features::ReadRecoveryLevel};
///
/// let sqe = ReadRecoveryLevel::FAST_FAIL.set_of(2).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.cdw10, sqe.cdw11, sqe.cdw12), (0x12, 2, 15));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("RRL", "nvme_feat_rrl"))]
pub struct ReadRecoveryLevel(u8);

impl ReadRecoveryLevel {
    /// What every controller has.
    pub const DEFAULT: Self = Self(4);
    /// The least effort.
    pub const FAST_FAIL: Self = Self(15);

    /// Level 0 (most effort) to 15. Higher bits are dropped.
    #[must_use]
    pub const fn new(level: u8) -> Self {
        Self(level & 15)
    }

    /// Of completion dword 0.
    #[must_use]
    pub const fn from_dword(dword0: u32) -> Self {
        Self::new(bits::byte(dword0, 0))
    }

    /// The level, 0 to 15.
    #[must_use]
    pub const fn level(self) -> u8 {
        self.0
    }

    /// Asks for the level of an NVM set: send it by `execute`.
    pub const fn get_of(nvm_set: u16) -> GetFeature {
        GetFeature::new(FeatureId::READ_RECOVERY_LEVEL).dword11(nvm_set as u32)
    }

    /// Sets the level of an NVM set: send it by `execute`.
    pub const fn set_of(self, nvm_set: u16) -> SetFeature {
        SetFeature::typed(FeatureId::READ_RECOVERY_LEVEL, nvm_set as u32).dword12(self.0 as u32)
    }
}

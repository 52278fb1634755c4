//! Sanitize.

use super::no_data_command;
use crate::nvme::Sqe;

/// Sanitize (84h): erases all data of the NVM subsystem so that it cannot be had
/// back, caches and deallocated blocks included. NVMe Base 2.1, 5.1.22.
///
/// The command ends when the erasing has begun; the Sanitize Status log page
/// tells how far it is. It goes on over resets and losses of power.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::{Overwrite, Sanitize}};
///
/// let sqe = Sanitize::block_erase().no_deallocate(true).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10), (0x84, 0x202));
/// let overwrite = Overwrite { passes: 3, pattern: 0xa5a5_a5a5, invert: true };
/// let sqe = Sanitize::overwrite(overwrite).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.cdw10, sqe.cdw11), (0x133, 0xa5a5_a5a5));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("sanitize", "nvme_admin_sanitize_nvm", "SANACT"))]
pub struct Sanitize {
    dword10: u32,
    pattern: u32,
}

/// How Sanitize overwrites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overwrite {
    /// How often, 1 to 16 (OWPASS); others are made the nearest of these.
    pub passes: u8,
    /// With what (OVRPAT).
    pub pattern: u32,
    /// Whether the pattern is inverted from pass to pass (OIPBP).
    pub invert: bool,
}

impl Sanitize {
    const fn action(action: u32) -> Self {
        Self {
            dword10: action,
            pattern: 0,
        }
    }

    /// Leaves the state of a sanitize operation that failed.
    pub const fn exit_failure() -> Self {
        Self::action(1)
    }

    /// Erases the blocks of the medium.
    pub const fn block_erase() -> Self {
        Self::action(2)
    }

    /// Writes over everything.
    #[doc(alias("OWPASS", "OIPBP", "OVRPAT"))]
    pub fn overwrite(overwrite: Overwrite) -> Self {
        // 0 means 16.
        let passes = u32::from(overwrite.passes.clamp(1, 16)) & 0xf;
        Self {
            dword10: 3 | passes << 4 | u32::from(overwrite.invert) << 8,
            pattern: overwrite.pattern,
        }
    }

    /// Erases the keys.
    pub const fn crypto_erase() -> Self {
        Self::action(4)
    }

    /// Leaves the state in which the medium can be verified.
    pub const fn exit_media_verification() -> Self {
        Self::action(5)
    }

    /// Lets the drive be used after a failure without a successful sanitize
    /// operation (AUSE).
    #[doc(alias = "AUSE")]
    pub const fn allow_unrestricted_exit(self, allow: bool) -> Self {
        self.bit(3, allow)
    }

    /// Not to deallocate all blocks when it is done (NDAS).
    #[doc(alias("NDAS", "no-dealloc"))]
    pub const fn no_deallocate(self, keep: bool) -> Self {
        self.bit(9, keep)
    }

    /// With a state in which the medium can be verified when it is done (EMVS).
    #[doc(alias = "EMVS")]
    pub const fn media_verification(self, enter: bool) -> Self {
        self.bit(10, enter)
    }

    const fn bit(mut self, bit: u32, on: bool) -> Self {
        self.dword10 = self.dword10 & !(1 << bit) | (on as u32) << bit;
        self
    }

    const fn entry(&self) -> Sqe {
        let mut sqe = Sqe::new(0x84);
        sqe.cdw10 = self.dword10;
        sqe.cdw11 = self.pattern;
        sqe
    }
}

no_data_command!(
    Sanitize,
    |sanitize| sanitize.entry(),
    Some(core::time::Duration::from_secs(600))
);

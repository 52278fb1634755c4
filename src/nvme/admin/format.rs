//! Format NVM.

use core::time::Duration;

use super::{A_DAY, no_data_command};
use crate::nvme::{Nsid, Sqe};

/// What Format NVM does with the data that was there (SES).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("SES", "nvme_cmd_format_ses"))]
pub enum SecureErase {
    /// Nothing is asked for; all of it is lost.
    #[default]
    None,
    /// All of it is erased.
    UserData,
    /// The key to it is erased.
    Cryptographic,
}

/// Format NVM (80h): gives a namespace, or all, another format. All data is
/// lost. NVMe Base 2.1, 5.1.10; NVM Command Set 1.1, 4.1.2.
///
/// It may take up to 24 hours, unless [`within`](Self::within) says otherwise: if
/// the time runs out the kernel resets the controller.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::{FormatNvm, SecureErase}};
///
/// let format = FormatNvm::new(Nsid::new(1).unwrap(), 17)
///     .erase(SecureErase::Cryptographic)
///     .protection(1, true);
/// let sqe = format.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x80, 1, 0x1521));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("format", "nvme_admin_format_nvm"))]
pub struct FormatNvm {
    nsid: Nsid,
    format: u8,
    extended: bool,
    protection: u8,
    first: bool,
    erase: SecureErase,
    timeout: Duration,
}

impl FormatNvm {
    /// With the LBA format of this index, 0 to 63, in Identify Namespace; higher
    /// bits are dropped. Whether [`Nsid::ALL`] is allowed, and whether it is
    /// meant by any, FNA of Identify Controller says.
    #[doc(alias("LBAF", "LBAFL", "LBAFU"))]
    pub const fn new(nsid: Nsid, format: u8) -> Self {
        Self {
            nsid,
            format: format & 0x3f,
            extended: false,
            protection: 0,
            first: false,
            erase: SecureErase::None,
            timeout: A_DAY,
        }
    }

    /// Metadata behind each block's data, not in a buffer of its own (MSET).
    #[doc(alias = "MSET")]
    pub const fn extended(mut self, extended: bool) -> Self {
        self.extended = extended;
        self
    }

    /// Protection information of type 1 to 3, 0 for none (PI); as the first
    /// bytes of the metadata or the last (PIL). Higher bits of the type are
    /// dropped.
    #[doc(alias("PI", "PIL"))]
    pub const fn protection(mut self, kind: u8, first: bool) -> Self {
        self.protection = kind & 7;
        self.first = first;
        self
    }

    /// What happens to the data that was there.
    pub const fn erase(mut self, erase: SecureErase) -> Self {
        self.erase = erase;
        self
    }

    /// Within another time than 24 hours.
    pub const fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    fn entry(&self) -> Sqe {
        let erase = match self.erase {
            SecureErase::None => 0,
            SecureErase::UserData => 1,
            SecureErase::Cryptographic => 2,
        };
        let format = u32::from(self.format);
        Sqe {
            nsid: self.nsid.get(),
            cdw10: format & 0xf
                | u32::from(self.extended) << 4
                | u32::from(self.protection) << 5
                | u32::from(self.first) << 8
                | erase << 9
                | (format >> 4) << 12,
            ..Sqe::new(0x80)
        }
    }
}

no_data_command!(FormatNvm, |format| format.entry(), Some(format.timeout));

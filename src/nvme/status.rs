//! What a controller says about a command: the status field of its completion.

mod code;
mod table;
#[cfg(test)]
mod tests;

pub use code::StatusCode;

use core::fmt;

/// The status field of a completion without its phase bit (NVMe Base 2.2, 4.2.3).
///
/// This is what the kernel's pass-through calls return when they return more than zero.
///
/// | bits | field | here |
/// |---|---|---|
/// | 7:0 | SC, Status Code | [`code`](Self::code) |
/// | 10:8 | SCT, Status Code Type | [`code_type`](Self::code_type) |
/// | 12:11 | CRD, Command Retry Delay | [`retry_delay`](Self::retry_delay) |
/// | 13 | M, More | [`more`](Self::more) |
/// | 14 | DNR, Do Not Retry | [`do_not_retry`](Self::do_not_retry) |
///
/// `==` compares all of it. To ask what happened, whatever the upper bits say, compare the
/// [`status_code`](Self::status_code).
///
/// ```
/// use passthru::nvme::{NvmeStatus, StatusCode, StatusCodeType};
///
/// let status = NvmeStatus::from_raw(0x4080);
/// assert_eq!(status.status_code(), StatusCode::LBA_OUT_OF_RANGE);
/// assert_eq!(status.code_type(), StatusCodeType::GENERIC);
/// assert!(status.do_not_retry() && !status.is_success());
/// assert_eq!(status.to_string(), "LBA Out of Range (0080h), do not retry");
///
/// assert_eq!(NvmeStatus::from_raw(0x2077).to_string(), "unassigned (0077h), more in the error log");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[doc(alias = "nvme_completion")]
pub struct NvmeStatus(u16);

impl NvmeStatus {
    /// The command ended well, and there is nothing more to say.
    #[doc(alias = "NVME_SC_SUCCESS")]
    pub const SUCCESS: Self = Self(0);

    const CODE: u16 = 0x07FF;
    const MORE: u16 = 0x2000;
    const DO_NOT_RETRY: u16 = 0x4000;

    /// The value as the kernel gives it. Bit 15, which the field does not have, is dropped.
    #[must_use]
    pub const fn from_raw(raw: u16) -> Self {
        Self(raw & 0x7FFF)
    }

    /// The value as a controller writes it, with the phase tag in bit 0: in a completion queue
    /// entry, and in the entries of the Error Information log page.
    ///
    /// ```
    /// use passthru::nvme::NvmeStatus;
    ///
    /// assert_eq!(NvmeStatus::from_phase_tagged(0x8101), NvmeStatus::from_raw(0x4080));
    /// ```
    #[must_use]
    pub const fn from_phase_tagged(raw: u16) -> Self {
        Self(raw >> 1)
    }

    /// The 15 bits, as [`from_raw`](Self::from_raw) takes them.
    #[must_use]
    pub const fn raw(self) -> u16 {
        self.0
    }

    /// What happened: the status code with its type, without the upper bits.
    #[must_use]
    #[doc(alias = "NVME_SCT_SC_MASK")]
    pub const fn status_code(self) -> StatusCode {
        StatusCode::from_raw(self.0 & Self::CODE)
    }

    /// SCT: which of the specification's tables the code is from.
    #[must_use]
    #[doc(alias = "NVME_SCT_MASK")]
    pub const fn code_type(self) -> StatusCodeType {
        self.status_code().code_type()
    }

    /// SC: the code, which means something only together with [`code_type`](Self::code_type).
    #[must_use]
    #[doc(alias = "NVME_SC_MASK")]
    pub const fn code(self) -> u8 {
        self.status_code().code()
    }

    /// True for a code and a type of zero, whatever the upper bits are.
    #[must_use]
    pub const fn is_success(self) -> bool {
        self.0 & Self::CODE == 0
    }

    /// CRD: which of the times CRDT1, CRDT2 and CRDT3 of Identify Controller (in units of 100 ms)
    /// to wait before the command is sent again, 1 to 3; 0 asks for no wait.
    ///
    /// Only a controller whose host has set Advanced Command Retry Enable says more than 0 here,
    /// and it means nothing beside [`do_not_retry`](Self::do_not_retry). Nobody waits for you: the
    /// kernel does not retry commands that were passed through.
    #[must_use]
    #[doc(alias = "NVME_STATUS_CRD")]
    #[doc(alias = "NVME_SC_CRD")]
    pub const fn retry_delay(self) -> u8 {
        ((self.0 >> 11) & 0b11).to_le_bytes()[0]
    }

    /// M: the Error Information log page says more about this command.
    #[must_use]
    #[doc(alias = "NVME_STATUS_MORE")]
    #[doc(alias = "NVME_SC_MORE")]
    pub const fn more(self) -> bool {
        self.0 & Self::MORE != 0
    }

    /// DNR: the same command would fail again on any controller of the NVM subsystem. When it is
    /// false the command may succeed if it is sent again.
    #[must_use]
    #[doc(alias = "NVME_STATUS_DNR")]
    #[doc(alias = "NVME_SC_DNR")]
    pub const fn do_not_retry(self) -> bool {
        self.0 & Self::DO_NOT_RETRY != 0
    }

    /// The specifications' name for the code; see [`StatusCode::name`].
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        self.status_code().name()
    }

    /// The reset that new firmware waits for, if the status names one.
    ///
    /// After Firmware Commit this is not a failure: the image was committed, and runs after the
    /// reset. After Sanitize it is one: the controller refuses until firmware that was committed
    /// earlier has been activated.
    ///
    /// [`FIRMWARE_NEEDS_MAX_TIME_VIOLATION`](StatusCode::FIRMWARE_NEEDS_MAX_TIME_VIOLATION) names
    /// none: it asks for another Firmware Commit, one that activates the image at a reset.
    ///
    /// ```
    /// use passthru::nvme::{FirmwareReset, NvmeStatus};
    ///
    /// let committed = NvmeStatus::from_raw(0x0111);
    /// assert_eq!(committed.needs_reset(), Some(FirmwareReset::Controller));
    /// assert_eq!(NvmeStatus::SUCCESS.needs_reset(), None);
    /// ```
    #[must_use]
    pub const fn needs_reset(self) -> Option<FirmwareReset> {
        Some(match self.status_code() {
            StatusCode::FIRMWARE_NEEDS_CONVENTIONAL_RESET => FirmwareReset::Conventional,
            StatusCode::FIRMWARE_NEEDS_SUBSYSTEM_RESET => FirmwareReset::Subsystem,
            StatusCode::FIRMWARE_NEEDS_CONTROLLER_RESET => FirmwareReset::Controller,
            _ => return None,
        })
    }
}

impl fmt::Display for NvmeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.status_code(), f)?;
        if self.more() {
            f.write_str(", more in the error log")?;
        }
        match (self.do_not_retry(), self.retry_delay()) {
            (true, _) => f.write_str(", do not retry"),
            (false, 0) => Ok(()),
            (false, index) => write!(f, ", retry after CRDT{index}"),
        }
    }
}

impl fmt::Debug for NvmeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NvmeStatus({:#06x}: {self})", self.0)
    }
}

/// The type of a status code: which of the specification's tables it is from (NVMe Base 2.2,
/// Figure 101).
///
/// ```
/// use passthru::nvme::StatusCodeType;
///
/// assert_eq!(StatusCodeType::PATH_RELATED.to_string(), "path related");
/// assert_eq!(StatusCodeType::from_raw(5).to_string(), "status code type 5h");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[doc(alias = "SCT")]
pub struct StatusCodeType(u8);

impl StatusCodeType {
    /// Codes that any command may end with, success among them.
    #[doc(alias = "NVME_SCT_GENERIC")]
    pub const GENERIC: Self = Self(0);
    /// Codes of one command or of a few.
    #[doc(alias = "NVME_SCT_COMMAND_SPECIFIC")]
    pub const COMMAND_SPECIFIC: Self = Self(1);
    /// The medium failed, or protection information did not match.
    #[doc(alias = "NVME_SCT_MEDIA_ERROR")]
    pub const MEDIA_AND_DATA_INTEGRITY: Self = Self(2);
    /// The way to the namespace failed; another controller of the NVM subsystem may do better.
    #[doc(alias = "NVME_SCT_PATH")]
    pub const PATH_RELATED: Self = Self(3);
    /// Codes of the vendor's.
    pub const VENDOR_SPECIFIC: Self = Self(7);

    /// The type of this number; it has three bits, others are dropped.
    #[must_use]
    pub const fn from_raw(raw: u8) -> Self {
        Self(raw & 0b111)
    }

    /// The number, 0 to 7.
    #[must_use]
    pub const fn raw(self) -> u8 {
        self.0
    }

    /// The name, or `None` for 4h to 6h, which are reserved.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::GENERIC => "generic",
            Self::COMMAND_SPECIFIC => "command specific",
            Self::MEDIA_AND_DATA_INTEGRITY => "media and data integrity",
            Self::PATH_RELATED => "path related",
            Self::VENDOR_SPECIFIC => "vendor specific",
            _ => return None,
        })
    }
}

impl fmt::Display for StatusCodeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "status code type {:X}h", self.0),
        }
    }
}

/// The reset that activates new firmware; see [`NvmeStatus::needs_reset`].
///
/// ```
/// use passthru::nvme::FirmwareReset;
///
/// assert_eq!(FirmwareReset::Subsystem.to_string(), "NVM subsystem reset");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FirmwareReset {
    /// A Conventional Reset of the PCI Express function: usually a restart of the machine, or a
    /// hot reset of its link.
    #[doc(alias = "NVME_SC_FW_NEEDS_CONV_RESET")]
    Conventional,
    /// An NVM Subsystem Reset, which resets every controller of the subsystem
    /// (`NVME_IOCTL_SUBSYS_RESET`).
    #[doc(alias = "NVME_SC_FW_NEEDS_SUBSYS_RESET")]
    Subsystem,
    /// Any Controller Level Reset (`NVME_IOCTL_RESET`).
    #[doc(alias = "NVME_SC_FW_NEEDS_RESET")]
    Controller,
}

impl fmt::Display for FirmwareReset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Conventional => "conventional reset",
            Self::Subsystem => "NVM subsystem reset",
            Self::Controller => "controller level reset",
        })
    }
}

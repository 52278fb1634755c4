//! Page codes, and which of its values a page is asked for.

use core::fmt;

/// A mode page code, 00h to 3Fh.
///
/// ```
/// use passthru::scsi::mode::PageCode;
///
/// assert_eq!(PageCode::CAPABILITIES.to_string(), "2Ah");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "PAGE CODE")]
pub struct PageCode(pub u8);

impl PageCode {
    /// The vendor's page, which need not have the format of a page (SPC-4 7.5.1).
    pub const VENDOR: Self = Self(0x00);
    /// Read/write error recovery: [`ErrorRecovery`](super::ErrorRecovery).
    pub const ERROR_RECOVERY: Self = Self(0x01);
    /// Write parameters of an optical drive:
    /// [`WriteParameters`](super::WriteParameters).
    pub const WRITE_PARAMETERS: Self = Self(0x05);
    /// Caching.
    pub const CACHING: Self = Self(0x08);
    /// CD device parameters: [`CdDeviceParameters`](super::CdDeviceParameters).
    pub const CD_DEVICE_PARAMETERS: Self = Self(0x0d);
    /// CD audio control: [`CdAudioControl`](super::CdAudioControl).
    pub const CD_AUDIO_CONTROL: Self = Self(0x0e);
    /// Power condition.
    pub const POWER_CONDITION: Self = Self(0x1a);
    /// Informational exceptions (fault and failure reporting).
    pub const INFORMATIONAL_EXCEPTIONS: Self = Self(0x1c);
    /// Timeouts and protection of an optical drive.
    pub const TIMEOUT_AND_PROTECT: Self = Self(0x1d);
    /// CD capabilities and mechanical status: [`Capabilities`](super::Capabilities).
    pub const CAPABILITIES: Self = Self(0x2a);
    /// Not a page: asks for all of them.
    pub const ALL: Self = Self(0x3f);
}

impl fmt::Display for PageCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X}h", self.0)
    }
}

/// Which values of a mode page MODE SENSE returns (PC, SPC-4 6.11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("PC", "PAGE CONTROL"))]
pub enum PageControl {
    /// Those in use now.
    #[default]
    Current,
    /// A mask: bits that MODE SELECT may change are ones.
    Changeable,
    /// Those that the device was made with.
    Default,
    /// Those that survive a loss of power. Devices that save nothing refuse it
    /// with 05/39/00.
    Saved,
}

impl PageControl {
    pub(super) const fn bits(self) -> u8 {
        match self {
            Self::Current => 0x00,
            Self::Changeable => 0x40,
            Self::Default => 0x80,
            Self::Saved => 0xc0,
        }
    }
}

//! Page 0Dh.

use super::{NotInPage, OwnedPage, PageCode, typed_page};

/// The CD device parameters page (0Dh, MMC-3 clause 6; obsolete since MMC-4): when the
/// drive parks, and how it counts time.
///
/// ```
/// use passthru::scsi::mode::CdDeviceParameters;
///
/// let mut page = CdDeviceParameters::zeroed();
/// page.set_inactivity_timer(5)?;
/// assert_eq!(page.as_ref().as_bytes(), [0x0d, 6, 0, 5, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::mode::NotInPage>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CdDeviceParameters(OwnedPage);

typed_page!(CdDeviceParameters, PageCode::CD_DEVICE_PARAMETERS);

impl CdDeviceParameters {
    /// A page of 8 zero bytes.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(OwnedPage::zeroed(PageCode::CD_DEVICE_PARAMETERS, 6))
    }

    /// How long the drive stays at a place after a seek or a read, as a code of 4
    /// bits: 0 the vendor's time, 1 to 3 125 to 500 ms, 4 to 9 1 to 32 s in powers
    /// of 2, 10 to 15 1 to 32 min.
    #[must_use]
    #[doc(alias = "INACTIVITY TIMER MULTIPLIER")]
    pub fn inactivity_timer(&self) -> Option<u8> {
        self.0.field(3, 0x0f)
    }

    /// Sets the inactivity timer, 4 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_inactivity_timer(&mut self, code: u8) -> Result<(), NotInPage> {
        self.0.set_field(3, 0x0f, code)
    }

    /// How many seconds a minute has: 60.
    #[must_use]
    pub fn seconds_per_minute(&self) -> Option<u16> {
        self.0.be16(4)
    }

    /// Sets the number of seconds in a minute.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_seconds_per_minute(&mut self, seconds: u16) -> Result<(), NotInPage> {
        self.0.set_bytes(4, &seconds.to_be_bytes())
    }

    /// How many frames a second has: 75.
    #[must_use]
    pub fn frames_per_second(&self) -> Option<u16> {
        self.0.be16(6)
    }

    /// Sets the number of frames in a second.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_frames_per_second(&mut self, frames: u16) -> Result<(), NotInPage> {
        self.0.set_bytes(6, &frames.to_be_bytes())
    }
}

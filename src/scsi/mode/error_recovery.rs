//! Page 01h.

use super::{NotInPage, OwnedPage, PageCode, typed_page};

/// The read/write error recovery page (01h, MMC-6 clause 7, SBC-4 6.5.8): how hard the
/// device tries, and what it tells of it.
///
/// ```
/// use passthru::scsi::mode::ErrorRecovery;
///
/// let mut page = ErrorRecovery::zeroed();
/// page.set_transfer_block(true)?;
/// page.set_disable_correction(true)?;
/// page.set_read_retry_count(10)?;
/// assert_eq!(page.flags(), Some(0x21));
/// assert_eq!(page.read_retry_count(), Some(10));
/// # Ok::<(), passthru::scsi::mode::NotInPage>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ErrorRecovery(OwnedPage);

typed_page!(ErrorRecovery, PageCode::ERROR_RECOVERY);

/// Byte 2.
const FLAGS: usize = 2;

impl ErrorRecovery {
    /// A page of 12 zero bytes.
    #[must_use]
    pub fn zeroed() -> Self {
        Self(OwnedPage::zeroed(PageCode::ERROR_RECOVERY, 10))
    }

    /// The error recovery parameter: all bits of byte 2.
    #[must_use]
    #[doc(alias = "ERROR RECOVERY PARAMETER")]
    pub fn flags(&self) -> Option<u8> {
        self.0.byte(FLAGS)
    }

    /// Sets all bits of byte 2.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_flags(&mut self, flags: u8) -> Result<(), NotInPage> {
        self.0.set_field(FLAGS, 0xff, flags)
    }

    /// Whether defective blocks are reassigned when written (AWRE).
    #[must_use]
    #[doc(alias = "AWRE")]
    pub fn reassigns_on_write(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x80)
    }

    /// Sets AWRE.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_reassigns_on_write(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x80, on)
    }

    /// Whether defective blocks are reassigned when read (ARRE).
    #[must_use]
    #[doc(alias = "ARRE")]
    pub fn reassigns_on_read(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x40)
    }

    /// Sets ARRE.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_reassigns_on_read(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x40, on)
    }

    /// Whether a block that could not be recovered is transferred as it was read
    /// (TB).
    #[must_use]
    #[doc(alias = "TB")]
    pub fn transfer_block(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x20)
    }

    /// Sets TB.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_transfer_block(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x20, on)
    }

    /// Whether data comes without a pause for recovery, with errors in it if need
    /// be (RC).
    #[must_use]
    #[doc(alias = "RC")]
    pub fn read_continuous(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x10)
    }

    /// Sets RC.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_read_continuous(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x10, on)
    }

    /// Whether recovered errors are reported as RECOVERED ERROR (PER).
    #[must_use]
    #[doc(alias = "PER")]
    pub fn posts_errors(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x04)
    }

    /// Sets PER.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_posts_errors(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x04, on)
    }

    /// Whether a transfer ends at a recovered error (DTE; only with PER).
    #[must_use]
    #[doc(alias = "DTE")]
    pub fn stops_at_errors(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x02)
    }

    /// Sets DTE.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_stops_at_errors(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x02, on)
    }

    /// Whether error correction codes are not used to recover data (DCR). On a CD
    /// that is layer 3 of the correction; CIRC stays.
    #[must_use]
    #[doc(alias = "DCR")]
    pub fn disable_correction(&self) -> Option<bool> {
        self.0.flag(FLAGS, 0x01)
    }

    /// Sets DCR.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_disable_correction(&mut self, on: bool) -> Result<(), NotInPage> {
        self.0.set_flag(FLAGS, 0x01, on)
    }

    /// How often a read is tried again.
    #[must_use]
    #[doc(alias = "READ RETRY COUNT")]
    pub fn read_retry_count(&self) -> Option<u8> {
        self.0.byte(3)
    }

    /// Sets the read retry count.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_read_retry_count(&mut self, count: u8) -> Result<(), NotInPage> {
        self.0.set_field(3, 0xff, count)
    }

    /// Enhanced media certification and defect reporting (EMCDR), 0 to 3: what a
    /// drive with defect management does about blocks that are hard to read.
    #[must_use]
    #[doc(alias = "EMCDR")]
    pub fn media_certification(&self) -> Option<u8> {
        self.0.field(7, 0x03)
    }

    /// Sets EMCDR; of `value` the low 2 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_media_certification(&mut self, value: u8) -> Result<(), NotInPage> {
        self.0.set_field(7, 0x03, value)
    }

    /// How often a write is tried again.
    #[must_use]
    #[doc(alias = "WRITE RETRY COUNT")]
    pub fn write_retry_count(&self) -> Option<u8> {
        self.0.byte(8)
    }

    /// Sets the write retry count.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_write_retry_count(&mut self, count: u8) -> Result<(), NotInPage> {
        self.0.set_field(8, 0xff, count)
    }

    /// The error reporting window of an optical drive in blocks, bytes 9 to 11.
    /// Disks have their recovery time limit in the last two of them.
    #[must_use]
    #[doc(alias("ERROR REPORTING WINDOW SIZE", "RECOVERY TIME LIMIT"))]
    pub fn reporting_window(&self) -> Option<u32> {
        Some(self.0.be32(8)? & 0x00ff_ffff)
    }

    /// Sets the error reporting window; of `blocks` the low 24 bits.
    ///
    /// # Errors
    /// [`NotInPage`] if the page ends before.
    pub fn set_reporting_window(&mut self, blocks: u32) -> Result<(), NotInPage> {
        let [_, low @ ..] = blocks.to_be_bytes();
        self.0.set_bytes(9, &low)
    }
}

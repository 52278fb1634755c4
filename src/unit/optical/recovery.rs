//! Changing how hard the drive tries, and putting it back.

use super::{OpticalDrive, page::PageOf};
use crate::{
    Result,
    scsi::mode::{ErrorRecovery, ModeList, ModeSelect10},
    transport::{ScsiTransport, ScsiTransportExt},
};

/// The drive's error recovery page as it was, to be put back; made by
/// [`OpticalDrive::recovery`].
///
/// If [`set`](Self::set) has changed the page, it is put back when this is
/// dropped, by unwinding as well: one MODE SELECT(10), whose answer nobody sees
/// then. [`restore`](Self::restore) returns it. Of two guards of one drive each puts
/// back what it has found, so the second has to go first, as local variables do.
///
/// ```no_run
/// use passthru::unit::OpticalDrive;
///
/// let drive = OpticalDrive::open_rw("/dev/sg1")?;
/// let mut recovery = drive.recovery()?;
/// // Bad sectors are sent as they were read, after one retry.
/// recovery.send_bad_sectors(1)?;
/// // ... read ...
/// recovery.restore()?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the page is put back when this is dropped"]
pub struct RecoveryGuard<'a, T: ScsiTransport> {
    drive: &'a OpticalDrive<T>,
    saved: ErrorRecovery,
    changed: bool,
}

/// Up to the read retry count.
const LEAST: usize = 4;

impl<T: ScsiTransport> OpticalDrive<T> {
    /// Reads the error recovery page, so that it can be changed and put back: MODE
    /// SENSE(10).
    ///
    /// # Errors
    /// As [`ScsiTransportExt::query`]; [`Error::Malformed`](crate::Error::Malformed)
    /// also if the page ends before the read retry count.
    #[doc(alias("error recovery", "page 01h"))]
    pub fn recovery(&self) -> Result<RecoveryGuard<'_, T>> {
        Ok(RecoveryGuard {
            drive: self,
            saved: self.transport().query(&PageOf::new(LEAST))?,
            changed: false,
        })
    }

    fn select(&self, page: &ErrorRecovery) -> Result<()> {
        let list = ModeList::ten().page(page);
        self.transport()
            .write(&ModeSelect10::new(), list.as_bytes())?;
        Ok(())
    }
}

impl<T: ScsiTransport> RecoveryGuard<'_, T> {
    /// The page as it was: a copy of it is what to change and
    /// [`set`](Self::set).
    #[must_use]
    pub const fn saved(&self) -> &ErrorRecovery {
        &self.saved
    }

    /// Sends a page to the drive: MODE SELECT(10), current values only.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::write`]: 05/26/00 from a drive that does not take it,
    /// [`Error::NotPermitted`](crate::Error::NotPermitted) or
    /// [`Error::ReadOnly`](crate::Error::ReadOnly) if it was not even sent. Do not go on
    /// as if it was set. If the drive may have seen it, the page is put back in the
    /// end all the same.
    pub fn set(&mut self, page: &ErrorRecovery) -> Result<()> {
        let result = self.drive.select(page);
        self.changed |= match &result {
            Ok(()) => true,
            Err(error) => error.was_sent(),
        };
        result
    }

    /// Sets what a scan for errors wants: sectors that cannot be corrected are sent
    /// as they were read (TB), layer 3 of the correction is off (DCR), all other bits
    /// of that byte are 0, and each read is tried again `retries` times.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    #[doc(alias("TB", "DCR", "c2scan"))]
    pub fn send_bad_sectors(&mut self, retries: u8) -> Result<()> {
        let mut page = self.saved.clone();
        // The page is long enough for both; see `LEAST`.
        let _ = page.set_flags(0x21);
        let _ = page.set_read_retry_count(retries);
        self.set(&page)
    }

    /// Puts the page back, if it was changed.
    ///
    /// # Errors
    /// As [`set`](Self::set). It is not tried again; a clone of
    /// [`saved`](Self::saved) is what should be there.
    pub fn restore(mut self) -> Result<()> {
        self.put_back()
    }

    fn put_back(&mut self) -> Result<()> {
        if std::mem::take(&mut self.changed) {
            self.drive.select(&self.saved)?;
        }
        Ok(())
    }
}

impl<T: ScsiTransport> Drop for RecoveryGuard<'_, T> {
    fn drop(&mut self) {
        // Nobody is there to be told.
        let _ = self.put_back();
    }
}

//! Keeping the disc in the drive.

use std::sync::{MutexGuard, PoisonError};

use super::OpticalDrive;
use crate::{
    Result,
    scsi::mmc::PreventAllow,
    transport::{ScsiTransport, ScsiTransportExt},
};

/// The disc is locked in the drive as long as this lives; made by
/// [`OpticalDrive::lock`].
///
/// When it is dropped, by unwinding as well, the lock is released: ALLOW MEDIUM
/// REMOVAL, whose answer nobody sees then. [`unlock`](Self::unlock) returns it. A drive
/// does not count its locks, so an [`OpticalDrive`] does: the last guard to go releases
/// the lock. Those of another program or a clone are not counted.
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct LockGuard<'a, T: ScsiTransport> {
    drive: &'a OpticalDrive<T>,
    locked: bool,
}

impl<T: ScsiTransport> OpticalDrive<T> {
    /// Locks the disc in the drive: PREVENT MEDIUM REMOVAL.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`]. The drive is not locked then, as far as it
    /// is known, and nothing is sent to unlock it.
    pub fn lock(&self) -> Result<LockGuard<'_, T>> {
        let mut locks = self.counted_locks();
        self.transport().execute(&PreventAllow::prevent())?;
        *locks = locks.saturating_add(1);
        Ok(LockGuard {
            drive: self,
            locked: true,
        })
    }

    fn counted_locks(&self) -> MutexGuard<'_, u32> {
        // It is right also where a command has panicked.
        self.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ScsiTransport> LockGuard<'_, T> {
    /// Releases the lock, or this guard's share of it if there are others.
    ///
    /// # Errors
    /// As [`ScsiTransportExt::execute`]. It is not tried again.
    pub fn unlock(mut self) -> Result<()> {
        self.release()
    }

    fn release(&mut self) -> Result<()> {
        self.locked = false;
        let mut locks = self.drive.counted_locks();
        *locks = locks.saturating_sub(1);
        if *locks > 0 {
            return Ok(());
        }
        self.drive.transport().execute(&PreventAllow::allow())?;
        Ok(())
    }
}

impl<T: ScsiTransport> Drop for LockGuard<'_, T> {
    fn drop(&mut self) {
        if self.locked {
            // Nobody is there to be told.
            let _ = self.release();
        }
    }
}

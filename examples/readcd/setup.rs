//! Settings of the drive for the time of the reading, and back.

use passthru::{
    Error, ScsiTransport, ScsiTransportExt,
    scsi::{
        mmc::{SetCdSpeed, cd_speed},
        mode::{ErrorRecovery, ModeList, ModeSelect10},
    },
    unit::{OpticalDrive, RecoveryGuard},
};

use crate::{
    output::complain,
    problem::{Code, Problem},
    report::Notes,
    trouble::{is_refusal, said, set_up_problem},
};

/// How often the drive itself tries while C2 errors are counted.
const DRIVE_RETRIES: u8 = 10;

const NO_SCAN: &str = "without it the drive would correct and retry as it likes, and a count \
                       would mean nothing, so nothing was scanned";
const NO_SPEED: &str = "without it the drive would read at another speed than was asked for, so \
                        nothing was read";

/// What was changed. It is changed back when this goes away.
pub(crate) struct Setup<'a, T: ScsiTransport> {
    drive: &'a OpticalDrive<T>,
    recovery: Option<(RecoveryGuard<'a, T>, ErrorRecovery)>,
    /// What was set, and what is to be set back.
    speed: Option<(u16, u16)>,
}

impl<'a, T: ScsiTransport> Setup<'a, T> {
    /// Nothing is changed.
    pub(crate) const fn new(drive: &'a OpticalDrive<T>) -> Self {
        Self {
            drive,
            recovery: None,
            speed: None,
        }
    }

    /// Has the drive deliver sectors with errors, after a few tries: what C2 errors
    /// are counted with. That a drive does not know it is noted; that it is not
    /// permitted is an error.
    pub(crate) fn deliver_errors(
        &mut self,
        denied: Option<&str>,
        notes: &mut Notes,
    ) -> Result<(), Problem> {
        let set = self.drive.recovery().and_then(|mut guard| {
            let saved = guard.saved().clone();
            let set = guard.send_bad_sectors(DRIVE_RETRIES);
            self.recovery = Some((guard, saved));
            set
        });
        match set {
            Ok(()) => Ok(()),
            Err(error) if is_refusal(&error) || matches!(error, Error::Malformed { .. }) => {
                notes.add(format!(
                    "the drive keeps its own error recovery, and tries as often as it likes: {}",
                    said(error)
                ));
                self.recovery = None;
                Ok(())
            }
            Err(error) => Err(set_up_problem(error, denied, NO_SCAN)),
        }
    }

    /// Sets the speed, in times that of an audio player.
    pub(crate) fn speed(
        &mut self,
        times: u16,
        denied: Option<&str>,
        notes: &mut Notes,
    ) -> Result<(), Problem> {
        let found = self.drive.speed().ok().and_then(|speed| speed.current);
        let found = found.filter(|&speed| speed > 0);
        let wanted = cd_speed(times);
        match self.drive.set_speed(wanted) {
            Ok(()) => {
                self.speed = Some((wanted, found.unwrap_or(SetCdSpeed::MAX)));
                Ok(())
            }
            Err(error) if is_refusal(&error) => {
                notes.add(format!("the drive keeps its own speed: {}", said(error)));
                Ok(())
            }
            Err(error) => Err(set_up_problem(error, denied, NO_SPEED)),
        }
    }

    /// Sets all of it again, after a reset.
    pub(crate) fn renew(&mut self) -> Result<(), Problem> {
        if let Some((guard, _)) = &mut self.recovery {
            guard.send_bad_sectors(DRIVE_RETRIES)?;
        }
        if let Some((set, _)) = self.speed {
            self.drive.set_speed(set)?;
        }
        Ok(())
    }

    /// Sets all of it back to what was found.
    pub(crate) fn restore(&mut self) -> Result<(), Problem> {
        let recovery = match self.recovery.take() {
            // Once more if something came between.
            Some((guard, saved)) => guard.restore().or_else(|_| {
                let list = ModeList::ten().page(&saved);
                let transport = self.drive.transport();
                transport
                    .write(&ModeSelect10::new(), list.as_bytes())
                    .map(drop)
            }),
            None => Ok(()),
        };
        let speed = match self.speed.take() {
            Some((_, found)) => self
                .drive
                .set_speed(found)
                .or_else(|_| self.drive.set_speed(found)),
            None => Ok(()),
        };
        for (what, result) in [("error recovery", recovery), ("speed", speed)] {
            if let Err(error) = result {
                let said = said(error);
                return Err(Problem::own(
                    Code::Device,
                    "not_restored",
                    format!("the drive's {what} is not as it was found: {said}"),
                ));
            }
        }
        Ok(())
    }
}

impl<T: ScsiTransport> Drop for Setup<'_, T> {
    fn drop(&mut self) {
        if let Err(problem) = self.restore() {
            complain("readcd", &problem.message);
        }
    }
}

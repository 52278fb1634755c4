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
    trouble::{attended, is_refusal, said, set_up_problem},
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
    /// The speed for tries after a failed one, and whether it is set.
    retry_speed: Option<u16>,
    is_slow: bool,
}

impl<'a, T: ScsiTransport> Setup<'a, T> {
    /// Nothing is changed.
    pub(crate) const fn new(drive: &'a OpticalDrive<T>) -> Self {
        Self {
            drive,
            recovery: None,
            speed: None,
            retry_speed: None,
            is_slow: false,
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
        let set = attended(|| self.drive.recovery()).and_then(|mut guard| {
            let saved = guard.saved().clone();
            let set = attended(|| guard.send_bad_sectors(DRIVE_RETRIES));
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
        let found = self.found_speed();
        let wanted = cd_speed(times);
        match attended(|| self.drive.set_speed(wanted)) {
            Ok(()) => {
                self.speed = Some((wanted, found));
                Ok(())
            }
            Err(error) if is_refusal(&error) => {
                notes.add(format!("the drive keeps its own speed: {}", said(error)));
                Ok(())
            }
            Err(error) => Err(set_up_problem(error, denied, NO_SPEED)),
        }
    }

    /// The speed for tries after a failed one. It is set and set back at once, to see
    /// whether that is permitted.
    pub(crate) fn retry_speed(
        &mut self,
        times: u16,
        denied: Option<&str>,
        notes: &mut Notes,
    ) -> Result<(), Problem> {
        let before = self.speed;
        if before.is_none() {
            let found = self.found_speed();
            self.speed = Some((found, found));
        }
        self.retry_speed = Some(cd_speed(times));
        match self.set_slow(true).and_then(|()| self.set_slow(false)) {
            Ok(()) => Ok(()),
            Err(error) if is_refusal(&error) => {
                self.retry_speed = None;
                self.speed = before;
                notes.add(format!("the drive keeps its own speed: {}", said(error)));
                Ok(())
            }
            Err(error) => Err(set_up_problem(error, denied, NO_SPEED)),
        }
    }

    /// Sets the speed for tries after a failed one, or the usual one, if there are two.
    pub(crate) fn slow(&mut self, slow: bool) -> Result<(), Problem> {
        Ok(self.set_slow(slow)?)
    }

    fn set_slow(&mut self, slow: bool) -> Result<(), Error> {
        let (Some(slower), Some((usual, _))) = (self.retry_speed, self.speed) else {
            return Ok(());
        };
        if slow != self.is_slow {
            let speed = if slow { slower } else { usual };
            attended(|| self.drive.set_speed(speed))?;
            self.is_slow = slow;
        }
        Ok(())
    }

    /// Sets all of it again, after a reset.
    pub(crate) fn renew(&mut self) -> Result<(), Problem> {
        if let Some((guard, _)) = &mut self.recovery {
            attended(|| guard.send_bad_sectors(DRIVE_RETRIES))?;
        }
        if let Some((usual, _)) = self.speed {
            let slower = self.retry_speed.filter(|_| self.is_slow);
            let set = slower.unwrap_or(usual);
            attended(|| self.drive.set_speed(set))?;
        }
        Ok(())
    }

    fn found_speed(&self) -> u16 {
        let found = attended(|| self.drive.speed());
        let current = found.ok().and_then(|speed| speed.current);
        current
            .filter(|&speed| speed > 0)
            .unwrap_or(SetCdSpeed::MAX)
    }

    /// Sets all of it back to what was found.
    pub(crate) fn restore(&mut self) -> Result<(), Problem> {
        let recovery = match self.recovery.take() {
            // Once more if something came between.
            Some((guard, saved)) => guard.restore().or_else(|_| {
                let list = ModeList::ten().page(&saved);
                let transport = self.drive.transport();
                let select = ModeSelect10::new();
                attended(|| transport.write(&select, list.as_bytes())).map(drop)
            }),
            None => Ok(()),
        };
        let speed = match self.speed.take() {
            Some((_, found)) => {
                let set = || attended(|| self.drive.set_speed(found));
                set().or_else(|_| set())
            }
            None => Ok(()),
        };
        let results = [("error recovery", recovery), ("speed", speed)];
        let failed: Vec<_> = results
            .into_iter()
            .filter_map(|(what, result)| Some((what, result.err()?)))
            .map(|(what, error)| {
                format!("the drive's {what} is not as it was found: {}", said(error))
            })
            .collect();
        if failed.is_empty() {
            return Ok(());
        }
        Err(Problem::own(
            Code::Device,
            "not_restored",
            failed.join("; "),
        ))
    }
}

impl<T: ScsiTransport> Drop for Setup<'_, T> {
    fn drop(&mut self) {
        if let Err(problem) = self.restore() {
            complain("readcd", &problem.message);
        }
    }
}

//! What the sectors of a reading go to, and what is done for drive and disc meanwhile.

use passthru::{ScsiTransport, unit::OpticalDrive};

use crate::{
    drive::CdInDrive, events::another_disc, image::Image, problem::Problem, reader::Care,
    scan::Scan, setup::Setup, trouble::bad_count,
};

/// Looks after drive and disc while sectors are read.
pub(crate) struct Caretaker<'n, 'a, T: ScsiTransport> {
    cd: &'a CdInDrive,
    drive: &'a OpticalDrive<T>,
    setup: &'n mut Setup<'a, T>,
    /// It is the same disc as it was.
    checked: bool,
}

impl<'n, 'a, T: ScsiTransport> Caretaker<'n, 'a, T> {
    pub(crate) fn new(
        cd: &'a CdInDrive,
        drive: &'a OpticalDrive<T>,
        setup: &'n mut Setup<'a, T>,
    ) -> Self {
        Self {
            cd,
            drive,
            setup,
            checked: false,
        }
    }

    /// Whether it was found to be the same disc since this was last asked.
    pub(crate) fn take_checked(&mut self) -> bool {
        std::mem::take(&mut self.checked)
    }
}

impl<T: ScsiTransport> Care for Caretaker<'_, '_, T> {
    fn renew(&mut self) -> Result<(), Problem> {
        self.setup.renew()
    }

    fn same_disc(&mut self) -> Result<(), Problem> {
        if !self.cd.is_there(self.drive)? {
            return Err(another_disc("its tracks are others"));
        }
        self.checked = true;
        Ok(())
    }

    fn slow(&mut self, slow: bool) -> Result<(), Problem> {
        self.setup.slow(slow)
    }
}

/// How far a sink is.
pub(crate) trait Target {
    fn next(&self) -> i32;
    fn errors(&self) -> String;
    /// Goes on at this sector; those before it are left out.
    fn skip(&mut self, end: i32) -> Result<(), Problem>;
    /// All before this sector is of one disc.
    fn is_sure(&mut self, before: i32);
    /// What is behind the last sector that was sure is not.
    fn take_back(&mut self) -> Result<(), Problem>;
}

impl Target for Image {
    fn next(&self) -> i32 {
        self.next
    }

    fn errors(&self) -> String {
        format!("{} bad", bad_count(&self.bad))
    }

    fn skip(&mut self, end: i32) -> Result<(), Problem> {
        self.skip(end)
    }

    fn is_sure(&mut self, before: i32) {
        self.is_sure(before);
    }

    fn take_back(&mut self) -> Result<(), Problem> {
        self.take_back()
    }
}

impl Target for Scan {
    fn next(&self) -> i32 {
        self.next
    }

    fn errors(&self) -> String {
        format!(
            "{} C2 errors in {} sectors, {} not scanned",
            self.count.errors(),
            self.count.sectors(),
            bad_count(&self.bad)
        )
    }

    fn skip(&mut self, end: i32) -> Result<(), Problem> {
        self.next = end;
        Ok(())
    }

    fn is_sure(&mut self, _: i32) {}

    fn take_back(&mut self) -> Result<(), Problem> {
        self.is_mixed = true;
        Ok(())
    }
}

//! The C2 scan: what the drive sends is counted and not kept.

use passthru::scsi::mmc::Sectors;

use crate::{
    c2::C2Scan,
    problem::Problem,
    reader::Sink,
    trouble::{BadSectors, add_bad},
};

/// All that was counted, and what could not be.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) next: i32,
    /// Whether what was counted is of another disc, too.
    pub(crate) is_mixed: bool,
    pub(crate) count: C2Scan,
    pub(crate) bad: Vec<BadSectors>,
}

impl Scan {
    pub(crate) fn new(first: i32) -> Self {
        Self {
            next: first,
            is_mixed: false,
            count: C2Scan::default(),
            bad: Vec::new(),
        }
    }
}

impl Sink for Scan {
    fn good(&mut self, first: i32, sectors: Sectors<'_>) -> Result<(), Problem> {
        self.next = first;
        for sector in sectors.iter() {
            if let Some(c2) = sector.c2() {
                self.count.add(self.next, c2);
            }
            self.next = self.next.saturating_add(1);
        }
        Ok(())
    }

    /// A scan goes on: where a disc is bad is what it is for.
    fn bad(&mut self, bad: BadSectors, _: Problem) -> Result<(), Problem> {
        self.next = bad.lba.saturating_add_unsigned(bad.sectors);
        add_bad(&mut self.bad, bad);
        Ok(())
    }
}

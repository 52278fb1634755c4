//! Which sectors arrived.

use core::fmt;

use crate::scsi::{
    Sense, SenseBuffer,
    mmc::{Lba, SectorLayout, Sectors},
};

/// What a [`read`](super::OpticalDrive::read) has put into its buffer.
#[derive(Clone, Debug)]
pub struct ReadSectors {
    pub(super) lba: Lba,
    pub(super) sectors: u32,
    pub(super) layout: SectorLayout,
    pub(super) residual_lied: bool,
    pub(super) remarks: Vec<Remark>,
}

/// What a command said that went well: RECOVERED ERROR, for one.
#[derive(Clone, Debug)]
pub struct Remark {
    pub(super) lba: Lba,
    pub(super) sectors: u32,
    pub(super) sense: SenseBuffer,
}

impl Remark {
    /// The first sector of that command.
    #[must_use]
    pub const fn lba(&self) -> Lba {
        self.lba
    }

    /// How many sectors that command read.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.sectors
    }

    /// What it said.
    #[must_use]
    pub fn sense(&self) -> Sense<'_> {
        self.sense.sense()
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.lba.0.saturating_add_unsigned(self.sectors);
        write!(f, "sectors {} to {}: ", self.lba, end.saturating_sub(1))?;
        fmt::Display::fmt(&self.sense(), f)
    }
}

impl ReadSectors {
    pub(super) const fn none(lba: Lba, layout: SectorLayout) -> Self {
        Self {
            lba,
            sectors: 0,
            layout,
            residual_lied: false,
            remarks: Vec::new(),
        }
    }

    /// The address of the first sector.
    #[must_use]
    pub const fn lba(&self) -> Lba {
        self.lba
    }

    /// How many whole sectors have arrived, from the first on.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.sectors
    }

    /// The address behind the last of them.
    #[must_use]
    pub const fn end(&self) -> Lba {
        // A read that goes further than the type is refused.
        Lba(self.lba.0.saturating_add_unsigned(self.sectors))
    }

    /// How each of them lies in the buffer.
    #[must_use]
    pub const fn layout(&self) -> SectorLayout {
        self.layout
    }

    /// Whether a residual was not believed, because the data shows another thing:
    /// it was negative, or said that nothing came though something did, or that
    /// all came though it did not.
    #[must_use]
    pub const fn residual_lied(&self) -> bool {
        self.residual_lied
    }

    /// What the commands said that went well.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The sectors that arrived in the buffer that was read into.
    #[must_use]
    pub fn of<'b>(&self, buffer: &'b [u8]) -> Sectors<'b> {
        let sectors = usize::try_from(self.sectors).unwrap_or(usize::MAX);
        let len = sectors.saturating_mul(self.layout.sector_length());
        Sectors::new(buffer.get(..len).unwrap_or(buffer), self.layout)
    }
}

//! What a drive really sends.

use core::fmt;

use crate::{
    Failure,
    scsi::mmc::{C2, Lba, SectorLayout, SectorRequest, SubChannels},
};

/// What a drive did when it was asked for a layout.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LayoutAnswer {
    /// It gave it: the next sector, or a Q subchannel with a valid CRC, is where
    /// the layout has it.
    Given,
    /// GOOD, and no byte is known to be missing, but nothing proves that the layout
    /// is as asked: the sectors are silence, or came differently than before. Probe
    /// at another place.
    Unproven,
    /// GOOD, but bytes are missing: the residual says so, or what was in the buffer
    /// before is still there, or the sectors lie closer together. The drive, or
    /// something on the way, ignores the bits for C2 or subchannels.
    Missing {
        /// How many bytes in all the sectors of the probe.
        bytes: usize,
    },
    /// GOOD, but the sectors lie further apart than asked, so that not all of
    /// the last one came.
    TooLong {
        /// How many bytes each sector has.
        sector_length: usize,
    },
    /// It refused, with sense data. Not all refuse with 05/24/00: some answer with
    /// MEDIUM ERROR to one of the two kinds of C2.
    Refused(Box<Failure>),
}

impl fmt::Display for LayoutAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::Unproven => f.write_str("GOOD, but nothing proves the layout"),
            Self::Missing { bytes } => write!(f, "GOOD, but {bytes} bytes are missing"),
            Self::TooLong { sector_length } => {
                write!(f, "GOOD, but a sector has {sector_length} bytes")
            }
            Self::Refused(failure) => write!(f, "refused: {}", failure.outcome()),
        }
    }
}

/// One layout that was tried.
#[derive(Clone, Debug)]
pub struct ProbedLayout {
    pub(super) request: SectorRequest,
    pub(super) layout: SectorLayout,
    pub(super) answer: LayoutAnswer,
    pub(super) valid_q: u32,
    pub(super) residual: Option<i32>,
}

impl ProbedLayout {
    /// What was asked for.
    #[must_use]
    pub const fn request(&self) -> &SectorRequest {
        &self.request
    }

    /// Where the parts lie: as in MMC-6, or with C2 behind the subchannel if the
    /// subchannel's CRCs say so. It means nothing for a layout that was not given.
    #[must_use]
    pub const fn layout(&self) -> SectorLayout {
        self.layout
    }

    /// What the drive did.
    #[must_use]
    pub const fn answer(&self) -> &LayoutAnswer {
        &self.answer
    }

    /// Whether it gave the layout.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        matches!(self.answer, LayoutAnswer::Given)
    }

    /// How many of the sectors have a Q subchannel with a valid CRC. Drives leave
    /// the CRC out of formatted Q, and a position without CRC proves nothing.
    #[must_use]
    pub const fn valid_q(&self) -> u32 {
        self.valid_q
    }

    /// The residual that the transport reported, if the command went well.
    #[must_use]
    pub const fn residual(&self) -> Option<i32> {
        self.residual
    }
}

/// All layouts that were tried; made by [`Layouts::probe`](super::Layouts::probe).
#[derive(Clone, Debug)]
pub struct ProbedLayouts {
    pub(super) lba: Lba,
    pub(super) sectors: u32,
    pub(super) list: Vec<ProbedLayout>,
}

impl ProbedLayouts {
    /// The first sector that was read.
    #[must_use]
    pub const fn lba(&self) -> Lba {
        self.lba
    }

    /// How many sectors were read each time.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.sectors
    }

    /// All of them, in the order in which they were tried.
    #[must_use]
    pub fn as_slice(&self) -> &[ProbedLayout] {
        &self.list
    }

    /// The one with these parts beside the main channel.
    #[must_use]
    pub fn get(&self, c2: C2, sub: SubChannels) -> Option<&ProbedLayout> {
        self.list.iter().find(|probed| {
            let layout = &probed.layout;
            layout.c2_kind() == c2 && layout.sub_kind() == sub
        })
    }

    /// The one with C2 and these subchannels that is given; with 294 bytes of C2
    /// if both are.
    #[must_use]
    pub fn with_c2(&self, sub: SubChannels) -> Option<&ProbedLayout> {
        [C2::Pointers294, C2::Block296]
            .into_iter()
            .filter_map(|c2| self.get(c2, sub))
            .find(|probed| probed.is_given())
    }
}

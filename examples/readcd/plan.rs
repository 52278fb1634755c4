//! What is read: which sectors, how much of each, how many at once.

use passthru::{
    scsi::mmc::{
        C2, MainChannel, SectorLayout, SectorRequest, SectorRequestError, SectorType, SubChannels,
    },
    unit::TrackKind,
};

use crate::{
    arguments::{SectorKind, SectorRange},
    drive::CdInDrive,
    gaps::Gaps,
    problem::{Code, Problem},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// What is asked for, and for sectors that are of another type what else.
    pub(crate) request: SectorRequest,
    pub(crate) other: Option<SectorRequest>,
    /// How a sector arrives; the same for both.
    pub(crate) layout: SectorLayout,
    pub(crate) range: SectorRange,
    /// All of the disc: where to seek to between tries.
    pub(crate) disc: SectorRange,
    /// How many sectors a command reads.
    pub(crate) chunk: u32,
    /// What of the range is not read.
    pub(crate) gaps: Gaps,
    /// Where no sector is all zeros.
    pub(crate) with_sync: Vec<SectorRange>,
}

impl Plan {
    /// `max_transfer`: how many bytes a command moves at most.
    pub(crate) fn new(
        kind: SectorKind,
        range: SectorRange,
        disc: SectorRange,
        max_transfer: usize,
    ) -> Result<Self, SectorRequestError> {
        let (request, other) = requests(kind);
        let layout = request.layout()?;
        Ok(Self {
            other,
            ..Self::of(request, layout, range, disc, max_transfer)
        })
    }

    /// To count C2 errors: all bytes of the sector, so that each can have one.
    pub(crate) fn scan(
        layout: SectorLayout,
        range: SectorRange,
        disc: SectorRange,
        max_transfer: usize,
    ) -> Self {
        let request = raw().c2(layout.c2_kind());
        Self::of(request, layout, range, disc, max_transfer)
    }

    fn of(
        request: SectorRequest,
        layout: SectorLayout,
        range: SectorRange,
        disc: SectorRange,
        max_transfer: usize,
    ) -> Self {
        let chunk = layout.sectors_within(max_transfer).max(1);
        Self {
            request,
            other: None,
            layout,
            range,
            disc,
            chunk: u32::try_from(chunk).unwrap_or(1),
            gaps: Gaps::default(),
            with_sync: Vec::new(),
        }
    }

    pub(crate) fn sector_length(&self) -> usize {
        self.layout.sector_length()
    }

    /// How many sectors the next command reads.
    pub(crate) fn sectors_at(&self, lba: i32) -> u32 {
        let end = self.gaps.next_after(lba).unwrap_or(i32::MAX);
        let left = i64::from(self.range.end.min(end)) - i64::from(lba);
        u32::try_from(left).unwrap_or(0).min(self.chunk)
    }
}

/// Everything of the main channel, of any sector.
pub(crate) const fn raw() -> SectorRequest {
    SectorRequest::new(SectorType::Any, MainChannel::RAW)
}

fn requests(kind: SectorKind) -> (SectorRequest, Option<SectorRequest>) {
    let user = |sector| SectorRequest::new(sector, MainChannel::USER_DATA);
    match kind {
        SectorKind::Data => (user(SectorType::Mode1), Some(user(SectorType::Form1))),
        SectorKind::Audio => (user(SectorType::CdDa), None),
        SectorKind::Raw => (raw(), None),
        SectorKind::RawSub => (raw().sub_channels(SubChannels::Raw96), None),
        SectorKind::RawC2 => (raw().c2(C2::Pointers294), None),
        SectorKind::RawC2Block => (raw().c2(C2::Block296), None),
    }
}

/// What to read if it is not said: what all tracks in the range have.
pub(crate) fn usual_kind(disc: &CdInDrive, range: SectorRange) -> SectorKind {
    let (mut data, mut audio) = (false, false);
    for track in &disc.tracks {
        let end = track.end().map_or(i32::MAX, |end| end.0);
        if track.start.0 < range.end && end > range.first {
            match track.kind {
                TrackKind::Data => data = true,
                TrackKind::Audio => audio = true,
            }
        }
    }
    match (data, audio) {
        (true, false) => SectorKind::Data,
        (false, true) => SectorKind::Audio,
        _ => SectorKind::Raw,
    }
}

/// The sectors that are meant: those given, or all that the disc has.
pub(crate) fn range_of(
    given: Option<SectorRange>,
    disc: &CdInDrive,
) -> Result<SectorRange, Problem> {
    let all = disc.sectors();
    let range = given.unwrap_or(all);
    if range.first >= range.end {
        return Err(Problem::own(
            Code::Device,
            "no_sectors",
            "the disc has no sectors",
        ));
    }
    if range.end > all.end {
        return Err(Problem::usage(format!(
            "--sectors {}-{}: the disc ends at {}",
            range.first, range.end, all.end
        )));
    }
    Ok(range)
}

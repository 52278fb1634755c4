//! What lies between the sessions of a disc.
//!
//! Behind a session come its lead-out, the lead-in of the next and its pregap. Most
//! drives read nothing there, after long tries.

use passthru::unit::Disc;
use serde_json::{Value, json};

use crate::arguments::SectorRange;

/// Lead-out, lead-in and pregap between the first session and the second, and
/// between later ones (MMC-6 4.2.3.5: lead-outs of 1:30 and 0:30, lead-ins of a
/// minute, pregaps of two seconds).
const FIRST_GAP: i32 = 6750 + 4500 + 150;
const LATER_GAP: i32 = 2250 + 4500 + 150;

/// The ranges between sessions, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gaps {
    ranges: Vec<SectorRange>,
    /// The drive does not tell where a session ends, so it was taken from the length
    /// that gaps have.
    pub(crate) are_assumed: bool,
}

impl Gaps {
    pub(crate) fn as_slice(&self) -> &[SectorRange] {
        &self.ranges
    }

    /// Where the gap ends that the sector is in.
    pub(crate) fn end_at(&self, lba: i32) -> Option<i32> {
        let mut ranges = self.ranges.iter();
        let gap = ranges.find(|gap| (gap.first..gap.end).contains(&lba))?;
        Some(gap.end)
    }

    /// Where the next gap begins.
    pub(crate) fn next_after(&self, lba: i32) -> Option<i32> {
        let firsts = self.ranges.iter().map(|gap| gap.first);
        firsts.filter(|&first| first > lba).min()
    }

    /// How many sectors before this one are in gaps.
    pub(crate) fn sectors_before(&self, lba: i32) -> u64 {
        let before = |gap: &SectorRange| {
            let end = gap.end.min(lba);
            u64::try_from(i64::from(end) - i64::from(gap.first)).unwrap_or(0)
        };
        self.ranges.iter().map(before).sum()
    }

    pub(crate) fn to_json(&self) -> Value {
        let gaps = self.ranges.iter();
        gaps.map(|gap| json!({"first": gap.first, "end": gap.end}))
            .collect()
    }
}

pub(crate) fn gaps_of(disc: &Disc) -> Gaps {
    let mut gaps = Gaps::default();
    for pair in disc.sessions.windows(2) {
        let [session, next] = pair else { continue };
        let Some(first) = next.tracks.first().map(|track| track.start.0) else {
            continue;
        };
        let last_start = session.tracks.last().map_or(0, |track| track.start.0);
        let lead_out = session.lead_out.map(|lead_out| lead_out.0);
        let is_second = next.number == Some(2);
        let assumed = || {
            next.number?;
            first.checked_sub(if is_second { FIRST_GAP } else { LATER_GAP })
        };
        let Some(end) = lead_out.or_else(assumed) else {
            continue;
        };
        // A table that lies has no gaps.
        if last_start < end && end < first {
            gaps.are_assumed |= lead_out.is_none();
            gaps.ranges.push(SectorRange {
                first: end,
                end: first,
            });
        }
    }
    gaps
}

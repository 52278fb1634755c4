//! Sectors that did not come although the drive, and the residual, say that they did.
//!
//! What nothing came for is zeros on an sg node, and some bridges answer a command that
//! timed out with GOOD and zeros. A raw sector of data begins with its sync, so that one
//! of zeros is none. Silence and user data may be zeros; of those nothing can be told.

use passthru::{
    scsi::mmc::{SectorLayout, Sectors},
    unit::{Track, TrackKind},
};

use crate::{
    arguments::SectorRange,
    drive::CdInDrive,
    problem::{Code, Problem},
    trouble::{Cause, Fault},
};

/// Before a track of audio there is its pregap of two seconds or three, which counts to
/// the track before it, and may be silence.
const PREGAP: u32 = 300;

/// A raw sector.
const RAW: usize = 2352;

/// Where each sector has a sync, if it is read raw.
pub(crate) fn with_sync(cd: &CdInDrive, layout: SectorLayout) -> Vec<SectorRange> {
    if layout.main_length() != RAW {
        return Vec::new();
    }
    let range = |track: &Track| {
        let end = track.end()?;
        let audio_follows = |other: &Track| other.kind == TrackKind::Audio && other.start == end;
        let pregap = if cd.tracks.iter().any(audio_follows) {
            PREGAP
        } else {
            0
        };
        Some(SectorRange {
            first: track.start.0,
            end: end.0.saturating_sub_unsigned(pregap),
        })
    };
    let data = cd
        .tracks
        .iter()
        .filter(|track| track.kind == TrackKind::Data);
    data.filter_map(range).collect()
}

/// A fault if one of the sectors has not come.
pub(crate) fn check(
    with_sync: &[SectorRange],
    first: i32,
    sectors: Sectors<'_>,
) -> Result<(), Fault> {
    let mut lba = first;
    for sector in sectors.iter() {
        let has_sync = with_sync
            .iter()
            .any(|range| (range.first..range.end).contains(&lba));
        if has_sync && sector.main().iter().all(|&byte| byte == 0) {
            let reason = "GOOD, and all bytes are zero, which no raw sector of data is";
            let problem = Problem::own(Code::Device, "not_sent", format!("sector {lba}: {reason}"));
            let reason = reason.into();
            return Err(Fault::Missing(Cause { problem, reason }));
        }
        lba = lba.saturating_add(1);
    }
    Ok(())
}

//! Whether a drive really sends what comes beside the main channel.
//!
//! Some answer GOOD, with no residual, to a request for C2 pointers or subchannels,
//! and send the main channel alone. What is left of the buffer is zeros then, which
//! reads as "no errors".

use std::sync::atomic::{AtomicBool, Ordering};

use passthru::{
    ScsiTransport,
    scsi::mmc::{C2, Lba, SectorLayout, SubChannels},
    unit::{LayoutAnswer, OpticalDrive, ProbedLayout, ProbedLayouts},
};

use crate::{
    arguments::SectorRange,
    drive::CdInDrive,
    problem::Problem,
    trouble::{Fault, said},
};

/// How many sectors a command of the probe reads.
const SECTORS: u32 = 4;

/// How many places are looked at before it is given up.
const PLACES: u32 = 6;

/// How often a place is looked at when something happens meanwhile.
const ATTENTIONS: u32 = 4;

/// Whether the drive sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// In this layout.
    Yes(SectorLayout),
    /// It answers GOOD and leaves bytes out.
    No(String),
    /// It says itself that it does not.
    Refused(String),
    /// It cannot be told.
    Unknown(String),
}

impl Sent {
    pub(crate) const fn is_yes(&self) -> bool {
        matches!(self, Self::Yes(_))
    }

    /// Why not; nothing if it does.
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Yes(_) => "",
            Self::No(why) | Self::Refused(why) | Self::Unknown(why) => why,
        }
    }

    /// What of two says more.
    fn or(self, other: Self) -> Self {
        match (&self, &other) {
            (_, Self::Yes(_)) => other,
            (Self::Yes(_) | Self::No(_), _) => self,
            (_, Self::No(_)) => other,
            (Self::Refused(_), _) => self,
            (_, Self::Refused(_)) => other,
            _ => self,
        }
    }
}

/// What the drive sends, as far as the places of the disc tell that were looked at.
#[derive(Clone, Debug)]
pub(crate) struct Sends {
    /// C2 in 294 and in 296 bytes, and raw subchannels.
    pub(crate) c2_294: Sent,
    pub(crate) c2_296: Sent,
    pub(crate) sub: Sent,
    /// Sectors could be read.
    pub(crate) reads: bool,
}

impl Sends {
    /// C2 in either form, 294 bytes if it has both.
    pub(crate) fn c2(&self) -> &Sent {
        if self.c2_294.is_yes() || !self.c2_296.is_yes() {
            return &self.c2_294;
        }
        &self.c2_296
    }
}

/// Looks at places of `range` until `enough` is known, or Ctrl-C is pressed.
pub(crate) fn probe<T: ScsiTransport>(
    drive: &OpticalDrive<T>,
    cd: &CdInDrive,
    range: SectorRange,
    interrupted: &AtomicBool,
    enough: impl Fn(&Sends) -> bool,
) -> Result<Sends, Problem> {
    let unknown = || Sent::Unknown("no sectors could be read to find it out".into());
    let mut sends = Sends {
        c2_294: unknown(),
        c2_296: unknown(),
        sub: unknown(),
        reads: false,
    };
    let disc = cd.sectors();
    for lba in places(range, cd) {
        if interrupted.load(Ordering::Relaxed) {
            break;
        }
        let sectors = SECTORS.min(disc.end.abs_diff(lba));
        let Some(probed) = look(drive, lba, sectors)? else {
            continue;
        };
        let (c2_294, c2_296, sub) = (
            c2_of(&probed, C2::Pointers294),
            c2_of(&probed, C2::Block296),
            sent(probed.get(C2::None, SubChannels::Raw96)),
        );
        sends = Sends {
            c2_294: c2_294.or(sends.c2_294),
            c2_296: c2_296.or(sends.c2_296),
            sub: sub.or(sends.sub),
            reads: true,
        };
        if enough(&sends) {
            break;
        }
    }
    Ok(sends)
}

/// Where to look: from the start on, evenly.
fn places(range: SectorRange, cd: &CdInDrive) -> Vec<i32> {
    let disc = cd.sectors();
    let last = disc.end.saturating_sub_unsigned(SECTORS).max(disc.first);
    let length = range.end.abs_diff(range.first);
    let mut places: Vec<_> = (0..PLACES)
        .map(|place| {
            let offset = u64::from(length) * u64::from(place) / u64::from(PLACES);
            let offset = u32::try_from(offset).unwrap_or(0);
            let lba = range.first.saturating_add_unsigned(offset).min(last);
            // Between sessions there is nothing.
            cd.gaps.end_at(lba).unwrap_or(lba)
        })
        .collect();
    places.dedup();
    places
}

/// Probes at one place; `None` if its sectors cannot be read.
fn look<T: ScsiTransport>(
    drive: &OpticalDrive<T>,
    lba: i32,
    sectors: u32,
) -> Result<Option<ProbedLayouts>, Problem> {
    let mut attentions = 0;
    loop {
        let error = match drive.layouts().sectors(sectors).probe(Lba(lba)) {
            Ok(probed) => return Ok(Some(probed)),
            Err(error) => error,
        };
        match Fault::from(error) {
            Fault::Stop(cause) | Fault::Transport(cause) => return Err(cause.problem),
            Fault::Attention(_) if attentions < ATTENTIONS => attentions += 1,
            Fault::Attention(cause) => return Err(cause.problem),
            _ => return Ok(None),
        }
    }
}

/// C2 alone; where that cannot be told from silence, together with Q, which has a
/// CRC and lies behind it.
fn c2_of(probed: &ProbedLayouts, c2: C2) -> Sent {
    let alone = probed.get(c2, SubChannels::None);
    let answer = sent(alone);
    let behind = [SubChannels::Raw96, SubChannels::Q16]
        .into_iter()
        .filter_map(|sub| probed.get(c2, sub))
        .any(|both| both.is_given() && both.valid_q() > 0);
    match (answer, alone) {
        (Sent::Unknown(_), Some(alone)) if behind => Sent::Yes(alone.layout()),
        (answer, _) => answer,
    }
}

fn sent(probed: Option<&ProbedLayout>) -> Sent {
    let Some(probed) = probed else {
        return Sent::Unknown("it was not tried".into());
    };
    match probed.answer() {
        LayoutAnswer::Given => Sent::Yes(probed.layout()),
        LayoutAnswer::Missing { bytes } => Sent::No(format!(
            "it answers GOOD and leaves out {bytes} bytes of a few sectors"
        )),
        LayoutAnswer::TooLong { sector_length } => Sent::No(format!(
            "it answers GOOD and sends {sector_length} bytes of each sector instead of {}",
            probed.layout().sector_length()
        )),
        LayoutAnswer::Refused(failure) => Sent::Refused(said((**failure).clone().into())),
        _ => Sent::Unknown(
            "the sectors that were looked at are silence, and nothing shows where they lie".into(),
        ),
    }
}

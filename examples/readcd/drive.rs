//! The drive and the disc in it: opened, waited for, asked what they are.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use passthru::{
    Error, RetryPolicy, ScsiDevice, ScsiTransport, ScsiTransportExt,
    retry::Clock,
    scsi::{Inquiry, TestUnitReady, mmc::Profile},
    unit::{Disc, DiscSource, OpticalDrive, Track, TrackKind},
};
use serde_json::{Value, json};

use crate::{
    arguments::SectorRange,
    events::Events,
    gaps::{Gaps, gaps_of},
    problem::{Code, Problem},
    report::Notes,
    trouble::{ATTENTIONS, attended, is_attention, is_deferred, said},
};

/// How long a drive may take until it is ready.
const READY: Duration = Duration::from_secs(60);

/// The node, opened.
pub(crate) struct Opened {
    pub(crate) device: ScsiDevice,
    /// It could only be opened for reading: what writing would have taken.
    pub(crate) denied: Option<String>,
}

impl Opened {
    pub(crate) fn new(path: &Path) -> Result<Self, Problem> {
        match ScsiDevice::open_rw(path) {
            Ok(device) => Ok(Self {
                device,
                denied: None,
            }),
            // Reading needs no more; what does says so.
            Err(Error::OpenDenied { needs, .. }) => Ok(Self {
                device: ScsiDevice::open(path)?,
                denied: Some(needs.to_owned()),
            }),
            Err(error) => Err(error.into()),
        }
    }
}

/// What is waited for and sent again. Unit attentions only at the start: later they
/// mean that settings are lost, or that it is another disc.
pub(crate) const fn policy(at_start: bool) -> RetryPolicy {
    RetryPolicy::new()
        .unit_attentions(if at_start { 4 } else { 0 })
        .becoming_ready(READY)
        .operations(READY)
        .busy(Duration::from_secs(10))
}

/// Waits no longer once Ctrl-C was pressed.
pub(crate) struct Patience(pub(crate) Arc<AtomicBool>);

impl Clock for Patience {
    fn now(&self) -> Instant {
        Instant::now()
    }

    fn sleep(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        while Instant::now() < end {
            if self.0.load(Ordering::Relaxed) {
                return false;
            }
            thread::sleep(Duration::from_millis(20).min(time));
        }
        !self.0.load(Ordering::Relaxed)
    }
}

/// The drive's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) vendor: String,
    pub(crate) product: String,
    pub(crate) revision: String,
}

impl Names {
    pub(crate) fn ask<T: ScsiTransport + ?Sized>(drive: &T) -> Result<Self, Problem> {
        let inquiry = drive.query(&Inquiry::standard())?;
        Ok(Self {
            vendor: inquiry.vendor().to_string(),
            product: inquiry.product().to_string(),
            revision: inquiry.revision().to_string(),
        })
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "vendor": self.vendor,
            "product": self.product,
            "revision": self.revision,
        })
    }
}

/// The disc, as far as the drive tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct CdInDrive {
    pub(crate) profile: Option<Profile>,
    pub(crate) tracks: Vec<Track>,
    pub(crate) sessions: usize,
    /// What lies between its sessions.
    pub(crate) gaps: Gaps,
    /// The first sector behind all tracks.
    pub(crate) end: i32,
    /// By what it is known again.
    pub(crate) identity: String,
}

impl CdInDrive {
    /// Waits for it, and asks what it is. What happens from then on is in `events`.
    pub(crate) fn ask<T: ScsiTransport>(
        drive: &OpticalDrive<T>,
        events: &Events,
        notes: &mut Notes,
    ) -> Result<Self, Problem> {
        let ready = || attended(|| drive.transport().execute(&TestUnitReady));
        if let Err(error) = ready() {
            if !is_deferred(&error) {
                return Err(error.into());
            }
            notes.add(format!("an earlier command went wrong: {}", said(error)));
            ready()?;
        }
        // All answers are to be about one disc.
        let mut left = ATTENTIONS;
        let (found, said) = loop {
            events.forget();
            let answer = Self::look(drive);
            let again = match &answer {
                Ok(_) => events.is_pending(),
                Err(error) => is_attention(error),
            };
            match left.checked_sub(1) {
                Some(fewer) if again => left = fewer,
                _ => break answer?,
            }
        };
        for note in said {
            notes.add(note);
        }
        if found.end <= 0 {
            return Err(Problem::own(
                Code::Device,
                "no_sectors",
                "the disc has no sectors",
            ));
        }
        Ok(found)
    }

    /// Whether the disc that is in it now has the same tracks.
    pub(crate) fn is_there<T: ScsiTransport>(
        &self,
        drive: &OpticalDrive<T>,
    ) -> Result<bool, Problem> {
        let (now, _) = attended(|| Self::look(drive))?;
        if now.tracks.is_empty() != self.tracks.is_empty() {
            return Err(Problem::own(
                Code::Device,
                "another_disc",
                "whether it is still the same disc cannot be told: its table of contents can be \
                 read now and then",
            ));
        }
        Ok(now.identity == self.identity)
    }

    /// Asks what it is, and gives remarks.
    fn look<T: ScsiTransport>(drive: &OpticalDrive<T>) -> Result<(Self, Vec<String>), Error> {
        let mut said = Vec::new();
        let profile = match drive.profile() {
            Ok(profile) => Some(profile).filter(|kind| *kind != Profile::NONE),
            Err(error) if is_attention(&error) => return Err(error),
            Err(_) => None,
        };
        let mut found = Self {
            profile,
            ..Self::default()
        };
        match drive.disc() {
            Ok(disc) => {
                for fault in &disc.faults {
                    said.push(format!("the table of contents is wrong: {fault}"));
                }
                if disc.source == DiscSource::FullTocAlone {
                    said.push(
                        "the full table of contents and the list of tracks do not have the same \
                         tracks; this goes by the former"
                            .into(),
                    );
                }
                found.tracks = disc.tracks().copied().collect();
                found.sessions = disc.sessions.len();
                found.gaps = gaps_of(&disc);
                found.end = disc.lead_out().map_or(0, |lead_out| lead_out.0);
                found.identity = identity(&disc);
            }
            Err(error) if is_attention(&error) => return Err(error),
            Err(error @ (Error::Check(_) | Error::Malformed { .. })) => {
                said.push(format!(
                    "the disc has no table of contents that can be read: {error}"
                ));
            }
            Err(error) => return Err(error),
        }
        if found.end <= 0 {
            let blocks = drive.capacity()?.blocks().unwrap_or(0);
            found.end = i32::try_from(blocks).unwrap_or(i32::MAX);
            found.identity = format!("{blocks} blocks");
        }
        Ok((found, said))
    }

    /// All of them.
    pub(crate) const fn sectors(&self) -> SectorRange {
        SectorRange {
            first: 0,
            end: self.end,
        }
    }
}

/// Numbers, kinds and starts of all tracks, and where the disc ends.
fn identity(disc: &Disc) -> String {
    let mut text = String::new();
    for track in disc.tracks() {
        let kind = match track.kind {
            TrackKind::Data => "data",
            TrackKind::Audio => "audio",
        };
        text.push_str(&format!("{} {kind} {}, ", track.number, track.start));
    }
    let end = disc.lead_out().map_or(0, |end| end.0);
    text.push_str(&format!("end {end}"));
    text
}

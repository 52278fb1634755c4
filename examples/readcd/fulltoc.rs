//! `--fulltoc`: the table of contents as the drive sends it.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use passthru::{
    ScsiTransport,
    scsi::mmc::{FullToc, Lba, NumberEncoding},
    unit::OpticalDrive,
};
use serde_json::{Value, json};

use crate::{
    drive::CdInDrive,
    image::{file_problem, refused},
    place::{Place, real},
    problem::Problem,
};

pub(crate) struct Toc {
    toc: FullToc<'static>,
}

impl Toc {
    /// Reads it, and writes it to a file that is not there yet. What the disc is
    /// decides whether its numbers are BCD.
    pub(crate) fn fetch<T: ScsiTransport>(
        drive: &OpticalDrive<T>,
        cd: &CdInDrive,
        path: &Path,
    ) -> Result<Self, Problem> {
        let place = Place::of(path)?;
        if matches!(place, Place::File(1..)) {
            return Err(refused(
                path,
                "is there already: remove it, or name another file",
            ));
        }
        let toc = drive.full_toc()?;
        let guess = toc.guess_encoding().unwrap_or(NumberEncoding::Binary);
        let toc = [guess, NumberEncoding::Binary, NumberEncoding::Bcd]
            .into_iter()
            .map(|encoding| toc.clone().encoding(encoding))
            .find(|toc| is_of(toc, cd))
            .unwrap_or_else(|| toc.clone().encoding(guess));
        let mut file = place.open(path)?;
        let written = file.write_all(toc.reply().as_bytes());
        if written.is_err() && place.is_new() {
            // Half a table is none.
            let _ = fs::remove_file(real(path));
        }
        written.map_err(|error| file_problem(path, &error))?;
        Ok(Self { toc })
    }

    /// What is wrong with it, in words.
    pub(crate) fn faults(&self) -> Vec<String> {
        self.toc.faults().iter().map(ToString::to_string).collect()
    }

    pub(crate) fn to_json(&self, device: &Path, file: &Path, notes: &[String]) -> Value {
        let sessions: Vec<_> = self
            .toc
            .sessions()
            .iter()
            .map(|session| {
                json!({
                    "session": session.number,
                    "first_track": session.first_track,
                    "last_track": session.last_track,
                    "lead_out": session.lead_out.map(|lba| lba.0),
                })
            })
            .collect();
        json!({
            "device": device.to_string_lossy(),
            "task": "fulltoc",
            "output": file.to_string_lossy(),
            "bytes": self.toc.reply().as_bytes().len(),
            "first_session": self.toc.first_session(),
            "last_session": self.toc.last_session(),
            "sessions": sessions,
            "tracks": self.toc.tracks().iter().map(track_json).collect::<Vec<_>>(),
            "faults": self.faults(),
            "error": Value::Null,
            "notes": notes,
        })
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "table        {} bytes, sessions {} to {}",
            self.toc.reply().as_bytes().len(),
            self.toc.first_session(),
            self.toc.last_session()
        )?;
        for track in self.toc.tracks() {
            writeln!(
                out,
                "track        {:2} at {:6}, {}",
                track.number, track.start, track.control
            )?;
        }
        for session in self.toc.sessions() {
            if let Some(lead_out) = session.lead_out {
                writeln!(out, "lead-out     {lead_out} of session {}", session.number)?;
            }
        }
        for fault in self.faults() {
            writeln!(out, "wrong        {fault}")?;
        }
        Ok(())
    }
}

/// Whether tracks and end are those of the disc.
fn is_of(toc: &FullToc<'_>, cd: &CdInDrive) -> bool {
    let last = toc.sessions().last().and_then(|session| session.lead_out);
    let (mut these, mut those): (Vec<_>, Vec<_>) = (
        toc.tracks()
            .iter()
            .map(|track| (track.number, track.start))
            .collect(),
        cd.tracks
            .iter()
            .map(|track| (track.number, track.start))
            .collect(),
    );
    these.sort_unstable();
    those.sort_unstable();
    last == Some(Lba(cd.end)) && these == those
}

fn track_json(track: &passthru::scsi::mmc::TocTrack) -> Value {
    json!({
        "track": track.number,
        "session": track.session,
        "kind": if track.control.is_data() { "data" } else { "audio" },
        "start": track.start.0,
        "sectors": track.length,
    })
}

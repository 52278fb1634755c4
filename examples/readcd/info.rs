//! `--info`: what drive and disc are, and what the drive really sends.

use std::{
    io::{self, Write},
    path::Path,
    sync::atomic::AtomicBool,
};

use passthru::{
    ScsiTransport, ScsiTransportExt,
    scsi::mode::{Capabilities, ModeSense10, PageCode},
    unit::{OpticalDrive, Track, TrackKind},
};
use serde_json::{Value, json};

use crate::{
    drive::{CdInDrive, Names},
    output::escaped,
    probe::{Sends, Sent, probe},
    problem::{Code, Problem},
    report::Notes,
};

/// INVALID COMMAND OPERATION CODE.
const UNKNOWN_COMMAND: u64 = 0x20;

/// What is known.
pub(crate) struct Info {
    names: Names,
    claims: Option<Capabilities>,
    /// None without a disc.
    cd: Option<CdInDrive>,
    /// None without a disc, and where READ CD does not work or could not be tried.
    sends: Option<Sends>,
    /// Whether READ CD works, if that is known.
    read_cd: Option<bool>,
}

impl Info {
    /// Asks for all of it. What is not there is no error: no disc, no READ CD.
    pub(crate) fn ask<T: ScsiTransport>(
        drive: &OpticalDrive<T>,
        names: Names,
        cd: Result<CdInDrive, Problem>,
        (interrupted, notes): (&AtomicBool, &mut Notes),
    ) -> Result<Self, Problem> {
        let claims = drive
            .transport()
            .query(&ModeSense10::new(PageCode::CAPABILITIES))
            .ok()
            .and_then(|data| data.find::<Capabilities>().ok()?);
        let cd = told(cd, notes)?;
        let (mut sends, mut read_cd) = (None, None);
        if let Some(cd) = &cd {
            let probed = probe(drive, cd, cd.sectors(), interrupted, |sends| {
                sends.c2().is_yes() && sends.sub.is_yes()
            });
            read_cd = match &probed {
                Ok(sends) => sends.reads.then_some(true),
                Err(problem) => (problem.asc() == Some(UNKNOWN_COMMAND)).then_some(false),
            };
            sends = told(probed, notes)?;
        }
        Ok(Self {
            names,
            claims,
            cd,
            sends,
            read_cd,
        })
    }

    pub(crate) fn to_json(&self, device: &Path, notes: &[String]) -> Value {
        let claims = self.claims.as_ref();
        json!({
            "device": device.to_string_lossy(),
            "task": "info",
            "drive": self.names.to_json(),
            "speed_kb": claims.and_then(Capabilities::current_read_speed),
            "max_speed_kb": claims.and_then(Capabilities::max_read_speed),
            "claims_c2": claims.and_then(Capabilities::reports_c2_pointers),
            "claims_subchannels": claims.and_then(Capabilities::reads_subchannel),
            "medium": self.medium(),
            "sectors": self.cd.as_ref().map(|cd| cd.end),
            "sessions": self.cd.as_ref().map(|cd| cd.sessions),
            "tracks": self.cd.as_ref().map(|cd| {
                cd.tracks.iter().map(track_json).collect::<Vec<_>>()
            }),
            "read_cd": self.read_cd,
            "sends_c2_294": self.sends.as_ref().map(|sends| sent_json(&sends.c2_294)),
            "sends_c2_296": self.sends.as_ref().map(|sends| sent_json(&sends.c2_296)),
            "sends_subchannels": self.sends.as_ref().map(|sends| sent_json(&sends.sub)),
            "error": Value::Null,
            "notes": notes,
        })
    }

    fn medium(&self) -> Option<String> {
        let cd = self.cd.as_ref()?;
        Some(match cd.profile {
            Some(profile) => profile.to_string(),
            None => "unknown".into(),
        })
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Names {
            vendor,
            product,
            revision,
        } = &self.names;
        writeln!(
            out,
            "drive        {} {} {}",
            escaped(vendor),
            escaped(product),
            escaped(revision)
        )?;
        if let Some(claims) = &self.claims {
            let speed = |speed: Option<u16>| speed.map_or("?".into(), |speed| speed.to_string());
            writeln!(
                out,
                "speed        {} kB/s, at most {}",
                speed(claims.current_read_speed()),
                speed(claims.max_read_speed())
            )?;
            writeln!(
                out,
                "claims       C2 pointers: {}, subchannels: {}",
                yes_no(claims.reports_c2_pointers()),
                yes_no(claims.reads_subchannel())
            )?;
        }
        let Some(cd) = &self.cd else {
            return writeln!(out, "medium       none");
        };
        let medium = self.medium().unwrap_or_default();
        writeln!(out, "medium       {medium}, {} sectors", cd.end)?;
        for track in &cd.tracks {
            writeln!(
                out,
                "track        {:2} at {:6}, {}",
                track.number, track.start.0, track.control
            )?;
        }
        match &self.sends {
            None if self.read_cd == Some(false) => writeln!(out, "READ CD      does not work")?,
            None => writeln!(out, "READ CD      could not be tried")?,
            Some(sends) => {
                for (name, sent) in [
                    ("C2 (294)", &sends.c2_294),
                    ("C2 (296)", &sends.c2_296),
                    ("subchannels", &sends.sub),
                ] {
                    match sent {
                        Sent::Yes(_) => writeln!(out, "sends        {name}: yes")?,
                        Sent::Unknown(why) => writeln!(out, "sends        {name}: unknown: {why}")?,
                        other => {
                            let why = escaped(other.why());
                            writeln!(out, "sends        {name}: no: {why}")?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// What the device refused is a note; all else is an error.
fn told<T>(result: Result<T, Problem>, notes: &mut Notes) -> Result<Option<T>, Problem> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(problem) if problem.code == Code::Device => {
            notes.add(problem.message);
            Ok(None)
        }
        Err(problem) => Err(problem),
    }
}

/// Whether it does; null if that cannot be told.
fn sent_json(sent: &Sent) -> Option<bool> {
    match sent {
        Sent::Yes(_) => Some(true),
        Sent::No(_) | Sent::Refused(_) => Some(false),
        Sent::Unknown(_) => None,
    }
}

fn track_json(track: &Track) -> Value {
    json!({
        "track": track.number,
        "session": track.session,
        "kind": match track.kind {
            TrackKind::Data => "data",
            TrackKind::Audio => "audio",
        },
        "start": track.start.0,
        "sectors": track.length,
    })
}

fn yes_no(flag: Option<bool>) -> &'static str {
    match flag {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not said",
    }
}

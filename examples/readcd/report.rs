//! What is told at the end of a reading or a scan.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    arguments::SectorRange,
    c2::C2Count,
    drive::Names,
    gaps::Gaps,
    noted::bad_json,
    output::{complain, escaped},
    progress::speed,
    reader::Effort,
    trouble::{BadSectors, bad_count},
};

/// The keys of `--json`. None is renamed or removed; new ones may come.
pub(crate) const JSON_KEYS: &str = "\
Keys of --json for --output and --c2scan:
  device, task (output, c2scan, fulltoc, info), drive (vendor, product, revision)
  medium            what kind of disc it is, or null
  output            the file, or null
  sector, sector_length  what is read of each sector, and how many bytes that are
  first, end        the sectors that are meant: from first up to, but not with, end
  left_out          what lies between sessions and was not read (zeros in the output):
                    objects of first, end; what --sectors names is all read
  next, complete    the first sector that was not come to, and whether all were
  resumed           sectors that were in the output already
  sectors, bytes, seconds  what was read now, without bad sectors
  errors            sectors that could not be read
  not_sent          sectors that the drive said to be good without sending all
  bad_sectors       both of them: objects of lba, sectors, reason, not_sent
  retries, far_seeks, unit_attentions, recovered (commands with recovered errors)
  c2                null if nothing was scanned, or an object:
    errors          wrong bytes of the main channel (bits that are set)
    pointer_bytes   bytes of the pointers that are not zero
    sectors         how many sectors have errors
    worst           the one with the most: lba, errors, first_byte; or null
    sectors_over_100  those with 100 or more
    rate_percent    errors of the bytes really scanned, or null
    sectors_scanned, sectors_not_scanned, pointer_length (294 or 296)
    block_error     where the block error bytes are, as the sectors with errors have
                    it: first, last, or null (length 294)
    list            each sector with errors: lba, errors, first_byte
  interrupted, notes
  error             null, or why it stopped; kinds of its own: not_scanned,
                    not_sent, no_sectors, not_restored, another_disc, attentions,
                    beyond_end, refused
For --fulltoc: device, task, output, bytes, first_session, last_session, sessions
(session, first_track, last_track, lead_out), tracks (track, session, kind, start,
sectors), faults, error, notes
For --info: device, task, drive, speed_kb, max_speed_kb, claims_c2,
claims_subchannels, medium, sectors, sessions, tracks, read_cd, sends_c2_294,
sends_c2_296, sends_subchannels (null: cannot be told), error, notes
A failure before anything was read: path, error";

/// Remarks that come up on the way; they go to stderr at once.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<String>);

impl Notes {
    pub(crate) fn add(&mut self, note: impl Into<String>) {
        let note = note.into();
        complain("readcd", &note);
        self.0.push(note);
    }

    pub(crate) fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// What a scan has counted, of pointers that came in so many bytes.
#[derive(Clone, Debug)]
pub(crate) struct Scanned {
    pub(crate) pointers: usize,
    /// Where the block error bytes are, if there are any: first or last.
    pub(crate) block_error: Option<&'static str>,
    pub(crate) count: C2Count,
}

#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) device: String,
    pub(crate) task: &'static str,
    pub(crate) names: Names,
    pub(crate) medium: Option<String>,
    pub(crate) output: Option<String>,
    pub(crate) sector: &'static str,
    pub(crate) sector_length: usize,
    pub(crate) range: SectorRange,
    /// What of it was not read.
    pub(crate) gaps: Gaps,
    /// The first sector that was not come to.
    pub(crate) next: i32,
    pub(crate) resumed: u64,
    pub(crate) good: u64,
    pub(crate) seconds: f64,
    pub(crate) bad: Vec<BadSectors>,
    pub(crate) effort: Effort,
    /// Null where nothing was scanned.
    pub(crate) c2: Option<Scanned>,
    pub(crate) interrupted: bool,
    pub(crate) error: Value,
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) const fn is_complete(&self) -> bool {
        self.next >= self.range.end
    }

    /// Sectors that could not be read, and those that came without all their bytes.
    fn errors(&self) -> (u64, u64) {
        let missing: Vec<_> = self.bad.iter().filter(|bad| bad.missing).cloned().collect();
        let missing = bad_count(&missing);
        (bad_count(&self.bad) - missing, missing)
    }

    pub(crate) fn to_json(&self) -> Value {
        let (errors, missing) = self.errors();
        let mut object = json!({
            "device": self.device,
            "task": self.task,
            "drive": self.names.to_json(),
            "medium": self.medium,
            "output": self.output,
            "sector": self.sector,
            "sector_length": self.sector_length,
            "first": self.range.first,
            "end": self.range.end,
            "left_out": self.gaps.to_json(),
            "next": self.next,
            "complete": self.is_complete(),
            "resumed": self.resumed,
            "sectors": self.good,
            "bytes": self.good * self.sector_length as u64,
            "seconds": self.seconds,
            "errors": errors,
            "not_sent": missing,
            "bad_sectors": self.bad.iter().map(bad_json).collect::<Vec<_>>(),
            "retries": self.effort.retries,
            "far_seeks": self.effort.far_seeks,
            "unit_attentions": self.effort.attentions,
            "recovered": self.effort.recovered,
            "c2": Value::Null,
            "interrupted": self.interrupted,
            "error": self.error,
            "notes": self.notes,
        });
        if let (Some(scanned), Some(keys)) = (&self.c2, object.as_object_mut()) {
            let mut c2 = scanned.count.to_json();
            if let Some(c2) = c2.as_object_mut() {
                c2.insert("pointer_length".into(), scanned.pointers.into());
                c2.insert("block_error".into(), scanned.block_error.into());
                c2.insert("sectors_not_scanned".into(), bad_count(&self.bad).into());
            }
            keys.insert("c2".into(), c2);
        }
        object
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let names = &self.names;
        writeln!(
            out,
            "drive        {} {} {}",
            escaped(&names.vendor),
            escaped(&names.product),
            escaped(&names.revision)
        )?;
        if let Some(medium) = &self.medium {
            writeln!(out, "medium       {medium}")?;
        }
        if self.resumed > 0 {
            writeln!(out, "resumed      {} sectors were there", self.resumed)?;
        }
        let sectors = u32::try_from(self.good).unwrap_or(u32::MAX);
        writeln!(
            out,
            "read         {} sectors ({}, {} bytes each) of {} to {} in {:.1} s, {}",
            self.good,
            self.sector,
            self.sector_length,
            self.range.first,
            self.range.end.saturating_sub(1),
            self.seconds,
            speed(sectors, self.seconds),
        )?;
        let effort = &self.effort;
        if *effort != Effort::default() {
            writeln!(
                out,
                "effort       {} tries again, {} seeks in between, {} unit attentions, {} \
                 commands with recovered errors",
                effort.retries, effort.far_seeks, effort.attentions, effort.recovered
            )?;
        }
        if let Some(scanned) = &self.c2 {
            self.print_c2(out, scanned)?;
        }
        self.print_bad(out)?;
        for gap in self.gaps.as_slice() {
            let last = gap.end.saturating_sub(1);
            writeln!(
                out,
                "left out     {} to {last}, between sessions",
                gap.first
            )?;
        }
        if !self.is_complete() {
            writeln!(
                out,
                "stopped      at sector {} of {}",
                self.next, self.range.end
            )?;
        }
        for note in &self.notes {
            writeln!(out, "note         {}", escaped(note))?;
        }
        Ok(())
    }

    fn print_c2(&self, out: &mut dyn Write, scanned: &Scanned) -> io::Result<()> {
        let count = &scanned.count;
        for sector in &count.sectors {
            writeln!(
                out,
                "C2           sector {}: {} errors, the first at byte {}",
                sector.lba, sector.errors, sector.first_byte
            )?;
        }
        writeln!(
            out,
            "C2 errors    {} wrong bytes ({} pointer bytes) in {} sectors",
            count.errors,
            count.pointer_bytes,
            count.sectors.len()
        )?;
        let not = bad_count(&self.bad);
        writeln!(
            out,
            "scanned      {} sectors; {not} more were not scanned",
            count.scanned
        )?;
        if let Some(rate) = count.rate() {
            writeln!(
                out,
                "C2 rate      {rate:.6}% of the bytes that were scanned"
            )?;
        }
        if let Some(worst) = &count.worst {
            writeln!(
                out,
                "worst        sector {} with {} errors; {} sectors with 100 or more",
                worst.lba, worst.errors, count.many
            )?;
        }
        Ok(())
    }

    fn print_bad(&self, out: &mut dyn Write) -> io::Result<()> {
        let (errors, missing) = self.errors();
        if errors + missing == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "bad sectors  {errors} could not be read, {missing} came without all their bytes:"
        )?;
        for bad in &self.bad {
            let last = bad.lba.saturating_add_unsigned(bad.sectors) - 1;
            let reason = escaped(&bad.reason);
            if bad.lba == last {
                writeln!(out, "             {last}: {reason}")?;
            } else {
                writeln!(out, "             {} to {last}: {reason}", bad.lba)?;
            }
        }
        Ok(())
    }
}

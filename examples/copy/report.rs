//! What is told at the end.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    crew::Done,
    output::{complain, escaped},
    plan::Plan,
    trouble::{BadRange, joined},
};

/// Remarks that come up on the way; they go to stderr at once.
#[derive(Default)]
pub(crate) struct Notes(Vec<String>);

impl Notes {
    pub(crate) fn add(&mut self, note: String) {
        complain("copy", &note);
        self.0.push(note);
    }
}

pub(crate) struct Report {
    pub(crate) source: String,
    pub(crate) targets: Vec<String>,
    pub(crate) method: &'static str,
    pub(crate) workers: usize,
    pub(crate) plan: Plan,
    pub(crate) bytes: u64,
    pub(crate) seconds: f64,
    pub(crate) complete: u64,
    pub(crate) zero_copy: u64,
    pub(crate) bounced: u64,
    pub(crate) attentions: u64,
    pub(crate) bad: Vec<BadRange>,
    pub(crate) interrupted: bool,
    pub(crate) verified: bool,
    pub(crate) error: Value,
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) fn new(method: &'static str, workers: usize, plan: Plan) -> Self {
        Self {
            source: String::new(),
            targets: Vec::new(),
            method,
            workers,
            plan,
            bytes: 0,
            seconds: 0.0,
            complete: 0,
            zero_copy: 0,
            bounced: 0,
            attentions: 0,
            bad: Vec::new(),
            interrupted: false,
            verified: false,
            error: Value::Null,
            notes: Vec::new(),
        }
    }

    /// Takes over what the copying came to.
    pub(crate) fn copied(&mut self, done: &mut Done) {
        self.bytes = done.tally.bytes;
        self.seconds = done.seconds;
        self.complete = done.complete;
        self.zero_copy = done.tally.zero_copy;
        self.bounced = done.tally.bounced;
        self.attentions += done.tally.attentions;
        self.bad = joined(std::mem::take(&mut done.tally.bad));
    }

    pub(crate) fn notes(&mut self, notes: Notes) {
        self.notes = notes.0;
    }

    /// How many blocks could not be read.
    pub(crate) fn errors(&self) -> u64 {
        self.bad.iter().map(|range| range.blocks).sum()
    }

    pub(crate) fn to_json(&self) -> Value {
        let ranges = |range: &BadRange| json!({"lba": range.lba, "blocks": range.blocks});
        json!({
            "source": self.source,
            "targets": self.targets,
            "method": self.method,
            "workers": self.workers,
            "block_length": self.plan.block_length,
            "block_size": self.plan.chunk_bytes(),
            "bytes": self.bytes,
            "seconds": self.seconds,
            "complete_blocks": self.complete / u64::from(self.plan.block_length.max(1)),
            "zero_copy_writes": self.zero_copy,
            "bounced_writes": self.bounced,
            "unit_attentions": self.attentions,
            "errors": self.errors(),
            "bad_ranges": self.bad.iter().map(ranges).collect::<Vec<_>>(),
            "interrupted": self.interrupted,
            "verified": self.verified,
            "error": self.error,
            "notes": self.notes,
        })
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let block = u64::from(self.plan.block_length.max(1));
        let how = match self.method {
            "reserve_buffer" => "the source's reserve buffer, mapped",
            "stream" => "one buffer, in order",
            _ => "page-aligned buffers",
        };
        let workers = self.workers;
        writeln!(
            out,
            "method       {how}; {workers} at once, {} bytes each",
            self.plan.chunk_bytes()
        )?;
        let rate = if self.seconds > 0.0 {
            // A rate for people: 52 bits are enough.
            #[allow(clippy::cast_precision_loss)]
            let bytes = self.bytes as f64;
            format!(", {:.1} MB/s", bytes / self.seconds / 1e6)
        } else {
            String::new()
        };
        writeln!(
            out,
            "copied       {} bytes ({} blocks of {block}) in {:.3} s{rate}",
            self.bytes,
            self.bytes.div_ceil(block),
            self.seconds
        )?;
        writeln!(
            out,
            "writes       {} without a copy, {} copied",
            self.zero_copy, self.bounced
        )?;
        if self.attentions > 0 {
            writeln!(out, "attentions   {}", self.attentions)?;
        }
        if self.interrupted || !self.error.is_null() {
            let complete = self.complete / block;
            writeln!(
                out,
                "stopped      blocks {} to {} of the source are copied; go on with --skip {} --seek {}",
                self.plan.skip,
                (self.plan.skip + complete).saturating_sub(1),
                self.plan.skip + complete,
                self.plan.seek + complete,
            )?;
        }
        if self.verified {
            writeln!(out, "verified     source and targets are equal")?;
        }
        if !self.bad.is_empty() {
            writeln!(
                out,
                "unreadable   {} blocks, zeros written for them:",
                self.errors()
            )?;
        }
        for BadRange { lba, blocks } in &self.bad {
            writeln!(out, "             {} to {}", lba, lba + blocks - 1)?;
        }
        for note in &self.notes {
            writeln!(out, "note         {}", escaped(note))?;
        }
        Ok(())
    }
}

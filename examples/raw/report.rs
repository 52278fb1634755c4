//! What came back, for people and for programs.

use std::io::{self, Write};

use passthru::{
    Outcome, Verdict,
    scsi::{Cdb, DeviceType, command_name},
};
use serde_json::{Value, json};

use crate::{
    arguments::Transfer,
    outcome::{io_path_name, to_json},
    output::{dump, escaped, hex_spaced, hex_string},
};

/// One command and its end.
pub(crate) struct Report<'a> {
    pub(crate) path: &'a str,
    pub(crate) cdb: &'a Cdb,
    pub(crate) device_type: Option<DeviceType>,
    pub(crate) transfer: Transfer,
    pub(crate) outcome: &'a Outcome,
    /// The data, unless it went to a file.
    pub(crate) data: Option<&'a [u8]>,
}

impl Report<'_> {
    fn command(&self) -> Option<&'static str> {
        command_name(self.cdb.as_bytes(), self.device_type.map(|kind| kind.0))
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "path": self.path,
            "cdb": hex_string(self.cdb.as_bytes()),
            "command": self.command(),
            "direction": match self.transfer {
                Transfer::None => "none",
                Transfer::In(_) => "in",
                Transfer::Out(_) => "out",
            },
            "data": self.data.map(hex_string),
            "outcome": to_json(self.outcome),
        })
    }

    pub(crate) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let outcome = self.outcome;
        if let Some(data) = self.data {
            dump(out, data)?;
        }
        let name = self.command().unwrap_or("no known command");
        writeln!(out, "device       {}", escaped(self.path))?;
        writeln!(out, "command      {name}: {}", self.cdb)?;
        writeln!(out, "result       {}", meaning(outcome.verdict()))?;
        writeln!(out, "status       {}", outcome.status())?;
        write!(out, "host         {}", outcome.host())?;
        match outcome.host().meaning() {
            Some(meaning) if !outcome.host().is_ok() => writeln!(out, ": {meaning}")?,
            _ => writeln!(out)?,
        }
        writeln!(out, "driver       {}", outcome.driver())?;
        self.print_sense(out)?;
        self.print_transfer(out)?;
        match outcome.duration() {
            Some(time) => writeln!(out, "duration     {} ms", time.as_millis())?,
            None => writeln!(out, "duration     not measured by this node")?,
        }
        writeln!(out, "I/O path     {}", io_path_name(outcome.io_path()))
    }

    fn print_sense(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = self.outcome.sense_bytes();
        if bytes.is_empty() {
            return writeln!(out, "sense        none");
        }
        writeln!(out, "sense        {}", self.outcome.sense())?;
        bytes
            .chunks(16)
            .try_for_each(|line| writeln!(out, "             {}", hex_spaced(line)))
    }

    fn print_transfer(&self, out: &mut dyn Write) -> io::Result<()> {
        let outcome = self.outcome;
        if self.transfer == Transfer::None {
            return writeln!(out, "transfer     none asked for");
        }
        writeln!(
            out,
            "transfer     {} of {} bytes, residual {}",
            outcome.transferred(),
            outcome.requested(),
            outcome.residual(),
        )?;
        if !outcome.verdict().is_success() && outcome.claimed() > 0 {
            writeln!(
                out,
                "             (the residual claims {}, which a failed command may not have moved)",
                outcome.claimed(),
            )?;
        }
        Ok(())
    }
}

fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Good => "good",
        Verdict::GoodWithSense => "good, with a remark of the device",
        Verdict::Check => "failed by the device",
        Verdict::Deferred => "not carried out: an earlier command failed",
        Verdict::CheckWithoutSense => "failed by the device, which does not say why",
        Verdict::Status => "not carried out",
        Verdict::Transport => "lost on the way: the SCSI status means nothing",
        _ => "unknown",
    }
}

//! The log: a line for each command that came, written before the command ends.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write as _},
    path::Path,
};

use crate::ring::{Answer, Call};

pub(crate) struct Log {
    file: File,
}

impl Log {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: File::create(path)?,
        })
    }

    /// `cdb=HEX buffer=BYTES status=HH sense=HEX data=BYTES`.
    pub(crate) fn add(&mut self, call: &Call, answer: &Answer) {
        let line = format!(
            "cdb={} buffer={} status={:02x} sense={} data={}\n",
            hex(&call.cdb),
            call.buffer,
            answer.status,
            hex(&answer.sense),
            answer.data.len(),
        );
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            eprintln!("mmc_drive: the log cannot be written: {error}");
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

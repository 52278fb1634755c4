//! Parts of the error messages.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use crate::scsi::{Capacity10, Capacity16, Cdb, DeviceType, command_name};

pub(super) struct Hint<'a>(pub(super) &'a Option<PathBuf>);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(path) => write!(f, ": open {} instead", path.display()),
            None => Ok(()),
        }
    }
}

pub(super) struct Limit(pub(super) usize, pub(super) Option<u64>);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(limit) if limit < self.0 as u64 => {
                write!(f, "at most {limit} bytes are taken, so split it")
            }
            // The adapter's limit is not what stood in the way.
            _ => write!(
                f,
                "the kernel could not map it (too many scattered pages, or no memory), so split it"
            ),
        }
    }
}

pub(super) struct Missing<'a>(pub(super) &'a Path);

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0.file_name().unwrap_or_default().as_encoded_bytes();
        if name.starts_with(b"sg") {
            write!(f, " (is the kernel module sg loaded?)")?;
        }
        Ok(())
    }
}

pub(super) struct After(pub(super) bool);

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            true => write!(f, " (the command had been sent, its result is unknown)"),
            false => Ok(()),
        }
    }
}

/// The name of a command. It depends on the device type: other types have other commands
/// at the same opcodes.
pub(super) struct Typed<'a>(pub(super) &'a Cdb, pub(super) Option<DeviceType>);

impl fmt::Display for Typed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let opcode = self.0.opcode();
        match command_name(self.0.as_bytes(), self.1.map(|kind| kind.0)) {
            Some(name) => write!(f, "{name} ({opcode:02x}h)"),
            None => write!(f, "command {opcode:02x}h"),
        }?;
        match self.0.service_action() {
            Some(action) => write!(f, " service action {action:02x}h"),
            None => Ok(()),
        }
    }
}

pub(super) struct Said<'a>(pub(super) &'a Capacity10, pub(super) &'a Option<Capacity16>);

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(short, long) = self;
        let (last, length) = (short.last_lba(), short.block_length());
        write!(
            f,
            "READ CAPACITY(10) says last block {last} and {length} bytes a block"
        )?;
        let Some(long) = long else { return Ok(()) };
        let (last, length) = (long.last_lba(), long.block_length());
        write!(
            f,
            ", READ CAPACITY(16) says last block {last} and {length} bytes a block"
        )
    }
}

/// `Read16` of `passthru::scsi::read_write::Read16`.
pub(crate) fn short_name(full: &'static str) -> &'static str {
    let path = full.split('<').next().unwrap_or(full);
    path.rsplit("::").next().unwrap_or(full)
}

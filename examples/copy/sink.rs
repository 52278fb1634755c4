//! Where the pieces go.

use std::{fs::File, io::Write, os::unix::fs::FileExt};

use passthru::{
    Error, Failure, IoPath, Outcome, ScsiDevice, ScsiTransport, ScsiTransportExt,
    scsi::{Command, Malformed},
    unit::Layout,
};

use crate::{
    plan::Chunk,
    problem::Problem,
    trouble::once_more,
    worker::{Job, Tally},
};

/// Where a piece goes.
pub(crate) enum Sink<'a> {
    Device(ScsiDevice, DeviceSink),
    File(&'a File),
    Stream(&'a File),
}

pub(crate) struct DeviceSink {
    pub(crate) layout: Layout,
    /// The kernel copies what is not aligned to one more than this.
    pub(crate) alignment_mask: usize,
}

impl Sink<'_> {
    #[inline]
    pub(crate) fn put(
        &mut self,
        job: &Job,
        to: u64,
        chunk: Chunk,
        data: &[u8],
        tally: &mut Tally,
    ) -> Result<(), Problem> {
        match self {
            Self::Device(device, sink) => {
                let command = in_range(sink.layout.write(to, chunk.blocks), device)?;
                let path = once_more(&mut tally.attentions, || {
                    whole(device.write(&command, data), &command, device)
                })?;
                if sink.was_zero_copy(device, path, data.len()) {
                    tally.zero_copy += 1;
                } else {
                    tally.bounced += 1;
                }
            }
            Self::File(file) => {
                let bytes = data.get(..chunk.bytes).unwrap_or_default();
                file.write_all_at(bytes, to * u64::from(job.plan.block_length))
                    .map_err(|error| Problem::file("writing the target", &error))?;
                tally.bounced += 1;
            }
            Self::Stream(file) => {
                file.write_all(data.get(..chunk.bytes).unwrap_or_default())
                    .map_err(|error| Problem::file("writing the target", &error))?;
                tally.bounced += 1;
            }
        }
        Ok(())
    }

    /// Reads what was written, and gives how many bytes of it count.
    pub(crate) fn get(
        &mut self,
        job: &Job,
        at: u64,
        chunk: Chunk,
        back: &mut [u8],
        tally: &mut Tally,
    ) -> Result<usize, Problem> {
        match self {
            Self::Device(device, sink) => {
                let command = in_range(sink.layout.read(at, chunk.blocks), device)?;
                once_more(&mut tally.attentions, || {
                    whole(device.read(&command, back), &command, device)
                })?;
                Ok(back.len())
            }
            Self::File(file) => {
                let bytes = back.get_mut(..chunk.bytes).unwrap_or_default();
                file.read_exact_at(bytes, at * u64::from(job.plan.block_length))
                    .map_err(|error| Problem::file("reading the target", &error))?;
                Ok(chunk.bytes)
            }
            Self::Stream(_) => Ok(0),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Device(device, _) => device.path().display().to_string(),
            _ => "the file".into(),
        }
    }
}

impl DeviceSink {
    fn was_zero_copy(&self, device: &ScsiDevice, path: IoPath, len: usize) -> bool {
        match (device, path) {
            (_, IoPath::Bounced) => false,
            (ScsiDevice::Sg(_), path) => path == IoPath::Direct,
            // These do not say; the kernel takes the pages if they are aligned.
            _ => len & self.alignment_mask == 0,
        }
    }
}

pub(crate) fn in_range<C, T: ScsiTransport>(
    command: Result<C, passthru::OutOfRange>,
    device: &T,
) -> passthru::Result<C> {
    command.map_err(|range| Error::OutOfRange {
        path: device.path().to_path_buf(),
        range,
    })
}

/// A success has moved all there was to move, or it is none. Gives the way that
/// the data went; an outcome is large to be handed on.
#[inline]
pub(crate) fn whole<C: Command, T: ScsiTransport>(
    result: passthru::Result<Outcome>,
    command: &C,
    device: &T,
) -> passthru::Result<IoPath> {
    match &result {
        Ok(outcome) if outcome.requested() == outcome.transferred() => Ok(outcome.io_path()),
        _ => Err(not_whole(result, command, device)),
    }
}

#[cold]
fn not_whole<C: Command, T: ScsiTransport>(
    result: passthru::Result<Outcome>,
    command: &C,
    device: &T,
) -> Error {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(error) => return error,
    };
    let (need, got) = (outcome.requested(), outcome.transferred());
    let path = device.path().to_path_buf();
    match command.cdb_for(need) {
        Ok(cdb) => Error::Malformed {
            failure: Box::new(
                Failure::new(path, cdb, outcome).with_device_type(device.device_type()),
            ),
            reason: Malformed::Short { need, got },
        },
        Err(mismatch) => Error::Length {
            path,
            command: "a transfer",
            mismatch,
        },
    }
}

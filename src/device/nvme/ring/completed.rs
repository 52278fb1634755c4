//! What comes of a command: its completion, or why it was not queued.

use super::{RingBuf, Target};
use crate::{Error, Result, nvme::Completion};

/// A command that has ended.
#[derive(Debug)]
#[must_use]
#[non_exhaustive]
pub struct Completed {
    /// What the caller gave with the command.
    pub token: u64,
    /// Where it went.
    pub target: Target,
    /// What became of it: `Ok` if its status is 0. An error holds the status.
    pub result: Result<Completion, Box<Error>>,
    /// Its buffer. Of commands that share one, the last to end has it.
    pub buffer: Option<RingBuf>,
    /// Its separate metadata.
    pub metadata: Option<RingBuf>,
    /// Its buffers, if it had several.
    pub buffers: Option<Box<[RingBuf]>>,
}

/// A command that was not queued, with its memory.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct RingRejected {
    /// Why not.
    #[source]
    pub error: Box<Error>,
    /// Its buffer.
    pub buffer: Option<RingBuf>,
    /// Its separate metadata.
    pub metadata: Option<RingBuf>,
    /// Its buffers, if it had several.
    pub buffers: Option<Box<[RingBuf]>>,
}

impl RingRejected {
    pub(super) fn new(error: Box<Error>, buffer: Option<RingBuf>) -> Self {
        Self {
            error,
            buffer,
            metadata: None,
            buffers: None,
        }
    }
}

impl From<RingRejected> for Error {
    fn from(rejected: RingRejected) -> Self {
        *rejected.error
    }
}

//! An NVMe command with the memory that it moves.

use std::time::Duration;

use super::Data;
use crate::nvme::{Format, Nsid, Queue, Sqe};

/// The separate metadata of a command.
#[derive(Debug)]
#[non_exhaustive]
pub enum Metadata<'a> {
    /// None, or what there is goes with the data.
    None,
    /// From the controller.
    In(&'a mut [u8]),
    /// To the controller.
    Out(&'a [u8]),
}

impl Metadata<'_> {
    /// How many bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::In(slice) => slice.len(),
            Self::Out(slice) => slice.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A command with the memory that it moves, which fit each other.
///
/// Only this crate makes one, from a typed command and buffers of the right
/// length, so a transport may hand it to a controller as it is.
#[derive(Debug)]
pub struct NvmeRequest<'a> {
    pub(super) queue: Queue,
    pub(super) sqe: Sqe,
    pub(super) data: Data<'a>,
    pub(super) metadata: Metadata<'a>,
    pub(super) timeout: Option<Duration>,
    pub(super) name: &'static str,
    pub(super) format: Option<Format>,
}

impl<'a> NvmeRequest<'a> {
    /// The queue it is for.
    #[must_use]
    pub const fn queue(&self) -> Queue {
        self.queue
    }

    /// The entry.
    #[must_use]
    pub const fn sqe(&self) -> &Sqe {
        &self.sqe
    }

    /// How long it may take, if the command says so.
    #[must_use]
    pub const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The name of the command's type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        crate::error::short_name(self.name)
    }

    /// The same with its path.
    pub(crate) const fn type_name(&self) -> &'static str {
        self.name
    }

    /// The format by which the lengths were reckoned, of a command that moves
    /// blocks. A transport refuses it if the namespace has another one.
    #[must_use]
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// Says which namespace an I/O command goes to.
    pub const fn set_nsid(&mut self, nsid: Nsid) {
        self.sqe.nsid = nsid.get();
    }

    /// How many slices its data has.
    pub(crate) fn slices(&self) -> usize {
        match &self.data {
            Data::InVectored(slices) => slices.len(),
            Data::OutVectored(slices) => slices.len(),
            _ => 1,
        }
    }

    /// How many bytes of data it moves.
    #[must_use]
    pub fn data_len(&self) -> usize {
        self.data.len()
    }

    /// The data and the separate metadata, to be moved by the controller.
    #[must_use]
    pub fn into_buffers(self) -> (Data<'a>, Metadata<'a>) {
        (self.data, self.metadata)
    }

    /// For the raw calls, whose callers promise what a typed command does.
    pub(crate) fn unchecked(
        queue: Queue,
        sqe: Sqe,
        (data, metadata): (Data<'a>, Metadata<'a>),
        timeout: Option<Duration>,
    ) -> Self {
        Self {
            queue,
            sqe,
            data,
            metadata,
            timeout,
            name: "a raw command",
            format: None,
        }
    }
}

//! Commands in flight: what they hold, and what comes of them.

use std::io;

use passthru_sys::nvme::NVME_URING_CMD_IO_VEC;

use super::{Completed, NvmeRing, RingBuf, RingRejected, Target, target::State};
use crate::{
    Error, NvmeError, NvmeErrorKind,
    nvme::{Completion, NvmeStatus},
    syscall::{Cqe, Transfer, Words},
};

/// A command in flight, with the memory that it moves.
#[derive(Default)]
pub(super) struct Flight {
    pub(super) token: u64,
    pub(super) words: Words,
    /// The command's type.
    pub(super) name: &'static str,
    pub(super) target: u32,
    /// Bytes of data.
    pub(super) len: u32,
    buffer: Option<RingBuf>,
    /// What few commands have.
    extra: Option<Box<Extra>>,
}

/// What few commands have.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) metadata: Option<RingBuf>,
    pub(super) buffers: Option<Box<[RingBuf]>>,
    /// Where the kernel finds them.
    pub(super) iovecs: Vec<libc::iovec>,
    /// The number of the group whose buffer it uses.
    pub(super) group: Option<u32>,
}

/// Commands that write the same buffer.
#[derive(Default)]
pub(super) struct Group {
    pub(super) left: u32,
    pub(super) buffer: Option<RingBuf>,
}

/// The memory of a command, on its way into a flight or back to the caller.
pub(super) trait Memory {
    /// Puts it into a flight, which has none.
    fn keep(self, flight: &mut Flight);

    /// Names what is not one buffer to the kernel.
    fn name(&self, _transfer: &mut Transfer) {}

    /// What the caller gets back.
    fn rejected(self, error: Box<Error>) -> RingRejected;
}

/// No data.
pub(super) struct Nothing;

impl Memory for Nothing {
    #[inline(always)]
    fn keep(self, _flight: &mut Flight) {}

    fn rejected(self, error: Box<Error>) -> RingRejected {
        RingRejected::new(error, None)
    }
}

impl Memory for RingBuf {
    #[inline(always)]
    fn keep(self, flight: &mut Flight) {
        let before = flight.buffer.replace(self);
        // A free slot has none. To look would cost more than all of this.
        std::mem::forget(before);
    }

    #[cold]
    fn rejected(self, error: Box<Error>) -> RingRejected {
        RingRejected::new(error, Some(self))
    }
}

/// A buffer, if there is one, and more.
pub(super) struct WithExtra(pub(super) Option<RingBuf>, pub(super) Box<Extra>);

impl Memory for WithExtra {
    fn keep(self, flight: &mut Flight) {
        flight.buffer = self.0;
        flight.extra = Some(self.1);
    }

    fn name(&self, transfer: &mut Transfer) {
        let extra = &self.1;
        if let Some(metadata) = &extra.metadata {
            transfer.metadata = metadata.address();
            transfer.metadata_len = u32::try_from(metadata.len()).unwrap_or(u32::MAX);
        }
        if !extra.iovecs.is_empty() {
            transfer.op = NVME_URING_CMD_IO_VEC;
            transfer.address = extra.iovecs.as_ptr().expose_provenance() as u64;
            transfer.len = u32::try_from(extra.iovecs.len()).unwrap_or(u32::MAX);
        }
    }

    fn rejected(self, error: Box<Error>) -> RingRejected {
        let Extra {
            metadata, buffers, ..
        } = *self.1;
        RingRejected {
            metadata,
            buffers,
            ..RingRejected::new(error, self.0)
        }
    }
}

impl NvmeRing {
    /// What comes of a completion.
    #[inline(always)]
    pub(super) fn finish(&mut self, cqe: Cqe) -> Option<Completed> {
        let mut taken = self.flights.taken(cqe.user_data)?;
        let flight = taken.value();
        let state = self.targets.get_mut(flight.target as usize)?;
        let result = match cqe.res {
            0 => Ok(Completion::new(NvmeStatus::SUCCESS, cqe.result)),
            _ => Err(failure(state, flight, cqe)),
        };
        let (token, index) = (flight.token, flight.target);
        let extra = flight.extra.take();
        let mut buffer = flight.buffer.take();
        let (mut metadata, mut buffers) = (None, None);
        taken.free();
        state.ended();
        if let Some(mut extra) = extra {
            (metadata, buffers) = (extra.metadata.take(), extra.buffers.take());
            extra.iovecs.clear();
            if let Some(group) = extra.group.take() {
                buffer = self.leave(group);
            }
            self.spare.push(extra);
        }
        let ring = self.id;
        Some(Completed {
            token,
            target: Target { ring, index },
            result,
            buffer,
            metadata,
            buffers,
        })
    }

    /// One command of a group has ended; the last one has the buffer.
    #[cold]
    fn leave(&mut self, number: u32) -> Option<RingBuf> {
        let mut taken = self.groups.taken(number.into())?;
        let group = taken.value();
        group.left = group.left.saturating_sub(1);
        if group.left > 0 {
            return None;
        }
        let buffer = group.buffer.take();
        taken.free();
        buffer
    }
}

/// An error for a command that was sent.
#[cold]
fn failure(state: &State, flight: &Flight, cqe: Cqe) -> Box<Error> {
    let kind = if cqe.res > 0 {
        // The status field has 15 bits.
        let status = NvmeStatus::from_raw(u16::try_from(cqe.res).unwrap_or(u16::MAX));
        NvmeErrorKind::Status(Completion::new(status, cqe.result))
    } else {
        let source = io::Error::from_raw_os_error(cqe.res.saturating_neg());
        if let Some(libc::ENODEV | libc::ENXIO) = source.raw_os_error() {
            return Box::new(Error::Gone {
                path: state.path().to_path_buf(),
                cdb: None,
                sent: false,
                source,
            });
        }
        state.reason(source, flight.len as usize)
    };
    let error = NvmeError::new(
        state.path(),
        state.queue(),
        flight.name,
        Some(flight.words.sqe()),
        kind,
    );
    Box::new(error.into())
}

//! Commands in flight: what they hold, and what comes of them.

#![allow(unsafe_code)]

use std::io;

use passthru_sys::nvme::{
    NVME_URING_CMD_ADMIN, NVME_URING_CMD_IO, NVME_URING_CMD_IO_VEC, nvme_uring_cmd,
};

use super::{Completed, NvmeRing, RingBuf, Target, target::State};
use crate::{
    Error, NvmeError, NvmeErrorKind,
    nvme::{Completion, NvmeStatus, Queue, Sqe},
    syscall::Cqe,
};

/// A command in flight, with the memory that it moves.
pub(super) struct Flight {
    token: u64,
    memory: Held,
    target: u32,
    /// Bytes of data.
    len: u32,
    sqe: Sqe,
    /// The command's type.
    name: &'static str,
    /// What few commands have.
    extra: Option<Box<Extra>>,
}

/// The data of a command.
pub(super) enum Held {
    None,
    One(RingBuf),
    /// That of a group, by its number.
    Shared(u32),
}

/// What few commands have.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) metadata: Option<RingBuf>,
    pub(super) buffers: Vec<RingBuf>,
    /// Where the kernel finds them.
    pub(super) iovecs: Vec<libc::iovec>,
}

/// A command that was not queued: why, and its memory.
pub(super) type Unqueued = (Box<Error>, Held, Option<Box<Extra>>);

/// Commands that write the same buffer.
pub(super) struct Group {
    pub(super) left: u32,
    pub(super) buffer: Option<RingBuf>,
}

/// A command that has been checked.
#[derive(Clone, Copy)]
pub(super) struct Checked {
    pub(super) sqe: Sqe,
    pub(super) timeout_ms: u32,
    pub(super) name: &'static str,
}

/// Where its data is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Of the data, or of the array of iovecs.
    pub(super) address: u64,
    /// Bytes, at most [`MAX_LEN`](super::MAX_LEN).
    pub(super) len: usize,
    /// The number of the registered piece of memory.
    pub(super) piece: Option<u16>,
}

impl Place {
    pub(super) const NONE: Self = Self {
        address: 0,
        len: 0,
        piece: None,
    };
}

impl NvmeRing {
    /// Queues a command. The memory comes back if that fails.
    ///
    /// # Safety
    /// `place` is in what `memory` and `extra` hold, and its length, and that of
    /// `extra`'s metadata, are what the command moves.
    #[inline]
    pub(super) unsafe fn launch(
        &mut self,
        target: Target,
        checked: Checked,
        place: Place,
        memory: Held,
        mut extra: Option<Box<Extra>>,
        token: u64,
    ) -> Result<(), Unqueued> {
        let Some(state) = self.targets.get_mut(target.index as usize) else {
            return Err((Box::new(super::foreign()), memory, extra));
        };
        let sqe = &checked.sqe;
        let mut command = nvme_uring_cmd {
            opcode: sqe.opcode,
            nsid: sqe.nsid,
            cdw2: sqe.cdw2,
            cdw3: sqe.cdw3,
            addr: place.address,
            cdw10: sqe.cdw10,
            cdw11: sqe.cdw11,
            cdw12: sqe.cdw12,
            cdw13: sqe.cdw13,
            cdw14: sqe.cdw14,
            cdw15: sqe.cdw15,
            timeout_ms: checked.timeout_ms,
            ..nvme_uring_cmd::ZERO
        };
        let len = u32::try_from(place.len).unwrap_or(u32::MAX);
        command.data_len = len;
        let mut op = match state.queue() {
            Queue::Io => NVME_URING_CMD_IO,
            Queue::Admin => NVME_URING_CMD_ADMIN,
        };
        if let Some(extra) = &mut extra {
            if let Some(metadata) = &mut extra.metadata {
                command.metadata = metadata.address();
                command.metadata_len = u32::try_from(metadata.len()).unwrap_or(u32::MAX);
            }
            if !extra.iovecs.is_empty() {
                op = NVME_URING_CMD_IO_VEC;
                command.addr = extra.iovecs.as_ptr() as u64;
                command.data_len = u32::try_from(extra.iovecs.len()).unwrap_or(u32::MAX);
            }
        }
        let file = state.file;
        let flight = Flight {
            token,
            memory,
            target: target.index,
            len,
            sqe: checked.sqe,
            name: checked.name,
            extra,
        };
        let number = match self.flights.insert(flight) {
            Ok(number) => number,
            Err(flight) => {
                let kind = NvmeErrorKind::QueueFull { depth: self.depth };
                let error = refusal(state, checked.name, Some(checked.sqe), kind);
                state.settle();
                return Err((Box::new(error), flight.memory, flight.extra));
            }
        };
        let mut pushed = false;
        let mut failed = None;
        for _ in 0..2 {
            // SAFETY: the memory is now held by `flights` under this number, which
            // is the user data, and is taken out of there only by `finish` for the
            // completion with it, or below if the entry was not queued. Its owner
            // does not give it away meanwhile, nor does `Group`, and moving the
            // owner does not move it. Lengths: what this function asks of its
            // caller. If this ring is forgotten, so is `flights`; `drop` waits for
            // all completions or forgets it.
            pushed = unsafe {
                self.uring
                    .push(file, op, &command, place.piece, u64::from(number))
            };
            if pushed {
                break;
            }
            if let Err(error) = self.uring.make_room(1) {
                failed = Some(error);
                break;
            }
        }
        if pushed {
            state.began();
            if checked.timeout_ms > self.slowest_ms {
                self.slowest_ms = checked.timeout_ms;
            }
            return Ok(());
        }
        let source = failed.unwrap_or_else(|| io::Error::from_raw_os_error(libc::EBUSY));
        let kind = NvmeErrorKind::NotQueued { source };
        let error = refusal(state, checked.name, Some(checked.sqe), kind);
        state.settle();
        let flight = self.flights.remove(number);
        let (memory, extra) =
            flight.map_or((Held::None, None), |flight| (flight.memory, flight.extra));
        Err((Box::new(error), memory, extra))
    }

    /// What comes of a completion.
    #[inline]
    pub(super) fn finish(&mut self, cqe: Cqe) -> Option<Completed> {
        let number = u32::try_from(cqe.user_data).ok()?;
        let flight = self.flights.remove(number)?;
        let state = self.targets.get_mut(flight.target as usize)?;
        state.ended();
        let result = if cqe.res == 0 {
            Ok(Completion::new(NvmeStatus::SUCCESS, cqe.result))
        } else {
            Err(Box::new(failure(state, &flight, cqe)))
        };
        let buffer = match flight.memory {
            Held::None => None,
            Held::One(buffer) => Some(buffer),
            Held::Shared(group) => self.leave(group),
        };
        let (mut metadata, mut buffers) = (None, Vec::new());
        if let Some(mut extra) = flight.extra {
            metadata = extra.metadata.take();
            buffers = std::mem::take(&mut extra.buffers);
            extra.iovecs.clear();
            self.spare.push(extra);
        }
        Some(Completed {
            token: flight.token,
            target: Target {
                ring: self.id,
                index: flight.target,
            },
            result,
            buffer,
            metadata,
            buffers,
        })
    }

    /// One command of a group has ended; the last one has the buffer.
    fn leave(&mut self, number: u32) -> Option<RingBuf> {
        let group = self.groups.get_mut(number)?;
        group.left = group.left.saturating_sub(1);
        if group.left > 0 {
            return None;
        }
        self.groups.remove(number)?.buffer
    }
}

/// An error for a command that was not sent.
#[cold]
pub(super) fn refusal(
    state: &State,
    name: &'static str,
    sqe: Option<Sqe>,
    kind: NvmeErrorKind,
) -> Error {
    NvmeError::new(state.path(), state.queue(), name, sqe, kind).into()
}

/// An error for one that was.
#[cold]
fn failure(state: &State, flight: &Flight, cqe: Cqe) -> Error {
    let kind = if cqe.res > 0 {
        // The status field has 15 bits.
        let status = NvmeStatus::from_raw(u16::try_from(cqe.res).unwrap_or(u16::MAX));
        NvmeErrorKind::Status(Completion::new(status, cqe.result))
    } else {
        let source = io::Error::from_raw_os_error(cqe.res.saturating_neg());
        if let Some(libc::ENODEV | libc::ENXIO) = source.raw_os_error() {
            return Error::Gone {
                path: state.path().to_path_buf(),
                cdb: None,
                sent: false,
                source,
            };
        }
        state.reason(source, flight.len as usize)
    };
    refusal(state, flight.name, Some(flight.sqe), kind)
}

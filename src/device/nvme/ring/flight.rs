//! Commands in flight: what they hold, and what comes of them.

#![allow(unsafe_code)]

use std::{io, mem};

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
#[derive(Default)]
pub(super) struct Flight {
    token: u64,
    memory: Held,
    /// What few commands have.
    extra: Option<Box<Extra>>,
    target: u32,
    /// Bytes of data.
    len: u32,
    sqe: Sqe,
    /// The command's type.
    name: &'static str,
}

/// The data of a command.
#[derive(Default)]
pub(super) enum Held {
    #[default]
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

/// Commands that write the same buffer.
#[derive(Default)]
pub(super) struct Group {
    pub(super) left: u32,
    pub(super) buffer: Option<RingBuf>,
}

/// A command that was not queued: why, and its memory.
pub(super) type Unqueued = (Box<Error>, Held, Option<Box<Extra>>);

/// A command with its data.
pub(super) struct Launch {
    pub(super) sqe: Sqe,
    /// 0 is the kernel's default.
    pub(super) timeout_ms: u32,
    /// The command's type.
    pub(super) name: &'static str,
    /// Where the data is.
    pub(super) address: u64,
    /// Its bytes, at most [`MAX_LEN`](super::MAX_LEN).
    pub(super) len: usize,
    /// The number of the registered piece of memory that it is in.
    pub(super) piece: Option<u16>,
    pub(super) memory: Held,
    pub(super) extra: Option<Box<Extra>>,
    pub(super) token: u64,
}

impl NvmeRing {
    /// Queues a command. The memory comes back if that fails.
    ///
    /// # Safety
    /// `address` is in what `memory` or `extra` holds, and its length, and that of
    /// `extra`'s metadata, are at least what the command moves.
    #[inline(always)]
    pub(super) unsafe fn launch(
        &mut self,
        target: Target,
        mut launch: Launch,
    ) -> Result<(), Unqueued> {
        if self.uring.is_full() {
            // There is room after this.
            if let Err(source) = self.uring.make_room(1) {
                let kind = NvmeErrorKind::NotQueued { source };
                return Err(self.unqueued(target, launch, kind));
            }
        }
        let (Some(state), Some((number, flight))) = (
            self.targets.get_mut(target.index as usize),
            self.flights.vacant(),
        ) else {
            let kind = NvmeErrorKind::QueueFull { depth: self.depth };
            return Err(self.unqueued(target, launch, kind));
        };
        // Both are known to fit: `len` is at most MAX_LEN.
        #[allow(clippy::cast_possible_truncation)]
        let len = launch.len as u32;
        let sqe = launch.sqe;
        let mut op = match state.queue() {
            Queue::Io => NVME_URING_CMD_IO,
            Queue::Admin => NVME_URING_CMD_ADMIN,
        };
        let mut command = nvme_uring_cmd {
            opcode: sqe.opcode,
            nsid: sqe.nsid,
            cdw2: sqe.cdw2,
            cdw3: sqe.cdw3,
            addr: launch.address,
            data_len: len,
            cdw10: sqe.cdw10,
            cdw11: sqe.cdw11,
            cdw12: sqe.cdw12,
            cdw13: sqe.cdw13,
            cdw14: sqe.cdw14,
            cdw15: sqe.cdw15,
            timeout_ms: launch.timeout_ms,
            ..nvme_uring_cmd::ZERO
        };
        if let Some(extra) = &mut launch.extra {
            name_extra(extra, &mut command, &mut op);
        }
        flight.token = launch.token;
        flight.memory = launch.memory;
        flight.extra = launch.extra;
        flight.target = target.index;
        flight.len = len;
        flight.sqe = sqe;
        flight.name = launch.name;
        // SAFETY: the memory is now held by `flights` under this number, which is
        // the user data. It is taken out of there by `finish` alone, for the
        // completion with this number: until then the slot is taken, below, so it is
        // not given to another command, and if the entry is not queued the kernel
        // never sees it. The memory's owner gives nothing away meanwhile, nor does a
        // `Group`, and moving an owner does not move its memory. Lengths: what this
        // function asks of its caller. If this ring is forgotten, so is `flights`;
        // `drop` waits for all completions or forgets it.
        let pushed = unsafe {
            self.uring
                .push(state.file, op, &command, launch.piece, number.into())
        };
        if !pushed {
            let (memory, extra) = (mem::take(&mut flight.memory), flight.extra.take());
            return Err(self.never_pushed(target, (memory, extra)));
        }
        self.flights.take();
        state.began();
        self.slowest_ms = self.slowest_ms.max(launch.timeout_ms);
        Ok(())
    }

    #[cold]
    fn unqueued(&mut self, target: Target, launch: Launch, kind: NvmeErrorKind) -> Unqueued {
        let error = match self.targets.get_mut(target.index as usize) {
            Some(state) => {
                state.settle();
                refusal(state, launch.name, Some(launch.sqe), kind)
            }
            None => super::foreign(),
        };
        (Box::new(error), launch.memory, launch.extra)
    }

    /// The queue was full though it had just been looked at.
    #[cold]
    fn never_pushed(
        &mut self,
        target: Target,
        (memory, extra): (Held, Option<Box<Extra>>),
    ) -> Unqueued {
        let source = io::Error::from_raw_os_error(libc::EBUSY);
        let error = match self.targets.get_mut(target.index as usize) {
            Some(state) => {
                state.settle();
                let kind = NvmeErrorKind::NotQueued { source };
                refusal(state, "a command", None, kind)
            }
            None => super::foreign(),
        };
        (Box::new(error), memory, extra)
    }

    /// What comes of a completion.
    #[inline(always)]
    pub(super) fn finish(&mut self, cqe: Cqe) -> Option<Completed> {
        let number = u32::try_from(cqe.user_data).ok()?;
        let flight = self.flights.get_mut(number)?;
        let state = self.targets.get_mut(flight.target as usize)?;
        let result = if cqe.res == 0 {
            Ok(Completion::new(NvmeStatus::SUCCESS, cqe.result))
        } else {
            Err(failure(state, flight, cqe))
        };
        let target = Target {
            ring: self.id,
            index: flight.target,
        };
        let token = flight.token;
        let (mut metadata, mut buffers, mut group) = (None, None, None);
        let buffer = match mem::take(&mut flight.memory) {
            Held::One(buffer) => Some(buffer),
            Held::Shared(number) => {
                group = Some(number);
                None
            }
            Held::None => None,
        };
        if let Some(mut extra) = flight.extra.take() {
            metadata = extra.metadata.take();
            buffers = (!extra.buffers.is_empty()).then(|| mem::take(&mut extra.buffers));
            extra.iovecs.clear();
            self.spare.push(extra);
        }
        self.flights.free(number);
        state.ended();
        Some(Completed {
            token,
            target,
            result,
            buffer: match group {
                None => buffer,
                Some(number) => self.leave(number),
            },
            metadata,
            buffers,
        })
    }

    /// One command of a group has ended; the last one has the buffer.
    #[cold]
    fn leave(&mut self, number: u32) -> Option<RingBuf> {
        let group = self.groups.get_mut(number)?;
        group.left = group.left.saturating_sub(1);
        if group.left > 0 {
            return None;
        }
        let buffer = group.buffer.take();
        self.groups.free(number);
        buffer
    }
}

/// Adds the memory that few commands have.
#[cold]
fn name_extra(extra: &mut Extra, command: &mut nvme_uring_cmd, op: &mut u32) {
    if let Some(metadata) = &mut extra.metadata {
        command.metadata = metadata.address();
        command.metadata_len = u32::try_from(metadata.len()).unwrap_or(u32::MAX);
    }
    if !extra.iovecs.is_empty() {
        *op = NVME_URING_CMD_IO_VEC;
        command.addr = extra.iovecs.as_ptr() as u64;
        command.data_len = u32::try_from(extra.iovecs.len()).unwrap_or(u32::MAX);
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
    Box::new(refusal(state, flight.name, Some(flight.sqe), kind))
}

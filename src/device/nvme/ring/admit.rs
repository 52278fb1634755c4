//! What every command goes through on its way into the queue.

#![allow(unsafe_code)]

use std::{io, time::Duration};

use passthru_sys::nvme::{NVME_URING_CMD_ADMIN, NVME_URING_CMD_IO};

use super::{NvmeRing, Target, flight::Memory, ioctl_only::needs_ioctl, target::State};
use crate::{
    Error, NvmeError, NvmeErrorKind,
    nvme::{Command, LengthMismatch, Lengths, Queue, Sqe, is_read_only},
    syscall::{Registered, Transfer, Words},
    transport::whole_milliseconds,
};

/// A command without its entry and its memory.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) target: Target,
    /// `None` for whatever the target takes.
    pub(super) queue: Option<Queue>,
    pub(super) by_format: bool,
    pub(super) name: &'static str,
    pub(super) timeout: Option<Duration>,
    /// Where the data is.
    pub(super) address: u64,
    /// Its bytes.
    pub(super) data: usize,
    /// Bytes of separate metadata.
    pub(super) metadata: usize,
    /// How many bytes the data may have.
    pub(super) capacity: usize,
    /// The registered part of memory that the data is in.
    pub(super) registered: Registered,
    pub(super) token: u64,
}

impl Order {
    #[inline(always)]
    pub(super) fn of<C: Command>(target: Target, command: &C, token: u64) -> Self {
        Self {
            target,
            queue: Some(C::QUEUE),
            by_format: C::BY_FORMAT,
            name: std::any::type_name::<C>(),
            timeout: command.timeout(),
            address: 0,
            data: 0,
            metadata: 0,
            capacity: 0,
            registered: Registered::NONE,
            token,
        }
    }
}

/// Why a command is not queued, where no entry could be made.
enum Why {
    Queue,
    /// How many there is room for.
    Room(u32),
    Format(Error),
    Length(LengthMismatch),
}

/// The same of one that has an entry.
enum Refused {
    ReadOnly,
    TooLarge,
    Ioctl,
    Timeout,
    Kernel(io::Error),
}

impl NvmeRing {
    /// Checks a command and makes its entry, and queues it if `SEND`. The memory
    /// comes back if that fails. Without `SEND` the formats of its target are held
    /// until that is settled.
    ///
    /// # Safety
    /// `address` and `data`, and what `memory` names beside, are memory that
    /// `memory` owns, or a group. An entry that `make` gives moves at most
    /// `data` bytes there, in the direction of its opcode, and the rest as
    /// `memory` names it, by the format that it is given.
    #[inline(always)]
    pub(super) unsafe fn queue<const SEND: bool, M: Memory>(
        &mut self,
        order: &Order,
        make: impl FnOnce(Lengths) -> Result<Sqe, LengthMismatch>,
        memory: M,
    ) -> Result<(), (Box<Error>, M)> {
        let Order { target, name, .. } = *order;
        let state = match self.targets.get_mut(target.index as usize) {
            Some(state) if target.ring == self.id => state,
            _ => return Err((foreign(), memory)),
        };
        if order.queue.is_some_and(|queue| queue != state.queue()) {
            return Err((not_made(state, name, Why::Queue), memory));
        }
        let Some(mut vacant) = self.flights.vacant() else {
            return Err((not_made(state, name, Why::Room(self.depth)), memory));
        };
        state.hold();
        if order.by_format && !state.knows_format() {
            if let Err(error) = state.ask() {
                return Err((not_made(state, name, Why::Format(error)), memory));
            }
        }
        let format = match order.by_format {
            true => state.format,
            false => None,
        };
        // Of commands on blocks both are the buffer's.
        if !order.by_format && order.data > order.capacity {
            let (len, min) = (order.capacity, order.data);
            let mismatch = LengthMismatch::TooShort { len, min };
            return Err((not_made(state, name, Why::Length(mismatch)), memory));
        }
        let made = make(Lengths {
            data: order.data,
            metadata: order.metadata,
            format,
        });
        let mut sqe = match made {
            Ok(sqe) => sqe,
            Err(mismatch) => {
                return Err((not_made(state, name, Why::Length(mismatch)), memory));
            }
        };
        // What it was found to be, above.
        let queue = match order.queue {
            Some(queue) => queue,
            None => state.queue(),
        };
        let op = match queue {
            Queue::Io => {
                sqe.nsid = state.nsid;
                NVME_URING_CMD_IO
            }
            Queue::Admin => NVME_URING_CMD_ADMIN,
        };
        let refuse = |state: &mut State, fault| refused(state, order.data, name, sqe, fault);
        if state.read_only && !is_read_only(queue, &sqe) {
            return Err((refuse(state, Refused::ReadOnly), memory));
        }
        if order.data > state.limit {
            return Err((refuse(state, Refused::TooLarge), memory));
        }
        if queue == Queue::Admin && needs_ioctl(sqe.opcode) {
            return Err((refuse(state, Refused::Ioctl), memory));
        }
        let mut timeout_ms = state.timeout_ms;
        if let Some(timeout) = order.timeout {
            match whole_milliseconds(timeout) {
                Some(whole) => {
                    timeout_ms = whole;
                    self.slowest_ms = self.slowest_ms.max(whole);
                }
                None => return Err((refuse(state, Refused::Timeout), memory)),
            }
        }
        if !SEND {
            return Ok(());
        }
        // `data` is at most the limit, which is at most MAX_LEN.
        #[allow(clippy::cast_possible_truncation)]
        let len = order.data as u32;
        let words = Words::of(&sqe);
        let flight = vacant.value();
        flight.token = order.token;
        flight.words = words;
        flight.name = name;
        flight.target = target.index;
        flight.len = len;
        let mut transfer = Transfer {
            op,
            address: order.address,
            len,
            // Linux 6.1 counts all pages of a registered part as those of the command.
            registered: match order.capacity > state.limit {
                true => Registered::NONE,
                false => order.registered,
            },
            metadata: 0,
            metadata_len: 0,
            timeout_ms,
        };
        memory.name(&mut transfer);
        let (head, user_data) = (state.head, u64::from(vacant.number()));
        // SAFETY: the memory is `memory`'s, which goes into the slot `vacant` below;
        // nothing in between can fail. It is taken out of there by `finish` alone,
        // for the completion with this number: until then the slot is taken, so no
        // other command gets it. What owns memory gives nothing of it away meanwhile,
        // nor does a group, and moving it does not move the memory. That the command
        // moves no more is what this function asks of its caller. If this ring is
        // forgotten, so is `flights`; `drop` waits for all completions, or forgets it.
        if !unsafe { self.uring.push(head, &words, &transfer, user_data) } {
            if let Err(error) = self.uring.make_room(1) {
                return Err((refuse(state, Refused::Kernel(error)), memory));
            }
            // SAFETY: as above; the first one was not queued.
            if !unsafe { self.uring.push(head, &words, &transfer, user_data) } {
                let error = io::Error::from_raw_os_error(libc::EBUSY);
                return Err((refuse(state, Refused::Kernel(error)), memory));
            }
        }
        state.began();
        memory.keep(vacant.take());
        Ok(())
    }
}

#[cold]
fn foreign() -> Box<Error> {
    Box::new(super::foreign())
}

#[cold]
fn not_made(state: &mut State, name: &'static str, why: Why) -> Box<Error> {
    state.settle();
    let kind = match why {
        Why::Queue => NvmeErrorKind::Unsupported {
            what: match state.queue() {
                Queue::Io => {
                    "by io_uring a namespace's node takes I/O commands only: add the \
                     controller, /dev/nvmeX, for admin commands"
                }
                Queue::Admin => {
                    "a controller takes admin commands only: add a namespace, /dev/ngXnY, for \
                     I/O commands"
                }
            },
        },
        Why::Room(depth) => NvmeErrorKind::QueueFull { depth },
        Why::Length(mismatch) => NvmeErrorKind::Length(mismatch),
        Why::Format(error) => return Box::new(error),
    };
    error(state, name, None, kind)
}

#[cold]
fn refused(
    state: &mut State,
    len: usize,
    name: &'static str,
    sqe: Sqe,
    fault: Refused,
) -> Box<Error> {
    state.settle();
    let kind = match fault {
        Refused::ReadOnly => NvmeErrorKind::ReadOnly,
        Refused::TooLarge => NvmeErrorKind::TooLarge {
            len,
            limit: Some(state.limit),
            source: None,
        },
        Refused::Ioctl => NvmeErrorKind::Unsupported {
            what: "it may change namespaces or firmware, which the driver looks after only on \
                   the way by ioctl: send it through an NvmeController",
        },
        Refused::Timeout => NvmeErrorKind::Unsupported {
            what: "a timeout is 1 ms to 49 days",
        },
        Refused::Kernel(source) => NvmeErrorKind::NotQueued { source },
    };
    error(state, name, Some(sqe), kind)
}

/// An error for a command that was not sent.
pub(super) fn error(
    state: &State,
    name: &'static str,
    sqe: Option<Sqe>,
    kind: NvmeErrorKind,
) -> Box<Error> {
    let error = NvmeError::new(state.path(), state.queue(), name, sqe, kind);
    Box::new(error.into())
}

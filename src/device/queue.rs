//! Several commands in flight from one thread.

use std::{
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd},
    time::Duration,
};

use super::{SgDevice, core::Lost, sg::MAX_IN_FLIGHT};
use crate::{
    AlignedBuf, Data, Error, Outcome, Result, ScsiTransport,
    scsi::{Cdb, Command, DataIn, DataOut, NoData},
    syscall::{self, Completed, Direction, InFlight, Params, Refused, Slot, Waiting},
    transport::{cdb_of, failure_of},
};

/// Up to [`MAX_IN_FLIGHT`] commands in flight on one sg node, sent and completed
/// by one thread.
///
/// A command takes its buffer with it and its completion gives it back, so that
/// nobody can touch it meanwhile. Commands reach the device in the order in
/// which they were submitted; they complete in the order in which the device
/// ends them.
///
/// ```no_run
/// use passthru::{AlignedBuf, SgDevice, device::SgQueue, scsi::Read16};
///
/// let mut queue = SgQueue::new(SgDevice::open("/dev/sg0")?);
/// let mut lba = 0;
/// while lba < 8192 || queue.in_flight() > 0 {
///     if lba < 8192 && !queue.is_full() {
///         let buffer = AlignedBuf::new(64 << 10).expect("memory");
///         queue.submit_read(&Read16::new(lba, 128), buffer)?;
///         lba += 128;
///     } else if let Some(completion) = queue.complete()? {
///         queue.check(&completion)?;
///         println!("{} bytes", completion.outcome.transferred());
///     }
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
///
#[doc = include_str!("event_loop.md")]
///
/// # Dropping it
///
/// waits for the commands in flight, which is bounded by their timeouts.
/// Forgetting it leaks their memory.
#[derive(Debug)]
pub struct SgQueue {
    device: SgDevice,
    entries: [Option<InFlight>; MAX_IN_FLIGHT],
    sent: [Option<Sent>; MAX_IN_FLIGHT],
    // Boxed, for a slot in flight must not move.
    #[allow(clippy::vec_box)]
    free: Vec<Box<Slot>>,
    tickets: u64,
}

/// What is known of a command in flight.
#[derive(Clone, Copy, Debug)]
struct Sent {
    ticket: Ticket,
    cdb: Cdb,
}

/// A name for a command that was submitted to a queue; no other of that queue
/// ever has the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(u64);

/// A command that has ended.
#[derive(Debug)]
#[must_use]
pub struct Completion {
    /// Which one it is.
    pub ticket: Ticket,
    /// Its CDB.
    pub cdb: Cdb,
    /// What became of it.
    pub outcome: Outcome,
    /// Its buffer; one without memory for a command without data.
    pub buffer: AlignedBuf,
}

/// A command that was not submitted, with its buffer.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Rejected {
    /// Why not. [`Error::QueueFull`] when [`MAX_IN_FLIGHT`] are in flight.
    #[source]
    pub error: Error,
    /// Its buffer.
    pub buffer: AlignedBuf,
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        rejected.error
    }
}

impl SgQueue {
    /// A queue on an open node.
    #[must_use]
    pub fn new(device: SgDevice) -> Self {
        Self {
            device,
            entries: [const { None }; MAX_IN_FLIGHT],
            sent: [None; MAX_IN_FLIGHT],
            free: (0..MAX_IN_FLIGHT).map(|_| Slot::new()).collect(),
            tickets: 0,
        }
    }

    /// How many commands are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.entries.iter().flatten().count()
    }

    /// Whether no more can be submitted before one completes.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.in_flight() == MAX_IN_FLIGHT
    }

    /// The device, for commands that are waited for. They count among those in
    /// flight, so while the queue is full they are [`Error::QueueFull`].
    #[must_use]
    pub const fn device(&self) -> &SgDevice {
        &self.device
    }

    /// Sends a command without data.
    ///
    /// # Errors
    /// [`Rejected`] with the [`Error`]s that
    /// [`send`](crate::ScsiTransport::send) gives for commands that were not
    /// sent.
    pub fn submit<C: NoData>(&mut self, command: &C) -> Result<Ticket, Rejected> {
        self.send(command, Direction::None, AlignedBuf::empty())
    }

    /// Sends a data-in command that fills all of `buffer`.
    ///
    /// # Errors
    /// As [`submit`](Self::submit); the buffer comes back.
    pub fn submit_read<C: DataIn>(
        &mut self,
        command: &C,
        buffer: AlignedBuf,
    ) -> Result<Ticket, Rejected> {
        self.send(command, Direction::In, buffer)
    }

    /// Sends a data-out command with all of `buffer`.
    ///
    /// # Errors
    /// As [`submit`](Self::submit); the buffer comes back.
    pub fn submit_write<C: DataOut>(
        &mut self,
        command: &C,
        buffer: AlignedBuf,
    ) -> Result<Ticket, Rejected> {
        self.send(command, Direction::Out, buffer)
    }

    /// The next command that ends, waiting for it; `None` if none is in flight.
    ///
    /// # Errors
    /// [`Error::CredentialsChanged`], [`Error::Gone`], [`Error::Os`] when no
    /// result can be read; [`Error::Unsupported`] once a call on
    /// [`device`](Self::device) has failed so, because any result may then be
    /// that call's. The commands stay in flight.
    pub fn complete(&mut self) -> Result<Option<Completion>> {
        // The result of a call that could not read it lies in the kernel with the
        // addresses of memory that the call has given back; reading any result
        // could read that one.
        self.device.check_lost()?;
        while self.in_flight() > 0 {
            match syscall::sg_receive(self.device.core.fd(), &mut self.entries) {
                Ok(Some((index, completed))) => return Ok(self.finish(index, completed)),
                // The result of somebody who shares the descriptor.
                Ok(None) => {}
                Err(source) => return Err(self.unread(source)),
            }
        }
        Ok(None)
    }

    /// A command that has ended, without waiting for one.
    ///
    /// # Errors
    /// As [`complete`](Self::complete).
    pub fn try_complete(&mut self) -> Result<Option<Completion>> {
        if self.in_flight() == 0 {
            return Ok(None);
        }
        match syscall::poll_result(self.device.core.fd(), Duration::ZERO) {
            Ok(Waiting::Nothing) => Ok(None),
            Ok(Waiting::HangUp) if self.kernel_has_ours() => Ok(None),
            // Does not wait: there is a result, or none will ever come.
            Ok(Waiting::Result | Waiting::HangUp) => self.complete(),
            Err(source) => Err(self.unread(source)),
        }
    }

    /// What a completion amounts to, as the calls of
    /// [`ScsiTransportExt`](crate::ScsiTransportExt) would say it.
    ///
    /// # Errors
    /// [`Error::Check`], [`Error::Status`], [`Error::Transport`] by the outcome.
    pub fn check(&self, completion: &Completion) -> Result<()> {
        let outcome = completion.outcome;
        if outcome.verdict().is_success() {
            return Ok(());
        }
        Err(failure_of(&self.device, &completion.cdb, &outcome).into())
    }

    fn send<C: Command>(
        &mut self,
        command: &C,
        direction: Direction,
        buffer: AlignedBuf,
    ) -> Result<Ticket, Rejected> {
        match self.prepare(command, direction, &buffer) {
            Ok((cdb, params, index)) => {
                let slot = self.free.pop().unwrap_or_else(Slot::new);
                self.submit_prepared(index, slot, cdb, (direction, buffer), params)
            }
            Err(error) => Err(Rejected { error, buffer }),
        }
    }

    /// Everything that can be checked, and a place among those in flight.
    fn prepare<C: Command>(
        &self,
        command: &C,
        direction: Direction,
        buffer: &AlignedBuf,
    ) -> Result<(Cdb, Params, usize)> {
        let cdb = cdb_of(&self.device, command, buffer.len())?;
        let options = self.device.default_options().or_own(command.timeout());
        let data = match direction {
            Direction::None => Data::None,
            Direction::In | Direction::Out => Data::Out(buffer),
        };
        let params = self.device.core.admit(&cdb, &data, &options)?;
        let index = self.entries.iter().position(Option::is_none);
        match index {
            Some(index) if self.device.try_enter()? => Ok((cdb, params, index)),
            _ => Err(self.device.full(&cdb)),
        }
    }

    fn submit_prepared(
        &mut self,
        index: usize,
        slot: Box<Slot>,
        cdb: Cdb,
        (direction, buffer): (Direction, AlignedBuf),
        params: Params,
    ) -> Result<Ticket, Rejected> {
        let len = buffer.len();
        let pack_id = self.device.next_pack_id();
        let fd = self.device.core.fd();
        match syscall::sg_submit(fd, pack_id, slot, &cdb, (direction, buffer), params) {
            Ok(in_flight) => {
                let ticket = Ticket(self.tickets);
                self.tickets += 1;
                if let (Some(entry), Some(sent)) =
                    (self.entries.get_mut(index), self.sent.get_mut(index))
                {
                    *entry = Some(in_flight);
                    *sent = Some(Sent { ticket, cdb });
                }
                Ok(ticket)
            }
            Err(Refused {
                slot,
                buffer,
                source,
            }) => {
                self.free.push(slot);
                self.device.leave();
                let lost = Lost {
                    sent: false,
                    source,
                };
                Err(Rejected {
                    error: self.device.core.send_error("write", &cdb, len, lost),
                    buffer,
                })
            }
        }
    }

    fn finish(&mut self, index: usize, completed: Completed) -> Option<Completion> {
        self.device.leave();
        self.free.push(completed.slot);
        let sent = self.sent.get_mut(index)?.take()?;
        Some(Completion {
            ticket: sent.ticket,
            cdb: sent.cdb,
            outcome: completed.outcome,
            buffer: completed.buffer,
        })
    }

    fn unread(&self, source: io::Error) -> Error {
        let cdb = self.sent.iter().flatten().next().map(|sent| sent.cdb);
        let lost = Lost { sent: true, source };
        match cdb {
            Some(cdb) => self.device.core.send_error("read", &cdb, 0, lost),
            None => self
                .device
                .core
                .control_error("read", "an sg node", lost.source),
        }
    }

    /// Reads all results, as long as there are any to come.
    fn drain(&mut self) {
        while self.in_flight() > 0 {
            match syscall::poll_result(self.device.core.fd(), Duration::from_secs(1)) {
                Ok(Waiting::Nothing) if self.kernel_has_ours() => {}
                Ok(Waiting::Result | Waiting::HangUp) if self.complete().is_ok() => {}
                // What is left is leaked.
                _ => return,
            }
        }
    }

    /// Whether one of the commands in flight is known to the kernel: somebody
    /// who shares the descriptor may have read its result.
    fn kernel_has_ours(&self) -> bool {
        self.device.requests().is_ok_and(|requests| {
            let mut ours = self.entries.iter().flatten().map(InFlight::pack_id);
            ours.any(|id| requests.iter().any(|request| request.pack_id == id))
        })
    }
}

impl Drop for SgQueue {
    fn drop(&mut self) {
        self.drain();
    }
}

impl AsFd for SgQueue {
    /// For `poll`, `epoll` and the like: readable when a command has ended.
    /// Reading from it takes a result away, and then its buffer is never given
    /// back.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.core.fd()
    }
}

impl AsRawFd for SgQueue {
    /// As [`as_fd`](AsFd::as_fd), for event loops that take a number, such as
    /// tokio's `AsyncFd`. It is the same as long as the queue lives.
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

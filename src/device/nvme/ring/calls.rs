//! Queueing commands.

#![allow(unsafe_code)]

use std::time::Duration;

use super::{
    MAX_LEN, NvmeRing, RingBuf, RingRejected, Target,
    flight::{Held, Launch, Unqueued, refusal},
    foreign,
    ioctl_only::needs_ioctl,
};
use crate::{
    Error, NvmeErrorKind, Result,
    nvme::{
        Command, DataIn, DataOut, LengthMismatch, Lengths, NoData, Queue, Sqe, WithData,
        is_read_only,
    },
    transport::whole_milliseconds,
};

/// The most pieces of a vectored transfer (`UIO_MAXIOV`).
const MAX_PIECES: usize = 1024;

impl NvmeRing {
    /// Queues a command that moves no data.
    ///
    /// # Errors
    /// [`Error::Nvme`] for what is known before it is sent:
    /// [`NvmeErrorKind::QueueFull`], [`NvmeErrorKind::ReadOnly`],
    /// [`NvmeErrorKind::Unsupported`] for an admin command to a namespace, an I/O
    /// command to a controller, and a command that needs the ioctl (Format NVM,
    /// Sanitize, namespace management, Firmware Commit). [`Error::Ring`] for a
    /// target of another ring.
    pub fn execute<C: NoData>(&mut self, target: Target, command: &C, token: u64) -> Result<()> {
        let (sqe, timeout_ms) = self.check(target, command, 0, 0)?;
        let launch = Launch {
            token,
            ..without_data::<C>(sqe, timeout_ms)
        };
        // SAFETY: the command moves nothing: `Command::sqe` for lengths of 0.
        let launched = unsafe { self.launch(target, launch) };
        launched.map_err(|(error, ..)| *error)
    }

    /// Queues a data-in command that fills `buffer`: one of the ring's
    /// ([`buffer`](Self::buffer)), or an [`AlignedBuf`](crate::AlignedBuf).
    ///
    /// The buffer's length is what the command moves. A command other than those
    /// on blocks may move a whole page whatever its length is, for which there
    /// has to be room ([`RingBuf::capacity`]).
    ///
    /// # Errors
    /// As [`execute`](Self::execute), with the buffer;
    /// [`NvmeErrorKind::Length`] for one that does not fit the command,
    /// [`NvmeErrorKind::TooLarge`].
    #[inline]
    pub fn read<C: DataIn>(
        &mut self,
        target: Target,
        command: &C,
        buffer: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.moving(target, command, buffer.into(), token)
    }

    /// Queues a data-out command with all of `buffer`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    #[inline]
    pub fn write<C: DataOut>(
        &mut self,
        target: Target,
        command: &C,
        buffer: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.moving(target, command, buffer.into(), token)
    }

    /// Queues a data-out command with the data that it holds, such as the ranges
    /// of a Dataset Management, which are copied to `buffer`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn send<C: WithData>(
        &mut self,
        target: Target,
        command: &C,
        buffer: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        let mut buffer = buffer.into();
        let data = command.data();
        buffer.set_len(data.len());
        if let Some(begin) = buffer.get_mut(..data.len()) {
            begin.copy_from_slice(&data);
        }
        self.moving(target, command, buffer, token)
    }

    #[inline(always)]
    fn moving<C: Command>(
        &mut self,
        target: Target,
        command: &C,
        buffer: RingBuf,
        token: u64,
    ) -> Result<(), RingRejected> {
        let len = moved(command, buffer.len());
        let (sqe, timeout_ms) = match self.check_with(target, command, len, buffer.capacity()) {
            Ok(checked) => checked,
            Err(error) => return Err(rejected(error, Some(buffer))),
        };
        let launch = Launch {
            address: buffer.address(),
            len,
            piece: buffer.piece(self.uring.pool()),
            memory: Held::One(buffer),
            token,
            ..without_data::<C>(sqe, timeout_ms)
        };
        // SAFETY: `len` bytes from `address` on are the buffer's, which goes along,
        // and what the command moves: `Command::sqe` made its entry for this
        // length, in the direction that the callers' bounds say, by the format that
        // the target holds.
        match unsafe { self.launch(target, launch) } {
            Ok(()) => Ok(()),
            Err(unqueued) => Err(returned(unqueued)),
        }
    }

    /// Queues a data-in command on blocks whose separate metadata goes to
    /// `metadata`.
    ///
    /// # Errors
    /// As [`read`](Self::read); [`NvmeErrorKind::Unsupported`] for a command that
    /// does not move blocks.
    pub fn read_with_metadata<C: DataIn>(
        &mut self,
        target: Target,
        command: &C,
        buffer: impl Into<RingBuf>,
        metadata: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.with_metadata(target, command, buffer.into(), metadata.into(), token)
    }

    /// Queues a data-out command on blocks with separate metadata.
    ///
    /// # Errors
    /// As [`read_with_metadata`](Self::read_with_metadata).
    pub fn write_with_metadata<C: DataOut>(
        &mut self,
        target: Target,
        command: &C,
        buffer: impl Into<RingBuf>,
        metadata: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.with_metadata(target, command, buffer.into(), metadata.into(), token)
    }

    fn with_metadata<C: Command>(
        &mut self,
        target: Target,
        command: &C,
        buffer: RingBuf,
        metadata: RingBuf,
        token: u64,
    ) -> Result<(), RingRejected> {
        let checked = self
            .on_blocks::<C>(target)
            .and_then(|()| self.check(target, command, buffer.len(), metadata.len()));
        let (sqe, timeout_ms) = match checked {
            Ok(checked) => checked,
            Err(error) => {
                return Err(RingRejected {
                    metadata: Some(metadata),
                    ..rejected(error, Some(buffer))
                });
            }
        };
        let mut extra = self.spare.pop().unwrap_or_default();
        extra.metadata = Some(metadata);
        let launch = Launch {
            address: buffer.address(),
            len: buffer.len(),
            piece: buffer.piece(self.uring.pool()),
            memory: Held::One(buffer),
            extra: Some(extra),
            token,
            ..without_data::<C>(sqe, timeout_ms)
        };
        // SAFETY: as in `moving`, and the metadata's length was checked with it.
        unsafe { self.launch(target, launch) }.map_err(returned)
    }

    /// Queues a data-in command whose blocks go to several buffers, at most 1024,
    /// one after the other. They come back in
    /// [`Completed::buffers`](super::Completed::buffers). This allocates.
    ///
    /// # Errors
    /// As [`read_with_metadata`](Self::read_with_metadata);
    /// [`NvmeErrorKind::Unsupported`] for registered buffers, which Linux before
    /// 6.15 does not take there (and 6.1 loses a request each time).
    #[doc(alias = "NVME_URING_CMD_IO_VEC")]
    pub fn read_vectored<C: DataIn>(
        &mut self,
        target: Target,
        command: &C,
        buffers: Vec<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.vectored(target, command, buffers, token)
    }

    /// Queues a data-out command with the blocks of several buffers.
    ///
    /// # Errors
    /// As [`read_vectored`](Self::read_vectored).
    #[doc(alias = "NVME_URING_CMD_IO_VEC")]
    pub fn write_vectored<C: DataOut>(
        &mut self,
        target: Target,
        command: &C,
        buffers: Vec<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        self.vectored(target, command, buffers, token)
    }

    fn vectored<C: Command>(
        &mut self,
        target: Target,
        command: &C,
        mut buffers: Vec<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        let len = buffers
            .iter()
            .fold(0_usize, |sum, buffer| sum.saturating_add(buffer.len()));
        let unsupported = |what| NvmeErrorKind::Unsupported { what };
        let mut refused = None;
        if buffers.iter().any(RingBuf::is_registered) {
            refused = Some(unsupported(
                "registered buffers cannot be used together in one command before Linux 6.15: \
                 use `AlignedBuf`s, or one registered buffer",
            ));
        } else if buffers.len() > MAX_PIECES {
            refused = Some(unsupported("a vectored transfer has at most 1024 buffers"));
        }
        let checked = match refused {
            Some(kind) => Err(self.refuse::<C>(target, None, kind)),
            None => self
                .on_blocks::<C>(target)
                .and_then(|()| self.check(target, command, len, 0)),
        };
        let (sqe, timeout_ms) = match checked {
            Ok(checked) => checked,
            Err(error) => {
                return Err(RingRejected {
                    buffers: Some(buffers),
                    ..rejected(error, None)
                });
            }
        };
        let mut extra = self.spare.pop().unwrap_or_default();
        extra.iovecs.extend(
            buffers
                .iter_mut()
                .filter(|buffer| !buffer.is_empty())
                .map(|buffer| libc::iovec {
                    iov_base: buffer.as_mut_ptr().cast(),
                    iov_len: buffer.len(),
                }),
        );
        extra.buffers = buffers;
        let launch = Launch {
            len,
            extra: Some(extra),
            token,
            ..without_data::<C>(sqe, timeout_ms)
        };
        // SAFETY: as in `moving`; `launch` takes the iovecs instead of an address,
        // whose array and buffers are in `extra`, and which are not empty since no
        // command on blocks moves 0 bytes.
        unsafe { self.launch(target, launch) }.map_err(returned)
    }

    /// Queues one buffer to be written to several targets, or by several
    /// commands: all of them, or none. Each has a completion of its own; the last
    /// one has the buffer.
    ///
    /// ```no_run
    /// # use passthru::{AlignedBuf, NvmeNamespace, NvmeRing, nvme::io::Write};
    /// let mut ring = NvmeRing::builder().build()?;
    /// let one = ring.add_namespace(NvmeNamespace::open_rw("/dev/ng0n1")?)?;
    /// let other = ring.add_namespace(NvmeNamespace::open_rw("/dev/ng1n1")?)?;
    /// let buffer = AlignedBuf::new(4096).expect("memory");
    /// ring.write_to_all(&[(one, Write::new(0, 8)), (other, Write::new(64, 8))], buffer, 7)?;
    /// while let Some(done) = ring.complete()? {
    ///     done.result?;
    /// }
    /// # Ok::<(), passthru::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`write`](Self::write); [`Error::Ring`] for more commands than fit
    /// between two submissions ([`batch`](super::NvmeRingBuilder::batch)).
    pub fn write_to_all<C: DataOut>(
        &mut self,
        commands: &[(Target, C)],
        buffer: impl Into<RingBuf>,
        token: u64,
    ) -> Result<(), RingRejected> {
        let buffer = buffer.into();
        let len = buffer.len();
        if let Err(error) = self.check_all(commands, &buffer) {
            self.settle();
            return Err(rejected(error, Some(buffer)));
        }
        let (address, piece) = (buffer.address(), buffer.piece(self.uring.pool()));
        let Some((number, group)) = self.groups.vacant() else {
            return Err(rejected(no_room(), Some(buffer)));
        };
        (group.left, group.buffer) = (0, Some(buffer));
        self.groups.take();
        let mut failed = None;
        for (target, command) in commands {
            let len = moved(command, len);
            let launched = match self.check(*target, command, len, 0) {
                Ok((sqe, timeout_ms)) => {
                    let launch = Launch {
                        address,
                        len,
                        piece,
                        memory: Held::Shared(number),
                        token,
                        ..without_data::<C>(sqe, timeout_ms)
                    };
                    // SAFETY: as in `moving`; the buffer stays in the group until the
                    // last of its commands has ended, and data-out commands only read
                    // it.
                    unsafe { self.launch(*target, launch) }.map_err(|(error, ..)| *error)
                }
                Err(error) => Err(error),
            };
            match (launched, self.groups.get_mut(number)) {
                (Ok(()), Some(group)) => group.left += 1,
                (Err(error), _) => {
                    failed = Some(error);
                    break;
                }
                (Ok(()), None) => {}
            }
        }
        let Some(error) = failed else { return Ok(()) };
        self.settle();
        // All was checked, so this is the kernel's doing. What is queued keeps the
        // buffer.
        let buffer = match self.groups.get_mut(number) {
            Some(group) if group.left == 0 => {
                let buffer = group.buffer.take();
                self.groups.free(number);
                buffer
            }
            _ => None,
        };
        Err(rejected(error, buffer))
    }

    /// Lets go of the formats that were held for commands which are not queued
    /// after all.
    #[cold]
    fn settle(&mut self) {
        for state in &mut self.targets {
            state.settle();
        }
    }

    /// Whether all of them can be queued. If so, the formats of all are held.
    fn check_all<C: DataOut>(&mut self, commands: &[(Target, C)], buffer: &RingBuf) -> Result<()> {
        let none = |what| Error::Ring { what, source: None };
        if commands.is_empty() {
            return Err(none("no target was given to write to"));
        }
        if commands.len() > self.uring.entries() as usize {
            return Err(none(
                "more targets than fit between two submissions: raise the ring's `batch`",
            ));
        }
        if commands.len() > self.flights.room() {
            let kind = NvmeErrorKind::QueueFull { depth: self.depth };
            let first = commands.first().map(|(target, _)| *target);
            return Err(first.map_or_else(foreign, |target| self.refuse::<C>(target, None, kind)));
        }
        for (target, command) in commands {
            let len = moved(command, buffer.len());
            self.check_with(*target, command, len, buffer.capacity())?;
        }
        if self.uring.room() < commands.len() {
            self.uring
                .make_room(commands.len())
                .map_err(super::not_entered)?;
        }
        Ok(())
    }

    /// Queues any command; an I/O command's `nsid` is replaced by the
    /// namespace's own. The direction is what the opcode says.
    ///
    /// # Errors
    /// As [`read`](Self::read), but a buffer's length is not checked.
    ///
    /// # Safety
    /// Nobody checks what the command moves. The caller promises that it moves no
    /// more bytes than `buffer` and `metadata` have
    /// ([`capacity`](RingBuf::capacity) may be more than their length, which is
    /// what the kernel is told), by the command set and the format that the
    /// namespace has when the command reaches it; that a command which moves data
    /// has a buffer; that the controller keeps no address beyond the command's end
    /// (not Create I/O Queue, Asynchronous Event Request, Doorbell Buffer Config,
    /// Set Features with a host memory buffer); and that it changes no format of a
    /// namespace that this process has open.
    pub unsafe fn submit_raw(
        &mut self,
        target: Target,
        sqe: &Sqe,
        buffer: Option<RingBuf>,
        metadata: Option<RingBuf>,
        timeout: Option<Duration>,
        token: u64,
    ) -> Result<(), RingRejected> {
        const NAME: &str = "a raw command";
        let len = buffer.as_ref().map_or(0, |buffer| buffer.len());
        let (sqe, timeout_ms) = match self.check_entry(target, *sqe, len, timeout, NAME) {
            Ok(checked) => checked,
            Err(error) => {
                return Err(RingRejected {
                    metadata,
                    ..rejected(error, buffer)
                });
            }
        };
        let mut launch = Launch {
            name: NAME,
            len,
            token,
            ..without_data::<()>(sqe, timeout_ms)
        };
        if let Some(buffer) = buffer {
            launch.address = buffer.address();
            launch.piece = buffer.piece(self.uring.pool());
            launch.memory = Held::One(buffer);
        }
        if metadata.is_some() {
            let mut extra = self.spare.pop().unwrap_or_default();
            extra.metadata = metadata;
            launch.extra = Some(extra);
        }
        // SAFETY: the memory goes along; that the command moves no more than that
        // is what this function asks of its caller.
        unsafe { self.launch(target, launch) }.map_err(returned)
    }

    /// The same for a buffer that may have less room than the command moves.
    #[inline(always)]
    fn check_with<C: Command>(
        &mut self,
        target: Target,
        command: &C,
        len: usize,
        capacity: usize,
    ) -> Result<(Sqe, u32)> {
        if len > capacity {
            let mismatch = LengthMismatch::TooShort {
                len: capacity,
                min: len,
            };
            return Err(self.refuse::<C>(target, None, NvmeErrorKind::Length(mismatch)));
        }
        self.check(target, command, len, 0)
    }

    /// Checks a command against its buffers' lengths and makes its entry.
    #[inline]
    fn check<C: Command>(
        &mut self,
        target: Target,
        command: &C,
        data: usize,
        metadata: usize,
    ) -> Result<(Sqe, u32)> {
        let name = std::any::type_name::<C>();
        let state = match self.targets.get_mut(target.index as usize) {
            Some(state) if target.ring == self.id => state,
            _ => return Err(foreign()),
        };
        if C::QUEUE != state.queue() {
            return Err(self.wrong_queue(target, name, None));
        }
        state.hold();
        let format = match C::BY_FORMAT {
            true => state.format().inspect_err(|_| state.settle())?,
            false => None,
        };
        let made = command.sqe(Lengths {
            data,
            metadata,
            format,
        });
        match made {
            Ok(sqe) => self.check_entry(target, sqe, data, command.timeout(), name),
            Err(mismatch) => {
                state.settle();
                Err(self.refuse::<C>(target, None, NvmeErrorKind::Length(mismatch)))
            }
        }
    }

    /// What is checked of every command.
    #[inline]
    fn check_entry(
        &mut self,
        target: Target,
        mut sqe: Sqe,
        len: usize,
        timeout: Option<Duration>,
        name: &'static str,
    ) -> Result<(Sqe, u32)> {
        let full = self.flights.room() == 0;
        let state = match self.targets.get_mut(target.index as usize) {
            Some(state) if target.ring == self.id => state,
            _ => return Err(foreign()),
        };
        let queue = state.queue();
        let mut refused = None;
        if full {
            refused = Some(NvmeErrorKind::QueueFull { depth: self.depth });
        } else if state.read_only && !is_read_only(queue, &sqe) {
            refused = Some(NvmeErrorKind::ReadOnly);
        } else if len > state.limit {
            refused = Some(NvmeErrorKind::TooLarge {
                len,
                limit: Some(state.limit.min(MAX_LEN)),
                source: None,
            });
        }
        match queue {
            Queue::Io => {
                state.hold();
                sqe.nsid = state.nsid;
            }
            Queue::Admin if needs_ioctl(&sqe) => {
                refused = refused.or(Some(NvmeErrorKind::Unsupported {
                    what: "it may change namespaces or firmware, which the driver looks after \
                           only on the way by ioctl: send it through an NvmeController",
                }));
            }
            Queue::Admin => {}
        }
        let mut timeout_ms = state.timeout_ms;
        if let Some(timeout) = timeout {
            match whole_milliseconds(timeout) {
                Some(whole) => timeout_ms = whole,
                None => {
                    refused = refused.or(Some(NvmeErrorKind::Unsupported {
                        what: "a timeout is 1 ms to 49 days",
                    }));
                }
            }
        }
        match refused {
            None => Ok((sqe, timeout_ms)),
            Some(kind) => {
                state.settle();
                Err(refusal(state, name, Some(sqe), kind))
            }
        }
    }

    /// Only commands on blocks move what is not one buffer.
    fn on_blocks<C: Command>(&self, target: Target) -> Result<()> {
        if C::BY_FORMAT {
            return Ok(());
        }
        let kind = NvmeErrorKind::Unsupported {
            what: "metadata and several buffers are for commands that move blocks: queue this \
                   one by `read` or `write`",
        };
        Err(self.refuse::<C>(target, None, kind))
    }

    #[cold]
    fn wrong_queue(&self, target: Target, name: &'static str, sqe: Option<Sqe>) -> Error {
        let Some(state) = self.targets.get(target.index as usize) else {
            return foreign();
        };
        let what = match state.queue() {
            Queue::Io => {
                "by io_uring a namespace's node takes I/O commands only: add the controller, \
                 /dev/nvmeX, for admin commands"
            }
            Queue::Admin => {
                "a controller takes admin commands only: add a namespace, /dev/ngXnY, for I/O \
                 commands"
            }
        };
        refusal(state, name, sqe, NvmeErrorKind::Unsupported { what })
    }

    #[cold]
    fn refuse<C: Command>(&self, target: Target, sqe: Option<Sqe>, kind: NvmeErrorKind) -> Error {
        match self.targets.get(target.index as usize) {
            Some(state) if target.ring == self.id => {
                refusal(state, std::any::type_name::<C>(), sqe, kind)
            }
            _ => foreign(),
        }
    }
}

#[cold]
fn no_room() -> Error {
    Error::Ring {
        what: "as many commands are in flight as the ring was made for",
        source: None,
    }
}

#[cold]
fn rejected(error: Error, buffer: Option<RingBuf>) -> RingRejected {
    RingRejected {
        error: Box::new(error),
        buffer,
        metadata: None,
        buffers: None,
    }
}

/// A command without its data and token.
#[inline(always)]
fn without_data<C>(sqe: Sqe, timeout_ms: u32) -> Launch {
    Launch {
        sqe,
        timeout_ms,
        name: std::any::type_name::<C>(),
        address: 0,
        len: 0,
        piece: None,
        memory: Held::None,
        extra: None,
        token: 0,
    }
}

/// How many bytes a command moves, or has to have room for, whose buffer has
/// `len`.
#[inline(always)]
fn moved<C: Command>(command: &C, len: usize) -> usize {
    match C::BY_FORMAT {
        true => len,
        false => command.buffer_len(len),
    }
}

#[cold]
fn returned((error, held, extra): Unqueued) -> RingRejected {
    let buffer = match held {
        Held::One(buffer) => Some(buffer),
        Held::None | Held::Shared(_) => None,
    };
    let mut back = rejected(*error, buffer);
    if let Some(extra) = extra {
        back.metadata = extra.metadata;
        back.buffers = (!extra.buffers.is_empty()).then_some(extra.buffers);
    }
    back
}

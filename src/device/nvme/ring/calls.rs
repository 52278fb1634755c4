//! Queueing typed commands.

#![allow(unsafe_code)]

use super::{
    NvmeRing, RingBuf, RingRejected, Target,
    admit::{self, Order},
    flight::{Memory, Nothing, WithExtra},
};
use crate::{
    Error, NvmeErrorKind, Result,
    nvme::{Command, DataIn, DataOut, NoData, WithData},
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
        let order = Order::of(target, command, token);
        // SAFETY: the command moves nothing: `Command::sqe` for lengths of 0.
        let queued =
            unsafe { self.queue::<true, _>(&order, |lengths| command.sqe(lengths), Nothing) };
        queued.map_err(|(error, _)| *error)
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
        let order = self.order(target, command, &buffer, token);
        // SAFETY: `data` bytes from `address` on are the buffer's, if they are no more
        // than its capacity, and what the command moves: `Command::sqe` makes its
        // entry for this length, in the direction that the callers' bounds say, by the
        // format that the target holds.
        let queued =
            unsafe { self.queue::<true, _>(&order, |lengths| command.sqe(lengths), buffer) };
        queued.map_err(|(error, buffer)| buffer.rejected(error))
    }

    /// How a command with a buffer is queued.
    #[inline(always)]
    pub(super) fn order<C: Command>(
        &self,
        target: Target,
        command: &C,
        buffer: &RingBuf,
        token: u64,
    ) -> Order {
        Order {
            address: buffer.address(),
            data: data_len(command, buffer.len()),
            capacity: buffer.capacity(),
            registered: buffer.registration(self.uring.pool()),
            ..Order::of(target, command, token)
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
        let order = Order {
            metadata: metadata.len(),
            ..self.order(target, command, &buffer, token)
        };
        let mut extra = self.spare.pop().unwrap_or_default();
        extra.metadata = Some(metadata);
        let memory = WithExtra(Some(buffer), extra);
        if !C::BY_FORMAT {
            return Err(memory.rejected(self.not_on_blocks::<C>(target)));
        }
        // SAFETY: as in `moving`; the entry is made for the metadata's length, too.
        let queued =
            unsafe { self.queue::<true, _>(&order, |lengths| command.sqe(lengths), memory) };
        queued.map_err(|(error, memory)| memory.rejected(error))
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
        let data = buffers
            .iter()
            .fold(0_usize, |sum, buffer| sum.saturating_add(buffer.len()));
        let refused = if !C::BY_FORMAT {
            Some(self.not_on_blocks::<C>(target))
        } else if buffers.iter().any(RingBuf::is_registered) {
            Some(self.unsupported::<C>(
                target,
                "registered buffers cannot be used together in one command before Linux 6.15: \
                 use `AlignedBuf`s, or one registered buffer",
            ))
        } else if buffers.len() > MAX_PIECES {
            Some(self.unsupported::<C>(target, "a vectored transfer has at most 1024 buffers"))
        } else {
            None
        };
        let mut extra = self.spare.pop().unwrap_or_default();
        let pieces = buffers.iter_mut().filter(|buffer| !buffer.is_empty());
        extra.iovecs.extend(pieces.map(|buffer| libc::iovec {
            iov_base: buffer.as_mut_ptr().cast(),
            iov_len: buffer.len(),
        }));
        extra.buffers = Some(buffers.into());
        let memory = WithExtra(None, extra);
        if let Some(error) = refused {
            return Err(memory.rejected(error));
        }
        let order = Order {
            data,
            capacity: data,
            ..Order::of(target, command, token)
        };
        // SAFETY: as in `moving`; `WithExtra` names the iovecs instead of an address,
        // whose array and buffers are in `extra`, and which are not empty, since no
        // command on blocks moves 0 bytes.
        let queued =
            unsafe { self.queue::<true, _>(&order, |lengths| command.sqe(lengths), memory) };
        queued.map_err(|(error, memory)| memory.rejected(error))
    }

    /// Only commands on blocks move what is not one buffer.
    #[cold]
    fn not_on_blocks<C: Command>(&self, target: Target) -> Box<Error> {
        self.unsupported::<C>(
            target,
            "metadata and several buffers are for commands that move blocks: queue this one by \
             `read` or `write`",
        )
    }

    #[cold]
    fn unsupported<C: Command>(&self, target: Target, what: &'static str) -> Box<Error> {
        match self.targets.get(target.index as usize) {
            Some(state) if target.ring == self.id => {
                let kind = NvmeErrorKind::Unsupported { what };
                admit::error(state, std::any::type_name::<C>(), None, kind)
            }
            _ => Box::new(super::foreign()),
        }
    }
}

/// How many bytes a command with a buffer of `len` bytes moves.
#[inline(always)]
pub(super) fn data_len<C: Command>(command: &C, len: usize) -> usize {
    match C::BY_FORMAT {
        true => len,
        // What others move may be more than their buffer's length.
        false => command.buffer_len(len),
    }
}

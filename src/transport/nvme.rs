//! What carries an NVMe command.

use std::{
    io::{IoSlice, IoSliceMut},
    path::Path,
    time::Duration,
};

use super::{Data, scratch::Scratch};
use crate::{
    NvmeError, NvmeErrorKind, Result,
    nvme::{
        Command, Completion, DataIn, DataOut, Format, LengthMismatch, Lengths, NoData, Nsid, Query,
        Queue, Sqe, WithData,
    },
    transport::short_type_name,
};

/// How much one Get Log Page and the like moves where no limit is known, and
/// at most: what every controller takes, and what is not worth more.
const LEAST_PIECE: usize = 4096;
const MOST_PIECE: usize = 128 << 10;

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
    queue: Queue,
    sqe: Sqe,
    data: Data<'a>,
    metadata: Metadata<'a>,
    timeout: Option<Duration>,
    name: &'static str,
    format: Option<Format>,
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
    pub const fn name(&self) -> &'static str {
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

/// What carries NVMe commands: a controller, a namespace, or something of your
/// own that stands in for them.
#[doc(alias("NVME_IOCTL_ADMIN_CMD", "NVME_IOCTL_IO_CMD"))]
pub trait NvmeTransport {
    /// Sends one command, once, and waits for its end.
    ///
    /// The result is `Ok` whenever the controller answered, whatever its status.
    ///
    /// # Errors
    /// When the command could not be sent or its end could not be learnt.
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion>;

    /// The node's path, or a name that serves as well in an error message.
    fn path(&self) -> &Path;

    /// How the blocks of the namespace look, for a transport that goes to one.
    ///
    /// # Errors
    /// What asking the namespace came to.
    fn format(&self) -> Result<Option<Format>> {
        Ok(None)
    }

    /// The most bytes that one command may move, if it is known.
    fn max_transfer(&self) -> Option<usize> {
        None
    }
}

/// What holds a transport is one.
macro_rules! pass_on {
    ($($holder:ty),*) => {$(
        impl<T: NvmeTransport + ?Sized> NvmeTransport for $holder {
            fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
                (**self).submit(request)
            }

            fn path(&self) -> &Path {
                (**self).path()
            }

            fn format(&self) -> Result<Option<Format>> {
                (**self).format()
            }

            fn max_transfer(&self) -> Option<usize> {
                (**self).max_transfer()
            }
        }
    )*};
}

pass_on!(&T, Box<T>, std::rc::Rc<T>, std::sync::Arc<T>);

/// The typed calls, on every [`NvmeTransport`].
///
/// All of them return `Err` when the status of the command is not 0; the error
/// holds the [`Completion`].
///
/// Admin commands go through page-aligned memory of this crate, a page at
/// least, since controllers are known to return more than they were asked for.
/// I/O commands move the caller's memory itself.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::Read};
///
/// let namespace = NvmeNamespace::open("/dev/ng0n1")?;
/// let mut blocks = vec![0; 8 * 512];
/// namespace.read(&Read::new(0, 8), &mut blocks)?;
/// # Ok::<(), passthru::Error>(())
/// ```
pub trait NvmeTransportExt: NvmeTransport {
    /// Sends a command that moves no data.
    ///
    /// # Errors
    /// [`Error::Nvme`](crate::Error::Nvme) and what the node's opening can give.
    fn execute<C: NoData>(&self, command: &C) -> Result<Completion> {
        send(self, command, Data::None, Metadata::None)
    }

    /// Sends a data-in command and fills `buffer`.
    ///
    /// # Errors
    /// As [`execute`](Self::execute); a buffer that does not fit the command is
    /// [`NvmeErrorKind::Length`], and nothing was sent.
    fn read<C: DataIn>(&self, command: &C, buffer: &mut [u8]) -> Result<Completion> {
        match C::QUEUE {
            Queue::Io => send(self, command, Data::In(buffer), Metadata::None),
            Queue::Admin => {
                let mut own = own_memory(self, buffer.len())?;
                let completion = send(self, command, Data::In(&mut own), Metadata::None)?;
                buffer.copy_from_slice(&own);
                Ok(completion)
            }
        }
    }

    /// Sends a data-out command with all of `buffer`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn write<C: DataOut>(&self, command: &C, buffer: &[u8]) -> Result<Completion> {
        match C::QUEUE {
            Queue::Io => send(self, command, Data::Out(buffer), Metadata::None),
            Queue::Admin => {
                let mut own = own_memory(self, buffer.len())?;
                own.copy_from_slice(buffer);
                send(self, command, Data::Out(&own), Metadata::None)
            }
        }
    }

    /// Sends a data-out command with the data that it holds.
    ///
    /// That goes through page-aligned memory of whole pages: there are
    /// controllers that fetch a page whatever the command says.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn send<C: WithData>(&self, command: &C) -> Result<Completion> {
        let data = command.data();
        let mut own = own_memory(self, data.len())?;
        own.copy_from_slice(&data);
        send(self, command, Data::Out(&own), Metadata::None)
    }

    /// Sends a data-in command whose data goes to `buffer` and whose metadata
    /// goes to `metadata`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_with_metadata<C: DataIn>(
        &self,
        command: &C,
        buffer: &mut [u8],
        metadata: &mut [u8],
    ) -> Result<Completion> {
        if C::QUEUE == Queue::Admin && metadata.is_empty() {
            return self.read(command, buffer);
        }
        send(self, command, Data::In(buffer), Metadata::In(metadata))
    }

    /// Sends a data-out command with `buffer`, and `metadata` for its blocks.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn write_with_metadata<C: DataOut>(
        &self,
        command: &C,
        buffer: &[u8],
        metadata: &[u8],
    ) -> Result<Completion> {
        if C::QUEUE == Queue::Admin && metadata.is_empty() {
            return self.write(command, buffer);
        }
        send(self, command, Data::Out(buffer), Metadata::Out(metadata))
    }

    /// Sends an I/O command whose data goes to several slices, at most 1024.
    ///
    /// # Errors
    /// As [`read`](Self::read). An admin command is refused.
    #[doc(alias = "NVME_IOCTL_IO64_CMD_VEC")]
    fn read_vectored<'a, C: DataIn>(
        &self,
        command: &C,
        slices: &'a mut [IoSliceMut<'a>],
    ) -> Result<Completion> {
        one_slice::<_, C>(self)?;
        send(self, command, Data::InVectored(slices), Metadata::None)
    }

    /// Sends an I/O command with the data of several slices, at most 1024.
    ///
    /// # Errors
    /// As [`read_vectored`](Self::read_vectored).
    fn write_vectored<'a, C: DataOut>(
        &self,
        command: &C,
        slices: &'a [IoSlice<'a>],
    ) -> Result<Completion> {
        one_slice::<_, C>(self)?;
        send(self, command, Data::OutVectored(slices), Metadata::None)
    }

    /// Sends a query and parses its reply. A reply that is longer than one
    /// command may move comes in several, where the command has an offset.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`NvmeErrorKind::Malformed`] when the bytes
    /// are no answer.
    fn query<Q: Query>(&self, query: &Q) -> Result<Q::Reply> {
        let bytes = fetch(self, query)?;
        query.parse(bytes).map_err(|reason| {
            let sqe = query.sqe(Lengths::data(query.reply_length()));
            self.nvme_error::<Q>(sqe.ok(), NvmeErrorKind::Malformed(reason))
        })
    }

    #[doc(hidden)]
    fn nvme_error<C: Command>(&self, sqe: Option<Sqe>, kind: NvmeErrorKind) -> crate::Error {
        NvmeError::new(self.path(), C::QUEUE, short_type_name::<C>(), sqe, kind).into()
    }
}

impl<T: NvmeTransport + ?Sized> NvmeTransportExt for T {}

/// Refuses several slices for an admin command, which would be the caller's own.
fn one_slice<T: NvmeTransport + ?Sized, C: Command>(transport: &T) -> Result<()> {
    if C::QUEUE == Queue::Io {
        return Ok(());
    }
    let what = "an admin command takes one slice";
    Err(transport.nvme_error::<C>(None, NvmeErrorKind::Unsupported { what }))
}

/// The bytes of a reply, in as many commands as it takes.
fn fetch<T, Q>(transport: &T, query: &Q) -> Result<Vec<u8>>
where
    T: NvmeTransport + ?Sized,
    Q: Query,
{
    let len = query.reply_length();
    let most = transport.max_transfer().unwrap_or(LEAST_PIECE);
    // Whole pages, as an offset wants to be whole dwords.
    let piece = (most.min(MOST_PIECE) / LEAST_PIECE * LEAST_PIECE).max(LEAST_PIECE);
    let mut own = own_memory(transport, len.min(piece))?;
    if len <= piece {
        send(transport, query, Data::In(&mut own), Metadata::None)?;
        return Ok(own.to_vec());
    }
    let mut bytes = Vec::with_capacity(len);
    while bytes.len() < len {
        own.set_len(piece.min(len - bytes.len()));
        let Some(part) = query.at(bytes.len() as u64) else {
            let limit = NvmeErrorKind::TooLarge {
                len,
                limit: transport.max_transfer(),
                source: None,
            };
            return Err(transport.nvme_error::<Q>(None, limit));
        };
        send(transport, &part, Data::In(&mut own), Metadata::None)?;
        bytes.extend_from_slice(&own);
    }
    Ok(bytes)
}

/// Page-aligned memory of whole pages.
fn own_memory<T: NvmeTransport + ?Sized>(transport: &T, len: usize) -> Result<Scratch> {
    Scratch::new(len).map_err(|source| crate::Error::Os {
        op: "mmap of a buffer",
        path: transport.path().to_path_buf(),
        cdb: None,
        sent: false,
        source,
    })
}

fn send<'a, T, C>(
    transport: &T,
    command: &C,
    data: Data<'a>,
    metadata: Metadata<'a>,
) -> Result<Completion>
where
    T: NvmeTransport + ?Sized,
    C: Command,
{
    let format = match C::BY_FORMAT {
        true => transport.format()?,
        false => None,
    };
    let lengths = Lengths {
        data: data.len(),
        metadata: metadata.len(),
        format,
    };
    let sqe = command.sqe(lengths).and_then(|sqe| match C::QUEUE {
        // No admin command has any.
        Queue::Admin if lengths.metadata > 0 => Err(LengthMismatch::NoMetadata),
        _ => Ok(sqe),
    });
    let sqe =
        sqe.map_err(|mismatch| transport.nvme_error::<C>(None, NvmeErrorKind::Length(mismatch)))?;
    let completion = transport.submit(NvmeRequest {
        queue: C::QUEUE,
        sqe,
        data,
        metadata,
        timeout: command.timeout(),
        name: short_type_name::<C>(),
        format,
    })?;
    if completion.status().is_success() {
        Ok(completion)
    } else {
        Err(transport.nvme_error::<C>(Some(sqe), NvmeErrorKind::Status(completion)))
    }
}

#[cfg(test)]
#[path = "nvme_tests.rs"]
mod tests;

//! What carries an NVMe command.

use std::{
    io::{self, IoSlice, IoSliceMut},
    path::Path,
};

use super::{Data, Metadata, NvmeRequest};
use crate::{
    NvmeError, NvmeErrorKind, Result,
    memory::Page,
    nvme::{
        Command, Completion, DataIn, DataOut, Format, LengthMismatch, Lengths, Malformed, NoData,
        Query, Queue, Sqe, WithData,
    },
};

/// How much one Get Log Page and the like moves at most, if no limit is known:
/// two pages, the least limit that a controller can have (MDTS 1).
const LEAST_LIMIT: usize = 8192;
/// More at once is not worth its memory.
const MOST_PIECE: usize = 128 << 10;
const PAGE: usize = 4096;

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
/// Commands that move blocks move the caller's memory itself. All others, those
/// of the admin queue among them, go through page-aligned memory of this crate, a
/// page at least, since controllers are known to return, or to fetch, more than
/// they were asked for.
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
        if C::BY_FORMAT {
            return send_blocks(self, command, Data::In(buffer), Metadata::None);
        }
        let mut own = own_memory(self, command.buffer_len(buffer.len()))?;
        let completion = send(self, command, Data::In(&mut own), Metadata::None)?;
        if let Some(wanted) = own.get(..buffer.len()) {
            buffer.copy_from_slice(wanted);
        }
        Ok(completion)
    }

    /// Sends a data-out command with all of `buffer`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn write<C: DataOut>(&self, command: &C, buffer: &[u8]) -> Result<Completion> {
        if C::BY_FORMAT {
            return send_blocks(self, command, Data::Out(buffer), Metadata::None);
        }
        let mut own = own_memory(self, command.buffer_len(buffer.len()))?;
        if let Some(begin) = own.get_mut(..buffer.len()) {
            begin.copy_from_slice(buffer);
        }
        send(self, command, Data::Out(&own), Metadata::None)
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
    /// As [`read`](Self::read); [`NvmeErrorKind::Unsupported`] for a command that
    /// does not move blocks.
    fn read_with_metadata<C: DataIn>(
        &self,
        command: &C,
        buffer: &mut [u8],
        metadata: &mut [u8],
    ) -> Result<Completion> {
        send_blocks(self, command, Data::In(buffer), Metadata::In(metadata))
    }

    /// Sends a data-out command with `buffer`, and `metadata` for its blocks.
    ///
    /// # Errors
    /// As [`read_with_metadata`](Self::read_with_metadata).
    fn write_with_metadata<C: DataOut>(
        &self,
        command: &C,
        buffer: &[u8],
        metadata: &[u8],
    ) -> Result<Completion> {
        send_blocks(self, command, Data::Out(buffer), Metadata::Out(metadata))
    }

    /// Sends a command whose blocks go to several slices, at most 1024.
    ///
    /// # Errors
    /// As [`read_with_metadata`](Self::read_with_metadata).
    #[doc(alias = "NVME_IOCTL_IO64_CMD_VEC")]
    fn read_vectored<'a, C: DataIn>(
        &self,
        command: &C,
        slices: &'a mut [IoSliceMut<'a>],
    ) -> Result<Completion> {
        send_blocks(self, command, Data::InVectored(slices), Metadata::None)
    }

    /// Sends a command with the blocks of several slices, at most 1024.
    ///
    /// # Errors
    /// As [`read_with_metadata`](Self::read_with_metadata).
    fn write_vectored<'a, C: DataOut>(
        &self,
        command: &C,
        slices: &'a [IoSlice<'a>],
    ) -> Result<Completion> {
        send_blocks(self, command, Data::OutVectored(slices), Metadata::None)
    }

    /// Sends a query and parses its reply. A reply that is longer than one
    /// command may move comes in several, where the command has an offset.
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`NvmeErrorKind::Malformed`] when the bytes
    /// are no answer.
    fn query<Q: Query>(&self, query: &Q) -> Result<Q::Reply> {
        fetch(self, query)?.map_err(|reason| {
            let sqe = query.sqe(Lengths::data(query.reply_length()));
            self.nvme_error::<Q>(sqe.ok(), NvmeErrorKind::Malformed(reason))
        })
    }

    #[doc(hidden)]
    fn nvme_error<C: Command>(&self, sqe: Option<Sqe>, kind: NvmeErrorKind) -> crate::Error {
        NvmeError::new(self.path(), C::QUEUE, std::any::type_name::<C>(), sqe, kind).into()
    }
}

impl<T: NvmeTransport + ?Sized> NvmeTransportExt for T {}

/// A reply, which comes in as many commands as it takes.
fn fetch<T, Q>(transport: &T, query: &Q) -> Result<Result<Q::Reply, Malformed>>
where
    T: NvmeTransport + ?Sized,
    Q: Query,
{
    let len = query.reply_length();
    // Looking the limit up costs more than most commands.
    let most = match len {
        0..=PAGE => PAGE,
        _ => transport.max_transfer().unwrap_or(LEAST_LIMIT),
    };
    // Whole pages, as an offset wants to be whole dwords.
    let piece = (most.min(MOST_PIECE) / PAGE * PAGE).max(PAGE);
    let mut own = own_memory(transport, len.min(piece))?;
    if len <= piece {
        send(transport, query, Data::In(&mut own), Metadata::None)?;
        return Ok(query.parse_page(own));
    }
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(len)
        .map_err(|_| no_memory(transport, io::Error::from_raw_os_error(libc::ENOMEM)))?;
    while bytes.len() < len {
        own.set_len(piece.min(len - bytes.len()));
        own.fill(0);
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
    Ok(query.parse(&bytes))
}

/// Page-aligned memory of whole pages.
fn own_memory<T: NvmeTransport + ?Sized>(transport: &T, len: usize) -> Result<Page> {
    Page::new(len).map_err(|source| no_memory(transport, source))
}

fn no_memory<T: NvmeTransport + ?Sized>(transport: &T, source: io::Error) -> crate::Error {
    crate::Error::Os {
        op: "mmap of a buffer",
        path: transport.path().to_path_buf(),
        cdb: None,
        sent: false,
        source,
    }
}

/// Sends a command that moves the caller's memory itself, which only commands
/// on blocks do: others may move more than they were asked for.
fn send_blocks<'a, T, C>(
    transport: &T,
    command: &C,
    data: Data<'a>,
    metadata: Metadata<'a>,
) -> Result<Completion>
where
    T: NvmeTransport + ?Sized,
    C: Command,
{
    if C::BY_FORMAT {
        return send(transport, command, data, metadata);
    }
    let refused = NvmeErrorKind::Unsupported {
        what: "metadata and several slices are for commands that move blocks: \
               send this one by `read`, `write` or `query`",
    };
    Err(transport.nvme_error::<C>(None, refused))
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
        name: std::any::type_name::<C>(),
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

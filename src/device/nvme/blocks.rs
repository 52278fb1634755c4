//! Transfers of any number of blocks, by as many commands as it takes.

use std::mem;

use super::NvmeNamespace;
use crate::{
    Error, NvmeErrorKind,
    nvme::{
        Command, Format, LengthMismatch,
        io::{Read, Split, Write, split},
    },
    transport::{NvmeTransport, NvmeTransportExt},
};

/// How much one command moves at most, and where no limit is known. The driver
/// takes 127 pieces of memory on some kernels, each page may be a piece, and
/// memory that begins within a page has one page more.
const MOST: usize = 256 << 10;

/// A transfer of several commands that did not come to its end.
///
/// `?` makes an [`Error`] of it where only that is wanted.
#[derive(Debug, thiserror::Error)]
#[error("{error} (at block {slba}, after {done} blocks)")]
pub struct BlocksError {
    /// How many blocks had been done, from the first on. The command that failed
    /// may have done some more.
    pub done: u64,
    /// The first block of the command that failed.
    pub slba: u64,
    /// Why it stopped.
    #[source]
    pub error: Error,
}

impl From<BlocksError> for Error {
    fn from(stopped: BlocksError) -> Self {
        stopped.error
    }
}

impl NvmeNamespace {
    /// Reads whole blocks from block `slba` on, until `buffer` is full, by as
    /// many commands as it takes. What is behind each block's data if the
    /// namespace has extended blocks belongs to it.
    ///
    /// ```no_run
    /// use passthru::NvmeNamespace;
    ///
    /// let mut buffer = vec![0; 1 << 20];
    /// NvmeNamespace::open("/dev/ng0n1")?.read_blocks(0, &mut buffer)?;
    /// # Ok::<(), passthru::Error>(())
    /// ```
    ///
    /// # Errors
    /// Any of [`NvmeTransportExt::read`], with how far it came.
    /// [`NvmeErrorKind::Length`] for a buffer of no whole number of blocks, and
    /// for a namespace with separate metadata, whose blocks are read by
    /// [`read_with_metadata`](NvmeTransportExt::read_with_metadata).
    pub fn read_blocks(&self, slba: u64, buffer: &mut [u8]) -> Result<(), BlocksError> {
        read(self, slba, buffer)
    }

    /// Writes whole blocks from block `slba` on, by as many commands as it
    /// takes.
    ///
    /// # Errors
    /// As [`read_blocks`](Self::read_blocks).
    pub fn write_blocks(&self, slba: u64, buffer: &[u8]) -> Result<(), BlocksError> {
        write(self, slba, buffer)
    }
}

fn read<T: NvmeTransport>(transport: &T, slba: u64, buffer: &mut [u8]) -> Result<(), BlocksError> {
    let (format, pieces) = plan::<Read>(transport, slba, buffer.len())?;
    let mut rest = buffer;
    for piece in pieces {
        let len = bytes(&format, piece.blocks).min(rest.len());
        let (now, later) = mem::take(&mut rest).split_at_mut(len);
        rest = later;
        transport
            .read(&Read::new(piece.slba, piece.blocks), now)
            .map_err(|error| stopped(slba, piece.slba, error))?;
    }
    Ok(())
}

fn write<T: NvmeTransport>(transport: &T, slba: u64, buffer: &[u8]) -> Result<(), BlocksError> {
    let (format, pieces) = plan::<Write>(transport, slba, buffer.len())?;
    let mut rest = buffer;
    for piece in pieces {
        let (now, later) = rest.split_at(bytes(&format, piece.blocks).min(rest.len()));
        rest = later;
        transport
            .write(&Write::new(piece.slba, piece.blocks), now)
            .map_err(|error| stopped(slba, piece.slba, error))?;
    }
    Ok(())
}

/// The commands for `len` bytes from block `slba` on.
fn plan<C: Command>(
    transport: &impl NvmeTransport,
    slba: u64,
    len: usize,
) -> Result<(Format, Split), BlocksError> {
    let wrong = |mismatch| {
        let kind = NvmeErrorKind::Length(mismatch);
        stopped(slba, slba, transport.nvme_error::<C>(None, kind))
    };
    let format = transport
        .format()
        .map_err(|error| stopped(slba, slba, error))?
        .ok_or_else(|| wrong(LengthMismatch::NoFormat))?;
    let unit = bytes(&format, 1).max(1);
    if len % unit != 0 {
        return Err(wrong(LengthMismatch::Unit { len, unit }));
    }
    let most = transport.max_transfer().unwrap_or(MOST).min(MOST);
    let blocks = (len / unit) as u64;
    Ok((format, split(slba, blocks, &format, most)))
}

fn bytes(format: &Format, blocks: u32) -> usize {
    usize::try_from(format.data_len(blocks)).unwrap_or(usize::MAX)
}

fn stopped(first: u64, slba: u64, error: Error) -> BlocksError {
    BlocksError {
        done: slba.saturating_sub(first),
        slba,
        error,
    }
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;

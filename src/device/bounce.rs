//! Data from pages that the kernel cannot take.

use super::core::Lost;
use crate::{Data, memory::AlignedBuf};

/// Sends `data`; if the kernel could not take its pages (EFAULT, before
/// anything was sent), sends it through a buffer of our own. Says whether that
/// was done.
///
/// A mapped reserve buffer has such pages when they have been thrown out of the
/// page table (`MADV_DONTNEED`, a fork), and on architectures without a fast way
/// to look pages up.
///
/// Vectored data is not sent again.
pub(super) fn unless_taken(
    data: Data<'_>,
    mut send: impl FnMut(Data<'_>) -> Result<(), Lost>,
) -> Result<bool, Lost> {
    match data {
        Data::In(slice) => {
            if taken(send(Data::In(slice)))? {
                return Ok(false);
            }
            let mut buffer = room(slice.len())?;
            let result = send(Data::In(&mut buffer));
            // After a failure too: part of the data may have come.
            slice.copy_from_slice(&buffer);
            result?;
        }
        Data::Out(slice) => {
            if taken(send(Data::Out(slice)))? {
                return Ok(false);
            }
            let mut buffer = room(slice.len())?;
            buffer.copy_from_slice(slice);
            send(Data::Out(&buffer))?;
        }
        other => {
            send(other)?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// `Ok(false)` if the kernel could not take the pages.
fn taken(result: Result<(), Lost>) -> Result<bool, Lost> {
    match result {
        Ok(()) => Ok(true),
        Err(lost) if !lost.sent && lost.source.raw_os_error() == Some(libc::EFAULT) => Ok(false),
        Err(lost) => Err(lost),
    }
}

fn room(len: usize) -> Result<AlignedBuf, Lost> {
    AlignedBuf::new(len).map_err(|source| Lost {
        sent: false,
        source,
    })
}

//! Data from pages that the kernel cannot take.

use super::core::Lost;
use crate::{Data, IoPath, Outcome, memory::AlignedBuf};

/// Sends `data`; if the kernel could not take its pages (EFAULT, before
/// anything was sent), sends it through a buffer of our own, and says so in the
/// outcome.
///
/// A mapped reserve buffer has such pages when they have been thrown out of the
/// page table (`MADV_DONTNEED`, a fork), and on architectures without a fast way
/// to look pages up.
///
/// Vectored data is not sent again.
#[inline]
pub(super) fn unless_taken(
    data: Data<'_>,
    outcome: &mut Outcome,
    mut send: impl FnMut(Data<'_>, &mut Outcome) -> Result<(), Lost>,
) -> Result<(), Lost> {
    match data {
        Data::In(slice) => match send(Data::In(slice), outcome) {
            Err(lost) if were_refused(&lost) => {
                let mut buffer = room(slice.len())?;
                let result = send(Data::In(&mut buffer), outcome);
                // After a failure too: part of the data may have come.
                slice.copy_from_slice(&buffer);
                outcome.set_io_path(IoPath::Bounced);
                result
            }
            result => result,
        },
        Data::Out(slice) => match send(Data::Out(slice), outcome) {
            Err(lost) if were_refused(&lost) => {
                let mut buffer = room(slice.len())?;
                buffer.copy_from_slice(slice);
                let result = send(Data::Out(&buffer), outcome);
                outcome.set_io_path(IoPath::Bounced);
                result
            }
            result => result,
        },
        other => send(other, outcome),
    }
}

/// Whether the kernel could not take the pages.
fn were_refused(lost: &Lost) -> bool {
    !lost.sent && lost.source.raw_os_error() == Some(libc::EFAULT)
}

fn room(len: usize) -> Result<AlignedBuf, Lost> {
    AlignedBuf::new(len).map_err(|source| Lost {
        sent: false,
        source,
    })
}

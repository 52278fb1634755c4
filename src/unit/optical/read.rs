//! Reading sectors.

use std::path::Path;

use super::{OpticalDrive, PartialRead, ReadFault, ReadSectors, Remark, mark};
use crate::{
    Outcome,
    error::{Error, OutOfRange},
    scsi::{
        LengthMismatch, SenseBuffer,
        mmc::{C2, Lba, ReadCd, SectorLayout, SectorRequest, SubChannels},
    },
    transport::{ScsiTransport, ScsiTransportExt, cdb_of, failure_of},
};

/// The most sectors of one READ CD.
const MOST: usize = 0x00ff_ffff;

impl<T: ScsiTransport> OpticalDrive<T> {
    /// Reads whole sectors from `lba` on, until `buffer` is full: READ CD, as often
    /// as [`max_transfer`](Self::max_transfer) asks for.
    ///
    /// # What counts as arrived
    /// A command that ends with GOOD has not always brought all that it was asked
    /// for, and residuals lie. So the last 8 bytes of each sector are filled with a
    /// mark before, and a sector counts if its mark is gone and the residual does
    /// not speak against it. A residual of the whole length is not believed if
    /// there is data all the same; sectors of zeros at the end do not count then.
    /// That fewer than 4 bytes at the end of a command are missing, only the residual
    /// can tell.
    ///
    /// On an sg node the kernel writes over the whole buffer, with zeros where
    /// nothing came, and a residual of 0 is all there is to go by: C2 or
    /// subchannels that a drive does not send are zeros there.
    /// [`layouts`](Self::layouts) finds it out, and a mapped buffer
    /// ([`ReserveBuffer::read_sectors`](crate::ReserveBuffer::read_sectors)) keeps
    /// the marks there.
    ///
    /// # Errors
    /// [`PartialRead`], with the sectors that had been read before.
    /// [`ReadFault::MissingBytes`] when a command ended with GOOD without all of its
    /// bytes. [`Error::Sectors`] if the request has no layout, and [`Error::Length`]
    /// if the buffer is no whole number of sectors, and [`Error::OutOfRange`] if it
    /// ends behind the last address that there is, before anything is sent; any error
    /// of [`ScsiTransportExt::read`]: 05/64/00 where the type of the sectors changes
    /// within a command or is not the one that was asked for.
    pub fn read(
        &self,
        request: &SectorRequest,
        lba: Lba,
        buffer: &mut [u8],
    ) -> Result<ReadSectors, PartialRead> {
        match request.layout() {
            Ok(layout) => self.read_with_layout(request, layout, lba, buffer),
            Err(reason) => {
                let path = self.transport().path().to_path_buf();
                let unknown = SectorLayout::from_lengths(0, C2::None, SubChannels::None);
                let none = ReadSectors::none(lba, unknown);
                Err(PartialRead::new(
                    none,
                    Error::Sectors { path, reason }.into(),
                ))
            }
        }
    }

    /// As [`read`](Self::read), for sectors that arrive in a layout that the caller
    /// knows better: the type of what is on the disc
    /// ([`SectorRequest::layout_for`]), or what a
    /// [probe](super::ProbedLayout::layout) has found.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with_layout(
        &self,
        request: &SectorRequest,
        layout: SectorLayout,
        lba: Lba,
        buffer: &mut [u8],
    ) -> Result<ReadSectors, PartialRead> {
        let mut read = ReadSectors::none(lba, layout);
        let length = layout.sector_length();
        if buffer.len().checked_rem(length).unwrap_or(buffer.len()) != 0 {
            let error = Error::Length {
                path: self.transport().path().to_path_buf(),
                command: "a transfer of whole sectors",
                mismatch: LengthMismatch::Unit {
                    len: buffer.len(),
                    block_length: u32::try_from(length).unwrap_or(u32::MAX),
                },
            };
            return Err(PartialRead::new(read, error.into()));
        }
        let sectors = buffer.len().checked_div(length).unwrap_or(0) as u64;
        if let Some(error) = without_addresses(self.transport().path(), lba, sectors) {
            return Err(PartialRead::new(read, error.into()));
        }
        let most = layout
            .sectors_within(self.max_transfer())
            .clamp(1, MOST)
            .saturating_mul(length)
            .max(1);
        for chunk in buffer.chunks_mut(most) {
            let at = read.end();
            let sectors = u32::try_from(chunk.len() / length).unwrap_or(u32::MAX);
            let command = ReadCd::with_layout(at, sectors, *request, layout);
            mark::put(chunk, length);
            match self.transport().read(&command, chunk) {
                Ok(outcome) => take(self.transport(), &mut read, &command, chunk, &outcome)?,
                Err(error) => return Err(failed(read, &command, chunk, error)),
            }
        }
        Ok(read)
    }
}

/// An error if sectors lie behind the last address that there is.
pub(super) fn without_addresses(path: &Path, lba: Lba, sectors: u64) -> Option<Error> {
    let left = u64::from(i32::MAX.abs_diff(lba.0)) + 1;
    (sectors > left).then(|| Error::OutOfRange {
        path: path.to_path_buf(),
        range: OutOfRange {
            // As the last of them has no address, the first is not below zero.
            lba: lba.0.unsigned_abs().into(),
            blocks: sectors,
            capacity: u64::from(i32::MAX.unsigned_abs()) + 1,
        },
    })
}

/// Takes what a command that ended well has brought to `chunk`.
pub(super) fn take<T: ScsiTransport + ?Sized>(
    transport: &T,
    read: &mut ReadSectors,
    command: &ReadCd,
    chunk: &[u8],
    outcome: &Outcome,
) -> Result<(), PartialRead> {
    if !outcome.sense_bytes().is_empty() {
        read.remarks.push(Remark {
            lba: command.lba(),
            sectors: command.sectors(),
            sense: SenseBuffer::from_slice(outcome.sense_bytes()),
        });
    }
    let arrived = Arrived::in_chunk(outcome, chunk, read.layout.sector_length());
    read.residual_lied |= arrived.residual_lied;
    read.sectors += u32::try_from(arrived.sectors).unwrap_or(0);
    let bytes = chunk.len() - arrived.bytes;
    if bytes == 0 {
        return Ok(());
    }
    let read = read.clone();
    let fault = match cdb_of(transport, command, chunk.len()) {
        Ok(cdb) => ReadFault::MissingBytes {
            sectors_complete: read.sectors,
            bytes,
            failure: Box::new(failure_of(transport, &cdb, outcome)),
        },
        Err(error) => error.into(),
    };
    Err(PartialRead::new(read, fault))
}

/// What is known after a command that failed, with what may be in `chunk` all the same.
pub(super) fn failed(
    read: ReadSectors,
    command: &ReadCd,
    chunk: &[u8],
    error: Error,
) -> PartialRead {
    let (at, length) = (command.lba(), read.layout.sector_length());
    let failed = failed_sector(&error, at, command.sectors());
    let agreed = failed
        .and_then(|failed| agreed(&error, chunk, length, failed.0 - at.0))
        .unwrap_or(0);
    PartialRead::new(read, error.into()).at(failed, agreed)
}

/// What a command that ended well has brought.
#[derive(Debug, PartialEq, Eq)]
struct Arrived {
    sectors: usize,
    bytes: usize,
    residual_lied: bool,
}

impl Arrived {
    fn in_chunk(outcome: &Outcome, chunk: &[u8], length: usize) -> Self {
        let len = chunk.len();
        let written = mark::written(chunk, length);
        let whole = |sectors: usize, residual_lied| Self {
            sectors,
            bytes: sectors * length,
            residual_lied,
        };
        match usize::try_from(outcome.residual()) {
            Ok(0) => whole(written, written * length < len),
            Ok(residual) if residual < len => {
                let claimed = len - residual;
                let bytes = if claimed / length <= written {
                    claimed
                } else {
                    written * length
                };
                Self {
                    sectors: bytes / length,
                    bytes,
                    residual_lied: bytes < claimed,
                }
            }
            // Nothing came, it says.
            Ok(_) => {
                let empty = chunk
                    .chunks_exact(length)
                    .take(written)
                    .rev()
                    .take_while(|sector| sector.iter().all(|&byte| byte == 0))
                    .count();
                whole(written - empty, written > empty)
            }
            Err(_) => whole(written, true),
        }
    }
}

/// The sector that the sense data names, if it is one of the command's.
pub(super) fn failed_sector(error: &Error, at: Lba, sectors: u32) -> Option<Lba> {
    let Error::Check(failure) = error else {
        return None;
    };
    // Whether the field is an address at all is asked without a range, which an
    // unsigned one cannot be: addresses below 0 are there as 32 or 64 bits.
    let block = failure.outcome().sense().failed_block(0..u64::MAX)?;
    let [.., a, b, c, d] = block.to_be_bytes();
    let lba = Lba(i32::from_be_bytes([a, b, c, d]));
    let sign = u64::from_be_bytes(i64::from(lba.0).to_be_bytes());
    let is_address = block == sign || u32::try_from(block).is_ok();
    let behind = i64::from(lba.0) - i64::from(at.0);
    (is_address && (0..i64::from(sectors)).contains(&behind)).then_some(lba)
}

/// How many whole sectors a failed command has brought, if the residual says that
/// it stopped at the sector `index` of it, which the sense data names, or right
/// behind it.
fn agreed(error: &Error, chunk: &[u8], length: usize, index: i32) -> Option<u32> {
    let outcome = error.outcome()?;
    let residual = usize::try_from(outcome.residual()).ok()?;
    if residual == 0 || residual >= chunk.len() {
        return None;
    }
    let claimed = outcome.claimed() / length;
    let sectors = usize::try_from(index).ok()?;
    let fits = claimed == sectors || claimed == sectors + 1;
    (fits && mark::written(chunk, length) >= sectors)
        .then(|| u32::try_from(sectors).ok())
        .flatten()
}

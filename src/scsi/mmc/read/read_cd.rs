//! READ CD and READ CD MSF.

use core::ops::Range;

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::I32};

use super::{Lba, Msf, SectorLayout, SectorRequest, SectorRequestError};
use crate::scsi::{Cdb, Command, DataIn, LengthMismatch};

/// The greatest count in 24 bits.
const MAX_SECTORS: u32 = 0x00ff_ffff;

/// READ CD (`BEh`, MMC-5 6.20, MMC-6): reads sectors of a CD, with those parts of them
/// that a [`SectorRequest`] names.
///
/// The buffer must have exactly the sectors' length. How many fit the kernel's
/// limit for one transfer is for the caller to say: [`chunks`](Self::chunks).
///
/// Past the end of the program area, and before its start, drives answer
/// 05/21/00; a range with several types of sectors ends with 05/64/00.
///
/// ```
/// use passthru::scsi::Command;
/// use passthru::scsi::mmc::{C2, Lba, MainChannel, ReadCd, SectorRequest, SectorType};
///
/// let request = SectorRequest::new(SectorType::Any, MainChannel::RAW).c2(C2::Pointers294);
/// let read = ReadCd::new(Lba(-150), 27, request)?;
/// assert_eq!(read.data_length(), 27 * 2646);
/// assert_eq!(
///     read.cdb_for(27 * 2646).unwrap().as_bytes(),
///     [0xbe, 0, 0xff, 0xff, 0xff, 0x6a, 0, 0, 27, 0xfa, 0, 0],
/// );
/// assert!(read.cdb_for(27 * 2352).is_err());
/// # Ok::<(), passthru::scsi::mmc::SectorRequestError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("READ_CD", "GPCMD_READ_CD"))]
pub struct ReadCd {
    lba: Lba,
    sectors: u32,
    request: SectorRequest,
    layout: SectorLayout,
    dap: bool,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    sector_type: u8,
    lba: I32,
    sectors: [u8; 3],
    main: u8,
    sub: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

impl ReadCd {
    /// Reads `sectors` sectors from `lba` on: none if it is 0, at most
    /// 16,777,215.
    ///
    /// # Errors
    /// [`SectorRequestError`] if the request has no [layout].
    ///
    /// [layout]: SectorRequest::layout
    pub fn new(lba: Lba, sectors: u32, request: SectorRequest) -> Result<Self, SectorRequestError> {
        Ok(Self::with_layout(lba, sectors, request, request.layout()?))
    }

    /// As [`new`](Self::new), for sectors that arrive in a layout which the
    /// caller knows better: the type of what is on the disc
    /// ([`SectorRequest::layout_for`]), or a drive that has its own mind.
    #[must_use]
    pub const fn with_layout(
        lba: Lba,
        sectors: u32,
        request: SectorRequest,
        layout: SectorLayout,
    ) -> Self {
        Self {
            lba,
            sectors,
            request,
            layout,
            dap: false,
        }
    }

    /// Has the drive treat errors in audio as a player does, by interpolating
    /// and muting (DAP).
    #[must_use]
    #[doc(alias("DAP", "Digital Audio Play"))]
    pub const fn dap(mut self, dap: bool) -> Self {
        self.dap = dap;
        self
    }

    /// The address of the first sector.
    #[must_use]
    pub const fn lba(&self) -> Lba {
        self.lba
    }

    /// How many sectors.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.sectors
    }

    /// How each sector arrives.
    #[must_use]
    pub const fn layout(&self) -> SectorLayout {
        self.layout
    }

    /// The length of the buffer in bytes.
    #[must_use]
    pub fn data_length(&self) -> u64 {
        data_length(self.sectors, &self.layout)
    }

    /// The same reading in pieces that have at most `max_bytes` of data each,
    /// but at least one sector.
    ///
    /// ```
    /// use passthru::scsi::mmc::{Lba, MainChannel, ReadCd, SectorRequest, SectorType};
    ///
    /// let audio = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
    /// let read = ReadCd::new(Lba(0), 100, audio)?;
    /// let pieces: Vec<_> = read
    ///     .chunks(64 * 1024)
    ///     .map(|piece| (piece.lba().0, piece.sectors()))
    ///     .collect();
    /// assert_eq!(pieces, [(0, 27), (27, 27), (54, 27), (81, 19)]);
    /// # Ok::<(), passthru::scsi::mmc::SectorRequestError>(())
    /// ```
    #[must_use]
    pub fn chunks(&self, max_bytes: usize) -> ReadCdChunks {
        let most = if self.layout.sector_length() == 0 {
            MAX_SECTORS
        } else {
            u32::try_from(self.layout.sectors_within(max_bytes)).unwrap_or(MAX_SECTORS)
        };
        ReadCdChunks {
            rest: *self,
            most: most.clamp(1, MAX_SECTORS),
        }
    }
}

impl Command for ReadCd {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        check(self.sectors, &self.layout, data_len)?;
        let [_, high, middle, low] = self.sectors.to_be_bytes();
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xbe,
            sector_type: sector_type(self.request, self.dap),
            lba: I32::new(self.lba.0),
            sectors: [high, middle, low],
            main: self.request.main_bits(),
            sub: self.request.sub.code(),
            control: 0,
        })))
    }
}

impl DataIn for ReadCd {}

/// Byte 1 of both CDBs.
fn sector_type(request: SectorRequest, dap: bool) -> u8 {
    request.sector.code() << 2 | u8::from(dap) << 1
}

fn data_length(sectors: u32, layout: &SectorLayout) -> u64 {
    // A sector has less than 2^17 bytes: five lengths of 16 bits and 392.
    let length = u64::try_from(layout.sector_length()).unwrap_or(u64::MAX);
    u64::from(sectors).saturating_mul(length)
}

/// Whether the count fits into 24 bits and the buffer is as long as the data.
fn check(sectors: u32, layout: &SectorLayout, len: usize) -> Result<(), LengthMismatch> {
    if sectors > MAX_SECTORS {
        let max = data_length(MAX_SECTORS, layout);
        return Err(LengthMismatch::TooLong {
            len,
            max: usize::try_from(max).unwrap_or(usize::MAX),
        });
    }
    let expected = data_length(sectors, layout);
    if u64::try_from(len) == Ok(expected) {
        Ok(())
    } else {
        Err(LengthMismatch::Exact { len, expected })
    }
}

/// The pieces of a [`ReadCd`]; see [`ReadCd::chunks`].
#[derive(Clone, Debug)]
pub struct ReadCdChunks {
    rest: ReadCd,
    most: u32,
}

impl Iterator for ReadCdChunks {
    type Item = ReadCd;

    fn next(&mut self) -> Option<ReadCd> {
        let sectors = self.rest.sectors.min(self.most);
        if sectors == 0 {
            return None;
        }
        let piece = ReadCd {
            sectors,
            ..self.rest
        };
        self.rest.sectors -= sectors;
        // No disc has an address near the end of the type.
        self.rest.lba = Lba(self.rest.lba.0.saturating_add_unsigned(sectors));
        Some(piece)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.rest.sectors.div_ceil(self.most));
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

/// READ CD MSF (B9h, MMC-5 6.21, MMC-6): as [`ReadCd`], for a range of time codes.
///
/// Drives know it less well than READ CD, and a place behind 89:59:74 has no
/// time code of its own: it is that of the lead-in.
///
/// ```
/// use passthru::scsi::Command;
/// use passthru::scsi::mmc::{MainChannel, Msf, ReadCdMsf, SectorRequest, SectorType};
///
/// let audio = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
/// let time = |minute, second, frame| Msf::new(minute, second, frame).unwrap();
/// let read = ReadCdMsf::new(time(0, 2, 0)..time(0, 2, 10), audio)?;
/// assert_eq!(read.sectors(), 10);
/// assert_eq!(
///     read.cdb_for(23_520).unwrap().as_bytes(),
///     [0xb9, 0x04, 0, 0, 2, 0, 0, 2, 10, 0x10, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::mmc::SectorRequestError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("READ_CD_MSF", "GPCMD_READ_CD_MSF"))]
pub struct ReadCdMsf {
    start: Msf,
    end: Msf,
    sectors: u32,
    request: SectorRequest,
    layout: SectorLayout,
    dap: bool,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct WireMsf {
    opcode: u8,
    sector_type: u8,
    reserved: u8,
    start: [u8; 3],
    end: [u8; 3],
    main: u8,
    sub: u8,
    control: u8,
}

const _: () = assert!(size_of::<WireMsf>() == 12);

impl ReadCdMsf {
    /// Reads the sectors from `range.start` up to but not including
    /// `range.end`; none if they are equal.
    ///
    /// # Errors
    /// [`SectorRequestError`] if the request has no
    /// [layout](SectorRequest::layout), or if the range ends before it starts
    /// (the lead-in, from 90:00:00 on, comes before 00:00:00).
    pub fn new(range: Range<Msf>, request: SectorRequest) -> Result<Self, SectorRequestError> {
        let layout = request.layout()?;
        Self::with_layout(range, request, layout)
    }

    /// As [`new`](Self::new), for sectors that arrive in this layout; see
    /// [`ReadCd::with_layout`].
    ///
    /// # Errors
    /// [`SectorRequestError::EndBeforeStart`].
    pub fn with_layout(
        range: Range<Msf>,
        request: SectorRequest,
        layout: SectorLayout,
    ) -> Result<Self, SectorRequestError> {
        let Range { start, end } = range;
        let sectors = u32::try_from(end.to_lba().0 - start.to_lba().0)
            .map_err(|_| SectorRequestError::EndBeforeStart)?;
        Ok(Self {
            start,
            end,
            sectors,
            request,
            layout,
            dap: false,
        })
    }

    /// Has the drive treat errors in audio as a player does (DAP).
    #[must_use]
    #[doc(alias("DAP", "Digital Audio Play"))]
    pub const fn dap(mut self, dap: bool) -> Self {
        self.dap = dap;
        self
    }

    /// From where to where.
    #[must_use]
    pub const fn range(&self) -> Range<Msf> {
        self.start..self.end
    }

    /// How many sectors.
    #[must_use]
    pub const fn sectors(&self) -> u32 {
        self.sectors
    }

    /// How each sector arrives.
    #[must_use]
    pub const fn layout(&self) -> SectorLayout {
        self.layout
    }

    /// The length of the buffer in bytes.
    #[must_use]
    pub fn data_length(&self) -> u64 {
        data_length(self.sectors, &self.layout)
    }
}

impl Command for ReadCdMsf {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        check(self.sectors, &self.layout, data_len)?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(WireMsf {
            opcode: 0xb9,
            sector_type: sector_type(self.request, self.dap),
            reserved: 0,
            start: self.start.to_binary(),
            end: self.end.to_binary(),
            main: self.request.main_bits(),
            sub: self.request.sub.code(),
            control: 0,
        })))
    }
}

impl DataIn for ReadCdMsf {}

//! SEND CUE SHEET.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use super::{Isrc, Mcn, Msf, TrackControl};
use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, lengths};

/// SEND CUE SHEET (5Dh, MMC-5 6.33): the plan of a session that is written at
/// once. Its data is a [`CueSheet`].
///
/// ```
/// use passthru::scsi::{Command, mmc::SendCueSheet};
///
/// assert_eq!(SendCueSheet.cdb_for(32)?.as_bytes(), [0x5d, 0, 0, 0, 0, 0, 0, 0, 32, 0]);
/// assert!(SendCueSheet.cdb_for(33).is_err(), "lines have 8 bytes");
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("SEND_CUE_SHEET", "GPCMD_SEND_CUE_SHEET"))]
pub struct SendCueSheet;

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: [u8; 5],
    size: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

/// The length of a line in bytes.
const LINE: usize = 8;

/// The greatest size that 24 bits can say.
const MAX: usize = 0x00ff_ffff;

impl Command for SendCueSheet {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let too_long = LengthMismatch::TooLong {
            len: data_len,
            max: MAX,
        };
        lengths::at_least(data_len, LINE)?;
        if data_len % LINE != 0 {
            return Err(LengthMismatch::Unit {
                len: data_len,
                block_length: 8,
            });
        }
        let [high, size @ ..] = u32::try_from(data_len).map_err(|_| too_long)?.to_be_bytes();
        if high != 0 {
            return Err(too_long);
        }
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x5d,
            reserved: [0; 5],
            size,
            control: 0,
        })))
    }
}

impl DataOut for SendCueSheet {}

/// A line of a cue sheet: from where on what is written, and how.
///
/// Its ADR is 1, a position; [`CueSheet::catalogue_number`] and [`CueSheet::isrc`] make
/// the lines of ADR 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "CTL/ADR")]
pub struct CueLine {
    /// What kind of track it is.
    pub control: TrackControl,
    /// The track: 0 the lead-in, 1 to 99, `AAh` the lead-out. Not BCD.
    pub track: u8,
    /// The index: 0 a pause, 1 to 99. Not BCD.
    pub index: u8,
    /// The form of the data: main channel in bits 5 to 0 (00h audio, 10h mode 1, 14h no
    /// data from the host), subchannel in bits 7 and 6.
    #[doc(alias = "DATA FORM")]
    pub data_form: u8,
    /// Serial copy management: 80h alternates the copy bit.
    #[doc(alias = "SCMS")]
    pub scms: u8,
    /// When it begins.
    #[doc(alias = "ABSOLUTE TIME")]
    pub time: Msf,
}

impl CueLine {
    /// The bytes to send.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; LINE] {
        let [minute, second, frame] = self.time.to_binary();
        [
            self.control.0 << 4 | 0x01,
            self.track,
            self.index,
            self.data_form,
            self.scms,
            minute,
            second,
            frame,
        ]
    }
}

/// The data of [`SendCueSheet`].
///
/// ```
/// use passthru::scsi::mmc::{CueLine, CueSheet, Msf, TrackControl};
///
/// // An audio disc of one track.
/// let line = |track, index, data_form, (minute, second, frame)| CueLine {
///     control: TrackControl(0),
///     track,
///     index,
///     data_form,
///     scms: 0,
///     time: Msf::new(minute, second, frame).unwrap(),
/// };
/// let sheet = CueSheet::new()
///     .line(line(0x00, 0, 0x01, (0, 0, 0)))
///     .line(line(0x01, 0, 0x00, (0, 0, 0)))
///     .line(line(0x01, 1, 0x00, (0, 2, 0)))
///     .line(line(0xaa, 1, 0x01, (3, 30, 0)));
/// assert_eq!(sheet.as_bytes().len(), 32);
/// assert_eq!(sheet.as_bytes()[24..], [0x01, 0xaa, 1, 0x01, 0, 3, 30, 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CueSheet {
    bytes: Vec<u8>,
}

impl CueSheet {
    /// One without lines.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new() }
    }

    /// Adds a line.
    #[must_use]
    pub fn line(mut self, line: CueLine) -> Self {
        self.bytes.extend_from_slice(&line.to_bytes());
        self
    }

    /// Adds the media catalogue number of the disc, which belongs before all other
    /// lines.
    #[must_use]
    pub fn catalogue_number(mut self, number: Mcn) -> Self {
        let (first, rest) = number.as_bytes().split_at(7);
        for (part, end) in [(first, &[][..]), (rest, &[0])] {
            self.bytes.push(0x02);
            self.bytes.extend_from_slice(part);
            self.bytes.extend_from_slice(end);
        }
        self
    }

    /// Adds the ISRC of a track, which belongs before its other lines.
    #[must_use]
    pub fn isrc(mut self, control: TrackControl, track: u8, code: Isrc) -> Self {
        let (first, rest) = code.as_bytes().split_at(6);
        for part in [first, rest] {
            self.bytes
                .extend_from_slice(&[control.0 << 4 | 0x03, track]);
            self.bytes.extend_from_slice(part);
        }
        self
    }

    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

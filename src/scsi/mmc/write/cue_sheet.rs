//! SEND CUE SHEET.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, lengths};

/// SEND CUE SHEET (5Dh, MMC-6 clause 6): the plan of a session that is written at
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
const _: () = assert!(size_of::<CueLine>() == 8);

/// The greatest size that 24 bits can say.
const MAX: usize = 0x00ff_ffff;

impl Command for SendCueSheet {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let too_long = LengthMismatch::TooLong {
            len: data_len,
            max: MAX,
        };
        lengths::at_least(data_len, size_of::<CueLine>())?;
        if data_len % size_of::<CueLine>() != 0 {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
pub struct CueLine {
    /// Control bits (7 to 4: 4 is data) and ADR (3 to 0: 1 a position, 2 a catalogue
    /// number, 3 an ISRC).
    pub ctl_adr: u8,
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
    /// When it begins: minute, second and frame, binary.
    #[doc(alias = "ABSOLUTE TIME")]
    pub time: [u8; 3],
}

/// The data of [`SendCueSheet`].
///
/// ```
/// use passthru::scsi::mmc::{CueLine, CueSheet};
///
/// // An audio disc of one track.
/// let line = |track, index, data_form, time| CueLine {
///     ctl_adr: 0x01, track, index, data_form, scms: 0, time,
/// };
/// let sheet = CueSheet::new()
///     .line(line(0x00, 0, 0x01, [0, 0, 0]))
///     .line(line(0x01, 0, 0x00, [0, 0, 0]))
///     .line(line(0x01, 1, 0x00, [0, 2, 0]))
///     .line(line(0xaa, 1, 0x01, [3, 30, 0]));
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
        self.bytes.extend_from_slice(line.as_bytes());
        self
    }

    /// Adds the media catalogue number of the disc, which belongs before all other
    /// lines: 13 digits in ASCII.
    #[must_use]
    pub fn catalogue_number(mut self, digits: [u8; 13]) -> Self {
        let (first, rest) = digits.split_at(7);
        for (part, end) in [(first, &[][..]), (rest, &[0])] {
            self.bytes.push(0x02);
            self.bytes.extend_from_slice(part);
            self.bytes.extend_from_slice(end);
        }
        self
    }

    /// Adds the ISRC of a track, which belongs before its other lines: 12 characters in
    /// ASCII. `control` are the track's control bits (0 to 15).
    #[must_use]
    pub fn isrc(mut self, control: u8, track: u8, code: [u8; 12]) -> Self {
        let (first, rest) = code.split_at(6);
        for part in [first, rest] {
            self.bytes.extend_from_slice(&[control << 4 | 0x03, track]);
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

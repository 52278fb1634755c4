//! CLOSE TRACK SESSION.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// What is closed (CLOSE FUNCTION). What each does, and which there are, depends on
/// the medium: see the command in MMC-6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CloseFunction(u8);

impl CloseFunction {
    /// The value of the field, 0 to 7; `None` for what has no room in its 3 bits,
    /// so that nothing else is closed than what was meant.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 7 { Some(Self(value)) } else { None }
    }

    /// The value of the field.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Stops a format in the background at once (DVD+RW).
    pub const STOP_FORMAT: Self = Self(0);
    /// A track.
    pub const TRACK: Self = Self(1);
    /// The last session; on DVD-R the border. On DVD+RW and MRW discs it ends a format
    /// in the background.
    pub const SESSION: Self = Self(2);
    /// A disc, with the lead-out up to a radius of 30 mm at least (DVD+R).
    pub const FINALIZE_MINIMAL: Self = Self(5);
    /// A disc (DVD+R, BD-R).
    pub const FINALIZE: Self = Self(6);
}

/// CLOSE TRACK SESSION (5Bh, MMC-5 6.3): closes a track, a session or a disc.
/// **What is closed cannot be written any more.**
///
/// ```
/// use passthru::scsi::{Command, mmc::CloseTrackSession};
///
/// let track = CloseTrackSession::track(0x0102);
/// assert_eq!(track.cdb_for(0)?.as_bytes(), [0x5b, 0, 1, 0, 1, 2, 0, 0, 0, 0]);
/// let session = CloseTrackSession::session().immediate(true);
/// assert_eq!(session.cdb_for(0)?.as_bytes(), [0x5b, 1, 2, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("CLOSE TRACK/SESSION", "GPCMD_CLOSE_TRACK", "fixate"))]
pub struct CloseTrackSession {
    function: CloseFunction,
    immediate: bool,
    track: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    immediate: u8,
    function: u8,
    reserved_3: u8,
    track: U16,
    reserved_6: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

impl CloseTrackSession {
    /// Closes this.
    #[must_use]
    pub const fn new(function: CloseFunction) -> Self {
        Self {
            function,
            immediate: false,
            track: 0,
        }
    }

    /// Closes a track. FFh is the incomplete one on media that can have only one.
    #[must_use]
    pub const fn track(track: u16) -> Self {
        let mut command = Self::new(CloseFunction::TRACK);
        command.track = track;
        command
    }

    /// Closes the last session.
    #[must_use]
    pub const fn session() -> Self {
        Self::new(CloseFunction::SESSION)
    }

    /// Whether the command ends when it has been understood (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for CloseTrackSession {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x5b,
            immediate: u8::from(self.immediate),
            function: self.function.0,
            reserved_3: 0,
            track: U16::new(self.track),
            reserved_6: [0; 3],
            control: 0,
        })))
    }
}

impl NoData for CloseTrackSession {}

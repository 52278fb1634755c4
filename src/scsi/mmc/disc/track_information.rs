//! READ TRACK INFORMATION (52h).

use core::fmt;

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{I32, U16},
};

use super::{
    Cdb, Command, DataIn, Lba, LengthMismatch, Malformed, Query, ReplyBytes, SizedReply,
    TrackControl, lengths, wire,
};

/// The least that says anything, in bytes.
const HEADER: usize = 4;

/// What the first standard has, and every drive answers.
const LEAST: usize = 28;

/// All of it.
const WHOLE: u16 = 48;

/// The bit of byte 1 that asks for an open track.
const OPEN: u8 = 0x04;

/// READ TRACK INFORMATION (52h, MMC-5 6.27): where a track is, how it was written
/// and where it can be written next.
///
/// On discs that are no CDs a track is what their standards call a zone or a
/// fragment, and a disc that is written at random has one.
///
/// ```
/// use passthru::scsi::{Command, mmc::{Lba, ReadTrackInformation}};
///
/// let command = ReadTrackInformation::of_track(2);
/// assert_eq!(command.cdb_for(48)?.as_bytes(), [0x52, 1, 0, 0, 0, 2, 0, 0, 48, 0]);
/// let command = ReadTrackInformation::at_lba(Lba(-150));
/// assert_eq!(
///     command.cdb_for(36)?.as_bytes(),
///     [0x52, 0, 0xff, 0xff, 0xff, 0x6a, 0, 0, 36, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("READ_TRACK_INFORMATION", "GPCMD_READ_TRACK_RZONE_INFO"))]
pub struct ReadTrackInformation {
    address_type: u8,
    address: i32,
    open: bool,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    address: I32,
    reserved: u8,
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

impl ReadTrackInformation {
    const fn of(address_type: u8, address: i32) -> Self {
        Self {
            address_type,
            address,
            open: false,
            allocation_length: WHOLE,
        }
    }

    /// Asks for the track that has this block. The blocks before the first
    /// track of a CD have negative addresses.
    #[must_use]
    pub const fn at_lba(lba: Lba) -> Self {
        Self::of(0, lba.0)
    }

    /// Asks for the track with this number. On a CD, 0 is the lead-in, and FFh
    /// the track that is invisible because it is not written yet.
    #[must_use]
    pub const fn of_track(number: u16) -> Self {
        Self::of(1, number as i32)
    }

    /// Asks for the first track of this session.
    #[must_use]
    pub const fn of_session(number: u16) -> Self {
        Self::of(2, number as i32)
    }

    /// Asks for the first open track from the given one on (the Open bit).
    #[must_use]
    pub const fn open(mut self, yes: bool) -> Self {
        self.open = yes;
        self
    }

    /// How many bytes to ask for: 4 to 65,535, 48 without this, which is all
    /// that there is. Ask for 36 or 28 if an old drive refuses 48.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for ReadTrackInformation {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let open = if self.open { OPEN } else { 0 };
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x52,
            flags: self.address_type | open,
            address: I32::new(self.address),
            reserved: 0,
            allocation_length: U16::new(lengths::two_bytes(data_len, HEADER)?),
            control: 0,
        })))
    }
}

impl DataIn for ReadTrackInformation {}

impl Query for ReadTrackInformation {
    type Reply<'a> = TrackInformation<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<TrackInformation<'a>, Malformed> {
        let asked = self.reply_length();
        SizedReply::with_16_bits(reply, asked, HEADER, LEAST).map(TrackInformation)
    }
}

/// How the data of a track is written (the data mode).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DataMode(pub u8);

impl DataMode {
    /// 1: mode 1, and what is no CD.
    pub const MODE_1: Self = Self(1);
    /// 2: mode 2.
    pub const MODE_2: Self = Self(2);
    /// Fh: not known, or no data.
    pub const UNKNOWN: Self = Self(0xf);

    /// The name, for the modes that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::MODE_1 => "mode 1",
            Self::MODE_2 => "mode 2",
            Self::UNKNOWN => "unknown",
            _ => return None,
        })
    }
}

impl fmt::Display for DataMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "data mode {}", self.0),
        }
    }
}

/// How a track of a DVD-R with two layers jumps between them (layer jump recording
/// status, LJRS).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "LJRS")]
pub struct LayerJump(pub u8);

impl LayerJump {
    /// 00b: not at all: it is written incrementally, or at once.
    pub const NONE: Self = Self(0);
    /// 01b: it does, and how is not decided yet.
    pub const UNSPECIFIED: Self = Self(1);
    /// 10b: where the host says.
    pub const MANUAL: Self = Self(2);
    /// 11b: at regular intervals.
    pub const REGULAR_INTERVAL: Self = Self(3);

    /// The name, which every value of the two bits has.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NONE => "no layer jumps",
            Self::UNSPECIFIED => "unspecified layer jumps",
            Self::MANUAL => "manual layer jumps",
            Self::REGULAR_INTERVAL => "regular interval layer jumps",
            _ => return None,
        })
    }
}

impl fmt::Display for LayerJump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "layer jump status {}", self.0),
        }
    }
}

/// The reply of READ TRACK INFORMATION (MMC-5 6.27.3). A getter gives `None` if
/// the reply ends before the field.
///
/// ```
/// use passthru::scsi::{Query, ReplyBytes, mmc::{Lba, ReadTrackInformation}};
///
/// let reply = [
///     0, 26, 1, 1, 0, 0x04, 0x41, 0x01, // blank, and the next address is valid
///     0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0x7e, 0x40, 0, 0, 0, 0, 0, 5, 0x7e, 0x40,
/// ];
/// let track = ReadTrackInformation::of_track(1)
///     .allocation_length(28)
///     .parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!(track.is_blank(), Some(true));
/// assert_eq!((track.next_writable(), track.free_blocks()), (Some(Lba(0)), Some(360_000)));
/// assert_eq!(track.last_recorded(), None);
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias("track_information", "RZone"))]
pub struct TrackInformation<'a>(SizedReply<'a>);

impl<'a> TrackInformation<'a> {
    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.0
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        wire::byte(self.0.as_bytes(), offset)
    }

    fn flag(&self, offset: usize, mask: u8) -> Option<bool> {
        wire::flag(self.0.as_bytes(), offset, mask)
    }

    fn count(&self, offset: usize) -> Option<u32> {
        wire::be32(self.0.as_bytes(), offset)
    }

    fn lba(&self, offset: usize) -> Option<Lba> {
        wire::array(self.0.as_bytes(), offset).map(|bytes| Lba(i32::from_be_bytes(bytes)))
    }

    /// The number of the track.
    #[must_use]
    pub fn track(&self) -> Option<u16> {
        self.0.split_number(2, 32)
    }

    /// The number of the session that it is in.
    #[must_use]
    pub fn session(&self) -> Option<u16> {
        self.0.split_number(3, 33)
    }

    /// Whether, and how, it is written with layer jumps.
    #[must_use]
    pub fn layer_jump(&self) -> Option<LayerJump> {
        self.byte(5).map(|byte| LayerJump(byte >> 6))
    }

    /// Whether it was not closed properly, and may need a repair.
    #[must_use]
    pub fn is_damaged(&self) -> Option<bool> {
        self.flag(5, 0x20)
    }

    /// Whether it is a copy of a copy, by what the disc says.
    #[must_use]
    pub fn is_copy(&self) -> Option<bool> {
        self.flag(5, 0x10)
    }

    /// The track mode: on a CD its CONTROL bits, on other discs 4.
    #[must_use]
    pub fn control(&self) -> Option<TrackControl> {
        self.byte(5).map(|byte| TrackControl(byte & 0x0f))
    }

    /// Whether it is reserved: its length is fixed before it is written.
    #[must_use]
    #[doc(alias = "RT")]
    pub fn is_reserved(&self) -> Option<bool> {
        self.flag(6, 0x80)
    }

    /// Whether nothing is written in it.
    #[must_use]
    pub fn is_blank(&self) -> Option<bool> {
        self.flag(6, 0x40)
    }

    /// Whether it is written in packets, or incrementally.
    #[must_use]
    pub fn is_packet(&self) -> Option<bool> {
        self.flag(6, 0x20)
    }

    /// Whether all packets have the same length.
    #[must_use]
    #[doc(alias = "FP")]
    pub fn has_fixed_packets(&self) -> Option<bool> {
        self.flag(6, 0x10)
    }

    /// How its data is written.
    #[must_use]
    pub fn data_mode(&self) -> Option<DataMode> {
        self.byte(6).map(|byte| DataMode(byte & 0x0f))
    }

    /// Its first block.
    #[must_use]
    pub fn start(&self) -> Option<Lba> {
        self.lba(8)
    }

    /// Where it can be written next, if the drive says that this is valid.
    #[must_use]
    #[doc(alias("NWA", "NWA_V"))]
    pub fn next_writable(&self) -> Option<Lba> {
        self.flag(7, 0x01)?.then(|| self.lba(12)).flatten()
    }

    /// How many blocks can still be written.
    #[must_use]
    pub fn free_blocks(&self) -> Option<u32> {
        self.count(16)
    }

    /// The length of a packet in blocks if they are
    /// [fixed](Self::has_fixed_packets); on a DVD or BD how many blocks are
    /// written at once.
    #[must_use]
    #[doc(alias = "blocking factor")]
    pub fn packet_size(&self) -> Option<u32> {
        self.count(20)
    }

    /// Its length in blocks, as the drive has it. What it is of a track with
    /// [layer jumps](Self::layer_jump) is for the standard to say.
    #[must_use]
    pub fn size(&self) -> Option<u32> {
        self.count(24)
    }

    /// The last block that was written, if the drive says that this is valid.
    #[must_use]
    #[doc(alias("LRA", "LRA_V"))]
    pub fn last_recorded(&self) -> Option<Lba> {
        self.flag(7, 0x02)?.then(|| self.lba(28)).flatten()
    }

    /// Up to which block a drive for reading can read.
    #[must_use]
    pub fn read_compatibility(&self) -> Option<Lba> {
        self.lba(36)
    }

    /// Where the next jump to the other layer is.
    #[must_use]
    pub fn next_layer_jump(&self) -> Option<Lba> {
        self.lba(40)
    }

    /// Where the last jump to the other layer was.
    #[must_use]
    pub fn last_layer_jump(&self) -> Option<Lba> {
        self.lba(44)
    }
}

#[cfg(test)]
#[path = "track_information_tests.rs"]
mod tests;

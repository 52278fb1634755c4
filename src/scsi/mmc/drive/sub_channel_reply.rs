//! The reply of READ SUB-CHANNEL.

use super::{SubChannelFormat, sub_channel::HEADER};
use crate::scsi::{LengthLie, Malformed, mode::lengths, wire};

/// What a drive that plays audio by itself does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("AUDIO STATUS", "CDROM_AUDIO_PLAY"))]
pub struct AudioStatus(pub u8);

impl AudioStatus {
    /// It cannot say.
    pub const INVALID: Self = Self(0x00);
    /// It plays.
    pub const PLAYING: Self = Self(0x11);
    /// It pauses.
    pub const PAUSED: Self = Self(0x12);
    /// It has played to the end.
    pub const COMPLETED: Self = Self(0x13);
    /// It stopped because of an error.
    pub const ERROR: Self = Self(0x14);
    /// Nothing new.
    pub const NO_STATUS: Self = Self(0x15);
}

/// An address in a reply, in the form that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubChannelAddress {
    /// A block; negative before the first.
    Lba(i32),
    /// Minute, second and frame, binary.
    Msf([u8; 3]),
}

/// Where a drive is on a CD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubChannelPosition {
    /// What the Q subchannel held: 1 is a position.
    pub adr: u8,
    /// The control bits: 4 is data, 2 copy permitted, 1 pre-emphasis.
    pub control: u8,
    /// The track.
    pub track: u8,
    /// The index in it.
    pub index: u8,
    /// The place on the disc.
    pub absolute: SubChannelAddress,
    /// The place in the track.
    pub relative: SubChannelAddress,
}

/// The reply of [`ReadSubChannel`](super::ReadSubChannel).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubChannel {
    /// All of the three formats have 24 bytes or fewer.
    bytes: [u8; 24],
    /// How many of them are there.
    len: usize,
    arrived: usize,
    asked: usize,
    msf: bool,
}

impl SubChannel {
    /// Reads bytes that came from elsewhere than a command; `msf` says in which form
    /// addresses were asked for.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(msf: bool, bytes: &[u8]) -> Result<Self, Malformed> {
        Self::asked(msf, bytes, bytes.len())
    }

    pub(super) fn asked(msf: bool, from: &[u8], asked: usize) -> Result<Self, Malformed> {
        lengths::enough(from, HEADER)?;
        let end = usize::from(wire::be16(from, 2).unwrap_or(0)).saturating_add(HEADER);
        let present = wire::head(wire::head(from, end), 24);
        let mut bytes = [0; 24];
        for (to, from) in bytes.iter_mut().zip(present) {
            *to = *from;
        }
        Ok(Self {
            bytes,
            len: present.len(),
            arrived: from.len(),
            asked,
            msf,
        })
    }

    fn present(&self) -> &[u8] {
        wire::head(&self.bytes, self.len)
    }

    /// What the drive plays.
    #[must_use]
    pub const fn audio_status(&self) -> AudioStatus {
        AudioStatus(self.bytes[1])
    }

    /// The data length as the device has it, without the header.
    #[must_use]
    #[doc(alias = "SUB-CHANNEL DATA LENGTH")]
    pub fn data_length(&self) -> u16 {
        wire::be16(&self.bytes, 2).unwrap_or(0)
    }

    /// Which format the reply says that it has.
    #[must_use]
    pub fn format(&self) -> Option<SubChannelFormat> {
        wire::byte(self.present(), HEADER).map(SubChannelFormat)
    }

    /// What follows the header, as far as it is there; of other formats than the three
    /// up to 20 bytes.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        self.present().get(HEADER..).unwrap_or_default()
    }

    fn address(&self, offset: usize) -> Option<SubChannelAddress> {
        let [first, rest @ ..] = wire::array::<4>(self.present(), offset)?;
        Some(if self.msf {
            SubChannelAddress::Msf(rest)
        } else {
            let [second, third, fourth] = rest;
            SubChannelAddress::Lba(i32::from_be_bytes([first, second, third, fourth]))
        })
    }

    fn is(&self, format: SubChannelFormat) -> Option<&[u8]> {
        (self.format() == Some(format)).then(|| self.present())
    }

    /// Where the drive is, if the reply is that.
    #[must_use]
    pub fn position(&self) -> Option<SubChannelPosition> {
        let bytes = self.is(SubChannelFormat::POSITION)?;
        let adr_control = wire::byte(bytes, 5)?;
        Some(SubChannelPosition {
            adr: adr_control >> 4,
            control: adr_control & 0x0f,
            track: wire::byte(bytes, 6)?,
            index: wire::byte(bytes, 7)?,
            absolute: self.address(8)?,
            relative: self.address(12)?,
        })
    }

    /// The media catalogue number, 13 digits in ASCII, if the drive found one (MCVAL).
    #[must_use]
    #[doc(alias("MCVAL", "UPC", "EAN"))]
    pub fn catalogue_number(&self) -> Option<[u8; 13]> {
        let bytes = self.is(SubChannelFormat::MCN)?;
        wire::array(bytes, 9).filter(|_| wire::flag(bytes, 8, 0x80) == Some(true))
    }

    /// The ISRC of the track, 12 characters in ASCII, if the drive found one (TCVAL).
    #[must_use]
    #[doc(alias = "TCVAL")]
    pub fn isrc(&self) -> Option<[u8; 12]> {
        let bytes = self.is(SubChannelFormat::ISRC)?;
        wire::array(bytes, 9).filter(|_| wire::flag(bytes, 8, 0x80) == Some(true))
    }

    /// The track that an ISRC is of.
    #[must_use]
    pub fn isrc_track(&self) -> Option<u8> {
        wire::byte(self.is(SubChannelFormat::ISRC)?, 6)
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let claimed = usize::from(self.data_length()).saturating_add(HEADER);
        lengths::lie(claimed, HEADER, self.arrived, self.asked)
    }
}

//! The reply of READ SUB-CHANNEL.

use super::{Isrc, Lba, Mcn, Msf, SubChannelFormat, TrackControl, sub_channel::HEADER};
use crate::scsi::{LengthLie, Malformed, lengths, wire};

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
    Lba(Lba),
    /// A time.
    Msf(Msf),
}

/// Where a drive is on a CD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubChannelPosition {
    /// What the Q subchannel held: 1 is a position.
    pub adr: u8,
    /// What kind of track it is.
    pub control: TrackControl,
    /// The track.
    pub track: u8,
    /// The index in it.
    pub index: u8,
    /// The place on the disc; `None` if it is a time that cannot be.
    pub absolute: Option<SubChannelAddress>,
    /// The place in the track; `None` if it is a time that cannot be.
    pub relative: Option<SubChannelAddress>,
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

    fn address(&self, bytes: [u8; 4]) -> Option<SubChannelAddress> {
        if self.msf {
            let [_, time @ ..] = bytes;
            Msf::from_binary(time).map(SubChannelAddress::Msf)
        } else {
            Some(SubChannelAddress::Lba(Lba(i32::from_be_bytes(bytes))))
        }
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
            control: TrackControl(adr_control & 0x0f),
            track: wire::byte(bytes, 6)?,
            index: wire::byte(bytes, 7)?,
            absolute: self.address(wire::array(bytes, 8)?),
            relative: self.address(wire::array(bytes, 12)?),
        })
    }

    /// The media catalogue number, if the drive found one (MCVAL) and it is one.
    #[must_use]
    #[doc(alias("MCVAL", "UPC", "EAN"))]
    pub fn catalogue_number(&self) -> Option<Mcn> {
        let bytes = self.is(SubChannelFormat::MCN)?;
        let valid = wire::flag(bytes, 8, 0x80)?;
        wire::array(bytes, 9).filter(|_| valid).and_then(Mcn::new)
    }

    /// The ISRC of the track, if the drive found one (TCVAL) and it is one.
    #[must_use]
    #[doc(alias = "TCVAL")]
    pub fn isrc(&self) -> Option<Isrc> {
        let bytes = self.is(SubChannelFormat::ISRC)?;
        let valid = wire::flag(bytes, 8, 0x80)?;
        wire::array(bytes, 9).filter(|_| valid).and_then(Isrc::new)
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

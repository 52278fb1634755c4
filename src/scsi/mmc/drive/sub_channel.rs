//! READ SUB-CHANNEL.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::SubChannel;
use crate::scsi::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, lengths};

/// What READ SUB-CHANNEL returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "SUB-CHANNEL PARAMETER LIST")]
pub struct SubChannelFormat(pub u8);

impl SubChannelFormat {
    /// Where the drive is.
    pub const POSITION: Self = Self(1);
    /// The media catalogue number.
    pub const MCN: Self = Self(2);
    /// The ISRC of a track.
    pub const ISRC: Self = Self(3);
}

/// READ SUB-CHANNEL (42h, MMC-6 clause 6): what the Q subchannel of a CD says.
///
/// **On disks 42h is UNMAP**: send it to optical drives only. Handles opened
/// read-only [refuse it](crate::scsi::is_read_only) for all other devices.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes, mmc::{Mcn, ReadSubChannel}};
///
/// let command = ReadSubChannel::catalogue_number();
/// assert_eq!(command.cdb_for(24)?.as_bytes(), [0x42, 0, 0x40, 2, 0, 0, 0, 0, 24, 0]);
///
/// let reply = b"\0\x15\0\x14\x02\0\0\0\x804008321123456\0\x21";
/// let reply = command.parse(ReplyBytes::borrowed(reply)).unwrap();
/// assert_eq!(reply.catalogue_number(), Mcn::new(*b"4008321123456"));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("READ_SUBCHANNEL", "GPCMD_READ_SUBCHANNEL"))]
pub struct ReadSubChannel {
    msf: bool,
    sub_q: bool,
    format: SubChannelFormat,
    track: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    msf: u8,
    sub_q: u8,
    format: u8,
    reserved: [u8; 2],
    track: u8,
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

/// The header of the reply.
pub(super) const HEADER: usize = 4;

impl ReadSubChannel {
    const fn new(format: SubChannelFormat) -> Self {
        Self {
            msf: false,
            sub_q: true,
            format,
            track: 0,
        }
    }

    /// Asks where the drive is: track, index and address.
    #[must_use]
    pub const fn position() -> Self {
        Self::new(SubChannelFormat::POSITION)
    }

    /// Asks for the media catalogue number (UPC, EAN). Drives may have to look for it
    /// in the first track.
    #[must_use]
    #[doc(alias("MCN", "UPC", "EAN"))]
    pub const fn catalogue_number() -> Self {
        Self::new(SubChannelFormat::MCN)
    }

    /// Asks for the International Standard Recording Code of a track, 1 to 99.
    #[must_use]
    pub const fn isrc(track: u8) -> Self {
        let mut command = Self::new(SubChannelFormat::ISRC);
        command.track = track;
        command
    }

    /// Asks for something else.
    #[must_use]
    pub const fn other(format: SubChannelFormat) -> Self {
        Self::new(format)
    }

    /// Asks for nothing but the header with its audio status (SUBQ 0).
    #[must_use]
    #[doc(alias = "SUBQ")]
    pub const fn status_only(mut self) -> Self {
        self.sub_q = false;
        self
    }

    /// Whether addresses come as minute, second and frame (MSF).
    #[must_use]
    #[doc(alias = "MSF")]
    pub const fn msf(mut self, msf: bool) -> Self {
        self.msf = msf;
        self
    }
}

impl Command for ReadSubChannel {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, HEADER)?;
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x42,
            msf: if self.msf { 0x02 } else { 0 },
            sub_q: if self.sub_q { 0x40 } else { 0 },
            format: self.format.0,
            reserved: [0; 2],
            track: self.track,
            allocation_length: U16::new(allocation_length),
            control: 0,
        })))
    }
}

impl DataIn for ReadSubChannel {}

impl Query for ReadSubChannel {
    type Reply<'a> = SubChannel;

    fn reply_length(&self) -> usize {
        match (self.sub_q, self.format) {
            (false, _) => HEADER,
            (true, SubChannelFormat::POSITION) => 16,
            _ => 24,
        }
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<SubChannel, Malformed> {
        SubChannel::asked(self.msf, &reply, self.reply_length())
    }
}

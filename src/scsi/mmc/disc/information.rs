//! READ DISC INFORMATION (51h).

mod fields;
mod resources;

pub use fields::{BackgroundFormat, DiscStatus, DiscType, OpcEntry, SessionStatus};
pub use resources::{
    PowResources, PowResourcesInformation, TrackResources, TrackResourcesInformation,
};

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{
    Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, SizedReply, lengths, wire,
};

/// The least that says anything: the length and the data type.
const HEADER: usize = 4;

/// The standard disc information without calibration entries, in bytes.
const STANDARD: usize = 34;

/// One of the data types of READ DISC INFORMATION: [`StandardInformation`],
/// [`TrackResources`] and [`PowResources`].
pub trait DiscInformationKind: sealed::Sealed {
    /// The parsed reply.
    type Reply<'a>;
}

mod sealed {
    use super::SizedReply;

    pub trait Sealed {
        /// The number of the data type.
        const DATA_TYPE: u8;

        /// The least bytes of a whole reply.
        const LEAST: usize;

        /// Reads a reply of this data type.
        fn read(reply: SizedReply<'_>) -> Self::Reply<'_>
        where
            Self: super::DiscInformationKind;
    }
}

/// Data type 0: what is on the disc. The reply is a [`DiscInformation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StandardInformation;

/// READ DISC INFORMATION (51h, MMC-5 6.22): whether a disc is empty, can be
/// appended to or is closed, how many sessions it has, and what kind it is.
///
/// A reply of another data type than the one asked for is
/// [`Malformed::OtherFormat`], with the two types as its numbers.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes};
/// use passthru::scsi::mmc::{DiscStatus, DiscType, ReadDiscInformation};
///
/// let command = ReadDiscInformation::standard();
/// assert_eq!(command.cdb_for(34)?.as_bytes(), [0x51, 0, 0, 0, 0, 0, 0, 0, 34, 0]);
///
/// let mut reply = [0; 34];
/// reply[..9].copy_from_slice(&[0, 32, 0x0e, 1, 1, 1, 2, 0x20, 0x00]);
/// let disc = command.parse(ReplyBytes::borrowed(&reply)).unwrap();
/// assert_eq!(disc.status(), Some(DiscStatus::FINALIZED));
/// assert_eq!(disc.disc_type(), Some(DiscType::CD));
/// assert_eq!(disc.last_track(), Some(2));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("READ_DISC_INFORMATION", "GPCMD_READ_DISC_INFO"))]
pub struct ReadDiscInformation<K> {
    kind: K,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    data_type: u8,
    reserved: [u8; 5],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

impl ReadDiscInformation<StandardInformation> {
    /// Asks for what is on the disc. The default length has room for 16
    /// calibration entries.
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            kind: StandardInformation,
            allocation_length: 162,
        }
    }
}

impl ReadDiscInformation<TrackResources> {
    /// Asks how many tracks a disc can have.
    #[must_use]
    pub const fn track_resources() -> Self {
        Self {
            kind: TrackResources,
            allocation_length: 12,
        }
    }
}

impl ReadDiscInformation<PowResources> {
    /// Asks how often blocks of a BD-R can still be overwritten.
    #[must_use]
    pub const fn pow_resources() -> Self {
        Self {
            kind: PowResources,
            allocation_length: 16,
        }
    }
}

impl<K> ReadDiscInformation<K> {
    /// How many bytes to ask for: 4 to 65,535.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl<K: DiscInformationKind> Command for ReadDiscInformation<K> {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x51,
            data_type: K::DATA_TYPE,
            reserved: [0; 5],
            allocation_length: U16::new(lengths::two_bytes(data_len, HEADER)?),
            control: 0,
        })))
    }
}

impl<K: DiscInformationKind> DataIn for ReadDiscInformation<K> {}

impl<K: DiscInformationKind> Query for ReadDiscInformation<K> {
    type Reply<'a> = K::Reply<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<K::Reply<'a>, Malformed> {
        let reply = SizedReply::with_16_bits(reply, self.reply_length(), HEADER, K::LEAST)?;
        let got = wire::byte(reply.arrived(), 2).unwrap_or(0) >> 5;
        if got != K::DATA_TYPE {
            return Err(Malformed::OtherFormat {
                asked: K::DATA_TYPE,
                got,
            });
        }
        Ok(K::read(reply))
    }
}

impl DiscInformationKind for StandardInformation {
    type Reply<'a> = DiscInformation<'a>;
}

impl sealed::Sealed for StandardInformation {
    const DATA_TYPE: u8 = 0;
    const LEAST: usize = STANDARD;

    fn read(reply: SizedReply<'_>) -> DiscInformation<'_> {
        DiscInformation(reply)
    }
}

/// The standard disc information (MMC-5 6.22.3.1). A getter gives `None` if the
/// reply ends before the field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "disc_information")]
pub struct DiscInformation<'a>(SizedReply<'a>);

impl<'a> DiscInformation<'a> {
    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.0
    }

    fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Whether the disc can be erased.
    #[must_use]
    pub fn is_erasable(&self) -> Option<bool> {
        wire::flag(self.bytes(), 2, 0x10)
    }

    /// The state of the last session.
    #[must_use]
    pub fn last_session_status(&self) -> Option<SessionStatus> {
        wire::byte(self.bytes(), 2).map(|byte| SessionStatus((byte >> 2) & 0x03))
    }

    /// The state of the disc.
    #[must_use]
    pub fn status(&self) -> Option<DiscStatus> {
        wire::byte(self.bytes(), 2).map(|byte| DiscStatus(byte & 0x03))
    }

    /// The number of the disc's first track.
    #[must_use]
    pub fn first_track(&self) -> Option<u8> {
        wire::byte(self.bytes(), 3)
    }

    /// How many sessions there are, an empty or incomplete last one too.
    #[must_use]
    pub fn sessions(&self) -> Option<u16> {
        self.0.split_number(4, 9)
    }

    /// The number of the first track of the last session.
    #[must_use]
    pub fn first_track_of_last_session(&self) -> Option<u16> {
        self.0.split_number(5, 10)
    }

    /// The number of the last track of the last session, that is of the disc.
    #[must_use]
    pub fn last_track(&self) -> Option<u16> {
        self.0.split_number(6, 11)
    }

    /// Whether the disc is for unrestricted use.
    #[must_use]
    #[doc(alias = "URU")]
    pub fn is_unrestricted(&self) -> Option<bool> {
        wire::flag(self.bytes(), 7, 0x20)
    }

    /// Whether a Mount Rainier disc has changes that its structures do not show
    /// yet.
    #[must_use]
    #[doc(alias = "Dbit")]
    pub fn is_dirty(&self) -> Option<bool> {
        wire::flag(self.bytes(), 7, 0x04)
    }

    /// How far formatting in the background is.
    #[must_use]
    #[doc(alias = "mrw_status")]
    pub fn background_format(&self) -> Option<BackgroundFormat> {
        wire::byte(self.bytes(), 7).map(|byte| BackgroundFormat(byte & 0x03))
    }

    /// The type of a CD.
    #[must_use]
    pub fn disc_type(&self) -> Option<DiscType> {
        wire::byte(self.bytes(), 8).map(DiscType)
    }

    /// The identification of a recordable CD, if the drive says that it is
    /// valid.
    #[must_use]
    #[doc(alias = "DID_V")]
    pub fn identification(&self) -> Option<u32> {
        self.valid(0x80)?;
        wire::be32(self.bytes(), 12)
    }

    /// Where the lead-in of the last session begins, as it came: on a CD 0,
    /// minute, second and frame, and FFh in all if there is none. Other discs
    /// have 0 here.
    #[must_use]
    pub fn last_session_lead_in(&self) -> Option<[u8; 4]> {
        wire::array(self.bytes(), 16)
    }

    /// Where the lead-out can begin at the latest, as it came: on a CD 0, minute,
    /// second and frame, and FFh in all if the disc is closed.
    #[must_use]
    pub fn last_possible_lead_out(&self) -> Option<[u8; 4]> {
        wire::array(self.bytes(), 20)
    }

    /// The bar code on the disc, if the drive says that it is valid.
    #[must_use]
    #[doc(alias = "DBC_V")]
    pub fn bar_code(&self) -> Option<[u8; 8]> {
        self.valid(0x40)?;
        wire::array(self.bytes(), 24)
    }

    /// The disc application code, if the drive says that it is valid.
    #[must_use]
    #[doc(alias = "DAC_V")]
    pub fn application_code(&self) -> Option<u8> {
        self.valid(0x10)?;
        wire::byte(self.bytes(), 32)
    }

    /// `Some` if this bit of byte 7 says that a field is valid.
    fn valid(&self, mask: u8) -> Option<()> {
        wire::flag(self.bytes(), 7, mask)?.then_some(())
    }

    /// The power calibrations that the drive has for the disc: as many as it
    /// says it has, or fewer if the reply ends before.
    pub fn calibrations(&self) -> impl Iterator<Item = OpcEntry> + '_ {
        let count = wire::byte(self.bytes(), 33).map_or(0, usize::from);
        self.0
            .list(STANDARD)
            .chunks_exact(8)
            .take(count)
            .filter_map(|entry| {
                Some(OpcEntry {
                    speed: wire::be16(entry, 0)?,
                    values: wire::array(entry, 2)?,
                })
            })
    }
}

#[cfg(test)]
mod tests;

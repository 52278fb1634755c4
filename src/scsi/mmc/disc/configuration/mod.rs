//! GET CONFIGURATION (46h): what the drive can do, and what the disc in it is.

mod code;
mod drive;
mod feature;
mod profile;
mod read;
mod write;

pub use code::FeatureCode;
pub use drive::{
    Aacs, CdAudioPlay, Core, DvdCss, MicrocodeUpgrade, Morphing, PhysicalInterface,
    RealTimeStreaming, RemovableMedium, TimeoutFeature,
};
pub use feature::{Feature, FeatureData, Features};
pub use profile::{Profile, ProfileEntry, Profiles};
pub use read::{BdRead, CdRead, DvdRead, RandomReadable};
pub use write::{
    BdWrite, CdMastering, CdTrackAtOnce, DvdRwWrite, IncrementalStreaming, RandomWritable,
};

use core::fmt;

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use super::{
    Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, SizedReply, lengths, wire,
};

/// The header of the reply, in bytes.
const HEADER: usize = 8;

/// Which features a drive is asked for (the RT field).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "RT")]
pub struct RequestType(pub u8);

impl RequestType {
    /// 00b: all from the starting feature on.
    pub const ALL: Self = Self(0);
    /// 01b: those from the starting feature on that are current.
    pub const CURRENT: Self = Self(1);
    /// 10b: the starting feature alone.
    pub const ONE: Self = Self(2);

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::ALL => "all features",
            Self::CURRENT => "current features",
            Self::ONE => "one feature",
            _ => return None,
        })
    }
}

impl fmt::Display for RequestType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "request type {}", self.0),
        }
    }
}

/// GET CONFIGURATION (46h, MMC-5 6.6): the current profile, and the features of
/// the drive.
///
/// A drive with many features has a reply of some 500 bytes; the default length
/// has room for more. For the current profile alone, 8 bytes are enough.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes};
/// use passthru::scsi::mmc::{FeatureCode, FeatureData, GetConfiguration, Profile};
///
/// let command = GetConfiguration::one(FeatureCode::CD_READ);
/// assert_eq!(
///     command.cdb_for(16)?.as_bytes(),
///     [0x46, 0x02, 0x00, 0x1e, 0, 0, 0, 0, 16, 0],
/// );
///
/// let reply = [0, 0, 0, 12, 0, 0, 0x00, 0x08, 0x00, 0x1e, 0x09, 4, 0x03, 0, 0, 0];
/// let configuration = command.parse(ReplyBytes::borrowed(&reply)).unwrap();
/// assert_eq!(configuration.current_profile(), Profile::CD_ROM);
/// let feature = configuration.feature(FeatureCode::CD_READ).unwrap();
/// let FeatureData::CdRead(cd) = feature.data() else { panic!() };
/// assert_eq!((cd.c2_pointers, cd.cd_text), (Some(true), Some(true)));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("GET_CONFIGURATION", "GPCMD_GET_CONFIGURATION", "features"))]
pub struct GetConfiguration {
    request: RequestType,
    start: FeatureCode,
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    request: u8,
    start: U16,
    reserved: [u8; 3],
    allocation_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 10);

impl GetConfiguration {
    /// Asks for these features from feature 0 on.
    #[must_use]
    pub const fn new(request: RequestType) -> Self {
        Self {
            request,
            start: FeatureCode::PROFILE_LIST,
            allocation_length: 2048,
        }
    }

    /// Asks for all features.
    #[must_use]
    pub const fn all() -> Self {
        Self::new(RequestType::ALL)
    }

    /// Asks for the features that are current, which are those that work with
    /// the disc in the drive.
    #[must_use]
    pub const fn current() -> Self {
        Self::new(RequestType::CURRENT)
    }

    /// Asks for one feature. A drive that does not have it answers with none.
    #[must_use]
    pub const fn one(feature: FeatureCode) -> Self {
        Self::new(RequestType::ONE).starting_feature(feature)
    }

    /// Asks for features from this one on.
    #[must_use]
    pub const fn starting_feature(mut self, feature: FeatureCode) -> Self {
        self.start = feature;
        self
    }

    /// How many bytes to ask for: 8 to 65,535, 2,048 without this.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Command for GetConfiguration {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        Ok(Cdb::from_array::<10>(zerocopy::transmute!(Wire {
            opcode: 0x46,
            request: self.request.0 & 0x03,
            start: U16::new(self.start.0),
            reserved: [0; 3],
            allocation_length: U16::new(lengths::two_bytes(data_len, HEADER)?),
            control: 0,
        })))
    }
}

impl DataIn for GetConfiguration {}

impl Query for GetConfiguration {
    type Reply<'a> = Configuration<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<Configuration<'a>, Malformed> {
        Ok(Configuration {
            reply: SizedReply::with_32_bits(reply, self.reply_length(), HEADER, HEADER)?,
            request: self.request,
            start: self.start,
        })
    }
}

/// The reply of GET CONFIGURATION; made by [`GetConfiguration`] from saved bytes,
/// too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration<'a> {
    reply: SizedReply<'a>,
    request: RequestType,
    start: FeatureCode,
}

impl<'a> Configuration<'a> {
    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.reply
    }

    /// The profile that goes with the disc in the drive;
    /// [`Profile::NONE`] without one.
    #[must_use]
    pub fn current_profile(&self) -> Profile {
        Profile(wire::be16(self.reply.arrived(), 6).unwrap_or(0))
    }

    /// The features in the drive's order, which is ascending by the standard.
    ///
    /// One that runs past the end gives one error, and the walk is over: so it
    /// is with the last one if the reply is
    /// [truncated](SizedReply::is_truncated).
    #[must_use]
    pub fn features(&self) -> Features<'_> {
        Features::new(self.reply.list(HEADER))
    }

    /// The feature with this code, if the reply has it.
    #[must_use]
    pub fn feature(&self, code: FeatureCode) -> Option<Feature<'_>> {
        self.features()
            .filter_map(Result::ok)
            .find(|feature| feature.code() == code)
    }

    /// Whether there is a feature that was not asked for: the drive ignores the
    /// request type or the starting feature, as QEMU's SCSI drive does. What it
    /// sent is right nevertheless, and [`feature`](Self::feature) finds it.
    #[must_use]
    pub fn ignores_request(&self) -> bool {
        let unasked = |feature: Feature<'_>| match self.request {
            RequestType::ONE => feature.code() != self.start,
            RequestType::CURRENT => feature.code() < self.start || !feature.is_current(),
            _ => feature.code() < self.start,
        };
        self.features().filter_map(Result::ok).any(unasked)
    }
}

#[cfg(test)]
mod tests;

//! What a disc has left: tracks, and blocks that can be overwritten.

use super::{DiscInformationKind, SizedReply, sealed, wire};

/// Data type 1: how many tracks there can be. The reply is a
/// [`TrackResourcesInformation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrackResources;

/// Data type 2: how often blocks of a BD-R can be overwritten. The reply is a
/// [`PowResourcesInformation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowResources;

impl DiscInformationKind for TrackResources {
    type Reply<'a> = TrackResourcesInformation<'a>;
}

impl sealed::Sealed for TrackResources {
    const DATA_TYPE: u8 = 1;
    const LEAST: usize = 12;

    fn read(reply: SizedReply<'_>) -> TrackResourcesInformation<'_> {
        TrackResourcesInformation(reply)
    }
}

impl DiscInformationKind for PowResources {
    type Reply<'a> = PowResourcesInformation<'a>;
}

impl sealed::Sealed for PowResources {
    const DATA_TYPE: u8 = 2;
    const LEAST: usize = 16;

    fn read(reply: SizedReply<'_>) -> PowResourcesInformation<'_> {
        PowResourcesInformation(reply)
    }
}

/// How many tracks a disc can have (MMC-5 6.22, data type 001b). A getter gives `None` if the
/// reply ends before the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackResourcesInformation<'a>(SizedReply<'a>);

impl<'a> TrackResourcesInformation<'a> {
    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.0
    }

    /// How many tracks there can be.
    #[must_use]
    pub fn max_tracks(&self) -> Option<u16> {
        wire::be16(self.0.as_bytes(), 4)
    }

    /// How many there are.
    #[must_use]
    pub fn tracks(&self) -> Option<u16> {
        wire::be16(self.0.as_bytes(), 6)
    }

    /// How many there can be that can be appended to.
    #[must_use]
    pub fn max_appendable_tracks(&self) -> Option<u16> {
        wire::be16(self.0.as_bytes(), 8)
    }

    /// How many there are that can be appended to.
    #[must_use]
    pub fn appendable_tracks(&self) -> Option<u16> {
        wire::be16(self.0.as_bytes(), 10)
    }
}

/// What a BD-R has left for pseudo-overwriting (MMC-5 6.22, data type 010b). A getter gives
/// `None` if the reply ends before the field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[doc(alias = "POW")]
pub struct PowResourcesInformation<'a>(SizedReply<'a>);

impl<'a> PowResourcesInformation<'a> {
    /// The reply's bytes and its length.
    #[must_use]
    pub const fn reply(&self) -> &SizedReply<'a> {
        &self.0
    }

    /// How many replacements are left.
    #[must_use]
    pub fn replacements(&self) -> Option<u32> {
        wire::be32(self.0.as_bytes(), 4)
    }

    /// How many entries are left in the map of replaced blocks.
    #[must_use]
    pub fn map_entries(&self) -> Option<u32> {
        wire::be32(self.0.as_bytes(), 8)
    }

    /// How many updates of that map are left.
    #[must_use]
    pub fn updates(&self) -> Option<u32> {
        wire::be32(self.0.as_bytes(), 12)
    }
}

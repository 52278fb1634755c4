//! What is on a disc: tables of contents, CD-TEXT, information on discs and tracks, features.

mod address;
mod cd_text;
mod configuration;
mod information;
mod sized;
mod toc;
mod track_information;

use super::crc;

pub use cd_text::{
    CdText, CdTextBlock, CdTextCharacters, CdTextFault, CdTextGenre, CdTextLanguage, CdTextPack,
    CdTextSizes, CdTextString, GenreCode, PackType,
};
pub use configuration::{
    Aacs, BdRead, BdWrite, CdAudioPlay, CdMastering, CdRead, CdTrackAtOnce, Configuration, Core,
    DvdCss, DvdRead, DvdRwWrite, Feature, FeatureCode, FeatureData, Features, GetConfiguration,
    IncrementalStreaming, MediumLoading, MicrocodeUpgrade, Morphing, PhysicalInterface, Profile,
    ProfileEntry, Profiles, RandomReadable, RandomWritable, RealTimeStreaming, RemovableMedium,
    RequestType, TimeoutFeature,
};
pub use information::{
    BackgroundFormat, DiscInformation, DiscInformationKind, DiscStatus, DiscType, OpcEntry,
    PowResources, PowResourcesInformation, ReadDiscInformation, SessionStatus, StandardInformation,
    TrackResources, TrackResourcesInformation,
};
pub use sized::SizedReply;
pub use toc::{
    Atip, FullToc, LastSession, Pma, ReadToc, Toc, TocAtip, TocCdText, TocEncoding, TocEntry,
    TocFault, TocFormat, TocFull, TocPma, TocPoint, TocQEntry, TocSession, TocSessions, TocTrack,
    TocTracks, TrackControl,
};
pub use track_information::{DataMode, LayerJump, ReadTrackInformation, TrackInformation};

use super::super::{
    Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, wire,
};

/// The allocation length of 16 bits for a buffer of `len` bytes, at least `min`
/// of them.
fn allocation_length(len: usize, min: usize) -> Result<u16, LengthMismatch> {
    if len < min {
        return Err(LengthMismatch::TooShort { len, min });
    }
    u16::try_from(len).map_err(|_| LengthMismatch::TooLong {
        len,
        max: usize::from(u16::MAX),
    })
}

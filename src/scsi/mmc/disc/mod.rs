//! What is on a disc: tables of contents, CD-TEXT, information on discs and tracks, features.

mod cd_text;
mod configuration;
mod information;
mod toc;
mod track_information;

pub use cd_text::{
    CdText, CdTextBlock, CdTextCharacters, CdTextFault, CdTextGenre, CdTextLanguage, CdTextPack,
    CdTextSizes, CdTextString, GenreCode, PackType,
};
pub use configuration::{
    Aacs, BdRead, BdWrite, CdAudioPlay, CdMastering, CdRead, CdTrackAtOnce, Configuration, Core,
    DvdCss, DvdRead, DvdRwWrite, Feature, FeatureCode, FeatureData, Features, GetConfiguration,
    IncrementalStreaming, MicrocodeUpgrade, Morphing, PhysicalInterface, Profile, ProfileEntry,
    Profiles, RandomReadable, RandomWritable, RealTimeStreaming, RemovableMedium, RequestType,
    TimeoutFeature,
};
pub use information::{
    BackgroundFormat, DiscInformation, DiscInformationKind, DiscStatus, DiscType, OpcEntry,
    PowResources, PowResourcesInformation, ReadDiscInformation, SessionStatus, StandardInformation,
    TrackResources, TrackResourcesInformation,
};
pub use toc::{
    Atip, FullToc, LastSession, Pma, ReadToc, Toc, TocAtip, TocCdText, TocEntry, TocFault,
    TocFormat, TocFull, TocPma, TocPoint, TocQEntry, TocSession, TocSessions, TocTrack, TocTracks,
};
pub use track_information::{DataMode, LayerJump, ReadTrackInformation, TrackInformation};

use super::{
    super::{
        Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, lengths,
        wire,
    },
    Bcd, Lba, Msf, NumberEncoding, SizedReply, TrackControl, crc,
};

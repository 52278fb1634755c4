//! Optical drives (MMC-6): their commands and replies.

mod address;
mod control;
mod crc;
mod disc;
mod drive;
mod encoding;
mod read;
mod sized;
mod write;

pub use address::{Bcd, Lba, Msf, TrackNumber};
pub use control::TrackControl;
pub use disc::{
    Aacs, Atip, BackgroundFormat, BdRead, BdWrite, CdAudioPlay, CdMastering, CdRead, CdText,
    CdTextBlock, CdTextCharacters, CdTextFault, CdTextGenre, CdTextLanguage, CdTextPack,
    CdTextSizes, CdTextString, CdTrackAtOnce, Configuration, Core, DataMode, DiscInformation,
    DiscInformationKind, DiscStatus, DiscType, DvdCss, DvdRead, DvdRwWrite, Feature, FeatureCode,
    FeatureData, Features, FullToc, GenreCode, GetConfiguration, IncrementalStreaming, LastSession,
    LayerJump, MicrocodeUpgrade, Morphing, OpcEntry, PackType, PhysicalInterface, Pma,
    PowResources, PowResourcesInformation, Profile, ProfileEntry, Profiles, RandomReadable,
    RandomWritable, ReadDiscInformation, ReadToc, ReadTrackInformation, RealTimeStreaming,
    RemovableMedium, RequestType, SessionStatus, StandardInformation, TimeoutFeature, Toc, TocAtip,
    TocCdText, TocEntry, TocFault, TocFormat, TocFull, TocPma, TocPoint, TocQEntry, TocSession,
    TocSessions, TocTrack, TocTracks, TrackInformation, TrackResources, TrackResourcesInformation,
};
pub use drive::{
    Agid, AudioStatus, BdDiscInformation, BufferCapacity, ChangerState, DiscStructure,
    DiscStructureFormat, DiscStructureMedia, DvdBookType, DvdCopyright, DvdPhysical, EventClass,
    EventClasses, EventStatus, GetEventStatus, GetPerformance, InvalidateAgid, KeyClass, KeyFormat,
    KeyReply, LoadUnload, MechanismState, MechanismStatus, MediaEvent, MediaEventCode,
    PerformanceData, PerformanceException, PerformanceList, PerformanceRange, PerformanceType,
    PowerCondition, PreventAllow, ReadBufferCapacity, ReadDiscStructure, ReadSubChannel, ReportKey,
    RotationControl, RpcState, RpcType, SetCdSpeed, SetStreaming, Slot, SlotTable, StartStop,
    StreamingDescriptor, SubChannel, SubChannelAddress, SubChannelFormat, SubChannelPosition,
    WriteSpeedRange, cd_speed,
};
pub use encoding::NumberEncoding;
pub use read::{
    BlockErrorPlace, C2, C2Bits, C2Field, Isrc, MainChannel, Mcn, QCrc, QData, QLeadIn, QPosition,
    RawSector, RawSubChannels, ReadCd, ReadCdChunks, ReadCdMsf, Sector, SectorHeader, SectorLayout,
    SectorOrder, SectorRequest, SectorRequestError, SectorType, Sectors, SubChannels, SubQ,
    descramble,
};
pub use sized::SizedReply;
pub use write::{
    Blank, BlankType, CapacityDescriptor, CapacityDescriptorType, CloseFunction, CloseTrackSession,
    CueLine, CueSheet, FormatCapacities, FormatList, FormatMedium, FormatType, FormattableCapacity,
    OpcValues, ReadFormatCapacities, ReserveTrack, SendCueSheet, SendOpc, SendOpcValues,
};

//! Optical drives (MMC-6): their commands and replies.
//!
//! [`OpticalDrive`](crate::unit::OpticalDrive) sends those that reading a CD
//! takes. Each of them can be sent by itself, too:
//!
//! | what | command | reply |
//! |---|---|---|
//! | tracks | [`ReadToc::tracks`] | [`Toc`] |
//! | sessions and tracks | [`ReadToc::full`] | [`FullToc`] |
//! | CD-TEXT | [`ReadToc::cd_text`] | [`CdText`] |
//! | catalog number, ISRC, position | [`ReadSubChannel`] | [`SubChannel`] |
//! | disc, track | [`ReadDiscInformation`], [`ReadTrackInformation`] | [`StandardInformation`], [`TrackInformation`] |
//! | kind of disc, features of the drive | [`GetConfiguration`] | [`Configuration`] |
//! | old list of features | [`ModeSense10`](super::mode::ModeSense10) | [`Capabilities`](super::mode::Capabilities) |
//! | structures of DVD and BD | [`ReadDiscStructure`] | [`DiscStructure`] |
//! | speeds | [`GetPerformance`], [`SetCdSpeed`], [`SetStreaming`] | [`PerformanceData`] |
//! | events | [`GetEventStatus`] | [`EventStatus`] |
//! | tray, lock | [`StartStop`], [`PreventAllow`] | |
//! | sectors | [`ReadCd`], [`ReadCdMsf`] of a [`SectorRequest`] | [`Sectors`] |
//!
//! A sector lies in the buffer as its [`SectorLayout`] says, and a [`Sector`] has
//! its parts: [`RawSector`], [`C2Bits`], [`SubQ`].
//!
//! # Without a drive
//! A reply that was saved is read by the command that asks for it. What `readcd
//! --fulltoc` writes, for one:
//!
//! ```
//! use passthru::scsi::{Query, ReplyBytes, mmc::{NumberEncoding, ReadToc}};
//!
//! let saved = [
//!     0x00, 0x2e, 0x01, 0x01, // one session
//!     0x01, 0x14, 0x00, 0xa0, 0, 0, 0, 0, 1, 0, 0, // the first track is 1
//!     0x01, 0x14, 0x00, 0xa1, 0, 0, 0, 0, 1, 0, 0, // and so is the last
//!     0x01, 0x14, 0x00, 0xa2, 0, 0, 0, 0, 0, 0x10, 0x74, // the lead-out, in BCD
//!     0x01, 0x14, 0x00, 0x01, 0, 0, 0, 0, 0, 0x02, 0x00, // track 1
//! ];
//! let toc = ReadToc::full().parse(ReplyBytes::borrowed(&saved))?;
//! let encoding = toc.guess_encoding().unwrap_or(NumberEncoding::Binary);
//! for track in toc.encoding(encoding).tracks() {
//!     println!("{} from {}", track.number, track.start);
//! }
//! # assert_eq!(encoding, NumberEncoding::Bcd);
//! # Ok::<(), passthru::scsi::Malformed>(())
//! ```

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

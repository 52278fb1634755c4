//! The features of a drive.

use super::{
    Aacs, BdRead, BdWrite, CdAudioPlay, CdMastering, CdRead, CdTrackAtOnce, Core, DvdCss, DvdRead,
    DvdRwWrite, FeatureCode, IncrementalStreaming, Malformed, MicrocodeUpgrade, Morphing, Profiles,
    RandomReadable, RandomWritable, RealTimeStreaming, RemovableMedium, TimeoutFeature, wire,
};
use crate::scsi::Text;

/// What comes before a feature's data, in bytes.
const HEADER: usize = 4;

/// Walks through a list of feature descriptors.
///
/// A descriptor that runs past the end gives one error, and the walk is over.
#[derive(Clone, Debug)]
pub struct Features<'a>(&'a [u8]);

impl<'a> Features<'a> {
    /// Walks through these bytes, the first of which begins a descriptor.
    #[must_use]
    pub const fn new(list: &'a [u8]) -> Self {
        Self(list)
    }
}

impl<'a> Iterator for Features<'a> {
    type Item = Result<Feature<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let list = core::mem::take(&mut self.0);
        if list.is_empty() {
            return None;
        }
        let need = wire::byte(list, 3).map_or(HEADER, |len| HEADER + usize::from(len));
        let Some((bytes, rest)) = list.split_at_checked(need) else {
            return Some(Err(Malformed::Short {
                need,
                got: list.len(),
            }));
        };
        self.0 = rest;
        Some(Ok(Feature(bytes)))
    }
}

impl core::iter::FusedIterator for Features<'_> {}

/// One feature descriptor (MMC-5 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Feature<'a>(&'a [u8]);

impl<'a> Feature<'a> {
    /// The whole descriptor, from its byte 0 on.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Which feature it is.
    #[must_use]
    pub fn code(&self) -> FeatureCode {
        FeatureCode(wire::be16(self.0, 0).unwrap_or(0))
    }

    /// The version of its data.
    #[must_use]
    pub fn version(&self) -> u8 {
        (wire::byte(self.0, 2).unwrap_or(0) >> 2) & 0x0f
    }

    /// Whether it is always current.
    #[must_use]
    pub fn is_persistent(&self) -> bool {
        wire::flag(self.0, 2, 0x02).unwrap_or(false)
    }

    /// Whether it works now, with the disc in the drive.
    #[must_use]
    pub fn is_current(&self) -> bool {
        wire::flag(self.0, 2, 0x01).unwrap_or(false)
    }

    /// Its data as bytes.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.0.get(HEADER..).unwrap_or_default()
    }

    /// Its data, for the features that this crate knows.
    #[must_use]
    pub fn data(&self) -> FeatureData<'a> {
        let bytes = self.bytes();
        match self.code() {
            FeatureCode::PROFILE_LIST => FeatureData::ProfileList(Profiles::of(bytes)),
            FeatureCode::CORE => FeatureData::Core(Core::of(bytes)),
            FeatureCode::MORPHING => FeatureData::Morphing(Morphing::of(bytes)),
            FeatureCode::REMOVABLE_MEDIUM => {
                FeatureData::RemovableMedium(RemovableMedium::of(bytes))
            }
            FeatureCode::RANDOM_READABLE => FeatureData::RandomReadable(RandomReadable::of(bytes)),
            FeatureCode::MULTI_READ => FeatureData::MultiRead,
            FeatureCode::CD_READ => FeatureData::CdRead(CdRead::of(bytes)),
            FeatureCode::DVD_READ => FeatureData::DvdRead(DvdRead::of(bytes)),
            FeatureCode::RANDOM_WRITABLE => FeatureData::RandomWritable(RandomWritable::of(bytes)),
            FeatureCode::INCREMENTAL_STREAMING => {
                FeatureData::IncrementalStreaming(IncrementalStreaming::of(bytes))
            }
            FeatureCode::RESTRICTED_OVERWRITE => FeatureData::RestrictedOverwrite,
            FeatureCode::CD_TRACK_AT_ONCE => FeatureData::CdTrackAtOnce(CdTrackAtOnce::of(bytes)),
            FeatureCode::CD_MASTERING => FeatureData::CdMastering(CdMastering::of(bytes)),
            FeatureCode::DVD_R_RW_WRITE => FeatureData::DvdRwWrite(DvdRwWrite::of(bytes)),
            FeatureCode::BD_READ => FeatureData::BdRead(BdRead::of(bytes)),
            FeatureCode::BD_WRITE => FeatureData::BdWrite(BdWrite::of(bytes)),
            FeatureCode::POWER_MANAGEMENT => FeatureData::PowerManagement,
            FeatureCode::CD_AUDIO_PLAY => FeatureData::CdAudioPlay(CdAudioPlay::of(bytes)),
            FeatureCode::MICROCODE_UPGRADE => {
                FeatureData::MicrocodeUpgrade(MicrocodeUpgrade::of(bytes))
            }
            FeatureCode::TIMEOUT => FeatureData::Timeout(TimeoutFeature::of(bytes)),
            FeatureCode::DVD_CSS => FeatureData::DvdCss(DvdCss::of(bytes)),
            FeatureCode::REAL_TIME_STREAMING => {
                FeatureData::RealTimeStreaming(RealTimeStreaming::of(bytes))
            }
            FeatureCode::SERIAL_NUMBER => FeatureData::SerialNumber(Text::new(bytes)),
            FeatureCode::DISC_CONTROL_BLOCKS => FeatureData::DiscControlBlocks(
                bytes
                    .chunks_exact(4)
                    .filter_map(|id| wire::be32(id, 0))
                    .collect(),
            ),
            FeatureCode::AACS => FeatureData::Aacs(Aacs::of(bytes)),
            _ => FeatureData::Other(bytes),
        }
    }
}

/// The data of a feature. In each type, a field is `None` if the data ends before
/// it: older versions have less of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FeatureData<'a> {
    /// 0000h: the profiles that the drive knows.
    ProfileList(Profiles<'a>),
    /// 0001h: what every drive has.
    Core(Core),
    /// 0002h: how the drive tells of changes.
    Morphing(Morphing),
    /// 0003h: how discs go in and out.
    RemovableMedium(RemovableMedium),
    /// 0010h: blocks can be read in any order.
    RandomReadable(RandomReadable),
    /// 001Dh: all kinds of CD can be read.
    MultiRead,
    /// 001Eh: READ CD works.
    CdRead(CdRead),
    /// 001Fh: DVDs can be read.
    DvdRead(DvdRead),
    /// 0020h: blocks can be written in any order.
    RandomWritable(RandomWritable),
    /// 0021h: blocks can be written one after the other.
    IncrementalStreaming(IncrementalStreaming<'a>),
    /// 0026h: blocks can be overwritten within limits.
    RestrictedOverwrite,
    /// 002Dh: CDs can be written track by track.
    CdTrackAtOnce(CdTrackAtOnce),
    /// 002Eh: CDs can be written a session at once.
    CdMastering(CdMastering),
    /// 002Fh: DVD-R and DVD-RW can be written.
    DvdRwWrite(DvdRwWrite),
    /// 0040h: BDs can be read.
    BdRead(BdRead),
    /// 0041h: BDs can be written.
    BdWrite(BdWrite),
    /// 0100h: the drive can save power.
    PowerManagement,
    /// 0103h: the drive plays audio by itself.
    CdAudioPlay(CdAudioPlay),
    /// 0104h: the firmware can be replaced.
    MicrocodeUpgrade(MicrocodeUpgrade),
    /// 0105h: commands end within a time.
    Timeout(TimeoutFeature),
    /// 0106h: DVDs with CSS.
    DvdCss(DvdCss),
    /// 0107h: reads and writes keep a speed.
    RealTimeStreaming(RealTimeStreaming),
    /// 0108h: the drive's serial number.
    SerialNumber(Text<'a>),
    /// 010Ah: the content descriptors of the disc control blocks that the drive
    /// can read or write.
    DiscControlBlocks(Vec<u32>),
    /// 010Dh: AACS.
    Aacs(Aacs),
    /// Another feature.
    Other(&'a [u8]),
}

//! The reply of GET PERFORMANCE.

use super::{PerformanceType, RotationControl};
use crate::scsi::{LengthLie, Malformed, ReplyBytes, lengths, wire};

/// The reply of [`GetPerformance`](super::GetPerformance).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerformanceData<'a> {
    kind: PerformanceType,
    bytes: ReplyBytes<'a>,
    asked: usize,
}

/// The header.
const HEADER: usize = 8;

impl<'a> PerformanceData<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 8.
    pub fn parse(kind: PerformanceType, bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(kind, bytes, asked)
    }

    pub(super) fn asked(
        kind: PerformanceType,
        bytes: ReplyBytes<'a>,
        asked: usize,
    ) -> Result<Self, Malformed> {
        lengths::enough(&bytes, HEADER)?;
        Ok(Self { kind, bytes, asked })
    }

    /// The data length as the device has it: how many bytes follow the field.
    #[must_use]
    #[doc(alias = "PERFORMANCE DATA LENGTH")]
    pub fn data_length(&self) -> u32 {
        wire::be32(&self.bytes, 0).unwrap_or(0)
    }

    fn claimed(&self) -> usize {
        usize::try_from(self.data_length())
            .unwrap_or(usize::MAX)
            .saturating_add(4)
    }

    /// Whether it is about writing; for type 0.
    #[must_use]
    pub fn is_about_writing(&self) -> bool {
        self.kind == PerformanceType::PERFORMANCE && wire::flag(&self.bytes, 4, 0x02) == Some(true)
    }

    /// Whether the descriptors are exceptions; for type 0.
    #[must_use]
    pub fn has_exceptions(&self) -> bool {
        self.kind == PerformanceType::PERFORMANCE && wire::flag(&self.bytes, 4, 0x01) == Some(true)
    }

    /// The descriptors as bytes, as far as they are there.
    #[must_use]
    pub fn descriptors(&self) -> &[u8] {
        wire::part(&self.bytes, HEADER, self.claimed()).unwrap_or_default()
    }

    fn of(&self, wanted: bool, length: usize) -> core::slice::ChunksExact<'_, u8> {
        let bytes = if wanted { self.descriptors() } else { &[] };
        bytes.chunks_exact(length)
    }

    /// How fast which range is; for type 0 without exceptions.
    pub fn ranges(&self) -> impl Iterator<Item = PerformanceRange> + '_ {
        let wanted = self.kind == PerformanceType::PERFORMANCE && !self.has_exceptions();
        self.of(wanted, 16).filter_map(|descriptor| {
            Some(PerformanceRange {
                start_lba: wire::be32(descriptor, 0)?,
                start_speed: wire::be32(descriptor, 4)?,
                end_lba: wire::be32(descriptor, 8)?,
                end_speed: wire::be32(descriptor, 12)?,
            })
        })
    }

    /// Where the drive is slower; for type 0 with exceptions.
    pub fn exceptions(&self) -> impl Iterator<Item = PerformanceException> + '_ {
        self.of(self.has_exceptions(), 6).filter_map(|descriptor| {
            Some(PerformanceException {
                lba: wire::be32(descriptor, 0)?,
                time: wire::be16(descriptor, 4)?,
            })
        })
    }

    /// The speeds at which the medium can be written; for type 3.
    pub fn write_speeds(&self) -> impl Iterator<Item = WriteSpeedRange> + '_ {
        let wanted = self.kind == PerformanceType::WRITE_SPEED;
        self.of(wanted, 16).filter_map(|descriptor| {
            let flags = wire::byte(descriptor, 0)?;
            Some(WriteSpeedRange {
                rotation: RotationControl((flags >> 3) & 0x03),
                restore_defaults: flags & 0x04 != 0,
                exact: flags & 0x02 != 0,
                mixed: flags & 0x01 != 0,
                end_lba: wire::be32(descriptor, 4)?,
                read_speed: wire::be32(descriptor, 8)?,
                write_speed: wire::be32(descriptor, 12)?,
            })
        })
    }

    /// The length in bytes that fetches all, if what was asked for cut it.
    #[must_use]
    pub fn needed_length(&self) -> Option<usize> {
        lengths::needed(self.claimed(), self.bytes.len(), self.asked)
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        lengths::lie(self.claimed(), HEADER, self.bytes.len(), self.asked)
    }
}

/// A range of addresses, and how fast the drive is at both ends of it; between them
/// the speed changes evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerformanceRange {
    /// The first block.
    pub start_lba: u32,
    /// The speed there in kB/s.
    pub start_speed: u32,
    /// The last block.
    pub end_lba: u32,
    /// The speed there in kB/s.
    pub end_speed: u32,
}

/// A place that takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerformanceException {
    /// The block.
    pub lba: u32,
    /// How long the drive needs to get over it, in units of 100 microseconds.
    pub time: u16,
}

/// A speed at which the medium can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "Write Speed Descriptor")]
pub struct WriteSpeedRange {
    /// How the disc turns (WRC).
    #[doc(alias = "WRC")]
    pub rotation: RotationControl,
    /// RDD.
    #[doc(alias = "RDD")]
    pub restore_defaults: bool,
    /// Whether the drive keeps this speed over the whole disc.
    #[doc(alias = "EXACT")]
    pub exact: bool,
    /// Whether reading and writing alternate (MRW).
    #[doc(alias = "MRW")]
    pub mixed: bool,
    /// The last block of the medium.
    pub end_lba: u32,
    /// The reading speed in kB/s.
    pub read_speed: u32,
    /// The writing speed in kB/s.
    pub write_speed: u32,
}

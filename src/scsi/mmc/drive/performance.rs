//! GET PERFORMANCE.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32},
};

use super::PerformanceData;
use crate::scsi::{Cdb, Command, DataIn, LengthMismatch, Malformed, Query, ReplyBytes, lengths};

/// What GET PERFORMANCE returns (TYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PerformanceType(pub u8);

impl PerformanceType {
    /// How fast the medium is read or written, by ranges of addresses.
    pub const PERFORMANCE: Self = Self(0x00);
    /// Areas that cannot be used.
    pub const UNUSABLE_AREA: Self = Self(0x01);
    /// Defect status, by ranges.
    pub const DEFECT_STATUS: Self = Self(0x02);
    /// At which speeds the medium can be written.
    pub const WRITE_SPEED: Self = Self(0x03);
    /// Defective blocks.
    pub const DBI: Self = Self(0x04);
    /// The cache zone for those.
    pub const DBI_CACHE_ZONE: Self = Self(0x05);
}

/// Which list of performances (EXCEPT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "EXCEPT")]
pub enum PerformanceList {
    /// The usual speeds.
    #[default]
    Nominal,
    /// All of them.
    Entire,
    /// The places where the drive is slower than that.
    Exceptions,
}

/// GET PERFORMANCE (`ACh`, MMC-6 clause 6): how fast the drive is with the medium in
/// it. On disks of other kinds `ACh` is ERASE(12).
///
/// How many descriptors are asked for comes from the buffer: 8 bytes, and the length
/// of a descriptor for each.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes, mmc::GetPerformance};
///
/// let speeds = GetPerformance::write_speeds();
/// assert_eq!(
///     speeds.cdb_for(8 + 2 * 16)?.as_bytes(),
///     [0xac, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0],
/// );
/// let mut reply = [0; 24];
/// reply[3] = 20;
/// reply[20..24].copy_from_slice(&7056_u32.to_be_bytes());
/// let data = speeds.parse(ReplyBytes::borrowed(&reply)).unwrap();
/// assert_eq!(data.write_speeds().next().map(|range| range.write_speed), Some(7056));
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("GET_PERFORMANCE", "GPCMD_GET_PERFORMANCE"))]
pub struct GetPerformance {
    kind: PerformanceType,
    data_type: u8,
    lba: u32,
    descriptor: u16,
    descriptors: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    data_type: u8,
    lba: U32,
    reserved: [u8; 2],
    descriptors: U16,
    kind: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

/// The header of the reply.
const HEADER: usize = 8;
/// The tolerance: 10 % for nominal values, 20 % for exceptions. There is no other.
const TOLERANCE: u8 = 0x10;
const WRITE: u8 = 0x04;

impl GetPerformance {
    /// Asks how fast the medium is read.
    #[must_use]
    pub const fn reading(list: PerformanceList) -> Self {
        let (except, descriptor) = match list {
            PerformanceList::Nominal => (0x00, 16),
            PerformanceList::Entire => (0x01, 16),
            PerformanceList::Exceptions => (0x02, 6),
        };
        Self::other(PerformanceType::PERFORMANCE, TOLERANCE | except, descriptor)
    }

    /// Asks how fast the medium is written.
    #[must_use]
    pub const fn writing(list: PerformanceList) -> Self {
        let mut command = Self::reading(list);
        command.data_type |= WRITE;
        command
    }

    /// Asks at which speeds the medium can be written.
    #[must_use]
    pub const fn write_speeds() -> Self {
        Self::other(PerformanceType::WRITE_SPEED, 0, 16)
    }

    /// Asks for something else: its type, the data type (5 bits), and how long one of
    /// its descriptors is.
    #[must_use]
    pub const fn other(kind: PerformanceType, data_type: u8, descriptor_length: u16) -> Self {
        Self {
            kind,
            data_type: data_type & 0x1f,
            lba: 0,
            descriptor: if descriptor_length == 0 {
                1
            } else {
                descriptor_length
            },
            descriptors: 15,
        }
    }

    /// From which block on; 0 without this.
    #[must_use]
    #[doc(alias = "STARTING LBA")]
    pub const fn starting_lba(mut self, lba: u32) -> Self {
        self.lba = lba;
        self
    }

    /// For how many descriptors to ask; 15 without this.
    #[must_use]
    #[doc(alias = "MAXIMUM NUMBER OF DESCRIPTORS")]
    pub const fn descriptors(mut self, count: u16) -> Self {
        self.descriptors = count;
        self
    }

    fn length_for(&self, descriptors: usize) -> usize {
        usize::from(self.descriptor)
            .saturating_mul(descriptors)
            .saturating_add(HEADER)
    }
}

impl Command for GetPerformance {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        lengths::at_least(data_len, HEADER)?;
        let room = data_len.saturating_sub(HEADER);
        let count = room / usize::from(self.descriptor.max(1));
        let expected = self.length_for(count);
        if expected != data_len {
            return Err(LengthMismatch::Exact {
                len: data_len,
                expected: u64::try_from(expected).unwrap_or(u64::MAX),
            });
        }
        let descriptors = u16::try_from(count).map_err(|_| LengthMismatch::TooLong {
            len: data_len,
            max: self.length_for(usize::from(u16::MAX)),
        })?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xac,
            data_type: self.data_type,
            lba: U32::new(self.lba),
            reserved: [0; 2],
            descriptors: U16::new(descriptors),
            kind: self.kind.0,
            control: 0,
        })))
    }
}

impl DataIn for GetPerformance {}

impl Query for GetPerformance {
    type Reply<'a> = PerformanceData<'a>;

    fn reply_length(&self) -> usize {
        self.length_for(usize::from(self.descriptors))
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<PerformanceData<'a>, Malformed> {
        PerformanceData::asked(self.kind, reply, self.reply_length())
    }
}

//! FORMAT UNIT of optical drives.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32},
};

use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, lengths};

/// FORMAT UNIT (04h, MMC-5 6.5) with a format list: **erases** a rewritable
/// medium and makes it one that can be written at random. Its data is a
/// [`FormatList`].
///
/// ```
/// use passthru::scsi::{Command, mmc::{FormatList, FormatMedium, FormatType}};
///
/// let list = FormatList::new(FormatType::FULL, 0x0023_0540).immediate(true);
/// let command = FormatMedium::new();
/// assert_eq!(
///     command.cdb_for(list.as_bytes().len())?.as_bytes(),
///     [0x04, 0x11, 0, 0, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("FORMAT_UNIT", "GPCMD_FORMAT_UNIT"))]
pub struct FormatMedium {
    complete: bool,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    reserved: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 6);
const _: () = assert!(size_of::<FormatList>() == 12);

/// There is data (FMTDATA), of format code 001b.
const FORMAT_DATA: u8 = 0x11;
/// The defect list is complete (CMPLIST).
const COMPLETE: u8 = 0x08;

impl FormatMedium {
    /// Formats.
    #[must_use]
    pub const fn new() -> Self {
        Self { complete: false }
    }

    /// Whether old lists of defects are thrown away (CMPLST), for DVD-RAM.
    #[must_use]
    #[doc(alias("CMPLST", "CmpList"))]
    pub const fn complete_list(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }
}

impl Command for FormatMedium {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        lengths::exactly(data_len, size_of::<FormatList>())?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(Wire {
            opcode: 0x04,
            flags: FORMAT_DATA | if self.complete { COMPLETE } else { 0 },
            reserved: [0; 3],
            control: 0,
        })))
    }
}

impl DataOut for FormatMedium {}

/// How a medium is formatted (FORMAT TYPE). Which ones there are depends on the
/// medium: READ FORMAT CAPACITIES lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormatType(u8);

impl FormatType {
    /// The value of the field, 0 to 63; `None` for what has no room in its 6 bits,
    /// so that nothing else is formatted than what was meant.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 63 { Some(Self(value)) } else { None }
    }

    /// The value of the field.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// All of it.
    pub const FULL: Self = Self(0x00);
    /// With an expanded spare area (DVD-RAM).
    pub const SPARE_AREA_EXPANSION: Self = Self(0x01);
    /// A zone anew.
    pub const ZONE_REFORMAT: Self = Self(0x04);
    /// A zone.
    pub const ZONE: Self = Self(0x05);
    /// A CD-RW or DVD-RW, in fixed packets, to its end.
    pub const CD_DVD_RW_FULL: Self = Self(0x10);
    /// A session longer.
    pub const GROW_SESSION: Self = Self(0x11);
    /// A session more.
    pub const ADD_SESSION: Self = Self(0x12);
    /// A DVD-RW quickly, to be grown.
    pub const QUICK_GROW: Self = Self(0x13);
    /// A DVD-RW quickly, a session more.
    pub const QUICK_ADD: Self = Self(0x14);
    /// A DVD-RW quickly.
    pub const QUICK: Self = Self(0x15);
    /// Mount Rainier.
    pub const MRW: Self = Self(0x24);
    /// DVD+RW, in the background.
    pub const DVD_PLUS_RW: Self = Self(0x26);
    /// BD-RE with spare areas.
    pub const BD_RE_WITH_SPARE: Self = Self(0x30);
    /// BD-RE without.
    pub const BD_RE_WITHOUT_SPARE: Self = Self(0x31);
    /// BD-R with spare areas.
    pub const BD_R_WITH_SPARE: Self = Self(0x32);
}

/// The data of [`FormatMedium`]: a header of 4 bytes and a descriptor of 8.
///
/// ```
/// use passthru::scsi::mmc::{FormatList, FormatType};
///
/// let list = FormatList::new(FormatType::DVD_PLUS_RW, 0x0023_0540).immediate(true);
/// assert_eq!(
///     list.as_bytes(),
///     [0, 0x02, 0, 8, 0x00, 0x23, 0x05, 0x40, 0x98, 0, 0, 0],
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
#[doc(alias = "Format List Header")]
pub struct FormatList {
    reserved: u8,
    flags: u8,
    descriptor_length: U16,
    blocks: U32,
    kind: u8,
    parameter: [u8; 3],
}

impl FormatList {
    /// A format of this type with so many blocks, both as READ FORMAT
    /// CAPACITIES had them.
    #[must_use]
    pub fn new(kind: FormatType, blocks: u32) -> Self {
        Self {
            reserved: 0,
            flags: 0,
            descriptor_length: U16::new(8),
            blocks: U32::new(blocks),
            kind: kind.0 << 2,
            parameter: [0; 3],
        }
    }

    const fn with(mut self, bit: u8, on: bool) -> Self {
        self.flags = if on {
            self.flags | bit
        } else {
            self.flags & !bit
        };
        self
    }

    /// The subtype, 2 bits.
    #[must_use]
    #[doc(alias = "FORMAT SUB-TYPE")]
    pub const fn subtype(mut self, subtype: u8) -> Self {
        self.kind = (self.kind & 0xfc) | (subtype & 0x03);
        self
    }

    /// The parameter that depends on the type, 24 bits: a packet size, a block length,
    /// or 0.
    #[must_use]
    #[doc(alias = "TYPE DEPENDENT PARAMETER")]
    pub const fn parameter(mut self, parameter: u32) -> Self {
        let [_, low @ ..] = parameter.to_be_bytes();
        self.parameter = low;
        self
    }

    /// Whether the bits below mean something (FOV); without it the drive takes its own
    /// values for them.
    #[must_use]
    #[doc(alias = "FOV")]
    pub const fn options_valid(self, valid: bool) -> Self {
        self.with(0x80, valid)
    }

    /// Whether the medium is not certified (DCRT; with FOV).
    #[must_use]
    #[doc(alias = "DCRT")]
    pub const fn disable_certification(self, disable: bool) -> Self {
        self.with(0x20, disable)
    }

    /// Whether the format is only tried (Try-out; with FOV).
    #[must_use]
    #[doc(alias = "TRY-OUT")]
    pub const fn try_out(self, try_out: bool) -> Self {
        self.with(0x04, try_out)
    }

    /// Whether the command ends when it has been understood (IMMED). TEST UNIT READY
    /// then says NOT READY (02/04/04), with the progress in the sense data.
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(self, immediate: bool) -> Self {
        self.with(0x02, immediate)
    }

    /// The vendor's bit (VS).
    #[must_use]
    pub const fn vendor_specific(self, on: bool) -> Self {
        self.with(0x01, on)
    }

    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        IntoBytes::as_bytes(self)
    }
}

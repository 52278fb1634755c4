//! The reply of READ DISC STRUCTURE.

use super::{DiscStructureFormat, DiscStructureMedia, structure::HEADER};
use crate::scsi::{LengthLie, Malformed, ReplyBytes, lengths, wire};

/// The reply of [`ReadDiscStructure`](super::ReadDiscStructure): a header of 4 bytes
/// and the structure.
///
/// ```
/// use passthru::scsi::{ReplyBytes, mmc::{DiscStructure, DiscStructureFormat, DiscStructureMedia}};
///
/// let bytes = ReplyBytes::borrowed(&[0, 6, 0, 0, 0x01, 0xfd, 0, 0]);
/// let (media, format) = (DiscStructureMedia::DVD, DiscStructureFormat::DVD_COPYRIGHT);
/// let structure = DiscStructure::parse(media, format, bytes)?;
/// let copyright = structure.dvd_copyright().unwrap();
/// assert_eq!(copyright.protection(), Some(1), "CSS");
/// assert_eq!(copyright.plays_in_region(2), Some(true));
/// assert_eq!(copyright.plays_in_region(1), Some(false));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscStructure<'a> {
    media: DiscStructureMedia,
    format: DiscStructureFormat,
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> DiscStructure<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 4.
    pub fn parse(
        media: DiscStructureMedia,
        format: DiscStructureFormat,
        bytes: ReplyBytes<'a>,
    ) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(media, format, bytes, asked)
    }

    pub(super) fn asked(
        media: DiscStructureMedia,
        format: DiscStructureFormat,
        bytes: ReplyBytes<'a>,
        asked: usize,
    ) -> Result<Self, Malformed> {
        lengths::enough(&bytes, HEADER)?;
        Ok(Self {
            media,
            format,
            bytes,
            asked,
        })
    }

    /// Of which kind of disc it is.
    #[must_use]
    pub const fn media(&self) -> DiscStructureMedia {
        self.media
    }

    /// Which structure it is.
    #[must_use]
    pub const fn format(&self) -> DiscStructureFormat {
        self.format
    }

    /// The data length as the device has it: how many bytes follow the field.
    #[must_use]
    #[doc(alias = "DISC STRUCTURE DATA LENGTH")]
    pub fn data_length(&self) -> u16 {
        wire::be16(&self.bytes, 0).unwrap_or(0)
    }

    fn claimed(&self) -> usize {
        usize::from(self.data_length()).saturating_add(2)
    }

    /// The structure without the header, as far as it is there.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        wire::part(&self.bytes, HEADER, self.claimed()).unwrap_or_default()
    }

    fn is(&self, media: DiscStructureMedia, format: DiscStructureFormat) -> bool {
        self.media == media && self.format == format
    }

    /// The physical format information of a DVD (formats 00h and 10h).
    #[must_use]
    pub fn dvd_physical(&self) -> Option<DvdPhysical<'_>> {
        let is = self.is(DiscStructureMedia::DVD, DiscStructureFormat::DVD_PHYSICAL)
            || self.is(
                DiscStructureMedia::DVD,
                DiscStructureFormat::DVD_PHYSICAL_LEAD_IN,
            );
        is.then(|| DvdPhysical(self.data()))
    }

    /// The copyright information of a DVD (format 01h).
    #[must_use]
    pub fn dvd_copyright(&self) -> Option<DvdCopyright> {
        self.is(DiscStructureMedia::DVD, DiscStructureFormat::DVD_COPYRIGHT)
            .then(|| DvdCopyright {
                protection: wire::byte(self.data(), 0),
                regions: wire::byte(self.data(), 1),
            })
    }

    /// The manufacturer's information of a DVD (format 04h): bytes without a meaning
    /// of their own.
    #[must_use]
    pub fn dvd_manufacturer(&self) -> Option<&[u8]> {
        self.is(
            DiscStructureMedia::DVD,
            DiscStructureFormat::DVD_MANUFACTURER,
        )
        .then(|| self.data())
    }

    /// The disc information of a BD (format 00h).
    #[must_use]
    pub fn bd_disc_information(&self) -> Option<BdDiscInformation<'_>> {
        self.is(
            DiscStructureMedia::BD,
            DiscStructureFormat::BD_DISC_INFORMATION,
        )
        .then(|| BdDiscInformation(self.data()))
    }

    /// The allocation length that fetches all, if what was asked for cut it.
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        lengths::needed_two_bytes(self.claimed(), self.bytes.len(), self.asked)
    }

    /// Whether the data length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        lengths::lie(self.claimed(), HEADER, self.bytes.len(), self.asked)
    }
}

/// The book that a DVD is made by (BOOK TYPE, or DISK CATEGORY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "DISK CATEGORY")]
pub struct DvdBookType(pub u8);

impl DvdBookType {
    /// DVD-ROM.
    pub const DVD_ROM: Self = Self(0);
    /// DVD-RAM.
    pub const DVD_RAM: Self = Self(1);
    /// DVD-R.
    pub const DVD_R: Self = Self(2);
    /// DVD-RW.
    pub const DVD_RW: Self = Self(3);
    /// HD DVD-ROM.
    pub const HD_DVD_ROM: Self = Self(4);
    /// HD DVD-RAM.
    pub const HD_DVD_RAM: Self = Self(5);
    /// HD DVD-R.
    pub const HD_DVD_R: Self = Self(6);
    /// DVD+RW.
    pub const DVD_PLUS_RW: Self = Self(9);
    /// DVD+R.
    pub const DVD_PLUS_R: Self = Self(10);
    /// DVD+RW with two layers.
    pub const DVD_PLUS_RW_DL: Self = Self(13);
    /// DVD+R with two layers.
    pub const DVD_PLUS_R_DL: Self = Self(14);
}

/// The physical format information of a DVD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DvdPhysical<'a>(&'a [u8]);

impl<'a> DvdPhysical<'a> {
    fn field(self, offset: usize, shift: u32, mask: u8) -> Option<u8> {
        Some((wire::byte(self.0, offset)? >> shift) & mask)
    }

    /// 24 bits: a physical sector number.
    fn sector(self, offset: usize) -> Option<u32> {
        Some(wire::be32(self.0, offset)? & 0x00ff_ffff)
    }

    /// All bytes of it.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The book that the disc is made by.
    #[must_use]
    pub fn book_type(&self) -> Option<DvdBookType> {
        self.field(0, 4, 0x0f).map(DvdBookType)
    }

    /// The version of that book.
    #[must_use]
    #[doc(alias = "PART VERSION")]
    pub fn part_version(&self) -> Option<u8> {
        self.field(0, 0, 0x0f)
    }

    /// The size: 0 is 120 mm, 1 is 80 mm.
    #[must_use]
    #[doc(alias = "DISK SIZE")]
    pub fn disc_size(&self) -> Option<u8> {
        self.field(1, 4, 0x0f)
    }

    /// The rate at which it must be read: 0 is 2.52 Mbit/s, 1 5.04, 2 10.08, 3
    /// 20.16, 4 30.24, 15 any.
    #[must_use]
    #[doc(alias = "MAXIMUM RATE")]
    pub fn maximum_rate(&self) -> Option<u8> {
        self.field(1, 0, 0x0f)
    }

    /// How many layers: the field and one more.
    #[must_use]
    #[doc(alias = "NUMBER OF LAYERS")]
    pub fn layers(&self) -> Option<u8> {
        Some(self.field(2, 5, 0x03)? + 1)
    }

    /// Whether the second layer goes back from outside to inside (track path: opposite,
    /// OTP, against parallel, PTP).
    #[must_use]
    #[doc(alias("TRACK PATH", "OTP", "PTP"))]
    pub fn opposite_track_path(&self) -> Option<bool> {
        wire::flag(self.0, 2, 0x10)
    }

    /// The layer type: bit 0 embossed, bit 1 recordable, bit 2 rewritable.
    #[must_use]
    #[doc(alias = "LAYER TYPE")]
    pub fn layer_type(&self) -> Option<u8> {
        self.field(2, 0, 0x0f)
    }

    /// The linear density, a code: 0 is 0.267 micrometres a bit, 1 is 0.293.
    #[must_use]
    #[doc(alias = "LINEAR DENSITY")]
    pub fn linear_density(&self) -> Option<u8> {
        self.field(3, 4, 0x0f)
    }

    /// The track density, a code: 0 is 0.74 micrometres a track.
    #[must_use]
    #[doc(alias = "TRACK DENSITY")]
    pub fn track_density(&self) -> Option<u8> {
        self.field(3, 0, 0x0f)
    }

    /// The physical sector number where the data begins: 030000h for most, 031000h on
    /// DVD-RAM.
    #[must_use]
    #[doc(alias = "STARTING PHYSICAL SECTOR NUMBER OF DATA AREA")]
    pub fn first_sector(&self) -> Option<u32> {
        self.sector(4)
    }

    /// The physical sector number where it ends.
    #[must_use]
    #[doc(alias = "END PHYSICAL SECTOR NUMBER OF DATA AREA")]
    pub fn last_sector(&self) -> Option<u32> {
        self.sector(8)
    }

    /// The last sector of layer 0 on a disc with an opposite track path; else 0.
    #[must_use]
    #[doc(alias = "END PHYSICAL SECTOR NUMBER IN LAYER 0")]
    pub fn last_sector_of_layer_0(&self) -> Option<u32> {
        self.sector(12)
    }

    /// Whether there is a burst cutting area.
    #[must_use]
    #[doc(alias = "BCA")]
    pub fn has_bca(&self) -> Option<bool> {
        wire::flag(self.0, 16, 0x80)
    }

    /// What the book defines for its kind of medium, from byte 17 on.
    #[must_use]
    pub fn media_specific(&self) -> &'a [u8] {
        self.0.get(17..).unwrap_or_default()
    }
}

/// The copyright information of a DVD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DvdCopyright {
    protection: Option<u8>,
    regions: Option<u8>,
}

impl DvdCopyright {
    /// By which system the disc is protected: 0 none, 1 CSS or CPPM, 2 CPRM, 3 AACS.
    #[must_use]
    #[doc(alias = "COPYRIGHT PROTECTION SYSTEM TYPE")]
    pub const fn protection(&self) -> Option<u8> {
        self.protection
    }

    /// In which regions the disc must not be played: bit 0 is region 1.
    #[must_use]
    #[doc(alias = "REGION MANAGEMENT INFORMATION")]
    pub const fn forbidden_regions(&self) -> Option<u8> {
        self.regions
    }

    /// Whether the disc may be played in a region, 1 to 8; `None` for other numbers.
    #[must_use]
    pub fn plays_in_region(&self, region: u8) -> Option<bool> {
        let bit = region.checked_sub(1).filter(|&bit| bit < 8)?;
        Some(self.regions? & (1 << bit) == 0)
    }
}

/// The disc information of a BD: units of 112 bytes for each way of recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BdDiscInformation<'a>(&'a [u8]);

impl<'a> BdDiscInformation<'a> {
    /// All bytes of it, beginning with the first unit.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Whether it begins as disc information must: with `DI`.
    #[must_use]
    pub fn has_signature(&self) -> bool {
        self.0.starts_with(b"DI")
    }

    /// The format of the first unit.
    #[must_use]
    #[doc(alias = "DI FORMAT NUMBER")]
    pub fn unit_format(&self) -> Option<u8> {
        wire::byte(self.0, 2)
    }

    /// Which disc it is: `BDO` (BD-ROM), `BDW` (BD-RE), `BDR` (BD-R).
    #[must_use]
    #[doc(alias = "DISC TYPE IDENTIFIER")]
    pub fn disc_type(&self) -> Option<[u8; 3]> {
        wire::array(self.0, 8)
    }
}

//! VPD page B1h of a disk: block device characteristics.

use core::{fmt, time::Duration};

use super::{Malformed, Vpd, VpdCode, VpdPage, wire};

/// Asks for page B1h, the characteristics of a disk (SBC-4 6.6).
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::{BlockCharacteristics, MediumRotation}};
///
/// let mut reply = [0; 64];
/// reply[..6].copy_from_slice(&[0x00, 0xb1, 0x00, 0x3c, 0x1c, 0x20]);
/// let page = Inquiry::vpd(BlockCharacteristics).parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!(page.rotation(), Some(MediumRotation(7200)));
/// assert_eq!(page.rotation().and_then(MediumRotation::rpm), Some(7200));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "VPD B1h")]
pub struct BlockCharacteristics;

impl Vpd for BlockCharacteristics {
    type Page<'a> = BlockCharacteristicsPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::BLOCK_CHARACTERISTICS
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<BlockCharacteristicsPage<'a>, Malformed> {
        Ok(BlockCharacteristicsPage(page))
    }
}

/// Whether the medium turns, and how fast. [`Display`](fmt::Display) writes the
/// speed for a medium that turns, and the name for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "MEDIUM ROTATION RATE")]
pub struct MediumRotation(pub u16);

impl MediumRotation {
    /// The device does not say.
    pub const NOT_REPORTED: Self = Self(0);
    /// It does not turn, as in an SSD.
    pub const NON_ROTATING: Self = Self(1);

    /// Revolutions per minute, if it turns (0401h to FFFEh).
    #[must_use]
    pub const fn rpm(self) -> Option<u16> {
        match self.0 {
            0x0401..=0xfffe => Some(self.0),
            _ => None,
        }
    }

    /// The name, "rotating" for every speed; other values are reserved.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NOT_REPORTED => "not reported",
            Self::NON_ROTATING => "not rotating",
            Self(0x0401..=0xfffe) => "rotating",
            _ => return None,
        })
    }
}

impl fmt::Display for MediumRotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.rpm(), self.name()) {
            (Some(rpm), _) => write!(f, "{rpm} rpm"),
            (None, Some(name)) => f.write_str(name),
            (None, None) => write!(f, "rotation rate {:04x}h", self.0),
        }
    }
}

/// The width of the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "NOMINAL FORM FACTOR")]
pub struct FormFactor(pub u8);

impl FormFactor {
    /// The device does not say.
    pub const NOT_REPORTED: Self = Self(0);
    /// 5.25 inches.
    pub const INCH_5_25: Self = Self(1);
    /// 3.5 inches.
    pub const INCH_3_5: Self = Self(2);
    /// 2.5 inches.
    pub const INCH_2_5: Self = Self(3);
    /// 1.8 inches.
    pub const INCH_1_8: Self = Self(4);
    /// Less than 1.8 inches.
    pub const SMALLER: Self = Self(5);

    /// The name, for the widths that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NOT_REPORTED => "not reported",
            Self::INCH_5_25 => "5.25 inch",
            Self::INCH_3_5 => "3.5 inch",
            Self::INCH_2_5 => "2.5 inch",
            Self::INCH_1_8 => "1.8 inch",
            Self::SMALLER => "less than 1.8 inch",
            _ => return None,
        })
    }
}

impl fmt::Display for FormFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "form factor {:x}h", self.0),
        }
    }
}

/// How a disk of type 00h is zoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "ZONED")]
pub struct Zoned(pub u8);

impl Zoned {
    /// 00b: the device does not say.
    pub const NOT_REPORTED: Self = Self(0);
    /// 01b: host aware.
    pub const HOST_AWARE: Self = Self(1);
    /// 10b: device managed; the host sees an ordinary disk.
    pub const DEVICE_MANAGED: Self = Self(2);

    /// The name; 11b is reserved.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NOT_REPORTED => "not reported",
            Self::HOST_AWARE => "host aware",
            Self::DEVICE_MANAGED => "device managed",
            _ => return None,
        })
    }
}

impl fmt::Display for Zoned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "zoned value {:x}h", self.0),
        }
    }
}

/// VPD page B1h of a disk, as it arrived. A getter gives `None` if the page ends
/// before the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockCharacteristicsPage<'a>(VpdPage<'a>);

impl<'a> BlockCharacteristicsPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        wire::byte(self.0.as_bytes(), offset)
    }

    fn flag(&self, offset: usize, mask: u8) -> Option<bool> {
        wire::flag(self.0.as_bytes(), offset, mask)
    }

    /// Whether the medium turns, and how fast.
    #[must_use]
    #[doc(alias("rpm", "rotational"))]
    pub fn rotation(&self) -> Option<MediumRotation> {
        wire::be16(self.0.as_bytes(), 4).map(MediumRotation)
    }

    /// The product type: 00h not said, 01h `CFast`, 02h `CompactFlash`, 03h
    /// Memory Stick, 04h `MultiMediaCard`, 05h SD card, 06h XQD, 07h UFS card,
    /// F0h and above the vendor's.
    #[must_use]
    pub fn product_type(&self) -> Option<u8> {
        self.byte(6)
    }

    /// What a read of a block returns that had a write error before a sanitize
    /// block erase, 0 to 3 (WABEREQ).
    #[must_use]
    #[doc(alias = "WABEREQ")]
    pub fn write_after_block_erase_required(&self) -> Option<u8> {
        Some(self.byte(7)? >> 6)
    }

    /// The same after a cryptographic erase, 0 to 3 (WACEREQ).
    #[must_use]
    #[doc(alias = "WACEREQ")]
    pub fn write_after_crypto_erase_required(&self) -> Option<u8> {
        Some((self.byte(7)? >> 4) & 3)
    }

    /// The width of the drive.
    #[must_use]
    pub fn form_factor(&self) -> Option<FormFactor> {
        Some(FormFactor(self.byte(7)? & 0x0f))
    }

    /// How a disk of type 00h is zoned; host managed disks have their own
    /// device type, 14h.
    #[must_use]
    pub fn zoned(&self) -> Option<Zoned> {
        Some(Zoned((self.byte(8)? >> 4) & 3))
    }

    /// Whether background operation control is supported (BOCS).
    #[must_use]
    #[doc(alias = "BOCS")]
    pub fn background_operation_control(&self) -> Option<bool> {
        self.flag(8, 0x04)
    }

    /// Whether SYNCHRONIZE CACHE and the FUA bit act as SBC-3 and later say
    /// (FUAB).
    #[must_use]
    #[doc(alias = "FUAB")]
    pub fn fua_behavior(&self) -> Option<bool> {
        self.flag(8, 0x02)
    }

    /// Whether VERIFY of an unmapped block without a byte check succeeds
    /// (VBULS).
    #[must_use]
    #[doc(alias = "VBULS")]
    pub fn verify_of_unmapped_supported(&self) -> Option<bool> {
        self.flag(8, 0x01)
    }

    /// How long the removal of a storage element may take; zero if the device
    /// does not say.
    #[must_use]
    #[doc(alias = "DEPOPULATION TIME")]
    pub fn depopulation_time(&self) -> Option<Duration> {
        let seconds = wire::be32(self.0.as_bytes(), 12)?;
        Some(Duration::from_secs(seconds.into()))
    }
}

//! VPD page B2h of a disk: logical block provisioning.

use core::fmt;

use super::{Designator, Designators, Malformed, Vpd, VpdCode, VpdPage, wire};

/// Asks for page B2h: can blocks be unmapped, and what do they read as then?
/// (SBC-4 6.6)
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::{Provisioning, ProvisioningType}};
///
/// let reply = [0x00, 0xb2, 0x00, 0x04, 0x00, 0x80, 0x02, 0x00];
/// let page = Inquiry::vpd(Provisioning).parse(ReplyBytes::borrowed(&reply))?;
/// assert_eq!(page.unmap_supported(), Some(true));
/// assert_eq!(page.provisioning_type(), Some(ProvisioningType::THIN));
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("VPD B2h", "discard", "TRIM"))]
pub struct Provisioning;

impl Vpd for Provisioning {
    type Page<'a> = ProvisioningPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::PROVISIONING
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<ProvisioningPage<'a>, Malformed> {
        Ok(ProvisioningPage(page))
    }
}

/// How blocks get their storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "PROVISIONING TYPE")]
pub struct ProvisioningType(pub u8);

impl ProvisioningType {
    /// 0: fully provisioned, or the device does not say.
    pub const FULL_OR_NOT_REPORTED: Self = Self(0);
    /// 1: resource provisioned: unmapped blocks keep storage in reserve.
    pub const RESOURCE: Self = Self(1);
    /// 2: thin provisioned: a write may find no storage left.
    pub const THIN: Self = Self(2);

    /// The name, for the types that have one.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::FULL_OR_NOT_REPORTED => "full, or not reported",
            Self::RESOURCE => "resource provisioned",
            Self::THIN => "thin provisioned",
            _ => return None,
        })
    }
}

impl fmt::Display for ProvisioningType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "provisioning type {}", self.0),
        }
    }
}

/// What an unmapped block reads as (the LBPRZ field).
///
/// Every odd value means zeros. [`name`](Self::name) and
/// [`is_zeros`](Self::is_zeros) know that, while `==` compares the raw value.
///
/// ```
/// use passthru::scsi::vpd::UnmappedReads;
///
/// assert!(UnmappedReads::ZEROS.is_zeros() && UnmappedReads(0b111).is_zeros());
/// assert_eq!(UnmappedReads(0b111).to_string(), "zeros");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "LBPRZ")]
pub struct UnmappedReads(pub u8);

impl UnmappedReads {
    /// 000b: the vendor's business.
    pub const NOT_REPORTED: Self = Self(0);
    /// 001b: zeros, the usual value for it.
    pub const ZEROS: Self = Self(1);
    /// 010b: the provisioning initialization pattern.
    pub const PATTERN: Self = Self(2);

    /// Whether they read as zeros: xx1b.
    #[must_use]
    pub const fn is_zeros(self) -> bool {
        self.0 & 1 == 1
    }

    /// The name; 100b and 110b are reserved.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NOT_REPORTED => "not reported",
            Self::PATTERN => "pattern",
            _ if self.is_zeros() => "zeros",
            _ => return None,
        })
    }
}

impl fmt::Display for UnmappedReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "LBPRZ value {:x}h", self.0),
        }
    }
}

/// VPD page B2h of a disk, as it arrived. A getter gives `None` if the page ends
/// before the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvisioningPage<'a>(VpdPage<'a>);

impl<'a> ProvisioningPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    fn byte(&self, offset: usize) -> Option<u8> {
        wire::byte(self.0.as_bytes(), offset)
    }

    fn flag(&self, mask: u8) -> Option<bool> {
        wire::flag(self.0.as_bytes(), 5, mask)
    }

    /// The threshold exponent as it is; 0 if thresholds are not supported.
    #[must_use]
    pub fn threshold_exponent(&self) -> Option<u8> {
        self.byte(4)
    }

    /// The number of blocks in a threshold set: 2 to the power of the exponent.
    /// `None` also if thresholds are not supported or the exponent is above 63.
    #[must_use]
    pub fn threshold_set_size(&self) -> Option<u64> {
        let exponent = self.threshold_exponent().filter(|&value| value != 0)?;
        1u64.checked_shl(exponent.into())
    }

    /// Whether UNMAP is supported (LBPU).
    #[must_use]
    #[doc(alias = "LBPU")]
    pub fn unmap_supported(&self) -> Option<bool> {
        self.flag(0x80)
    }

    /// Whether WRITE SAME(16) can unmap (LBPWS).
    #[must_use]
    #[doc(alias = "LBPWS")]
    pub fn write_same_16_unmaps(&self) -> Option<bool> {
        self.flag(0x40)
    }

    /// Whether WRITE SAME(10) can unmap (LBPWS10).
    #[must_use]
    #[doc(alias = "LBPWS10")]
    pub fn write_same_10_unmaps(&self) -> Option<bool> {
        self.flag(0x20)
    }

    /// What an unmapped block reads as.
    #[must_use]
    #[doc(alias = "LBPRZ")]
    pub fn unmapped_reads(&self) -> Option<UnmappedReads> {
        Some(UnmappedReads((self.byte(5)? >> 2) & 7))
    }

    /// Whether blocks can be anchored: unmapped, with storage kept for them
    /// (`ANC_SUP`).
    #[must_use]
    #[doc(alias = "ANC_SUP")]
    pub fn anchor_supported(&self) -> Option<bool> {
        self.flag(0x02)
    }

    /// Whether the page has a provisioning group descriptor (DP).
    #[must_use]
    #[doc(alias = "DP")]
    pub fn descriptor_present(&self) -> Option<bool> {
        self.flag(0x01)
    }

    /// How many percent of the blocks are guaranteed to have storage, in 31
    /// steps; 0 if the device does not say.
    #[must_use]
    pub fn minimum_percentage(&self) -> Option<u8> {
        Some(self.byte(6)? >> 3)
    }

    /// How blocks get their storage.
    #[must_use]
    pub fn provisioning_type(&self) -> Option<ProvisioningType> {
        Some(ProvisioningType(self.byte(6)? & 7))
    }

    /// The percentage of the threshold that is armed; 0 if the device does not
    /// say.
    #[must_use]
    pub fn threshold_percentage(&self) -> Option<u8> {
        self.byte(7)
    }

    /// The designator of the group of logical units that share storage, if the
    /// DP bit says that there is one.
    ///
    /// # Errors
    /// [`Malformed::Short`] if the page ends within it.
    pub fn group(&self) -> Result<Option<Designator<'_>>, Malformed> {
        if self.descriptor_present() != Some(true) {
            return Ok(None);
        }
        let list = self.0.as_bytes().get(8..).unwrap_or_default();
        Designators::new(list).next().transpose()
    }
}

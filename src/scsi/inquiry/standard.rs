//! Standard INQUIRY data.

use core::fmt;

use super::{LengthLie, MANDATORY, MIN, PeripheralQualifier, ScsiVersion, Tpgs};
use crate::scsi::{DeviceType, Malformed, ReplyBytes, Text, lengths, wire};

/// Standard INQUIRY data (SPC-6 6.7.2), a view over the bytes that arrived.
///
/// A getter gives `None`, or a text of no bytes, when its bytes did not come.
/// How far the data reach is decided by the bytes that came and by the
/// additional length, whichever is less; but the first 36 bytes count whenever
/// they came, because the field often says 5 or 0 for data that are there
/// ([`length_field_lies`](Self::length_field_lies)).
///
/// ```
/// use passthru::scsi::{DeviceType, ReplyBytes, StandardInquiry};
///
/// let bytes = b"\0\0\x01\x01\x1f\0\0\x18DEC     RZ24     (C) DEC1D18";
/// let data = StandardInquiry::parse(ReplyBytes::borrowed(bytes))?;
/// assert_eq!(data.device_type(), DeviceType::DISK);
/// assert_eq!(data.version().to_string(), "SCSI-1");
/// assert_eq!(data.to_string(), "DEC RZ24     (C) DEC 1D18, disk (00h), SCSI-1");
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct StandardInquiry<'a> {
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> StandardInquiry<'a> {
    /// Reads bytes that came from elsewhere: a file, sysfs.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 5.
    pub fn parse(bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(bytes, asked)
    }

    pub(super) fn asked(bytes: ReplyBytes<'a>, asked: usize) -> Result<Self, Malformed> {
        lengths::enough(&bytes, MIN)?;
        Ok(Self { bytes, asked })
    }

    /// All bytes that arrived, also those past the additional length.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same data, free of the borrow.
    #[must_use]
    pub fn into_owned(self) -> StandardInquiry<'static> {
        StandardInquiry {
            bytes: self.bytes.into_owned(),
            asked: self.asked,
        }
    }

    /// Byte `offset`, of those that [`parse`](Self::parse) has seen to be there.
    fn fixed(&self, offset: usize) -> u8 {
        wire::byte(&self.bytes, offset).unwrap_or(0)
    }

    /// The bytes that are data.
    fn data(&self) -> &[u8] {
        wire::head(&self.bytes, self.claimed().max(MANDATORY))
    }

    /// How many bytes the reply has by its own account.
    fn claimed_length(&self) -> u16 {
        u16::from(self.additional_length()).saturating_add(5)
    }

    fn claimed(&self) -> usize {
        usize::from(self.claimed_length())
    }

    fn flag(&self, offset: usize, mask: u8) -> Option<bool> {
        wire::flag(self.data(), offset, mask)
    }

    fn text(&self, offset: usize, end: usize) -> Text<'_> {
        Text::new(wire::part(self.data(), offset, end).unwrap_or_default())
    }

    /// Whether there is a logical unit behind the answer.
    #[must_use]
    pub fn peripheral_qualifier(&self) -> PeripheralQualifier {
        PeripheralQualifier::of(self.fixed(0))
    }

    /// What kind of device it is.
    #[must_use]
    #[doc(alias("PDT", "PERIPHERAL_DEVICE_TYPE"))]
    pub fn device_type(&self) -> DeviceType {
        DeviceType(self.fixed(0) & 0x1f)
    }

    /// Whether a logical unit is connected: qualifier 000b and a device type
    /// other than 1Fh.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.peripheral_qualifier() == PeripheralQualifier::CONNECTED
            && self.device_type() != DeviceType::NONE
    }

    /// Whether the answer says that there is no logical unit at this address:
    /// qualifier 011b or device type 1Fh. A device may also say so by CHECK
    /// CONDITION with 05/25/00 instead of an answer.
    #[must_use]
    pub fn no_logical_unit(&self) -> bool {
        self.peripheral_qualifier() == PeripheralQualifier::NO_LOGICAL_UNIT
            || self.device_type() == DeviceType::NONE
    }

    /// Whether the medium can be removed (RMB).
    #[must_use]
    #[doc(alias = "RMB")]
    pub fn removable(&self) -> bool {
        self.fixed(1) & 0x80 != 0
    }

    /// Whether the logical unit is part of a conglomerate (`LU_CONG`, SPC-5).
    #[must_use]
    #[doc(alias = "LU_CONG")]
    pub fn conglomerate(&self) -> bool {
        self.fixed(1) & 0x40 != 0
    }

    /// Which standard the device claims.
    #[must_use]
    pub fn version(&self) -> ScsiVersion {
        ScsiVersion(self.fixed(2))
    }

    /// The format of this very data: 2 since SCSI-2, 1 or 0 before.
    #[must_use]
    pub fn response_data_format(&self) -> u8 {
        self.fixed(3) & 0x0f
    }

    /// Whether the NACA bit of the control byte is supported.
    #[must_use]
    #[doc(alias = "NORMACA")]
    pub fn normal_aca(&self) -> bool {
        self.fixed(3) & 0x20 != 0
    }

    /// Whether logical units are addressed hierarchically (`HISUP`).
    #[must_use]
    #[doc(alias = "HISUP")]
    pub fn hierarchical_addressing(&self) -> bool {
        self.fixed(3) & 0x10 != 0
    }

    /// The additional length as the device has it: how many bytes follow byte
    /// 4, from its point of view.
    #[must_use]
    pub fn additional_length(&self) -> u8 {
        self.fixed(4)
    }

    /// Whether the additional length contradicts the transfer, in either
    /// direction. A reply that was cut because no more was asked for is no lie.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        let (claimed, arrived) = (self.claimed(), self.bytes.len());
        if claimed > arrived && arrived < self.asked {
            Some(LengthLie::TooHigh { claimed, arrived })
        } else if claimed < MANDATORY && arrived >= MANDATORY {
            Some(LengthLie::TooLow { claimed, arrived })
        } else {
            None
        }
    }

    /// Whether the device has more than was asked for.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.needed_length().is_some()
    }

    /// The allocation length in bytes that fetches all of it, if the device has
    /// more than was asked for. It fits into
    /// [`Inquiry::allocation_length`](super::Inquiry::allocation_length).
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        let arrived = self.bytes.len();
        (self.claimed() > arrived && arrived >= self.asked).then_some(self.claimed_length())
    }

    /// Whether there is an embedded storage array controller (SCCS).
    #[must_use]
    #[doc(alias = "SCCS")]
    pub fn storage_array_controller(&self) -> Option<bool> {
        self.flag(5, 0x80)
    }

    /// Target port group support (TPGS).
    #[must_use]
    #[doc(alias("TPGS", "ALUA"))]
    pub fn target_port_groups(&self) -> Option<Tpgs> {
        Some(Tpgs((wire::byte(self.data(), 5)? >> 4) & 3))
    }

    /// Whether third-party copy commands are supported (3PC).
    #[must_use]
    #[doc(alias = "3PC")]
    pub fn third_party_copy(&self) -> Option<bool> {
        self.flag(5, 0x08)
    }

    /// Whether protection information is supported (PROTECT).
    #[must_use]
    #[doc(alias = "PROTECT")]
    pub fn protection(&self) -> Option<bool> {
        self.flag(5, 0x01)
    }

    /// Whether there is an embedded enclosure services component (ENCSERV).
    #[must_use]
    #[doc(alias = "ENCSERV")]
    pub fn enclosure_services(&self) -> Option<bool> {
        self.flag(6, 0x40)
    }

    /// Whether there is more than one port (MULTIP).
    #[must_use]
    #[doc(alias = "MULTIP")]
    pub fn multi_port(&self) -> Option<bool> {
        self.flag(6, 0x10)
    }

    /// Whether the SCSI task model with a queue of commands is supported
    /// (CMDQUE).
    #[must_use]
    #[doc(alias = "CMDQUE")]
    pub fn command_queueing(&self) -> Option<bool> {
        self.flag(7, 0x02)
    }

    /// The vendor's name: 8 bytes, or as many of them as came.
    #[must_use]
    #[doc(alias = "T10_VENDOR_IDENTIFICATION")]
    pub fn vendor(&self) -> Text<'_> {
        self.text(8, 16)
    }

    /// The product's name: 16 bytes, or as many of them as came.
    #[must_use]
    #[doc(alias = "PRODUCT_IDENTIFICATION")]
    pub fn product(&self) -> Text<'_> {
        self.text(16, 32)
    }

    /// The product revision level: 4 bytes, or as many of them as came.
    #[must_use]
    #[doc(alias = "PRODUCT_REVISION_LEVEL")]
    pub fn revision(&self) -> Text<'_> {
        self.text(32, 36)
    }

    /// Bytes 36 to 55, which belong to the vendor; as many as came.
    #[must_use]
    pub fn vendor_specific(&self) -> &[u8] {
        wire::part(self.data(), 36, 56).unwrap_or_default()
    }

    /// The version descriptors (bytes 58 to 73): numbers of the standards that
    /// the device claims (SPC-6 6.7.2 and annex), without the empty ones.
    pub fn version_descriptors(&self) -> impl Iterator<Item = u16> + '_ {
        wire::part(self.data(), 58, 74)
            .unwrap_or_default()
            .chunks_exact(2)
            .filter_map(|pair| wire::be16(pair, 0))
            .filter(|&code| code != 0)
    }
}

impl fmt::Display for StandardInquiry<'_> {
    /// Vendor, product, revision, type and version, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut any = false;
        let texts = [self.vendor(), self.product(), self.revision()];
        for text in texts.into_iter().filter(|text| !text.is_empty()) {
            write!(f, "{}{text}", if any { " " } else { "" })?;
            any = true;
        }
        let comma = if any { ", " } else { "" };
        write!(f, "{comma}{}, {}", self.device_type(), self.version())
    }
}

impl fmt::Debug for StandardInquiry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StandardInquiry")
            .field("peripheral_qualifier", &self.peripheral_qualifier())
            .field("device_type", &self.device_type())
            .field("vendor", &self.vendor())
            .field("product", &self.product())
            .field("revision", &self.revision())
            .field("bytes", &self.bytes)
            .finish()
    }
}

//! VPD page 83h: device identification.

use core::fmt;

use super::{
    Association, CodeSet, DesignatorType, Malformed, ProtocolIdentifier, Text, Vpd, VpdCode,
    VpdPage, wire,
};

/// Asks for page 83h, the designators of the logical unit, its port and its
/// target (SPC-6 7.7).
///
/// ```
/// use passthru::scsi::{Inquiry, Query, ReplyBytes, vpd::DeviceIdentification};
///
/// let reply = [
///     0x00, 0x83, 0x00, 0x0c, 0x01, 0x03, 0x00, 0x08, 0x50, 0x00, 0xc5, 0x00, 0x12, 0x34, 0x56,
///     0x78,
/// ];
/// let page = Inquiry::vpd(DeviceIdentification).parse(ReplyBytes::borrowed(&reply))?;
/// for designator in page.designators() {
///     assert_eq!(designator?.to_string(), "naa.5000c50012345678");
/// }
/// # Ok::<(), passthru::scsi::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("VPD 83h", "wwid", "WWN"))]
pub struct DeviceIdentification;

impl Vpd for DeviceIdentification {
    type Page<'a> = DesignatorsPage<'a>;

    fn code(&self) -> VpdCode {
        VpdCode::DEVICE_IDENTIFICATION
    }

    fn read<'a>(&self, page: VpdPage<'a>) -> Result<DesignatorsPage<'a>, Malformed> {
        Ok(DesignatorsPage(page))
    }
}

/// VPD page 83h, as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignatorsPage<'a>(VpdPage<'a>);

impl<'a> DesignatorsPage<'a> {
    /// The page with its header.
    #[must_use]
    pub const fn page(&self) -> &VpdPage<'a> {
        &self.0
    }

    /// The designators, in the device's order.
    #[must_use]
    pub fn designators(&self) -> Designators<'_> {
        Designators::new(self.0.data())
    }
}

/// Walks through a list of designation descriptors.
///
/// A descriptor that runs past the end gives one error, and the walk is over.
#[derive(Clone, Debug)]
pub struct Designators<'a>(&'a [u8]);

/// What comes before the designator itself.
const HEADER: usize = 4;

impl<'a> Designators<'a> {
    /// Walks through these bytes, the first of which begins a descriptor.
    #[must_use]
    pub const fn new(list: &'a [u8]) -> Self {
        Self(list)
    }
}

impl<'a> Iterator for Designators<'a> {
    type Item = Result<Designator<'a>, Malformed>;

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
        Some(Ok(Designator(bytes)))
    }
}

impl core::iter::FusedIterator for Designators<'_> {}

/// One designation descriptor (SPC-6 7.7).
///
/// [`Display`](fmt::Display) writes the name as Linux does in `wwid` files:
/// `naa.`, `eui.`, `t10.`, `uuid.`, the SCSI name string itself, and the type
/// with the bytes for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Designator<'a>(&'a [u8]);

impl<'a> Designator<'a> {
    fn header(&self, offset: usize) -> u8 {
        wire::byte(self.0, offset).unwrap_or(0)
    }

    /// What it names.
    #[must_use]
    pub fn association(&self) -> Association {
        Association((self.header(1) >> 4) & 3)
    }

    /// What kind of name it is.
    #[must_use]
    pub fn designator_type(&self) -> DesignatorType {
        DesignatorType(self.header(1) & 0x0f)
    }

    /// How its bytes are coded.
    #[must_use]
    pub fn code_set(&self) -> CodeSet {
        CodeSet(self.header(0) & 0x0f)
    }

    /// The protocol that it belongs to, if the PIV bit says that there is one
    /// and it names a port or a target device.
    #[must_use]
    #[doc(alias = "PIV")]
    pub fn protocol(&self) -> Option<ProtocolIdentifier> {
        let about_transport = matches!(
            self.association(),
            Association::TARGET_PORT | Association::TARGET_DEVICE
        );
        (self.piv() && about_transport).then(|| ProtocolIdentifier(self.header(0) >> 4))
    }

    /// The PIV (protocol identifier valid) bit as it is.
    #[must_use]
    pub fn piv(&self) -> bool {
        self.header(1) & 0x80 != 0
    }

    /// The designator's bytes, without the header.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.0.get(HEADER..).unwrap_or_default()
    }

    /// The designator as text, if its code set is ASCII or UTF-8.
    #[must_use]
    pub fn as_text(&self) -> Option<Text<'a>> {
        matches!(self.code_set(), CodeSet::ASCII | CodeSet::UTF8).then(|| Text::new(self.bytes()))
    }

    /// The designator decoded by its type; [`DesignatorValue::Other`] if the
    /// type is unknown or the length is none that the type can have.
    #[must_use]
    pub fn value(&self) -> DesignatorValue<'a> {
        self.decode()
            .unwrap_or(DesignatorValue::Other(self.bytes()))
    }

    fn decode(&self) -> Option<DesignatorValue<'a>> {
        let bytes = self.bytes();
        Some(match self.designator_type() {
            DesignatorType::VENDOR_SPECIFIC => DesignatorValue::VendorSpecific(bytes),
            DesignatorType::T10_VENDOR_ID => {
                let (vendor, id) = bytes.split_at_checked(8)?;
                DesignatorValue::T10VendorId {
                    vendor: Text::new(vendor),
                    id,
                }
            }
            DesignatorType::EUI64 if matches!(bytes.len(), 8 | 12 | 16) => {
                DesignatorValue::Eui64(bytes)
            }
            DesignatorType::NAA => match (bytes.first()? >> 4, bytes.len()) {
                (2 | 3 | 5, 8) | (6, 16) => DesignatorValue::Naa(bytes),
                _ => return None,
            },
            DesignatorType::RELATIVE_TARGET_PORT => {
                DesignatorValue::RelativeTargetPort(number(bytes)?)
            }
            DesignatorType::TARGET_PORT_GROUP => DesignatorValue::TargetPortGroup(number(bytes)?),
            DesignatorType::LOGICAL_UNIT_GROUP => DesignatorValue::LogicalUnitGroup(number(bytes)?),
            DesignatorType::MD5 => DesignatorValue::Md5(bytes.try_into().ok()?),
            DesignatorType::SCSI_NAME => DesignatorValue::ScsiName(Text::new(bytes)),
            DesignatorType::PROTOCOL_SPECIFIC_PORT => DesignatorValue::ProtocolSpecificPort(bytes),
            DesignatorType::UUID => match bytes {
                [kind, _, uuid @ ..] if kind >> 4 == 1 => {
                    DesignatorValue::Uuid(uuid.try_into().ok()?)
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// The number in a 4-byte designator, whose first half is reserved.
fn number(bytes: &[u8]) -> Option<u16> {
    (bytes.len() == 4).then(|| wire::be16(bytes, 2))?
}

/// A designator decoded by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DesignatorValue<'a> {
    /// Type 0h: whatever the vendor likes.
    VendorSpecific(&'a [u8]),
    /// Type 1h: the vendor's T10 name, and an identifier of the vendor's form.
    T10VendorId {
        /// The vendor's name.
        vendor: Text<'a>,
        /// What comes after it.
        id: &'a [u8],
    },
    /// Type 2h: 8, 12 or 16 bytes.
    Eui64(&'a [u8]),
    /// Type 3h: 8 bytes (first digit 2, 3 or 5) or 16 bytes (first digit 6).
    Naa(&'a [u8]),
    /// Type 4h: 1 for the first port ("port A").
    RelativeTargetPort(u16),
    /// Type 5h.
    TargetPortGroup(u16),
    /// Type 6h.
    LogicalUnitGroup(u16),
    /// Type 7h.
    Md5([u8; 16]),
    /// Type 8h.
    ScsiName(Text<'a>),
    /// Type 9h: a USB or PCIe address, depending on the protocol.
    ProtocolSpecificPort(&'a [u8]),
    /// Type Ah: an RFC 9562 UUID.
    Uuid([u8; 16]),
    /// An unknown type, or a length that the type cannot have.
    Other(&'a [u8]),
}

fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for Designator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            DesignatorValue::T10VendorId { vendor, id } => {
                // A binary identifier under an ASCII header is written as hex.
                write!(f, "t10.{vendor:<8}")?;
                match self.as_text() {
                    Some(_) => write!(f, "{}", Text::new(id)),
                    None => write_hex(f, id),
                }
            }
            DesignatorValue::Eui64(bytes) => {
                f.write_str("eui.")?;
                write_hex(f, bytes)
            }
            DesignatorValue::Naa(bytes) => {
                f.write_str("naa.")?;
                write_hex(f, bytes)
            }
            DesignatorValue::ScsiName(name) => fmt::Display::fmt(&name, f),
            DesignatorValue::RelativeTargetPort(number)
            | DesignatorValue::TargetPortGroup(number)
            | DesignatorValue::LogicalUnitGroup(number) => {
                write!(f, "{} {number}", self.designator_type())
            }
            DesignatorValue::Uuid(uuid) => {
                f.write_str("uuid.")?;
                for (index, byte) in uuid.iter().enumerate() {
                    let dash = matches!(index, 4 | 6 | 8 | 10);
                    write!(f, "{}{byte:02x}", if dash { "-" } else { "" })?;
                }
                Ok(())
            }
            DesignatorValue::VendorSpecific(_)
            | DesignatorValue::Md5(_)
            | DesignatorValue::ProtocolSpecificPort(_)
            | DesignatorValue::Other(_) => {
                write!(f, "{}: ", self.designator_type())?;
                match self.as_text() {
                    Some(text) => write!(f, "{text}"),
                    None => write_hex(f, self.bytes()),
                }
            }
        }
    }
}

//! Additional sense codes: the pair of numbers that says what happened, and T10's text for it.

mod table;
#[cfg(test)]
mod tests;

use core::fmt;

/// An additional sense code and its qualifier (SPC-6 4.4.8).
///
/// Devices and standards keep adding pairs, so an unknown one is shown as its numbers and, where
/// the range tells it, as a vendor's own.
///
/// ```
/// use passthru::scsi::AdditionalSense;
///
/// let sense = AdditionalSense::new(0x11, 0x00);
/// assert_eq!(sense.text(), Some("Unrecovered read error"));
/// assert_eq!(sense.to_string(), "Unrecovered read error (11h/00h)");
///
/// let component = AdditionalSense::new(0x40, 0x81);
/// assert_eq!(component.to_string(), "Diagnostic failure on component 81h (40h/81h)");
///
/// assert_eq!(AdditionalSense::new(0x80, 0x01).to_string(), "vendor specific (80h/01h)");
/// assert_eq!(AdditionalSense::new(0x0F, 0x01).to_string(), "unassigned (0Fh/01h)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[doc(alias = "ASC")]
#[doc(alias = "ASCQ")]
pub struct AdditionalSense {
    /// The additional sense code.
    pub asc: u8,
    /// The additional sense code qualifier.
    pub ascq: u8,
}

impl AdditionalSense {
    /// 00h/00h: nothing is said beyond the sense key.
    pub const NONE: Self = Self::new(0x00, 0x00);
    /// 00h/1Dh: the sense data holds ATA registers.
    pub const ATA_PASS_THROUGH_INFORMATION: Self = Self::new(0x00, 0x1D);
    /// 04h/01h: the logical unit will be ready by itself soon.
    pub const BECOMING_READY: Self = Self::new(0x04, 0x01);
    /// 04h/02h: START STOP UNIT is needed.
    pub const INITIALIZING_COMMAND_REQUIRED: Self = Self::new(0x04, 0x02);
    /// 04h/04h: FORMAT UNIT is at work.
    pub const FORMAT_IN_PROGRESS: Self = Self::new(0x04, 0x04);
    /// 04h/07h: another operation is at work.
    pub const OPERATION_IN_PROGRESS: Self = Self::new(0x04, 0x07);
    /// 11h/00h: the block cannot be read.
    pub const UNRECOVERED_READ_ERROR: Self = Self::new(0x11, 0x00);
    /// 20h/00h: the device does not know the operation code.
    pub const INVALID_OPERATION_CODE: Self = Self::new(0x20, 0x00);
    /// 21h/00h: beyond the last block.
    pub const LBA_OUT_OF_RANGE: Self = Self::new(0x21, 0x00);
    /// 24h/00h: the device does not accept a field of the CDB.
    pub const INVALID_FIELD_IN_CDB: Self = Self::new(0x24, 0x00);
    /// 26h/00h: the device does not accept a field of the parameter list.
    pub const INVALID_FIELD_IN_PARAMETER_LIST: Self = Self::new(0x26, 0x00);
    /// 28h/00h: there may be another medium in the drive.
    pub const MEDIUM_MAY_HAVE_CHANGED: Self = Self::new(0x28, 0x00);
    /// 29h/00h: the device was switched on or reset, or the bus was.
    pub const POWER_ON_OR_RESET: Self = Self::new(0x29, 0x00);
    /// 3Ah/00h: there is no medium; 3Ah/01h and 02h say where the tray is.
    pub const MEDIUM_NOT_PRESENT: Self = Self::new(0x3A, 0x00);
    /// 2Ah/09h: READ CAPACITY would now answer something else.
    pub const CAPACITY_CHANGED: Self = Self::new(0x2A, 0x09);

    /// The pair.
    #[must_use]
    pub const fn new(asc: u8, ascq: u8) -> Self {
        Self { asc, ascq }
    }

    /// T10's text, in sentence case; `None` for pairs that it has not assigned.
    ///
    /// Some codes carry a number as their qualifier; their text ends with the word that the number
    /// belongs to, and [`parameter`](Self::parameter) is the number.
    #[must_use]
    pub fn text(self) -> Option<&'static str> {
        if let Some((text, _)) = self.numbered() {
            return Some(text);
        }
        let code = u16::from_be_bytes([self.asc, self.ascq]);
        let at = table::TEXTS.binary_search_by_key(&code, |row| row.0).ok()?;
        table::TEXTS.get(at).map(|row| row.1)
    }

    /// The number that the qualifier is for the codes that have one: a component for 40h/80h to
    /// 40h/FFh, a task tag for 4Dh, an algorithm for 70h.
    #[must_use]
    pub const fn parameter(self) -> Option<u8> {
        match self.numbered() {
            Some((_, number)) => Some(number),
            None => None,
        }
    }

    /// True when the pair is from a range that is left to vendors: either number 80h or above,
    /// and no text assigned all the same.
    #[must_use]
    pub fn is_vendor_specific(self) -> bool {
        (self.asc >= 0x80 || self.ascq >= 0x80) && self.text().is_none()
    }

    const fn numbered(self) -> Option<(&'static str, u8)> {
        match (self.asc, self.ascq) {
            (0x40, number @ 0x80..) => Some(("Diagnostic failure on component", number)),
            (0x4D, number) => Some(("Tagged overlapped commands, task tag", number)),
            (0x70, number) => Some(("Decompression exception, short algorithm ID", number)),
            _ => None,
        }
    }
}

impl fmt::Display for AdditionalSense {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.text(), self.parameter()) {
            (Some(text), Some(number)) => write!(f, "{text} {number:02X}h")?,
            (Some(text), None) => f.write_str(text)?,
            (None, _) if self.is_vendor_specific() => f.write_str("vendor specific")?,
            (None, _) => f.write_str("unassigned")?,
        }
        write!(f, " ({:02X}h/{:02X}h)", self.asc, self.ascq)
    }
}

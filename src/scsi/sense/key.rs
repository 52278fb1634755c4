//! The sense key: the class that an error or event falls in.

use core::fmt;

/// The sense key (SPC-6 4.4.8), 0h to Fh.
///
/// ```
/// use passthru::scsi::SenseKey;
///
/// assert_eq!(SenseKey(0x03), SenseKey::MEDIUM_ERROR);
/// assert_eq!(SenseKey::MEDIUM_ERROR.to_string(), "MEDIUM ERROR");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SenseKey(pub u8);

/// The names of the keys, in the order of their values.
const NAMES: [&str; 16] = [
    "NO SENSE",
    "RECOVERED ERROR",
    "NOT READY",
    "MEDIUM ERROR",
    "HARDWARE ERROR",
    "ILLEGAL REQUEST",
    "UNIT ATTENTION",
    "DATA PROTECT",
    "BLANK CHECK",
    "VENDOR SPECIFIC",
    "COPY ABORTED",
    "ABORTED COMMAND",
    "EQUAL",
    "VOLUME OVERFLOW",
    "MISCOMPARE",
    "COMPLETED",
];

impl SenseKey {
    /// Nothing to report under a key. On a tape, a filemark, the end of the medium or a block of
    /// another length are reported under this key.
    pub const NO_SENSE: Self = Self(0x0);
    /// The command was carried out, with some recovery. The data is valid.
    pub const RECOVERED_ERROR: Self = Self(0x1);
    /// The logical unit cannot be accessed now; the additional sense code says what is missing.
    pub const NOT_READY: Self = Self(0x2);
    /// A flaw in the medium or in what is recorded on it.
    pub const MEDIUM_ERROR: Self = Self(0x3);
    /// A failure of the device itself.
    pub const HARDWARE_ERROR: Self = Self(0x4);
    /// The command, a field of it or its parameter data is not accepted.
    pub const ILLEGAL_REQUEST: Self = Self(0x5);
    /// Something happened to the device since the last command: a reset, a new medium, changed
    /// parameters. The command that got this answer was not carried out.
    pub const UNIT_ATTENTION: Self = Self(0x6);
    /// The medium or the area is protected.
    pub const DATA_PROTECT: Self = Self(0x7);
    /// Blank medium or end of data where something was expected, or the other way round.
    pub const BLANK_CHECK: Self = Self(0x8);
    /// Meaning left to the vendor.
    pub const VENDOR_SPECIFIC: Self = Self(0x9);
    /// A copy command was aborted by an error at one of its ends.
    pub const COPY_ABORTED: Self = Self(0xA);
    /// The device aborted the command; sending it again may help.
    pub const ABORTED_COMMAND: Self = Self(0xB);
    /// A search was satisfied (obsolete since SPC-2; reserved).
    pub const EQUAL: Self = Self(0xC);
    /// The end of a buffered device's medium was reached with data left in its buffer.
    pub const VOLUME_OVERFLOW: Self = Self(0xD);
    /// Data to compare and data on the medium differ.
    pub const MISCOMPARE: Self = Self(0xE);
    /// The command was carried out; the sense data carries an answer. Can come with GOOD.
    pub const COMPLETED: Self = Self(0xF);

    /// The name in capitals, as SPC writes it; `None` for values that no sense data can hold.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        NAMES.get(usize::from(self.0)).copied()
    }

    /// True for the keys under which the command did what it was asked for and its data is valid:
    /// NO SENSE, RECOVERED ERROR and COMPLETED.
    ///
    /// NO SENSE under CHECK CONDITION is a weaker statement than the others: a device that has
    /// nothing to say uses it as well.
    #[must_use]
    pub const fn is_informational(self) -> bool {
        matches!(
            self,
            Self::NO_SENSE | Self::RECOVERED_ERROR | Self::COMPLETED
        )
    }
}

impl fmt::Display for SenseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "sense key {:02X}h", self.0),
        }
    }
}

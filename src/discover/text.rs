//! Owned strings of devices.

use std::{borrow::Cow, fmt};

use crate::scsi::Text;

/// A string from sysfs, owned: what [`Text`] is borrowed.
///
/// The bytes are those of the file without the line's end. Displaying it
/// escapes control characters.
///
/// ```no_run
/// let unit = passthru::discover::scsi()?.remove(0);
/// if let Some(serial) = unit.serial() {
///     println!("{serial}, {} bytes", serial.as_bytes().len());
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct TextBuf(Vec<u8>);

impl TextBuf {
    pub(super) fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// The bytes as they came, fill characters included.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The same, borrowed.
    #[must_use]
    pub fn as_text(&self) -> Text<'_> {
        Text::new(&self.0)
    }

    /// The text without spaces and NULs at both ends, control characters still
    /// in it ([`Text::trimmed`]).
    #[must_use]
    pub fn trimmed(&self) -> Cow<'_, str> {
        self.as_text().trimmed()
    }
}

impl fmt::Display for TextBuf {
    /// Honours width, alignment and precision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_text().fmt(f)
    }
}

impl fmt::Debug for TextBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_text(), f)
    }
}

/// Compares the trimmed bytes.
impl PartialEq<str> for TextBuf {
    fn eq(&self, other: &str) -> bool {
        self.as_text() == other
    }
}

/// Compares the trimmed bytes.
impl PartialEq<&str> for TextBuf {
    fn eq(&self, other: &&str) -> bool {
        self.as_text() == *other
    }
}

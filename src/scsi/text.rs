//! Strings that devices put into fixed fields.

use core::fmt;
use std::borrow::Cow;

/// A text field of a reply: a vendor name, a serial number.
///
/// The specification wants printable ASCII, left-aligned and filled up with
/// spaces (SPC-3 4.4.1). Devices send NULs, text that is right-aligned, UTF-8,
/// Latin-1, and control characters as well. So the bytes are kept as they came
/// ([`as_bytes`](Text::as_bytes)), and what people read is made from them:
/// spaces and NULs go from both ends, what is no UTF-8 becomes `U+FFFD`, and
/// [`Display`](fmt::Display) escapes control characters, so that a device
/// cannot break a table or steer a terminal.
///
/// ```
/// use passthru::scsi::Text;
///
/// let serial = Text::new(b"  WD-1234\0\0");
/// assert_eq!(serial, "WD-1234");
/// assert_eq!(serial.as_bytes(), b"  WD-1234\0\0");
///
/// let odd = Text::new(b"a\x1b[31m\xff ");
/// assert_eq!(odd.trimmed(), "a\u{1b}[31m\u{fffd}");
/// assert_eq!(odd.to_string(), "a\\u{1b}[31m\u{fffd}");
/// ```
#[derive(Clone, Copy, Eq, Hash, Default)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// The field with these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as they came, fill characters included.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// The bytes without the spaces and NULs at both ends.
    #[must_use]
    pub const fn trimmed_bytes(&self) -> &'a [u8] {
        let mut rest = self.0;
        while let [b' ' | 0, tail @ ..] = rest {
            rest = tail;
        }
        while let [front @ .., b' ' | 0] = rest {
            rest = front;
        }
        rest
    }

    /// The text without the spaces and NULs at both ends; bytes that are no
    /// UTF-8 become `U+FFFD`. Control characters are still in it: print the
    /// `Text` itself to have them escaped.
    #[must_use]
    pub fn trimmed(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.trimmed_bytes())
    }

    /// Whether there is nothing but spaces and NULs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.trimmed_bytes().is_empty()
    }

    /// Whether the trimmed bytes are what the specification wants: printable
    /// ASCII (20h to 7Eh).
    #[must_use]
    pub fn is_printable_ascii(&self) -> bool {
        self.trimmed_bytes()
            .iter()
            .all(|byte| matches!(byte, b' '..=b'~'))
    }
}

/// Control characters, and the characters that reorder or break lines in a
/// terminal although Unicode does not call them controls.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl fmt::Display for Text<'_> {
    /// Honours width, alignment and precision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.trimmed();
        if !text.chars().any(needs_escape) {
            return f.pad(&text);
        }
        let mut escaped = String::with_capacity(text.len());
        for c in text.chars() {
            if needs_escape(c) {
                escaped.extend(c.escape_default());
            } else {
                escaped.push(c);
            }
        }
        f.pad(&escaped)
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self.0))
    }
}

/// Byte for byte, fill characters included.
impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

/// Compares the trimmed bytes.
impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.trimmed_bytes() == other.as_bytes()
    }
}

/// Compares the trimmed bytes.
impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;

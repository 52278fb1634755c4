//! Strings of JSON.

use std::fmt::Write as _;

/// Appends a string of JSON in ASCII: it cannot hold what a terminal would obey.
pub(crate) fn push_json_string(quoted: &mut String, text: &str) {
    quoted.push('"');
    let plain = |byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        quoted.push_str(text);
    } else {
        for c in text.chars() {
            match c {
                '"' | '\\' => quoted.extend(['\\', c]),
                ' '..='~' => quoted.push(c),
                _ => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        let _ = write!(quoted, "\\u{unit:04x}");
                    }
                }
            }
        }
    }
    quoted.push('"');
}

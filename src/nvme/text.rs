//! Text fields.

/// Text without the blanks around it; bytes that are no UTF-8 are replaced.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .trim_matches([' ', '\0'])
        .to_owned()
}

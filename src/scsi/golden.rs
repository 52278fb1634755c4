//! Byte dumps for tests: the files in `tests/cases/`.

/// The bytes of a dump: lines that start with `#` say where it comes from, the
/// rest is hex separated by white space.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .map(|byte| u8::from_str_radix(byte, 16).expect("a hex byte"))
        .collect()
}

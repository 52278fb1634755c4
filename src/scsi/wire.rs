//! Reading fields out of bytes that may end anywhere: every getter of a reply
//! goes through here, and none of them can look past the end.

/// The byte at `offset`.
pub(crate) fn byte(bytes: &[u8], offset: usize) -> Option<u8> {
    bytes.get(offset).copied()
}

/// Whether any bit of `mask` is set in the byte at `offset`.
pub(crate) fn flag(bytes: &[u8], offset: usize, mask: u8) -> Option<bool> {
    Some(byte(bytes, offset)? & mask != 0)
}

/// The big-endian 16-bit field at `offset`.
pub(crate) fn be16(bytes: &[u8], offset: usize) -> Option<u16> {
    array(bytes, offset).map(u16::from_be_bytes)
}

/// The big-endian 32-bit field at `offset`.
pub(crate) fn be32(bytes: &[u8], offset: usize) -> Option<u32> {
    array(bytes, offset).map(u32::from_be_bytes)
}

/// The big-endian 64-bit field at `offset`.
pub(crate) fn be64(bytes: &[u8], offset: usize) -> Option<u64> {
    array(bytes, offset).map(u64::from_be_bytes)
}

/// `N` bytes at `offset`.
pub(crate) fn array<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..offset.checked_add(N)?)?.try_into().ok()
}

/// What there is of `offset..end`: all of it, its beginning, or `None` if not
/// even its first byte came.
pub(crate) fn part(bytes: &[u8], offset: usize, end: usize) -> Option<&[u8]> {
    let part = bytes.get(offset..bytes.len().min(end))?;
    if part.is_empty() { None } else { Some(part) }
}

/// The first `len` bytes, or all of them if there are fewer.
pub(crate) fn head(bytes: &[u8], len: usize) -> &[u8] {
    bytes.get(..len).unwrap_or(bytes)
}

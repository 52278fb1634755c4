//! Fixed format sense data (SPC-6 4.4.3): where each field is.
//!
//! Every function takes the bytes up to the end that the device announced, and answers `None`
//! when its field is not wholly inside.

use super::{be32, bytes_at};

pub(super) fn valid(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|byte| byte & 0x80 != 0)
}

/// The byte with FILEMARK 80h, EOM 40h, ILI 20h, `SDAT_OVFL` 10h and the sense key.
pub(super) fn flags(bytes: &[u8]) -> Option<u8> {
    bytes.get(2).copied()
}

pub(super) fn information(bytes: &[u8]) -> Option<u32> {
    be32(bytes, 3)
}

pub(super) fn command_specific(bytes: &[u8]) -> Option<u32> {
    be32(bytes, 8)
}

pub(super) fn asc(bytes: &[u8]) -> Option<u8> {
    bytes.get(12).copied()
}

pub(super) fn ascq(bytes: &[u8]) -> Option<u8> {
    bytes.get(13).copied()
}

pub(super) fn fru(bytes: &[u8]) -> Option<u8> {
    bytes.get(14).copied()
}

pub(super) fn key_specific(bytes: &[u8]) -> Option<[u8; 3]> {
    bytes_at(bytes, 15).copied()
}

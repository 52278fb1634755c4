//! Fields of a dword.

/// The `width` bits of `dword` from bit `low` on.
pub(in crate::nvme) const fn get(dword: u32, low: u32, width: u32) -> u32 {
    dword >> low & mask(width)
}

/// The byte of `dword` from bit `low` on.
#[allow(clippy::cast_possible_truncation)] // eight bits are what is meant
pub(in crate::nvme) const fn byte(dword: u32, low: u32) -> u8 {
    (dword >> low) as u8
}

/// The 16 bits of `dword` from bit `low` on.
#[allow(clippy::cast_possible_truncation)] // 16 bits are what is meant
pub(in crate::nvme) const fn word(dword: u32, low: u32) -> u16 {
    (dword >> low) as u16
}

/// `dword` with the `width` bits from bit `low` on replaced by those of `value`.
pub(in crate::nvme) const fn with(dword: u32, low: u32, width: u32, value: u32) -> u32 {
    dword & !(mask(width) << low) | (value & mask(width)) << low
}

const fn mask(width: u32) -> u32 {
    u32::MAX >> (32 - width)
}

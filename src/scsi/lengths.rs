//! Length fields: those of a CDB are made from the buffer, those of a reply are
//! checked against what came.

use crate::scsi::{LengthLie, LengthMismatch, Malformed};

/// An allocation or parameter list length of one byte.
pub(super) fn one_byte(len: usize, min: usize) -> Result<u8, LengthMismatch> {
    at_least(len, min)?;
    u8::try_from(len).map_err(|_| LengthMismatch::TooLong {
        len,
        max: usize::from(u8::MAX),
    })
}

/// An allocation or parameter list length of two bytes.
pub(super) fn two_bytes(len: usize, min: usize) -> Result<u16, LengthMismatch> {
    at_least(len, min)?;
    u16::try_from(len).map_err(|_| LengthMismatch::TooLong {
        len,
        max: usize::from(u16::MAX),
    })
}

/// A command that moves at least `min` bytes.
pub(super) fn at_least(len: usize, min: usize) -> Result<(), LengthMismatch> {
    if len < min {
        return Err(LengthMismatch::TooShort { len, min });
    }
    Ok(())
}

/// A data-out command moves exactly so many bytes.
pub(super) fn exactly(len: usize, expected: usize) -> Result<(), LengthMismatch> {
    if len == expected {
        return Ok(());
    }
    Err(LengthMismatch::Exact {
        len,
        expected: u64::try_from(expected).unwrap_or(u64::MAX),
    })
}

/// A reply shorter than `need` bytes says nothing.
pub(super) fn enough(bytes: &[u8], need: usize) -> Result<(), Malformed> {
    if bytes.len() < need {
        return Err(Malformed::Short {
            need,
            got: bytes.len(),
        });
    }
    Ok(())
}

/// Whether a reply of `claimed` bytes, by its length field, cannot be: more than
/// the `arrived` ones though more were `asked` for, or less than the `least` that
/// such a reply has.
pub(super) fn lie(claimed: usize, least: usize, arrived: usize, asked: usize) -> Option<LengthLie> {
    if claimed < least && claimed < arrived {
        Some(LengthLie::TooLow { claimed, arrived })
    } else if claimed > arrived && arrived < asked {
        Some(LengthLie::TooHigh { claimed, arrived })
    } else {
        None
    }
}

/// The allocation length that fetches a whole reply, if what was asked for cut it.
pub(super) fn needed(claimed: usize, arrived: usize, asked: usize) -> Option<usize> {
    (claimed > arrived && arrived >= asked).then_some(claimed)
}

/// The same for an allocation length of two bytes: at most 65,535, and otherwise
/// even, because ATAPI moves words and some drives do not end a transfer with half
/// of one. `None` if all that can be asked for has come.
pub(super) fn needed_two_bytes(claimed: usize, arrived: usize, asked: usize) -> Option<u16> {
    let claimed = needed(claimed, arrived, asked)?;
    let even = claimed.saturating_add(claimed % 2);
    let needed = u16::try_from(even).unwrap_or(u16::MAX);
    (usize::from(needed) > arrived).then_some(needed)
}

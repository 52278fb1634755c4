//! Reading structures from bytes.

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::nvme::Malformed;

/// The structure at the beginning of `bytes`, and what follows it.
pub(super) fn split<T>(bytes: &[u8]) -> Result<(&T, &[u8]), Malformed>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    T::ref_from_prefix(bytes).map_err(|_| Malformed::Short {
        need: size_of::<T>(),
        got: bytes.len(),
    })
}

/// A copy of the structure at the beginning of `bytes`.
pub(super) fn read<T: FromBytes>(bytes: &[u8]) -> Result<T, Malformed> {
    T::read_from_prefix(bytes)
        .map(|(wire, _)| wire)
        .map_err(|_| Malformed::Short {
            need: size_of::<T>(),
            got: bytes.len(),
        })
}

/// As many structures as `bytes` has room for.
pub(super) fn entries<T>(bytes: &[u8]) -> &[T]
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let count = bytes.len() / size_of::<T>();
    <[T]>::ref_from_prefix_with_elems(bytes, count).map_or(&[], |(entries, _)| entries)
}

/// The first `count` structures of `bytes`, all of which must be there.
pub(super) fn counted<T>(bytes: &[u8], count: u64) -> Result<&[T], Malformed>
where
    T: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let there = entries::<T>(bytes);
    usize::try_from(count)
        .ok()
        .and_then(|count| there.get(..count))
        .ok_or(Malformed::Length {
            named: count,
            max: there.len() as u64,
        })
}

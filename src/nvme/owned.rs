//! A data structure on the heap.

use core::ops::Deref;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::Malformed;

/// A data structure of a reply, with memory of its own. It is copied once, from
/// the reply's bytes.
#[derive(Clone, Debug)]
pub(super) struct Owned<T>(Box<[T; 1]>);

impl<T: FromBytes + Immutable + KnownLayout + Unaligned + Copy> Owned<T> {
    /// The structure at the beginning of `bytes`.
    ///
    /// # Errors
    /// [`Malformed::Short`] for fewer bytes than it has.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let (value, _) = T::ref_from_prefix(bytes).map_err(|_| Malformed::Short {
            need: size_of::<T>(),
            got: bytes.len(),
        })?;
        // A slice is copied to the heap directly; a value would lie on the stack
        // on its way.
        let slice: Box<[T]> = core::slice::from_ref(value).into();
        Ok(Self(
            slice.try_into().unwrap_or_else(|_| Box::new([*value])),
        ))
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let [value] = &*self.0;
        value
    }
}

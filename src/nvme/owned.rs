//! A data structure of a page.

use core::{fmt, ops::Deref};

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::Malformed;
use crate::memory::Page;

/// A data structure that fills a page.
pub(super) trait Structure:
    FromBytes + Immutable + KnownLayout + Unaligned + Copy + 'static
{
    /// One of zeros.
    const ZERO: &'static Self;
}

/// A data structure of a reply, with memory of its own: the page that it came
/// to, or a copy.
pub(super) struct Owned<T>(Memory<T>);

enum Memory<T> {
    Page(Page),
    Heap(Box<T>),
}

impl<T: Structure> Owned<T> {
    /// A copy of the structure at the beginning of `bytes`.
    ///
    /// # Errors
    /// [`Malformed::Short`] for fewer bytes than it has.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        view(bytes).map(|value: &T| Self(Memory::Heap(Box::new(*value))))
    }

    /// The structure at the beginning of `page`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn keep(page: Page) -> Result<Self, Malformed> {
        view::<T>(&page)?;
        Ok(Self(Memory::Page(page)))
    }
}

fn view<T: Structure>(bytes: &[u8]) -> Result<&T, Malformed> {
    match T::ref_from_prefix(bytes) {
        Ok((value, _)) => Ok(value),
        Err(_) => Err(Malformed::Short {
            need: size_of::<T>(),
            got: bytes.len(),
        }),
    }
}

impl<T: Structure> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.0 {
            // Its length was checked when it was taken.
            Memory::Page(page) => view(page).unwrap_or(T::ZERO),
            Memory::Heap(value) => value,
        }
    }
}

impl<T: Structure> Clone for Owned<T> {
    fn clone(&self) -> Self {
        Self(Memory::Heap(Box::new(**self)))
    }
}

impl<T: Structure + fmt::Debug> fmt::Debug for Owned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Structure for [u8; 4096] {
        const ZERO: &'static Self = &[0; 4096];
    }

    #[test]
    fn a_page_is_kept_and_a_slice_is_copied() {
        let mut page = Page::new(4096).unwrap();
        page[4095] = 7;
        let address = page.as_ptr();
        let kept = Owned::<[u8; 4096]>::keep(page).unwrap();
        assert_eq!((kept.as_ptr(), kept[4095]), (address, 7));
        let copy = kept.clone();
        assert_ne!(copy.as_ptr(), address);
        drop(kept);
        assert_eq!(copy[4095], 7, "its own");
        let short = Malformed::Short {
            need: 4096,
            got: 4095,
        };
        let page = Page::new(4095).unwrap();
        assert_eq!(Owned::<[u8; 4096]>::keep(page).err(), Some(short));
        assert_eq!(Owned::<[u8; 4096]>::read(&[0; 4095]).err(), Some(short));
    }
}

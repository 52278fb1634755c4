//! Whether this is still the process that it was.

#![allow(unsafe_code)]

use std::{io, ptr::NonNull};

use super::AlignedBuf;

/// A mark that a forked child does not have. A process number would not tell: a
/// child that begins a new namespace of them may have its parent's.
pub(crate) struct ForkMark {
    /// The first byte of `page`: 0 in a child.
    byte: NonNull<u8>,
    /// Holds the byte.
    _page: AlignedBuf,
}

// SAFETY: the byte is the page's, which is Send, and is only read.
unsafe impl Send for ForkMark {}
// SAFETY: the same.
unsafe impl Sync for ForkMark {}

impl ForkMark {
    pub(crate) fn new() -> io::Result<Self> {
        let mut page = AlignedBuf::new(1)?;
        page.wipe_on_fork()?;
        page.fill(1);
        Ok(Self {
            byte: page.start(),
            _page: page,
        })
    }

    /// Whether this is the process that made it.
    #[inline]
    pub(crate) fn is_here(&self) -> bool {
        // SAFETY: the byte is in the page, which is mapped as long as `self` lives
        // and never written to again, but by a fork, for the child. Volatile, since
        // that happens behind the compiler's back.
        unsafe { self.byte.as_ptr().read_volatile() == 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maker_is_here() {
        assert!(ForkMark::new().unwrap().is_here());
    }
}

//! Page-aligned memory for commands of the crate's own, kept for the next one.

use std::{
    cell::Cell,
    io,
    ops::{Deref, DerefMut},
};

use super::{AlignedBuf, page_size};

thread_local! {
    /// One page of each thread that has sent such a command.
    static PAGE: Cell<AlignedBuf> = const { Cell::new(AlignedBuf::empty()) };
}

/// Zeroed memory of whole pages, which a reply may keep.
#[derive(Debug)]
pub struct Page(AlignedBuf);

impl Page {
    /// `len` bytes.
    pub(crate) fn new(len: usize) -> io::Result<Self> {
        if len == 0 || len > page_size() {
            return Ok(Self(AlignedBuf::new(len)?));
        }
        let mut page = PAGE.try_with(Cell::take).unwrap_or_default();
        if len > page.capacity() {
            return Ok(Self(AlignedBuf::new(len)?));
        }
        page.set_len(len);
        // A controller may return less than was asked for and not say so: the
        // last answer is none to this question.
        page.fill(0);
        Ok(Self(page))
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.0);
        if memory.capacity() > 0 && memory.capacity() <= page_size() {
            // A thread that ends has no place to keep it.
            let _ = PAGE.try_with(|page| page.set(memory));
        }
    }
}

impl Deref for Page {
    type Target = AlignedBuf;

    fn deref(&self) -> &AlignedBuf {
        &self.0
    }
}

impl DerefMut for Page {
    fn deref_mut(&mut self) -> &mut AlignedBuf {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_used_again_and_is_zero_again() {
        let mut first = Page::new(4096).unwrap();
        let address = first.as_ptr();
        first.fill(7);
        let second = Page::new(4096).unwrap();
        assert_ne!(second.as_ptr(), address, "the first one is in use");
        drop(second);
        drop(first);
        let third = Page::new(512).unwrap();
        assert_eq!((third.as_ptr(), third.len()), (address, 512));
        assert!(third.iter().all(|byte| *byte == 0));
        assert!(third.capacity() >= 4096, "room for what was not asked for");
        drop(third);
        // What is larger is not kept, and does not take the place of what is.
        let large = Page::new(5 * page_size()).unwrap();
        assert_eq!(large.len(), 5 * page_size());
        drop(large);
        assert!(Page::new(0).unwrap().is_empty());
        assert_eq!(Page::new(4096).unwrap().as_ptr(), address);
    }
}

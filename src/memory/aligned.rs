//! Buffers that begin at a page.

#![allow(unsafe_code)]

use std::{
    fmt, io,
    ops::{Deref, DerefMut},
    ptr::NonNull,
};

/// Zeroed memory that begins at a page and has whole pages, for data that a
/// device moves by itself: block and bsg nodes use it without a copy, whatever
/// the alignment that the device wants.
///
/// The length is what was asked for; [`capacity`](Self::capacity) is that,
/// rounded up to pages. [`set_len`](Self::set_len) changes the length within it
/// and keeps the memory, so one buffer serves commands of different sizes.
///
/// ```
/// use passthru::AlignedBuf;
///
/// let mut buffer = AlignedBuf::new(1000)?;
/// assert_eq!(buffer.as_ptr().align_offset(4096), 0);
/// assert_eq!((buffer.len(), buffer.capacity()), (1000, 4096));
/// buffer[999] = 7;
/// buffer.set_len(4096);
/// assert_eq!((buffer[999], buffer[4095]), (7, 0));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// The memory is not locked: a device that reads or writes it holds its pages
/// for as long as it needs them.
pub struct AlignedBuf {
    start: NonNull<u8>,
    capacity: usize,
    len: usize,
}

// SAFETY: the memory belongs to this value alone, as a Vec's does.
unsafe impl Send for AlignedBuf {}
// SAFETY: shared access only reads.
unsafe impl Sync for AlignedBuf {}

impl AlignedBuf {
    /// `len` zero bytes; no memory at all for 0.
    ///
    /// # Errors
    /// ENOMEM when there is no room for so many.
    pub fn new(len: usize) -> io::Result<Self> {
        if len == 0 {
            return Ok(Self::empty());
        }
        let capacity = len
            .checked_next_multiple_of(page_size())
            .filter(|capacity| isize::try_from(*capacity).is_ok())
            .ok_or_else(|| io::Error::from_raw_os_error(libc::ENOMEM))?;
        // SAFETY: without an address and MAP_FIXED the kernel chooses a range
        // that overlaps nothing; anonymous memory needs no descriptor.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                capacity,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start =
            NonNull::new(start.cast()).ok_or_else(|| io::Error::from_raw_os_error(libc::ENOMEM))?;
        Ok(Self {
            start,
            capacity,
            len,
        })
    }

    /// A buffer without memory.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            start: NonNull::dangling(),
            capacity: 0,
            len: 0,
        }
    }

    /// A view of memory that somebody else unmaps.
    ///
    /// # Safety
    /// `capacity` bytes from `start` on, whole pages, are mapped, readable,
    /// writable and initialised for as long as the value is used, and nothing else
    /// uses them. The value is not dropped.
    #[cfg(feature = "uring")]
    pub(super) const unsafe fn view(start: NonNull<u8>, capacity: usize, len: usize) -> Self {
        Self {
            start,
            capacity,
            len,
        }
    }

    /// Where it begins.
    #[cfg(feature = "uring")]
    #[inline]
    pub(super) const fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// How many bytes there is room for: whole pages.
    #[must_use]
    #[inline]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Makes it `len` bytes long, at most [`capacity`](Self::capacity). What
    /// comes in keeps its old content, or is zero.
    #[inline]
    pub fn set_len(&mut self, len: usize) {
        self.len = len.min(self.capacity);
    }

    /// Asks the kernel for huge pages (`MADV_HUGEPAGE`), so that a large
    /// transfer needs fewer segments. It is a wish: worth a try from 2 MiB on.
    ///
    /// # Errors
    /// EINVAL on kernels without transparent huge pages.
    pub fn advise_huge_pages(&mut self) -> io::Result<()> {
        if self.capacity == 0 {
            return Ok(());
        }
        // SAFETY: the range is our own mapping, and the advice changes nothing
        // that can be seen in it.
        let result = unsafe {
            libc::madvise(
                self.start.as_ptr().cast(),
                self.capacity,
                libc::MADV_HUGEPAGE,
            )
        };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    /// A forked child finds zeros here, whatever its parent has written
    /// (`MADV_WIPEONFORK`).
    #[cfg(feature = "uring")]
    pub(crate) fn wipe_on_fork(&mut self) -> io::Result<()> {
        // SAFETY: the range is our own mapping, private and anonymous, and nothing
        // changes in it here. In a child it is zero, which bytes may be, and fork
        // is called while nobody in this call borrows them.
        let result = unsafe {
            libc::madvise(
                self.start.as_ptr().cast(),
                self.capacity,
                libc::MADV_WIPEONFORK,
            )
        };
        if result < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}

/// The size of a page, in bytes.
pub(crate) fn page_size() -> usize {
    // SAFETY: sysconf has no preconditions.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

impl Default for AlignedBuf {
    /// No memory.
    fn default() -> Self {
        Self::empty()
    }
}

impl Deref for AlignedBuf {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: `len` is at most `capacity`, which is mapped, readable and
        // initialised (anonymous memory is zero); 0 for a dangling start.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for AlignedBuf {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, writable, and `self` is exclusively borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for AlignedBuf {
    #[inline]
    fn drop(&mut self) {
        if self.capacity > 0 {
            // SAFETY: the range is our own mapping, and nothing borrows it.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.capacity) };
        }
    }
}

impl fmt::Debug for AlignedBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlignedBuf")
            .field("len", &self.len)
            .field("capacity", &self.capacity)
            .finish()
    }
}

#[cfg(test)]
#[path = "aligned_tests.rs"]
mod tests;

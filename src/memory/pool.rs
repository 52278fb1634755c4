//! Buffers of one size that are cut from a few large pieces of memory.

#![allow(unsafe_code)]

use std::{
    fmt, io,
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::{Arc, Mutex, PoisonError},
};

use super::{AlignedBuf, page_size};

/// The most bytes of one piece: the kernel registers no more at once
/// (`io_buffer_validate`).
const MOST_PIECE: usize = 1 << 30;

/// The memory, and which of its buffers are free.
pub(crate) struct Pool {
    /// Never looked at through these again: the buffers are slices of them.
    pieces: Vec<AlignedBuf>,
    /// Where each piece begins.
    starts: Vec<NonNull<u8>>,
    /// How many bytes a buffer has at first.
    size: usize,
    /// The same in whole pages: how far buffers are apart.
    stride: usize,
    /// How many buffers a piece has; the last one may have less.
    per_piece: usize,
    free: Mutex<Vec<u32>>,
}

// SAFETY: `starts` are addresses within `pieces`, which are Send; nothing is read
// or written through them but by a `PoolBuf`, which has its part alone.
unsafe impl Send for Pool {}
// SAFETY: the same; the list of free buffers has a lock.
unsafe impl Sync for Pool {}

impl Pool {
    /// `count` buffers of `size` bytes, zero at first.
    pub(crate) fn new(count: u32, size: usize) -> io::Result<Arc<Self>> {
        let none = || io::Error::from_raw_os_error(libc::ENOMEM);
        let stride = size
            .max(1)
            .checked_next_multiple_of(page_size())
            .filter(|stride| *stride <= MOST_PIECE)
            .ok_or_else(none)?;
        let per_piece = MOST_PIECE / stride;
        let mut left = usize::try_from(count).map_err(|_| none())?;
        let mut pieces = Vec::new();
        let mut starts = Vec::new();
        while left > 0 {
            let now = left.min(per_piece);
            let mut piece = AlignedBuf::new(now.checked_mul(stride).ok_or_else(none)?)?;
            // A wish: fewer pages to hold.
            let _ = piece.advise_huge_pages();
            starts.push(NonNull::from(&mut piece[..]).cast());
            pieces.push(piece);
            left -= now;
        }
        Ok(Arc::new(Self {
            pieces,
            starts,
            size,
            stride,
            per_piece,
            // The first ones are taken first.
            free: Mutex::new((0..count).rev().collect()),
        }))
    }

    /// A buffer that nobody has.
    pub(crate) fn take(self: &Arc<Self>) -> Option<PoolBuf> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let index = free.pop()?;
        let (piece, within) = self.place(index);
        let Some(start) = self.starts.get(piece) else {
            free.push(index);
            return None;
        };
        // SAFETY: the buffer lies within its piece: `new` has made a piece of
        // `stride` bytes for each of its buffers.
        let start = unsafe { start.add(within) };
        Some(PoolBuf {
            start,
            len: self.size,
            index,
            pool: Arc::clone(self),
        })
    }

    /// How many are free.
    pub(crate) fn free(&self) -> usize {
        self.free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// The piece that a buffer lies in, and where.
    fn place(&self, index: u32) -> (usize, usize) {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        (
            index / self.per_piece,
            (index % self.per_piece) * self.stride,
        )
    }

    /// Each piece of memory as address and length.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (NonNull<u8>, usize)> {
        let lengths = self.pieces.iter().map(AlignedBuf::capacity);
        self.starts.iter().copied().zip(lengths)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("size", &self.size)
            .field("free", &self.free())
            .finish_non_exhaustive()
    }
}

/// A buffer of a pool, which goes back to it when it is dropped.
pub(crate) struct PoolBuf {
    start: NonNull<u8>,
    len: usize,
    index: u32,
    pool: Arc<Pool>,
}

// SAFETY: its part of the pool's memory belongs to it alone.
unsafe impl Send for PoolBuf {}
// SAFETY: shared access only reads.
unsafe impl Sync for PoolBuf {}

impl PoolBuf {
    pub(crate) fn capacity(&self) -> usize {
        self.pool.stride
    }

    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len.min(self.capacity());
    }

    /// In which piece of memory of `pool` it lies; `None` if it is of another.
    #[inline]
    pub(crate) fn piece(&self, pool: &Arc<Pool>) -> Option<u16> {
        if !Arc::ptr_eq(&self.pool, pool) {
            return None;
        }
        // Most pools have one piece.
        if pool.pieces.len() == 1 {
            return Some(0);
        }
        u16::try_from(pool.place(self.index).0).ok()
    }
}

impl Deref for PoolBuf {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `len` is at most the stride, so these bytes are the buffer's own
        // part of a piece that lives as long as the pool, which this value holds.
        // They are initialised: anonymous memory is zero.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for PoolBuf {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is exclusively borrowed. No other value
        // has this part: its index is not in the list while this one lives.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for PoolBuf {
    fn drop(&mut self) {
        // There is room: the list once had all of them.
        self.pool
            .free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(self.index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_do_not_overlap_and_come_back() {
        let pool = Pool::new(3, 5000).unwrap();
        let mut taken: Vec<_> = (0..3).map(|_| pool.take().unwrap()).collect();
        assert!(pool.take().is_none());
        for (number, buffer) in (1..).zip(&mut taken) {
            assert_eq!((buffer.len(), buffer.capacity()), (5000, 8192));
            assert_eq!(buffer.as_ptr().align_offset(page_size()), 0);
            assert_eq!(buffer.piece(&pool), Some(0));
            buffer.set_len(usize::MAX);
            assert_eq!(buffer.len(), 8192);
            buffer.fill(number);
        }
        for (number, buffer) in (1..).zip(&taken) {
            assert!(buffer.iter().all(|byte| *byte == number));
        }
        let second = taken.remove(1);
        let address = second.as_ptr();
        drop(second);
        assert_eq!(pool.free(), 1);
        let again = pool.take().unwrap();
        assert_eq!((again.as_ptr(), again.len()), (address, 5000));
    }

    #[test]
    fn memory_lives_as_long_as_a_buffer() {
        let pool = Pool::new(1, 4096).unwrap();
        let mut buffer = pool.take().unwrap();
        drop(pool);
        buffer.fill(9);
        let elsewhere = std::thread::spawn(move || buffer.iter().all(|byte| *byte == 9));
        assert!(elsewhere.join().unwrap());
    }

    #[test]
    fn more_than_a_piece() {
        // Not touched, so it takes no memory.
        let pool = Pool::new(3, MOST_PIECE / 2).unwrap();
        let taken: Vec<_> = (0..3).map(|_| pool.take().unwrap()).collect();
        let pieces: Vec<_> = taken.iter().map(|buffer| buffer.piece(&pool)).collect();
        assert_eq!(pieces, [Some(0), Some(0), Some(1)]);
        assert_eq!(pool.pieces().count(), 2);
        let other = Pool::new(1, 1).unwrap();
        assert_eq!(taken[0].piece(&other), None);
        assert!(Pool::new(1, MOST_PIECE + 1).is_err());
        assert!(Pool::new(1, usize::MAX).is_err());
        assert!(Pool::new(0, 4096).unwrap().take().is_none());
    }
}

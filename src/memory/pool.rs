//! Buffers of one size that are cut from a few large pieces of memory.

#![allow(unsafe_code)]

use std::{
    fmt, io,
    mem::{self, ManuallyDrop},
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
    /// Never looked at through these again: the buffers are parts of them.
    pieces: Vec<AlignedBuf>,
    /// How many bytes a buffer has at first.
    size: usize,
    /// The same in whole pages: how far buffers are apart.
    stride: usize,
    free: Mutex<Vec<NonNull<u8>>>,
}

// SAFETY: the addresses in `free` are within `pieces`, which are Send; nothing is
// read or written through them but by a `PoolBuf`, which has its part alone.
unsafe impl Send for Pool {}
// SAFETY: the same; the list has a lock.
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
        let count = usize::try_from(count).map_err(|_| none())?;
        let mut free = Vec::new();
        free.try_reserve_exact(count).map_err(|_| none())?;
        let mut pieces = Vec::new();
        let mut left = count;
        while left > 0 {
            let now = left.min(per_piece);
            let mut piece = AlignedBuf::new(now.checked_mul(stride).ok_or_else(none)?)?;
            // A wish: fewer pages to hold.
            let _ = piece.advise_huge_pages();
            for number in 0..now {
                // SAFETY: the piece has `now` buffers of `stride` bytes.
                free.push(unsafe { piece.start().add(number * stride) });
            }
            pieces.push(piece);
            left -= now;
        }
        // The first ones are taken first.
        free.reverse();
        Ok(Arc::new(Self {
            pieces,
            size,
            stride,
            free: Mutex::new(free),
        }))
    }

    /// A buffer that nobody has.
    pub(crate) fn take(self: &Arc<Self>) -> Option<PoolBuf> {
        let start = self.list().pop()?;
        // SAFETY: `stride` bytes from there on are a part of a piece, which the
        // pool keeps mapped, and the value that is made keeps the pool. They are
        // initialised: anonymous memory is zero. Nobody else has the part, since it
        // was in the list. `PoolBuf` does not drop the view.
        let view = unsafe { AlignedBuf::view(start, self.stride, self.size) };
        Some(PoolBuf {
            memory: ManuallyDrop::new(view),
            pool: Some(Arc::clone(self)),
        })
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<NonNull<u8>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Each piece of memory as address and length.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (NonNull<u8>, usize)> {
        self.pieces
            .iter()
            .map(|piece| (piece.start(), piece.capacity()))
    }

    /// The piece that an address is in.
    fn piece(&self, start: NonNull<u8>) -> Option<u16> {
        let within = |(first, len): (NonNull<u8>, usize)| {
            start.addr().get().wrapping_sub(first.addr().get()) < len
        };
        u16::try_from(self.pieces().position(within)?).ok()
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("size", &self.size)
            .field("free", &self.list().len())
            .finish_non_exhaustive()
    }
}

/// A buffer that may be of a pool, to which it goes back when it is dropped.
pub(crate) struct PoolBuf {
    memory: ManuallyDrop<AlignedBuf>,
    /// `None` for memory of its own.
    pool: Option<Arc<Pool>>,
}

impl PoolBuf {
    #[inline]
    pub(crate) const fn own(memory: AlignedBuf) -> Self {
        Self {
            memory: ManuallyDrop::new(memory),
            pool: None,
        }
    }

    /// The memory, if it is its own.
    pub(crate) fn into_own(mut self) -> Result<AlignedBuf, Self> {
        if self.pool.is_some() {
            return Err(self);
        }
        // What is dropped then has no memory.
        Ok(mem::take(&mut *self.memory))
    }

    #[inline]
    pub(crate) const fn is_of_a_pool(&self) -> bool {
        self.pool.is_some()
    }

    /// In which piece of memory of `pool` it lies; `None` if it is of no or
    /// another pool.
    #[inline]
    pub(crate) fn piece(&self, pool: Option<&Arc<Pool>>) -> Option<u16> {
        match (&self.pool, pool) {
            (Some(own), Some(pool)) if Arc::ptr_eq(own, pool) => match pool.pieces.len() {
                // Most pools have one.
                1 => Some(0),
                _ => pool.piece(self.memory.start()),
            },
            _ => None,
        }
    }

    /// The address of its first byte.
    #[inline]
    pub(crate) fn address(&self) -> u64 {
        self.memory.start().as_ptr().expose_provenance() as u64
    }
}

impl Deref for PoolBuf {
    type Target = AlignedBuf;

    #[inline]
    fn deref(&self) -> &AlignedBuf {
        &self.memory
    }
}

impl DerefMut for PoolBuf {
    /// Putting another buffer there would lose the pool's part, and unmap memory
    /// that is the pool's: only [`RingBuf`](crate::device::RingBuf) uses this, for
    /// the bytes and the length.
    #[inline]
    fn deref_mut(&mut self) -> &mut AlignedBuf {
        &mut self.memory
    }
}

impl Drop for PoolBuf {
    #[inline]
    fn drop(&mut self) {
        match &self.pool {
            // There is room: the list once had all of them.
            Some(pool) => pool.list().push(self.memory.start()),
            // SAFETY: it is dropped once, here, and not used any more.
            None => unsafe { ManuallyDrop::drop(&mut self.memory) },
        }
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
            assert_eq!(buffer.piece(Some(&pool)), Some(0));
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
        assert_eq!(pool.list().len(), 1);
        let again = pool.take().unwrap();
        assert_eq!((again.as_ptr(), again.len()), (address, 5000));
        assert!(again.into_own().is_err());
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
    fn memory_of_its_own_is_given_back() {
        let mut memory = AlignedBuf::new(100).unwrap();
        memory.fill(3);
        let address = memory.as_ptr();
        let buffer = PoolBuf::own(memory);
        assert_eq!((buffer.piece(None), buffer.is_of_a_pool()), (None, false));
        let memory = buffer.into_own().unwrap_or_else(|_| panic!("its own"));
        assert_eq!((memory.as_ptr(), memory[99]), (address, 3));
    }

    #[test]
    fn more_than_a_piece() {
        // Not touched, so it takes no memory.
        let pool = Pool::new(3, MOST_PIECE / 2).unwrap();
        let taken: Vec<_> = (0..3).map(|_| pool.take().unwrap()).collect();
        let pieces: Vec<_> = taken
            .iter()
            .map(|buffer| buffer.piece(Some(&pool)))
            .collect();
        assert_eq!(pieces, [Some(0), Some(0), Some(1)]);
        assert_eq!(pool.pieces().count(), 2);
        let other = Pool::new(1, 1).unwrap();
        assert_eq!(taken[0].piece(Some(&other)), None);
        assert!(Pool::new(1, MOST_PIECE + 1).is_err());
        assert!(Pool::new(1, usize::MAX).is_err());
        assert!(Pool::new(0, 4096).unwrap().take().is_none());
    }
}

//! Buffers of one size that are cut from a few large pieces of memory.

#![allow(unsafe_code)]

use std::{
    fmt, io,
    mem::{self, ManuallyDrop},
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{AlignedBuf, page_size};

/// The most bytes of one piece: the kernel registers no more at once
/// (`io_buffer_validate`).
const MOST_PIECE: usize = 1 << 30;
/// How many parts of memory the kernel registers at most
/// (`IORING_MAX_REG_BUFFERS`).
const MOST_PARTS: u32 = 1 << 14;
/// The most pages of a part. Linux 6.1 refuses a command (EINVAL) if more pages
/// follow in its part than a command has segments (127 of an NVMe drive), used or
/// not (`blk_rq_map_user_bvec`). Buffers in longer ones are used as if they were
/// not registered.
const MOST_PAGES: usize = 127;

/// The memory, and those of its buffers that are free.
pub(crate) struct Pool {
    /// Never looked at through these again: the buffers are parts of them.
    pieces: Vec<AlignedBuf>,
    /// How many bytes of them are registered as one part.
    part: usize,
    /// How many bytes a buffer has at first.
    size: usize,
    // Boxes go in and out of buffers.
    #[allow(clippy::vec_box)]
    free: Mutex<Vec<Box<Part>>>,
}

/// A buffer's memory, at a place where it stays when the buffer is moved.
struct Part {
    /// A view of a part of a piece, if it is of a pool.
    memory: ManuallyDrop<AlignedBuf>,
    /// The number of the registered part that it is in.
    number: Option<u16>,
    /// The pool while the buffer is taken; `None` for memory of its own.
    pool: Option<Arc<Pool>>,
}

impl Pool {
    /// `count` buffers of `size` bytes, zero at first.
    pub(crate) fn new(count: u32, size: usize) -> io::Result<Arc<Self>> {
        let none = || io::Error::from_raw_os_error(libc::ENOMEM);
        let stride = size
            .max(1)
            .checked_next_multiple_of(page_size())
            .filter(|stride| *stride <= MOST_PIECE)
            .ok_or_else(none)?;
        // One, if that can be.
        let per_part = usize::try_from(count.div_ceil(MOST_PARTS).max(1)).map_err(|_| none())?;
        let part = per_part.checked_mul(stride).ok_or_else(none)?;
        // Whole parts.
        let per_piece = MOST_PIECE / part * per_part;
        if per_piece == 0 {
            return Err(none());
        }
        let mut numbers = 0_usize..;
        let mut left = usize::try_from(count).map_err(|_| none())?;
        let mut free = Vec::new();
        free.try_reserve_exact(left).map_err(|_| none())?;
        let mut pieces = Vec::new();
        while left > 0 {
            let now = left.min(per_piece);
            let mut whole = AlignedBuf::new(now.checked_mul(stride).ok_or_else(none)?)?;
            // A wish: fewer pages to hold.
            let _ = whole.advise_huge_pages();
            for (within, number) in (0..now).zip(&mut numbers) {
                // SAFETY: the piece has `now` parts of `stride` bytes.
                let start = unsafe { whole.start().add(within * stride) };
                // SAFETY: whole pages of a piece that the pool keeps mapped, which
                // who takes the part keeps; anonymous memory is zero at first. No
                // other view has them. `PoolBuf` does not drop it.
                let view = unsafe { AlignedBuf::view(start, stride, size) };
                free.push(Box::new(Part {
                    memory: ManuallyDrop::new(view),
                    number: match part <= MOST_PAGES * page_size() {
                        true => u16::try_from(number / per_part).ok(),
                        false => None,
                    },
                    pool: None,
                }));
            }
            pieces.push(whole);
            left -= now;
        }
        // The first ones are taken first.
        free.reverse();
        Ok(Arc::new(Self {
            pieces,
            part,
            size,
            free: Mutex::new(free),
        }))
    }

    /// A buffer that nobody has.
    pub(crate) fn take(self: &Arc<Self>) -> Option<PoolBuf> {
        let mut part = self.list().pop()?;
        part.pool = Some(Arc::clone(self));
        part.memory.set_len(self.size);
        Some(PoolBuf(ManuallyDrop::new(part)))
    }

    #[allow(clippy::vec_box)]
    fn list(&self) -> MutexGuard<'_, Vec<Box<Part>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be registered, as address and length, in the order of its
    /// numbers.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (NonNull<u8>, usize)> {
        let part = self.part;
        self.pieces.iter().flat_map(move |piece| {
            let capacity = piece.capacity();
            (0..capacity).step_by(part).map(move |within| {
                // SAFETY: it is less than the piece's capacity.
                let start = unsafe { piece.start().add(within) };
                (start, part.min(capacity - within))
            })
        })
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

/// A buffer that may be of a pool, to which it goes back when it is dropped. It
/// is a pointer: moving it costs nothing.
pub(crate) struct PoolBuf(ManuallyDrop<Box<Part>>);

impl PoolBuf {
    pub(crate) fn own(memory: AlignedBuf) -> Self {
        Self(ManuallyDrop::new(Box::new(Part {
            memory: ManuallyDrop::new(memory),
            number: None,
            pool: None,
        })))
    }

    /// The memory, if it is its own.
    pub(crate) fn into_own(mut self) -> Result<AlignedBuf, Self> {
        if self.is_of_a_pool() {
            return Err(self);
        }
        // What is dropped then has no memory.
        Ok(mem::take(&mut *self.0.memory))
    }

    #[inline]
    pub(crate) fn is_of_a_pool(&self) -> bool {
        self.0.pool.is_some()
    }

    /// In which registered part of `pool` it lies; `None` if it is of no or
    /// another pool, or too long.
    #[inline]
    pub(crate) fn part(&self, pool: Option<&Arc<Pool>>) -> Option<u16> {
        match (&self.0.pool, pool) {
            (Some(own), Some(pool)) if Arc::ptr_eq(own, pool) => self.0.number,
            _ => None,
        }
    }

    /// The address of its first byte.
    #[inline]
    pub(crate) fn address(&self) -> u64 {
        self.0.memory.start().as_ptr().expose_provenance() as u64
    }

    #[inline]
    pub(crate) fn capacity(&self) -> usize {
        self.0.memory.capacity()
    }

    #[inline]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.0.memory.set_len(len);
    }
}

impl Deref for PoolBuf {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0.memory
    }
}

impl DerefMut for PoolBuf {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0.memory
    }
}

impl Drop for PoolBuf {
    fn drop(&mut self) {
        // SAFETY: it is taken once, here, and `self` is not used any more.
        let mut part = unsafe { ManuallyDrop::take(&mut self.0) };
        match part.pool.take() {
            // There is room: the list once had all of them.
            Some(pool) => pool.list().push(part),
            // SAFETY: the memory is this part's own, is dropped once, and is not
            // used any more.
            None => unsafe { ManuallyDrop::drop(&mut part.memory) },
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
            assert_eq!(buffer.part(Some(&pool)), Some(u16::from(number) - 1));
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
        assert_eq!(size_of::<Option<PoolBuf>>(), size_of::<usize>());
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
        assert_eq!((buffer.part(None), buffer.is_of_a_pool()), (None, false));
        let memory = buffer.into_own().unwrap_or_else(|_| panic!("its own"));
        assert_eq!((memory.as_ptr(), memory[99]), (address, 3));
    }

    #[test]
    fn more_than_a_piece() {
        // Not touched, so it takes no memory.
        let pool = Pool::new(3, MOST_PIECE / 2).unwrap();
        let taken: Vec<_> = (0..3).map(|_| pool.take().unwrap()).collect();
        assert_eq!(pool.pieces.len(), 2);
        let parts: Vec<_> = pool.parts().collect();
        assert_eq!(parts.len(), 3);
        for (buffer, (start, len)) in taken.iter().zip(parts) {
            let address = start.as_ptr().expose_provenance() as u64;
            assert_eq!((address, len), (buffer.address(), MOST_PIECE / 2));
            assert_eq!(buffer.part(Some(&pool)), None, "too long");
        }
        let other = Pool::new(1, 1).unwrap();
        assert_eq!(taken[0].part(Some(&other)), None);
        assert!(Pool::new(1, MOST_PIECE + 1).is_err());
        assert!(Pool::new(1, usize::MAX).is_err());
        assert!(Pool::new(0, 4096).unwrap().take().is_none());
    }

    /// More than the kernel registers one by one.
    #[test]
    fn many_buffers_share_parts() {
        let count = 2 * MOST_PARTS + 1;
        let pool = Pool::new(count, 4096).unwrap();
        let parts: Vec<_> = pool.parts().collect();
        assert!(parts.len() <= MOST_PARTS as usize);
        let whole: usize = parts.iter().map(|(_, len)| len).sum();
        assert_eq!(whole, count as usize * 4096);
        let taken: Vec<_> = std::iter::from_fn(|| pool.take()).collect();
        assert_eq!(taken.len(), count as usize);
        for buffer in taken {
            let number = buffer.part(Some(&pool)).unwrap();
            let (start, len) = parts[usize::from(number)];
            let start = start.as_ptr().expose_provenance() as u64;
            assert!(buffer.address() >= start);
            assert!(buffer.address() + 4096 <= start + len as u64);
        }
    }
}

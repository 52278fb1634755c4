//! The memory that a ring's commands move.

use std::{
    fmt,
    ops::{Deref, DerefMut},
};

use crate::{
    AlignedBuf,
    memory::{Pool, PoolBuf},
    syscall::Registered,
};
use std::sync::Arc;

/// A buffer for a command of an [`NvmeRing`](super::NvmeRing): one of the ring's
/// registered ones ([`NvmeRing::buffer`](super::NvmeRing::buffer)), or an
/// [`AlignedBuf`].
///
/// It begins at a page, and all pages that it has bytes in are its own. A command
/// takes it along, and its completion gives it back. Making one of an
/// [`AlignedBuf`] allocates a little; moving it does not. A registered buffer that is
/// dropped is free to be taken again; it may outlive its ring, and another ring
/// takes it for one that is not registered.
///
/// ```
/// use passthru::{AlignedBuf, device::RingBuf};
///
/// let mut buffer = RingBuf::from(AlignedBuf::new(8192)?);
/// buffer.set_len(512);
/// buffer.fill(7);
/// assert_eq!((buffer.len(), buffer.capacity()), (512, 8192));
/// assert!(!buffer.is_registered());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct RingBuf(PoolBuf);

impl RingBuf {
    #[inline]
    pub(super) fn registered(buffer: PoolBuf) -> Self {
        Self(buffer)
    }

    /// How many bytes there is room for: whole pages.
    #[must_use]
    #[inline]
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// Makes it `len` bytes long, at most [`capacity`](Self::capacity). What
    /// comes in keeps its old content.
    #[inline]
    pub fn set_len(&mut self, len: usize) {
        self.0.set_len(len);
    }

    /// Whether it is one that a ring has registered.
    #[must_use]
    pub fn is_registered(&self) -> bool {
        self.0.is_of_a_pool()
    }

    /// The [`AlignedBuf`] that it was made of.
    ///
    /// # Errors
    /// Itself, if it is a registered one.
    pub fn into_aligned(self) -> Result<AlignedBuf, Self> {
        self.0.into_own().map_err(Self)
    }

    /// The registered part of memory that it lies in, if it is one of `pool`.
    #[inline(always)]
    pub(super) fn registration(&self, pool: Option<&Arc<Pool>>) -> Registered {
        match self.0.part(pool) {
            Some(number) => Registered::part(number),
            None => Registered::NONE,
        }
    }

    /// Where it begins. All of [`capacity`](Self::capacity) may be used there.
    #[inline]
    pub(super) fn address(&self) -> u64 {
        self.0.address()
    }
}

impl From<AlignedBuf> for RingBuf {
    #[inline]
    fn from(buffer: AlignedBuf) -> Self {
        Self(PoolBuf::own(buffer))
    }
}

impl Deref for RingBuf {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for RingBuf {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl fmt::Debug for RingBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingBuf")
            .field("len", &self.len())
            .field("registered", &self.is_registered())
            .finish()
    }
}

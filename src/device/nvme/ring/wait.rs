//! Submitting, waiting for completions, and a ring's end.

use std::{
    io, mem,
    time::{Duration, Instant},
};

use super::{Completed, NvmeRing, RingFlags, Table};
use crate::{Error, Result};

/// What a command may take for which nobody has said anything, in milliseconds.
const DEFAULT_MS: u32 = 60_000;
/// What a controller may take to be reset, after two timeouts.
const RESET: Duration = Duration::from_secs(60);

impl NvmeRing {
    /// Hands the queued commands over, and does not wait.
    ///
    /// # Errors
    /// [`Error::Ring`]; what could not be handed over stays queued.
    pub fn submit(&mut self) -> Result<()> {
        self.uring.submit().map_err(not_entered)
    }

    /// Hands the queued commands over and waits until `min` completions are there
    /// to be popped, or as many as are in flight. One system call does both. A
    /// signal does not end it.
    ///
    /// `wait(0)` does not wait, but has the kernel work on what has arrived,
    /// which it otherwise leaves until the thread asks; in a polled ring nothing
    /// arrives without.
    ///
    /// Gives how many completions are there.
    ///
    /// # Errors
    /// [`Error::Ring`]; what could not be handed over stays queued.
    #[inline]
    pub fn wait(&mut self, min: usize) -> Result<usize> {
        let want = self.wanted(min);
        loop {
            let ready = self.uring.ready();
            if ready >= want as usize && want > 0 && self.uring.is_told() {
                return Ok(ready);
            }
            match self.uring.submit_and_wait(want, None) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(not_entered(error)),
            }
            if want == 0 {
                return Ok(self.uring.ready());
            }
        }
    }

    /// The same, but for no longer than `timeout`.
    ///
    /// # Errors
    /// As [`wait`](Self::wait). That the time is over is none: look at how many
    /// there are.
    pub fn wait_timeout(&mut self, min: usize, timeout: Duration) -> Result<usize> {
        let want = self.wanted(min);
        let begun = Instant::now();
        loop {
            let ready = self.uring.ready();
            if ready >= want as usize && want > 0 && self.uring.is_told() {
                return Ok(ready);
            }
            // Once, even if there is no time.
            let left = timeout.saturating_sub(begun.elapsed());
            match self.uring.submit_and_wait(want, Some(left)) {
                Ok(()) if want == 0 => return Ok(self.uring.ready()),
                Ok(()) => {}
                Err(error) if error.raw_os_error() == Some(libc::ETIME) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(not_entered(error)),
            }
            if begun.elapsed() >= timeout {
                return Ok(self.uring.ready());
            }
        }
    }

    fn wanted(&self, min: usize) -> u32 {
        u32::try_from(min.min(self.in_flight())).unwrap_or(u32::MAX)
    }

    /// How many completions [`pop`](Self::pop) would give now. It makes no system
    /// call.
    #[inline]
    pub fn ready(&mut self) -> usize {
        self.uring.ready()
    }

    /// The next command that has ended. It makes no system call, so it finds what
    /// [`wait`](Self::wait) has fetched.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Completed> {
        loop {
            let cqe = self.uring.pop()?;
            // One that is nobody's is passed over.
            if let Some(completed) = self.finish(cqe) {
                return Some(completed);
            }
        }
    }

    /// The next command that has ended: hands over what is queued and waits for
    /// one if none is there. `None` if nothing is in flight.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub fn complete(&mut self) -> Result<Option<Completed>> {
        loop {
            if let Some(completed) = self.pop() {
                return Ok(Some(completed));
            }
            if self.in_flight() == 0 {
                return Ok(None);
            }
            self.wait(1)?;
        }
    }

    /// Waits for what the kernel has; `false` if it takes too long, or in a forked
    /// child.
    fn reap(&mut self) -> bool {
        if self.in_flight() == 0 {
            return true;
        }
        if !self.uring.is_ours() {
            return false;
        }
        if self.flags.contains(RingFlags::SQPOLL) && self.uring.submit().is_err() {
            return false;
        }
        let timeout = match self.slowest_ms {
            0 => DEFAULT_MS,
            // The default counts too: not all need have had one.
            longest => longest.max(DEFAULT_MS),
        };
        let most = 2 * Duration::from_millis(timeout.into()) + RESET;
        let begun = Instant::now();
        loop {
            while self.pop().is_some() {}
            // What the kernel was not told of.
            let queued = self.uring.queued() as usize;
            if self.in_flight() <= queued {
                return true;
            }
            let left = most.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return false;
            }
            match self.uring.wait_only(left) {
                Ok(()) => {}
                Err(error) => match error.raw_os_error() {
                    Some(libc::EINTR | libc::ETIME | libc::EAGAIN | libc::EBUSY) => {}
                    _ => return false,
                },
            }
        }
    }

    /// A device may still write to the memory of what is in flight, whenever that
    /// is; formats stay held.
    pub(super) fn leave_all(&mut self) {
        mem::forget(mem::replace(&mut self.flights, Table::new(0)));
        mem::forget(mem::replace(&mut self.groups, Table::new(0)));
        mem::forget(mem::take(&mut self.targets));
    }
}

impl Drop for NvmeRing {
    fn drop(&mut self) {
        if !self.reap() {
            self.leave_all();
        }
    }
}

#[cold]
pub(super) fn not_entered(source: io::Error) -> Error {
    Error::Ring {
        what: "io_uring_enter failed",
        source: Some(source),
    }
}

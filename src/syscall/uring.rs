//! `io_uring`, for NVMe commands.

mod entry;
mod tuning;

use std::{
    collections::VecDeque,
    io,
    mem::ManuallyDrop,
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd},
    sync::Arc,
    time::Duration,
};

use io_uring::{
    EnterFlags, IoUring, Probe,
    cqueue::Entry32,
    opcode,
    squeue::Entry128,
    types::{SubmitArgs, Timespec},
};

use entry::entry;
use tuning::climb;

use crate::memory::{ForkMark, Pool};

pub(crate) use entry::{File, Head, Registered, Transfer, Words};
pub(crate) use tuning::Tuning;

const GETEVENTS: u32 = EnterFlags::GETEVENTS.bits();
const SQ_WAIT: u32 = EnterFlags::SQ_WAIT.bits();
/// The longest wait of one call. The kernel adds it to the time it has been up,
/// and what does not fit into its 63 bits of nanoseconds is over at once.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// How a ring shall be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// How many commands fit between two submissions.
    pub(crate) batch: u32,
    /// How many completions fit.
    pub(crate) depth: u32,
    pub(crate) polled: bool,
    /// A thread of the kernel's that submits, and how many milliseconds it
    /// looks for more before it sleeps.
    pub(crate) sqpoll: Option<u32>,
    /// The processor that it runs on.
    pub(crate) sqpoll_cpu: Option<u32>,
}

/// A completion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cqe {
    pub(crate) user_data: u64,
    /// 0, an NVMe status, or a negative errno.
    pub(crate) res: i32,
    /// Completion dwords 0 and 1.
    pub(crate) result: u64,
}

/// A ring with entries of 128 and 32 bytes.
///
/// It belongs to the process that made it. A forked child has its descriptor, but
/// not its queues: there is nothing at their addresses, or something else by now.
/// So in a child each function here that would use them fails instead.
pub(crate) struct Uring {
    /// Dropped by `drop`.
    ring: ManuallyDrop<IoUring<Entry128, Entry32>>,
    ours: ForkMark,
    /// Dropped after the ring.
    pool: Option<Arc<Pool>>,
    /// How many entries the kernel has not been told of.
    queued: u32,
    entries: u32,
    sqpoll: bool,
    /// Whether a call has to poll for completions.
    polled: bool,
    /// Completions of a polled ring that its queue no longer has.
    taken: VecDeque<Cqe>,
    /// How often the kernel was entered.
    calls: u64,
}

impl Uring {
    pub(crate) fn new(setup: &Setup) -> io::Result<(Self, Tuning)> {
        let (ring, tuning) = climb(setup.sqpoll.is_some(), |tuning| {
            let mut builder = IoUring::<Entry128, Entry32>::builder();
            builder
                .dontfork()
                .setup_submit_all()
                .setup_cqsize(setup.depth.max(setup.batch).next_power_of_two());
            if setup.polled {
                builder.setup_iopoll();
            }
            if let Some(idle) = setup.sqpoll {
                builder.setup_sqpoll(idle);
            }
            if let Some(cpu) = setup.sqpoll_cpu {
                builder.setup_sqpoll_cpu(cpu);
            }
            if tuning.single_issuer {
                builder.setup_single_issuer();
            }
            if tuning.defer_taskrun {
                builder.setup_defer_taskrun();
            }
            if tuning.coop_taskrun {
                builder.setup_coop_taskrun();
            }
            builder.build(setup.batch)
        })?;
        let entries = ring.params().sq_entries();
        let ours = ForkMark::new()?;
        let made = Self {
            ring: ManuallyDrop::new(ring),
            ours,
            pool: None,
            queued: 0,
            entries,
            sqpoll: setup.sqpoll.is_some(),
            // The kernel's thread polls, if there is one.
            polled: setup.polled && setup.sqpoll.is_none(),
            // Nothing is allocated later.
            taken: VecDeque::with_capacity(match setup.polled {
                true => usize::try_from(setup.depth).unwrap_or(0),
                false => 0,
            }),
            calls: 0,
        };
        Ok((made, tuning))
    }

    /// Whether this is the process that made it.
    #[inline]
    pub(crate) fn is_ours(&self) -> bool {
        self.ours.is_here()
    }

    /// The same as a result.
    fn ours(&self) -> io::Result<()> {
        match self.is_ours() {
            true => Ok(()),
            false => Err(io::Error::other(
                "the ring belongs to the process that this one was forked from",
            )),
        }
    }

    /// Whether the kernel has `IORING_OP_URING_CMD`.
    pub(crate) fn takes_commands(&self) -> io::Result<bool> {
        let mut probe = Probe::new();
        self.ring.submitter().register_probe(&mut probe)?;
        Ok(probe.is_supported(opcode::UringCmd80::CODE))
    }

    /// How many commands fit between two submissions.
    pub(crate) const fn entries(&self) -> u32 {
        self.entries
    }

    /// How many the kernel has not been told of.
    pub(crate) const fn queued(&self) -> u32 {
        self.queued
    }

    /// Whether the kernel knows of all that is queued, or its thread will see it.
    #[inline]
    pub(crate) fn is_told(&mut self) -> bool {
        // Its thread sees them, or has said that it sleeps.
        let awake = self.sqpoll && self.is_ours() && !self.ring.submission().need_wakeup();
        if awake {
            self.queued = 0;
        }
        self.queued == 0
    }

    /// How often the kernel was entered to submit and to wait.
    pub(crate) const fn calls(&self) -> u64 {
        self.calls
    }

    /// How many more fit before a submission.
    #[inline]
    pub(crate) fn room(&mut self) -> usize {
        if !self.is_ours() {
            return 0;
        }
        let queue = self.ring.submission();
        queue.capacity() - queue.len()
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the ring owns the descriptor for as long as `self` is borrowed.
        unsafe { BorrowedFd::borrow_raw(self.ring.as_raw_fd()) }
    }

    /// Makes a table for registered files.
    pub(crate) fn register_files(&self, count: u32) -> io::Result<()> {
        self.ring.submitter().register_files_sparse(count)
    }

    /// Puts a file into the table.
    pub(crate) fn register_file(&self, place: u32, fd: BorrowedFd<'_>) -> io::Result<()> {
        self.ours()?;
        let fds = [fd.as_raw_fd()];
        self.ring.submitter().register_files_update(place, &fds)?;
        Ok(())
    }

    /// Registers a pool's memory, and keeps it.
    pub(crate) fn register_pool(&mut self, pool: Arc<Pool>) -> io::Result<()> {
        let parts: Vec<_> = pool
            .parts()
            .map(|(start, len)| libc::iovec {
                iov_base: start.as_ptr().cast(),
                iov_len: len,
            })
            .collect();
        // SAFETY: the parts are mapped for as long as the pool lives, which this
        // ring keeps until after its own end. That the kernel moves data there only
        // for commands is what `push` is asked.
        unsafe { self.ring.submitter().register_buffers(&parts) }?;
        self.pool = Some(pool);
        Ok(())
    }

    /// What was registered.
    #[inline]
    pub(crate) const fn pool(&self) -> Option<&Arc<Pool>> {
        self.pool.as_ref()
    }

    /// Has completions signalled to an eventfd.
    pub(crate) fn register_eventfd(&self, fd: BorrowedFd<'_>) -> io::Result<()> {
        self.ours()?;
        self.ring.submitter().register_eventfd(fd.as_raw_fd())
    }

    /// And no longer.
    pub(crate) fn unregister_eventfd(&self) -> io::Result<()> {
        self.ours()?;
        self.ring.submitter().unregister_eventfd()
    }

    /// Puts a command into the queue; `false` if that is full.
    ///
    /// # Safety
    /// Until the completion with this `user_data` has been popped, the memory
    /// that `transfer` names stays where it is, and nobody else uses it, or only
    /// reads it if the command does. The command moves no more than its lengths
    /// say, in the direction of its opcode. With `NVME_URING_CMD_IO_VEC` the
    /// same holds for the array of iovecs and what they name.
    #[inline]
    pub(crate) unsafe fn push(
        &mut self,
        head: Head,
        words: &Words,
        transfer: &Transfer,
        user_data: u64,
    ) -> bool {
        if !self.is_ours() {
            return false;
        }
        let entry = entry(head, words, transfer, user_data);
        // SAFETY: io-uring asks that what the entry names is valid until the operation
        // has ended. The memory is: this function asks its caller for that. The
        // descriptor is that of `head`'s target, which holds its node open as long as
        // the ring lives, and the kernel holds it from the submission on. The index of
        // the registered part is one of `pool`, which was registered whole and stays.
        // The queues are mapped: this is the process that made them.
        let pushed = unsafe { self.ring.submission().push(&entry) }.is_ok();
        self.queued += u32::from(pushed);
        pushed
    }

    /// How many completions are there.
    #[inline]
    pub(crate) fn ready(&mut self) -> usize {
        if !self.is_ours() {
            return 0;
        }
        self.taken.len() + self.ring.completion().len()
    }

    /// The next completion that is there.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Cqe> {
        if !self.is_ours() {
            return None;
        }
        if self.polled {
            return self.pop_polled();
        }
        self.next()
    }

    /// Not within `pop`, which this would make longer for all.
    #[inline(never)]
    fn pop_polled(&mut self) -> Option<Cqe> {
        let taken = self.taken.pop_front();
        taken.or_else(|| self.next())
    }

    /// The next completion in the queue.
    #[inline(always)]
    fn next(&mut self) -> Option<Cqe> {
        let entry = self.ring.completion().next()?;
        let [result, _] = *entry.big_cqe();
        Some(Cqe {
            user_data: entry.user_data(),
            res: entry.result(),
            result,
        })
    }

    /// Tells the kernel of what is queued, and no more.
    pub(crate) fn submit(&mut self) -> io::Result<()> {
        while self.queued > 0 {
            let before = self.queued;
            match self.enter(0, 0, None) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // It takes some, or says why not.
                Ok(()) if self.queued == before => return Err(stuck()),
                other => other?,
            }
        }
        Ok(())
    }

    /// Sees to it that `count` more entries fit, at most all of them.
    pub(crate) fn make_room(&mut self, count: usize) -> io::Result<()> {
        self.ours()?;
        loop {
            self.submit()?;
            if self.room() >= count {
                return Ok(());
            }
            if !self.sqpoll {
                return Err(stuck());
            }
            // The kernel's thread takes them when it comes to it. The call ends once
            // the queue is not full, when there may be room for less than `count`.
            std::thread::yield_now();
            self.enter(0, SQ_WAIT, None)?;
        }
    }

    /// Tells the kernel of what is queued, and waits until `want` completions are
    /// there, a signal comes, or the time or a day is over. Without `want` it has
    /// the kernel finish what is waiting for this thread. A polled ring may come
    /// back earlier, with a time at once.
    pub(crate) fn submit_and_wait(
        &mut self,
        want: u32,
        timeout: Option<Duration>,
    ) -> io::Result<()> {
        if !self.polled {
            return self.enter(want, GETEVENTS, timeout);
        }
        self.ours()?;
        // The kernel does not poll while any is in the queue (`io_iopoll_check`).
        while let Some(cqe) = self.next() {
            self.taken.push_back(cqe);
        }
        let want = match timeout {
            None => want.saturating_sub(u32::try_from(self.taken.len()).unwrap_or(u32::MAX)),
            // Nor does it look at the time while it polls for some.
            Some(_) => 0,
        };
        self.enter(want, GETEVENTS, timeout)
    }

    /// Waits for one completion without telling the kernel of what is queued.
    pub(crate) fn wait_only(&mut self, timeout: Duration) -> io::Result<()> {
        self.ours()?;
        // As in `submit_and_wait`; the caller has popped all.
        let want = u32::from(!self.polled);
        self.call(0, want, GETEVENTS, Some(timeout)).map(drop)
    }

    fn enter(&mut self, want: u32, flags: u32, timeout: Option<Duration>) -> io::Result<()> {
        self.ours()?;
        let mut flags = flags;
        if self.sqpoll {
            // The fence in `need_wakeup` is between the entries and the flag.
            if self.ring.submission().need_wakeup() {
                flags |= EnterFlags::SQ_WAKEUP.bits();
            }
            let all = self.queued;
            self.queued = 0;
            if flags == 0 {
                return Ok(());
            }
            return self.call(all, want, flags, timeout).map(drop);
        }
        let taken = self.call(self.queued, want, flags, timeout)?;
        self.queued = self
            .queued
            .saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX));
        Ok(())
    }

    fn call(
        &mut self,
        submit: u32,
        want: u32,
        flags: u32,
        timeout: Option<Duration>,
    ) -> io::Result<usize> {
        self.calls += 1;
        let submitter = self.ring.submitter();
        let Some(timeout) = timeout else {
            // SAFETY: without an argument there is nothing that the kernel would
            // read or write but the ring itself.
            return unsafe { submitter.enter::<libc::sigset_t>(submit, want, flags, None) };
        };
        let time = Timespec::from(timeout.min(LONGEST));
        let arguments = SubmitArgs::new().timespec(&time);
        let flags = flags | EnterFlags::EXT_ARG.bits();
        // SAFETY: the argument is what EXT_ARG takes, and it and the time that it
        // names live until the call returns.
        unsafe { submitter.enter(submit, want, flags, Some(&arguments)) }
    }
}

impl Drop for Uring {
    fn drop(&mut self) {
        if self.is_ours() {
            // SAFETY: nobody uses the field after this function.
            unsafe { ManuallyDrop::drop(&mut self.ring) };
        } else {
            // In a forked child. To unmap the queues could unmap what this process
            // has mapped in their place, so only the descriptor is closed.
            // SAFETY: it is the child's own copy, and the field that owns it is not
            // dropped.
            drop(unsafe { OwnedFd::from_raw_fd(self.ring.as_raw_fd()) });
        }
    }
}

/// What cannot be, for the kernel would have said why.
#[cold]
fn stuck() -> io::Error {
    io::Error::other("the kernel took none of the queued commands")
}

//! How a ring shall be, and how it came out.

use std::{
    io,
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use bitflags::bitflags;

use super::{NvmeRing, polled, table::Table};
use crate::{
    Error, Result,
    memory::Pool,
    syscall::{Setup, Tuning, Uring},
    transport::whole_milliseconds,
};

/// The most commands in flight: what a completion queue has room for
/// (`IORING_MAX_CQ_ENTRIES`).
const MOST_DEPTH: u32 = 65536;
/// The most commands between two submissions (`IORING_MAX_ENTRIES`).
const MOST_BATCH: u32 = 32768;
/// How many files a ring registers; targets beyond that are used unregistered.
pub(super) const FILES: u32 = 64;

bitflags! {
    /// What a ring uses, as the kernel took it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct RingFlags: u32 {
        /// Only one thread submits (`IORING_SETUP_SINGLE_ISSUER`, Linux 6.0).
        #[doc(alias = "IORING_SETUP_SINGLE_ISSUER")]
        const SINGLE_ISSUER = 1;
        /// Completions are worked on when the thread asks for them
        /// (`IORING_SETUP_DEFER_TASKRUN`, Linux 6.1).
        #[doc(alias = "IORING_SETUP_DEFER_TASKRUN")]
        const DEFER_TASKRUN = 1 << 1;
        /// They are worked on when the thread makes a system call anyway
        /// (`IORING_SETUP_COOP_TASKRUN`, Linux 5.19).
        #[doc(alias = "IORING_SETUP_COOP_TASKRUN")]
        const COOP_TASKRUN = 1 << 2;
        /// Completions are polled for (`IORING_SETUP_IOPOLL`).
        #[doc(alias = "IORING_SETUP_IOPOLL")]
        const POLLED = 1 << 3;
        /// A thread of the kernel's submits (`IORING_SETUP_SQPOLL`).
        #[doc(alias = "IORING_SETUP_SQPOLL")]
        const SQPOLL = 1 << 4;
        /// Nodes are registered (`IORING_REGISTER_FILES`).
        #[doc(alias = "IORING_REGISTER_FILES")]
        const REGISTERED_FILES = 1 << 5;
        /// There are registered buffers (`IORING_REGISTER_BUFFERS`).
        #[doc(alias = "IORING_REGISTER_BUFFERS")]
        const REGISTERED_BUFFERS = 1 << 6;
    }
}

/// What an [`NvmeRing`] shall be like.
///
/// ```no_run
/// use passthru::{NvmeRing, device::RingFlags};
///
/// let ring = NvmeRing::builder()
///     .depth(128)
///     .batch(32)
///     .registered_buffers(128, 4096)
///     .build()?;
/// if !ring.flags().contains(RingFlags::DEFER_TASKRUN) {
///     eprintln!("Linux 6.1 would be faster");
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct NvmeRingBuilder {
    depth: u32,
    batch: Option<u32>,
    polled: bool,
    sqpoll: Option<Duration>,
    sqpoll_cpu: Option<u32>,
    buffers: Option<(u32, usize)>,
    files: bool,
}

impl Default for NvmeRingBuilder {
    /// 64 commands in flight, no registered buffers, not polled.
    fn default() -> Self {
        Self {
            depth: 64,
            batch: None,
            polled: false,
            sqpoll: None,
            sqpoll_cpu: None,
            buffers: None,
            files: true,
        }
    }
}

impl NvmeRingBuilder {
    /// How many commands may be in flight, 1 to 65536. More than the node's
    /// `queue/nr_requests` wait in the kernel, on a slower way.
    #[doc(alias("QD", "queue depth", "iodepth"))]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// How many commands may be queued before they have to be submitted, 1 to
    /// 32768, rounded up to a power of two; else `depth`. A command beyond that
    /// has the ring submit first.
    #[doc(alias("sq_entries", "iodepth_batch"))]
    pub const fn batch(mut self, batch: u32) -> Self {
        self.batch = Some(batch);
        self
    }

    /// Polls for completions instead of waiting for interrupts. It needs queues
    /// for that (`nvme.poll_queues`), which [`NvmeRing::add_namespace`] checks,
    /// and takes I/O commands only.
    ///
    /// Linux 6.1 to 6.4 crash when they poll, so there [`build`](Self::build) refuses it.
    #[doc(alias("IOPOLL", "hipri"))]
    pub const fn polled(mut self, polled: bool) -> Self {
        self.polled = polled;
        self
    }

    /// Has a thread of the kernel's submit, without a system call, which sleeps
    /// after `idle` without a command (1 ms to 49 days). It takes a processor of
    /// its own.
    #[doc(alias("IORING_SETUP_SQPOLL", "sqthread_poll"))]
    pub const fn sqpoll(mut self, idle: Duration) -> Self {
        self.sqpoll = Some(idle);
        self
    }

    /// The processor that this thread runs on.
    #[doc(alias("IORING_SETUP_SQ_AFF", "sqthread_poll_cpu"))]
    pub const fn sqpoll_cpu(mut self, cpu: u32) -> Self {
        self.sqpoll_cpu = Some(cpu);
        self
    }

    /// `count` buffers of `size` bytes that are registered with the kernel, which
    /// then need not find and hold their pages for each command (Linux 6.1).
    /// [`NvmeRing::buffer`] gives them out. Their memory counts against
    /// `RLIMIT_MEMLOCK` for who lacks `CAP_IPC_LOCK`.
    #[doc(alias("IORING_REGISTER_BUFFERS", "fixedbufs"))]
    pub const fn registered_buffers(mut self, count: u32, size: usize) -> Self {
        self.buffers = Some((count, size));
        self
    }

    /// Whether nodes are registered, so that the kernel need not look them up
    /// for each command. It is on unless switched off.
    #[doc(alias("IORING_REGISTER_FILES", "registerfiles"))]
    pub const fn registered_files(mut self, files: bool) -> Self {
        self.files = files;
        self
    }

    /// Makes the ring, for the thread that calls this. No command is sent.
    ///
    /// Flags that the kernel does not know are left out: [`NvmeRing::flags`] says
    /// which it took.
    ///
    /// # Errors
    /// [`Error::Ring`] when a number is out of range, and when the kernel has no
    /// `io_uring` with entries for commands (Linux 5.19), forbids it, or has not
    /// enough memory to lock.
    pub fn build(&self) -> Result<NvmeRing> {
        let wrong = |what| Error::Ring { what, source: None };
        if !(1..=MOST_DEPTH).contains(&self.depth) {
            return Err(wrong("the depth is 1 to 65536 commands"));
        }
        let batch = self.batch.unwrap_or(self.depth.min(MOST_BATCH));
        if !(1..=MOST_BATCH).contains(&batch) {
            return Err(wrong("a batch is 1 to 32768 commands"));
        }
        let sqpoll = match self.sqpoll {
            None => None,
            Some(idle) => Some(whole_milliseconds(idle).ok_or_else(|| {
                wrong("the submitting thread sleeps after 1 ms to 49 days without a command")
            })?),
        };
        if self.sqpoll_cpu.is_some() && sqpoll.is_none() {
            return Err(wrong(
                "a processor was named for a thread that was not asked for: `sqpoll`",
            ));
        }
        if self.polled {
            polled::refusal().map_or(Ok(()), |what| Err(wrong(what)))?;
        }
        let (mut uring, tuning) = Uring::new(&Setup {
            batch: batch.min(self.depth),
            depth: self.depth,
            polled: self.polled,
            sqpoll,
            sqpoll_cpu: self.sqpoll_cpu,
        })
        .map_err(|source| no_ring(source, sqpoll.is_some()))?;
        knows_commands(&uring.takes_commands())?;
        let mut flags = self.flags(tuning);
        if self.files && uring.register_files(FILES).is_ok() {
            flags |= RingFlags::REGISTERED_FILES;
        }
        if let Some((count, size)) = self.buffers {
            if count == 0 || size == 0 {
                return Err(wrong(
                    "registered buffers are at least one, of at least one byte",
                ));
            }
            let buffers = Pool::new(count, size).map_err(no_buffers)?;
            uring.register_pool(buffers).map_err(no_buffers)?;
            flags |= RingFlags::REGISTERED_BUFFERS;
        }
        static RINGS: AtomicU64 = AtomicU64::new(0);
        Ok(NvmeRing {
            uring,
            flights: Table::new(self.depth),
            groups: Table::new(self.depth),
            targets: Vec::new(),
            spare: Vec::new(),
            eventfd: None,
            id: RINGS.fetch_add(1, Ordering::Relaxed),
            depth: self.depth,
            flags,
            slowest_ms: 0,
            one_thread: PhantomData,
        })
    }

    fn flags(&self, tuning: Tuning) -> RingFlags {
        let mut flags = RingFlags::empty();
        flags.set(RingFlags::SINGLE_ISSUER, tuning.single_issuer);
        flags.set(RingFlags::DEFER_TASKRUN, tuning.defer_taskrun);
        flags.set(RingFlags::COOP_TASKRUN, tuning.coop_taskrun);
        flags.set(RingFlags::POLLED, self.polled);
        flags.set(RingFlags::SQPOLL, self.sqpoll.is_some());
        flags
    }
}

/// Why a ring could not be made.
fn no_ring(source: io::Error, sqpoll: bool) -> Error {
    let what = match source.raw_os_error() {
        Some(libc::ENOSYS) => "the kernel has none, or a sandbox hides it: Linux 5.19 is needed",
        Some(libc::EPERM) if sqpoll => {
            "not permitted: see the sysctl kernel.io_uring_disabled and seccomp filters; before \
             Linux 5.11 a submitting thread needs CAP_SYS_ADMIN"
        }
        Some(libc::EPERM | libc::EACCES) => {
            "not permitted: see the sysctl kernel.io_uring_disabled and seccomp filters \
             (containers often have one)"
        }
        Some(libc::EINVAL) => {
            "the kernel does not take the setup: entries of 128 and 32 bytes, which commands \
             need, came with Linux 5.19 (or the processor for the submitting thread is none)"
        }
        Some(libc::ENOMEM) => {
            "not enough memory: make the ring smaller, or raise RLIMIT_MEMLOCK (ulimit -l)"
        }
        Some(libc::EMFILE | libc::ENFILE) => "too many open files (ulimit -n)",
        _ => "it could not be made",
    };
    Error::Ring {
        what,
        source: Some(source),
    }
}

/// What the kernel said to the question whether it takes commands.
fn knows_commands(answer: &io::Result<bool>) -> Result<()> {
    match answer {
        Ok(true) => Ok(()),
        // No answer: the first command will tell.
        Err(_) => Ok(()),
        Ok(false) => Err(Error::Ring {
            what: "the kernel does not carry commands of drivers (IORING_OP_URING_CMD): Linux \
                   5.19 is needed",
            source: None,
        }),
    }
}

/// Why buffers could not be registered.
fn no_buffers(source: io::Error) -> Error {
    let what = match source.raw_os_error() {
        Some(libc::ENOMEM) => {
            "the buffers could not be registered: make them fewer, or raise RLIMIT_MEMLOCK \
             (ulimit -l) for who lacks CAP_IPC_LOCK"
        }
        _ => "the buffers could not be registered",
    };
    Error::Ring {
        what,
        source: Some(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(error: &Error) -> String {
        error.to_string()
    }

    #[test]
    fn numbers_out_of_range_are_refused_before_the_kernel_is_asked() {
        let refusal = |builder: &NvmeRingBuilder| text(&builder.build().unwrap_err());
        let new = NvmeRingBuilder::default;
        for depth in [0, 65537, u32::MAX] {
            assert!(refusal(&new().depth(depth)).contains("1 to 65536"));
        }
        for batch in [0, 32769] {
            assert!(refusal(&new().batch(batch)).contains("1 to 32768"));
        }
        assert!(refusal(&new().sqpoll(Duration::ZERO)).contains("1 ms to 49 days"));
        assert!(refusal(&new().sqpoll_cpu(0)).contains("`sqpoll`"));
    }

    #[test]
    fn each_refusal_of_the_kernel_says_what_to_do() {
        let of = |errno| text(&no_ring(io::Error::from_raw_os_error(errno), false));
        assert!(of(libc::ENOSYS).contains("5.19"));
        assert!(of(libc::EPERM).contains("kernel.io_uring_disabled"));
        assert!(of(libc::EINVAL).contains("128 and 32 bytes"));
        assert!(of(libc::ENOMEM).contains("RLIMIT_MEMLOCK"));
        assert!(of(libc::EMFILE).contains("ulimit -n"));
        assert!(of(libc::EIO).contains("could not be made"));
        let memory = no_buffers(io::Error::from_raw_os_error(libc::ENOMEM));
        assert!(text(&memory).contains("RLIMIT_MEMLOCK"));
        assert_eq!(memory.raw_os_error(), Some(libc::ENOMEM));
        assert!(!memory.was_sent());
    }

    #[test]
    fn a_kernel_without_commands_is_refused() {
        knows_commands(&Ok(true)).unwrap();
        knows_commands(&Err(io::Error::from_raw_os_error(libc::EINVAL))).unwrap();
        let error = knows_commands(&Ok(false)).unwrap_err();
        assert!(text(&error).contains("IORING_OP_URING_CMD"));
    }
}

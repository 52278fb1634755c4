//! NVMe commands by `io_uring`: many in flight, submitted and completed in
//! batches.

mod admit;
mod buffer;
mod builder;
mod calls;
mod completed;
mod flight;
mod ioctl_only;
mod many;
mod polled;
mod table;
mod target;
mod wait;

use std::{
    fmt,
    marker::PhantomData,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd},
    sync::Arc,
};

use super::{NvmeController, NvmeNamespace};
use crate::{
    Error, Result,
    syscall::{File, Head, Uring},
};

pub use buffer::RingBuf;
pub use builder::{NvmeRingBuilder, RingFlags};
pub use completed::{Completed, RingRejected};
use flight::{Extra, Flight, Group};
use table::Table;
use target::State;
pub use target::Target;
use wait::not_entered;

/// The most bytes of a transfer; see `MAX_LEN` of the system calls by ioctl.
const MAX_LEN: usize = 0x7fff_0000;
/// Many NVMe commands in flight on any number of namespaces and controllers,
/// from one thread.
///
/// A command is queued by [`read`](Self::read), [`write`](Self::write) and their
/// like, with a token of the caller's; [`wait`](Self::wait) hands over what is
/// queued and waits for completions, in one system call; [`pop`](Self::pop) gives
/// them one by one, without any. A command takes its buffer along and its
/// completion gives it back, so nobody can touch it meanwhile.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeRing, nvme::io::Read};
///
/// let mut ring = NvmeRing::builder().depth(32).registered_buffers(32, 4096).build()?;
/// let drive = ring.add_namespace(NvmeNamespace::open("/dev/ng0n1")?)?;
/// let mut next = 0;
/// while let Some(buffer) = ring.buffer() {
///     ring.read(drive, &Read::new(next, 8), buffer, next)?;
///     next += 8;
/// }
/// while ring.in_flight() > 0 {
///     ring.wait(1)?;
///     while let Some(done) = ring.pop() {
///         done.result?;
///         let buffer = done.buffer.expect("a read has one");
///         println!("block {}: {:02x?}", done.token, &buffer[..16]);
///         if next < 1 << 20 {
///             ring.read(drive, &Read::new(next, 8), buffer, next)?;
///             next += 8;
///         }
///     }
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
///
/// # Order
///
/// Commands end in any order, and nothing says in which order a controller
/// carries out those in flight.
///
/// # No command can be cancelled
///
/// The kernel has no way to do it: an `io_uring` cancel finds no NVMe command,
/// and closing the ring leaves them in flight. So none is offered. A command that
/// may take long gets a timeout, when it is known that ending it disturbs nobody:
/// the driver then aborts it, and if that does not help, resets the controller.
///
/// # Dropping it
///
/// waits for the commands in flight, at most for twice the longest of their
/// timeouts and a minute; what is in flight then is leaked with its memory. So is
/// everything when the ring is forgotten. Commands that were queued and not
/// submitted are not sent, except by a thread of the kernel's
/// ([`sqpoll`](NvmeRingBuilder::sqpoll)), which takes them when it sees them.
///
/// # Formats
///
/// While a ring has commands in flight on a namespace, commands of this process
/// that may change formats in its subsystem are refused
/// ([`NvmeErrorKind::InFlight`](crate::NvmeErrorKind::InFlight)). The other way
/// round, to queue a command waits while another thread sends such a command there:
/// a Format NVM may take hours.
///
/// # Threads
///
/// A ring belongs to the thread that made it. For more threads, make more rings;
/// they may share namespaces by an [`Arc`].
///
/// It belongs to the process that made it, too. In a forked child its commands
/// never end and none can be queued; to drop it there touches nothing of the
/// parent's.
///
/// # Event loops
///
/// The ring's descriptor ([`AsFd`]) is readable when completions are there;
/// [`set_eventfd`](Self::set_eventfd) has them signalled to an eventfd. Then call
/// [`wait(0)`](Self::wait), and [`pop`](Self::pop) until there is none.
///
/// # Kernels
///
/// Linux 5.19 for I/O commands, 6.0 for admin commands, 6.1 for registered
/// buffers, 6.5 for polling. Some kernels report success for commands that were lost
/// when a drive was removed, so use one that gets fixes (6.1.192 and 6.12 do not).
#[doc(alias("io_uring", "uring_cmd", "nvme_uring_cmd"))]
pub struct NvmeRing {
    uring: Uring,
    flights: Table<Flight>,
    groups: Table<Group>,
    targets: Vec<State>,
    // Boxes go in and out of flights.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<Extra>>,
    eventfd: Option<OwnedFd>,
    id: u64,
    depth: u32,
    flags: RingFlags,
    /// The longest timeout of a command so far.
    slowest_ms: u32,
    one_thread: PhantomData<*const ()>,
}

impl NvmeRing {
    /// How a ring shall be.
    pub fn builder() -> NvmeRingBuilder {
        NvmeRingBuilder::default()
    }

    /// What it uses, as the kernel took it.
    #[must_use]
    pub const fn flags(&self) -> RingFlags {
        self.flags
    }

    /// How many commands may be in flight.
    #[must_use]
    pub const fn depth(&self) -> u32 {
        self.depth
    }

    /// How many are: queued, submitted, or ended and not yet popped.
    #[must_use]
    #[inline]
    pub fn in_flight(&self) -> usize {
        self.flights.len()
    }

    /// How many of them are queued and not submitted.
    #[must_use]
    pub const fn queued(&self) -> u32 {
        self.uring.queued()
    }

    /// How many system calls it has made so far to submit and to wait
    /// (`io_uring_enter`), those that a signal ended among them. Divided by the
    /// commands that have ended it says how well they are batched.
    #[must_use]
    #[doc(alias = "io_uring_enter")]
    pub const fn system_calls(&self) -> u64 {
        self.uring.calls()
    }

    /// Whether no more can be queued before one has been popped.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.flights.room() == 0
    }

    /// Adds a namespace. No command is sent; its format is asked for when the
    /// first command on blocks is queued, and again after commands of this process
    /// that may change formats.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a disk's node `/dev/nvmeXnY`, which takes no
    /// commands by `io_uring` (use `/dev/ngXnY`), and for one that cannot be polled
    /// in a polled ring; [`Error::Ring`] when it cannot be registered.
    pub fn add_namespace(&mut self, namespace: impl Into<Arc<NvmeNamespace>>) -> Result<Target> {
        let namespace = namespace.into();
        let unsupported = |what| Error::Unsupported {
            path: namespace.core.path().to_path_buf(),
            what,
        };
        if namespace.core.is_disk_node() {
            return Err(unsupported(
                "a disk's node takes no commands by io_uring: open its generic node, /dev/ngXnY",
            ));
        }
        if self.flags.contains(RingFlags::POLLED) && !namespace.core.can_be_polled(namespace.nsid())
        {
            return Err(unsupported(
                "it has no queues to poll (queue/io_poll is not 1): load nvme with poll_queues=N, \
                 or make a ring that is not polled",
            ));
        }
        self.add(State::namespace(namespace)?)
    }

    /// Adds a controller, for admin commands.
    ///
    /// # Errors
    /// [`Error::Unsupported`] in a polled ring, which takes I/O commands only.
    pub fn add_controller(&mut self, controller: impl Into<Arc<NvmeController>>) -> Result<Target> {
        let controller = controller.into();
        if self.flags.contains(RingFlags::POLLED) {
            return Err(Error::Unsupported {
                path: controller.core.path().to_path_buf(),
                what: "admin commands cannot be polled for: make another ring for them",
            });
        }
        self.add(State::controller(controller)?)
    }

    fn add(&mut self, mut state: State) -> Result<Target> {
        let index = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        if self.flags.contains(RingFlags::REGISTERED_FILES) && index < builder::FILES {
            self.uring
                .register_file(index, state.core().fd())
                .map_err(|source| Error::Ring {
                    what: "the node could not be registered",
                    source: Some(source),
                })?;
            state.head = Head::new(File::Registered(index));
        }
        self.slowest_ms = self.slowest_ms.max(state.timeout_ms);
        self.targets.push(state);
        Ok(Target {
            ring: self.id,
            index,
        })
    }

    /// A registered buffer that nobody has. Its length is the size that the
    /// builder was given; its content is that of its last use, zero at first.
    /// `None` if none is left, or if there are none.
    #[must_use]
    #[inline]
    pub fn buffer(&self) -> Option<RingBuf> {
        self.uring.pool()?.take().map(RingBuf::registered)
    }

    /// Has every completion signalled to an eventfd, in place of one that was
    /// given before.
    ///
    /// # Errors
    /// [`Error::Ring`] for a descriptor that is none; the one before is not
    /// signalled any more then.
    #[doc(alias = "IORING_REGISTER_EVENTFD")]
    pub fn set_eventfd(&mut self, fd: impl Into<OwnedFd>) -> Result<()> {
        let fd = fd.into();
        let failed = |source| Error::Ring {
            what: "the eventfd could not be registered",
            source: Some(source),
        };
        if self.eventfd.take().is_some() {
            self.uring.unregister_eventfd().map_err(failed)?;
        }
        self.uring.register_eventfd(fd.as_fd()).map_err(failed)?;
        self.eventfd = Some(fd);
        Ok(())
    }
}

impl AsFd for NvmeRing {
    /// For `poll` and the like: readable when completions are there.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.uring.fd()
    }
}

impl AsRawFd for NvmeRing {
    /// As [`as_fd`](AsFd::as_fd), for event loops that take a number, such as
    /// tokio's `AsyncFd`. It is the same as long as the ring lives.
    fn as_raw_fd(&self) -> RawFd {
        self.as_fd().as_raw_fd()
    }
}

impl fmt::Debug for NvmeRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NvmeRing")
            .field("flags", &self.flags)
            .field("depth", &self.depth)
            .field("in_flight", &self.in_flight())
            .field("targets", &self.targets)
            .finish_non_exhaustive()
    }
}

/// A target of another ring.
#[cold]
fn foreign() -> Error {
    Error::Ring {
        what: "the target belongs to another ring: use what this ring's `add_namespace` gave",
        source: None,
    }
}

//! What controllers and namespaces have in common: the descriptor, what is let
//! through, and what an errno means.

use std::{
    fmt, io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use nix::fcntl::OFlag;

use super::{
    formats::Formats,
    node::{Kind, Node},
};
use crate::{
    Access, Error, NvmeError, NvmeErrorKind, OpenOptions, Result,
    device::{open, sysfs},
    nvme::{Completion, Nsid, Queue, is_read_only, may_change_formats},
    syscall,
    transport::{NvmeRequest, whole_milliseconds},
};

/// The most slices of a vectored transfer (`UIO_MAXIOV`).
const MAX_SLICES: usize = 1024;

/// The most bytes of a transfer. The kernel takes no more from one call
/// (`MAX_RW_COUNT`: whole pages, of up to 64 KiB); it does not refuse what is
/// longer but maps so much of it, and sends the command unchanged.
const MAX_LEN: usize = 0x7fff_0000;

pub(super) struct Core {
    fd: OwnedFd,
    path: PathBuf,
    node: Node,
    access: Access,
    timeout: Option<Duration>,
    formats: OnceLock<Formats>,
}

impl Core {
    pub(super) fn open(path: &Path, wanted: Kind, options: &OpenOptions) -> Result<Self> {
        let node = Node::look_at(path, wanted)?;
        let writes = options.access == Access::ReadWrite;
        let mut flags = if writes {
            OFlag::O_RDWR
        } else {
            OFlag::O_RDONLY
        };
        if options.exclusive {
            flags |= OFlag::O_EXCL;
        }
        let fd = syscall::open(path, flags | OFlag::O_NONBLOCK)
            .map_err(|source| open::open_error(path, writes, source))?;
        let stat = syscall::fstat(fd.as_fd()).map_err(|source| Error::Os {
            op: "fstat",
            path: path.to_path_buf(),
            cdb: None,
            sent: false,
            source,
        })?;
        // Somebody may have put another device here between the look and the
        // open. What counts is the device behind the descriptor.
        let opened = Node::of(path, &stat, wanted)?;
        if opened.rdev != node.rdev {
            return Err(open::changed(path));
        }
        Ok(Self {
            fd,
            path: path.to_path_buf(),
            node: opened,
            access: options.access,
            timeout: options.defaults.timeout_if_set(),
            formats: OnceLock::new(),
        })
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn access(&self) -> Access {
        self.access
    }

    /// What the driver lets one command move, in bytes (`max_hw_sectors_kb` of
    /// the namespace's queue; pass-through is not bound by `max_sectors_kb`).
    pub(super) fn max_transfer(&self) -> Option<usize> {
        let kib = self
            .node
            .queues()
            .find_map(|queue| sysfs::number(&queue.join("max_hw_sectors_kb")))?;
        usize::try_from(kib).ok()?.checked_mul(1024)
    }

    /// Whether the kernel has made a disk with blocks of the namespace.
    pub(super) fn is_disk(&self, nsid: Nsid) -> bool {
        self.node.disks().any(|disk| {
            sysfs::number(&disk.join("nsid")) == Some(nsid.get().into())
                && sysfs::number(&disk.join("size")).is_some_and(|size| size > 0)
        })
    }

    /// Whether it is a node that takes commands by `io_uring`: not a disk.
    #[cfg(feature = "uring")]
    pub(super) const fn is_disk_node(&self) -> bool {
        self.node.block
    }

    /// Whether completions of the namespace can be polled for
    /// (`queue/io_poll` of its disk).
    #[cfg(feature = "uring")]
    pub(super) fn can_be_polled(&self, nsid: Nsid) -> bool {
        self.node
            .disks()
            .filter(|disk| sysfs::number(&disk.join("nsid")) == Some(nsid.get().into()))
            .any(|disk| sysfs::number(&disk.join("queue/io_poll")) == Some(1))
    }

    /// Whether it is a namespace's node that stands for all ways to it.
    #[cfg(feature = "uring")]
    pub(super) fn is_multipath(&self) -> bool {
        sysfs::follow(&self.node.folder, "device")
            .and_then(|device| sysfs::subsystem(&device))
            .is_some_and(|class| class == "nvme-subsystem")
    }

    /// The timeout that was given when it was opened.
    #[cfg(feature = "uring")]
    pub(super) const fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// What its subsystem's handles share.
    pub(super) fn formats(&self) -> &Formats {
        self.formats.get_or_init(|| Formats::of(&self.node.folder))
    }

    /// An error for a request that was not sent.
    pub(super) fn error(&self, request: &NvmeRequest<'_>, kind: NvmeErrorKind) -> Error {
        let (queue, sqe) = (request.queue(), Some(*request.sqe()));
        NvmeError::new(&self.path, queue, request.type_name(), sqe, kind).into()
    }

    /// Checks and sends.
    pub(super) fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        let (queue, sqe, name) = (request.queue(), *request.sqe(), request.type_name());
        let error = |kind| NvmeError::new(&self.path, queue, name, Some(sqe), kind).into();
        if self.access == Access::ReadOnly && !is_read_only(queue, &sqe) {
            return Err(error(NvmeErrorKind::ReadOnly));
        }
        // A controller could not tell whether the format is right by which the
        // lengths were reckoned.
        if queue == Queue::Io && self.node.kind != Kind::Namespace {
            return Err(error(NvmeErrorKind::Unsupported {
                what: "I/O commands go to a namespace's node",
            }));
        }
        let len = request.data_len();
        if len > MAX_LEN {
            return Err(error(NvmeErrorKind::TooLarge {
                len,
                limit: Some(MAX_LEN),
                source: None,
            }));
        }
        if request.slices() > MAX_SLICES {
            return Err(error(NvmeErrorKind::Unsupported {
                what: "a vectored transfer has at most 1024 slices",
            }));
        }
        // 0 is the kernel's own default.
        let timeout_ms = match request.timeout().or(self.timeout) {
            None => 0,
            Some(timeout) => whole_milliseconds(timeout).ok_or_else(|| {
                error(NvmeErrorKind::Unsupported {
                    what: "a timeout is 1 ms to 49 days",
                })
            })?,
        };
        // Sent alone: see formats.rs.
        let _changes = match may_change_formats(queue, &sqe) {
            true => {
                let alone = self.formats().change();
                Some(alone.ok_or_else(|| error(NvmeErrorKind::InFlight))?)
            }
            false => None,
        };
        syscall::nvme_submit(self.fd(), request, timeout_ms).map_err(|source| {
            match source.raw_os_error() {
                Some(libc::ENODEV | libc::ENXIO) => Error::Gone {
                    path: self.path.clone(),
                    cdb: None,
                    sent: false,
                    source,
                },
                _ => error(reason(source, len, || self.max_transfer())),
            }
        })
    }

    /// What an errno of a control ioctl means.
    pub(super) fn control_error(&self, op: &'static str, source: io::Error) -> Error {
        let path = self.path.clone();
        match source.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => Error::ControlDenied {
                path,
                op,
                needs: "CAP_SYS_ADMIN (root)",
                source,
            },
            Some(libc::ENODEV | libc::ENXIO) => Error::Gone {
                path,
                cdb: None,
                sent: false,
                source,
            },
            _ => Error::Os {
                op,
                path,
                cdb: None,
                sent: false,
                source,
            },
        }
    }
}

/// What an errno of a command means. `limit` is looked up only where it tells.
pub(super) fn reason(
    source: io::Error,
    len: usize,
    limit: impl Fn() -> Option<usize>,
) -> NvmeErrorKind {
    match source.raw_os_error() {
        Some(libc::EINTR) => NvmeErrorKind::Cancelled { source },
        Some(libc::EACCES | libc::EPERM) => NvmeErrorKind::NotPermitted { source },
        Some(libc::EAGAIN) => NvmeErrorKind::NoPath { source },
        Some(libc::ENOTTY) => NvmeErrorKind::Unsupported {
            what: "this node does not take such commands: I/O goes to a namespace's node, and \
                   kernels before 5.5 lack the ioctls with a 64-bit result, those before 5.18 \
                   the vectored one",
        },
        Some(libc::EINVAL) => match limit() {
            Some(limit) if len > limit => NvmeErrorKind::TooLarge {
                len,
                limit: Some(limit),
                source: Some(source),
            },
            limit if len > 4096 => NvmeErrorKind::TooLarge {
                len,
                limit,
                source: Some(source),
            },
            _ => NvmeErrorKind::Os { source },
        },
        _ => NvmeErrorKind::Os { source },
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("path", &self.path)
            .field("kind", &self.node.kind)
            .field("access", &self.access)
            .finish()
    }
}

#[cfg(test)]
#[path = "core_tests.rs"]
pub(super) mod tests;

//! How a node is opened.

use std::{
    fmt, io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
};

use nix::fcntl::OFlag;

use super::node::{Node, NodeKind};
use crate::{Error, Options, Result, syscall};

/// What a handle lets through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// Only commands that surely change nothing:
    /// [`is_read_only`](crate::scsi::is_read_only).
    #[default]
    ReadOnly,
    /// Every command.
    ReadWrite,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReadOnly => "read-only",
            Self::ReadWrite => "read-write",
        })
    }
}

/// How to open a node.
///
/// ```no_run
/// use passthru::{OpenOptions, SgDevice};
///
/// let changer = SgDevice::open_with(
///     "/dev/sg3",
///     &OpenOptions::new().write(true).exclusive(true),
/// )?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOptions {
    pub(crate) access: Access,
    pub(crate) exclusive: bool,
    pub(crate) defaults: Options,
}

impl OpenOptions {
    /// Read-only, not exclusive.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            access: Access::ReadOnly,
            exclusive: false,
            defaults: Options::new(),
        }
    }

    /// Whether commands that change something may be sent.
    #[must_use]
    pub const fn write(mut self, write: bool) -> Self {
        self.access = if write {
            Access::ReadWrite
        } else {
            Access::ReadOnly
        };
        self
    }

    /// Whether to ask for the node alone (`O_EXCL`). On an sg node this keeps
    /// out all other opens of the same sg node, and fails while there are any;
    /// on a block node it fails while the disk is mounted or otherwise claimed.
    /// Neither keeps out the other kind of node. bsg nodes ignore it.
    #[must_use]
    #[doc(alias = "O_EXCL")]
    pub const fn exclusive(mut self, exclusive: bool) -> Self {
        self.exclusive = exclusive;
        self
    }

    /// The options for all commands that are sent without others, see
    /// [`with_options`](crate::ScsiTransportExt::with_options). A timeout that a
    /// command has of its own comes before theirs.
    #[must_use]
    pub const fn defaults(mut self, defaults: Options) -> Self {
        self.defaults = defaults;
        self
    }
}

/// A node that was looked at, opened, and looked at again.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) fd: OwnedFd,
    pub(super) path: PathBuf,
    pub(super) node: Node,
}

/// Opens `path` if it is one of the `wanted` kinds.
pub(super) fn open(path: &Path, wanted: &[NodeKind], options: &OpenOptions) -> Result<Opened> {
    let node = Node::look_at(path)?;
    node.must_be(path, wanted)?;
    // An sg node is written to for each command, so it is opened O_RDWR even
    // for reading; there the read-only list is all that protects the device.
    let writes = options.access == Access::ReadWrite || node.kind == NodeKind::Sg;
    let mut flags = OFlag::O_NONBLOCK;
    flags |= if writes {
        OFlag::O_RDWR
    } else {
        OFlag::O_RDONLY
    };
    if options.exclusive {
        flags |= OFlag::O_EXCL;
    }
    let fd = syscall::open(path, flags).map_err(|source| open_error(path, writes, source))?;
    let opened = syscall::fstat(fd.as_fd()).map_err(|source| Error::Os {
        op: "fstat",
        path: path.to_path_buf(),
        cdb: None,
        sent: false,
        source,
    })?;
    // Somebody may have put another device here between the look and the open,
    // under the same number even. What counts is the device behind the
    // descriptor, by whose type commands are judged: now that it is open its
    // number is not given away, so this look is at that device.
    let node = match Node::of(path, &opened) {
        Ok(opened) if opened.rdev == node.rdev => opened,
        Ok(opened) => {
            opened.must_be(path, wanted)?;
            return Err(changed(path));
        }
        // It was there a moment ago: it has been removed.
        Err(_) if opened.st_rdev == node.rdev => return Err(removed(path)),
        Err(error) => return Err(error),
    };
    node.must_be(path, wanted)?;
    Ok(Opened {
        fd,
        path: path.to_path_buf(),
        node,
    })
}

pub(super) fn changed(path: &Path) -> Error {
    Error::Os {
        op: "open (the node changed meanwhile: try again)",
        path: path.to_path_buf(),
        cdb: None,
        sent: false,
        source: io::Error::from_raw_os_error(libc::ESTALE),
    }
}

fn removed(path: &Path) -> Error {
    Error::Gone {
        path: path.to_path_buf(),
        cdb: None,
        sent: false,
        source: io::Error::from_raw_os_error(libc::ENODEV),
    }
}

pub(super) fn open_error(path: &Path, writes: bool, source: io::Error) -> Error {
    let path = path.to_path_buf();
    match source.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => Error::OpenDenied {
            path,
            needs: if writes {
                "read and write permission on the node (the group disk, a udev rule, or root)"
            } else {
                "read permission on the node (the group disk, a udev rule, or root)"
            },
            source,
        },
        Some(libc::EROFS) => Error::OpenDenied {
            path,
            needs: "a device that is not write-protected, or its sg or bsg node, or opening it \
                    read-only",
            source,
        },
        Some(libc::ENOENT) => Error::NotFound { path, source },
        Some(libc::EBUSY) => Error::InUse { path, source },
        Some(libc::ENODEV | libc::ENXIO) => Error::Gone {
            path,
            cdb: None,
            sent: false,
            source,
        },
        _ => Error::Os {
            op: "open",
            path,
            cdb: None,
            sent: false,
            source,
        },
    }
}

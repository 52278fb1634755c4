//! An NVMe command that failed.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use super::short_name;
use crate::nvme::{Completion, LengthMismatch, Malformed, NvmeStatus, Queue, Sqe, StatusCode};

/// An NVMe command that was not carried out: which, where and why.
#[derive(Debug)]
pub struct NvmeError {
    path: PathBuf,
    queue: Queue,
    name: &'static str,
    sqe: Option<Sqe>,
    kind: NvmeErrorKind,
}

/// Why an NVMe command was not carried out.
#[derive(Debug)]
#[non_exhaustive]
pub enum NvmeErrorKind {
    /// The controller ended the command with a status that is not 0.
    Status(Completion),
    /// The command was cancelled by its timeout or by a reset (EINTR from the
    /// kernel, which has nothing to do with signals). It may have been carried
    /// out, in part or whole, and is never sent again by itself. See also
    /// [`NvmeError::is_cancelled`].
    Cancelled {
        /// The errno.
        source: io::Error,
    },
    /// The node was opened read-only and the command is not among those that
    /// surely change nothing. Nothing was sent.
    ReadOnly,
    /// The kernel does not let this process send the command (EACCES). Nothing
    /// was sent.
    NotPermitted {
        /// The errno.
        source: io::Error,
    },
    /// The transfer is longer than the controller or the kernel takes. Nothing
    /// was sent.
    TooLarge {
        /// The transfer's length in bytes.
        len: usize,
        /// The greatest length in bytes, if it is known.
        limit: Option<usize>,
        /// The errno, if the kernel was asked.
        source: Option<io::Error>,
    },
    /// The buffers' lengths and the command do not agree. Nothing was sent.
    Length(LengthMismatch),
    /// The controller's reply is no answer to the command.
    Malformed(Malformed),
    /// The node cannot carry the command. Nothing was sent.
    Unsupported {
        /// What it cannot do, and what to do instead.
        what: &'static str,
    },
    /// The command may change formats of namespaces, and a ring of this process
    /// has commands in flight in the same subsystem, which were made for the
    /// formats that there are. Complete them, then try again. Nothing was sent.
    InFlight,
    /// As many commands are in flight as the ring has room for. Nothing was sent.
    QueueFull {
        /// How many that is.
        depth: u32,
    },
    /// The kernel did not take the command from a ring's queue. Nothing was sent.
    NotQueued {
        /// The errno.
        source: io::Error,
    },
    /// No path to the namespace is usable now (EAGAIN of a multipath node).
    /// Nothing was sent.
    NoPath {
        /// The errno.
        source: io::Error,
    },
    /// Another errno.
    Os {
        /// The errno.
        source: io::Error,
    },
}

impl NvmeError {
    /// `name`: the type of the command, with its path.
    pub(crate) fn new(
        path: &Path,
        queue: Queue,
        name: &'static str,
        sqe: Option<Sqe>,
        kind: NvmeErrorKind,
    ) -> Self {
        Self {
            path: path.to_path_buf(),
            queue,
            name: short_name(name),
            sqe,
            kind,
        }
    }

    /// The node.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The queue that the command was for.
    #[must_use]
    pub const fn queue(&self) -> Queue {
        self.queue
    }

    /// The command, unless it could not be made.
    #[must_use]
    pub const fn sqe(&self) -> Option<&Sqe> {
        self.sqe.as_ref()
    }

    /// Why.
    #[must_use]
    pub const fn kind(&self) -> &NvmeErrorKind {
        &self.kind
    }

    /// The status, if the controller gave one.
    #[must_use]
    pub fn status(&self) -> Option<NvmeStatus> {
        match &self.kind {
            NvmeErrorKind::Status(completion) => Some(completion.status()),
            _ => None,
        }
    }

    /// Whether the command was ended by its timeout or by a reset: the kernel
    /// says so ([`NvmeErrorKind::Cancelled`]), or the controller does, which
    /// ended it when the driver asked it to (Command Abort Requested, 0007h; of
    /// an I/O command whose timeout is over the driver asks for that first). It
    /// may have been carried out.
    #[must_use]
    #[doc(alias("EINTR", "timeout"))]
    pub fn is_cancelled(&self) -> bool {
        match &self.kind {
            NvmeErrorKind::Cancelled { .. } => true,
            NvmeErrorKind::Status(completion) => {
                completion.status().status_code() == StatusCode::ABORT_REQUESTED
            }
            _ => false,
        }
    }

    /// Whether the controller may have seen the command.
    #[must_use]
    pub fn was_sent(&self) -> bool {
        matches!(
            self.kind,
            NvmeErrorKind::Status(_)
                | NvmeErrorKind::Cancelled { .. }
                | NvmeErrorKind::Malformed(_)
                | NvmeErrorKind::Os { .. }
        )
    }
}

impl fmt::Display for NvmeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, name, .. } = self;
        write!(f, "{}: {name}", path.display())?;
        if let Some(sqe) = &self.sqe {
            write!(f, " ({sqe})")?;
        }
        f.write_str(": ")?;
        match &self.kind {
            NvmeErrorKind::Status(completion) => write!(f, "{}", completion.status()),
            NvmeErrorKind::Cancelled { .. } => f.write_str(
                "cancelled by its timeout or by a reset of the controller; it may have been \
                 carried out",
            ),
            NvmeErrorKind::ReadOnly => f.write_str(
                "not among the commands that surely change nothing, and the node was opened for \
                 those only",
            ),
            NvmeErrorKind::NotPermitted { .. } => f.write_str(
                "the kernel does not permit it: it needs CAP_SYS_ADMIN (root), or, for an I/O \
                 command, a node opened for writing and a controller whose effects log lists the \
                 command as supported; some Set Features are refused to everybody",
            ),
            NvmeErrorKind::TooLarge { len, limit, .. } => {
                write!(f, "a transfer of {len} bytes is too large")?;
                match limit {
                    Some(limit) if *limit < *len => write!(f, ": at most {limit}"),
                    _ => f.write_str(
                        ": more than the controller takes, or in more pieces than the driver takes",
                    ),
                }
            }
            NvmeErrorKind::Length(mismatch) => mismatch.fmt(f),
            NvmeErrorKind::Malformed(reason) => reason.fmt(f),
            NvmeErrorKind::Unsupported { what } => f.write_str(what),
            NvmeErrorKind::InFlight => f.write_str(
                "it may change formats, and a ring has commands in flight in this subsystem: \
                 complete them first",
            ),
            NvmeErrorKind::QueueFull { depth } => write!(
                f,
                "the ring was made for {depth} commands in flight: complete some first, or make \
                 it deeper"
            ),
            NvmeErrorKind::NotQueued { .. } => {
                f.write_str("the kernel does not take more commands from the ring now")
            }
            NvmeErrorKind::NoPath { .. } => {
                f.write_str("no path to the namespace is usable now: try again later")
            }
            NvmeErrorKind::Os { .. } => f.write_str("the system call failed"),
        }
    }
}

impl std::error::Error for NvmeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            NvmeErrorKind::Cancelled { source }
            | NvmeErrorKind::NotPermitted { source }
            | NvmeErrorKind::NoPath { source }
            | NvmeErrorKind::NotQueued { source }
            | NvmeErrorKind::Os { source }
            | NvmeErrorKind::TooLarge {
                source: Some(source),
                ..
            } => Some(source),
            _ => None,
        }
    }
}

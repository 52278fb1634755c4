//! Why a command was not carried out.

use std::{io, path::PathBuf, time::Duration};

use crate::{
    Outcome,
    scsi::{
        Capacity10, Capacity16, Cdb, CdbLengthError, DeviceType, LengthMismatch, Malformed,
        mmc::SectorRequestError,
    },
};

mod failure;
mod nvme;
mod range;
#[cfg(test)]
mod tests;
mod text;

pub use failure::Failure;
pub use nvme::{NvmeError, NvmeErrorKind};
pub use range::OutOfRange;
pub(crate) use text::short_name;
use text::{After, Hint, Limit, Missing, Said, Typed};

/// The result of this crate's calls.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed. Each variant names the node, and where a command was
/// meant, its opcode; an errno is kept as the
/// [source](std::error::Error::source), an [`Outcome`] in the [`Failure`].
///
/// [`was_sent`](Self::was_sent) tells whether the device may have seen the
/// command.
///
/// # Printing
/// `{}` says what failed in one line; an errno is in the source, so print the
/// chain:
///
/// ```
/// use std::error::Error;
///
/// fn print(error: &dyn Error) {
///     eprint!("{error}");
///     let mut cause = error.source();
///     while let Some(error) = cause {
///         eprint!(": {error}");
///         cause = error.source();
///     }
///     eprintln!();
/// }
/// # print(&passthru::ScsiDevice::open("/dev/none").unwrap_err());
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system call failed in a way that has no variant of its own.
    #[error("{path}: {op} failed", path = path.display())]
    Os {
        /// What was tried.
        op: &'static str,
        /// The node.
        path: PathBuf,
        /// The command, if one was meant.
        cdb: Option<Cdb>,
        /// Whether the device may have seen it.
        sent: bool,
        /// The errno.
        source: io::Error,
    },
    /// There is no such node (ENOENT).
    #[error("{path}: there is no such node{hint}", path = path.display(), hint = Missing(path))]
    NotFound {
        /// The node.
        path: PathBuf,
        /// The errno.
        source: io::Error,
    },
    /// The node may not be opened (EACCES, EPERM or EROFS at `open`).
    #[error("{path}: cannot be opened: {needs}", path = path.display())]
    OpenDenied {
        /// The node.
        path: PathBuf,
        /// What it would take.
        needs: &'static str,
        /// The errno.
        source: io::Error,
    },
    /// EBUSY at `open`. Of an sg node: somebody else holds it exclusively, or
    /// holds it open while it was asked for exclusively. Of a block node that
    /// was asked for exclusively: it is mounted, or claimed by another
    /// exclusive open, a RAID, a volume group or the like.
    #[error("{path}: in use: somebody holds it exclusively, or holds it (or has it mounted) while \
             it was asked for exclusively", path = path.display())]
    InUse {
        /// The node.
        path: PathBuf,
        /// The errno.
        source: io::Error,
    },
    /// The path is no node of the kind that was asked for.
    #[error("{path}: expected {expected}, found {found}{hint}", path = path.display(),
            hint = Hint(hint))]
    WrongNode {
        /// The node.
        path: PathBuf,
        /// What is there.
        found: &'static str,
        /// What would have been taken.
        expected: &'static str,
        /// The node to open instead, if sysfs knows one.
        hint: Option<PathBuf>,
    },
    /// The node is a partition. SCSI commands sent to it would reach the whole
    /// disk: the kernel does not add the partition's offset.
    #[error("{path} is a partition; commands go to the whole disk{hint}",
            path = path.display(), hint = Hint(whole))]
    Partition {
        /// The node.
        path: PathBuf,
        /// The whole disk's node, if sysfs knows it.
        whole: Option<PathBuf>,
    },
    /// The bsg node belongs to a host, an expander or another object that takes
    /// no SCSI commands.
    #[error("{path} is no logical unit, it belongs to {found}", path = path.display())]
    NotLogicalUnit {
        /// The node.
        path: PathBuf,
        /// The sysfs name of the object that it belongs to.
        found: String,
    },
    /// The CDB has less than 6 or more than 32 bytes. Nothing was sent.
    #[error(transparent)]
    CdbLength(#[from] CdbLengthError),
    /// The buffer's length and the command disagree. Nothing was sent.
    #[error("{path}: {command}: {mismatch}", path = path.display())]
    Length {
        /// The node.
        path: PathBuf,
        /// The command's type; there is no CDB yet.
        command: &'static str,
        /// What does not fit.
        mismatch: LengthMismatch,
    },
    /// The transfer is longer than the kernel or the host adapter takes.
    /// Nothing was sent.
    #[error("{path}: {command}: a transfer of {len} bytes is too large: {limit}",
            path = path.display(), command = Typed(cdb, *device_type), limit = Limit(*len, *limit))]
    TooLarge {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type, if known: it decides what the opcode means.
        device_type: Option<DeviceType>,
        /// The transfer's length in bytes.
        len: usize,
        /// The greatest length in bytes, if it is known. Less can still be
        /// refused: a buffer of scattered pages may need more segments than
        /// the host adapter has.
        limit: Option<u64>,
        /// The errno, if the kernel was asked.
        source: Option<io::Error>,
    },
    /// The timeout is zero, which the kernel takes as "your own default", or
    /// longer than `u32::MAX` milliseconds. Nothing was sent.
    #[error("{path}: {command}: a timeout of {timeout:?} is not between 1 ms and 49 days",
            path = path.display(), command = Typed(cdb, *device_type))]
    Timeout {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type, if known: it decides what the opcode means.
        device_type: Option<DeviceType>,
        /// The timeout that was asked for.
        timeout: Duration,
    },
    /// The device was opened read-only and the command is not among those that
    /// surely change nothing; `open_rw` lets it through. Nothing was sent.
    #[error("{path}: {command} is not among the commands that surely change nothing, and the \
             device was opened for those only", path = path.display(),
            command = Typed(cdb, *device_type))]
    ReadOnly {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type by which it was judged, if known.
        device_type: Option<DeviceType>,
    },
    /// The kernel's command filter refused it (EPERM or EACCES). Nothing was
    /// sent.
    #[error("{path}: the kernel does not permit {command}: it needs {needs}",
            path = path.display(), command = Typed(cdb, *device_type))]
    NotPermitted {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type, if known: it decides what the opcode means.
        device_type: Option<DeviceType>,
        /// What it would take.
        needs: &'static str,
        /// The errno.
        source: io::Error,
    },
    /// A control call of the node was refused (EACCES or EPERM).
    #[error("{path}: {op} is not permitted: it needs {needs}", path = path.display())]
    ControlDenied {
        /// The node.
        path: PathBuf,
        /// What was tried.
        op: &'static str,
        /// What it would take.
        needs: &'static str,
        /// The errno.
        source: io::Error,
    },
    /// This thread's credentials are not those with which the sg node was
    /// opened: the process has forked, or called setuid or the like, even to no
    /// effect. The kernel then refuses `read` and `write` on the descriptor
    /// (`sg_check_file_access`). Open the node anew.
    ///
    /// Credentials belong to a thread. Threads share them with the one that
    /// started them until one of these calls, which gives each its own: after a
    /// setuid in a process of several threads a node can be used by the thread
    /// that opens it, and by those that this one starts later, but not by the
    /// others.
    #[error("{path}: {command}: this thread's credentials are not those with which the node was \
             opened (fork, setuid): open it anew, in this thread{after}",
            path = path.display(), command = Typed(cdb, *device_type), after = After(*sent))]
    CredentialsChanged {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type, if known: it decides what the opcode means.
        device_type: Option<DeviceType>,
        /// Whether the command had been sent, so that only its result is lost.
        sent: bool,
        /// The errno.
        source: io::Error,
    },
    /// 16 commands are in flight on this descriptor, in a queue or sent by
    /// somebody who shares it (EDOM). Nothing was sent.
    #[error("{path}: {command}: 16 commands are in flight on this descriptor already",
            path = path.display(), command = Typed(cdb, *device_type))]
    QueueFull {
        /// The node.
        path: PathBuf,
        /// The command.
        cdb: Cdb,
        /// The device type, if known: it decides what the opcode means.
        device_type: Option<DeviceType>,
        /// The errno.
        source: io::Error,
    },
    /// The reserve buffer of this descriptor is used by another command (EBUSY).
    #[error("{path}: the reserve buffer is in use", path = path.display())]
    ReserveBusy {
        /// The node.
        path: PathBuf,
        /// The errno.
        source: io::Error,
    },
    /// The kernel gives a smaller reserve buffer than was asked for.
    #[error("{path}: a reserve buffer of {len} bytes is too large, the kernel gives {given}",
            path = path.display())]
    ReserveTooLarge {
        /// The node.
        path: PathBuf,
        /// What was asked for, in bytes.
        len: usize,
        /// What the kernel gives, in bytes.
        given: usize,
    },
    /// The reserve buffer of this handle was mapped before, and the kernel never
    /// changes its size after that. Open the node anew for a larger one.
    #[error("{path}: the reserve buffer has {size} bytes since it was first mapped, and cannot \
             grow to {len}: open the node anew", path = path.display())]
    ReserveSizeFixed {
        /// The node.
        path: PathBuf,
        /// What was asked for, in bytes.
        len: usize,
        /// What it has, in bytes.
        size: usize,
    },
    /// The device has been removed, or is offline (ENODEV, ENXIO).
    #[error("{path}: the device is gone or offline{after}",
            path = path.display(), after = After(*sent))]
    Gone {
        /// The node.
        path: PathBuf,
        /// The command, if one was meant.
        cdb: Option<Cdb>,
        /// Whether it had been sent.
        sent: bool,
        /// The errno.
        source: io::Error,
    },
    /// The node cannot do that. Nothing was sent.
    #[error("{path}: {what}", path = path.display())]
    Unsupported {
        /// The node.
        path: PathBuf,
        /// What it cannot do, and what to do instead.
        what: &'static str,
    },
    /// Blocks were asked for that the device does not have. Nothing was sent.
    #[error("{path}: {range}", path = path.display())]
    OutOfRange {
        /// The node.
        path: PathBuf,
        /// What was asked for, and how many blocks there are.
        range: OutOfRange,
    },
    /// What was asked of each sector has no layout. Nothing was sent.
    #[error("{path}: {reason}", path = path.display())]
    Sectors {
        /// The node.
        path: PathBuf,
        /// What is wrong with it.
        reason: SectorRequestError,
    },
    /// The device told a capacity that cannot be, or two that differ. Both
    /// answers are here, so that a caller who knows better can go on
    /// ([`Disk::with_layout`](crate::unit::Disk::with_layout)).
    #[error("{path}: {what}: {said}", path = path.display(), said = Said(short, long))]
    Capacity {
        /// The node.
        path: PathBuf,
        /// What READ CAPACITY(10) said.
        short: Capacity10,
        /// What READ CAPACITY(16) said, if it was asked.
        long: Option<Capacity16>,
        /// What is wrong.
        what: &'static str,
    },
    /// An `io_uring` could not be made or used as asked. Nothing was sent.
    #[error("io_uring: {what}")]
    Ring {
        /// What is wrong, and what to do.
        what: &'static str,
        /// The errno, if the kernel was asked.
        source: Option<io::Error>,
    },
    /// An NVMe command was not carried out: a status of the controller's, a
    /// timeout, a refusal.
    #[error(transparent)]
    Nvme(Box<NvmeError>),
    /// The command was lost on the way: [`Verdict::Transport`](crate::Verdict).
    /// A timeout is [`HostStatus::TIME_OUT`](crate::scsi::HostStatus).
    #[error("{0}")]
    Transport(Box<Failure>),
    /// The device failed the command (CHECK CONDITION, or sense data that says
    /// so beside another status).
    #[error("{0}")]
    Check(Box<Failure>),
    /// The device ended the command with another status: BUSY, RESERVATION
    /// CONFLICT, TASK SET FULL, ...
    #[error("{0}")]
    Status(Box<Failure>),
    /// The device said GOOD, but what it returned is no answer to the query.
    /// The bytes are in [`Failure::data`].
    #[error("{failure}: {reason}")]
    Malformed {
        /// The command, its outcome and the bytes.
        failure: Box<Failure>,
        /// What is wrong with them.
        reason: Malformed,
    },
}

impl Error {
    /// The outcome, for those errors that came from a device.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.failure().map(Failure::outcome)
    }

    /// The failed command with its outcome, for errors that came from a device.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Transport(failure)
            | Self::Check(failure)
            | Self::Status(failure)
            | Self::Malformed { failure, .. } => Some(failure),
            _ => None,
        }
    }

    /// Whether the device may have seen the command. `false` means that it
    /// surely has not.
    #[must_use]
    pub fn was_sent(&self) -> bool {
        match self {
            Self::CredentialsChanged { sent, .. }
            | Self::Gone { sent, .. }
            | Self::Os { sent, .. } => *sent,
            Self::Nvme(error) => error.was_sent(),
            other => other.failure().is_some(),
        }
    }

    /// The errno, for errors that came from a system call.
    #[must_use]
    pub fn raw_os_error(&self) -> Option<i32> {
        let mut source = std::error::Error::source(self)?;
        loop {
            match source.downcast_ref::<io::Error>() {
                Some(error) => return error.raw_os_error(),
                None => source = source.source()?,
            }
        }
    }
}

impl From<NvmeError> for Error {
    fn from(error: NvmeError) -> Self {
        Self::Nvme(Box::new(error))
    }
}

impl From<Box<Error>> for Error {
    fn from(error: Box<Error>) -> Self {
        *error
    }
}

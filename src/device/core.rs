//! What the three SCSI nodes have in common: the descriptor, what is let
//! through, and what an errno means.

use std::{
    fmt, io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
};

use super::{
    Access, OpenOptions,
    node::{Node, NodeKind},
    open, sysfs,
};
use crate::{
    Data, Error, Options, Result,
    scsi::{Cdb, DeviceType, is_read_only},
    syscall::Params,
    transport::whole_milliseconds,
};

/// The most slices of a vectored transfer (`UIO_MAXIOV`).
const MAX_SLICES: usize = 1024;

/// From this length on sg refuses a transfer whatever the adapter takes
/// (`sg_common_write`: `dxfer_len >= SZ_256M`), and so do we on all nodes.
const TOO_LONG: usize = 256 << 20;

pub(super) struct Core {
    fd: OwnedFd,
    path: PathBuf,
    node: Node,
    access: Access,
    defaults: Options,
}

impl Core {
    pub(super) fn open(path: &Path, wanted: &[NodeKind], options: &OpenOptions) -> Result<Self> {
        let opened = open::open(path, wanted, options)?;
        Ok(Self {
            fd: opened.fd,
            path: opened.path,
            node: opened.node,
            access: options.access,
            defaults: options.defaults,
        })
    }

    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn kind(&self) -> NodeKind {
        self.node.kind
    }

    pub(super) const fn access(&self) -> Access {
        self.access
    }

    pub(super) const fn defaults(&self) -> Options {
        self.defaults
    }

    pub(super) const fn device_type(&self) -> Option<DeviceType> {
        self.node.device_type
    }

    pub(super) fn address(&self) -> Option<ScsiAddress> {
        ScsiAddress::parse(self.node.device.file_name()?.to_str()?)
    }

    /// Checks everything that can be checked before a command is sent.
    pub(super) fn admit(&self, cdb: &Cdb, data: &Data<'_>, options: &Options) -> Result<Params> {
        let device_type = self.device_type();
        if self.access == Access::ReadOnly && !is_read_only(cdb, device_type) {
            return Err(Error::ReadOnly {
                path: self.path.clone(),
                cdb: *cdb,
                device_type,
            });
        }
        let len = data.len();
        if len >= TOO_LONG {
            return Err(Error::TooLarge {
                path: self.path.clone(),
                cdb: *cdb,
                device_type,
                len,
                limit: self.max_transfer().or(Some(TOO_LONG as u64 - 1)),
                source: None,
            });
        }
        let slices = match data {
            Data::InVectored(slices) => slices.len(),
            Data::OutVectored(slices) => slices.len(),
            _ => 0,
        };
        if slices > 0 && len > 0 && self.kind() == NodeKind::Bsg {
            return Err(self.unsupported(
                "a bsg node ignores vectored data and would write over the vector: use the sg or \
                 block node",
            ));
        }
        if slices > MAX_SLICES {
            return Err(self.unsupported("a vectored transfer has at most 1024 slices"));
        }
        let timeout = options.timeout_or(crate::scsi::default_timeout(cdb));
        let Some(timeout_ms) = whole_milliseconds(timeout) else {
            return Err(Error::Timeout {
                path: self.path.clone(),
                cdb: *cdb,
                device_type,
                timeout,
            });
        };
        Ok(Params {
            timeout_ms,
            position: options.position(),
            direct: options.wants_direct(),
        })
    }

    /// What the host adapter takes in one command, in bytes, and not more than
    /// is let through here; asked anew each time, for it can be changed.
    pub(super) fn max_transfer(&self) -> Option<u64> {
        sysfs::max_hw_bytes(&self.node.device).map(|limit| limit.min(TOO_LONG as u64 - 1))
    }

    pub(super) fn unsupported(&self, what: &'static str) -> Error {
        Error::Unsupported {
            path: self.path.clone(),
            what,
        }
    }

    /// What an errno of a system call that was to send `cdb` means.
    pub(super) fn send_error(&self, op: &'static str, cdb: &Cdb, len: usize, lost: Lost) -> Error {
        let Lost { sent, source } = lost;
        let (path, cdb, device_type) = (self.path.clone(), *cdb, self.device_type());
        let sg = self.kind() == NodeKind::Sg;
        match source.raw_os_error() {
            Some(libc::EPERM) if sg => Error::CredentialsChanged {
                path,
                cdb,
                device_type,
                sent,
                source,
            },
            Some(libc::EPERM | libc::EACCES) => Error::NotPermitted {
                path,
                cdb,
                device_type,
                needs: "CAP_SYS_RAWIO (root); an sg node that may be opened for writing has no \
                        such filter",
                source,
            },
            Some(libc::ENODEV | libc::ENXIO) => Error::Gone {
                path,
                cdb: Some(cdb),
                sent,
                source,
            },
            Some(libc::EDOM) if sg => Error::QueueFull {
                path,
                cdb,
                device_type,
                source,
            },
            Some(libc::EBUSY) if sg => Error::ReserveBusy { path, source },
            Some(libc::EINVAL | libc::EIO | libc::ENOMEM | libc::E2BIG)
                if !sent && self.is_about_size(&source, len) =>
            {
                Error::TooLarge {
                    path,
                    cdb,
                    device_type,
                    len,
                    limit: self.max_transfer(),
                    source: Some(source),
                }
            }
            _ => Error::Os {
                op,
                path,
                cdb: Some(cdb),
                sent,
                source,
            },
        }
    }

    /// The kernel has one errno for a transfer that is too long and for other
    /// faults. A header that is made here has no other fault, and what fits one
    /// page has enough segments on every adapter.
    fn is_about_size(&self, source: &io::Error, len: usize) -> bool {
        let over = self.max_transfer().is_some_and(|limit| len as u64 > limit);
        match source.raw_os_error() {
            Some(libc::EIO) => over,
            Some(libc::EINVAL | libc::E2BIG) => over || len > 4096,
            // The kernel has no memory for a copy. What fits a page is not what
            // is too much for it.
            _ => len > 4096,
        }
    }

    /// What an errno of a control ioctl means.
    pub(super) fn control_error(
        &self,
        op: &'static str,
        needs: &'static str,
        source: io::Error,
    ) -> Error {
        let path = self.path.clone();
        match source.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => Error::ControlDenied {
                path,
                op,
                needs,
                source,
            },
            Some(libc::ENODEV | libc::ENXIO) => Error::Gone {
                path,
                cdb: None,
                sent: false,
                source,
            },
            Some(libc::EBUSY) => Error::ReserveBusy { path, source },
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

pub(super) use crate::syscall::Lost;

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("path", &self.path)
            .field("kind", &self.node.kind)
            .field("device_type", &self.node.device_type)
            .field("access", &self.access)
            .finish()
    }
}

/// Where a logical unit is attached: host, channel, target and LUN, as in
/// `/sys/class/scsi_device` and `lsscsi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias("HCTL", "sg_scsi_id"))]
pub struct ScsiAddress {
    /// The number of the host adapter in this boot.
    pub host: u32,
    /// The channel (bus) of the host adapter.
    pub channel: u32,
    /// The target.
    pub target: u32,
    /// The logical unit number, as the kernel's 64-bit integer.
    pub lun: u64,
}

impl ScsiAddress {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let address = Self {
            host: parts.next()?.parse().ok()?,
            channel: parts.next()?.parse().ok()?,
            target: parts.next()?.parse().ok()?,
            lun: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(address)
    }
}

impl fmt::Display for ScsiAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}:{}",
            self.host, self.channel, self.target, self.lun
        )
    }
}

#[cfg(test)]
#[path = "core_tests.rs"]
mod tests;

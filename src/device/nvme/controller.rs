//! The node of a controller: `/dev/nvmeX`.

use std::path::Path;

use super::{core::Core, node::Kind};
use crate::{
    Access, OpenOptions, Result,
    nvme::Completion,
    syscall,
    transport::{NvmeRequest, NvmeTransport},
};

/// An NVMe controller, `/dev/nvmeX`: it takes admin commands.
///
/// A command waits uninterruptibly for its end; not even SIGKILL ends the wait.
/// An admin command that outlasts its timeout makes the driver reset the
/// controller, which cancels everything that is in flight on it.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::identify::IdentifyController};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// println!("{}", drive.query(&IdentifyController)?.model());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias = "nvme0")]
pub struct NvmeController {
    pub(super) core: Core,
}

impl NvmeController {
    /// Opens it (`O_RDONLY`) for commands that change nothing
    /// ([`is_read_only`](crate::nvme::is_read_only)).
    ///
    /// # Errors
    /// [`Error::WrongNode`](crate::Error::WrongNode),
    /// [`Error::NotFound`](crate::Error::NotFound),
    /// [`Error::OpenDenied`](crate::Error::OpenDenied),
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens it (`O_RDWR`) for every command.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new().write(true))
    }

    /// Opens it as `options` say. Of their defaults only the timeout has a
    /// meaning here.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let core = Core::open(path.as_ref(), Kind::Controller, options)?;
        Ok(Self { core })
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.core.access()
    }

    /// Has the driver look for namespaces that are new, changed or gone.
    ///
    /// # Errors
    /// [`Error::ControlDenied`](crate::Error::ControlDenied) without
    /// `CAP_SYS_ADMIN`, [`Error::Gone`](crate::Error::Gone),
    /// [`Error::Os`](crate::Error::Os).
    #[doc(alias = "NVME_IOCTL_RESCAN")]
    pub fn rescan(&self) -> Result<()> {
        syscall::nvme_rescan(self.core.fd())
            .map_err(|source| self.core.control_error("rescan", source))
    }

    /// Resets the controller. Everything in flight on it, of other programs
    /// too, is cancelled. It needs a handle opened for writing.
    ///
    /// # Errors
    /// As [`rescan`](Self::rescan), and
    /// [`Error::Unsupported`](crate::Error::Unsupported) for a read-only handle.
    #[doc(alias = "NVME_IOCTL_RESET")]
    pub fn reset(&self) -> Result<()> {
        self.must_write()?;
        syscall::nvme_reset(self.core.fd())
            .map_err(|source| self.core.control_error("reset", source))
    }

    /// Resets the NVM subsystem with all its controllers, where the controller
    /// can do that.
    ///
    /// # Errors
    /// As [`reset`](Self::reset).
    #[doc(alias = "NVME_IOCTL_SUBSYS_RESET")]
    pub fn subsystem_reset(&self) -> Result<()> {
        self.must_write()?;
        syscall::nvme_subsystem_reset(self.core.fd())
            .map_err(|source| self.core.control_error("subsystem reset", source))
    }

    fn must_write(&self) -> Result<()> {
        match self.core.access() {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(crate::Error::Unsupported {
                path: self.core.path().to_path_buf(),
                what: "a reset disturbs others: open the node for writing",
            }),
        }
    }
}

impl NvmeTransport for NvmeController {
    fn submit(&self, request: NvmeRequest<'_>) -> Result<Completion> {
        self.core.submit(request)
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    fn max_transfer(&self) -> Option<usize> {
        self.core.max_transfer()
    }
}

//! The nodes of a namespace: `/dev/ngXnY`, `/dev/nvmeXnY`.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use super::{core::Core, node::Kind};
use crate::{
    Access, Error, NvmeErrorKind, OpenOptions, Result,
    nvme::{
        Completion, Format, Nsid, Queue,
        identify::{IdentifyNamespace, IdentifyNvmNamespace},
    },
    syscall,
    transport::{NvmeRequest, NvmeTransport, NvmeTransportExt},
};

/// An NVMe namespace, by its generic node `/dev/ngXnY` or its block node
/// `/dev/nvmeXnY`: it takes I/O commands, and admin commands for its controller.
///
/// # Its format
///
/// How many bytes a READ moves is a matter of the namespace's LBA format, and
/// the kernel does not check it. So the crate does, by the format that the
/// namespace tells (Identify Namespace, sent when the node is opened, and again
/// after any command of this process that may change formats). Commands that may
/// change formats wait for those in flight, and are sent alone.
///
/// Somebody else who formats a namespace while this process reads it can still
/// make a controller move more than was asked for: do not let that happen.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransport, NvmeTransportExt, nvme::io::Read};
///
/// let namespace = NvmeNamespace::open("/dev/ng0n1")?;
/// if let Some(format) = namespace.format()? {
///     let mut block = vec![0; format.data_len(1) as usize];
///     namespace.read(&Read::new(0, 1), &mut block)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[doc(alias("ng0n1", "nvme0n1"))]
pub struct NvmeNamespace {
    pub(super) core: Core,
    nsid: Nsid,
    format: Mutex<Known>,
}

/// The format, and the count of changes at which it was asked for.
#[derive(Clone, Copy, Debug)]
struct Known {
    at: u64,
    format: Option<Format>,
}

impl NvmeNamespace {
    /// Opens it (`O_RDONLY`) for commands that change nothing
    /// ([`is_read_only`](crate::nvme::is_read_only)), and sends Identify
    /// Namespace.
    ///
    /// # Errors
    /// As [`NvmeController::open`](super::NvmeController::open), and
    /// [`Error::Partition`](crate::Error::Partition). That Identify Namespace
    /// failed is no error here; [`format`](NvmeTransport::format) and I/O
    /// commands then say so.
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
        let core = Core::open(path.as_ref(), Kind::Namespace, options)?;
        let nsid = syscall::nvme_id(core.fd())
            .map_err(|source| core.control_error("NVME_IOCTL_ID", source))?;
        let namespace = Self {
            core,
            nsid,
            format: Mutex::new(Known {
                at: 0,
                format: None,
            }),
        };
        // What it failed by is told when the format is needed.
        let _ = namespace.format();
        Ok(namespace)
    }

    /// Which namespace it is (`NVME_IOCTL_ID`).
    #[must_use]
    #[doc(alias = "NVME_IOCTL_ID")]
    pub const fn nsid(&self) -> Nsid {
        self.nsid
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.core.access()
    }

    fn known(&self) -> Known {
        *self.format.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl NvmeTransport for NvmeNamespace {
    fn submit(&self, mut request: NvmeRequest<'_>) -> Result<Completion> {
        if request.queue() == Queue::Io {
            request.set_nsid(self.nsid);
        }
        let Some(wanted) = request.format() else {
            return self.core.submit(request);
        };
        let count = self.core.formats().keep();
        let known = self.known();
        if known.at != *count || known.format != Some(wanted) {
            let changed = NvmeErrorKind::Unsupported {
                what: "the namespace may have been formatted since the command was made: try again",
            };
            return Err(self.core.error(&request, changed));
        }
        self.core.submit(request)
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    /// Identify Namespace is sent if it is not known, or may have changed.
    fn format(&self) -> Result<Option<Format>> {
        let at = *self.core.formats().keep();
        let known = self.known();
        if known.at == at && known.format.is_some() {
            return Ok(known.format);
        }
        let data = self.query(&IdentifyNamespace::new(self.nsid))?;
        let mut format = data.format();
        // Protection information may have 16 bytes, which the other data structure
        // says, if the controller has it.
        if format.is_some_and(|format| {
            format.protection_information().is_some() && format.metadata_size() >= 16
        }) {
            match self.query(&IdentifyNvmNamespace::new(self.nsid)) {
                Ok(more) => format = data.format_with(&more),
                Err(Error::Nvme(error)) if error.status().is_some() => {}
                Err(error) => return Err(error),
            }
        }
        *self.format.lock().unwrap_or_else(PoisonError::into_inner) = Known { at, format };
        Ok(format)
    }

    fn max_transfer(&self) -> Option<usize> {
        self.core.max_transfer()
    }
}

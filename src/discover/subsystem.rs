//! NVMe subsystems and controllers in sysfs.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::{
    NvmeNamespace, TextBuf,
    sysfs::{attribute, number},
};

/// An NVMe subsystem: the controllers through which it is reached, and its
/// namespaces.
///
/// ```no_run
/// for subsystem in passthru::discover::nvme()? {
///     for controller in subsystem.controllers() {
///         println!("{controller}: {:?}, {:?}", controller.model(), controller.state());
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NvmeSubsystem {
    pub(super) name: Option<String>,
    pub(super) folder: Option<PathBuf>,
    pub(super) controllers: Vec<NvmeController>,
    pub(super) namespaces: Vec<NvmeNamespace>,
}

impl NvmeSubsystem {
    /// The kernel's name, `nvme-subsysN`; `None` for a controller that the
    /// kernel has not identified yet, which is a subsystem of its own here.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The controllers that reach it, in the order of their numbers.
    #[must_use]
    pub fn controllers(&self) -> &[NvmeController] {
        &self.controllers
    }

    /// The namespaces, in the order of their identifiers. Without the kernel's
    /// own multipath, one that several controllers reach has a node, and so a
    /// place here, for each.
    #[must_use]
    pub fn namespaces(&self) -> &[NvmeNamespace] {
        &self.namespaces
    }

    /// Its folder in sysfs, without symbolic links in it.
    #[must_use]
    pub fn sysfs(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The NVMe qualified name (file `subsysnqn`). Read now.
    #[must_use]
    #[doc(alias = "subsysnqn")]
    pub fn nqn(&self) -> Option<TextBuf> {
        match &self.folder {
            Some(folder) => attribute(folder, "subsysnqn"),
            None => attribute(&self.controllers.first()?.folder, "subsysnqn"),
        }
    }

    /// The model (file `model`). Read now.
    #[must_use]
    pub fn model(&self) -> Option<TextBuf> {
        attribute(self.folder.as_ref()?, "model")
    }

    /// The serial number (file `serial`). Read now.
    #[must_use]
    pub fn serial(&self) -> Option<TextBuf> {
        attribute(self.folder.as_ref()?, "serial")
    }

    /// The firmware revision (file `firmware_rev`). Read now.
    #[must_use]
    pub fn firmware(&self) -> Option<TextBuf> {
        attribute(self.folder.as_ref()?, "firmware_rev")
    }

    /// How the kernel's multipath chooses a path: `numa`, `round-robin`,
    /// `queue-depth` (file `iopolicy`); `None` if the kernel is built without
    /// multipath. Read now.
    #[must_use]
    pub fn io_policy(&self) -> Option<TextBuf> {
        attribute(self.folder.as_ref()?, "iopolicy")
    }
}

impl fmt::Display for NvmeSubsystem {
    /// The kernel's name, or that of its only controller.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.controllers.first().map(NvmeController::name);
        f.write_str(self.name().or(first).unwrap_or_default())
    }
}

/// An NVMe controller: `/dev/nvmeN`.
///
/// All but its name is read when it is asked for, from files that
/// `drivers/nvme/host/sysfs.c` makes (`core.c` before 6.5).
#[derive(Clone, Debug)]
pub struct NvmeController {
    pub(super) name: String,
    pub(super) instance: u32,
    pub(super) node: Box<Path>,
    pub(super) folder: PathBuf,
}

impl NvmeController {
    /// The kernel's name, `nvmeN`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number in its name.
    #[must_use]
    pub const fn instance(&self) -> u32 {
        self.instance
    }

    /// `/dev/nvmeN`, which takes admin commands.
    #[must_use]
    pub fn node(&self) -> &Path {
        &self.node
    }

    /// Its folder in sysfs, without symbolic links in it.
    #[must_use]
    pub fn sysfs(&self) -> &Path {
        &self.folder
    }

    /// `pcie`, `tcp`, `rdma`, `fc`, `loop` and others (file `transport`).
    #[must_use]
    pub fn transport(&self) -> Option<TextBuf> {
        attribute(&self.folder, "transport")
    }

    /// Where it is: a PCI address (`0000:01:00.0`), or `traddr=...` and what
    /// else its transport has (file `address`).
    #[must_use]
    pub fn address(&self) -> Option<TextBuf> {
        attribute(&self.folder, "address")
    }

    /// The model (file `model`).
    #[must_use]
    pub fn model(&self) -> Option<TextBuf> {
        attribute(&self.folder, "model")
    }

    /// The serial number (file `serial`).
    #[must_use]
    pub fn serial(&self) -> Option<TextBuf> {
        attribute(&self.folder, "serial")
    }

    /// The firmware revision (file `firmware_rev`).
    #[must_use]
    pub fn firmware(&self) -> Option<TextBuf> {
        attribute(&self.folder, "firmware_rev")
    }

    /// The NVMe qualified name of its subsystem (file `subsysnqn`).
    #[must_use]
    pub fn nqn(&self) -> Option<TextBuf> {
        attribute(&self.folder, "subsysnqn")
    }

    /// The controller identifier in its subsystem (file `cntlid`).
    #[must_use]
    pub fn cntlid(&self) -> Option<u16> {
        u16::try_from(number(&self.folder, "cntlid")?).ok()
    }

    /// `live`, `connecting`, `resetting` and others (file `state`).
    #[must_use]
    pub fn state(&self) -> Option<TextBuf> {
        attribute(&self.folder, "state")
    }
}

impl fmt::Display for NvmeController {
    /// The kernel's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

//! Namespace Management and Namespace Attachment.

use core::time::Duration;

use super::{exactly, no_data_command};
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, Nsid, Queue, Sqe, command::sealed::Sealed,
};

const LENGTH: usize = 4096;
const TIMEOUT: Duration = Duration::from_secs(300);

/// Namespace Management (0Dh), create: makes a namespace, which no controller
/// has yet. NVMe Base 2.1, 5.1.19.
///
/// It is sent by `write` with the 4096 bytes of
/// [`NamespaceParameters::to_bytes`](super::NamespaceParameters::to_bytes);
/// completion dword 0 is the new namespace's NSID.
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt};
/// use passthru::nvme::{Nsid, admin::{AttachNamespace, CreateNamespace}};
/// use passthru::nvme::admin::{NamespaceParameters, controller_list};
///
/// let drive = NvmeController::open_rw("/dev/nvme0")?;
/// let parameters = NamespaceParameters::new(1 << 20).to_bytes();
/// let created = drive.write(&CreateNamespace::new(), &parameters)?;
/// if let Some(nsid) = Nsid::new(created.dword0()) {
///     let controllers = controller_list(&[0]).unwrap();
///     drive.write(&AttachNamespace::attach(nsid), &controllers)?;
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
#[doc(alias("create-ns", "nvme_admin_ns_mgmt"))]
pub struct CreateNamespace {
    command_set: u8,
}

impl CreateNamespace {
    /// For the NVM command set.
    pub const fn new() -> Self {
        Self { command_set: 0 }
    }

    /// For another command set: 1 for Key Value, 2 for Zoned Namespace.
    #[doc(alias = "CSI")]
    pub const fn command_set(mut self, command_set: u8) -> Self {
        self.command_set = command_set;
        self
    }
}

impl Sealed for CreateNamespace {}

impl Command for CreateNamespace {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        exactly(lengths, LENGTH)?;
        Ok(Sqe {
            cdw11: u32::from(self.command_set) << 24,
            ..Sqe::new(0x0d)
        })
    }

    fn timeout(&self) -> Option<Duration> {
        Some(TIMEOUT)
    }
}

impl DataOut for CreateNamespace {}

/// Namespace Management (0Dh), delete: the namespace and its data are gone. NVMe
/// Base 2.1, 5.1.19.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::DeleteNamespace};
///
/// let sqe = DeleteNamespace::new(Nsid::new(3).unwrap()).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x0d, 3, 1));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias = "delete-ns")]
pub struct DeleteNamespace {
    nsid: Nsid,
}

impl DeleteNamespace {
    /// This one; [`Nsid::ALL`] for all that there are.
    pub const fn new(nsid: Nsid) -> Self {
        Self { nsid }
    }
}

no_data_command!(
    DeleteNamespace,
    |delete| Sqe {
        nsid: delete.nsid.get(),
        cdw10: 1,
        ..Sqe::new(0x0d)
    },
    Some(TIMEOUT)
);

/// Namespace Attachment (15h): gives controllers a namespace, or takes it from
/// them. NVMe Base 2.1, 5.1.18.
///
/// It is sent by `write` with the 4096 bytes of [`controller_list`].
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::AttachNamespace};
///
/// let detach = AttachNamespace::detach(Nsid::new(3).unwrap());
/// let sqe = detach.sqe(Lengths::data(4096))?;
/// assert_eq!((sqe.opcode, sqe.nsid, sqe.cdw10), (0x15, 3, 1));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("attach-ns", "detach-ns", "nvme_admin_ns_attach"))]
pub struct AttachNamespace {
    nsid: Nsid,
    detach: bool,
}

impl AttachNamespace {
    /// The controllers get it.
    pub const fn attach(nsid: Nsid) -> Self {
        Self {
            nsid,
            detach: false,
        }
    }

    /// The controllers lose it.
    pub const fn detach(nsid: Nsid) -> Self {
        Self { nsid, detach: true }
    }
}

impl Sealed for AttachNamespace {}

impl Command for AttachNamespace {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        exactly(lengths, LENGTH)?;
        Ok(Sqe {
            nsid: self.nsid.get(),
            cdw10: u32::from(self.detach),
            ..Sqe::new(0x15)
        })
    }

    fn timeout(&self) -> Option<Duration> {
        Some(TIMEOUT)
    }
}

impl DataOut for AttachNamespace {}

/// The controller list of these controller identifiers, in ascending order; the
/// 4096 bytes that [`AttachNamespace`] takes. `None` for more than 2047.
///
/// ```
/// use passthru::nvme::admin::controller_list;
///
/// let list = controller_list(&[0x102, 1]).unwrap();
/// assert_eq!(list[..6], [2, 0, 1, 0, 2, 1]);
/// ```
#[must_use]
#[doc(alias = "nvme_ctrl_list")]
pub fn controller_list(controllers: &[u16]) -> Option<Vec<u8>> {
    let mut sorted = controllers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let count = u16::try_from(sorted.len()).ok()?;
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.extend_from_slice(&count.to_le_bytes());
    for id in sorted {
        bytes.extend_from_slice(&id.to_le_bytes());
    }
    if bytes.len() > LENGTH {
        return None;
    }
    bytes.resize(LENGTH, 0);
    Some(bytes)
}

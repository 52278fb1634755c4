//! Virtualization Management.

use super::no_data_command;
use crate::nvme::Sqe;

/// What Virtualization Management gives to controllers (RT).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias = "RT")]
pub enum VirtualResource {
    /// Queue pairs.
    Queues,
    /// Interrupt vectors.
    Interrupts,
}

impl VirtualResource {
    const fn bits(self) -> u32 {
        match self {
            Self::Queues => 0,
            Self::Interrupts => 1,
        }
    }
}

/// Virtualization Management (1Ch): what secondary controllers have, and whether
/// they are online. NVMe Base 2.1, 5.2.6.
///
/// After an assignment bits 15:0 of completion dword 0 say how many were given.
///
/// ```
/// use passthru::nvme::{Command, Lengths};
/// use passthru::nvme::admin::{VirtualResource, VirtualizationManagement};
///
/// let give = VirtualizationManagement::assign(5, VirtualResource::Interrupts, 2);
/// let sqe = give.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x1c, 0x0005_0108, 2));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("virt-mgmt", "nvme_admin_virtual_mgmt", "ACT", "CNTLID", "NR"))]
pub struct VirtualizationManagement {
    dword10: u32,
    number: u16,
}

impl VirtualizationManagement {
    /// Gives the primary controller `number` flexible resources, from its next
    /// reset on.
    pub const fn allocate_primary(controller: u16, resource: VirtualResource, number: u16) -> Self {
        Self::new(controller, resource.bits(), 0x1, number)
    }

    /// Takes a secondary controller offline.
    pub const fn offline(controller: u16) -> Self {
        Self::new(controller, 0, 0x7, 0)
    }

    /// Gives a secondary controller, which is offline, `number` flexible
    /// resources.
    pub const fn assign(controller: u16, resource: VirtualResource, number: u16) -> Self {
        Self::new(controller, resource.bits(), 0x8, number)
    }

    /// Takes a secondary controller online.
    pub const fn online(controller: u16) -> Self {
        Self::new(controller, 0, 0x9, 0)
    }

    const fn new(controller: u16, resource: u32, action: u32, number: u16) -> Self {
        Self {
            dword10: (controller as u32) << 16 | resource << 8 | action,
            number,
        }
    }

    fn entry(&self) -> Sqe {
        Sqe {
            cdw10: self.dword10,
            cdw11: u32::from(self.number),
            ..Sqe::new(0x1c)
        }
    }
}

no_data_command!(
    VirtualizationManagement,
    |management| management.entry(),
    None
);

//! Capacity Management.

use super::no_data_command;
use crate::nvme::Sqe;

/// Capacity Management (20h): makes and deletes endurance groups and NVM sets.
/// What is deleted loses its namespaces and their data. NVMe Base 2.1, 5.1.3.
///
/// After a creation bits 15:0 of completion dword 0 are the identifier.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::CapacityManagement};
///
/// let create = CapacityManagement::create_nvm_set(2, 0x1_0000_0000);
/// let sqe = create.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10), (0x20, 0x0002_0003));
/// assert_eq!((sqe.cdw11, sqe.cdw12), (0, 1));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("capacity-mgmt", "nvme_admin_capacity_mgmt", "ELID", "CAPL", "CAPU"))]
pub struct CapacityManagement {
    operation: u8,
    element: u16,
    capacity: u64,
}

impl CapacityManagement {
    /// Takes a configuration from the Supported Capacity Configuration List.
    pub const fn select_configuration(configuration: u16) -> Self {
        Self::new(0, configuration, 0)
    }

    /// Makes an endurance group of `capacity` bytes.
    pub const fn create_endurance_group(capacity: u64) -> Self {
        Self::new(1, 0, capacity)
    }

    /// Deletes an endurance group.
    pub const fn delete_endurance_group(group: u16) -> Self {
        Self::new(2, group, 0)
    }

    /// Makes an NVM set of `capacity` bytes in an endurance group.
    pub const fn create_nvm_set(endurance_group: u16, capacity: u64) -> Self {
        Self::new(3, endurance_group, capacity)
    }

    /// Deletes an NVM set.
    pub const fn delete_nvm_set(set: u16) -> Self {
        Self::new(4, set, 0)
    }

    const fn new(operation: u8, element: u16, capacity: u64) -> Self {
        Self {
            operation,
            element,
            capacity,
        }
    }

    #[allow(clippy::cast_possible_truncation)] // halves of the capacity
    fn entry(&self) -> Sqe {
        Sqe {
            cdw10: u32::from(self.element) << 16 | u32::from(self.operation),
            cdw11: self.capacity as u32,
            cdw12: (self.capacity >> 32) as u32,
            ..Sqe::new(0x20)
        }
    }
}

no_data_command!(
    CapacityManagement,
    |capacity| capacity.entry(),
    Some(super::A_DAY)
);

//! Lockdown.

use super::no_data_command;
use crate::nvme::Sqe;

/// What Lockdown names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("SCP", "OFI"))]
pub enum LockdownScope {
    /// The admin command with this opcode.
    AdminCommand(u8),
    /// Set Features with this feature identifier.
    SetFeature(u8),
    /// The NVMe-MI command with this opcode.
    MiCommand(u8),
    /// The PCIe command of NVMe-MI with this opcode.
    PcieCommand(u8),
}

/// Where Lockdown forbids it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias = "IFC")]
pub enum LockdownInterface {
    /// The admin queue.
    #[default]
    AdminQueue,
    /// The admin queue and management endpoints.
    Both,
    /// Management endpoints.
    OutOfBand,
}

/// Lockdown (24h): forbids a command, or allows it again, until the next loss of
/// power. NVMe Base 2.1, 5.1.15.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::{Lockdown, LockdownScope}};
///
/// let no_format = Lockdown::prohibit(LockdownScope::AdminCommand(0x80));
/// let sqe = no_format.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw10), (0x24, 0x8010));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("lockdown", "nvme_admin_lockdown", "PRHBT"))]
pub struct Lockdown {
    scope: LockdownScope,
    prohibit: bool,
    interface: LockdownInterface,
    uuid_index: u8,
}

impl Lockdown {
    /// Forbids it.
    pub const fn prohibit(scope: LockdownScope) -> Self {
        Self {
            scope,
            prohibit: true,
            interface: LockdownInterface::AdminQueue,
            uuid_index: 0,
        }
    }

    /// Allows it again.
    pub const fn allow(scope: LockdownScope) -> Self {
        Self {
            prohibit: false,
            ..Self::prohibit(scope)
        }
    }

    /// Where, if not at the admin queue.
    pub const fn interface(mut self, interface: LockdownInterface) -> Self {
        self.interface = interface;
        self
    }

    /// Which entry of the UUID list defines a vendor's opcode or feature, 1 to
    /// 127; 0 for none. Higher bits are dropped.
    #[doc(alias = "UIDX")]
    pub const fn uuid_index(mut self, index: u8) -> Self {
        self.uuid_index = index & 0x7f;
        self
    }

    fn entry(&self) -> Sqe {
        let (scope, what): (u32, u8) = match self.scope {
            LockdownScope::AdminCommand(opcode) => (0, opcode),
            LockdownScope::SetFeature(feature) => (2, feature),
            LockdownScope::MiCommand(opcode) => (3, opcode),
            LockdownScope::PcieCommand(opcode) => (4, opcode),
        };
        let interface: u32 = match self.interface {
            LockdownInterface::AdminQueue => 0,
            LockdownInterface::Both => 1,
            LockdownInterface::OutOfBand => 2,
        };
        Sqe {
            cdw10: scope | u32::from(self.prohibit) << 4 | interface << 5 | u32::from(what) << 8,
            cdw14: u32::from(self.uuid_index),
            ..Sqe::new(0x24)
        }
    }
}

no_data_command!(Lockdown, |lockdown| lockdown.entry(), None);

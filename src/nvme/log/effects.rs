//! Commands Supported and Effects (05h). NVMe Base 2.1, 5.1.12.1.6.

use zerocopy::byteorder::little_endian::U32;

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, Queue, command::sealed::Sealed};

const LENGTH: usize = 4096;

/// The Commands Supported and Effects page: which commands there are and what
/// each changes. (NVMe Base 2.1, 5.1.12.1.6)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::{Queue, log::CommandEffects}};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let effects = drive.query(&CommandEffects::page(0))?;
/// println!("Format NVM: {}", effects.of(Queue::Admin, 0x80).is_supported());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("effects-log", "nvme_effects_log", "nvme_cmd_effects_log"))]
pub struct CommandEffects(Vec<u8>);

/// What one command does, from [`CommandEffects`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effects(u32);

impl Sealed for CommandEffects {}

impl LogReply for CommandEffects {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::split::<[u8; LENGTH]>(&bytes)?;
        Ok(Self(bytes))
    }
}

impl CommandEffects {
    /// The page of a command set: 0 NVM, 1 key value, 2 zoned.
    pub const fn page(command_set: u8) -> LogPage<Self> {
        let log = GetLog::new(LogId::COMMAND_EFFECTS).command_set(command_set);
        LogPage::new(log, LENGTH)
    }

    /// What the command with this opcode does.
    #[must_use]
    #[doc(alias("ACS", "IOCS"))]
    pub fn of(&self, queue: Queue, opcode: u8) -> Effects {
        let tables = wire::split::<[[U32; 256]; 2]>(&self.0);
        let value = tables.ok().and_then(|([admin, io], _)| {
            let table = match queue {
                Queue::Admin => admin,
                Queue::Io => io,
            };
            table.get(usize::from(opcode))
        });
        Effects(value.map_or(0, |value| value.get()))
    }
}

impl Effects {
    /// The dword as it is.
    #[must_use]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Whether the controller has the command (CSUPP).
    #[must_use]
    #[doc(alias("CSUPP", "NVME_CMD_EFFECTS_CSUPP"))]
    pub const fn is_supported(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether it may change the content of blocks (LBCC).
    #[must_use]
    #[doc(alias("LBCC", "NVME_CMD_EFFECTS_LBCC"))]
    pub const fn changes_blocks(self) -> bool {
        self.0 & 1 << 1 != 0
    }

    /// Whether it may change what a namespace can do, or its size (NCC).
    #[must_use]
    #[doc(alias("NCC", "NVME_CMD_EFFECTS_NCC"))]
    pub const fn changes_namespace(self) -> bool {
        self.0 & 1 << 2 != 0
    }

    /// Whether it may change how many namespaces there are (NIC).
    #[must_use]
    #[doc(alias("NIC", "NVME_CMD_EFFECTS_NIC"))]
    pub const fn changes_inventory(self) -> bool {
        self.0 & 1 << 3 != 0
    }

    /// Whether it may change what the controller can do (CCC).
    #[must_use]
    #[doc(alias("CCC", "NVME_CMD_EFFECTS_CCC"))]
    pub const fn changes_controller(self) -> bool {
        self.0 & 1 << 4 != 0
    }

    /// What must not run at the same time (CSE): 0 anything may, 1 nothing else
    /// on the same namespace, 2 nothing else on any.
    #[must_use]
    #[doc(alias("CSE", "NVME_CMD_EFFECTS_CSE_MASK"))]
    #[allow(clippy::cast_possible_truncation)] // three bits
    pub const fn exclusion(self) -> u8 {
        (self.0 >> 16 & 0x07) as u8
    }

    /// Whether it takes a UUID index (USS).
    #[must_use]
    #[doc(alias("USS", "NVME_CMD_EFFECTS_UUID_SEL"))]
    pub const fn selects_uuid(self) -> bool {
        self.0 & 1 << 19 != 0
    }

    /// What its effects are limited to (CSP), as bits: 0 namespace, 1
    /// controller, 2 NVM set, 3 endurance group, 4 domain, 5 subsystem. 0 if
    /// that is not told.
    #[must_use]
    #[doc(alias = "CSP")]
    #[allow(clippy::cast_possible_truncation)] // twelve bits
    pub const fn scope(self) -> u16 {
        (self.0 >> 20) as u16
    }
}

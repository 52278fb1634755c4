//! What goes into a submission queue and what comes back.

use core::fmt;

use super::NvmeStatus;

/// Which queue a command goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// The admin queue.
    Admin,
    /// An I/O queue.
    Io,
}

impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Admin => "admin",
            Self::Io => "I/O",
        })
    }
}

/// The part of a submission queue entry that a command chooses (NVMe Base 2.1,
/// 4.1.1): the driver adds the command identifier and the data pointers.
///
/// ```
/// use passthru::nvme::Sqe;
///
/// let identify_controller = Sqe { opcode: 0x06, cdw10: 1, ..Sqe::default() };
/// assert_eq!(identify_controller.to_string(), "06h, CDW10 00000001h");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[doc(alias("nvme_passthru_cmd", "nvme_admin_cmd", "nvme_uring_cmd"))]
#[allow(missing_docs)] // the command dwords have no other name
pub struct Sqe {
    /// The opcode. Bits 1:0 say what it moves: 00b nothing, 01b to the
    /// controller, 10b from it, 11b both.
    pub opcode: u8,
    /// The namespace, 0 for none.
    pub nsid: u32,
    pub cdw2: u32,
    pub cdw3: u32,
    pub cdw10: u32,
    pub cdw11: u32,
    pub cdw12: u32,
    pub cdw13: u32,
    pub cdw14: u32,
    pub cdw15: u32,
}

impl Sqe {
    /// An entry with this opcode and zeros.
    #[must_use]
    pub const fn new(opcode: u8) -> Self {
        Self {
            opcode,
            nsid: 0,
            cdw2: 0,
            cdw3: 0,
            cdw10: 0,
            cdw11: 0,
            cdw12: 0,
            cdw13: 0,
            cdw14: 0,
            cdw15: 0,
        }
    }

    /// Whether the opcode says that data goes to the controller.
    #[must_use]
    pub const fn moves_out(&self) -> bool {
        self.opcode & 1 != 0
    }

    /// Whether the opcode says that data comes from the controller.
    #[must_use]
    pub const fn moves_in(&self) -> bool {
        self.opcode & 2 != 0
    }

    /// The command dwords that are not zero, with their numbers.
    fn dwords(&self) -> impl Iterator<Item = (u8, u32)> {
        [
            (2, self.cdw2),
            (3, self.cdw3),
            (10, self.cdw10),
            (11, self.cdw11),
            (12, self.cdw12),
            (13, self.cdw13),
            (14, self.cdw14),
            (15, self.cdw15),
        ]
        .into_iter()
        .filter(|(_, value)| *value != 0)
    }
}

impl fmt::Display for Sqe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02x}h", self.opcode)?;
        if self.nsid != 0 {
            write!(f, ", NSID {}", self.nsid)?;
        }
        for (number, value) in self.dwords() {
            write!(f, ", CDW{number} {value:08x}h")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Sqe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sqe({self})")
    }
}

/// What came back for a command that reached the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    status: NvmeStatus,
    result: u64,
}

impl Completion {
    /// `result`: completion dwords 0 (low half) and 1.
    #[must_use]
    pub const fn new(status: NvmeStatus, result: u64) -> Self {
        Self { status, result }
    }

    /// The status field.
    #[must_use]
    pub const fn status(&self) -> NvmeStatus {
        self.status
    }

    /// Completion dwords 0 (low half) and 1, whose meaning is the command's. On
    /// a controller's node of kernels before 5.5 dword 1 is lost.
    #[must_use]
    #[doc(alias("DW0", "cqe"))]
    pub const fn result(&self) -> u64 {
        self.result
    }

    /// Completion dword 0.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the low half is what is meant
    pub const fn dword0(&self) -> u32 {
        self.result as u32
    }
}

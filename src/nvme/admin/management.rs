//! NVMe-MI Send and NVMe-MI Receive.

use core::fmt;

use crate::nvme::{
    Command, Completion, DataIn, DataOut, LengthMismatch, Lengths, NoData, Nsid, Queue, Sqe,
    command::sealed::Sealed,
};

/// What a message moves at most, but for those that say their length, and so
/// the buffer of one that moves something.
const PAGE: usize = 4096;

/// The opcode of an NVMe-MI command. NVMe-MI 2.0, 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "nvme_mi_mi_opcode")]
pub struct MiOpcode(u8);

/// Which way the data of an NVMe-MI command goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

impl MiOpcode {
    /// 00h: Read NVMe-MI Data Structure; bits 31:24 of the first dword say which.
    pub const READ_DATA_STRUCTURE: Self = Self(0x00);
    /// 01h: NVM Subsystem Health Status Poll.
    pub const SUBSYSTEM_HEALTH: Self = Self(0x01);
    /// 02h: Controller Health Status Poll.
    pub const CONTROLLER_HEALTH: Self = Self(0x02);
    /// 03h: Configuration Set.
    pub const CONFIGURATION_SET: Self = Self(0x03);
    /// 04h: Configuration Get.
    pub const CONFIGURATION_GET: Self = Self(0x04);
    /// 05h: VPD Read; bits 15:0 of the second dword are its length in bytes.
    pub const VPD_READ: Self = Self(0x05);
    /// 06h: VPD Write; bits 15:0 of the second dword are its length in bytes.
    pub const VPD_WRITE: Self = Self(0x06);
    /// 07h: Reset.
    pub const RESET: Self = Self(0x07);
    /// 08h: SES Receive; bits 15:0 of the second dword are its length in bytes.
    pub const SES_RECEIVE: Self = Self(0x08);
    /// 09h: SES Send; bits 15:0 of the second dword are its length in bytes.
    pub const SES_SEND: Self = Self(0x09);

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    const fn way(self) -> Way {
        match self {
            Self::CONFIGURATION_SET | Self::VPD_WRITE | Self::RESET | Self::SES_SEND => Way::Out,
            _ => Way::In,
        }
    }

    /// How many bytes the second dword says; `None` where it says none.
    const fn named(self, dword1: u32) -> Option<usize> {
        match self.0 {
            0x05 | 0x06 | 0x08 | 0x09 => Some((dword1 & 0xffff) as usize),
            _ => None,
        }
    }
}

impl fmt::Display for MiOpcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            0x00 => "Read NVMe-MI Data Structure",
            0x01 => "NVM Subsystem Health Status Poll",
            0x02 => "Controller Health Status Poll",
            0x03 => "Configuration Set",
            0x04 => "Configuration Get",
            0x05 => "VPD Read",
            0x06 => "VPD Write",
            0x07 => "Reset",
            0x08 => "SES Receive",
            _ => "SES Send",
        };
        f.write_str(name)
    }
}

/// The request: what both commands have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Request {
    opcode: MiOpcode,
    nsid: u32,
    dwords: [u32; 2],
}

impl Request {
    /// How many bytes the buffer has, if the caller's has `len`.
    fn buffer_len(&self, len: usize) -> usize {
        let [_, dword1] = self.dwords;
        match len {
            1..=PAGE if self.opcode.named(dword1).is_none() => PAGE,
            _ => len,
        }
    }

    /// Whether the specification says that it moves no data: a reset, and the
    /// configurations that are one value (01h to 03h). Others are data
    /// structures, or not known.
    fn is_still(&self) -> bool {
        let [dword0, _] = self.dwords;
        match self.opcode {
            MiOpcode::RESET => true,
            MiOpcode::CONFIGURATION_SET => matches!(dword0 & 0xff, 1..=3),
            _ => false,
        }
    }

    /// The entry.
    fn sqe(&self, opcode: u8, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        let [dword0, dword1] = self.dwords;
        let len = lengths.data;
        let right = match self.opcode.named(dword1) {
            // What comes always has memory to go to.
            Some(named) => len == named && (len > 0 || self.opcode.way() == Way::Out),
            None => len == PAGE || len == 0 && self.is_still(),
        };
        if !right {
            let expected = self.opcode.named(dword1).unwrap_or(PAGE).max(1) as u64;
            return Err(LengthMismatch::Data { len, expected });
        }
        Ok(Sqe {
            nsid: self.nsid,
            // NVMe-MI command (1h), MCTP message type NVMe-MI (4h).
            cdw10: 1 << 11 | 4,
            cdw11: u32::from(self.opcode.0),
            cdw12: dword0,
            cdw13: dword1,
            ..Sqe::new(opcode)
        })
    }
}

/// NVMe-MI Receive (1Eh): a command of the management interface that brings
/// data, sent through the admin queue. NVMe Base 2.1, 5.1.20; NVMe-MI 2.0, 4.3.
///
/// The buffer has as many bytes as the second dword says, if the opcode is one
/// that says it there, and else 1 to 4096.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::{MiOpcode, MiReceive}};
///
/// let read = MiReceive::new(MiOpcode::VPD_READ, [0, 256]).unwrap();
/// let sqe = read.sqe(Lengths::data(256))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x1e, 0x804, 5));
/// assert_eq!((sqe.cdw12, sqe.cdw13), (0, 256));
/// assert!(read.sqe(Lengths::data(255)).is_err());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("nvme-mi-recv", "nvme_admin_nvme_mi_recv", "NMD0", "NMD1"))]
pub struct MiReceive(Request);

impl MiReceive {
    /// With the two request dwords; `None` for an opcode that does not bring
    /// data.
    #[must_use]
    pub fn new(opcode: MiOpcode, dwords: [u32; 2]) -> Option<Self> {
        (opcode.way() == Way::In).then_some(Self(Request {
            opcode,
            nsid: 0,
            dwords,
        }))
    }

    /// About a namespace.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.0.nsid = nsid.get();
        self
    }
}

impl Sealed for MiReceive {}

impl Command for MiReceive {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.sqe(0x1e, lengths)
    }

    fn buffer_len(&self, len: usize) -> usize {
        self.0.buffer_len(len)
    }
}

impl DataIn for MiReceive {}

/// NVMe-MI Send (1Dh): a command of the management interface that takes data or
/// moves none, sent through the admin queue. NVMe Base 2.1, 5.1.21; NVMe-MI 2.0,
/// 4.3.
///
/// Reset and the Configuration Set of one value (01h to 03h in the first dword)
/// move no data (`execute`); VPD Write and SES Send move as many bytes as the
/// second dword says (`write`), and other Configuration Sets up to 4096 bytes
/// (`write`, filled up with zeros).
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::{MiOpcode, MiSend}};
///
/// let reset = MiSend::new(MiOpcode::RESET, [0, 0]).unwrap();
/// assert_eq!(reset.sqe(Lengths::data(0))?.cdw11, 7);
/// assert!(MiSend::new(MiOpcode::VPD_READ, [0, 0]).is_none());
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("nvme-mi-send", "nvme_admin_nvme_mi_send", "NMD0", "NMD1"))]
pub struct MiSend(Request);

impl MiSend {
    /// With the two request dwords; `None` for an opcode that brings data.
    #[must_use]
    pub fn new(opcode: MiOpcode, dwords: [u32; 2]) -> Option<Self> {
        (opcode.way() == Way::Out).then_some(Self(Request {
            opcode,
            nsid: 0,
            dwords,
        }))
    }

    /// About a namespace.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.0.nsid = nsid.get();
        self
    }
}

impl Sealed for MiSend {}

impl Command for MiSend {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.sqe(0x1d, lengths)
    }

    fn buffer_len(&self, len: usize) -> usize {
        self.0.buffer_len(len)
    }
}

impl NoData for MiSend {}
impl DataOut for MiSend {}

/// What the management interface says to a command: completion dword 0. The
/// command may have failed there though the NVMe status is 0.
///
/// ```
/// use passthru::nvme::{Completion, NvmeStatus, admin::MiResponse};
///
/// let response = MiResponse::of(&Completion::new(NvmeStatus::SUCCESS, 0x0123_4504));
/// assert_eq!((response.status(), response.value()), (4, 0x0001_2345));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiResponse(u32);

impl MiResponse {
    /// Of a completion.
    #[must_use]
    pub const fn of(completion: &Completion) -> Self {
        Self(completion.dword0())
    }

    /// The response message status: 0 for success. NVMe-MI 2.0, 4.1.2.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the low byte is what is meant
    pub const fn status(self) -> u8 {
        self.0 as u8
    }

    /// The management response (24 bits), whose meaning is the command's.
    #[must_use]
    #[doc(alias = "NMRESP")]
    pub const fn value(self) -> u32 {
        self.0 >> 8
    }
}

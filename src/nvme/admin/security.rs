//! Security Send and Security Receive.

use crate::nvme::{
    Command, DataIn, DataOut, LengthMismatch, Lengths, Nsid, Queue, Sqe, command::sealed::Sealed,
};

/// The fields that both have: CDW10, and the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Protocol {
    nsid: Option<Nsid>,
    dword10: u32,
}

impl Protocol {
    const fn new(protocol: u8, specific: u16) -> Self {
        Self {
            nsid: None,
            dword10: (protocol as u32) << 24 | (specific as u32) << 8,
        }
    }

    const fn nvme_specific(mut self, value: u8) -> Self {
        self.dword10 = self.dword10 & !0xff | value as u32;
        self
    }

    fn sqe(self, opcode: u8, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        let len = lengths.data;
        if len == 0 {
            return Err(LengthMismatch::TooShort { len, min: 1 });
        }
        let max = u32::MAX as usize;
        let length = u32::try_from(len).map_err(|_| LengthMismatch::TooLong { len, max })?;
        Ok(Sqe {
            nsid: self.nsid.map_or(0, Nsid::get),
            cdw10: self.dword10,
            cdw11: length,
            ..Sqe::new(opcode)
        })
    }
}

/// Security Receive (82h): what a security protocol has to say, as many bytes as
/// the buffer has. NVMe Base 2.1, 5.1.23.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::SecurityReceive};
///
/// // Level 0 Discovery of TCG Opal.
/// let sqe = SecurityReceive::new(0x01, 0x0001).sqe(Lengths::data(512))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x82, 0x0100_0100, 512));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("security-recv", "IF-RECV", "nvme_admin_security_recv"))]
pub struct SecurityReceive(Protocol);

impl SecurityReceive {
    /// Of a protocol (SECP), with its specific value (SPSP): 00h is the list of
    /// protocols, 01h to 06h are TCG's, `EAh` is NVMe's, `EFh` is ATA's.
    #[doc(alias("SECP", "SPSP"))]
    pub const fn new(protocol: u8, specific: u16) -> Self {
        Self(Protocol::new(protocol, specific))
    }

    /// With a value for NVMe's own protocol `EAh` (NSSF): the RPMB target.
    #[doc(alias = "NSSF")]
    pub const fn nvme_specific(self, value: u8) -> Self {
        Self(self.0.nvme_specific(value))
    }

    /// About a namespace.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.0.nsid = Some(nsid);
        self
    }
}

impl Sealed for SecurityReceive {}

impl Command for SecurityReceive {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.sqe(0x82, lengths)
    }
}

impl DataIn for SecurityReceive {}

/// Security Send (81h): tells a security protocol something, the bytes that are
/// written. NVMe Base 2.1, 5.1.24.
///
/// ```
/// use passthru::nvme::{Command, Lengths, admin::SecuritySend};
///
/// let sqe = SecuritySend::new(0xea, 0x0001).nvme_specific(2).sqe(Lengths::data(256))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x81, 0xea00_0102, 256));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("security-send", "IF-SEND", "nvme_admin_security_send"))]
pub struct SecuritySend(Protocol);

impl SecuritySend {
    /// To a protocol (SECP), with its specific value (SPSP).
    #[doc(alias("SECP", "SPSP"))]
    pub const fn new(protocol: u8, specific: u16) -> Self {
        Self(Protocol::new(protocol, specific))
    }

    /// With a value for NVMe's own protocol `EAh` (NSSF): the RPMB target.
    #[doc(alias = "NSSF")]
    pub const fn nvme_specific(self, value: u8) -> Self {
        Self(self.0.nvme_specific(value))
    }

    /// About a namespace.
    pub const fn namespace(mut self, nsid: Nsid) -> Self {
        self.0.nsid = Some(nsid);
        self
    }
}

impl Sealed for SecuritySend {}

impl Command for SecuritySend {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        self.0.sqe(0x81, lengths)
    }
}

impl DataOut for SecuritySend {}

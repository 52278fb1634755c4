//! Directive Receive and Directive Send.

use super::{dwords_less_one, no_data_command};
use crate::nvme::{
    Command, DataIn, DataOut, LengthMismatch, Lengths, Nsid, Queue, Sqe, command::sealed::Sealed,
};

/// What kind of a directive (DTYPE). NVMe Base 2.1, 8.1.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("DTYPE", "nvme_directive_dtype"))]
pub struct DirectiveType(pub u8);

impl DirectiveType {
    /// 00h: which directives there are.
    pub const IDENTIFY: Self = Self(0x00);
    /// 01h: streams.
    pub const STREAMS: Self = Self(0x01);
    /// 02h: data placement, which has no commands of its own.
    pub const DATA_PLACEMENT: Self = Self(0x02);
}

impl core::fmt::Display for DirectiveType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::IDENTIFY => f.write_str("Identify"),
            Self::STREAMS => f.write_str("Streams"),
            Self::DATA_PLACEMENT => f.write_str("Data Placement"),
            Self(other) => write!(f, "directive type {other:02X}h"),
        }
    }
}

/// Directive Receive (1Ah) with data, as much as the buffer has: whole dwords.
/// NVMe Base 2.1, 5.1.6.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::DirectiveReceive};
///
/// let status = DirectiveReceive::stream_status(Nsid::new(1).unwrap());
/// let sqe = status.sqe(Lengths::data(4096))?;
/// assert_eq!((sqe.opcode, sqe.cdw10, sqe.cdw11), (0x1a, 1023, 0x102));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("dir-receive", "nvme_admin_directive_recv"))]
pub struct DirectiveReceive {
    nsid: u32,
    dword11: u32,
}

const fn dword11(operation: u8, kind: DirectiveType, specific: u16) -> u32 {
    operation as u32 | (kind.0 as u32) << 8 | (specific as u32) << 16
}

impl DirectiveReceive {
    /// Which directives a namespace knows and uses: read 4096 bytes, for
    /// [`DirectiveSupport`](super::DirectiveSupport).
    pub const fn support(nsid: Nsid) -> Self {
        Self::new(nsid, DirectiveType::IDENTIFY, 1, 0)
    }

    /// What streams there may be: read 32 bytes, for
    /// [`StreamParameters`](super::StreamParameters).
    pub const fn stream_parameters(nsid: Nsid) -> Self {
        Self::new(nsid, DirectiveType::STREAMS, 1, 0)
    }

    /// Which streams are open: read up to 131072 bytes, for
    /// [`StreamStatus`](super::StreamStatus).
    pub const fn stream_status(nsid: Nsid) -> Self {
        Self::new(nsid, DirectiveType::STREAMS, 2, 0)
    }

    /// Another operation (DOPER), with its specific value (DSPEC).
    #[doc(alias("DOPER", "DSPEC"))]
    pub const fn new(nsid: Nsid, kind: DirectiveType, operation: u8, specific: u16) -> Self {
        Self {
            nsid: nsid.get(),
            dword11: dword11(operation, kind, specific),
        }
    }
}

impl Sealed for DirectiveReceive {}

impl Command for DirectiveReceive {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe {
            nsid: self.nsid,
            cdw10: dwords_less_one(lengths)?,
            cdw11: self.dword11,
            ..Sqe::new(0x1a)
        })
    }
}

impl DataIn for DirectiveReceive {}

/// Directive Send (19h) with data, whole dwords; none of the specification's
/// directives has any. NVMe Base 2.1, 5.1.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[doc(alias("dir-send", "nvme_admin_directive_send"))]
pub struct DirectiveSend {
    nsid: u32,
    dword11: u32,
}

impl DirectiveSend {
    /// An operation (DOPER), with its specific value (DSPEC).
    #[doc(alias("DOPER", "DSPEC"))]
    pub const fn new(nsid: Nsid, kind: DirectiveType, operation: u8, specific: u16) -> Self {
        Self {
            nsid: nsid.get(),
            dword11: dword11(operation, kind, specific),
        }
    }
}

impl Sealed for DirectiveSend {}

impl Command for DirectiveSend {
    const QUEUE: Queue = Queue::Admin;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe {
            nsid: self.nsid,
            cdw10: dwords_less_one(lengths)?,
            cdw11: self.dword11,
            ..Sqe::new(0x19)
        })
    }
}

impl DataOut for DirectiveSend {}

/// Directive Send and Directive Receive without data: what changes something.
/// NVMe Base 2.1, 8.1.8.
///
/// ```
/// use passthru::nvme::{Command, Lengths, Nsid, admin::{DirectiveAction, DirectiveType}};
///
/// let nsid = Nsid::new(1).unwrap();
/// let enable = DirectiveAction::enable(nsid, DirectiveType::STREAMS, true);
/// let sqe = enable.sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw11, sqe.cdw12), (0x19, 0x001, 0x101));
///
/// let sqe = DirectiveAction::allocate_streams(nsid, 4).sqe(Lengths::data(0))?;
/// assert_eq!((sqe.opcode, sqe.cdw11, sqe.cdw12), (0x1a, 0x103, 4));
/// # Ok::<(), passthru::nvme::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct DirectiveAction {
    opcode: u8,
    nsid: u32,
    dword11: u32,
    dword12: u32,
}

impl DirectiveAction {
    /// A namespace uses a directive, or no longer (Identify, Enable Directive).
    #[doc(alias("ENDIR", "TDTYPE"))]
    pub const fn enable(nsid: Nsid, kind: DirectiveType, enable: bool) -> Self {
        Self {
            opcode: 0x19,
            nsid: nsid.get(),
            dword11: dword11(1, DirectiveType::IDENTIFY, 0),
            dword12: (kind.0 as u32) << 8 | enable as u32,
        }
    }

    /// Closes a stream (Streams, Release Identifier).
    pub const fn release_stream(nsid: Nsid, stream: u16) -> Self {
        Self {
            opcode: 0x19,
            nsid: nsid.get(),
            dword11: dword11(1, DirectiveType::STREAMS, stream),
            dword12: 0,
        }
    }

    /// Gives back what was allocated for a namespace's streams (Streams, Release
    /// Resources).
    pub const fn release_streams(nsid: Nsid) -> Self {
        Self {
            opcode: 0x19,
            nsid: nsid.get(),
            dword11: dword11(2, DirectiveType::STREAMS, 0),
            dword12: 0,
        }
    }

    /// Allocates streams for a namespace (Streams, Allocate Resources). Bits
    /// 15:0 of completion dword 0 say how many it got.
    #[doc(alias("NSR", "NSA"))]
    pub const fn allocate_streams(nsid: Nsid, streams: u16) -> Self {
        Self {
            opcode: 0x1a,
            nsid: nsid.get(),
            dword11: dword11(3, DirectiveType::STREAMS, 0),
            dword12: streams as u32,
        }
    }
}

no_data_command!(
    DirectiveAction,
    |action| Sqe {
        nsid: action.nsid,
        cdw11: action.dword11,
        cdw12: action.dword12,
        ..Sqe::new(action.opcode)
    },
    None
);

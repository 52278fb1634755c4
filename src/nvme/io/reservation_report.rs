//! Reservation Report.

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U64},
};

use super::{ReservationType, blocks::dwords, entries};
use crate::nvme::{
    Command, DataIn, LengthMismatch, Lengths, Malformed, Query, Queue, Sqe, command::sealed::Sealed,
};

/// Reservation Report (0Eh): who is registered, and who holds the reservation.
/// NVMe Base 2.1, 7.8.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt, nvme::io::ReservationReport};
///
/// let report = NvmeNamespace::open("/dev/ng0n1")?.query(&ReservationReport::new(64))?;
/// for registrant in report.registrants() {
///     println!("{:#x} holds it: {}", registrant.key(), registrant.holds());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("resv-report", "nvme_cmd_resv_report"))]
#[must_use]
pub struct ReservationReport {
    registrants: u16,
    extended: bool,
}

impl ReservationReport {
    /// With room for so many registrants. [`ReservationStatus::registered`] says
    /// how many there are.
    pub const fn new(registrants: u16) -> Self {
        Self {
            registrants,
            extended: false,
        }
    }

    /// With host identifiers of 128 bits (EDS): what hosts that have such are to
    /// ask for, and the only thing that controllers on fabrics know.
    #[doc(alias = "EDS")]
    pub const fn extended(mut self, extended: bool) -> Self {
        self.extended = extended;
        self
    }
}

impl Sealed for ReservationReport {}

impl Command for ReservationReport {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        Ok(Sqe {
            cdw10: dwords(lengths, 4)?,
            cdw11: u32::from(self.extended),
            ..Sqe::new(0x0e)
        })
    }
}

impl DataIn for ReservationReport {}

impl Query for ReservationReport {
    type Reply = ReservationStatus;

    fn reply_length(&self) -> usize {
        let (head, each) = if self.extended {
            (EXTENDED_HEAD, size_of::<Extended>())
        } else {
            (HEAD, size_of::<Short>())
        };
        head + usize::from(self.registrants) * each
    }

    fn parse(&self, bytes: &[u8]) -> Result<ReservationStatus, Malformed> {
        ReservationStatus::parse(bytes, self.extended)
    }
}

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    generation: U32,
    rtype: u8,
    registered: U16,
    reserved: [u8; 2],
    ptpls: u8,
    reserved_too: [u8; 14],
}

/// A Registered Controller data structure.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Short {
    cntlid: U16,
    rcsts: u8,
    reserved: [u8; 5],
    host: U64,
    key: U64,
}

/// A Registered Controller Extended data structure.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Extended {
    cntlid: U16,
    rcsts: u8,
    reserved: [u8; 5],
    key: U64,
    host: [u8; 16],
    reserved_too: [u8; 32],
}

const HEAD: usize = size_of::<Head>();
const EXTENDED_HEAD: usize = 64;
const _: () = assert!(HEAD == 24 && size_of::<Short>() == 24 && size_of::<Extended>() == 64);

/// The Reservation Status data structure.
#[derive(Clone, Debug)]
#[doc(alias = "nvme_resv_status")]
pub struct ReservationStatus {
    head: Head,
    registrants: Vec<Registrant>,
}

impl ReservationStatus {
    /// Reads the data structure, of the extended form or not. Registrants for
    /// which there are no bytes are left out.
    ///
    /// # Errors
    /// [`Malformed::Short`] for less than its header: 24 bytes, or 64.
    pub fn parse(bytes: &[u8], extended: bool) -> Result<Self, Malformed> {
        let need = if extended { EXTENDED_HEAD } else { HEAD };
        let short = Malformed::Short {
            need,
            got: bytes.len(),
        };
        let (head, _) = Head::read_from_prefix(bytes).map_err(|_| short)?;
        let list = bytes.get(need..).ok_or(short)?;
        let count = usize::from(head.registered.get());
        let registrants = if extended {
            entries(list)
                .take(count)
                .map(|wire| Registrant::of_extended(&wire))
                .collect()
        } else {
            entries(list)
                .take(count)
                .map(|wire| Registrant::of_short(&wire))
                .collect()
        };
        Ok(Self { head, registrants })
    }

    /// Counts what changes the registrations (GEN), from 0 again after its
    /// greatest value.
    #[must_use]
    #[doc(alias = "GEN")]
    pub fn generation(&self) -> u32 {
        self.head.generation.get()
    }

    /// The type of the reservation; `None` if nobody holds one.
    #[must_use]
    #[doc(alias = "RTYPE")]
    pub fn reservation(&self) -> Option<ReservationType> {
        (self.head.rtype != 0).then_some(ReservationType(self.head.rtype))
    }

    /// How many registrants there are (REGCTL, REGSTRNT). It may be more than
    /// there was room for.
    #[must_use]
    #[doc(alias("REGCTL", "REGSTRNT"))]
    pub fn registered(&self) -> u16 {
        self.head.registered.get()
    }

    /// Whether registrations and reservation outlast a loss of power (PTPLS).
    #[must_use]
    #[doc(alias = "PTPLS")]
    pub fn keeps_through_power_loss(&self) -> bool {
        self.head.ptpls & 1 != 0
    }

    /// The registrants that came.
    #[must_use]
    pub fn registrants(&self) -> &[Registrant] {
        &self.registrants
    }

    /// Whether all of them came.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.registrants.len() == usize::from(self.registered())
    }
}

/// A controller by which a host is registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("nvme_registered_ctrl", "nvme_registered_ctrl_ext"))]
pub struct Registrant {
    controller: u16,
    status: u8,
    host: u128,
    key: u64,
}

impl Registrant {
    fn of_short(wire: &Short) -> Self {
        Self {
            controller: wire.cntlid.get(),
            status: wire.rcsts,
            host: wire.host.get().into(),
            key: wire.key.get(),
        }
    }

    fn of_extended(wire: &Extended) -> Self {
        Self {
            controller: wire.cntlid.get(),
            status: wire.rcsts,
            host: u128::from_le_bytes(wire.host),
            key: wire.key.get(),
        }
    }

    /// The controller (CNTLID); `FFFFh` for one that is not of this kind.
    #[must_use]
    #[doc(alias = "CNTLID")]
    pub const fn controller(&self) -> u16 {
        self.controller
    }

    /// Whether the host holds the reservation (RCSTS).
    #[must_use]
    #[doc(alias = "RCSTS")]
    pub const fn holds(&self) -> bool {
        self.status & 1 != 0
    }

    /// The host identifier (HOSTID), of 64 or 128 bits.
    #[must_use]
    #[doc(alias = "HOSTID")]
    pub const fn host(&self) -> u128 {
        self.host
    }

    /// Its key (RKEY).
    #[must_use]
    #[doc(alias = "RKEY")]
    pub const fn key(&self) -> u64 {
        self.key
    }
}

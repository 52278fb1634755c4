//! Reservation Register, Acquire and Release.

use core::fmt;
use std::borrow::Cow;

use super::blocks::check_length;
use crate::nvme::{
    Command, DataOut, LengthMismatch, Lengths, Queue, Sqe, WithData, command::sealed::Sealed,
};

/// The type of a reservation: who may read and write while one holds it. NVMe
/// Base 2.1, 8.1.22.
///
/// ```
/// use passthru::nvme::io::ReservationType;
///
/// assert_eq!(ReservationType::EXCLUSIVE_ACCESS.to_string(), "exclusive access");
/// assert_eq!(ReservationType(9).to_string(), "type 09h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("RTYPE", "nvme_resv_rtype"))]
pub struct ReservationType(pub u8);

impl ReservationType {
    /// 1: only the holder writes.
    pub const WRITE_EXCLUSIVE: Self = Self(1);
    /// 2: only the holder reads and writes.
    pub const EXCLUSIVE_ACCESS: Self = Self(2);
    /// 3: only registrants write.
    pub const WRITE_EXCLUSIVE_REGISTRANTS_ONLY: Self = Self(3);
    /// 4: only registrants read and write.
    pub const EXCLUSIVE_ACCESS_REGISTRANTS_ONLY: Self = Self(4);
    /// 5: only registrants write, and all of them hold the reservation.
    pub const WRITE_EXCLUSIVE_ALL_REGISTRANTS: Self = Self(5);
    /// 6: only registrants read and write, and all of them hold it.
    pub const EXCLUSIVE_ACCESS_ALL_REGISTRANTS: Self = Self(6);
}

impl fmt::Display for ReservationType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::WRITE_EXCLUSIVE => "write exclusive",
            Self::EXCLUSIVE_ACCESS => "exclusive access",
            Self::WRITE_EXCLUSIVE_REGISTRANTS_ONLY => "write exclusive, registrants only",
            Self::EXCLUSIVE_ACCESS_REGISTRANTS_ONLY => "exclusive access, registrants only",
            Self::WRITE_EXCLUSIVE_ALL_REGISTRANTS => "write exclusive, all registrants",
            Self::EXCLUSIVE_ACCESS_ALL_REGISTRANTS => "exclusive access, all registrants",
            Self(other) => return write!(f, "type {other:02x}h"),
        })
    }
}

/// Whether registrations and reservation outlast a loss of power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("CPTPL", "PTPL"))]
pub enum KeepThroughPowerLoss {
    /// As it is.
    #[default]
    NoChange,
    /// They do not.
    No,
    /// They do.
    Yes,
}

impl KeepThroughPowerLoss {
    const fn field(self) -> u32 {
        match self {
            Self::NoChange => 0,
            Self::No => 0b10 << 30,
            Self::Yes => 0b11 << 30,
        }
    }
}

/// Bit 3 of CDW10: the current key is not looked at.
const IGNORE_KEY: u32 = 1 << 3;

fn two_keys(first: u64, second: u64) -> Cow<'static, [u8]> {
    Cow::Owned([first.to_le_bytes(), second.to_le_bytes()].concat())
}

/// Reservation Register (0Dh): tells the namespace this host's key, changes it,
/// or takes it away. NVMe Base 2.1, 7.6.
///
/// ```no_run
/// use passthru::{NvmeNamespace, NvmeTransportExt};
/// use passthru::nvme::io::{ReservationAcquire, ReservationRegister, ReservationType};
///
/// let namespace = NvmeNamespace::open_rw("/dev/ng0n1")?;
/// namespace.send(&ReservationRegister::register(0x1234))?;
/// let kind = ReservationType::WRITE_EXCLUSIVE;
/// namespace.send(&ReservationAcquire::acquire(0x1234, kind))?;
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("resv-register", "nvme_cmd_resv_register", "RREGA"))]
#[must_use]
pub struct ReservationRegister {
    cdw10: u32,
    current: u64,
    new: u64,
}

impl ReservationRegister {
    /// Registers `key` for a host that has none (action 0).
    pub const fn register(key: u64) -> Self {
        Self {
            cdw10: 0,
            current: 0,
            new: key,
        }
    }

    /// Takes the registration of the key `current` away (action 1).
    pub const fn unregister(current: u64) -> Self {
        Self {
            cdw10: 1,
            current,
            new: 0,
        }
    }

    /// Replaces the key `current` by `new` (action 2).
    pub const fn replace(current: u64, new: u64) -> Self {
        Self {
            cdw10: 2,
            current,
            new,
        }
    }

    /// Whatever key the host has now (IEKEY).
    #[doc(alias = "IEKEY")]
    pub const fn ignore_existing_key(mut self, ignore: bool) -> Self {
        self.cdw10 = self.cdw10 & !IGNORE_KEY | (ignore as u32) << 3;
        self
    }

    /// Whether registrations and reservation outlast a loss of power (CPTPL).
    #[doc(alias = "CPTPL")]
    pub const fn keep_through_power_loss(mut self, keep: KeepThroughPowerLoss) -> Self {
        self.cdw10 = self.cdw10 & !(0b11 << 30) | keep.field();
        self
    }
}

impl Sealed for ReservationRegister {}

impl Command for ReservationRegister {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, 16)?;
        Ok(Sqe {
            cdw10: self.cdw10,
            ..Sqe::new(0x0d)
        })
    }
}

impl DataOut for ReservationRegister {}

impl WithData for ReservationRegister {
    fn data(&self) -> Cow<'_, [u8]> {
        two_keys(self.current, self.new)
    }
}

/// Reservation Acquire (11h): takes the reservation, or takes it and
/// registrations away from others. NVMe Base 2.1, 7.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("resv-acquire", "nvme_cmd_resv_acquire", "RACQA"))]
#[must_use]
pub struct ReservationAcquire {
    cdw10: u32,
    current: u64,
    preempted: u64,
}

impl ReservationAcquire {
    const fn new(action: u32, current: u64, preempted: u64, kind: ReservationType) -> Self {
        Self {
            cdw10: (kind.0 as u32) << 8 | action,
            current,
            preempted,
        }
    }

    /// Takes the reservation (action 0) with the key of this host.
    pub const fn acquire(key: u64, kind: ReservationType) -> Self {
        Self::new(0, key, 0, kind)
    }

    /// Takes it from the holder with the key `preempted`, or takes the
    /// registrations with that key away (action 1).
    #[doc(alias = "PRKEY")]
    pub const fn preempt(key: u64, preempted: u64, kind: ReservationType) -> Self {
        Self::new(1, key, preempted, kind)
    }

    /// The same, and aborts the commands of who is preempted (action 2).
    #[doc(alias = "PRKEY")]
    pub const fn preempt_and_abort(key: u64, preempted: u64, kind: ReservationType) -> Self {
        Self::new(2, key, preempted, kind)
    }
}

impl Sealed for ReservationAcquire {}

impl Command for ReservationAcquire {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, 16)?;
        Ok(Sqe {
            cdw10: self.cdw10,
            ..Sqe::new(0x11)
        })
    }
}

impl DataOut for ReservationAcquire {}

impl WithData for ReservationAcquire {
    fn data(&self) -> Cow<'_, [u8]> {
        two_keys(self.current, self.preempted)
    }
}

/// Reservation Release (15h): gives the reservation back, or removes all
/// registrations. NVMe Base 2.1, 7.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("resv-release", "nvme_cmd_resv_release", "RRELA"))]
#[must_use]
pub struct ReservationRelease {
    cdw10: u32,
    current: u64,
}

impl ReservationRelease {
    /// Gives a reservation of the type `kind` back (action 0).
    pub const fn release(key: u64, kind: ReservationType) -> Self {
        Self {
            cdw10: (kind.0 as u32) << 8,
            current: key,
        }
    }

    /// Takes the reservation and all registrations away (action 1).
    pub const fn clear(key: u64) -> Self {
        Self {
            cdw10: 1,
            current: key,
        }
    }
}

impl Sealed for ReservationRelease {}

impl Command for ReservationRelease {
    const QUEUE: Queue = Queue::Io;

    fn sqe(&self, lengths: Lengths) -> Result<Sqe, LengthMismatch> {
        check_length(lengths, 8)?;
        Ok(Sqe {
            cdw10: self.cdw10,
            ..Sqe::new(0x15)
        })
    }
}

impl DataOut for ReservationRelease {}

impl WithData for ReservationRelease {
    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.current.to_le_bytes().to_vec())
    }
}

//! The three one-byte answers that come back with a command: what the device said
//! ([`Status`]), what the host adapter's driver said ([`HostStatus`]) and what the kernel's
//! SCSI layer said ([`DriverStatus`]).
//!
//! They are layers. When the host status is not zero the command may never have reached the
//! device, and the SCSI status byte, which is then usually 00h, means nothing.

#[cfg(test)]
mod tests;

use core::fmt;

/// The SCSI status byte, as the device sent it (SAM-6 5.3).
///
/// The value is kept raw. Devices do invent bytes (06h has been seen), and very old ones set the
/// bits that SAM reserves, so [`name`](Self::name) and the `is_` methods look at the byte after
/// [`masked`](Self::masked), while `==` compares the raw byte.
///
/// ```
/// use passthru::scsi::Status;
///
/// let status = Status(0x02);
/// assert_eq!(status, Status::CHECK_CONDITION);
/// assert!(status.is_check_condition());
/// assert_eq!(status.to_string(), "CHECK CONDITION (02h)");
/// assert_eq!(Status(0x06).to_string(), "status 06h");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Status(pub u8);

impl Status {
    /// The command ended well. Sense data can still come with it.
    #[doc(alias = "SAM_STAT_GOOD")]
    pub const GOOD: Self = Self(0x00);
    /// There is sense data to read: an error, a warning, or an answer that travels as sense.
    #[doc(alias = "SAM_STAT_CHECK_CONDITION")]
    pub const CHECK_CONDITION: Self = Self(0x02);
    /// The requested operation was satisfied: the good end of PRE-FETCH and of the SEARCH commands.
    #[doc(alias = "SAM_STAT_CONDITION_MET")]
    pub const CONDITION_MET: Self = Self(0x04);
    /// The logical unit cannot take the command now.
    #[doc(alias = "SAM_STAT_BUSY")]
    pub const BUSY: Self = Self(0x08);
    /// A linked command ended well (obsolete since SAM-4).
    #[doc(alias = "SAM_STAT_INTERMEDIATE")]
    pub const INTERMEDIATE: Self = Self(0x10);
    /// A linked command ended with its condition met (obsolete since SAM-4).
    #[doc(alias = "SAM_STAT_INTERMEDIATE_CONDITION_MET")]
    pub const INTERMEDIATE_CONDITION_MET: Self = Self(0x14);
    /// Another initiator holds a reservation that forbids the command.
    #[doc(alias = "SAM_STAT_RESERVATION_CONFLICT")]
    pub const RESERVATION_CONFLICT: Self = Self(0x18);
    /// The command was ended by TERMINATE I/O PROCESS (obsolete since SAM-2).
    #[doc(alias = "SAM_STAT_COMMAND_TERMINATED")]
    pub const COMMAND_TERMINATED: Self = Self(0x22);
    /// The logical unit's queue has no room.
    #[doc(alias = "SAM_STAT_TASK_SET_FULL")]
    #[doc(alias = "QUEUE FULL")]
    pub const TASK_SET_FULL: Self = Self(0x28);
    /// An auto contingent allegiance is in force and the command was not sent with ACA.
    #[doc(alias = "SAM_STAT_ACA_ACTIVE")]
    pub const ACA_ACTIVE: Self = Self(0x30);
    /// The command was aborted by another initiator, and the Control mode page asks for a status.
    #[doc(alias = "SAM_STAT_TASK_ABORTED")]
    pub const TASK_ABORTED: Self = Self(0x40);

    /// The byte without bits 7 and 0, which SAM reserves.
    ///
    /// This is not the kernel's `masked_status`, which is also shifted right by one.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 & 0x7E)
    }

    /// The name that SAM gives to the byte, or `None` where it gives none.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.masked() {
            Self::GOOD => "GOOD",
            Self::CHECK_CONDITION => "CHECK CONDITION",
            Self::CONDITION_MET => "CONDITION MET",
            Self::BUSY => "BUSY",
            Self::INTERMEDIATE => "INTERMEDIATE",
            Self::INTERMEDIATE_CONDITION_MET => "INTERMEDIATE-CONDITION MET",
            Self::RESERVATION_CONFLICT => "RESERVATION CONFLICT",
            Self::COMMAND_TERMINATED => "COMMAND TERMINATED",
            Self::TASK_SET_FULL => "TASK SET FULL",
            Self::ACA_ACTIVE => "ACA ACTIVE",
            Self::TASK_ABORTED => "TASK ABORTED",
            _ => return None,
        })
    }

    /// True for GOOD.
    #[must_use]
    pub const fn is_good(self) -> bool {
        self.masked().0 == Self::GOOD.0
    }

    /// True for CHECK CONDITION.
    #[must_use]
    pub const fn is_check_condition(self) -> bool {
        self.masked().0 == Self::CHECK_CONDITION.0
    }

    /// True for every status that says that the command was carried out: GOOD, CONDITION MET,
    /// INTERMEDIATE and INTERMEDIATE-CONDITION MET.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(
            self.masked(),
            Self::GOOD
                | Self::CONDITION_MET
                | Self::INTERMEDIATE
                | Self::INTERMEDIATE_CONDITION_MET
        )
    }

    /// True for BUSY and TASK SET FULL: the command was not started and may be sent again later.
    #[must_use]
    pub const fn is_busy(self) -> bool {
        matches!(self.masked(), Self::BUSY | Self::TASK_SET_FULL)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02X}h)", self.0),
            None => write!(f, "status {:02X}h", self.0),
        }
    }
}

impl fmt::UpperHex for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&self.0, f)
    }
}

/// The host adapter's verdict: the kernel's `host_byte`, one of the `DID_` numbers.
///
/// Anything but [`OK`](Self::OK) means that the transport failed; the SCSI status is then not
/// an answer of the device. Sense data can be there all the same.
///
/// Whether the command reached the device is what a caller wants to know before it sends a write
/// again. Only [`BAD_TARGET`](Self::BAD_TARGET) says that nothing was sent; after every other
/// value the device may have carried out the command, wholly or in part.
///
/// ```
/// use passthru::scsi::HostStatus;
///
/// assert_eq!(HostStatus::TIME_OUT.to_string(), "DID_TIME_OUT (03h)");
/// assert_eq!(HostStatus(0x55).name(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[doc(alias = "host_byte")]
pub struct HostStatus(pub u16);

/// Values, kernel names and meanings of the host status.
#[rustfmt::skip]
const HOST: &[(HostStatus, &str, &str)] = &[
    (HostStatus::OK, "DID_OK", "no transport error"),
    (HostStatus::NO_CONNECT, "DID_NO_CONNECT", "the device could not be reached or has gone away"),
    (HostStatus::BUS_BUSY, "DID_BUS_BUSY", "the bus stayed busy"),
    (HostStatus::TIME_OUT, "DID_TIME_OUT", "the command timed out"),
    (HostStatus::BAD_TARGET, "DID_BAD_TARGET", "there is no such target"),
    (HostStatus::ABORT, "DID_ABORT", "the command was aborted"),
    (HostStatus::PARITY, "DID_PARITY", "parity or CRC error on the transport"),
    (HostStatus::ERROR, "DID_ERROR", "the host adapter or its driver failed"),
    (HostStatus::RESET, "DID_RESET", "the command was ended by a reset"),
    (HostStatus::BAD_INTR, "DID_BAD_INTR", "the host adapter raised an unexpected interrupt"),
    (HostStatus::PASSTHROUGH, "DID_PASSTHROUGH", "the result is passed on without error handling"),
    (HostStatus::SOFT_ERROR, "DID_SOFT_ERROR", "the driver asks for a retry"),
    (HostStatus::IMM_RETRY, "DID_IMM_RETRY", "the driver asks for an immediate retry"),
    (HostStatus::REQUEUE, "DID_REQUEUE", "the driver asks to queue the command again"),
    (HostStatus::TRANSPORT_DISRUPTED, "DID_TRANSPORT_DISRUPTED", "the connection was disrupted while the command was in flight"),
    (HostStatus::TRANSPORT_FAILFAST, "DID_TRANSPORT_FAILFAST", "the transport gave up waiting for the connection"),
    (HostStatus::TARGET_FAILURE, "DID_TARGET_FAILURE", "the target failed for good"),
    (HostStatus::NEXUS_FAILURE, "DID_NEXUS_FAILURE", "this path to the target failed for good"),
    (HostStatus::ALLOC_FAILURE, "DID_ALLOC_FAILURE", "the device has no space left to allocate"),
    (HostStatus::MEDIUM_ERROR, "DID_MEDIUM_ERROR", "medium error"),
    (HostStatus::TRANSPORT_MARGINAL, "DID_TRANSPORT_MARGINAL", "the path is marked as unreliable"),
];

impl HostStatus {
    /// No transport error; look at the driver status and the SCSI status.
    #[doc(alias = "DID_OK")]
    pub const OK: Self = Self(0x00);
    /// The device could not be reached, or went away. A command that was in flight at that moment
    /// ends with this value too, so it is unknown whether it was carried out.
    #[doc(alias = "DID_NO_CONNECT")]
    pub const NO_CONNECT: Self = Self(0x01);
    /// The bus stayed busy until the driver gave up. Usually not sent, but drivers differ: unknown.
    #[doc(alias = "DID_BUS_BUSY")]
    pub const BUS_BUSY: Self = Self(0x02);
    /// The command was sent and no answer came in time. Error handling has aborted it or reset the
    /// device; whether it was carried out is unknown, and other commands may now meet a
    /// UNIT ATTENTION.
    #[doc(alias = "DID_TIME_OUT")]
    pub const TIME_OUT: Self = Self(0x03);
    /// There is no such target or logical unit. Not sent.
    #[doc(alias = "DID_BAD_TARGET")]
    pub const BAD_TARGET: Self = Self(0x04);
    /// The command was aborted for a reason other than its timeout. Unknown.
    #[doc(alias = "DID_ABORT")]
    pub const ABORT: Self = Self(0x05);
    /// A parity or CRC error on the way. Unknown.
    #[doc(alias = "DID_PARITY")]
    pub const PARITY: Self = Self(0x06);
    /// The host adapter or its driver failed; the most general value. Unknown.
    #[doc(alias = "DID_ERROR")]
    pub const ERROR: Self = Self(0x07);
    /// A reset of the device, the bus or the host ended the command. Unknown.
    #[doc(alias = "DID_RESET")]
    pub const RESET: Self = Self(0x08);
    /// An interrupt that the driver did not expect. Unknown.
    #[doc(alias = "DID_BAD_INTR")]
    pub const BAD_INTR: Self = Self(0x09);
    /// The result goes past the kernel's error handling. Rarely reaches a program. Unknown.
    #[doc(alias = "DID_PASSTHROUGH")]
    pub const PASSTHROUGH: Self = Self(0x0A);
    /// The low-level driver wants a retry and retries were used up. Unknown.
    #[doc(alias = "DID_SOFT_ERROR")]
    pub const SOFT_ERROR: Self = Self(0x0B);
    /// A retry at once, not counted. The kernel normally takes care of it itself. Unknown.
    #[doc(alias = "DID_IMM_RETRY")]
    pub const IMM_RETRY: Self = Self(0x0C);
    /// Back into the queue, not counted. The kernel normally takes care of it itself. Unknown.
    #[doc(alias = "DID_REQUEUE")]
    pub const REQUEUE: Self = Self(0x0D);
    /// The connection broke while the command was in flight. Unknown.
    #[doc(alias = "DID_TRANSPORT_DISRUPTED")]
    pub const TRANSPORT_DISRUPTED: Self = Self(0x0E);
    /// The connection did not come back within the fast-fail time. Unknown.
    #[doc(alias = "DID_TRANSPORT_FAILFAST")]
    pub const TRANSPORT_FAILFAST: Self = Self(0x0F);
    /// The target failed in a way that no retry and no other path will change. It had the command.
    #[doc(alias = "DID_TARGET_FAILURE")]
    pub const TARGET_FAILURE: Self = Self(0x10);
    /// This path failed, another may work; used for reservation conflicts. The target had the
    /// command and refused it, unless a driver uses the value for something else.
    #[doc(alias = "DID_NEXUS_FAILURE")]
    pub const NEXUS_FAILURE: Self = Self(0x11);
    /// A thinly provisioned device has no space left. It had the command; part may be written.
    #[doc(alias = "DID_ALLOC_FAILURE")]
    pub const ALLOC_FAILURE: Self = Self(0x12);
    /// The device reported a medium error. It had the command; part may be done.
    #[doc(alias = "DID_MEDIUM_ERROR")]
    pub const MEDIUM_ERROR: Self = Self(0x13);
    /// The transport marked the path as marginal and took the command back. Unknown.
    #[doc(alias = "DID_TRANSPORT_MARGINAL")]
    pub const TRANSPORT_MARGINAL: Self = Self(0x14);

    /// True for [`OK`](Self::OK).
    #[must_use]
    pub const fn is_ok(self) -> bool {
        self.0 == 0
    }

    /// The kernel's name, with its `DID_` prefix.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        HOST.iter().find(|row| row.0 == self).map(|row| row.1)
    }

    /// A few words for people who do not know the kernel's names.
    #[must_use]
    pub fn meaning(self) -> Option<&'static str> {
        HOST.iter().find(|row| row.0 == self).map(|row| row.2)
    }
}

impl fmt::Display for HostStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02X}h)", self.0),
            None => write!(f, "host status {:02X}h", self.0),
        }
    }
}

/// What the kernel's SCSI layer says about the result: the `driver_byte`.
///
/// Kernels since 5.13 know two values: 0, and [`SENSE`](Self::SENSE) when sense data is there.
/// Older ones used more, and a "suggestion" in the high nibble. `SENSE` is not a fault: it
/// comes with every CHECK CONDITION, and with GOOD when sense was found all the same.
///
/// ```
/// use passthru::scsi::DriverStatus;
///
/// assert!(DriverStatus(0x18).has_sense()); // with a suggestion to retry in the high nibble
/// assert_eq!(DriverStatus::TIMEOUT.to_string(), "DRIVER_TIMEOUT (06h)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[doc(alias = "driver_byte")]
pub struct DriverStatus(pub u16);

/// Values and kernel names of the driver status.
const DRIVER: &[(DriverStatus, &str)] = &[
    (DriverStatus::OK, "DRIVER_OK"),
    (DriverStatus(0x01), "DRIVER_BUSY"),
    (DriverStatus(0x02), "DRIVER_SOFT"),
    (DriverStatus(0x03), "DRIVER_MEDIA"),
    (DriverStatus(0x04), "DRIVER_ERROR"),
    (DriverStatus(0x05), "DRIVER_INVALID"),
    (DriverStatus::TIMEOUT, "DRIVER_TIMEOUT"),
    (DriverStatus(0x07), "DRIVER_HARD"),
    (DriverStatus::SENSE, "DRIVER_SENSE"),
];

impl DriverStatus {
    /// Nothing to say.
    #[doc(alias = "DRIVER_OK")]
    pub const OK: Self = Self(0x00);
    /// The command timed out (older kernels).
    #[doc(alias = "DRIVER_TIMEOUT")]
    pub const TIMEOUT: Self = Self(0x06);
    /// Sense data came with the result. Not a fault by itself.
    #[doc(alias = "DRIVER_SENSE")]
    pub const SENSE: Self = Self(0x08);

    /// The value without the suggestion in its high nibble.
    #[must_use]
    pub const fn code(self) -> Self {
        Self(self.0 & 0x0F)
    }

    /// The historic suggestion: 1 retry, 2 abort, 3 remap, 4 give up, 8 look at the sense; 0 none.
    #[must_use]
    #[doc(alias = "SUGGEST_RETRY")]
    pub const fn suggestion(self) -> u16 {
        (self.0 >> 4) & 0x0F
    }

    /// True when the value says that sense data is there.
    #[must_use]
    pub const fn has_sense(self) -> bool {
        self.code().0 == Self::SENSE.0
    }

    /// True when the value is a failure of its own: anything but [`OK`](Self::OK) and
    /// [`SENSE`](Self::SENSE).
    #[must_use]
    pub const fn is_failure(self) -> bool {
        !matches!(self.code(), Self::OK | Self::SENSE)
    }

    /// The kernel's name, with its `DRIVER_` prefix.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        DRIVER
            .iter()
            .find(|row| row.0 == self.code())
            .map(|row| row.1)
    }
}

impl fmt::Display for DriverStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02X}h)", self.0),
            None => write!(f, "driver status {:02X}h", self.0),
        }
    }
}

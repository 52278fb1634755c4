//! Feature identifiers, and what each feature moves.

use core::fmt;

use crate::nvme::{LengthMismatch, Lengths};

/// What is given to a feature that the crate does not know: no feature moves
/// more, since the data of Get Features and Set Features may cross one page
/// boundary at most (NVMe Base 2.1, 5.1.11 and 5.1.25: no PRP list).
pub(super) const TWO_PAGES: usize = 8192;

/// A feature identifier (FID). NVMe Base 2.1, 5.1.25.1, and the command sets.
///
/// ```
/// use passthru::nvme::features::FeatureId;
///
/// assert_eq!(FeatureId::TIMESTAMP.to_string(), "Timestamp (0Eh)");
/// assert_eq!(FeatureId(0xc5).to_string(), "vendor specific (C5h)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias("FID", "nvme_features_id"))]
pub struct FeatureId(pub u8);

/// What a feature moves in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// So many bytes.
    Exactly(usize),
    /// Nobody but its vendor knows.
    Unknown,
}

impl Moves {
    /// Checks the length of the data buffer.
    pub(super) const fn check(self, lengths: Lengths) -> Result<(), LengthMismatch> {
        let len = lengths.data;
        let expected = self.length();
        if len == expected {
            Ok(())
        } else {
            Err(LengthMismatch::Data {
                len,
                expected: expected as u64,
            })
        }
    }

    pub(super) const fn length(self) -> usize {
        match self {
            Self::Exactly(len) => len,
            Self::Unknown => TWO_PAGES,
        }
    }
}

macro_rules! features {
    ($($name:ident = $id:literal, $text:literal, $doc:literal;)*) => {
        impl FeatureId {
            $(#[doc = $doc] pub const $name: Self = Self($id);)*

            /// The specifications' name.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                Some(match self.0 {
                    $($id => $text,)*
                    0xc0..=0xff => "vendor specific",
                    _ => return None,
                })
            }
        }
    };
}

features! {
    ARBITRATION = 0x01, "Arbitration", "01h: how queues take turns.";
    POWER_MANAGEMENT = 0x02, "Power Management", "02h: the power state.";
    LBA_RANGE_TYPE = 0x03, "LBA Range Type", "03h: what ranges of blocks are for.";
    TEMPERATURE_THRESHOLD = 0x04, "Temperature Threshold", "04h: when to warn.";
    ERROR_RECOVERY = 0x05, "Error Recovery", "05h: how long to try.";
    VOLATILE_WRITE_CACHE = 0x06, "Volatile Write Cache", "06h: whether it is used.";
    NUMBER_OF_QUEUES = 0x07, "Number of Queues", "07h: I/O queues. No one but the kernel may set it.";
    INTERRUPT_COALESCING = 0x08, "Interrupt Coalescing", "08h: how interrupts are put together.";
    INTERRUPT_VECTOR_CONFIGURATION = 0x09, "Interrupt Vector Configuration", "09h: of one vector.";
    WRITE_ATOMICITY = 0x0a, "Write Atomicity Normal", "0Ah: whether AWUN is kept.";
    ASYNC_EVENT_CONFIGURATION = 0x0b, "Asynchronous Event Configuration", "0Bh: which events are told.";
    AUTONOMOUS_POWER_STATE_TRANSITION = 0x0c, "Autonomous Power State Transition", "0Ch: which power state follows when idle.";
    HOST_MEMORY_BUFFER = 0x0d, "Host Memory Buffer", "0Dh: memory lent to the controller. It can be read here, not set.";
    TIMESTAMP = 0x0e, "Timestamp", "0Eh: the controller's clock.";
    KEEP_ALIVE_TIMER = 0x0f, "Keep Alive Timer", "0Fh: how often a host shows that it lives.";
    HOST_CONTROLLED_THERMAL_MANAGEMENT = 0x10, "Host Controlled Thermal Management", "10h: when to slow down.";
    NON_OPERATIONAL_POWER_STATE = 0x11, "Non-Operational Power State Config", "11h: whether background work may use more power.";
    READ_RECOVERY_LEVEL = 0x12, "Read Recovery Level Config", "12h: how hard to try to read.";
    PREDICTABLE_LATENCY_CONFIG = 0x13, "Predictable Latency Mode Config", "13h: of an NVM set.";
    PREDICTABLE_LATENCY_WINDOW = 0x14, "Predictable Latency Mode Window", "14h: of an NVM set.";
    LBA_STATUS_INTERVAL = 0x15, "LBA Status Information Attributes", "15h: how often it is reported.";
    HOST_BEHAVIOR = 0x16, "Host Behavior Support", "16h: what the host can cope with. No one but the kernel may set it.";
    SANITIZE_CONFIG = 0x17, "Sanitize Config", "17h: what \"no deallocate\" comes to.";
    ENDURANCE_GROUP_EVENT_CONFIG = 0x18, "Endurance Group Event Configuration", "18h: which warnings of a group are told.";
    COMMAND_SET_PROFILE = 0x19, "I/O Command Set Profile", "19h: which command sets are used together.";
    SPINUP_CONTROL = 0x1a, "Spinup Control", "1Ah: whether a rotating drive waits.";
    POWER_LOSS_SIGNALING = 0x1b, "Power Loss Signaling Config", "1Bh: what power loss signals do.";
    FLEXIBLE_DATA_PLACEMENT = 0x1d, "Flexible Data Placement", "1Dh: of an endurance group.";
    FLEXIBLE_DATA_PLACEMENT_EVENTS = 0x1e, "Flexible Data Placement Events", "1Eh: which are recorded.";
    ENHANCED_CONTROLLER_METADATA = 0x7d, "Enhanced Controller Metadata", "7Dh: names that the host gave.";
    CONTROLLER_METADATA = 0x7e, "Controller Metadata", "7Eh: names that the host gave.";
    NAMESPACE_METADATA = 0x7f, "Namespace Metadata", "7Fh: names that the host gave.";
    SOFTWARE_PROGRESS_MARKER = 0x80, "Software Progress Marker", "80h: how often the start was not finished.";
    HOST_IDENTIFIER = 0x81, "Host Identifier", "81h: who reserves.";
    RESERVATION_NOTIFICATION_MASK = 0x82, "Reservation Notification Mask", "82h: which are not told.";
    RESERVATION_PERSISTENCE = 0x83, "Reservation Persistence", "83h: whether they outlive a power loss.";
    NAMESPACE_WRITE_PROTECTION = 0x84, "Namespace Write Protection Config", "84h: of a namespace.";
    BOOT_PARTITION_WRITE_PROTECTION = 0x85, "Boot Partition Write Protection Config", "85h: of both boot partitions.";
}

/// For how many events there is room. A count of 0 has a buffer too, lest a
/// controller that makes something else of it finds none.
const fn events(dword11: u32) -> usize {
    match dword11 >> 16 & 0xff {
        0 => 1,
        events => events as usize,
    }
}

impl FeatureId {
    /// What Get Features moves from the controller.
    pub(super) const fn get_moves(self, dword11: u32) -> Moves {
        Moves::Exactly(match self {
            Self::FLEXIBLE_DATA_PLACEMENT_EVENTS => events(dword11) * 2,
            Self::HOST_MEMORY_BUFFER => 4096,
            _ => return self.moves(dword11),
        })
    }

    /// What Set Features moves to the controller; `None` for what safe code
    /// cannot set, since the value is a pointer or may be one.
    pub(super) const fn set_moves(self, dword11: u32) -> Option<Moves> {
        Some(match self {
            Self::FLEXIBLE_DATA_PLACEMENT_EVENTS => Moves::Exactly(events(dword11)),
            Self::HOST_MEMORY_BUFFER => return None,
            Self(0xc0..=0xff) => Moves::Unknown,
            _ => match self.moves(dword11) {
                Moves::Unknown => return None,
                moves => moves,
            },
        })
    }

    const fn moves(self, dword11: u32) -> Moves {
        Moves::Exactly(match self.0 {
            0x01 | 0x02 | 0x04..=0x0b | 0x0f..=0x12 | 0x14 | 0x15 | 0x17..=0x1b | 0x1d => 0,
            0x80 | 0x82..=0x85 => 0,
            0x03 | 0x7d..=0x7f => 4096,
            0x0c => 256,
            0x0e => 8,
            0x13 | 0x16 => 512,
            0x81 if dword11 & 1 == 0 => 8,
            0x81 => 16,
            _ => return Moves::Unknown,
        })
    }
}

impl fmt::Display for FeatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02X}h)", self.0),
            None => write!(f, "feature {:02X}h", self.0),
        }
    }
}

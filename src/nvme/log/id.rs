//! Log page identifiers.

use core::fmt;

/// A log page identifier (LID). NVMe Base 2.1, 5.1.12.1.
///
/// ```
/// use passthru::nvme::log::LogId;
///
/// assert_eq!(LogId::SMART_HEALTH.to_string(), "SMART / Health Information (02h)");
/// assert_eq!(LogId::new(0xC0).to_string(), "C0h");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(alias = "LID")]
pub struct LogId(u8);

macro_rules! ids {
    ($($(#[$alias:meta])* $name:ident = $id:literal, $text:literal;)*) => {
        impl LogId {
            $(
                #[doc = concat!($text, ".")]
                $(#[$alias])*
                pub const $name: Self = Self($id);
            )*

            /// The specification's name, if the page is one of the constants.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$name => Some($text),)*
                    _ => None,
                }
            }
        }
    };
}

ids! {
    #[doc(alias = "NVME_LOG_LID_SUPPORTED_LOG_PAGES")]
    SUPPORTED_LOGS = 0x00, "Supported Log Pages";
    #[doc(alias = "NVME_LOG_ERROR")]
    ERROR_INFORMATION = 0x01, "Error Information";
    #[doc(alias = "NVME_LOG_SMART")]
    SMART_HEALTH = 0x02, "SMART / Health Information";
    #[doc(alias = "NVME_LOG_FW_SLOT")]
    FIRMWARE_SLOTS = 0x03, "Firmware Slot Information";
    #[doc(alias = "NVME_LOG_CHANGED_NS")]
    CHANGED_NAMESPACES = 0x04, "Changed Attached Namespace List";
    #[doc(alias = "NVME_LOG_CMD_EFFECTS")]
    COMMAND_EFFECTS = 0x05, "Commands Supported and Effects";
    #[doc(alias = "NVME_LOG_DEVICE_SELF_TEST")]
    SELF_TEST = 0x06, "Device Self-test";
    #[doc(alias = "NVME_LOG_TELEMETRY_HOST")]
    TELEMETRY_HOST = 0x07, "Telemetry Host-Initiated";
    #[doc(alias = "NVME_LOG_TELEMETRY_CTRL")]
    TELEMETRY_CONTROLLER = 0x08, "Telemetry Controller-Initiated";
    #[doc(alias = "NVME_LOG_ENDURANCE_GROUP")]
    ENDURANCE_GROUP = 0x09, "Endurance Group Information";
    PREDICTABLE_LATENCY = 0x0a, "Predictable Latency Per NVM Set";
    PREDICTABLE_LATENCY_EVENTS = 0x0b, "Predictable Latency Event Aggregate";
    #[doc(alias = "NVME_LOG_ANA")]
    ANA = 0x0c, "Asymmetric Namespace Access";
    PERSISTENT_EVENTS = 0x0d, "Persistent Event Log";
    LBA_STATUS = 0x0e, "LBA Status Information";
    ENDURANCE_GROUP_EVENTS = 0x0f, "Endurance Group Event Aggregate";
    MEDIA_UNIT_STATUS = 0x10, "Media Unit Status";
    CAPACITY_CONFIGURATIONS = 0x11, "Supported Capacity Configuration List";
    FEATURE_EFFECTS = 0x12, "Feature Identifiers Supported and Effects";
    #[doc(alias = "NVME-MI")]
    MI_EFFECTS = 0x13, "NVMe-MI Commands Supported and Effects";
    LOCKDOWN = 0x14, "Command and Feature Lockdown";
    BOOT_PARTITION = 0x15, "Boot Partition";
    ROTATIONAL_MEDIA = 0x16, "Rotational Media Information";
    FDP_CONFIGURATIONS = 0x20, "FDP Configurations";
    FDP_HANDLE_USAGE = 0x21, "Reclaim Unit Handle Usage";
    FDP_STATISTICS = 0x22, "FDP Statistics";
    FDP_EVENTS = 0x23, "FDP Events";
    #[doc(alias = "NVME_LOG_DISC")]
    DISCOVERY = 0x70, "Discovery";
    #[doc(alias = "NVME_LOG_RESERVATION")]
    RESERVATION_NOTIFICATION = 0x80, "Reservation Notification";
    SANITIZE_STATUS = 0x81, "Sanitize Status";
    #[doc(alias = "NVME_LOG_ZONE_CHANGED_LIST")]
    CHANGED_ZONES = 0xbf, "Changed Zone List";
}

impl LogId {
    /// Any number; C0h to FFh are the vendor's.
    #[must_use]
    pub const fn new(id: u8) -> Self {
        Self(id)
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for LogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:02X}h)", self.0),
            None => write!(f, "{:02X}h", self.0),
        }
    }
}

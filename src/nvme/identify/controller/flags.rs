//! What a controller can do in general and by admin commands.

use bitflags::bitflags;

bitflags! {
    /// How a controller and its namespaces may be shared.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "CMIC")]
    pub struct ControllerSharing: u8 {
        /// The NVM subsystem may have several ports.
        const MULTIPLE_PORTS = 1 << 0;
        /// The NVM subsystem may have several controllers.
        const MULTIPLE_CONTROLLERS = 1 << 1;
        /// The controller is an SR-IOV virtual function.
        const VIRTUAL_FUNCTION = 1 << 2;
        /// Asymmetric namespace access is reported.
        const ANA_REPORTING = 1 << 3;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Optional asynchronous events that a controller sends.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "OAES")]
    pub struct AsyncEvents: u32 {
        /// Attached Namespace Attribute Notices.
        const NAMESPACE_ATTRIBUTE = 1 << 8;
        /// Firmware Activation Notices.
        const FIRMWARE_ACTIVATION = 1 << 9;
        /// Asymmetric Namespace Access Change Notices.
        const ANA_CHANGE = 1 << 11;
        /// Predictable Latency Event Aggregate Log Change Notices.
        const PREDICTABLE_LATENCY = 1 << 12;
        /// LBA Status Information Alert Notices.
        const LBA_STATUS = 1 << 13;
        /// Endurance Group Event Aggregate Log Page Change Notices.
        const ENDURANCE_GROUP = 1 << 14;
        /// Normal NVM Subsystem Shutdown.
        const SUBSYSTEM_SHUTDOWN = 1 << 15;
        /// Temperature Threshold Hysteresis Recovery.
        const TEMPERATURE_HYSTERESIS = 1 << 16;
        /// Reachability Group Change Notices.
        const REACHABILITY_GROUP = 1 << 17;
        /// Allocated Namespace Attribute Notices.
        const ALLOCATED_NAMESPACE_ATTRIBUTE = 1 << 19;
        /// Zone Descriptor Changed Notices.
        const ZONE_DESCRIPTOR = 1 << 27;
        /// Discovery Log Page Change Notifications.
        const DISCOVERY_LOG = 1 << 31;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// What a controller offers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "CTRATT")]
    pub struct ControllerAttributes: u32 {
        /// Host identifiers of 128 bits (HIDS).
        const HOST_IDENTIFIER_128 = 1 << 0;
        /// It may exceed the power of a non-operational state for background work
        /// (NOPSPM).
        const NON_OPERATIONAL_POWER = 1 << 1;
        /// NVM sets.
        const NVM_SETS = 1 << 2;
        /// Read recovery levels (RRLVLS).
        const READ_RECOVERY_LEVELS = 1 << 3;
        /// Endurance groups (EGS).
        const ENDURANCE_GROUPS = 1 << 4;
        /// Predictable latency mode (PLM).
        const PREDICTABLE_LATENCY = 1 << 5;
        /// Any traffic restarts the keep alive timer (TBKAS).
        const TRAFFIC_KEEP_ALIVE = 1 << 6;
        /// It reports granularities of namespaces (NG).
        const NAMESPACE_GRANULARITY = 1 << 7;
        /// Submission queues can be associated with NVM sets.
        const SQ_ASSOCIATIONS = 1 << 8;
        /// It has a list of UUIDs (ULIST).
        const UUID_LIST = 1 << 9;
        /// The NVM subsystem may have several domains (MDS).
        const MULTIPLE_DOMAINS = 1 << 10;
        /// Fixed capacity management (FCM).
        const FIXED_CAPACITY = 1 << 11;
        /// Variable capacity management (VCM).
        const VARIABLE_CAPACITY = 1 << 12;
        /// Endurance groups can be deleted (DEG).
        const DELETE_ENDURANCE_GROUP = 1 << 13;
        /// NVM sets can be deleted (DNVMS).
        const DELETE_NVM_SET = 1 << 14;
        /// LBA formats with guards of 32 and 64 bits, and more than 16 of them
        /// (ELBAS).
        const EXTENDED_LBA_FORMATS = 1 << 15;
        /// The greatest transfer does not count metadata (MEM).
        const MDTS_WITHOUT_METADATA = 1 << 16;
        /// The host memory buffer can be kept from non-operational states (HMBR).
        const HOST_MEMORY_RESTRICTIONS = 1 << 17;
        /// Reservations work with every kind of host identifier (RHII).
        const RESERVATIONS_HOST_ID = 1 << 18;
        /// Flexible data placement (FDPS).
        const FLEXIBLE_DATA_PLACEMENT = 1 << 19;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Optional admin commands that a controller has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "OACS")]
    pub struct AdminCommands: u16 {
        /// Security Send and Security Receive.
        const SECURITY = 1 << 0;
        /// Format NVM.
        const FORMAT_NVM = 1 << 1;
        /// Firmware Commit and Firmware Image Download.
        const FIRMWARE = 1 << 2;
        /// Namespace Management and Namespace Attachment.
        const NAMESPACE_MANAGEMENT = 1 << 3;
        /// Device Self-test.
        const SELF_TEST = 1 << 4;
        /// Directive Send and Directive Receive.
        const DIRECTIVES = 1 << 5;
        /// NVMe-MI Send and NVMe-MI Receive.
        const NVME_MI = 1 << 6;
        /// Virtualization Management.
        const VIRTUALIZATION = 1 << 7;
        /// Doorbell Buffer Config.
        const DOORBELL_BUFFER = 1 << 8;
        /// Get LBA Status.
        const LBA_STATUS = 1 << 9;
        /// Lockdown of commands and features.
        const LOCKDOWN = 1 << 10;
        /// Migration of the controller, managed by the host.
        const LIVE_MIGRATION = 1 << 11;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Optional log pages, and forms of them, that a controller has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "LPA")]
    pub struct LogAttributes: u8 {
        /// SMART / Health Information of one namespace. Without it the log is asked
        /// for with [`Nsid::ALL`](crate::nvme::Nsid::ALL).
        const SMART_PER_NAMESPACE = 1 << 0;
        /// Commands Supported and Effects.
        const COMMAND_EFFECTS = 1 << 1;
        /// Lengths of 32 bits and offsets.
        const EXTENDED_DATA = 1 << 2;
        /// Telemetry, host-initiated and controller-initiated.
        const TELEMETRY = 1 << 3;
        /// Persistent Event.
        const PERSISTENT_EVENT = 1 << 4;
        /// Supported Log Pages and the logs of supported effects.
        const SUPPORTED_PAGES = 1 << 5;
        /// Data Area 4 of telemetry.
        const TELEMETRY_AREA_4 = 1 << 6;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Asymmetric namespace access states that a controller reports.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "ANACAP")]
    pub struct AnaCapabilities: u8 {
        /// Optimized.
        const OPTIMIZED = 1 << 0;
        /// Non-optimized.
        const NON_OPTIMIZED = 1 << 1;
        /// Inaccessible.
        const INACCESSIBLE = 1 << 2;
        /// Persistent loss.
        const PERSISTENT_LOSS = 1 << 3;
        /// Change.
        const CHANGE = 1 << 4;
        /// The group of a namespace does not change while it is attached.
        const GROUP_FIXED = 1 << 6;
        /// Namespace Management can name a group.
        const GROUP_MANAGEMENT = 1 << 7;
        // Later revisions may define more.
        const _ = !0;
    }
}

bitflags! {
    /// Sanitize operations that a controller has.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[doc(alias = "SANICAP")]
    pub struct SanitizeCapabilities: u32 {
        /// Crypto Erase.
        const CRYPTO_ERASE = 1 << 0;
        /// Block Erase.
        const BLOCK_ERASE = 1 << 1;
        /// Overwrite.
        const OVERWRITE = 1 << 2;
        /// The media can be verified afterwards.
        const VERIFICATION = 1 << 3;
        /// It deallocates even when asked not to (NDI).
        const NO_DEALLOCATE_INHIBITED = 1 << 29;
        // Later revisions may define more.
        const _ = !0;
    }
}

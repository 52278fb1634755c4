//! Features of what is told to the host.

use super::{DwordFeature, GetFeature, dword::dword_feature};
use crate::nvme::bits;

dword_feature! {
    /// Asynchronous Event Configuration (0Bh): which events the controller
    /// tells. The kernel sets it for what it acts upon itself. NVMe Base 2.1,
    /// 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::features::{AsyncEventConfiguration as Events, DwordFeature};
    ///
    /// let value = Events::from_dword(0x300).with(Events::TELEMETRY, true);
    /// assert!(value.contains(Events::FIRMWARE_ACTIVATION));
    /// assert_eq!(value.dword(), 0x700);
    /// ```
    #[doc(alias("AEC", "nvme_feat_async_event"))]
    AsyncEventConfiguration = ASYNC_EVENT_CONFIGURATION
}

impl AsyncEventConfiguration {
    /// Bits 7:0: the critical warnings of the SMART log page.
    pub const CRITICAL_WARNINGS: Self = Self(0xff);
    /// Bit 8: namespace attributes changed.
    #[doc(alias = "NAN")]
    pub const NAMESPACE_ATTRIBUTES: Self = Self(1 << 8);
    /// Bit 9: firmware is about to be activated.
    #[doc(alias = "FAN")]
    pub const FIRMWARE_ACTIVATION: Self = Self(1 << 9);
    /// Bit 10: the telemetry log page changed.
    #[doc(alias = "TLN")]
    pub const TELEMETRY: Self = Self(1 << 10);
    /// Bit 11: asymmetric namespace access changed.
    #[doc(alias = "ANACN")]
    pub const ASYMMETRIC_ACCESS: Self = Self(1 << 11);
    /// Bit 12: the predictable latency event log page changed.
    #[doc(alias = "PLEALCN")]
    pub const PREDICTABLE_LATENCY: Self = Self(1 << 12);
    /// Bit 13: LBA status information is there.
    #[doc(alias = "LSIN")]
    pub const LBA_STATUS: Self = Self(1 << 13);
    /// Bit 14: the endurance group event log page changed.
    #[doc(alias = "EGEALCN")]
    pub const ENDURANCE_GROUP: Self = Self(1 << 14);
    /// Bit 15: the NVM subsystem is shut down.
    #[doc(alias = "NNSSHDN")]
    pub const SUBSYSTEM_SHUTDOWN: Self = Self(1 << 15);
    /// Bit 27: descriptors of zones changed.
    #[doc(alias = "ZDCN")]
    pub const ZONE_DESCRIPTORS: Self = Self(1 << 27);
    /// Bit 31: the discovery log page changed.
    #[doc(alias = "DLPCN")]
    pub const DISCOVERY: Self = Self(1 << 31);

    /// Whether all of `events` are told.
    #[must_use]
    pub const fn contains(self, events: Self) -> bool {
        self.0 & events.0 == events.0
    }

    /// With `events` told or not.
    pub const fn with(self, events: Self, told: bool) -> Self {
        if told {
            Self(self.0 | events.0)
        } else {
            Self(self.0 & !events.0)
        }
    }
}

dword_feature! {
    /// LBA Status Information Attributes (15h): how often LBA status is
    /// reported. NVM Command Set 1.1, 4.1.3.
    #[doc(alias("LSIRI", "LSIPI", "nvme_feat_lba_status"))]
    LbaStatusInterval = LBA_STATUS_INTERVAL
}

impl LbaStatusInterval {
    /// At least `interval` between two reports, in units of 100 ms (LSIRI).
    pub const fn new(interval: u16) -> Self {
        Self(interval as u32)
    }

    /// The least time between two reports, in units of 100 ms (LSIRI).
    #[must_use]
    pub const fn report_interval(self) -> u16 {
        bits::word(self.0, 0)
    }

    /// The least time between two polls that tell more, in units of 100 ms
    /// (LSIPI); only the controller says it.
    #[must_use]
    pub const fn poll_interval(self) -> u16 {
        bits::word(self.0, 16)
    }
}

dword_feature! {
    /// Endurance Group Event Configuration (18h): which critical warnings of an
    /// endurance group are told. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias = "nvme_feat_endurance_evt_cfg")]
    EnduranceEventConfiguration = ENDURANCE_GROUP_EVENT_CONFIG
}

impl EnduranceEventConfiguration {
    /// The bits `warnings` of the group's critical warnings. Bit 0: spare is
    /// low; bit 2: reliability is degraded; bit 3: read only.
    pub const fn new(endurance_group: u16, warnings: u8) -> Self {
        Self(endurance_group as u32 | (warnings as u32) << 16)
    }

    /// Asks for the value of a group.
    pub fn get_of(endurance_group: u16) -> GetFeature {
        Self::get().dword11(u32::from(endurance_group))
    }

    /// The critical warnings that are told (EGCW).
    #[must_use]
    #[doc(alias = "EGCW")]
    pub const fn warnings(self) -> u8 {
        bits::byte(self.0, 16)
    }
}

dword_feature! {
    /// Reservation Notification Mask (82h): what of a namespace's reservations
    /// is *not* told. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias = "nvme_feat_resv_mask")]
    ReservationNotificationMask = RESERVATION_NOTIFICATION_MASK
}

impl ReservationNotificationMask {
    /// Not that a registration was preempted (REGPRE), a reservation released
    /// (RESREL), a reservation preempted (RESPRE).
    #[doc(alias("REGPRE", "RESREL", "RESPRE"))]
    pub const fn new(
        registration_preempted: bool,
        reservation_released: bool,
        reservation_preempted: bool,
    ) -> Self {
        Self(
            (registration_preempted as u32) << 1
                | (reservation_released as u32) << 2
                | (reservation_preempted as u32) << 3,
        )
    }

    /// Whether it is not told that a registration was preempted.
    #[must_use]
    pub const fn masks_registration_preempted(self) -> bool {
        bits::get(self.0, 1, 1) != 0
    }

    /// Whether it is not told that a reservation was released.
    #[must_use]
    pub const fn masks_reservation_released(self) -> bool {
        bits::get(self.0, 2, 1) != 0
    }

    /// Whether it is not told that a reservation was preempted.
    #[must_use]
    pub const fn masks_reservation_preempted(self) -> bool {
        bits::get(self.0, 3, 1) != 0
    }
}

dword_feature! {
    /// Reservation Persistence (83h): whether a namespace's reservations outlive
    /// a loss of power. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias("PTPL", "nvme_feat_resv_persist"))]
    ReservationPersistence = RESERVATION_PERSISTENCE
}

impl ReservationPersistence {
    /// Whether they do.
    pub const fn new(persist: bool) -> Self {
        Self(persist as u32)
    }

    /// Whether they do (PTPL).
    #[must_use]
    pub const fn persists(self) -> bool {
        self.0 & 1 != 0
    }
}

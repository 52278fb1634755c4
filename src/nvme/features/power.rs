//! Features of power and temperature.

use super::{DwordFeature, GetFeature, dword::dword_feature};
use crate::nvme::bits;

dword_feature! {
    /// Power Management (02h): the power state. NVMe Base 2.1, 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::features::{DwordFeature, PowerManagement};
    ///
    /// let value = PowerManagement::new(3).workload(2);
    /// assert_eq!(value.dword(), 0x43);
    /// assert_eq!((value.state(), value.workload_hint()), (3, 2));
    /// ```
    #[doc(alias = "nvme_feat_power_mgmt")]
    PowerManagement = POWER_MANAGEMENT
}

impl PowerManagement {
    /// The power state `state`, 0 to 31. Higher bits are dropped.
    #[doc(alias = "PS")]
    pub const fn new(state: u8) -> Self {
        Self(bits::with(0, 0, 5, state as u32))
    }

    /// With a hint of what comes, 0 to 7: 0 for none. Higher bits are dropped.
    #[doc(alias = "WH")]
    pub const fn workload(self, hint: u8) -> Self {
        Self(bits::with(self.0, 5, 3, hint as u32))
    }

    /// The power state, 0 to 31.
    #[must_use]
    pub const fn state(self) -> u8 {
        bits::byte(self.0, 0) & 0x1f
    }

    /// The hint of what comes, 0 to 7.
    #[must_use]
    pub const fn workload_hint(self) -> u8 {
        bits::byte(self.0, 5) & 7
    }
}

dword_feature! {
    /// Temperature Threshold (04h): the temperature beyond which the controller
    /// warns. NVMe Base 2.1, 5.1.25.1.
    ///
    /// ```
    /// use passthru::nvme::features::{DwordFeature, TemperatureThreshold};
    ///
    /// let under = TemperatureThreshold::new(278).sensor(2).under(true);
    /// assert_eq!(under.dword(), 0x0012_0116);
    /// ```
    #[doc(alias = "nvme_feat_temp_thresh")]
    TemperatureThreshold = TEMPERATURE_THRESHOLD
}

impl TemperatureThreshold {
    /// Above `kelvin`, of the composite temperature.
    #[doc(alias = "TMPTH")]
    pub const fn new(kelvin: u16) -> Self {
        Self(kelvin as u32)
    }

    /// Of another temperature: 0 is the composite one, 1 to 8 are sensors, 15
    /// are all, for setting only. Higher bits are dropped.
    #[doc(alias = "TMPSEL")]
    pub const fn sensor(self, sensor: u8) -> Self {
        Self(bits::with(self.0, 16, 4, sensor as u32))
    }

    /// Below it, not above (THSEL).
    #[doc(alias = "THSEL")]
    pub const fn under(self, under: bool) -> Self {
        Self(bits::with(self.0, 20, 2, under as u32))
    }

    /// By how many kelvin it has to be better again, 0 to 7. Higher bits are
    /// dropped.
    #[doc(alias = "TMPTHH")]
    pub const fn hysteresis(self, kelvin: u8) -> Self {
        Self(bits::with(self.0, 22, 3, kelvin as u32))
    }

    /// Asks for the threshold of a sensor, numbered as by
    /// [`sensor`](Self::sensor), above or below.
    pub fn get_of(sensor: u8, under: bool) -> GetFeature {
        Self::get().dword11(Self::new(0).sensor(sensor).under(under).0)
    }

    /// The threshold in kelvin.
    #[must_use]
    pub const fn kelvin(self) -> u16 {
        bits::word(self.0, 0)
    }

    /// By how many kelvin it has to be better again.
    #[must_use]
    pub const fn hysteresis_kelvin(self) -> u8 {
        bits::byte(self.0, 22) & 7
    }
}

dword_feature! {
    /// Host Controlled Thermal Management (10h): from which temperatures on the
    /// controller slows down. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias("HCTM", "nvme_feat_hctm"))]
    HostThermalManagement = HOST_CONTROLLED_THERMAL_MANAGEMENT
}

impl HostThermalManagement {
    /// A little from `light` kelvin on (TMT1), much from `heavy` kelvin on
    /// (TMT2); 0 turns one off.
    pub const fn new(light: u16, heavy: u16) -> Self {
        Self((light as u32) << 16 | heavy as u32)
    }

    /// From where on a little, in kelvin; 0 if it is off.
    #[must_use]
    #[doc(alias = "TMT1")]
    pub const fn light(self) -> u16 {
        bits::word(self.0, 16)
    }

    /// From where on much, in kelvin; 0 if it is off.
    #[must_use]
    #[doc(alias = "TMT2")]
    pub const fn heavy(self) -> u16 {
        bits::word(self.0, 0)
    }
}

dword_feature! {
    /// Non-Operational Power State Config (11h): whether background work may use
    /// more power than the state has. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias = "nvme_feat_nopsc")]
    NonOperationalPower = NON_OPERATIONAL_POWER_STATE
}

impl NonOperationalPower {
    /// Whether it may (NOPPME).
    pub const fn new(permissive: bool) -> Self {
        Self(permissive as u32)
    }

    /// Whether it may (NOPPME).
    #[must_use]
    #[doc(alias = "NOPPME")]
    pub const fn is_permissive(self) -> bool {
        self.0 & 1 != 0
    }
}

dword_feature! {
    /// Spinup Control (1Ah): whether a rotating drive waits for a command before
    /// it spins up. NVMe Base 2.1, 5.1.25.1.
    #[doc(alias = "nvme_feat_spinup_control")]
    SpinupControl = SPINUP_CONTROL
}

impl SpinupControl {
    /// Whether it waits.
    pub const fn new(waits: bool) -> Self {
        Self(waits as u32)
    }

    /// Whether it waits.
    #[must_use]
    pub const fn waits(self) -> bool {
        self.0 & 1 != 0
    }
}

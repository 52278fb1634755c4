//! SMART / Health Information (02h). NVMe Base 2.1, 5.1.12.1.3.

use core::fmt;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32, U128},
};

use super::{GetLog, LogId, LogPage, LogReply, wire};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// What a controller says to be critical: bits, of which several can be set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("critical_warning", "nvme_smart_crit"))]
pub struct CriticalWarning(u8);

impl CriticalWarning {
    /// The spare capacity is below its threshold.
    #[doc(alias = "NVME_SMART_CRIT_SPARE")]
    pub const SPARE: Self = Self(1 << 0);
    /// A temperature is beyond a threshold.
    #[doc(alias = "NVME_SMART_CRIT_TEMPERATURE")]
    pub const TEMPERATURE: Self = Self(1 << 1);
    /// Reliability is degraded by media or internal errors.
    #[doc(alias = "NVME_SMART_CRIT_RELIABILITY")]
    pub const RELIABILITY: Self = Self(1 << 2);
    /// The media takes no writes any more.
    #[doc(alias = "NVME_SMART_CRIT_MEDIA")]
    pub const READ_ONLY: Self = Self(1 << 3);
    /// The backup of volatile memory failed.
    #[doc(alias = "NVME_SMART_CRIT_VOLATILE_MEMORY")]
    pub const VOLATILE_BACKUP: Self = Self(1 << 4);
    /// The persistent memory region takes no writes any more, or is unreliable.
    pub const PERSISTENT_MEMORY: Self = Self(1 << 5);

    /// The warnings with these bits.
    #[must_use]
    pub const fn new(bits: u8) -> Self {
        Self(bits)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether there is no warning.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of `other` are among them.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl fmt::Display for CriticalWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let names = [
            (Self::SPARE, "spare capacity low"),
            (Self::TEMPERATURE, "temperature"),
            (Self::RELIABILITY, "reliability degraded"),
            (Self::READ_ONLY, "media read-only"),
            (Self::VOLATILE_BACKUP, "volatile memory backup failed"),
            (
                Self::PERSISTENT_MEMORY,
                "persistent memory region unreliable",
            ),
        ];
        let mut rest = self.0;
        let mut gap = "";
        for (flag, name) in names {
            if self.contains(flag) {
                write!(f, "{gap}{name}")?;
                gap = ", ";
                rest &= !flag.0;
            }
        }
        if rest != 0 {
            write!(f, "{gap}{rest:02X}h")?;
        }
        Ok(())
    }
}

/// The SMART / Health Information page: how a drive is.
/// (NVMe Base 2.1, 5.1.12.1.3)
///
/// ```no_run
/// use passthru::{NvmeController, NvmeTransportExt, nvme::log::SmartHealth};
///
/// let drive = NvmeController::open("/dev/nvme0")?;
/// let health = drive.query(&SmartHealth::page())?;
/// if health.is_blank() {
///     println!("the drive gave a page of zeros");
/// } else {
///     println!("{} K, {} hours, {}", health.temperature(), health.power_on_hours(),
///         health.critical_warning());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias("smart-log", "nvme_smart_log"))]
pub struct SmartHealth(Box<Wire>);

#[derive(Clone, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Wire {
    critical_warning: u8,
    temperature: U16,
    available_spare: u8,
    spare_threshold: u8,
    percentage_used: u8,
    group_warning: u8,
    reserved: [u8; 25],
    data_read: U128,
    data_written: U128,
    host_reads: U128,
    host_writes: U128,
    busy_minutes: U128,
    power_cycles: U128,
    power_on_hours: U128,
    power_losses: U128,
    media_errors: U128,
    error_entries: U128,
    warning_minutes: U32,
    critical_minutes: U32,
    sensors: [U16; 8],
    light_count: U32,
    heavy_count: U32,
    light_seconds: U32,
    heavy_seconds: U32,
    rest: [u8; 280],
}

const _: () = assert!(size_of::<Wire>() == 512);

impl Sealed for SmartHealth {}

impl LogReply for SmartHealth {
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, Malformed> {
        wire::read(&bytes).map(|wire| Self(Box::new(wire)))
    }
}

impl SmartHealth {
    /// Of the whole controller. There are pages of single namespaces only if
    /// bit 0 of LPA in Identify Controller is set: without it a controller
    /// refuses every NSID but `FFFFFFFFh`.
    pub const fn page() -> LogPage<Self> {
        LogPage::new(GetLog::new(LogId::SMART_HEALTH), size_of::<Wire>())
    }

    /// Whether the temperature and all that counts the drive's life are 0. No
    /// drive that runs is like that: something on the way made up the page.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        let zero = [
            self.data_units_read(),
            self.data_units_written(),
            self.host_read_commands(),
            self.host_write_commands(),
            self.power_cycles(),
            self.power_on_hours(),
        ];
        self.temperature() == 0
            && self.available_spare() == 0
            && self.available_spare_threshold() == 0
            && zero.iter().all(|counter| *counter == 0)
    }

    /// What is critical.
    #[must_use]
    pub fn critical_warning(&self) -> CriticalWarning {
        CriticalWarning(self.0.critical_warning)
    }

    /// Composite temperature (CTEMP), in kelvin; 0 if there is none.
    #[must_use]
    #[doc(alias = "CTEMP")]
    pub fn temperature(&self) -> u16 {
        self.0.temperature.get()
    }

    /// What is left of the spare capacity (AVSP), in percent.
    #[must_use]
    #[doc(alias("AVSP", "avail_spare"))]
    pub fn available_spare(&self) -> u8 {
        self.0.available_spare
    }

    /// Below how much spare capacity there is a warning (AVSPT), in percent.
    #[must_use]
    #[doc(alias("AVSPT", "spare_thresh"))]
    pub fn available_spare_threshold(&self) -> u8 {
        self.0.spare_threshold
    }

    /// How much of the drive's life the vendor reckons as used (PUSED), in
    /// percent: 100 and more is possible, 255 means 255 or more.
    #[must_use]
    #[doc(alias("PUSED", "percent_used"))]
    pub fn percentage_used(&self) -> u8 {
        self.0.percentage_used
    }

    /// What is critical in some endurance group (EGCWS): spare, reliability,
    /// read-only.
    #[must_use]
    #[doc(alias("EGCWS", "endu_grp_crit_warn_sumry"))]
    pub fn endurance_group_warning(&self) -> CriticalWarning {
        CriticalWarning(self.0.group_warning)
    }

    /// What hosts read (DUR), in units of 512,000 bytes, rounded up; 0 may mean
    /// that it is not reported.
    #[must_use]
    #[doc(alias = "DUR")]
    pub fn data_units_read(&self) -> u128 {
        self.0.data_read.get()
    }

    /// What hosts wrote (DUW), in units of 512,000 bytes, rounded up; 0 may mean
    /// that it is not reported.
    #[must_use]
    #[doc(alias = "DUW")]
    pub fn data_units_written(&self) -> u128 {
        self.0.data_written.get()
    }

    /// How many read commands ended (HRC).
    #[must_use]
    #[doc(alias("HRC", "host_reads"))]
    pub fn host_read_commands(&self) -> u128 {
        self.0.host_reads.get()
    }

    /// How many write commands ended (HWC).
    #[must_use]
    #[doc(alias("HWC", "host_writes"))]
    pub fn host_write_commands(&self) -> u128 {
        self.0.host_writes.get()
    }

    /// How long there were I/O commands in flight (CBT), in minutes.
    #[must_use]
    #[doc(alias("CBT", "ctrl_busy_time"))]
    pub fn busy_minutes(&self) -> u128 {
        self.0.busy_minutes.get()
    }

    /// How often it was powered on (PWRC).
    #[must_use]
    #[doc(alias = "PWRC")]
    pub fn power_cycles(&self) -> u128 {
        self.0.power_cycles.get()
    }

    /// For how many hours it was powered on (POH); states without operation may
    /// not count.
    #[must_use]
    #[doc(alias = "POH")]
    pub fn power_on_hours(&self) -> u128 {
        self.0.power_on_hours.get()
    }

    /// How often power went without notice (UPL), which were named unsafe
    /// shutdowns before NVMe 2.1.
    #[must_use]
    #[doc(alias = "UPL")]
    pub fn unexpected_power_losses(&self) -> u128 {
        self.0.power_losses.get()
    }

    /// How many errors of media or data integrity were not recovered (MDIE).
    #[must_use]
    #[doc(alias = "MDIE")]
    pub fn media_errors(&self) -> u128 {
        self.0.media_errors.get()
    }

    /// How many entries the error log ever had (NEILE).
    #[must_use]
    #[doc(alias("NEILE", "num_err_log_entries"))]
    pub fn error_log_entries(&self) -> u128 {
        self.0.error_entries.get()
    }

    /// For how long it was warmer than the warning threshold and not than the
    /// critical one (WCTT), in minutes.
    #[must_use]
    #[doc(alias("WCTT", "warning_temp_time"))]
    pub fn warning_temperature_minutes(&self) -> u32 {
        self.0.warning_minutes.get()
    }

    /// For how long it was warmer than the critical threshold (CCTT), in
    /// minutes.
    #[must_use]
    #[doc(alias("CCTT", "critical_comp_time"))]
    pub fn critical_temperature_minutes(&self) -> u32 {
        self.0.critical_minutes.get()
    }

    /// The temperature of sensor 1 to 8, in kelvin; `None` if there is no such
    /// sensor.
    #[must_use]
    #[doc(alias("TSEN1", "temp_sensor"))]
    pub fn sensor(&self, number: u8) -> Option<u16> {
        let index = usize::from(number).checked_sub(1)?;
        match self.0.sensors.get(index)?.get() {
            0 => None,
            kelvin => Some(kelvin),
        }
    }

    /// How often it slowed down lightly to get cooler (TMT1TC).
    #[must_use]
    #[doc(alias("TMT1TC", "thm_temp1_trans_count"))]
    pub fn light_throttle_count(&self) -> u32 {
        self.0.light_count.get()
    }

    /// How often it slowed down heavily to get cooler (TMT2TC).
    #[must_use]
    #[doc(alias("TMT2TC", "thm_temp2_trans_count"))]
    pub fn heavy_throttle_count(&self) -> u32 {
        self.0.heavy_count.get()
    }

    /// For how long it was slowed down lightly (TTTMT1), in seconds.
    #[must_use]
    #[doc(alias("TTTMT1", "thm_temp1_total_time"))]
    pub fn light_throttle_seconds(&self) -> u32 {
        self.0.light_seconds.get()
    }

    /// For how long it was slowed down heavily (TTTMT2), in seconds.
    #[must_use]
    #[doc(alias("TTTMT2", "thm_temp2_total_time"))]
    pub fn heavy_throttle_seconds(&self) -> u32 {
        self.0.heavy_seconds.get()
    }
}

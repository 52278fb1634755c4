//! Power states.

use core::time::Duration;

use zerocopy::{
    FromBytes, Immutable, KnownLayout, Unaligned,
    byteorder::little_endian::{U16, U32},
};

/// A Power State Descriptor. NVMe Base 2.1, behind Figure 312.
///
/// ```
/// use passthru::nvme::identify::ControllerData;
///
/// let mut bytes = vec![0; 4096];
/// bytes[2048..2050].copy_from_slice(&850_u16.to_le_bytes());
/// let data = ControllerData::parse(&bytes)?;
/// let watts: Vec<_> = data.power_states().filter_map(|state| state.max_power()).collect();
/// assert_eq!(watts, [8_500_000], "microwatts");
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias("PSD", "nvme_id_psd"))]
pub struct PowerState(pub(super) PowerStateWire);

#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct PowerStateWire {
    mp: U16,
    reserved_2: u8,
    flags: u8,
    enlat: U32,
    exlat: U32,
    rrt: u8,
    rrl: u8,
    rwt: u8,
    rwl: u8,
    idlp: U16,
    ips: u8,
    reserved_19: u8,
    actp: U16,
    apws: u8,
    epfrt: u8,
    fqvt: u8,
    epfvt: u8,
    scales: u8,
    epfvts: u8,
    reserved_28: [u8; 4],
}

const _: () = assert!(size_of::<PowerStateWire>() == 32);

/// A time of power loss signaling: a number and the scale of its unit, as
/// they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PowerTime {
    /// The number of units; 0 if not reported.
    pub value: u8,
    /// Which unit (0h to Fh): NVMe Base 2.1, behind Figure 312.
    pub scale: u8,
}

/// Power in microwatts, by the scale of the idle and active power: 1 for
/// 0.0001 W, 2 for 0.01 W, 0 for no power reported.
fn scaled(power: U16, scale: u8) -> Option<u32> {
    let unit = match scale {
        1 => 100,
        2 => 10_000,
        _ => return None,
    };
    Some(u32::from(power.get()) * unit).filter(|power| *power != 0)
}

impl PowerState {
    /// The most power that it takes for long (MP, MXPS), in microwatts;
    /// `None` if not reported.
    #[must_use]
    #[doc(alias("MP", "MXPS"))]
    pub fn max_power(&self) -> Option<u32> {
        scaled(self.0.mp, if self.0.flags & 1 != 0 { 1 } else { 2 })
    }

    /// Whether I/O commands are processed in it (not NOPS).
    #[must_use]
    #[doc(alias = "NOPS")]
    pub fn is_operational(&self) -> bool {
        self.0.flags & 2 == 0
    }

    /// How long it takes at most to get into it (ENLAT); zero if not reported.
    #[must_use]
    #[doc(alias = "ENLAT")]
    pub fn entry_latency(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.enlat.get()))
    }

    /// How long it takes at most to get out of it (EXLAT); zero if not reported.
    #[must_use]
    #[doc(alias = "EXLAT")]
    pub fn exit_latency(&self) -> Duration {
        Duration::from_micros(u64::from(self.0.exlat.get()))
    }

    /// Rank of its read throughput among the states (RRT), 0 for the best.
    #[must_use]
    #[doc(alias = "RRT")]
    pub fn read_throughput(&self) -> u8 {
        self.0.rrt & 0x1f
    }

    /// Rank of its read latency among the states (RRL), 0 for the best.
    #[must_use]
    #[doc(alias = "RRL")]
    pub fn read_latency(&self) -> u8 {
        self.0.rrl & 0x1f
    }

    /// Rank of its write throughput among the states (RWT), 0 for the best.
    #[must_use]
    #[doc(alias = "RWT")]
    pub fn write_throughput(&self) -> u8 {
        self.0.rwt & 0x1f
    }

    /// Rank of its write latency among the states (RWL), 0 for the best.
    #[must_use]
    #[doc(alias = "RWL")]
    pub fn write_latency(&self) -> u8 {
        self.0.rwl & 0x1f
    }

    /// Power that it takes over 30 seconds when idle (IDLP, IPS), in microwatts;
    /// `None` if not reported.
    #[must_use]
    #[doc(alias("IDLP", "IPS"))]
    pub fn idle_power(&self) -> Option<u32> {
        scaled(self.0.idlp, self.0.ips >> 6)
    }

    /// The most power that it takes over 10 seconds under the
    /// [workload](Self::workload) (ACTP, APS), in microwatts; `None` if not
    /// reported.
    #[must_use]
    #[doc(alias("ACTP", "APS"))]
    pub fn active_power(&self) -> Option<u32> {
        scaled(self.0.actp, self.0.apws >> 6)
    }

    /// The workload of the active power (APW): 1 and 2 are the specification's,
    /// 0 is none.
    #[must_use]
    #[doc(alias = "APW")]
    pub fn workload(&self) -> u8 {
        self.0.apws & 0x07
    }

    /// How long it takes to be ready again after an emergency power failure
    /// (EPFRT, EPFRTS).
    #[must_use]
    #[doc(alias("EPFRT", "EPFRTS"))]
    pub fn emergency_recovery(&self) -> PowerTime {
        PowerTime {
            value: self.0.epfrt,
            scale: self.0.scales & 0x0f,
        }
    }

    /// How long it takes to save its data when it is forced to be quiet (FQVT,
    /// FQVTS).
    #[must_use]
    #[doc(alias("FQVT", "FQVTS"))]
    pub fn quiescence_vault(&self) -> PowerTime {
        PowerTime {
            value: self.0.fqvt,
            scale: self.0.scales >> 4,
        }
    }

    /// How long it takes to save its data in an emergency power failure (EPFVT,
    /// EPFVTS).
    #[must_use]
    #[doc(alias("EPFVT", "EPFVTS"))]
    pub fn emergency_vault(&self) -> PowerTime {
        PowerTime {
            value: self.0.epfvt,
            scale: self.0.epfvts & 0x0f,
        }
    }
}

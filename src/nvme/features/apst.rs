//! Autonomous Power State Transition.

use super::{DataFeature, FeatureId, SetFeature, data::prefix};
use crate::nvme::{Malformed, command::sealed::Sealed};

/// Autonomous Power State Transition (0Ch): to which power state the controller
/// goes by itself when it is idle. NVMe Base 2.1, 5.1.25.1.
///
/// Whether it does at all is completion dword 0 of Get Features, bit 0: `read`
/// a [`GetFeature`](super::GetFeature) for that. The kernel (6.12) lets nobody
/// set it.
///
/// ```
/// use passthru::nvme::features::{AutonomousTransition, DataFeature, PowerStateTransition};
///
/// let mut bytes = [0; 256];
/// bytes[..4].copy_from_slice(&0x0000_6418_u32.to_le_bytes());
/// let table = AutonomousTransition::parse(&bytes)?;
/// let first = PowerStateTransition { to_state: 3, idle_milliseconds: 100 };
/// assert_eq!(table.of_state(0), Some(first));
/// assert_eq!(table.of_state(1), None);
/// # Ok::<(), passthru::nvme::Malformed>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("APST", "nvme_feat_auto_pst"))]
pub struct AutonomousTransition([Option<PowerStateTransition>; 32]);

/// What happens after a time of idleness in a power state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerStateTransition {
    /// The power state that is gone to, 0 to 31 (ITPS). Higher bits are dropped.
    pub to_state: u8,
    /// After how many milliseconds, 1 to `FFFFFFh` (ITPT). More are made that
    /// many.
    pub idle_milliseconds: u32,
}

impl PowerStateTransition {
    fn from_entry(entry: u64) -> Option<Self> {
        let idle_milliseconds = u32::try_from(entry >> 8 & 0xff_ffff).ok()?;
        let to_state = u8::try_from(entry >> 3 & 0x1f).ok()?;
        (idle_milliseconds != 0).then_some(Self {
            to_state,
            idle_milliseconds,
        })
    }

    fn entry(self) -> u64 {
        let time = u64::from(self.idle_milliseconds.min(0xff_ffff));
        time << 8 | u64::from(self.to_state & 0x1f) << 3
    }
}

impl AutonomousTransition {
    /// A table without transitions.
    #[must_use]
    pub const fn new() -> Self {
        Self([None; 32])
    }

    /// What happens in a power state, 0 to 31; `None` if nothing does.
    #[must_use]
    #[doc(alias("ITPS", "ITPT"))]
    pub fn of_state(&self, state: u8) -> Option<PowerStateTransition> {
        *self.0.get(usize::from(state))?
    }

    /// Changes what happens in a power state, 0 to 31. There is nothing to
    /// change for others.
    #[must_use]
    pub fn with(mut self, state: u8, transition: Option<PowerStateTransition>) -> Self {
        if let Some(entry) = self.0.get_mut(usize::from(state)) {
            *entry = transition;
        }
        self
    }

    /// Sets the table: send it by `write` with [`to_bytes`](Self::to_bytes).
    #[doc(alias = "APSTE")]
    pub const fn set(enable: bool) -> SetFeature {
        SetFeature::typed(FeatureId::AUTONOMOUS_POWER_STATE_TRANSITION, enable as u32)
    }

    /// The data structure.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 256] {
        let mut bytes = [0; 256];
        for (chunk, transition) in bytes.chunks_exact_mut(8).zip(self.0) {
            let entry = transition.map_or(0, PowerStateTransition::entry);
            chunk.copy_from_slice(&entry.to_le_bytes());
        }
        bytes
    }
}

impl Default for AutonomousTransition {
    fn default() -> Self {
        Self::new()
    }
}

impl Sealed for AutonomousTransition {}

impl DataFeature for AutonomousTransition {
    const ID: FeatureId = FeatureId::AUTONOMOUS_POWER_STATE_TRANSITION;

    fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let bytes: &[u8; 256] = prefix(bytes)?;
        let mut table = Self::new();
        for (slot, chunk) in table.0.iter_mut().zip(bytes.chunks_exact(8)) {
            let entry = chunk.try_into().map_or(0, u64::from_le_bytes);
            *slot = PowerStateTransition::from_entry(entry);
        }
        Ok(table)
    }
}

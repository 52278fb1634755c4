//! START STOP UNIT and PREVENT ALLOW MEDIUM REMOVAL.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// A power condition (SPC-4 5.12): how little a device consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "POWER CONDITION")]
pub struct PowerCondition(pub u8);

impl PowerCondition {
    /// Ready at once; disks only.
    pub const ACTIVE: Self = Self(0x1);
    /// Ready within a second or so.
    pub const IDLE: Self = Self(0x2);
    /// Ready after it has spun up.
    pub const STANDBY: Self = Self(0x3);
    /// Optical drives only: woken up by a reset.
    pub const SLEEP: Self = Self(0x5);
    /// Disks only: the device's own timers decide again.
    pub const LU_CONTROL: Self = Self(0x7);
}

/// START STOP UNIT (1Bh, MMC-6 clause 6, SBC-4 5.31): starts, stops, loads, ejects.
///
/// Eject fails with 05/53/02 (some drives: 02/53/00) while the medium is
/// [locked](PreventAllow). A drive without a motor for its tray cannot load, and a
/// slot cannot either: see
/// [`LoadingMechanism`](crate::scsi::mode::LoadingMechanism).
///
/// ```
/// use passthru::scsi::{Command, mmc::{PowerCondition, StartStop}};
///
/// for (command, byte) in [
///     (StartStop::stop(), 0x00),
///     (StartStop::start(), 0x01),
///     (StartStop::eject(), 0x02),
///     (StartStop::load(), 0x03),
///     (StartStop::power(PowerCondition::STANDBY), 0x30),
/// ] {
///     assert_eq!(command.cdb_for(0)?.as_bytes(), [0x1b, 0, 0, 0, byte, 0]);
/// }
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("START_STOP", "GPCMD_START_STOP_UNIT", "eject", "LoEj"))]
pub struct StartStop {
    immediate: bool,
    modifier: u8,
    action: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct StartStopWire {
    opcode: u8,
    immediate: u8,
    reserved: u8,
    modifier: u8,
    action: u8,
    control: u8,
}

const _: () = assert!(size_of::<StartStopWire>() == 6);

impl StartStop {
    const fn new(action: u8) -> Self {
        Self {
            immediate: false,
            modifier: 0,
            action,
        }
    }

    /// Spins the medium up.
    #[must_use]
    pub const fn start() -> Self {
        Self::new(0x01)
    }

    /// Stops the motor.
    #[must_use]
    pub const fn stop() -> Self {
        Self::new(0x00)
    }

    /// Opens the tray, or throws the medium out.
    #[must_use]
    pub const fn eject() -> Self {
        Self::new(0x02)
    }

    /// Closes the tray and spins the medium up.
    #[must_use]
    pub const fn load() -> Self {
        Self::new(0x03)
    }

    /// Goes to a power condition (4 bits).
    #[must_use]
    pub const fn power(condition: PowerCondition) -> Self {
        Self::new((condition.0 & 0x0f) << 4)
    }

    /// Switches a hybrid disc to this format layer, 0 to 3 (FL).
    #[must_use]
    #[doc(alias = "FORMAT-LAYER NUMBER")]
    pub const fn format_layer(layer: u8) -> Self {
        let mut command = Self::new(0x07);
        command.modifier = layer & 0x03;
        command
    }

    /// Whether the command ends when it has been understood, and not when it is
    /// done (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for StartStop {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(StartStopWire {
            opcode: 0x1b,
            immediate: u8::from(self.immediate),
            reserved: 0,
            modifier: self.modifier,
            action: self.action,
            control: 0,
        })))
    }
}

impl NoData for StartStop {}

/// PREVENT ALLOW MEDIUM REMOVAL (1Eh, MMC-6 clause 6, SBC-4 5.15): locks the medium
/// in the drive, and lets it go.
///
/// Each initiator has a lock of its own, and the kernel takes one for a mounted
/// disc.
///
/// ```
/// use passthru::scsi::{Command, mmc::PreventAllow};
///
/// assert_eq!(PreventAllow::prevent().cdb_for(0)?.as_bytes(), [0x1e, 0, 0, 0, 1, 0]);
/// assert_eq!(PreventAllow::allow().cdb_for(0)?.as_bytes(), [0x1e, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("ALLOW_MEDIUM_REMOVAL", "GPCMD_PREVENT_ALLOW_MEDIUM_REMOVAL", "lock"))]
pub struct PreventAllow {
    prevent: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct PreventWire {
    opcode: u8,
    reserved: [u8; 3],
    prevent: u8,
    control: u8,
}

const _: () = assert!(size_of::<PreventWire>() == 6);

impl PreventAllow {
    /// Locks.
    #[must_use]
    pub const fn prevent() -> Self {
        Self { prevent: 0x01 }
    }

    /// Unlocks.
    #[must_use]
    pub const fn allow() -> Self {
        Self { prevent: 0x00 }
    }

    /// Whether the lock is the persistent one, with which the drive reports its eject
    /// button as an [event](super::MediaEvent) (MMC only).
    #[must_use]
    #[doc(alias = "PERSISTENT PREVENT")]
    pub const fn persistent(mut self, persistent: bool) -> Self {
        self.prevent = (self.prevent & 0x01) | if persistent { 0x02 } else { 0 };
        self
    }
}

impl Command for PreventAllow {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<6>(zerocopy::transmute!(PreventWire {
            opcode: 0x1e,
            reserved: [0; 3],
            prevent: self.prevent,
            control: 0,
        })))
    }
}

impl NoData for PreventAllow {}

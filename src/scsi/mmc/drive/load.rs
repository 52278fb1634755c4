//! LOAD/UNLOAD MEDIUM.

use zerocopy::{Immutable, IntoBytes, Unaligned};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// LOAD/UNLOAD MEDIUM (A6h, MMC-6 clause 6): moves a disc between a slot of a
/// changer and its drive.
///
/// ```
/// use passthru::scsi::{Command, mmc::LoadUnload};
///
/// let load = LoadUnload::load(3);
/// assert_eq!(load.cdb_for(0)?.as_bytes(), [0xa6, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("LOAD_UNLOAD", "GPCMD_LOAD_UNLOAD"))]
pub struct LoadUnload {
    immediate: bool,
    action: u8,
    slot: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    immediate: u8,
    reserved_2: [u8; 2],
    action: u8,
    reserved_5: [u8; 3],
    slot: u8,
    reserved_9: [u8; 2],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

impl LoadUnload {
    const fn new(action: u8, slot: u8) -> Self {
        Self {
            immediate: false,
            action,
            slot,
        }
    }

    /// Loads the disc of a slot into the drive. Slots count from 0.
    #[must_use]
    pub const fn load(slot: u8) -> Self {
        Self::new(0x03, slot)
    }

    /// Puts the disc in the drive back into its slot.
    #[must_use]
    pub const fn unload() -> Self {
        Self::new(0x02, 0)
    }

    /// Whether the command ends when it has been understood (IMMED).
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for LoadUnload {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xa6,
            immediate: u8::from(self.immediate),
            reserved_2: [0; 2],
            action: self.action,
            reserved_5: [0; 3],
            slot: self.slot,
            reserved_9: [0; 2],
            control: 0,
        })))
    }
}

impl NoData for LoadUnload {}

//! MECHANISM STATUS.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{
    Cdb, Command, DataIn, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes, lengths, wire,
};

/// MECHANISM STATUS (`BDh`, MMC-6 clause 6): what the drive and its changer do.
///
/// ```
/// use passthru::scsi::{Command, Query, ReplyBytes};
/// use passthru::scsi::mmc::{MechanismState, MechanismStatus};
///
/// let command = MechanismStatus::new();
/// assert_eq!(command.cdb_for(8)?.as_bytes(), [0xbd, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0]);
/// let reply = command.parse(ReplyBytes::borrowed(&[0, 0x10, 0, 0, 0, 0, 0, 0])).unwrap();
/// assert_eq!(reply.door_open(), Some(true));
/// assert_eq!(reply.mechanism(), Some(MechanismState::IDLE));
/// assert_eq!(reply.slots().count(), 0);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("MECHANISM_STATUS", "GPCMD_MECHANISM_STATUS"))]
pub struct MechanismStatus {
    allocation_length: u16,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: [u8; 7],
    allocation_length: U16,
    reserved_10: u8,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

/// The header without slots.
const HEADER: usize = 8;

impl MechanismStatus {
    /// Asks for the header of 8 bytes, which is all that a drive without a changer
    /// has.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            allocation_length: 8,
        }
    }

    /// How many bytes to ask for: 8, and 4 more for each slot.
    #[must_use]
    pub const fn allocation_length(mut self, bytes: u16) -> Self {
        self.allocation_length = bytes;
        self
    }
}

impl Default for MechanismStatus {
    fn default() -> Self {
        Self::new()
    }
}

impl Command for MechanismStatus {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        let allocation_length = lengths::two_bytes(data_len, HEADER)?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xbd,
            reserved: [0; 7],
            allocation_length: U16::new(allocation_length),
            reserved_10: 0,
            control: 0,
        })))
    }
}

impl DataIn for MechanismStatus {}

impl Query for MechanismStatus {
    type Reply<'a> = SlotTable<'a>;

    fn reply_length(&self) -> usize {
        usize::from(self.allocation_length)
    }

    fn parse<'a>(&self, reply: ReplyBytes<'a>) -> Result<SlotTable<'a>, Malformed> {
        SlotTable::asked(reply, self.reply_length())
    }
}

/// What a changer does: 0 nothing, 1 it loads, 2 it unloads, 3 it starts up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "CHANGER STATE")]
pub struct ChangerState(pub u8);

impl ChangerState {
    /// It is ready.
    pub const READY: Self = Self(0);
    /// It loads a disc.
    pub const LOADING: Self = Self(1);
    /// It unloads one.
    pub const UNLOADING: Self = Self(2);
    /// It finds out what it has.
    pub const INITIALIZING: Self = Self(3);
}

/// What the drive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "MECHANISM STATE")]
pub struct MechanismState(pub u8);

impl MechanismState {
    /// Nothing.
    pub const IDLE: Self = Self(0);
    /// It plays audio.
    pub const PLAYING: Self = Self(1);
    /// It scans audio.
    pub const SCANNING: Self = Self(2);
    /// Something else that a host asked for.
    pub const ACTIVE: Self = Self(3);
    /// It does not say.
    pub const NO_INFORMATION: Self = Self(7);
}

/// The reply of MECHANISM STATUS.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotTable<'a> {
    bytes: ReplyBytes<'a>,
    asked: usize,
}

impl<'a> SlotTable<'a> {
    /// Reads bytes that came from elsewhere than a command.
    ///
    /// # Errors
    /// [`Malformed::Short`] if there are fewer than 2.
    pub fn parse(bytes: ReplyBytes<'a>) -> Result<Self, Malformed> {
        let asked = bytes.len();
        Self::asked(bytes, asked)
    }

    fn asked(bytes: ReplyBytes<'a>, asked: usize) -> Result<Self, Malformed> {
        lengths::enough(&bytes, 2)?;
        Ok(Self { bytes, asked })
    }

    /// Whether the last change of discs failed (FAULT).
    #[must_use]
    #[doc(alias = "FAULT")]
    pub fn fault(&self) -> Option<bool> {
        wire::flag(&self.bytes, 0, 0x80)
    }

    /// What the changer does.
    #[must_use]
    pub fn changer(&self) -> Option<ChangerState> {
        Some(ChangerState((wire::byte(&self.bytes, 0)? >> 5) & 3))
    }

    /// Which slot is the current one: 5 low bits in byte 0, 3 high bits in byte 1.
    #[must_use]
    #[doc(alias = "CURRENT SLOT")]
    pub fn current_slot(&self) -> Option<u8> {
        let low = wire::byte(&self.bytes, 0)? & 0x1f;
        Some((wire::byte(&self.bytes, 1)? & 0x07) << 5 | low)
    }

    /// What the drive does.
    #[must_use]
    pub fn mechanism(&self) -> Option<MechanismState> {
        Some(MechanismState(wire::byte(&self.bytes, 1)? >> 5))
    }

    /// Whether the tray or the door is open.
    #[must_use]
    #[doc(alias = "DOOR OPEN")]
    pub fn door_open(&self) -> Option<bool> {
        wire::flag(&self.bytes, 1, 0x10)
    }

    /// Where the drive reads now: 24 bits, obsolete.
    #[must_use]
    #[doc(alias = "CURRENT LBA")]
    pub fn current_lba(&self) -> Option<u32> {
        Some(wire::be32(&self.bytes, 1)? & 0x00ff_ffff)
    }

    /// How many slots the changer has; 0 if there is none.
    #[must_use]
    #[doc(alias = "NUMBER OF SLOTS AVAILABLE")]
    pub fn slot_count(&self) -> Option<u8> {
        wire::byte(&self.bytes, 5)
    }

    /// The length of the slot table in bytes, as the device has it.
    #[must_use]
    #[doc(alias = "LENGTH OF SLOT TABLES")]
    pub fn table_length(&self) -> Option<u16> {
        wire::be16(&self.bytes, 6)
    }

    fn claimed(&self) -> usize {
        usize::from(self.table_length().unwrap_or(0)).saturating_add(HEADER)
    }

    /// The slots that are there, from number 0 on.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        wire::part(&self.bytes, HEADER, self.claimed())
            .unwrap_or_default()
            .chunks_exact(4)
            .map(|slot| Slot {
                disc_present: wire::flag(slot, 0, 0x80) == Some(true),
                changed: wire::flag(slot, 0, 0x01) == Some(true),
                write_protected: (wire::flag(slot, 1, 0x02) == Some(true))
                    .then_some(wire::flag(slot, 1, 0x01) == Some(true)),
            })
    }

    /// The allocation length that fetches all slots, if what was asked for cut them.
    #[must_use]
    pub fn needed_length(&self) -> Option<u16> {
        lengths::needed_two_bytes(self.claimed(), self.bytes.len(), self.asked)
    }

    /// Whether the table's length does not fit what came.
    #[must_use]
    pub fn length_field_lies(&self) -> Option<LengthLie> {
        lengths::lie(self.claimed(), HEADER, self.bytes.len(), self.asked)
    }
}

/// A slot of a changer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Whether there is a disc in it.
    pub disc_present: bool,
    /// Whether that was changed since it was last loaded.
    #[doc(alias = "CHANGE")]
    pub changed: bool,
    /// Whether its cartridge is write-protected, if the drive knows (`CWP_V`).
    #[doc(alias("CWP", "CWP_V"))]
    pub write_protected: Option<bool>,
}

//! RESERVE TRACK.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U32};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// RESERVE TRACK (53h, MMC-6 clause 6): keeps blocks for a track that is written
/// later.
///
/// ```
/// use passthru::scsi::{Command, mmc::ReserveTrack};
///
/// let track = ReserveTrack::blocks(0x0001_0203);
/// assert_eq!(track.cdb_for(0)?.as_bytes(), [0x53, 0, 0, 0, 0, 0, 1, 2, 3, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("RESERVE_RZONE_TRACK", "GPCMD_RESERVE_RZONE_TRACK"))]
pub struct ReserveTrack {
    place: Place,
    rmz: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Size(u32),
    Address(u32),
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct SizeWire {
    opcode: u8,
    flags: u8,
    reserved: [u8; 3],
    size: U32,
    control: u8,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct AddressWire {
    opcode: u8,
    flags: u8,
    address: U32,
    reserved: [u8; 3],
    control: u8,
}

const _: () = assert!(size_of::<SizeWire>() == 10);
const _: () = assert!(size_of::<AddressWire>() == 10);

/// Address reservation.
const ARSV: u8 = 0x01;
const RMZ: u8 = 0x02;

impl ReserveTrack {
    /// Keeps so many blocks, at the next writable address.
    #[must_use]
    #[doc(alias = "RESERVATION SIZE")]
    pub const fn blocks(blocks: u32) -> Self {
        Self {
            place: Place::Size(blocks),
            rmz: false,
        }
    }

    /// Keeps blocks by an address in place of a number (ARSV). Media that can do it say
    /// so by [`IncrementalStreaming::address_reservation`]; what the address is the
    /// end or the beginning of depends on them.
    ///
    /// [`IncrementalStreaming::address_reservation`]:
    ///     crate::scsi::mmc::IncrementalStreaming::address_reservation
    #[must_use]
    #[doc(alias = "ARSV")]
    pub const fn address(lba: u32) -> Self {
        Self {
            place: Place::Address(lba),
            rmz: false,
        }
    }

    /// Sets the RMZ bit, which is for HD DVD; 0 for all others.
    #[must_use]
    #[doc(alias = "RMZ")]
    pub const fn rmz(mut self, on: bool) -> Self {
        self.rmz = on;
        self
    }
}

impl Command for ReserveTrack {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        let rmz = if self.rmz { RMZ } else { 0 };
        Ok(match self.place {
            Place::Size(blocks) => Cdb::from_array::<10>(zerocopy::transmute!(SizeWire {
                opcode: 0x53,
                flags: rmz,
                reserved: [0; 3],
                size: U32::new(blocks),
                control: 0,
            })),
            Place::Address(lba) => Cdb::from_array::<10>(zerocopy::transmute!(AddressWire {
                opcode: 0x53,
                flags: rmz | ARSV,
                address: U32::new(lba),
                reserved: [0; 3],
                control: 0,
            })),
        })
    }
}

impl NoData for ReserveTrack {}

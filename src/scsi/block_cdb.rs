//! The CDBs that name a range of blocks: READ, WRITE, VERIFY and SYNCHRONIZE
//! CACHE have them alike (SBC-4 5).

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32, U64},
};

use super::{Cdb, LengthMismatch};

/// The 10-byte CDB.
#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
pub(super) struct Wire10 {
    pub(super) opcode: u8,
    pub(super) flags: u8,
    pub(super) lba: U32,
    pub(super) group: u8,
    pub(super) blocks: U16,
    pub(super) control: u8,
}

const _: () = assert!(size_of::<Wire10>() == 10);

impl From<Wire10> for Cdb {
    fn from(wire: Wire10) -> Self {
        Self::from_array::<10>(zerocopy::transmute!(wire))
    }
}

/// The 16-byte CDB.
#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
pub(super) struct Wire16 {
    pub(super) opcode: u8,
    pub(super) flags: u8,
    pub(super) lba: U64,
    pub(super) blocks: U32,
    pub(super) group: u8,
    pub(super) control: u8,
}

const _: () = assert!(size_of::<Wire16>() == 16);

impl From<Wire16> for Cdb {
    fn from(wire: Wire16) -> Self {
        Self::from_array::<16>(zerocopy::transmute!(wire))
    }
}

/// The check of a command that moves no data.
pub(super) fn no_data(len: usize) -> Result<(), LengthMismatch> {
    match len {
        0 => Ok(()),
        len => Err(LengthMismatch::Exact { len, expected: 0 }),
    }
}

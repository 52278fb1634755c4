//! BLANK.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U32};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// What BLANK erases (BLANKING TYPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlankType(u8);

impl BlankType {
    /// The value of the field, 0 to 7; `None` for what has no room in its 3 bits,
    /// so that nothing else is erased than what was meant.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value <= 7 { Some(Self(value)) } else { None }
    }

    /// The value of the field.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The whole disc.
    pub const DISC: Self = Self(0);
    /// What says where its data is; the data itself stays until it is overwritten.
    pub const MINIMAL: Self = Self(1);
    /// A track.
    pub const TRACK: Self = Self(2);
    /// The reservation of the last track.
    pub const UNRESERVE_TRACK: Self = Self(3);
    /// The tail of a track.
    pub const TRACK_TAIL: Self = Self(4);
    /// The lead-in and lead-out of the last session: it is open again.
    pub const UNCLOSE_SESSION: Self = Self(5);
    /// The last session.
    pub const SESSION: Self = Self(6);
}

/// BLANK (A1h, MMC-6 clause 6): **erases** a rewritable CD or DVD. It takes up to
/// hours, and cannot be stopped.
///
/// On other devices than optical drives A1h is ATA PASS-THROUGH(12).
///
/// ```
/// use passthru::scsi::{Command, mmc::{Blank, BlankType}};
///
/// let fast = Blank::new(BlankType::MINIMAL).immediate(true);
/// assert_eq!(fast.cdb_for(0)?.as_bytes(), [0xa1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("GPCMD_BLANK", "erase"))]
pub struct Blank {
    kind: BlankType,
    immediate: bool,
    address: u32,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    flags: u8,
    address: U32,
    reserved: [u8; 5],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

impl Blank {
    /// Erases this.
    #[must_use]
    pub const fn new(kind: BlankType) -> Self {
        Self {
            kind,
            immediate: false,
            address: 0,
        }
    }

    /// Where: the track's number for [`BlankType::TRACK`], the first block for
    /// [`BlankType::TRACK_TAIL`].
    #[must_use]
    #[doc(alias = "START ADDRESS/TRACK NUMBER")]
    pub const fn address(mut self, address: u32) -> Self {
        self.address = address;
        self
    }

    /// Whether the command ends when it has been understood (IMMED). TEST UNIT READY
    /// then says NOT READY (02/04/07), with the progress in the sense data, until it is
    /// done.
    #[must_use]
    #[doc(alias = "IMMED")]
    pub const fn immediate(mut self, immediate: bool) -> Self {
        self.immediate = immediate;
        self
    }
}

impl Command for Blank {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        let immediate = if self.immediate { 0x10 } else { 0 };
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xa1,
            flags: immediate | self.kind.0,
            address: U32::new(self.address),
            reserved: [0; 5],
            control: 0,
        })))
    }
}

impl NoData for Blank {}

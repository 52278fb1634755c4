//! SET CD SPEED.

use zerocopy::{Immutable, IntoBytes, Unaligned, byteorder::big_endian::U16};

use crate::scsi::{Cdb, Command, LengthMismatch, NoData, block_cdb::no_data};

/// The speed in kB/s (1000 bytes) of a CD that turns `times` as fast as an audio CD
/// player lets it: 176.4 kB/s each (75 sectors of 2352 bytes), rounded down; `FFFFh`
/// for what does not fit.
///
/// ```
/// use passthru::scsi::mmc::cd_speed;
///
/// assert_eq!(cd_speed(1), 176);
/// assert_eq!(cd_speed(40), 7056);
/// assert_eq!(cd_speed(400), 0xffff);
/// ```
#[must_use]
pub fn cd_speed(times: u16) -> u16 {
    u16::try_from(u32::from(times) * 1764 / 10).unwrap_or(SetCdSpeed::MAX)
}

/// How a disc is turned (MMC-6 clause 6, SET CD SPEED).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias = "ROTATIONAL CONTROL")]
pub struct RotationControl(pub u8);

impl RotationControl {
    /// At a constant linear velocity, or as the drive does by default.
    pub const CLV: Self = Self(0);
    /// At a constant angular velocity.
    pub const CAV: Self = Self(1);
}

/// SET CD SPEED (`BBh`, MMC-6 clause 6): how fast CDs are read and written from now
/// on. Drives take the next lower speed that they have.
///
/// It changes a setting of the drive for all its users, so it needs a handle opened
/// for writing. On `/dev/sr*` the kernel refuses it (EPERM) to users who opened the
/// node read-only: do not go on at full speed then as if nothing had happened. For
/// DVD and BD there is [`SetStreaming`](super::SetStreaming).
///
/// ```
/// use passthru::scsi::{Command, mmc::{SetCdSpeed, cd_speed}};
///
/// let slow = SetCdSpeed::new(cd_speed(8));
/// assert_eq!(
///     slow.cdb_for(0)?.as_bytes(),
///     [0xbb, 0, 0x05, 0x83, 0xff, 0xff, 0, 0, 0, 0, 0, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("SET_CD_SPEED", "GPCMD_SET_SPEED"))]
pub struct SetCdSpeed {
    read: u16,
    write: u16,
    rotation: RotationControl,
}

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    rotation: u8,
    read: U16,
    write: U16,
    reserved: [u8; 5],
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);

impl SetCdSpeed {
    /// As fast as the drive can.
    pub const MAX: u16 = 0xffff;

    /// Reads at `kb_per_second` kB/s (see [`cd_speed`]) or [`MAX`](Self::MAX), and
    /// writes as fast as the drive can.
    #[must_use]
    pub const fn new(kb_per_second: u16) -> Self {
        Self {
            read: kb_per_second,
            write: Self::MAX,
            rotation: RotationControl::CLV,
        }
    }

    /// Reads and writes as fast as the drive can.
    #[must_use]
    pub const fn max() -> Self {
        Self::new(Self::MAX)
    }

    /// The writing speed in kB/s.
    #[must_use]
    pub const fn write_speed(mut self, kb_per_second: u16) -> Self {
        self.write = kb_per_second;
        self
    }

    /// How the disc is turned when written; 2 bits.
    #[must_use]
    pub const fn rotation(mut self, rotation: RotationControl) -> Self {
        self.rotation = rotation;
        self
    }
}

impl Command for SetCdSpeed {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        no_data(data_len)?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xbb,
            rotation: self.rotation.0 & 0x03,
            read: U16::new(self.read),
            write: U16::new(self.write),
            reserved: [0; 5],
            control: 0,
        })))
    }
}

impl NoData for SetCdSpeed {}

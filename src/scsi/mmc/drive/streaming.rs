//! SET STREAMING.

use zerocopy::{
    Immutable, IntoBytes, Unaligned,
    byteorder::big_endian::{U16, U32},
};

use super::RotationControl;
use crate::scsi::{Cdb, Command, DataOut, LengthMismatch, lengths};

/// SET STREAMING (B6h, MMC-6 clause 6) with a performance descriptor: how fast a
/// range is read and written from now on. It is [`SetCdSpeed`](super::SetCdSpeed)
/// for DVD and BD, and as that a setting for all users of the drive.
///
/// ```
/// use passthru::scsi::{Command, mmc::{SetStreaming, StreamingDescriptor}};
///
/// let descriptor = StreamingDescriptor::new(0, 0x0022_f3ff).read_speed(11_080, 1000);
/// assert_eq!(
///     SetStreaming.cdb_for(descriptor.as_bytes().len())?.as_bytes(),
///     [0xb6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0],
/// );
/// # Ok::<(), passthru::scsi::LengthMismatch>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[doc(alias("SET_STREAMING", "GPCMD_SET_STREAMING"))]
pub struct SetStreaming;

#[derive(IntoBytes, Immutable, Unaligned)]
#[repr(C)]
struct Wire {
    opcode: u8,
    reserved: [u8; 7],
    kind: u8,
    parameter_list_length: U16,
    control: u8,
}

const _: () = assert!(size_of::<Wire>() == 12);
const _: () = assert!(size_of::<StreamingDescriptor>() == 28);

impl Command for SetStreaming {
    fn cdb_for(&self, data_len: usize) -> Result<Cdb, LengthMismatch> {
        lengths::exactly(data_len, size_of::<StreamingDescriptor>())?;
        Ok(Cdb::from_array::<12>(zerocopy::transmute!(Wire {
            opcode: 0xb6,
            reserved: [0; 7],
            kind: 0,
            parameter_list_length: U16::new(28),
            control: 0,
        })))
    }
}

impl DataOut for SetStreaming {}

/// The data of [`SetStreaming`]: a range of addresses and its speeds, each as so
/// many kB in so many milliseconds. Drives take the next speed that they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoBytes, Immutable, Unaligned)]
#[repr(C)]
#[doc(alias = "Performance Descriptor")]
pub struct StreamingDescriptor {
    flags: u8,
    reserved: [u8; 3],
    start_lba: U32,
    end_lba: U32,
    read_size: U32,
    read_time: U32,
    write_size: U32,
    write_time: U32,
}

impl StreamingDescriptor {
    /// For the blocks from `start_lba` to `end_lba`; as fast as the drive can.
    #[must_use]
    pub fn new(start_lba: u32, end_lba: u32) -> Self {
        let (size, time) = (U32::new(u32::MAX), U32::new(1000));
        Self {
            flags: 0,
            reserved: [0; 3],
            start_lba: U32::new(start_lba),
            end_lba: U32::new(end_lba),
            read_size: size,
            read_time: time,
            write_size: size,
            write_time: time,
        }
    }

    const fn with(mut self, bit: u8, on: bool) -> Self {
        self.flags = if on {
            self.flags | bit
        } else {
            self.flags & !bit
        };
        self
    }

    /// Reads `kilobytes` kB in `milliseconds`.
    #[must_use]
    pub fn read_speed(mut self, kilobytes: u32, milliseconds: u32) -> Self {
        self.read_size = U32::new(kilobytes);
        self.read_time = U32::new(milliseconds);
        self
    }

    /// Writes `kilobytes` kB in `milliseconds`.
    #[must_use]
    pub fn write_speed(mut self, kilobytes: u32, milliseconds: u32) -> Self {
        self.write_size = U32::new(kilobytes);
        self.write_time = U32::new(milliseconds);
        self
    }

    /// How the disc is turned when written (WRC); 2 bits.
    #[must_use]
    #[doc(alias = "WRC")]
    pub const fn rotation(mut self, rotation: RotationControl) -> Self {
        self.flags = (self.flags & !0x18) | ((rotation.0 & 0x03) << 3);
        self
    }

    /// Goes back to the drive's own settings (RDD). The rest is ignored then.
    #[must_use]
    #[doc(alias = "RDD")]
    pub const fn restore_defaults(self, restore: bool) -> Self {
        self.with(0x04, restore)
    }

    /// Has the drive refuse (05/xx) what it cannot do exactly (EXACT).
    #[must_use]
    #[doc(alias = "EXACT")]
    pub const fn exact(self, exact: bool) -> Self {
        self.with(0x02, exact)
    }

    /// Whether the medium will be read at random places, not in one go (RA).
    #[must_use]
    #[doc(alias = "RA")]
    pub const fn random_access(self, random: bool) -> Self {
        self.with(0x01, random)
    }

    /// The bytes to send.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        IntoBytes::as_bytes(self)
    }
}

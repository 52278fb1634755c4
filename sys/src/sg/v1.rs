//! The older interface: `write` and `read` with a [`sg_header`] before the CDB and the data.
//!
//! Both headers have this part. The driver tells the two interfaces apart by the second word, which is `reply_len`
//! here and `dxfer_direction`, negative, in [`sg_io_hdr`](super::sg_io_hdr).

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::ioctl::Ioctl;

/// Size of [`sg_header::sense_buffer`] in bytes.
pub const SG_MAX_SENSE: usize = 16;

/// The header of driver versions 1 and 2. 36 bytes everywhere.
///
/// After it, `write` takes the CDB and then the data for the device; `read` gives the data from the device. The CDB's
/// length follows from its first byte, or from [`SG_NEXT_CMD_LEN`].
#[repr(C)]
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
pub struct sg_header {
    /// \[o\] The same as `reply_len`; ignored as input.
    pub pack_len: i32,
    /// \[i\] The longest reply in bytes, counting this header.
    pub reply_len: i32,
    /// \[i\]\[o\] Comes back with the reply. 0 or more.
    pub pack_id: i32,
    /// \[o\] 0, or an errno as a positive number.
    pub result: i32,
    /// The five bit-fields of the C struct, in one 32-bit word; the methods take it apart.
    ///
    /// C compilers give the first field (`twelve_byte`) the lowest bit on little-endian machines, and the highest on
    /// big-endian ones.
    ///
    /// | field | bits | little endian | big endian |
    /// |---|---|---|---|
    /// | `twelve_byte` | 1 | 0 | 31 |
    /// | `target_status` | 5 | 1-5 | 26-30 |
    /// | `host_status` | 8 | 6-13 | 18-25 |
    /// | `driver_status` | 8 | 14-21 | 10-17 |
    /// | `other_flags` | 10 | 22-31 | 0-9 |
    pub bits: u32,
    /// \[o\] Sense data, if the status is CHECK CONDITION or COMMAND TERMINATED, or the driver status says so.
    pub sense_buffer: [u8; SG_MAX_SENSE],
}

/// A bit-field: how many bits of the word come before it in declaration order, and its own width.
#[derive(Clone, Copy)]
struct Field {
    before: u32,
    width: u32,
}

const TWELVE_BYTE: Field = Field {
    before: 0,
    width: 1,
};
const TARGET_STATUS: Field = Field {
    before: 1,
    width: 5,
};
const HOST_STATUS: Field = Field {
    before: 6,
    width: 8,
};
const DRIVER_STATUS: Field = Field {
    before: 14,
    width: 8,
};
const OTHER_FLAGS: Field = Field {
    before: 22,
    width: 10,
};

impl Field {
    const fn shift(self) -> u32 {
        if cfg!(target_endian = "little") {
            self.before
        } else {
            32 - self.before - self.width
        }
    }

    const fn max(self) -> u32 {
        (1 << self.width) - 1
    }

    const fn get(self, word: u32) -> u32 {
        word >> self.shift() & self.max()
    }

    const fn set(self, word: u32, value: u32) -> u32 {
        word & !(self.max() << self.shift()) | (value & self.max()) << self.shift()
    }
}

impl sg_header {
    /// Every field zero.
    pub const ZERO: Self = Self {
        pack_len: 0,
        reply_len: 0,
        pack_id: 0,
        result: 0,
        bits: 0,
        sense_buffer: [0; SG_MAX_SENSE],
    };

    /// \[i\] Whether a CDB of group 6 or 7 (vendor) is 12 bytes long; otherwise it is 10.
    #[must_use]
    pub const fn twelve_byte(&self) -> bool {
        TWELVE_BYTE.get(self.bits) != 0
    }

    /// \[o\] The SCSI status, shifted right by one: see [`CHECK_CONDITION`](super::CHECK_CONDITION).
    #[must_use]
    pub const fn target_status(&self) -> u8 {
        TARGET_STATUS.get(self.bits).to_le_bytes()[0]
    }

    /// \[o\] The host byte (`DID_*`).
    #[must_use]
    pub const fn host_status(&self) -> u8 {
        HOST_STATUS.get(self.bits).to_le_bytes()[0]
    }

    /// \[o\] The driver byte; [`DRIVER_SENSE`](super::DRIVER_SENSE) says that there is sense data.
    #[must_use]
    pub const fn driver_status(&self) -> u8 {
        DRIVER_STATUS.get(self.bits).to_le_bytes()[0]
    }

    /// Not used: 10 bits.
    #[must_use]
    pub const fn other_flags(&self) -> u16 {
        let [low, high, _, _] = OTHER_FLAGS.get(self.bits).to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// The same header with `twelve_byte` set to 1 or 0.
    #[must_use]
    pub const fn with_twelve_byte(self, on: bool) -> Self {
        self.with(TWELVE_BYTE, if on { 1 } else { 0 })
    }

    /// The same header with another `target_status`, of which the low 5 bits count.
    #[must_use]
    pub const fn with_target_status(self, status: u8) -> Self {
        self.with(TARGET_STATUS, u32::from_le_bytes([status, 0, 0, 0]))
    }

    /// The same header with another `host_status`.
    #[must_use]
    pub const fn with_host_status(self, status: u8) -> Self {
        self.with(HOST_STATUS, u32::from_le_bytes([status, 0, 0, 0]))
    }

    /// The same header with another `driver_status`.
    #[must_use]
    pub const fn with_driver_status(self, status: u8) -> Self {
        self.with(DRIVER_STATUS, u32::from_le_bytes([status, 0, 0, 0]))
    }

    /// The same header with other `other_flags`, of which the low 10 bits count.
    #[must_use]
    pub const fn with_other_flags(self, flags: u16) -> Self {
        let [low, high] = flags.to_le_bytes();
        self.with(OTHER_FLAGS, u32::from_le_bytes([low, high, 0, 0]))
    }

    const fn with(self, field: Field, value: u32) -> Self {
        Self {
            bits: field.set(self.bits, value),
            ..self
        }
    }
}

/// Sets the timeout, for v1 and v2 commands of this open file. In: ticks of 1/100 s (`USER_HZ`).
///
/// On block and bsg nodes the same number sets the default of the **whole device or node**, for every process.
pub const SG_SET_TIMEOUT: Ioctl = 0x2201;
/// The timeout in ticks of 1/100 s, as the **return value** of the call. No argument.
pub const SG_GET_TIMEOUT: Ioctl = 0x2202;
/// Whether more than one command may be in flight on this open file, out. A v3 header turns it on.
pub const SG_GET_COMMAND_Q: Ioctl = 0x2270;
/// 1: several commands may be in flight on this open file, 0: one.
pub const SG_SET_COMMAND_Q: Ioctl = 0x2271;
/// 1 turns the driver's debugging output on, 0 off.
pub const SG_SET_DEBUG: Ioctl = 0x227e;
/// Sets the CDB's length in bytes, for the next `write` on this open file.
pub const SG_NEXT_CMD_LEN: Ioctl = 0x2283;

/// Default of [`SG_SET_TIMEOUT`]: 60 s in ticks of 1/100 s (1/1024 s on alpha, which has no Rust compiler).
///
/// The C macro multiplies by `HZ` of `asm/param.h`. Inside the kernel it is named `SG_DEFAULT_TIMEOUT_USER`.
pub const SG_DEFAULT_TIMEOUT: i32 = 60 * 100;
/// Default of [`SG_SET_COMMAND_Q`].
pub const SG_DEF_COMMAND_Q: i32 = 0;
/// Default of an ioctl of version 2 that is no longer in the headers.
pub const SG_DEF_UNDERRUN_FLAG: i32 = 0;

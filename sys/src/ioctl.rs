//! How an ioctl number is put together (`include/uapi/asm-generic/ioctl.h`).
//!
//! A number made by these functions has four parts: the direction of the copy, the size of the argument in bytes,
//! the driver's letter ("type"), and the number within the driver. Most architectures give 2 bits to the direction and
//! 14 to the size; mips, powerpc and sparc give 3 and 13, and count the directions otherwise
//! (`arch/{mips,powerpc,sparc}/include/uapi/asm/ioctl.h`). The names are those of C, including the underscore.
//!
//! Many SCSI numbers ([`SG_IO`](crate::sg::SG_IO) among them) are older than this scheme: plain numbers, the same
//! everywhere.
//!
//! ```
//! use passthru_sys::{ioctl, nvme};
//!
//! assert_eq!(ioctl::_IOWR::<nvme::nvme_passthru_cmd>(b'N', 0x41), nvme::NVME_IOCTL_ADMIN_CMD);
//! ```

// _IO, _IOC and their kind are functions here, and names to search for.
#![allow(non_snake_case)]

/// The type of `ioctl`'s second argument: `c_ulong` with glibc, `c_int` with musl and Android.
///
/// The kernel looks at the low 32 bits alone. With a 32-bit signed type, a number with the top bit set is negative;
/// that is the value which this C library wants.
pub type Ioctl = libc::Ioctl;

/// How one group of architectures divides the upper 16 bits of a number.
struct Split {
    size_bits: u32,
    dir_bits: u32,
    none: u32,
    write: u32,
    read: u32,
}

/// `include/uapi/asm-generic/ioctl.h`, used by every architecture that does not say otherwise.
const GENERIC: Split = Split {
    size_bits: 14,
    dir_bits: 2,
    none: 0,
    write: 1,
    read: 2,
};

/// `arch/{mips,powerpc,sparc}/include/uapi/asm/ioctl.h`; alpha has it too, but no Rust compiler.
const THREE_DIRECTION_BITS: Split = Split {
    size_bits: 13,
    dir_bits: 3,
    none: 1,
    write: 4,
    read: 2,
};

const HERE: Split = if cfg!(any(
    target_arch = "mips",
    target_arch = "mips32r6",
    target_arch = "mips64",
    target_arch = "mips64r6",
    target_arch = "powerpc",
    target_arch = "powerpc64",
    target_arch = "sparc",
    target_arch = "sparc64",
)) {
    THREE_DIRECTION_BITS
} else {
    GENERIC
};

/// Width of the number within the driver, in bits.
pub const _IOC_NRBITS: u32 = 8;
/// Width of the driver's letter, in bits.
pub const _IOC_TYPEBITS: u32 = 8;
/// Width of the argument's size, in bits: 14, or 13 on mips, powerpc and sparc.
pub const _IOC_SIZEBITS: u32 = HERE.size_bits;
/// Width of the direction, in bits: 2, or 3 on mips, powerpc and sparc.
pub const _IOC_DIRBITS: u32 = HERE.dir_bits;
/// Position of the number within the driver.
pub const _IOC_NRSHIFT: u32 = 0;
/// Position of the driver's letter.
pub const _IOC_TYPESHIFT: u32 = _IOC_NRSHIFT + _IOC_NRBITS;
/// Position of the argument's size.
pub const _IOC_SIZESHIFT: u32 = _IOC_TYPESHIFT + _IOC_TYPEBITS;
/// Position of the direction.
pub const _IOC_DIRSHIFT: u32 = _IOC_SIZESHIFT + _IOC_SIZEBITS;
/// Direction: nothing is copied.
pub const _IOC_NONE: u32 = HERE.none;
/// Direction: the program writes, the kernel reads the argument.
pub const _IOC_WRITE: u32 = HERE.write;
/// Direction: the program reads, the kernel writes the argument.
pub const _IOC_READ: u32 = HERE.read;

const fn encode(split: &Split, dir: u32, ty: u8, nr: u8, size: usize) -> u32 {
    assert!(
        dir < 1 << split.dir_bits,
        "no such ioctl direction on this architecture"
    );
    assert!(
        size < 1 << split.size_bits,
        "the argument is larger than an ioctl number can say"
    );
    // The assertion above bounds `size`; `from` and `try_from` are not const.
    #[allow(clippy::cast_possible_truncation, clippy::cast_lossless)]
    let (size, ty, nr) = (size as u32, ty as u32, nr as u32);
    let size_shift = _IOC_SIZESHIFT;
    let dir_shift = size_shift + split.size_bits;
    dir << dir_shift | size << size_shift | ty << _IOC_TYPESHIFT | nr << _IOC_NRSHIFT
}

/// Any ioctl number, from its parts: `dir` is [`_IOC_NONE`], or [`_IOC_WRITE`] and [`_IOC_READ`] or-ed together.
///
/// # Panics
///
/// If `dir` or `size` does not fit into its bits. In a `const` this is an error of compilation.
#[must_use]
pub const fn _IOC(dir: u32, ty: u8, nr: u8, size: usize) -> Ioctl {
    // Where Ioctl is a signed 32-bit type, the same 32 bits are what the C library wants.
    #[allow(clippy::cast_lossless)]
    {
        encode(&HERE, dir, ty, nr, size) as Ioctl
    }
}

/// The number of an ioctl with no argument, or one that is a plain number.
#[must_use]
pub const fn _IO(ty: u8, nr: u8) -> Ioctl {
    _IOC(_IOC_NONE, ty, nr, 0)
}

/// The number of an ioctl through which the program reads a `T`.
///
/// # Panics
///
/// If `T` is larger than an ioctl number can say (8191 bytes, or 16383).
#[must_use]
pub const fn _IOR<T>(ty: u8, nr: u8) -> Ioctl {
    _IOC(_IOC_READ, ty, nr, size_of::<T>())
}

/// The number of an ioctl through which the program writes a `T`.
///
/// # Panics
///
/// If `T` is larger than an ioctl number can say (8191 bytes, or 16383).
#[must_use]
pub const fn _IOW<T>(ty: u8, nr: u8) -> Ioctl {
    _IOC(_IOC_WRITE, ty, nr, size_of::<T>())
}

/// The number of an ioctl through which the program writes a `T` and reads it back.
///
/// # Panics
///
/// If `T` is larger than an ioctl number can say (8191 bytes, or 16383).
#[must_use]
pub const fn _IOWR<T>(ty: u8, nr: u8) -> Ioctl {
    _IOC(_IOC_READ | _IOC_WRITE, ty, nr, size_of::<T>())
}

// Both splits are checked on every architecture, against numbers which C gave for them.
const _: () = {
    assert!(encode(&GENERIC, GENERIC.none, b'N', 0x40, 0) == 0x0000_4e40);
    assert!(encode(&GENERIC, GENERIC.write, b'N', 0x42, 48) == 0x4030_4e42);
    assert!(encode(&GENERIC, GENERIC.read, 0x12, 114, 8) == 0x8008_1272);
    assert!(encode(&GENERIC, GENERIC.read | GENERIC.write, b'N', 0x41, 72) == 0xc048_4e41);
    let other = THREE_DIRECTION_BITS;
    assert!(encode(&other, other.none, b'N', 0x40, 0) == 0x2000_4e40);
    assert!(encode(&other, other.write, b'N', 0x42, 48) == 0x8030_4e42);
    assert!(encode(&other, other.read, 0x12, 114, 8) == 0x4008_1272);
    assert!(encode(&other, other.read | other.write, b'N', 0x41, 72) == 0xc048_4e41);
};

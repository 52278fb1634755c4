//! The block-layer ioctls that users of SG nodes and pass-through need (`include/uapi/linux/fs.h`).
//!
//! This is a choice, not the whole header: limits and block sizes, which decide how large a command may be, and
//! what a program does to the page cache after it wrote behind its back.

use crate::ioctl::{_IO, _IOR, Ioctl};

/// Whether the device is read-only. Argument: `*mut c_int`, out, 0 or 1.
pub const BLKROGET: Ioctl = _IO(0x12, 94);
/// Reads the partition table again. No argument; needs `CAP_SYS_ADMIN`.
pub const BLKRRPART: Ioctl = _IO(0x12, 95);
/// Writes out and drops the page cache of the device. No argument; needs `CAP_SYS_ADMIN`.
///
/// A WRITE sent by pass-through does not reach the page cache: until this is done, `read` may return old data.
pub const BLKFLSBUF: Ioctl = _IO(0x12, 97);
/// The largest transfer that the block layer makes in one command. **The argument depends on the node.**
///
/// - Block node (`/dev/sdX`): `*mut u16`, out, in **sectors of 512 bytes**.
/// - `/dev/sgN`: `*mut c_int`, out, in **bytes**.
/// - bsg node: `ENOTTY`.
pub const BLKSECTGET: Ioctl = _IO(0x12, 103);
/// The logical block size in bytes. Argument: `*mut c_int`, out. Block nodes only.
pub const BLKSSZGET: Ioctl = _IO(0x12, 104);
/// The device's size in bytes. Argument: `*mut u64`, out, although the number says `size_t`. Block nodes only.
pub const BLKGETSIZE64: Ioctl = _IOR::<usize>(0x12, 114);
/// The physical block size in bytes. Argument: `*mut c_uint`, out. Block nodes only.
pub const BLKPBSZGET: Ioctl = _IO(0x12, 123);

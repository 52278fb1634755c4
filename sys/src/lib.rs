//! Kernel layouts and numbers of Linux's SCSI generic, bsg and NVMe pass-through interfaces.
//!
//! This crate holds what a program and the kernel must agree on, byte for byte, and nothing else: no system call,
//! no allocation, no `std`, no `unsafe`. The safe interface is the crate `passthru`.
//!
//! | module | header | what it describes |
//! |---|---|---|
//! | [`sg`] | `scsi/sg.h` | `/dev/sgN`, and `SG_IO` on block, CD and tape nodes: the v3 header, the old v1/v2 header |
//! | [`scsi_ioctl`] | `scsi/scsi_ioctl.h`, `scsi/scsi.h` | the ioctls which every SCSI node answers |
//! | [`bsg`] | `linux/bsg.h` | `/dev/bsg/H:C:T:L`: the v4 header |
//! | [`nvme`] | `linux/nvme_ioctl.h` | NVMe commands by ioctl and by `io_uring` |
//! | [`blk`] | `linux/fs.h` | the few block-layer ioctls that users of the above need |
//! | [`ioctl`] | `asm/ioctl.h` | how an ioctl number is put together, per architecture |
//!
//! # Conventions
//!
//! - Structs, fields and constants keep the kernel's names, so that they can be searched for in C documentation.
//!   A constant has the type of the field or argument that it is used with.
//! - Every struct has `ZERO`, and `Default` gives the same value: every field zero, every pointer null. Zero is the
//!   kernel's "not used" in all of these interfaces, and no `unsafe` is needed to start from it.
//! - Structs of integers without padding implement [`zerocopy::IntoBytes`] and [`zerocopy::FromBytes`]; structs with
//!   pointers implement [`zerocopy::FromZeros`].
//! - `[i]` and `[o]` in the field documentation mean: read by the kernel, written by the kernel.
//! - The header files of the C libraries are older than the kernel's. Where an item is not in both, its
//!   documentation says which of them has it; an item without such a note is the same in glibc and in Linux 6.12.
//!
//! # How far to trust it
//!
//! The size, alignment and every field offset of every struct are checked when the crate is compiled, for 32-bit
//! and for 64-bit pointers. `tests/abi.rs` reads the C headers installed on the machine, compiles a probe
//! against them, and compares every struct, field, constant and ioctl number in both directions.
//!
//! # Example
//!
//! ```
//! use passthru_sys::sg;
//!
//! let mut cdb = [0_u8; 6]; // TEST UNIT READY
//! let header = sg::sg_io_hdr {
//!     interface_id: sg::SG_INTERFACE_ID_ORIG,
//!     dxfer_direction: sg::SG_DXFER_NONE,
//!     cmd_len: 6,
//!     cmdp: cdb.as_mut_ptr(),
//!     timeout: 10_000,
//!     flags: sg::SG_FLAG_Q_AT_TAIL,
//!     ..sg::sg_io_hdr::ZERO
//! };
//! assert!(header.dxferp.is_null());
//! ```

#![no_std]
#![forbid(unsafe_code)]
// The kernel's names are kept, so that they can be searched for.
#![allow(non_camel_case_types)]

#[cfg(not(any(target_os = "linux", target_os = "android")))]
compile_error!(
    "passthru-sys describes interfaces of the Linux kernel: it has no meaning on another system"
);

pub mod blk;
pub mod bsg;
pub mod ioctl;
mod layout;
pub mod nvme;
pub mod scsi_ioctl;
pub mod sg;

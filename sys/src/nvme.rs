//! NVMe pass-through by ioctl and by `io_uring` (`include/uapi/linux/nvme_ioctl.h`, Linux 6.12).
//!
//! What each node takes, as seen on Linux 6.1 and 6.12:
//!
//! | node | ioctls | `io_uring` |
//! |---|---|---|
//! | `/dev/nvmeX` | `ADMIN_CMD`, `ADMIN64_CMD`, `IO_CMD` (with one namespace only), resets, `RESCAN` | `ADMIN`, `ADMIN_VEC` |
//! | `/dev/ngXnY` | `ID`, `ADMIN*`, `IO*`, `SUBMIT_IO` | `IO`, `IO_VEC` |
//! | `/dev/nvmeXnY` | `ID`, `ADMIN*`, `IO*`, `SUBMIT_IO` | none |
//!
//! Traps:
//!
//! - **The kernel never compares `data_len` with what the command moves.** A device overwrites what follows a buffer
//!   that is too short, and with `addr` or `data_len` 0 the command goes out all the same, with no buffer given.
//! - An ioctl returns -1 and `errno`, or 0, or a **positive NVMe status**: SC in bits 0-7, SCT in 8-10, CRD in 11-12,
//!   MORE in 13, DNR in 14. Likewise the `res` of an `io_uring` completion; it never counts bytes.
//! - `EINTR` is no signal: the command was cancelled by a timeout or a reset, and it may have been carried out.
//! - Reserved fields and `flags` must be 0.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::ioctl::{_IO, _IOW, _IOWR, Ioctl};

/// A read, write or compare, for [`NVME_IOCTL_SUBMIT_IO`]; the kernel derives the data's length from the block size.
///
/// 48 bytes, of which the last 4 are padding; on i386, where a `u64` is aligned to 4 bytes, 44 without. The kernel
/// takes both. The padding is why there is no `IntoBytes`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, KnownLayout)]
pub struct nvme_user_io {
    /// \[i\] I/O opcode: 0x01 write, 0x02 read, 0x05 compare.
    pub opcode: u8,
    /// \[i\] Must be 0.
    pub flags: u8,
    /// \[i\] Upper half of command dword 12: LR, FUA, PRINFO.
    pub control: u16,
    /// \[i\] Number of logical blocks, **less one**.
    pub nblocks: u16,
    /// \[i\] Must be 0.
    pub rsvd: u16,
    /// \[i\] Address of the metadata, or 0.
    pub metadata: u64,
    /// \[i\] Address of the data.
    pub addr: u64,
    /// \[i\] First logical block.
    pub slba: u64,
    /// \[i\] Command dword 13: hints for the data set.
    pub dsmgmt: u32,
    /// \[i\] Reference tag of the protection information.
    pub reftag: u32,
    /// \[i\] Application tag of the protection information.
    pub apptag: u16,
    /// \[i\] Mask for `apptag`.
    pub appmask: u16,
}

impl nvme_user_io {
    /// Every field zero.
    pub const ZERO: Self = Self {
        opcode: 0,
        flags: 0,
        control: 0,
        nblocks: 0,
        rsvd: 0,
        metadata: 0,
        addr: 0,
        slba: 0,
        dsmgmt: 0,
        reftag: 0,
        apptag: 0,
        appmask: 0,
    };
}

/// One command and 32 bits of its result, for [`NVME_IOCTL_ADMIN_CMD`] and [`NVME_IOCTL_IO_CMD`]. 72 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct nvme_passthru_cmd {
    /// \[i\] Opcode. Its bit 0 decides the direction of the data: set is to the device.
    pub opcode: u8,
    /// \[i\] Must be 0: `EINVAL` otherwise.
    pub flags: u8,
    /// \[i\] Must be 0.
    pub rsvd1: u16,
    /// \[i\] Namespace, 0 for none, `u32::MAX` for all.
    pub nsid: u32,
    /// \[i\] Command dword 2.
    pub cdw2: u32,
    /// \[i\] Command dword 3.
    pub cdw3: u32,
    /// \[i\] Address of the metadata, or 0.
    pub metadata: u64,
    /// \[i\] Address of the data, or 0.
    pub addr: u64,
    /// \[i\] Length of the metadata in bytes.
    pub metadata_len: u32,
    /// \[i\] Length of the data in bytes. Nothing compares it with what the command moves.
    pub data_len: u32,
    /// \[i\] Command dword 10.
    pub cdw10: u32,
    /// \[i\] Command dword 11.
    pub cdw11: u32,
    /// \[i\] Command dword 12.
    pub cdw12: u32,
    /// \[i\] Command dword 13.
    pub cdw13: u32,
    /// \[i\] Command dword 14.
    pub cdw14: u32,
    /// \[i\] Command dword 15.
    pub cdw15: u32,
    /// \[i\] Milliseconds. 0 takes the driver's default: 60 s for admin commands, 30 s for I/O.
    pub timeout_ms: u32,
    /// \[o\] Completion dword 0. Not written when the call fails with an errno.
    pub result: u32,
}

impl nvme_passthru_cmd {
    /// Every field zero.
    pub const ZERO: Self = Self {
        opcode: 0,
        flags: 0,
        rsvd1: 0,
        nsid: 0,
        cdw2: 0,
        cdw3: 0,
        metadata: 0,
        addr: 0,
        metadata_len: 0,
        data_len: 0,
        cdw10: 0,
        cdw11: 0,
        cdw12: 0,
        cdw13: 0,
        cdw14: 0,
        cdw15: 0,
        timeout_ms: 0,
        result: 0,
    };
}

/// The older name of [`nvme_passthru_cmd`].
pub type nvme_admin_cmd = nvme_passthru_cmd;

/// One command and 64 bits of its result, for the `*64_CMD` ioctls. 80 bytes; since Linux 5.5.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct nvme_passthru_cmd64 {
    /// \[i\] Opcode. Its bit 0 decides the direction of the data: set is to the device.
    pub opcode: u8,
    /// \[i\] Must be 0: `EINVAL` otherwise.
    pub flags: u8,
    /// \[i\] Must be 0.
    pub rsvd1: u16,
    /// \[i\] Namespace, 0 for none, `u32::MAX` for all.
    pub nsid: u32,
    /// \[i\] Command dword 2.
    pub cdw2: u32,
    /// \[i\] Command dword 3.
    pub cdw3: u32,
    /// \[i\] Address of the metadata, or 0.
    pub metadata: u64,
    /// \[i\] Address of the data, or 0; of an array of `struct iovec` for [`NVME_IOCTL_IO64_CMD_VEC`].
    pub addr: u64,
    /// \[i\] Length of the metadata in bytes.
    pub metadata_len: u32,
    /// \[i\] Length of the data in bytes; nothing compares it with what the command moves.
    ///
    /// For [`NVME_IOCTL_IO64_CMD_VEC`] the number of iovecs, at most 1024: the union's other name in C is `vec_cnt`.
    #[doc(alias = "vec_cnt")]
    pub data_len: u32,
    /// \[i\] Command dword 10.
    pub cdw10: u32,
    /// \[i\] Command dword 11.
    pub cdw11: u32,
    /// \[i\] Command dword 12.
    pub cdw12: u32,
    /// \[i\] Command dword 13.
    pub cdw13: u32,
    /// \[i\] Command dword 14.
    pub cdw14: u32,
    /// \[i\] Command dword 15.
    pub cdw15: u32,
    /// \[i\] Milliseconds. 0 takes the driver's default: 60 s for admin commands, 30 s for I/O.
    pub timeout_ms: u32,
    /// \[i\] Must be 0.
    pub rsvd2: u32,
    /// \[o\] Completion dwords 0 and 1. Not written when the call fails with an errno.
    pub result: u64,
}

impl nvme_passthru_cmd64 {
    /// Every field zero.
    pub const ZERO: Self = Self {
        opcode: 0,
        flags: 0,
        rsvd1: 0,
        nsid: 0,
        cdw2: 0,
        cdw3: 0,
        metadata: 0,
        addr: 0,
        metadata_len: 0,
        data_len: 0,
        cdw10: 0,
        cdw11: 0,
        cdw12: 0,
        cdw13: 0,
        cdw14: 0,
        cdw15: 0,
        timeout_ms: 0,
        rsvd2: 0,
        result: 0,
    };
}

/// One command in an `io_uring` submission, for the `NVME_URING_CMD_*`. 72 bytes.
///
/// It lies in the 80 bytes from byte 48 of a 128-byte submission entry; the other 8 are zero. The completion must be of
/// 32 bytes: `res` is the status and the first extra 64 bits are the result. The buffers must stay until then:
/// neither a cancel nor closing the ring ends a command.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct nvme_uring_cmd {
    /// \[i\] Opcode. Its bit 0 decides the direction of the data: set is to the device.
    pub opcode: u8,
    /// \[i\] Must be 0: `EINVAL` otherwise.
    pub flags: u8,
    /// \[i\] Must be 0.
    pub rsvd1: u16,
    /// \[i\] Namespace, 0 for none, `u32::MAX` for all.
    pub nsid: u32,
    /// \[i\] Command dword 2.
    pub cdw2: u32,
    /// \[i\] Command dword 3.
    pub cdw3: u32,
    /// \[i\] Address of the metadata, or 0.
    pub metadata: u64,
    /// \[i\] Address of the data, or 0; of an array of `struct iovec` for the `*_VEC` commands.
    pub addr: u64,
    /// \[i\] Length of the metadata in bytes.
    pub metadata_len: u32,
    /// \[i\] Length of the data in bytes, or the number of iovecs for the `*_VEC` commands.
    pub data_len: u32,
    /// \[i\] Command dword 10.
    pub cdw10: u32,
    /// \[i\] Command dword 11.
    pub cdw11: u32,
    /// \[i\] Command dword 12.
    pub cdw12: u32,
    /// \[i\] Command dword 13.
    pub cdw13: u32,
    /// \[i\] Command dword 14.
    pub cdw14: u32,
    /// \[i\] Command dword 15.
    pub cdw15: u32,
    /// \[i\] Milliseconds. 0 takes the driver's default: 60 s for admin commands, 30 s for I/O.
    pub timeout_ms: u32,
    /// \[i\] Must be 0.
    pub rsvd2: u32,
}

impl nvme_uring_cmd {
    /// Every field zero.
    pub const ZERO: Self = Self {
        opcode: 0,
        flags: 0,
        rsvd1: 0,
        nsid: 0,
        cdw2: 0,
        cdw3: 0,
        metadata: 0,
        addr: 0,
        metadata_len: 0,
        data_len: 0,
        cdw10: 0,
        cdw11: 0,
        cdw12: 0,
        cdw13: 0,
        cdw14: 0,
        cdw15: 0,
        timeout_ms: 0,
        rsvd2: 0,
    };
}

/// The namespace's id, as the positive **return value**. No argument. `ENOTTY` on a controller's node.
pub const NVME_IOCTL_ID: Ioctl = _IO(b'N', 0x40);
/// Sends an admin command. Argument: `*mut nvme_admin_cmd`.
pub const NVME_IOCTL_ADMIN_CMD: Ioctl = _IOWR::<nvme_admin_cmd>(b'N', 0x41);
/// Sends a read, write or compare. Argument: `*mut nvme_user_io`. There is no result.
pub const NVME_IOCTL_SUBMIT_IO: Ioctl = _IOW::<nvme_user_io>(b'N', 0x42);
/// Sends an I/O command. Argument: `*mut nvme_passthru_cmd`.
pub const NVME_IOCTL_IO_CMD: Ioctl = _IOWR::<nvme_passthru_cmd>(b'N', 0x43);
/// Resets the controller. No argument. Everything in flight on it is cancelled.
pub const NVME_IOCTL_RESET: Ioctl = _IO(b'N', 0x44);
/// Resets the NVM subsystem, with all its controllers. No argument.
pub const NVME_IOCTL_SUBSYS_RESET: Ioctl = _IO(b'N', 0x45);
/// Looks for new and removed namespaces. No argument.
pub const NVME_IOCTL_RESCAN: Ioctl = _IO(b'N', 0x46);
/// Sends an admin command. Argument: `*mut nvme_passthru_cmd64`. Since Linux 5.5.
pub const NVME_IOCTL_ADMIN64_CMD: Ioctl = _IOWR::<nvme_passthru_cmd64>(b'N', 0x47);
/// Sends an I/O command. Argument: `*mut nvme_passthru_cmd64`. Since Linux 5.5.
pub const NVME_IOCTL_IO64_CMD: Ioctl = _IOWR::<nvme_passthru_cmd64>(b'N', 0x48);
/// Sends an I/O command with an array of iovecs. Argument: `*mut nvme_passthru_cmd64`. Since Linux 5.18.
pub const NVME_IOCTL_IO64_CMD_VEC: Ioctl = _IOWR::<nvme_passthru_cmd64>(b'N', 0x49);

/// The field `cmd_op` has 32 bits, whatever the C library's type for ioctl numbers.
const fn cmd_op(number: Ioctl) -> u32 {
    // The kernel's numbers have 32 bits, also where their type is wider, or signed.
    #[allow(clippy::cast_possible_truncation)]
    {
        number as u32
    }
}

/// `cmd_op` of a submission: an I/O command. Since Linux 5.19.
pub const NVME_URING_CMD_IO: u32 = cmd_op(_IOWR::<nvme_uring_cmd>(b'N', 0x80));
/// `cmd_op` of a submission: an I/O command with an array of iovecs. Since Linux 5.19.
///
/// Not together with a registered buffer: `EINVAL` on 6.1 and 6.12, and on 6.1 a request is lost each time.
pub const NVME_URING_CMD_IO_VEC: u32 = cmd_op(_IOWR::<nvme_uring_cmd>(b'N', 0x81));
/// `cmd_op` of a submission: an admin command. Since Linux 6.0.
pub const NVME_URING_CMD_ADMIN: u32 = cmd_op(_IOWR::<nvme_uring_cmd>(b'N', 0x82));
/// `cmd_op` of a submission: an admin command with an array of iovecs. Since Linux 6.0.
pub const NVME_URING_CMD_ADMIN_VEC: u32 = cmd_op(_IOWR::<nvme_uring_cmd>(b'N', 0x83));

//! The SCSI generic v3 interface (`scsi/sg.h`): `/dev/sgN`, and `SG_IO` on block, CD and tape nodes.
//!
//! Sources: glibc's `scsi/sg.h`, which is older, and the kernel's `include/scsi/sg.h` (driver version 3.5.36, the same
//! in Linux 6.1 and 6.12), which is not exported to user space. An item that is only in one of them says so.
//!
//! Not here, because no released kernel has them: the flags and ioctls of the proposed v4 driver
//! (`SG_IOSUBMIT`, `SG_SET_GET_EXTENDED`, `SG_INFO_DEVICE_DETACHING`, ...), and `SG_FLAG_SHARED_MMAP_IO`.

use core::{ffi::c_void, ptr::null_mut};

use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

mod numbers;
mod v1;

pub use numbers::{
    SG_BIG_BUFF, SG_DEF_FORCE_LOW_DMA, SG_DEF_FORCE_PACK_ID, SG_DEF_KEEP_ORPHAN,
    SG_DEF_RESERVED_SIZE, SG_DEFAULT_RETRIES, SG_EMULATED_HOST, SG_GET_ACCESS_COUNT,
    SG_GET_KEEP_ORPHAN, SG_GET_LOW_DMA, SG_GET_NUM_WAITING, SG_GET_PACK_ID, SG_GET_REQUEST_TABLE,
    SG_GET_RESERVED_SIZE, SG_GET_SCSI_ID, SG_GET_SG_TABLESIZE, SG_GET_TRANSFORM,
    SG_GET_VERSION_NUM, SG_IO, SG_MAX_QUEUE, SG_SCATTER_SZ, SG_SCSI_RESET, SG_SCSI_RESET_BUS,
    SG_SCSI_RESET_DEVICE, SG_SCSI_RESET_HOST, SG_SCSI_RESET_NO_ESCALATE, SG_SCSI_RESET_NOTHING,
    SG_SCSI_RESET_TARGET, SG_SET_FORCE_LOW_DMA, SG_SET_FORCE_PACK_ID, SG_SET_KEEP_ORPHAN,
    SG_SET_RESERVED_SIZE, SG_SET_TRANSFORM,
};
pub use v1::{
    SG_DEF_COMMAND_Q, SG_DEF_UNDERRUN_FLAG, SG_DEFAULT_TIMEOUT, SG_GET_COMMAND_Q, SG_GET_TIMEOUT,
    SG_MAX_SENSE, SG_NEXT_CMD_LEN, SG_SET_COMMAND_Q, SG_SET_DEBUG, SG_SET_TIMEOUT, sg_header,
};

/// One element of a scatter-gather list. The same layout as `struct iovec`.
#[repr(C)]
#[derive(Clone, Copy, Debug, FromZeros, Immutable, KnownLayout)]
pub struct sg_iovec {
    /// Where the piece starts.
    pub iov_base: *mut c_void,
    /// Its length in bytes.
    pub iov_len: usize,
}

impl sg_iovec {
    /// Every field zero.
    pub const ZERO: Self = Self {
        iov_base: null_mut(),
        iov_len: 0,
    };
}

impl Default for sg_iovec {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The name which the headers give to [`sg_iovec`].
pub type sg_iovec_t = sg_iovec;

/// One command and its result, for [`SG_IO`] and for `write` and `read` on `/dev/sgN`.
///
/// 88 bytes with 64-bit pointers, 64 with 32-bit ones. A 32-bit process on a 64-bit kernel must give `write` a buffer
/// of 88 bytes at least, of which the kernel takes the first 64 as the header; `SG_IO` and `read` take 64.
///
/// With `write` and `read`, the pointers are those of the `write`: `read` copies data and sense to where they
/// pointed *then*.
#[repr(C)]
#[derive(Clone, Copy, Debug, FromZeros, Immutable, KnownLayout)]
pub struct sg_io_hdr {
    /// \[i\] [`SG_INTERFACE_ID_ORIG`]. With `'Q'` an sg node gives `ENOSYS`, a block node `EINVAL`.
    pub interface_id: i32,
    /// \[i\] One of the `SG_DXFER_*`. An sg node takes an unknown value for a read; a block node refuses it.
    pub dxfer_direction: i32,
    /// \[i\] Length of the CDB in bytes, 6 to 32.
    pub cmd_len: u8,
    /// \[i\] Size of the sense buffer in bytes. **A `u8`: 256 becomes 0, no sense at all.** The kernel has at most 96.
    pub mx_sb_len: u8,
    /// \[i\] Elements of the [`sg_iovec`] array at `dxferp`; 0 when `dxferp` is the data itself.
    pub iovec_count: u16,
    /// \[i\] Bytes to transfer. Nothing compares it with the CDB's own length.
    pub dxfer_len: u32,
    /// \[i\] The data, or the [`sg_iovec`] array.
    ///
    /// Null with [`SG_FLAG_MMAP_IO`]: if it is not null, the data is copied here too, or from here. Null without that
    /// flag and with a length: an sg node reads into its own buffer, or writes what the last command left there; a
    /// block node gives `EFAULT`.
    pub dxferp: *mut c_void,
    /// \[i\] The CDB. The kernel only reads it.
    pub cmdp: *mut u8,
    /// \[i\] The sense buffer. `void *` in the kernel's header, `unsigned char *` in glibc's.
    pub sbp: *mut u8,
    /// \[i\] Milliseconds. 0 takes a default: 30 s on an sg node of a disk, 60 s on a block node, both configurable.
    ///
    /// A block node raises less than 7 s to 7 s; an sg node does not. `u32::MAX` is the longest, some weeks.
    pub timeout: u32,
    /// \[i\] Bits: the `SG_FLAG_*`.
    pub flags: u32,
    /// \[i\] Comes back with the result, and lets `read` choose a result ([`SG_SET_FORCE_PACK_ID`]). -1 means any.
    pub pack_id: i32,
    /// \[i\] The caller's own, comes back with the result. The kernel does not look at it.
    pub usr_ptr: *mut c_void,
    /// \[o\] The SCSI status byte, as the standard has it.
    pub status: u8,
    /// \[o\] `status` shifted right by one, with bits dropped: use `status`. See [`CHECK_CONDITION`].
    pub masked_status: u8,
    /// \[o\] Message byte of the parallel bus. Always 0 today.
    pub msg_status: u8,
    /// \[o\] Sense bytes written to `sbp`; only these are valid. They can come with status GOOD.
    pub sb_len_wr: u8,
    /// \[o\] The host byte (`DID_*`): 0, or what went wrong on the way to the device. 3 is a timeout.
    pub host_status: u16,
    /// \[o\] 0, or [`DRIVER_SENSE`], which is no error by itself.
    pub driver_status: u16,
    /// \[o\] `dxfer_len` less the bytes transferred. Can be negative; can be 0 when CHECK CONDITION moved nothing.
    pub resid: i32,
    /// \[o\] Milliseconds.
    pub duration: u32,
    /// \[o\] Bits: the `SG_INFO_*`.
    pub info: u32,
}

impl sg_io_hdr {
    /// Every field zero, every pointer null.
    pub const ZERO: Self = Self {
        interface_id: 0,
        dxfer_direction: 0,
        cmd_len: 0,
        mx_sb_len: 0,
        iovec_count: 0,
        dxfer_len: 0,
        dxferp: null_mut(),
        cmdp: null_mut(),
        sbp: null_mut(),
        timeout: 0,
        flags: 0,
        pack_id: 0,
        usr_ptr: null_mut(),
        status: 0,
        masked_status: 0,
        msg_status: 0,
        sb_len_wr: 0,
        host_status: 0,
        driver_status: 0,
        resid: 0,
        duration: 0,
        info: 0,
    };
}

impl Default for sg_io_hdr {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The name which the headers give to [`sg_io_hdr`].
pub type sg_io_hdr_t = sg_io_hdr;
/// An old name of [`sg_io_hdr`].
pub type Sg_io_hdr = sg_io_hdr;

/// [`sg_io_hdr::interface_id`]: `'S'`. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_INTERFACE_ID_ORIG: i32 = 'S' as i32;

/// [`sg_io_hdr::dxfer_direction`]: no data.
pub const SG_DXFER_NONE: i32 = -1;
/// [`sg_io_hdr::dxfer_direction`]: to the device, as for WRITE.
pub const SG_DXFER_TO_DEV: i32 = -2;
/// [`sg_io_hdr::dxfer_direction`]: from the device, as for READ.
pub const SG_DXFER_FROM_DEV: i32 = -3;
/// [`sg_io_hdr::dxfer_direction`]: from the device, after the kernel's buffer was filled from the caller's.
pub const SG_DXFER_TO_FROM_DEV: i32 = -4;
/// [`sg_io_hdr::dxfer_direction`]: not known. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_DXFER_UNKNOWN: i32 = -5;

/// [`sg_io_hdr::flags`]: transfer to and from the caller's pages, without a copy.
///
/// Honoured by sg nodes alone, if the module's parameter `allow_dio` is 1, the memory is aligned and there is no iovec;
/// otherwise the data is copied and [`SG_INFO_DIRECT_IO_MASK`] says so. Block nodes need no flag.
pub const SG_FLAG_DIRECT_IO: u32 = 1;
/// [`sg_io_hdr::flags`]: once kept the LUN out of the CDB's second byte. No effect today. Only in glibc's header.
pub const SG_FLAG_LUN_INHIBIT: u32 = 2;
/// [`sg_io_hdr::flags`]: the kernel's name for [`SG_FLAG_LUN_INHIBIT`] (`include/scsi/sg.h`).
pub const SG_FLAG_UNUSED_LUN_INHIBIT: u32 = 2;
/// [`sg_io_hdr::flags`]: transfer to and from the mapped reserve buffer. Kernel: `include/scsi/sg.h`; not in glibc.
///
/// sg nodes only: **block nodes ignore it silently**. One such command at a time: a second gives `EBUSY`.
pub const SG_FLAG_MMAP_IO: u32 = 4;
/// [`sg_io_hdr::flags`]: queue the command behind those that wait. Kernel: `include/scsi/sg.h`; not in glibc.
///
/// The default differs: sg and bsg nodes put commands at the *head*, where later ones overtake earlier ones; block
/// nodes put them at the tail.
pub const SG_FLAG_Q_AT_TAIL: u32 = 0x10;
/// [`sg_io_hdr::flags`]: queue the command before those that wait. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_FLAG_Q_AT_HEAD: u32 = 0x20;
/// [`sg_io_hdr::flags`]: meant to leave out the copy between the kernel's and the caller's memory. No effect today.
pub const SG_FLAG_NO_DXFER: u32 = 0x10000;

/// [`sg_io_hdr::info`]: the bit that says whether all is well.
pub const SG_INFO_OK_MASK: u32 = 0x1;
/// Value under [`SG_INFO_OK_MASK`]: no status, host or driver byte set.
pub const SG_INFO_OK: u32 = 0x0;
/// Value under [`SG_INFO_OK_MASK`]: look at the status, host and driver bytes. GOOD with sense sets it too.
pub const SG_INFO_CHECK: u32 = 0x1;
/// [`sg_io_hdr::info`]: the bits that say how the data moved. Only sg nodes set them.
pub const SG_INFO_DIRECT_IO_MASK: u32 = 0x6;
/// Value under [`SG_INFO_DIRECT_IO_MASK`]: through the kernel's buffers, or no data.
pub const SG_INFO_INDIRECT_IO: u32 = 0x0;
/// Value under [`SG_INFO_DIRECT_IO_MASK`]: direct, as asked for.
pub const SG_INFO_DIRECT_IO: u32 = 0x2;
/// Value under [`SG_INFO_DIRECT_IO_MASK`]: partly direct.
pub const SG_INFO_MIXED_IO: u32 = 0x4;

/// [`sg_io_hdr::driver_status`]: there is sense data. Kernel: `include/scsi/sg.h`; not in glibc.
pub const DRIVER_SENSE: u16 = 0x08;

/// The driver byte of a command's result word, as the kernel's own code has it. Kernel: `include/scsi/sg.h`.
#[must_use]
pub const fn driver_byte(result: u32) -> u8 {
    result.to_be_bytes()[0]
}

/// The masked status of a command's result word. Kernel: `include/scsi/sg.h`, as `status_byte` in Linux 6.1.
#[doc(alias = "status_byte")]
#[must_use]
pub const fn sg_status_byte(result: u32) -> u8 {
    result.to_le_bytes()[0] >> 1
}

/// [`sg_io_hdr::masked_status`]: GOOD. All of these are in the kernel's `include/scsi/sg.h`, most also in glibc's
/// `scsi/scsi.h`; they are half of the standard's values.
pub const GOOD: u8 = 0x00;
/// [`sg_io_hdr::masked_status`]: CHECK CONDITION, 0x02 in the standard and in [`sg_io_hdr::status`].
pub const CHECK_CONDITION: u8 = 0x01;
/// [`sg_io_hdr::masked_status`]: CONDITION MET.
pub const CONDITION_GOOD: u8 = 0x02;
/// [`sg_io_hdr::masked_status`]: BUSY.
pub const BUSY: u8 = 0x04;
/// [`sg_io_hdr::masked_status`]: INTERMEDIATE (obsolete).
pub const INTERMEDIATE_GOOD: u8 = 0x08;
/// [`sg_io_hdr::masked_status`]: INTERMEDIATE-CONDITION MET (obsolete).
pub const INTERMEDIATE_C_GOOD: u8 = 0x0a;
/// [`sg_io_hdr::masked_status`]: RESERVATION CONFLICT.
pub const RESERVATION_CONFLICT: u8 = 0x0c;
/// [`sg_io_hdr::masked_status`]: COMMAND TERMINATED (obsolete).
pub const COMMAND_TERMINATED: u8 = 0x11;
/// [`sg_io_hdr::masked_status`]: TASK SET FULL.
pub const QUEUE_FULL: u8 = 0x14;
/// [`sg_io_hdr::masked_status`]: ACA ACTIVE. Not in glibc.
pub const ACA_ACTIVE: u8 = 0x18;
/// [`sg_io_hdr::masked_status`]: TASK ABORTED. Not in glibc.
pub const TASK_ABORTED: u8 = 0x20;

/// Where an sg node's device is and what it is: the answer to [`SG_GET_SCSI_ID`].
#[repr(C)]
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
pub struct sg_scsi_id {
    /// \[o\] The H of `H:C:T:L`.
    pub host_no: i32,
    /// \[o\] The C of `H:C:T:L`.
    pub channel: i32,
    /// \[o\] The T of `H:C:T:L`.
    pub scsi_id: i32,
    /// \[o\] The L of `H:C:T:L`, cut to 32 bits: take a large LUN from sysfs.
    pub lun: i32,
    /// \[o\] Peripheral device type, as INQUIRY gave it.
    pub scsi_type: i32,
    /// \[o\] Commands which the host takes for one LUN.
    pub h_cmd_per_lun: i16,
    /// \[o\] Commands which the device takes.
    pub d_queue_depth: i16,
    /// \[o\] Zero.
    pub unused: [i32; 2],
}

impl sg_scsi_id {
    /// Every field zero.
    pub const ZERO: Self = Self {
        host_no: 0,
        channel: 0,
        scsi_id: 0,
        lun: 0,
        scsi_type: 0,
        h_cmd_per_lun: 0,
        d_queue_depth: 0,
        unused: [0; 2],
    };
}

/// The name which the kernel's header gives to [`sg_scsi_id`]; not in glibc.
pub type sg_scsi_id_t = sg_scsi_id;
/// An old name of [`sg_scsi_id`].
pub type Sg_scsi_id = sg_scsi_id;

/// One command in flight: an element of the answer to [`SG_GET_REQUEST_TABLE`].
#[repr(C)]
#[derive(Clone, Copy, Debug, FromZeros, Immutable, KnownLayout)]
pub struct sg_req_info {
    /// \[o\] 0: not used, 1: sent, 2: ready to be read. A `char` in C, as are the next three.
    pub req_state: u8,
    /// \[o\] 1 if the call that sent it was interrupted; the command still runs.
    pub orphan: u8,
    /// \[o\] 0: sent by `write`, 1: sent by [`SG_IO`].
    pub sg_io_owned: u8,
    /// \[o\] 1 if there is an error to report.
    pub problem: u8,
    /// \[o\] [`sg_io_hdr::pack_id`].
    pub pack_id: i32,
    /// \[o\] [`sg_io_hdr::usr_ptr`].
    pub usr_ptr: *mut c_void,
    /// \[o\] Milliseconds since it was sent, or that it took.
    pub duration: u32,
    /// \[o\] Zero.
    pub unused: i32,
}

impl sg_req_info {
    /// Every field zero.
    pub const ZERO: Self = Self {
        req_state: 0,
        orphan: 0,
        sg_io_owned: 0,
        problem: 0,
        pack_id: 0,
        usr_ptr: null_mut(),
        duration: 0,
        unused: 0,
    };
}

impl Default for sg_req_info {
    fn default() -> Self {
        Self::ZERO
    }
}

/// The name which the headers give to [`sg_req_info`].
pub type sg_req_info_t = sg_req_info;
/// An old name of [`sg_req_info`].
pub type Sg_req_info = sg_req_info;

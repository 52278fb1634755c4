//! The ioctl numbers of the v3 driver, and the values that go with them.
//!
//! An ioctl whose argument is not described takes a `*mut c_int`. None of the numbers says its direction or size.

use crate::ioctl::Ioctl;

/// Sends a command and waits for its result. Argument: `*mut sg_io_hdr`; on a bsg node `*mut sg_io_v4`.
///
/// On an **sg node the wait can be interrupted**, and the command runs on. A signal handler with `SA_RESTART`, or
/// SIGSTOP and SIGCONT even with all signals blocked, make the kernel send the command a second time. Block and bsg
/// nodes wait without interruption. `write` sends a command once; an interrupted `read` is called again.
pub const SG_IO: Ioctl = 0x2285;

/// Whether the host is emulated (libata, USB storage, ...), out. Always 1 on block and bsg nodes.
pub const SG_EMULATED_HOST: Ioctl = 0x2203;
/// Configured the translation of commands in the `ide-scsi` driver. The argument was the value. No effect today.
pub const SG_SET_TRANSFORM: Ioctl = 0x2204;
/// Read what [`SG_SET_TRANSFORM`] had set. No effect today.
pub const SG_GET_TRANSFORM: Ioctl = 0x2205;
/// Sets the size of the reserve buffer in bytes.
///
/// Success does not mean this size: it is rounded, clamped, and halved while memory lacks. Read it back. `EBUSY` when
/// the buffer was ever mapped, even if it is not any more, or while a command uses it.
pub const SG_SET_RESERVED_SIZE: Ioctl = 0x2275;
/// The size of the reserve buffer in bytes, out.
pub const SG_GET_RESERVED_SIZE: Ioctl = 0x2272;
/// Where the device is and what it is. Argument: `*mut sg_scsi_id`, out.
pub const SG_GET_SCSI_ID: Ioctl = 0x2276;
/// Once forced DMA into low memory. No effect today.
pub const SG_SET_FORCE_LOW_DMA: Ioctl = 0x2279;
/// Whether DMA uses low memory, out.
pub const SG_GET_LOW_DMA: Ioctl = 0x227a;
/// 1: `read` returns the result whose `pack_id` is in the header given to it. 0: the oldest.
///
/// That header is taken for a v3 one only if its `dxfer_direction` is negative.
pub const SG_SET_FORCE_PACK_ID: Ioctl = 0x227b;
/// The `pack_id` of the oldest result that can be read, or -1, out.
pub const SG_GET_PACK_ID: Ioctl = 0x227c;
/// How many results can be read, out.
pub const SG_GET_NUM_WAITING: Ioctl = 0x227d;
/// How many scatter-gather elements the host takes in one command, out.
pub const SG_GET_SG_TABLESIZE: Ioctl = 0x227f;
/// The driver's version as a decimal number, out: 30536 is 3.5.36. Block and bsg nodes say 30527.
pub const SG_GET_VERSION_NUM: Ioctl = 0x2282;
/// Resets. In: one of the `SG_SCSI_RESET_*`. Needs `CAP_SYS_ADMIN` and `CAP_SYS_RAWIO`. Not on bsg nodes.
pub const SG_SCSI_RESET: Ioctl = 0x2284;
/// The commands in flight. Argument: an array of [`SG_MAX_QUEUE`] [`sg_req_info`](super::sg_req_info), all filled.
pub const SG_GET_REQUEST_TABLE: Ioctl = 0x2286;
/// 1: keep the result of an interrupted [`SG_IO`] for `read`. 0: drop it, the default.
///
/// A kept result is later copied to where the interrupted call's pointers pointed, whatever is there then.
pub const SG_SET_KEEP_ORPHAN: Ioctl = 0x2287;
/// What [`SG_SET_KEEP_ORPHAN`] has set, out.
pub const SG_GET_KEEP_ORPHAN: Ioctl = 0x2288;
/// Once the access count of the device, out. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_GET_ACCESS_COUNT: Ioctl = 0x2289;

/// [`SG_SCSI_RESET`]: do nothing but wait until a recovery under way is over.
pub const SG_SCSI_RESET_NOTHING: i32 = 0;
/// [`SG_SCSI_RESET`]: the logical unit. If it fails, the kernel tries target, bus and host in turn.
pub const SG_SCSI_RESET_DEVICE: i32 = 1;
/// [`SG_SCSI_RESET`]: the bus. If it fails, the kernel tries the host.
pub const SG_SCSI_RESET_BUS: i32 = 2;
/// [`SG_SCSI_RESET`]: the host, with every device on it.
pub const SG_SCSI_RESET_HOST: i32 = 3;
/// [`SG_SCSI_RESET`]: the target. If it fails, bus and host are next. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_SCSI_RESET_TARGET: i32 = 4;
/// [`SG_SCSI_RESET`]: or-ed to another value, only that is tried. Kernel: `include/scsi/sg.h`; not in glibc.
pub const SG_SCSI_RESET_NO_ESCALATE: i32 = 0x100;

/// Smallest size in bytes of the pieces which the driver's buffers are made of.
pub const SG_SCATTER_SZ: i32 = 8 * 4096;
/// How often the driver lets the kernel retry. 0 in the kernel's `include/scsi/sg.h`; glibc's header still says 1.
pub const SG_DEFAULT_RETRIES: i32 = 0;
/// Default of [`SG_SET_FORCE_LOW_DMA`]. Only in glibc's header.
pub const SG_DEF_FORCE_LOW_DMA: i32 = 0;
/// Default of [`SG_SET_FORCE_PACK_ID`].
pub const SG_DEF_FORCE_PACK_ID: i32 = 0;
/// Default of [`SG_SET_KEEP_ORPHAN`].
pub const SG_DEF_KEEP_ORPHAN: i32 = 0;
/// Default of [`SG_SET_RESERVED_SIZE`] in bytes, unless the module's parameter `def_reserved_size` says otherwise.
pub const SG_DEF_RESERVED_SIZE: i32 = SG_SCATTER_SZ;
/// An old name of [`SG_DEF_RESERVED_SIZE`].
pub const SG_BIG_BUFF: i32 = SG_DEF_RESERVED_SIZE;
/// How many commands can be in flight on one open file. One more gives `EDOM`.
pub const SG_MAX_QUEUE: usize = 16;

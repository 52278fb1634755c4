//! The SCSI generic v4 interface of `/dev/bsg/H:C:T:L` nodes (`include/uapi/linux/bsg.h`).
//!
//! The ioctl is [`SG_IO`](crate::sg::SG_IO) with a `*mut sg_io_v4`. Traps, each seen on Linux 6.1 and 6.12:
//!
//! - **The iovec counts are ignored.** The kernel moves the data over the iovec array itself. They must be 0.
//! - A transfer in both directions is refused with `EOPNOTSUPP`.
//! - `duration` and `retry_delay` are never written: what they hold after the call is what they held before.
//! - The default place in the queue is the *head*, where block nodes use the tail: commands overtake each other unless
//!   [`BSG_FLAG_Q_AT_TAIL`] is set.
//! - Not every bsg node is a logical unit: SAS, Fibre Channel and UFS drivers make nodes which take other protocols.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// [`sg_io_v4::protocol`]: SCSI. There is no other.
pub const BSG_PROTOCOL_SCSI: u32 = 0;

/// [`sg_io_v4::subprotocol`]: a SCSI command, the only one which logical units take.
pub const BSG_SUB_PROTOCOL_SCSI_CMD: u32 = 0;
/// [`sg_io_v4::subprotocol`]: a task management function. Refused with `EINVAL`.
pub const BSG_SUB_PROTOCOL_SCSI_TMF: u32 = 1;
/// [`sg_io_v4::subprotocol`]: a message of the transport (SAS, Fibre Channel, UFS), on the nodes of those drivers.
pub const BSG_SUB_PROTOCOL_SCSI_TRANSPORT: u32 = 2;

/// [`sg_io_v4::flags`]: queue the command behind those that wait. Not the default.
pub const BSG_FLAG_Q_AT_TAIL: u32 = 0x10;
/// [`sg_io_v4::flags`]: queue the command before those that wait. This is the default, so the flag has no effect.
pub const BSG_FLAG_Q_AT_HEAD: u32 = 0x20;

/// One command and its result, for `SG_IO` on a bsg node.
///
/// It is the same on all architectures: addresses are 64-bit numbers, 0 for "none". 160 bytes, no padding.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct sg_io_v4 {
    /// \[i\] `'Q'`, which tells this header from the v3 one. `'S'` gives `EINVAL`.
    pub guard: i32,
    /// \[i\] [`BSG_PROTOCOL_SCSI`].
    pub protocol: u32,
    /// \[i\] One of the `BSG_SUB_PROTOCOL_*`.
    pub subprotocol: u32,
    /// \[i\] Length of the CDB in bytes, at most 32. A short one, even of 0 bytes, is filled up with zeros.
    pub request_len: u32,
    /// \[i\] Address of the CDB.
    pub request: u64,
    /// \[i\] Task tag. Not used by the kernel.
    pub request_tag: u64,
    /// \[i\] Task attribute. Not used by the kernel.
    pub request_attr: u32,
    /// \[i\] Task priority. Not used by the kernel.
    pub request_priority: u32,
    /// \[i\] Not used.
    pub request_extra: u32,
    /// \[i\] Size of the sense buffer in bytes. The kernel has at most 96 bytes to give.
    pub max_response_len: u32,
    /// \[i\] Address of the sense buffer.
    pub response: u64,
    /// \[i\] **Must be 0**: the kernel ignores it, and would move the data over the iovec array.
    pub dout_iovec_count: u32,
    /// \[i\] Bytes to send to the device.
    pub dout_xfer_len: u32,
    /// \[i\] **Must be 0**: the kernel ignores it, and would move the data over the iovec array.
    pub din_iovec_count: u32,
    /// \[i\] Bytes to receive from the device.
    pub din_xfer_len: u32,
    /// \[i\] Address of the data for the device.
    pub dout_xferp: u64,
    /// \[i\] Address where the data from the device goes.
    pub din_xferp: u64,
    /// \[i\] Milliseconds. 0 takes the node's default (60 s unless changed); less than 7 s is raised to 7 s.
    pub timeout: u32,
    /// \[i\] Bits: the `BSG_FLAG_*`.
    pub flags: u32,
    /// \[i\] The caller's own; the kernel does not look at it.
    pub usr_ptr: u64,
    /// \[i\] Not used.
    pub spare_in: u32,
    /// \[o\] 0, or [`DRIVER_SENSE`](crate::sg::DRIVER_SENSE).
    pub driver_status: u32,
    /// \[o\] The host byte (`DID_*`): 0, or what went wrong on the way to the device.
    pub transport_status: u32,
    /// \[o\] The SCSI status byte, not shifted.
    pub device_status: u32,
    /// \[o\] Meant for the status's auxiliary information. Never written.
    pub retry_delay: u32,
    /// \[o\] Bits: the `SG_INFO_*` of [`sg`](crate::sg). Nothing tells here whether the data was copied.
    pub info: u32,
    /// \[o\] Meant for the duration in milliseconds. Never written.
    pub duration: u32,
    /// \[o\] Sense bytes written to `response`; only these are valid.
    pub response_len: u32,
    /// \[o\] `din_xfer_len` less the bytes received. Can be negative; can be 0 when CHECK CONDITION moved nothing.
    pub din_resid: i32,
    /// \[o\] `dout_xfer_len` less the bytes sent.
    pub dout_resid: i32,
    /// \[o\] The tag which the transport used. Not used by the kernel.
    pub generated_tag: u64,
    /// \[o\] Not used.
    pub spare_out: u32,
    /// Not used; makes the size the same for all alignments.
    pub padding: u32,
}

impl sg_io_v4 {
    /// Every field zero.
    pub const ZERO: Self = Self {
        guard: 0,
        protocol: 0,
        subprotocol: 0,
        request_len: 0,
        request: 0,
        request_tag: 0,
        request_attr: 0,
        request_priority: 0,
        request_extra: 0,
        max_response_len: 0,
        response: 0,
        dout_iovec_count: 0,
        dout_xfer_len: 0,
        din_iovec_count: 0,
        din_xfer_len: 0,
        dout_xferp: 0,
        din_xferp: 0,
        timeout: 0,
        flags: 0,
        usr_ptr: 0,
        spare_in: 0,
        driver_status: 0,
        transport_status: 0,
        device_status: 0,
        retry_delay: 0,
        info: 0,
        duration: 0,
        response_len: 0,
        din_resid: 0,
        dout_resid: 0,
        generated_tag: 0,
        spare_out: 0,
        padding: 0,
    };
}

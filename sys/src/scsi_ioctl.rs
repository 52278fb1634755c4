//! The ioctls which SCSI nodes answer, whatever their driver (`scsi/scsi_ioctl.h` and a part of `scsi/scsi.h`).
//!
//! Sources: the first eight numbers are in glibc's `scsi/scsi_ioctl.h` and in the kernel's
//! `include/scsi/scsi_ioctl.h`. The structs and `SCSI_REMOVAL_*` are only in the kernel's, which is not exported to
//! user space. The numbers from [`SCSI_IOCTL_GET_IDLUN`] on are in glibc's `scsi/scsi.h` and the kernel's
//! `include/scsi/scsi.h`, unless noted otherwise.
//!
//! Beware that `0x5382` and its neighbours mean something else to a CD drive: `linux/cdrom.h` numbers its ioctls in
//! the same range (`CDROMAUDIOBUFSIZ` is 0x5382 too).

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use crate::ioctl::Ioctl;

/// Sends a command described by a [`scsi_ioctl_command`]. Obsolete: use [`SG_IO`](crate::sg::SG_IO).
pub const SCSI_IOCTL_SEND_COMMAND: Ioctl = 1;
/// Sends TEST UNIT READY. No argument.
pub const SCSI_IOCTL_TEST_UNIT_READY: Ioctl = 2;
/// Obsolete; the headers do not say what it did.
pub const SCSI_IOCTL_BENCHMARK_COMMAND: Ioctl = 3;
/// Requests synchronous transfer parameters, by the headers' comment. Obsolete.
pub const SCSI_IOCTL_SYNC: Ioctl = 4;
/// Sends START STOP UNIT with START set. No argument.
pub const SCSI_IOCTL_START_UNIT: Ioctl = 5;
/// Sends START STOP UNIT with START clear. No argument.
pub const SCSI_IOCTL_STOP_UNIT: Ioctl = 6;
/// Sends PREVENT ALLOW MEDIUM REMOVAL to lock the medium in. No argument.
pub const SCSI_IOCTL_DOORLOCK: Ioctl = 0x5380;
/// Sends PREVENT ALLOW MEDIUM REMOVAL to release the medium. No argument.
pub const SCSI_IOCTL_DOORUNLOCK: Ioctl = 0x5381;

/// The "prevent" value of PREVENT ALLOW MEDIUM REMOVAL. Kernel: `include/scsi/scsi_ioctl.h`; not in glibc.
pub const SCSI_REMOVAL_PREVENT: u8 = 1;
/// The "allow" value of PREVENT ALLOW MEDIUM REMOVAL. Kernel: `include/scsi/scsi_ioctl.h`; not in glibc.
pub const SCSI_REMOVAL_ALLOW: u8 = 0;

/// Where the device is. Argument: `*mut scsi_idlun`, out.
///
/// Each part is cut to 8 bits: take a large LUN from sysfs. On a bsg node the answer is always 0.
pub const SCSI_IOCTL_GET_IDLUN: Ioctl = 0x5382;
/// Turned tagged queuing on. glibc: `scsi/scsi.h`; the kernel lists the number as used once.
pub const SCSI_IOCTL_TAGGED_ENABLE: Ioctl = 0x5383;
/// Turned tagged queuing off. glibc: `scsi/scsi.h`; the kernel lists the number as used once.
pub const SCSI_IOCTL_TAGGED_DISABLE: Ioctl = 0x5384;
/// The name of the host adapter. Argument: a buffer of bytes that starts with its own length as a `c_int`.
///
/// Returns 1 if the host exists.
pub const SCSI_IOCTL_PROBE_HOST: Ioctl = 0x5385;
/// The host's number, the H of `H:C:T:L`. Argument: `*mut c_int`, out. On a bsg node the answer is always 0.
pub const SCSI_IOCTL_GET_BUS_NUMBER: Ioctl = 0x5386;
/// The PCI address of the host, as text. Argument: a buffer of bytes. Kernel: `include/scsi/scsi.h`; not in glibc.
pub const SCSI_IOCTL_GET_PCI: Ioctl = 0x5387;

/// The argument of [`SCSI_IOCTL_SEND_COMMAND`]: this header, then the CDB, then the data.
///
/// Kernel: `include/scsi/scsi_ioctl.h`; not in glibc. The kernel knows the CDB's length from its first byte, copies the
/// data for the device from behind it, and writes the answer over `data`, from its first byte.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
pub struct scsi_ioctl_command {
    /// \[i\] Bytes to send to the device, not counting the CDB.
    pub inlen: u32,
    /// \[i\] Bytes to receive from the device.
    pub outlen: u32,
    /// Where the CDB starts, and later the answer: a flexible array in C, so no bytes of its own here.
    pub data: [u8; 0],
}

impl scsi_ioctl_command {
    /// Every field zero.
    pub const ZERO: Self = Self {
        inlen: 0,
        outlen: 0,
        data: [],
    };
}

/// The name which the kernel's header gives to [`scsi_ioctl_command`].
pub type Scsi_Ioctl_Command = scsi_ioctl_command;

/// The answer to [`SCSI_IOCTL_GET_IDLUN`]. Kernel: `include/scsi/scsi_ioctl.h`; not in glibc.
#[repr(C)]
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
pub struct scsi_idlun {
    /// \[o\] `id | lun << 8 | channel << 16 | host << 24`, each part cut to 8 bits.
    pub dev_id: u32,
    /// \[o\] A number that the host's driver gave to this host.
    pub host_unique_id: u32,
}

impl scsi_idlun {
    /// Every field zero.
    pub const ZERO: Self = Self {
        dev_id: 0,
        host_unique_id: 0,
    };
}

/// The name which the kernel's header gives to [`scsi_idlun`].
pub type Scsi_Idlun = scsi_idlun;

/// The address of a Fibre Channel target. Kernel: `include/scsi/scsi_ioctl.h`; not in glibc.
///
/// It belonged to an ioctl that is no longer in the kernel; the header still has the struct.
#[repr(C)]
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout,
)]
pub struct scsi_fctargaddress {
    /// The port's identifier.
    pub host_port_id: u32,
    /// The world-wide name.
    pub host_wwn: [u8; 8],
}

impl scsi_fctargaddress {
    /// Every field zero.
    pub const ZERO: Self = Self {
        host_port_id: 0,
        host_wwn: [0; 8],
    };
}

/// The name which the kernel's header gives to [`scsi_fctargaddress`].
pub type Scsi_FCTargAddress = scsi_fctargaddress;

//! The sg driver's control calls.

use std::{fmt, io, time::Duration};

use passthru_sys::sg;

use super::{Access, SgDevice};
use crate::{Result, scsi::DeviceType, syscall};

/// The version of the sg driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "SG_GET_VERSION_NUM")]
pub struct SgVersion(u32);

impl SgVersion {
    /// The number as the kernel gives it: 30536 is 3.5.36.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for SgVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0;
        write!(
            f,
            "{}.{}.{}",
            number / 10_000,
            number / 100 % 100,
            number % 100
        )
    }
}

/// What the sg driver knows of its device. Host, channel and target are the
/// kernel's; `lun` is cut to 32 bits here, so use
/// [`address`](SgDevice::address) to name a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "SG_GET_SCSI_ID")]
#[non_exhaustive]
pub struct SgScsiId {
    /// The host adapter's number.
    pub host: i32,
    /// The channel of the host adapter.
    pub channel: i32,
    /// The target.
    pub target: i32,
    /// The low 32 bits of the LUN.
    pub lun: i32,
    /// The device type.
    pub device_type: DeviceType,
    /// How many commands the host adapter queues for each logical unit.
    pub commands_per_lun: i16,
    /// How many commands the device takes at once.
    pub queue_depth: i16,
}

/// A command that is known to the sg driver on this descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("SG_GET_REQUEST_TABLE", "sg_req_info"))]
#[non_exhaustive]
pub struct SgRequest {
    /// Whether it is still in flight (`req_state` 1); else its result waits to
    /// be read.
    pub in_flight: bool,
    /// Whether it was given up by an interrupted `SG_IO`.
    pub orphan: bool,
    /// Whether it was sent by `SG_IO` and not by `write`.
    pub by_ioctl: bool,
    /// Whether it ended with a status or sense data.
    pub problem: bool,
    /// The identifier under which its result is read.
    pub pack_id: i32,
    /// How long it has been in flight, or took, in whole milliseconds.
    pub duration: Duration,
}

/// What to reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "SG_SCSI_RESET")]
#[non_exhaustive]
pub enum Reset {
    /// The logical unit.
    #[doc(alias = "SG_SCSI_RESET_DEVICE")]
    Device,
    /// The target, with all its logical units.
    #[doc(alias = "SG_SCSI_RESET_TARGET")]
    Target,
    /// The bus, with all its targets.
    #[doc(alias = "SG_SCSI_RESET_BUS")]
    Bus,
    /// The host adapter, with everything behind it: system disks as well.
    #[doc(alias = "SG_SCSI_RESET_HOST")]
    Host,
}

impl SgDevice {
    /// The driver's version (`SG_GET_VERSION_NUM`).
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    #[doc(alias = "SG_GET_VERSION_NUM")]
    pub fn version(&self) -> Result<SgVersion> {
        let number = self.ask("SG_GET_VERSION_NUM", syscall::sg_version(self.core.fd()))?;
        Ok(SgVersion(u32::try_from(number).unwrap_or(0)))
    }

    /// Where the device is attached and what queue it has (`SG_GET_SCSI_ID`).
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    pub fn scsi_id(&self) -> Result<SgScsiId> {
        let id = self.ask("SG_GET_SCSI_ID", syscall::sg_scsi_id(self.core.fd()))?;
        Ok(SgScsiId {
            host: id.host_no,
            channel: id.channel,
            target: id.scsi_id,
            lun: id.lun,
            device_type: DeviceType(u8::try_from(id.scsi_type).unwrap_or(DeviceType::NONE.0)),
            commands_per_lun: id.h_cmd_per_lun,
            queue_depth: id.d_queue_depth,
        })
    }

    /// The size of this descriptor's reserve buffer in bytes
    /// (`SG_GET_RESERVED_SIZE`), or the greatest transfer of the queue if that
    /// is less.
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    #[doc(alias = "SG_GET_RESERVED_SIZE")]
    pub fn reserved_size(&self) -> Result<usize> {
        let size = self.ask(
            "SG_GET_RESERVED_SIZE",
            syscall::sg_reserved_size(self.core.fd()),
        )?;
        Ok(usize::try_from(size).unwrap_or(0))
    }

    /// Asks for a reserve buffer of `bytes` (`SG_SET_RESERVED_SIZE`) and returns
    /// what the kernel made of it: rounded up to 512 bytes, at least a page, at
    /// most the queue's greatest transfer, and less when memory is short.
    ///
    /// # Errors
    /// [`Error::ReserveBusy`](crate::Error::ReserveBusy) while a command uses the buffer, [`Error::Gone`](crate::Error::Gone),
    /// [`Error::Os`](crate::Error::Os); sizes beyond `i32::MAX` ask for `i32::MAX`.
    #[doc(alias = "SG_SET_RESERVED_SIZE")]
    pub fn set_reserved_size(&self, bytes: usize) -> Result<usize> {
        let wish = i32::try_from(bytes).unwrap_or(i32::MAX);
        self.ask(
            "SG_SET_RESERVED_SIZE",
            syscall::sg_set_reserved_size(self.core.fd(), wish),
        )?;
        self.reserved_size()
    }

    /// How many scattered pieces of memory the host adapter takes in one
    /// command (`SG_GET_SG_TABLESIZE`).
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    #[doc(alias = "SG_GET_SG_TABLESIZE")]
    pub fn sg_table_size(&self) -> Result<usize> {
        let size = self.ask(
            "SG_GET_SG_TABLESIZE",
            syscall::sg_table_size(self.core.fd()),
        )?;
        Ok(usize::try_from(size).unwrap_or(0))
    }

    /// The greatest transfer that the queue is set to, in bytes (`BLKSECTGET`;
    /// `max_sectors_kb` of sysfs). Commands up to
    /// [`max_transfer`](Self::max_transfer) are taken all the same.
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    #[doc(alias = "BLKSECTGET")]
    pub fn queue_limit(&self) -> Result<usize> {
        let size = self.ask("BLKSECTGET", syscall::sg_max_sectors_bytes(self.core.fd()))?;
        Ok(usize::try_from(size).unwrap_or(0))
    }

    /// The commands that the driver holds for this descriptor, at most 16
    /// (`SG_GET_REQUEST_TABLE`).
    ///
    /// # Errors
    /// [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    #[doc(alias = "SG_GET_REQUEST_TABLE")]
    pub fn requests(&self) -> Result<Vec<SgRequest>> {
        let table = self.ask(
            "SG_GET_REQUEST_TABLE",
            syscall::sg_request_table(self.core.fd()),
        )?;
        Ok(table
            .iter()
            .filter(|entry| entry.req_state != 0)
            .map(|entry| SgRequest {
                in_flight: entry.req_state == 1,
                orphan: entry.orphan != 0,
                by_ioctl: entry.sg_io_owned != 0,
                problem: entry.problem != 0,
                pack_id: entry.pack_id,
                duration: Duration::from_millis(u64::from(entry.duration)),
            })
            .collect())
    }

    /// Resets the device, or more (`SG_SCSI_RESET`), and nothing beyond what
    /// was named: the kernel would otherwise go on to the target, the bus and
    /// the host when a reset fails (`SG_SCSI_RESET_NO_ESCALATE` is set).
    ///
    /// # Errors
    /// [`Error::ControlDenied`](crate::Error::ControlDenied) on a read-only handle, and without
    /// `CAP_SYS_ADMIN` and `CAP_SYS_RAWIO`; [`Error::Gone`](crate::Error::Gone), [`Error::Os`](crate::Error::Os).
    pub fn reset(&self, what: Reset) -> Result<()> {
        self.reset_by(level(what) | sg::SG_SCSI_RESET_NO_ESCALATE)
    }

    /// As [`reset`](Self::reset), and when that fails the next greater thing,
    /// up to the host adapter.
    ///
    /// # Errors
    /// As [`reset`](Self::reset).
    pub fn reset_escalating(&self, what: Reset) -> Result<()> {
        self.reset_by(level(what))
    }

    fn reset_by(&self, number: i32) -> Result<()> {
        const OP: &str = "SG_SCSI_RESET";
        if self.access() == Access::ReadOnly {
            return Err(self.core.control_error(
                OP,
                "a handle opened with open_rw",
                io::Error::from_raw_os_error(libc::EACCES),
            ));
        }
        syscall::sg_reset(self.core.fd(), number).map_err(|source| {
            self.core
                .control_error(OP, "CAP_SYS_ADMIN and CAP_SYS_RAWIO (root)", source)
        })
    }

    fn ask<T>(&self, op: &'static str, answer: io::Result<T>) -> Result<T> {
        answer.map_err(|source| self.core.control_error(op, "access to the sg node", source))
    }
}

const fn level(what: Reset) -> i32 {
    match what {
        Reset::Device => sg::SG_SCSI_RESET_DEVICE,
        Reset::Target => sg::SG_SCSI_RESET_TARGET,
        Reset::Bus => sg::SG_SCSI_RESET_BUS,
        Reset::Host => sg::SG_SCSI_RESET_HOST,
    }
}

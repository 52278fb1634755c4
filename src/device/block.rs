//! `SG_IO` on a block node: `/dev/sdX`, `/dev/srN`.

use std::path::Path;

use super::{
    Access, OpenOptions, ScsiAddress, bounce,
    core::{Core, Lost},
    node::NodeKind,
};
use crate::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType},
    syscall,
};

/// The block node of a SCSI disk or optical drive, `/dev/sdX` or `/dev/srN`.
///
/// Commands go by `ioctl(SG_IO)`, which is uninterruptible on a block node: not
/// even a fatal signal ends the wait before the command has ended. A buffer
/// that is aligned as the device wants (a page is always enough) is used
/// without a copy.
///
/// The kernel filters the commands of processes without `CAP_SYS_RAWIO`
/// ([`Error::NotPermitted`](crate::Error::NotPermitted)), and raises timeouts
/// below 7 s to 7 s.
///
/// ```no_run
/// use passthru::{BlockDevice, ScsiTransportExt, scsi::ReadCapacity10};
///
/// let disk = BlockDevice::open("/dev/sda")?;
/// println!("{} bytes a block", disk.query(&ReadCapacity10)?.block_length());
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
pub struct BlockDevice {
    core: Core,
}

impl BlockDevice {
    /// Opens it (`O_RDONLY`) for commands that change nothing
    /// ([`is_read_only`](crate::scsi::is_read_only)).
    ///
    /// # Errors
    /// [`Error::WrongNode`](crate::Error::WrongNode),
    /// [`Error::Partition`](crate::Error::Partition),
    /// [`Error::OpenDenied`](crate::Error::OpenDenied),
    /// [`Error::InUse`](crate::Error::InUse), [`Error::Os`](crate::Error::Os).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens it (`O_RDWR`) for every command.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_rw(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new().write(true))
    }

    /// Opens it as `options` say.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self> {
        let core = Core::open(path.as_ref(), &[NodeKind::Block], options)?;
        Ok(Self { core })
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        self.core.access()
    }

    /// What kind of device it is, from sysfs.
    #[must_use]
    pub const fn device_type(&self) -> Option<DeviceType> {
        self.core.device_type()
    }

    /// Where it is attached, from sysfs.
    #[must_use]
    pub fn address(&self) -> Option<ScsiAddress> {
        self.core.address()
    }

    /// An upper bound of what one command can transfer, in bytes: what the host
    /// adapter says it takes (`max_hw_sectors_kb` in sysfs), at most 256 MiB less
    /// one. Some adapters have no limit and say so, and a buffer of scattered
    /// pages can need more segments than there are, so it is no good size for
    /// commands. `None` for devices without a block node.
    #[must_use]
    pub fn max_transfer(&self) -> Option<u64> {
        self.core.max_transfer()
    }
}

impl ScsiTransport for BlockDevice {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        let params = self.core.admit(cdb, &data, options)?;
        let len = data.len();
        Outcome::filled(len, |outcome| {
            bounce::unless_taken(data, outcome, |data, outcome| {
                syscall::block_sg_io(self.core.fd(), cdb, data, params, outcome)
                    .map_err(Lost::unsent)
            })
            .map_err(|lost| self.core.send_error("ioctl(SG_IO)", cdb, len, lost))
        })
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    fn default_options(&self) -> Options {
        self.core.defaults()
    }

    fn device_type(&self) -> Option<DeviceType> {
        BlockDevice::device_type(self)
    }
}

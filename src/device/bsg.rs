//! `SG_IO` with a v4 header on a bsg node: `/dev/bsg/H:C:T:L`.

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

/// The bsg node of a logical unit, `/dev/bsg/H:C:T:L`: any kind of SCSI device,
/// also where the module `sg` is not loaded.
///
/// Commands go by `ioctl(SG_IO)` with a v4 header, which is uninterruptible on a
/// bsg node: not even a fatal signal ends the wait before the command has ended.
/// A buffer that is aligned as the device wants (a page is always enough) is
/// used without a copy. Vectored data is refused: the kernel ignores the vector's
/// length and would write data over it.
///
/// The kernel filters the commands of processes without `CAP_SYS_RAWIO`
/// ([`Error::NotPermitted`](crate::Error::NotPermitted)), raises timeouts below
/// 7 s to 7 s, and measures no duration.
///
/// Signals never send a command twice here, but the kernel may: when the host
/// adapter gives a command back as lost for a passing reason (`DID_BUS_BUSY`,
/// `DID_SOFT_ERROR` and the like), up to 6 commands for one were seen on kernel
/// 6.12. sg and block nodes set the number of retries to none. For a WRITE that
/// must not be repeated, a tape's for one, use the sg node.
///
/// ```no_run
/// use passthru::{BsgDevice, ScsiTransportExt, scsi::Inquiry};
///
/// let enclosure = BsgDevice::open("/dev/bsg/0:0:8:0")?;
/// println!("{}", enclosure.query(&Inquiry::standard())?.product());
/// # Ok::<(), passthru::Error>(())
/// ```
#[doc(alias = "sg_io_v4")]
#[derive(Debug)]
pub struct BsgDevice {
    core: Core,
}

impl BsgDevice {
    /// Opens it (`O_RDONLY`) for commands that change nothing
    /// ([`is_read_only`](crate::scsi::is_read_only)).
    ///
    /// # Errors
    /// [`Error::WrongNode`](crate::Error::WrongNode),
    /// [`Error::NotLogicalUnit`](crate::Error::NotLogicalUnit),
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
        let core = Core::open(path.as_ref(), &[NodeKind::Bsg], options)?;
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

impl ScsiTransport for BsgDevice {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        let params = self.core.admit(cdb, &data, options)?;
        let len = data.len();
        Outcome::filled(len, |outcome| {
            bounce::unless_taken(data, outcome, |data, outcome| {
                syscall::bsg_sg_io(self.core.fd(), cdb, data, params, outcome).map_err(Lost::unsent)
            })
            .map_err(|lost| self.core.send_error("ioctl(SG_IO, v4)", cdb, len, lost))
        })
    }

    fn path(&self) -> &Path {
        self.core.path()
    }

    fn default_options(&self) -> Options {
        self.core.defaults()
    }

    fn device_type(&self) -> Option<DeviceType> {
        BsgDevice::device_type(self)
    }
}

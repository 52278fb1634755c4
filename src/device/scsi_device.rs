//! Any node that takes SCSI commands, told apart at run time.

use std::path::Path;

use super::{
    Access, BlockDevice, BsgDevice, NodeKind, OpenOptions, ScsiAddress, SgDevice, node::Node,
};
use crate::{
    Data, Options, Outcome, Result, ScsiTransport,
    scsi::{Cdb, DeviceType},
};

/// A SCSI device behind whichever node the path names.
///
/// Programs that take a device as an argument open this: it looks at the node
/// and uses the right interface.
///
/// ```no_run
/// use passthru::{ScsiDevice, ScsiTransportExt, scsi::Inquiry};
///
/// for path in ["/dev/sg0", "/dev/sda", "/dev/bsg/0:0:0:0"] {
///     let device = ScsiDevice::open(path)?;
///     println!("{path}: {}", device.query(&Inquiry::standard())?.product());
/// }
/// # Ok::<(), passthru::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ScsiDevice {
    /// An sg node.
    Sg(SgDevice),
    /// A block node.
    Block(BlockDevice),
    /// A bsg node.
    Bsg(BsgDevice),
}

impl ScsiDevice {
    /// Opens it for commands that change nothing
    /// ([`is_read_only`](crate::scsi::is_read_only)).
    ///
    /// # Errors
    /// [`Error::WrongNode`](crate::Error::WrongNode) for everything else than an
    /// sg, bsg or SCSI block node; for tape and changer nodes it names the sg
    /// node. [`Error::Partition`](crate::Error::Partition),
    /// [`Error::NotLogicalUnit`](crate::Error::NotLogicalUnit),
    /// [`Error::OpenDenied`](crate::Error::OpenDenied),
    /// [`Error::Os`](crate::Error::Os).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, &OpenOptions::new())
    }

    /// Opens it for every command.
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
        let path = path.as_ref();
        Ok(match Node::look_at(path)?.kind {
            NodeKind::Sg => Self::Sg(SgDevice::open_with(path, options)?),
            NodeKind::Block => Self::Block(BlockDevice::open_with(path, options)?),
            NodeKind::Bsg => Self::Bsg(BsgDevice::open_with(path, options)?),
        })
    }

    /// Which kind of node it is.
    #[must_use]
    pub const fn kind(&self) -> NodeKind {
        match self {
            Self::Sg(_) => NodeKind::Sg,
            Self::Block(_) => NodeKind::Block,
            Self::Bsg(_) => NodeKind::Bsg,
        }
    }

    /// What this handle lets through.
    #[must_use]
    pub const fn access(&self) -> Access {
        match self {
            Self::Sg(device) => device.access(),
            Self::Block(device) => device.access(),
            Self::Bsg(device) => device.access(),
        }
    }

    /// What kind of device it is, from sysfs.
    #[must_use]
    pub const fn device_type(&self) -> Option<DeviceType> {
        match self {
            Self::Sg(device) => device.device_type(),
            Self::Block(device) => device.device_type(),
            Self::Bsg(device) => device.device_type(),
        }
    }

    /// Where it is attached, from sysfs.
    #[must_use]
    pub fn address(&self) -> Option<ScsiAddress> {
        match self {
            Self::Sg(device) => device.address(),
            Self::Block(device) => device.address(),
            Self::Bsg(device) => device.address(),
        }
    }

    /// An upper bound of what one command can transfer, in bytes: what the host
    /// adapter says it takes (`max_hw_sectors_kb` in sysfs), at most 256 MiB less
    /// one. Some adapters have no limit and say so, and a buffer of scattered
    /// pages can need more segments than there are, so it is no good size for
    /// commands. `None` for devices without a block node.
    #[must_use]
    pub fn max_transfer(&self) -> Option<u64> {
        match self {
            Self::Sg(device) => device.max_transfer(),
            Self::Block(device) => device.max_transfer(),
            Self::Bsg(device) => device.max_transfer(),
        }
    }
}

impl From<SgDevice> for ScsiDevice {
    fn from(device: SgDevice) -> Self {
        Self::Sg(device)
    }
}

impl From<BlockDevice> for ScsiDevice {
    fn from(device: BlockDevice) -> Self {
        Self::Block(device)
    }
}

impl From<BsgDevice> for ScsiDevice {
    fn from(device: BsgDevice) -> Self {
        Self::Bsg(device)
    }
}

impl ScsiTransport for ScsiDevice {
    fn send(&self, cdb: &Cdb, data: Data<'_>, options: &Options) -> Result<Outcome> {
        match self {
            Self::Sg(device) => device.send(cdb, data, options),
            Self::Block(device) => device.send(cdb, data, options),
            Self::Bsg(device) => device.send(cdb, data, options),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Self::Sg(device) => device.path(),
            Self::Block(device) => device.path(),
            Self::Bsg(device) => device.path(),
        }
    }

    fn default_options(&self) -> Options {
        match self {
            Self::Sg(device) => device.default_options(),
            Self::Block(device) => device.default_options(),
            Self::Bsg(device) => device.default_options(),
        }
    }

    fn device_type(&self) -> Option<DeviceType> {
        ScsiDevice::device_type(self)
    }
}

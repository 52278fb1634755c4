//! NVMe namespaces in sysfs, and the paths to them.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::{
    TextBuf,
    sysfs::{attribute, number},
};

/// An NVMe namespace with its nodes.
///
/// All but its names and its identifier is read when it is asked for, from
/// files of the block device that `drivers/nvme/host/sysfs.c` (`core.c` before
/// 6.5) and `block/genhd.c` make.
#[derive(Clone, Debug, Default)]
pub struct NvmeNamespace {
    pub(super) name: String,
    pub(super) nsid: Option<u32>,
    pub(super) block: Option<Box<Path>>,
    pub(super) generic: Option<Box<Path>>,
    pub(super) is_multipath: bool,
    pub(super) paths: Vec<NvmePath>,
    pub(super) folder: Option<PathBuf>,
}

impl NvmeNamespace {
    /// The kernel's name: that of the block node, `nvme0n1`, or of the generic
    /// node if that is all there is. The number after the `n` is not the
    /// namespace identifier, and the other one may be that of a subsystem.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The namespace identifier; `None` if sysfs has no block device of it.
    #[must_use]
    pub const fn nsid(&self) -> Option<u32> {
        self.nsid
    }

    /// `/dev/nvmeXnY`; `None` if the kernel does not know the namespace's
    /// command set.
    #[must_use]
    pub fn block(&self) -> Option<&Path> {
        self.block.as_deref()
    }

    /// `/dev/ngXnY`, which takes commands of every command set; `None` before
    /// kernel 5.13.
    #[must_use]
    pub fn generic(&self) -> Option<&Path> {
        self.generic.as_deref()
    }

    /// Whether its nodes are those of the kernel's own multipath, which send
    /// commands by whichever path is usable. If not, they are those of one
    /// controller, and it may be dm-multipath that joins several.
    #[must_use]
    pub const fn is_multipath(&self) -> bool {
        self.is_multipath
    }

    /// How it is reached, in the order of the controllers. Without the kernel's
    /// own multipath there is one path.
    #[must_use]
    pub fn paths(&self) -> &[NvmePath] {
        &self.paths
    }

    /// The folder of the block device in sysfs, without symbolic links in it.
    #[must_use]
    pub fn sysfs(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Where its files may be.
    pub(super) fn folders(&self) -> impl Iterator<Item = &Path> {
        let paths = self.paths.iter().filter_map(|path| path.folder.as_deref());
        self.folder.as_deref().into_iter().chain(paths)
    }

    /// The best name that identifies it in the world: `uuid.`, `eui.`, or one
    /// made from the serial number (file `wwid`). Read now.
    #[must_use]
    pub fn wwid(&self) -> Option<TextBuf> {
        self.folders().find_map(|folder| attribute(folder, "wwid"))
    }

    /// The UUID, in its usual form, if it has one. Read now.
    ///
    /// It is taken from the [`wwid`](Self::wwid): the file `uuid` holds the
    /// NGUID where there is no UUID (`uuid_show`), and reading it then makes
    /// the kernel log a warning.
    #[must_use]
    pub fn uuid(&self) -> Option<TextBuf> {
        let wwid = self.wwid()?;
        let uuid = wwid.as_bytes().strip_prefix(b"uuid.")?;
        Some(TextBuf::new(uuid))
    }

    /// The namespace globally unique identifier, in the form of a UUID (file
    /// `nguid`); `None` if it has none. Read now.
    #[must_use]
    pub fn nguid(&self) -> Option<TextBuf> {
        self.folders().find_map(|folder| attribute(folder, "nguid"))
    }

    /// The IEEE extended unique identifier, as 8 bytes in hex (file `eui`);
    /// `None` if it has none. Read now.
    #[must_use]
    pub fn eui(&self) -> Option<TextBuf> {
        self.folders().find_map(|folder| attribute(folder, "eui"))
    }

    /// The size in bytes (file `size`, in units of 512 bytes whatever the block
    /// length: Documentation/ABI/stable/sysfs-block). Read now.
    ///
    /// `None` too if the kernel cannot use the format as a block device, for
    /// one with metadata between the blocks: it then has 0 in this file
    /// (`nvme_update_disk_info` in `drivers/nvme/host/core.c`).
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        let size = number(self.folder.as_ref()?, "size")?.checked_mul(512);
        size.filter(|size| *size > 0)
    }

    /// The length of a logical block in bytes, without metadata (file
    /// `queue/logical_block_size`). Read now.
    #[must_use]
    pub fn logical_block_size(&self) -> Option<u32> {
        let size = number(self.folder.as_ref()?, "queue/logical_block_size")?;
        u32::try_from(size).ok()
    }
}

impl fmt::Display for NvmeNamespace {
    /// The kernel's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// A controller that reaches a namespace.
#[derive(Clone, Debug)]
pub struct NvmePath {
    pub(super) name: Option<String>,
    pub(super) controller: String,
    pub(super) instance: u32,
    pub(super) folder: Option<PathBuf>,
}

impl NvmePath {
    /// The kernel's name, `nvmeXcYnZ`, which has no node; `None` without the
    /// kernel's own multipath.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name of the controller, `nvmeN`.
    #[must_use]
    pub fn controller(&self) -> &str {
        &self.controller
    }

    /// `optimized`, `non-optimized`, `inaccessible` and others (file
    /// `ana_state`); `None` if the controller does not report asymmetric
    /// namespace access. Read now.
    #[must_use]
    pub fn ana_state(&self) -> Option<TextBuf> {
        attribute(self.folder.as_ref()?, "ana_state")
    }
}

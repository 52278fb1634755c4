//! What an NVMe node is, from sysfs.

use std::{
    fs, io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use nix::sys::stat::{FileStat, SFlag, major, minor};

use crate::{Error, Result, device::sysfs};

/// The kinds of NVMe node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `/dev/nvmeX`.
    Controller,
    /// `/dev/ngXnY` or `/dev/nvmeXnY`.
    Namespace,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Controller => "an NVMe controller (/dev/nvmeX)",
            Self::Namespace => "an NVMe namespace (/dev/ngXnY, /dev/nvmeXnY)",
        }
    }
}

/// An NVMe node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) rdev: u64,
    /// Whether it is a disk.
    #[cfg_attr(not(feature = "uring"), expect(dead_code))]
    pub(super) block: bool,
    /// Its folder in sysfs.
    pub(super) folder: PathBuf,
}

impl Node {
    /// Looks at a path without opening it.
    pub(super) fn look_at(path: &Path, wanted: Kind) -> Result<Self> {
        let stat = fs::metadata(path).map_err(|source| {
            let path = path.to_path_buf();
            match source.kind() {
                io::ErrorKind::NotFound => Error::NotFound { path, source },
                _ => Error::Os {
                    op: "stat",
                    path,
                    cdb: None,
                    sent: false,
                    source,
                },
            }
        })?;
        let kind = stat.file_type();
        let block = match () {
            () if kind.is_char_device() => Some(false),
            () if kind.is_block_device() => Some(true),
            () => None,
        };
        Self::find(path, block, stat.rdev(), wanted)
    }

    /// The same for an open descriptor.
    pub(super) fn of(path: &Path, stat: &FileStat, wanted: Kind) -> Result<Self> {
        let format = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT;
        let block = match format {
            SFlag::S_IFCHR => Some(false),
            SFlag::S_IFBLK => Some(true),
            _ => None,
        };
        Self::find(path, block, stat.st_rdev, wanted)
    }

    fn find(path: &Path, block: Option<bool>, rdev: u64, wanted: Kind) -> Result<Self> {
        let wrong = |found: &'static str| Error::WrongNode {
            path: path.to_path_buf(),
            found,
            expected: wanted.name(),
            hint: None,
        };
        let Some(block) = block else {
            return Err(wrong("no device"));
        };
        let Some(folder) = sysfs::folder(block, major(rdev), minor(rdev)) else {
            return Err(wrong("nothing that sysfs knows"));
        };
        let class = sysfs::subsystem(&folder).unwrap_or_default();
        let kind = match class.as_str() {
            "nvme" => Kind::Controller,
            "nvme-generic" => Kind::Namespace,
            "block" if folder.join("partition").exists() => {
                let whole = folder.parent().and_then(Path::file_name);
                return Err(Error::Partition {
                    path: path.to_path_buf(),
                    whole: whole.map(|name| Path::new("/dev").join(name)),
                });
            }
            "block" if is_nvme_disk(&folder) => Kind::Namespace,
            "block" => return Err(wrong("a block device that is no NVMe namespace")),
            "scsi_generic" | "bsg" => return Err(wrong("a SCSI node")),
            _ => return Err(wrong("a device of another driver")),
        };
        if kind != wanted {
            return Err(wrong(kind.name()));
        }
        Ok(Self {
            kind,
            rdev,
            block,
            folder,
        })
    }

    /// The folders of request queues that tell what the driver lets a command
    /// move: a disk's own, and for a generic node or a controller those of the
    /// disks beside it or below it, which have the same limits.
    pub(super) fn queues(&self) -> impl Iterator<Item = PathBuf> {
        self.disks().map(|disk| disk.join("queue"))
    }

    /// The folders of what may be disks: the node's own, and those beside a
    /// namespace's node or below a controller.
    pub(super) fn disks(&self) -> impl Iterator<Item = PathBuf> {
        let around = match self.kind {
            Kind::Controller => Some(self.folder.clone()),
            Kind::Namespace => self.folder.parent().map(Path::to_path_buf),
        };
        let beside = around
            .and_then(|folder| fs::read_dir(folder).ok())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        std::iter::once(self.folder.clone()).chain(beside)
    }
}

/// A namespace's disk hangs below its controller or its subsystem.
fn is_nvme_disk(folder: &Path) -> bool {
    sysfs::follow(folder, "device")
        .and_then(|device| sysfs::subsystem(&device))
        .is_some_and(|class| class == "nvme" || class == "nvme-subsystem")
}

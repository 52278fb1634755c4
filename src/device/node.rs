//! What a path in /dev is.

use std::{
    fmt, fs, io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use nix::sys::stat::{FileStat, SFlag, major, minor};

use super::sysfs;
use crate::{Error, Result, scsi::DeviceType};

/// The kinds of node that take SCSI commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeKind {
    /// `/dev/sgN`, SCSI generic.
    Sg,
    /// `/dev/bsg/H:C:T:L`.
    Bsg,
    /// `/dev/sdX` or `/dev/srN`, a SCSI disk or optical drive.
    Block,
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sg => "sg",
            Self::Bsg => "bsg",
            Self::Block => "block",
        })
    }
}

impl NodeKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Sg => "an sg node (/dev/sgN)",
            Self::Bsg => "a bsg node (/dev/bsg/H:C:T:L)",
            Self::Block => "a SCSI block node (/dev/sdX, /dev/srN)",
        }
    }
}

const SG_MAJOR: u64 = 21;

/// A node that takes SCSI commands, and what sysfs knows of its device.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) rdev: u64,
    pub(super) device_type: Option<DeviceType>,
    /// The folder of the SCSI device (`.../H:C:T:L`).
    pub(super) device: PathBuf,
}

/// What the path is, before it is judged.
enum Found {
    Node(Node),
    /// Something else, with the SCSI device that it belongs to, if it does.
    Other(&'static str, Option<PathBuf>),
    Partition(Option<PathBuf>),
    NotLogicalUnit(String),
}

impl Node {
    /// Looks at a path without opening it: opening a tape node may rewind it.
    pub(super) fn look_at(path: &Path) -> Result<Self> {
        judge(path, look(path)?)
    }

    /// The same for an open descriptor.
    pub(super) fn of(path: &Path, stat: &FileStat) -> Result<Self> {
        let format = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT;
        let found = if format == SFlag::S_IFCHR {
            find(false, stat.st_rdev)
        } else if format == SFlag::S_IFBLK {
            find(true, stat.st_rdev)
        } else {
            Found::Other("no device", None)
        };
        judge(path, found)
    }

    /// # Errors
    /// [`Error::WrongNode`] unless it is one of these kinds.
    pub(super) fn must_be(&self, path: &Path, wanted: &[NodeKind]) -> Result<()> {
        if wanted.contains(&self.kind) {
            return Ok(());
        }
        let first = wanted.first().copied();
        Err(Error::WrongNode {
            path: path.to_path_buf(),
            found: self.kind.name(),
            expected: first.map_or("anything", NodeKind::name),
            hint: first.and_then(|kind| sysfs::sibling_node(&self.device, kind)),
        })
    }
}

fn look(path: &Path) -> Result<Found> {
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
    Ok(if kind.is_char_device() {
        find(false, stat.rdev())
    } else if kind.is_block_device() {
        find(true, stat.rdev())
    } else {
        Found::Other(plain(&kind), None)
    })
}

fn judge(path: &Path, found: Found) -> Result<Node> {
    let path = path.to_path_buf();
    match found {
        Found::Node(node) => Ok(node),
        Found::Other(found, device) => Err(Error::WrongNode {
            path,
            found,
            expected: "a SCSI node (/dev/sgN, /dev/bsg/H:C:T:L, /dev/sdX, /dev/srN)",
            hint: device.and_then(|device| sysfs::sibling_node(&device, NodeKind::Sg)),
        }),
        Found::Partition(whole) => Err(Error::Partition { path, whole }),
        Found::NotLogicalUnit(found) => Err(Error::NotLogicalUnit { path, found }),
    }
}

fn find(block: bool, rdev: u64) -> Found {
    let (major, minor) = (major(rdev), minor(rdev));
    let folder = sysfs::folder(block, major, minor);
    let device = folder
        .as_deref()
        .and_then(|folder| sysfs::follow(folder, "device"))
        .filter(|device| sysfs::subsystem(device).as_deref() == Some("scsi"));
    // Hosts and targets are of that subsystem too and have no type.
    let scsi_device = device.and_then(|device| {
        let text = fs::read_to_string(device.join("type")).ok()?;
        Some((text.trim().parse().ok().map(DeviceType), device))
    });
    match folder {
        Some(folder) if block => find_block(&folder, scsi_device, rdev),
        None if block => Found::Other("a block device with no SCSI device behind it", None),
        folder => find_char(folder.as_deref(), scsi_device, (major, rdev)),
    }
}

/// With the SCSI device that it belongs to, and what kind of device that is.
fn find_char(
    folder: Option<&Path>,
    scsi_device: Option<(Option<DeviceType>, PathBuf)>,
    (major, rdev): (u64, u64),
) -> Found {
    let class = folder.and_then(sysfs::subsystem).unwrap_or_default();
    let is_sg = class == "scsi_generic" || major == SG_MAJOR;
    let is_bsg =
        !is_sg && (class == "bsg" || class.is_empty() && sysfs::char_major("bsg") == Some(major));
    match scsi_device {
        scsi_device if !is_sg && !is_bsg => Found::Other(
            match class.as_str() {
                "scsi_tape" => "a tape node",
                "scsi_changer" => "a medium changer node",
                "nvme" | "nvme-generic" => "an NVMe node",
                _ => "a character device of another driver",
            },
            scsi_device.map(|(_, device)| device),
        ),
        // Without sysfs (a container, say) an sg node is still one.
        None if is_sg => Found::Node(Node {
            kind: NodeKind::Sg,
            rdev,
            device_type: None,
            device: folder.map_or_else(PathBuf::new, |folder| folder.join("device")),
        }),
        Some((device_type, device)) => Found::Node(Node {
            kind: if is_sg { NodeKind::Sg } else { NodeKind::Bsg },
            rdev,
            device_type,
            device,
        }),
        None => Found::NotLogicalUnit(
            folder
                .and_then(|folder| Some(folder.file_name()?.to_str()?.to_owned()))
                .unwrap_or_else(|| "nothing that sysfs knows".to_owned()),
        ),
    }
}

fn find_block(
    folder: &Path,
    scsi_device: Option<(Option<DeviceType>, PathBuf)>,
    rdev: u64,
) -> Found {
    if folder.join("partition").exists() {
        let whole = folder.parent().and_then(Path::file_name);
        return Found::Partition(whole.map(|name| Path::new("/dev").join(name)));
    }
    match scsi_device {
        Some((device_type, device)) => Found::Node(Node {
            kind: NodeKind::Block,
            rdev,
            device_type,
            device,
        }),
        None => Found::Other("a block device with no SCSI device behind it", None),
    }
}

fn plain(kind: &fs::FileType) -> &'static str {
    if kind.is_dir() {
        "a directory"
    } else if kind.is_file() {
        "a regular file"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "no device"
    }
}

/// The sg node of the device behind `path`, without opening anything.
pub(super) fn sg_node_for(path: &Path) -> Result<PathBuf> {
    let device = match look(path)? {
        Found::Node(node) => Some(node.device),
        Found::Other(_, device) => device,
        found => return judge(path, found).map(|node| node.device),
    };
    device
        .and_then(|device| sysfs::sibling_node(&device, NodeKind::Sg))
        .ok_or_else(|| Error::WrongNode {
            path: path.to_path_buf(),
            found: "no node of a device that has an sg node",
            expected: "a node of a SCSI device (is the module sg loaded?)",
            hint: None,
        })
}

//! What the kernel tells of a node in sysfs, without a command to the device.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::node::NodeKind;
use crate::scsi::DeviceType;

/// The sysfs folder of a node.
pub(super) fn folder(block: bool, major: u64, minor: u64) -> PathBuf {
    let class = if block { "block" } else { "char" };
    PathBuf::from(format!("/sys/dev/{class}/{major}:{minor}"))
}

/// The name of the subsystem of an object.
pub(super) fn subsystem(object: &Path) -> Option<String> {
    let target = fs::read_link(object.join("subsystem")).ok()?;
    Some(target.file_name()?.to_str()?.to_owned())
}

/// The device type of a SCSI device's folder.
pub(super) fn device_type(device: &Path) -> Option<DeviceType> {
    number(&device.join("type"))
        .and_then(|kind| u8::try_from(kind).ok())
        .map(DeviceType)
}

/// A file that holds one decimal number.
pub(super) fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The greatest transfer that the host adapter takes, in bytes, from the
/// request queue of the block device that belongs to a SCSI device.
pub(super) fn max_hw_bytes(device: &Path) -> Option<u64> {
    let disk = fs::read_dir(device.join("block")).ok()?.flatten().next()?;
    number(&disk.path().join("queue/max_hw_sectors_kb"))?.checked_mul(1024)
}

/// The node in /dev of a device of the given kind, for a SCSI device's folder.
pub(super) fn sibling_node(device: &Path, kind: NodeKind) -> Option<PathBuf> {
    let (class, prefix) = match kind {
        NodeKind::Sg => ("scsi_generic", "/dev"),
        NodeKind::Bsg => ("bsg", "/dev/bsg"),
        NodeKind::Block => ("block", "/dev"),
    };
    let entry = fs::read_dir(device.join(class)).ok()?.flatten().next()?;
    Some(Path::new(prefix).join(entry.file_name()))
}

/// The major number of a character device class, as /proc/devices says.
pub(super) fn char_major(name: &str) -> Option<u64> {
    let devices = fs::read_to_string("/proc/devices").ok()?;
    devices
        .lines()
        .skip_while(|line| !line.starts_with("Character"))
        .take_while(|line| !line.starts_with("Block"))
        .find_map(|line| {
            let (major, found) = line.trim().split_once(' ')?;
            (found == name).then(|| major.parse().ok())?
        })
}

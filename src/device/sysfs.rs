//! What the kernel tells of a node in sysfs, without a command to the device.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use super::node::NodeKind;

/// The sysfs folder of a node, without symbolic links in it; `None` without
/// sysfs.
pub(super) fn folder(block: bool, major: u64, minor: u64) -> Option<PathBuf> {
    let class = if block { "block" } else { "char" };
    let links = format!("/sys/dev/{class}");
    follow(Path::new(&links), &format!("{major}:{minor}"))
}

/// Where a link in a folder of sysfs leads. The folder has no symbolic links in
/// it, and neither has what its links say, so one look is enough.
pub(super) fn follow(folder: &Path, link: &str) -> Option<PathBuf> {
    let target = fs::read_link(folder.join(link)).ok()?;
    Some(resolve(folder, &target))
}

fn resolve(folder: &Path, target: &Path) -> PathBuf {
    let mut path = folder.to_path_buf();
    for part in target.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => {
                path.pop();
            }
            Component::RootDir => path = PathBuf::from("/"),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    path
}

/// The name of the subsystem of an object.
pub(super) fn subsystem(object: &Path) -> Option<String> {
    let target = fs::read_link(object.join("subsystem")).ok()?;
    Some(target.file_name()?.to_str()?.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_as_the_kernel_would() {
        let resolved = |folder, target| resolve(Path::new(folder), Path::new(target));
        assert_eq!(
            resolved("/sys/dev/char", "../../devices/a/b/sg/sg3"),
            Path::new("/sys/devices/a/b/sg/sg3")
        );
        assert_eq!(
            resolved("/sys/devices/a/2:0:0:0/sg/sg3", "../../../2:0:0:0"),
            Path::new("/sys/devices/a/2:0:0:0")
        );
        assert_eq!(resolved("/sys/x", "./y"), Path::new("/sys/x/y"));
        assert_eq!(resolved("/sys/x", "/sys/z"), Path::new("/sys/z"));
        // Links of this machine's sysfs, if it has one.
        for entry in fs::read_dir("/sys/dev/char")
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let found = follow(Path::new("/sys/dev/char"), name.to_str().unwrap()).unwrap();
            assert_eq!(found, fs::canonicalize(entry.path()).unwrap());
        }
    }
}

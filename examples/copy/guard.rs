//! Targets that must not be written to.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use nix::{
    fcntl::OFlag,
    sys::stat::{major, minor},
};
use passthru::ScsiAddress;

use crate::{
    ends::{End, Kind},
    problem::Problem,
    trouble::refused,
};

/// Refuses targets that are the source, that come twice, or that are in use.
/// What comes back keeps others from mounting them meanwhile.
pub(crate) fn check(source: &End, targets: &[End]) -> Result<Vec<File>, Problem> {
    let mut claims = Vec::new();
    for (index, target) in targets.iter().enumerate() {
        let path = target.path.display();
        let why =
            |what: String| refused(format!("{path} {what}: --force writes to it all the same"));
        if same(source, target) {
            return Err(why("is the source".into()));
        }
        if targets.iter().take(index).any(|other| same(other, target)) {
            return Err(why("is a target already".into()));
        }
        let Kind::Node(node) = &target.kind else {
            continue;
        };
        let Some(disk) = node.device.address().and_then(Disk::at) else {
            continue;
        };
        if let Some(use_) = disk.in_use() {
            return Err(why(use_));
        }
        claims.extend(
            disk.claim()
                .map_err(|_| why("is in use by the kernel or by another program".to_owned()))?,
        );
    }
    Ok(claims)
}

/// Whether both are the same device or file.
fn same(a: &End, b: &End) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::Node(a), Kind::Node(b)) => {
            a.device.address().is_some() && a.device.address() == b.device.address()
        }
        (Kind::File(a), Kind::File(b)) => match (a.metadata(), b.metadata()) {
            (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
            _ => false,
        },
        _ => false,
    }
}

/// A disk of the block layer.
struct Disk {
    name: String,
    sysfs: PathBuf,
    /// The numbers of the disk and its partitions, as `8:1`.
    numbers: BTreeSet<String>,
}

impl Disk {
    /// That of a logical unit, if it has a block node.
    fn at(address: ScsiAddress) -> Option<Self> {
        let blocks = format!("/sys/class/scsi_device/{address}/device/block");
        let name = fs::read_dir(blocks).ok()?.flatten().next()?.file_name();
        let name = name.into_string().ok()?;
        let sysfs = Path::new("/sys/class/block").join(&name);
        let mut disk = Self {
            numbers: BTreeSet::new(),
            name,
            sysfs,
        };
        disk.numbers = disk
            .parts()
            .iter()
            .filter_map(|part| number(part))
            .collect();
        Some(disk)
    }

    /// The folders of the disk and its partitions.
    fn parts(&self) -> Vec<PathBuf> {
        let mut parts = vec![self.sysfs.clone()];
        for entry in fs::read_dir(&self.sysfs).into_iter().flatten().flatten() {
            if entry.path().join("partition").exists() {
                parts.push(entry.path());
            }
        }
        parts
    }

    /// What it is used for, in words.
    fn in_use(&self) -> Option<String> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
        mounted(&mounts, |number, source| {
            self.numbers.contains(number) || self.is_node(source)
        })
        .map(|point| format!("is mounted at {point}"))
        .or_else(|| {
            swaps
                .lines()
                .skip(1)
                .filter_map(|line| line.split_whitespace().next())
                .any(|node| self.is_node(&unescaped(node)))
                .then(|| "is swapped to".to_owned())
        })
        .or_else(|| {
            let holder = self.parts().iter().find_map(|part| {
                let mut holders = fs::read_dir(part.join("holders")).ok()?;
                Some(holders.next()?.ok()?.file_name())
            })?;
            Some(format!("is part of {}", holder.to_string_lossy()))
        })
    }

    /// Whether it is a node of this disk or of a partition.
    fn is_node(&self, path: &str) -> bool {
        fs::metadata(path).is_ok_and(|found| {
            let number = format!("{}:{}", major(found.rdev()), minor(found.rdev()));
            found.file_type().is_block_device() && self.numbers.contains(&number)
        })
    }

    /// Opens it for us alone, as mounting does. Only that somebody else has done
    /// so is an error: the node may be missing, or not for us to open.
    fn claim(&self) -> Result<Option<File>, io::Error> {
        let claimed = OpenOptions::new()
            .read(true)
            .custom_flags((OFlag::O_EXCL | OFlag::O_NONBLOCK).bits())
            .open(Path::new("/dev").join(&self.name));
        match claimed {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(error),
            Err(_) => Ok(None),
        }
    }
}

fn number(part: &Path) -> Option<String> {
    Some(fs::read_to_string(part.join("dev")).ok()?.trim().to_owned())
}

/// Where the first file system is mounted whose device number or source is
/// `ours`, from the lines of mountinfo.
fn mounted(mountinfo: &str, ours: impl Fn(&str, &str) -> bool) -> Option<String> {
    mountinfo.lines().find_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(2);
        let (number, point) = (fields.next()?, fields.nth(1)?);
        let source = file_system.split(' ').nth(1)?;
        ours(number, &unescaped(source)).then(|| unescaped(point))
    })
}

/// Without the kernel's `\040` for a blank.
fn unescaped(text: &str) -> String {
    let mut out = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let octal = tail
            .get(..3)
            .filter(|_| first == b'\\')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match octal {
            Some(byte) => {
                out.push(byte);
                rest = tail.get(3..).unwrap_or_default();
            }
            None => {
                out.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_found_by_number_and_by_source() {
        let lines = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw\n\
                     30 22 0:45 / /mnt/two\\040words rw - btrfs /dev/sdb1 rw,space_cache\n";
        let by = |wanted: &str| mounted(lines, |number, source| [number, source].contains(&wanted));
        assert_eq!(by("8:1").as_deref(), Some("/"));
        assert_eq!(by("/dev/sdb1").as_deref(), Some("/mnt/two words"));
        assert_eq!(by("8:2"), None);
        assert_eq!(mounted("nonsense\n1 2 3\n - \n", |_, _| true), None);
        assert_eq!(unescaped("a\\134\\b\\0"), "a\\\\b\\0");
    }
}

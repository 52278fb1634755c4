//! Namespaces that must not be written to.
//!
//! The generic node lets anybody write who may open it, whatever the namespace is
//! used for. So its disk is asked.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use nix::sys::stat::{major, minor};

use crate::problem::{Code, Problem};

/// The disk of a namespace.
pub(crate) struct Disk {
    name: String,
    folder: PathBuf,
    /// The numbers of the disk and its partitions, as `259:1`.
    numbers: BTreeSet<String>,
}

impl Disk {
    /// That of a generic node, if it has one: a namespace without disk cannot be
    /// in use by the kernel. The number in its name may be another one, so it is
    /// looked for beside the node, by its namespace identifier.
    pub(crate) fn of(node: &Path, nsid: u32) -> Option<Self> {
        let stat = fs::metadata(node).ok()?;
        let (major, minor) = (major(stat.rdev()), minor(stat.rdev()));
        let node = fs::canonicalize(format!("/sys/dev/char/{major}:{minor}")).ok()?;
        let beside = fs::read_dir(node.parent()?).ok()?.flatten();
        let folder = beside
            .map(|entry| entry.path())
            .find(|folder| number_in(folder, "nsid") == Some(nsid) && is_shown(folder))?;
        let mut disk = Self {
            name: folder.file_name()?.to_str()?.to_owned(),
            folder,
            numbers: BTreeSet::new(),
        };
        disk.numbers = disk
            .parts()
            .iter()
            .filter_map(|part| text_in(part, "dev"))
            .collect();
        Some(disk)
    }

    /// Whether its zones have to be written from their beginning on.
    pub(crate) fn is_zoned(&self) -> bool {
        text_in(&self.folder, "queue/zoned").is_some_and(|kind| kind != "none")
    }

    /// Opens it for this program alone, so that nobody mounts it meanwhile.
    pub(crate) fn claim(&self, path: &Path) -> Result<File, Problem> {
        let node = Path::new("/dev").join(&self.name);
        let refused = |why: String| {
            let message = format!("{}: not written to: {why}", path.display());
            Problem::own(Code::System, "in_use", message)
        };
        if let Some(used) = self.used() {
            return Err(refused(format!("{} {used}", node.display())));
        }
        let claimed = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_EXCL | libc::O_CLOEXEC | libc::O_NONBLOCK)
            .open(&node);
        match claimed {
            Ok(file) if file.metadata().is_ok_and(|stat| self.is_mine(&stat)) => Ok(file),
            Ok(_) => Err(refused(format!("{} is another disk", node.display()))),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(refused(format!(
                "{} is in use by the kernel or by another program",
                node.display()
            ))),
            Err(error) => Err(refused(format!(
                "whether {} is in use cannot be found out: {error}",
                node.display()
            ))),
        }
    }

    /// The folders of the disk and its partitions.
    fn parts(&self) -> Vec<PathBuf> {
        let mut parts = vec![self.folder.clone()];
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.path().join("partition").exists() {
                parts.push(entry.path());
            }
        }
        parts
    }

    /// What it is used for, in words.
    fn used(&self) -> Option<String> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
        let swapped = || {
            let mut nodes = swaps
                .lines()
                .skip(1)
                .filter_map(|line| line.split_whitespace().next());
            nodes
                .any(|node| self.is_node(node))
                .then(|| "is swapped to".to_owned())
        };
        let held = || {
            let holder = self.parts().iter().find_map(|part| {
                let mut holders = fs::read_dir(part.join("holders")).ok()?;
                Some(holders.next()?.ok()?.file_name())
            })?;
            Some(format!("is part of {}", holder.to_string_lossy()))
        };
        let ours =
            |number: &str, source: &str| self.numbers.contains(number) || self.is_node(source);
        mount_point(&mounts, ours)
            .map(|point| format!("is mounted at {point}"))
            .or_else(swapped)
            .or_else(held)
    }

    fn is_node(&self, path: &str) -> bool {
        fs::metadata(path).is_ok_and(|stat| self.is_mine(&stat))
    }

    /// Whether it is a node of this disk or of a partition.
    fn is_mine(&self, stat: &fs::Metadata) -> bool {
        let number = format!("{}:{}", major(stat.rdev()), minor(stat.rdev()));
        stat.file_type().is_block_device() && self.numbers.contains(&number)
    }
}

/// A path of a namespace that several controllers share has a disk which is
/// hidden: without number.
fn is_shown(folder: &Path) -> bool {
    text_in(folder, "dev").is_some() && folder.join("queue").exists()
}

fn text_in(folder: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(folder.join(name)).ok()?;
    Some(text.trim().to_owned())
}

fn number_in(folder: &Path, name: &str) -> Option<u32> {
    text_in(folder, name)?.parse().ok()
}

/// Where the first file system is mounted whose device number or source is
/// `ours`, from the lines of mountinfo, as they have it: a blank is `\040`.
pub(crate) fn mount_point(mountinfo: &str, ours: impl Fn(&str, &str) -> bool) -> Option<String> {
    mountinfo.lines().find_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(2);
        let (number, point) = (fields.next()?, fields.nth(1)?);
        let source = file_system.split(' ').nth(1)?;
        ours(number, source).then(|| point.to_owned())
    })
}

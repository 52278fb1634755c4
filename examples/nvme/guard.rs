//! Namespaces that must not be written to.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::problem::{Code, Problem};

/// Claims the block node of a namespace for this program, so that nobody mounts
/// it meanwhile. A namespace without block node cannot be in use by the kernel.
///
/// What a namespace of several paths is in use for shows at its own node, which
/// has the name that is looked for here.
pub(crate) fn claim(path: &Path) -> Result<Option<File>, Problem> {
    let Some(node) = block_node(path) else {
        return Ok(None);
    };
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_EXCL | libc::O_CLOEXEC)
        .open(&node);
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.raw_os_error() == Some(libc::EBUSY) => Err(Problem::own(
            Code::System,
            "in_use",
            format!(
                "{}: {} is mounted or otherwise in use: --force writes to it all the same",
                path.display(),
                node.display(),
            ),
        )),
        Err(error) => Err(Problem::file(&node.display().to_string(), &error)),
    }
}

/// `/dev/nvme0n1` for that and for `/dev/ng0n1`, by the name that sysfs has for
/// the node.
fn block_node(path: &Path) -> Option<PathBuf> {
    let stat = fs::metadata(path).ok()?;
    let kind = match stat.mode() & libc::S_IFMT {
        libc::S_IFBLK => "block",
        _ => "char",
    };
    let (major, minor) = (libc::major(stat.rdev()), libc::minor(stat.rdev()));
    let link = fs::read_link(format!("/sys/dev/{kind}/{major}:{minor}")).ok()?;
    let name = link.file_name()?.to_str()?;
    let name = match name.strip_prefix("ng") {
        Some(numbers) => format!("nvme{numbers}"),
        None => name.to_owned(),
    };
    Some(Path::new("/dev").join(name))
}

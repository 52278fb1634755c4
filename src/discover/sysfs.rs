//! Reading sysfs with few system calls.
//!
//! Looking up a path in sysfs costs more than reading the file at its end, so
//! lookups start from open folders, links are read instead of followed, and
//! nothing is looked at before it is opened.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    sync::Arc,
};

use nix::{
    fcntl::{OFlag, openat, readlinkat},
    sys::stat::Mode,
};

use super::{NvmeSubsystem, ScsiUnit, TextBuf, nvme, scsi};

/// A sysfs, the machine's own or a copy of one.
///
/// ```no_run
/// use passthru::discover::Sysfs;
///
/// // That of the host, in a container that has it there.
/// let units = Sysfs::at("/host/sys").scsi()?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sysfs {
    root: Arc<Path>,
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::new()
    }
}

impl Sysfs {
    /// That of the machine, `/sys`.
    #[must_use]
    pub fn new() -> Self {
        Self::at("/sys")
    }

    /// One that is mounted, or was copied, elsewhere.
    #[must_use]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into().into(),
        }
    }

    /// As [`discover::scsi`](super::scsi()).
    ///
    /// # Errors
    /// As there.
    pub fn scsi(&self) -> io::Result<Vec<ScsiUnit>> {
        scsi::list(self)
    }

    /// As [`discover::nvme`](super::nvme()).
    ///
    /// # Errors
    /// As there.
    pub fn nvme(&self) -> io::Result<Vec<NvmeSubsystem>> {
        nvme::list(self)
    }

    /// The folder of an object, from what a link says
    /// ([`inside`]).
    pub(super) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// A folder of links, such as `class/scsi_generic`; `None` if there is none.
    pub(super) fn links(&self, name: &str) -> io::Result<Option<Links>> {
        let path = self.root.join(name);
        let fd = gone_is_none(open_folder(&path))?;
        Ok(fd.map(|fd| Links { path, fd }))
    }

    pub(super) fn open_root(&self) -> io::Result<OwnedFd> {
        open_folder(&self.root)
    }
}

/// A folder of links to devices.
pub(super) struct Links {
    path: PathBuf,
    fd: OwnedFd,
}

impl Links {
    /// Calls it with the name of every entry. Names that are no UTF-8 are not
    /// the kernel's.
    pub(super) fn for_each_name(
        &self,
        mut each: impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(entries) = gone_is_none(fs::read_dir(&self.path))? else {
            return Ok(());
        };
        for entry in entries {
            if let Some(name) = entry?.file_name().to_str() {
                each(name)?;
            }
        }
        Ok(())
    }

    /// Where a link leads, as a path from the root of sysfs; `None` if it has
    /// vanished or is none.
    pub(super) fn target(&self, name: &str) -> io::Result<Option<String>> {
        let target = readlinkat(self.fd.as_fd(), name).map_err(io::Error::from);
        let target = match target {
            // EINVAL: `/sys/class/bsg` and the like hold files too.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => None,
            target => gone_is_none(target)?,
        };
        Ok(target
            .and_then(|target| target.into_string().ok())
            .map(inside))
    }
}

/// A link's text as a path from the root of sysfs: the links of classes climb
/// up to there (`../../devices/...`).
fn inside(mut target: String) -> String {
    let climbed = target.len() - target.trim_start_matches("../").len();
    target.drain(..climbed);
    target
}

/// Something that is not there is no error.
pub(super) fn gone_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_gone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// ENOENT for a path; ENODEV and ENXIO for an open file of a device that has
/// gone (`kernfs_get_active` in fs/kernfs/dir.c).
fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::ENOENT | libc::ENOTDIR | libc::ENODEV | libc::ENXIO)
    )
}

const FOLDER: OFlag = OFlag::O_PATH
    .union(OFlag::O_DIRECTORY)
    .union(OFlag::O_CLOEXEC);

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    Ok(nix::fcntl::open(path, FOLDER, Mode::empty())?)
}

/// A folder below another.
pub(super) fn open_below(folder: BorrowedFd<'_>, path: &str) -> io::Result<OwnedFd> {
    Ok(openat(folder, path, FOLDER, Mode::empty())?)
}

/// The start of a file below a folder, as much as fits the buffer: one `read`,
/// which gives a small file of sysfs whole.
pub(super) fn read_below<'b>(
    folder: BorrowedFd<'_>,
    path: &str,
    buffer: &'b mut [u8],
) -> io::Result<&'b [u8]> {
    let flags = OFlag::O_RDONLY | OFlag::O_CLOEXEC;
    let mut file = File::from(openat(folder, path, flags, Mode::empty())?);
    let len = file.read(buffer)?;
    Ok(buffer.get(..len).unwrap_or_default())
}

/// The longest attribute: sysfs gives a page at most.
const PAGE: usize = 4096;

/// An attribute of an object without the line's end; `None` if it is not there
/// or cannot be read.
pub(super) fn attribute(object: &Path, name: &str) -> Option<TextBuf> {
    let mut buffer = [0; PAGE];
    let len = File::open(object.join(name))
        .and_then(|mut file| file.read(&mut buffer))
        .ok()?;
    Some(TextBuf::new(without_line_end(buffer.get(..len)?)))
}

/// An attribute that holds one decimal number.
pub(super) fn number(object: &Path, name: &str) -> Option<u64> {
    parse_number(attribute(object, name)?.as_bytes())
}

pub(super) fn parse_number(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    digits(text)
}

/// A number that is written with digits alone: `parse` takes a sign too.
pub(super) fn digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    let all = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all.then(|| text.parse().ok())?
}

pub(super) fn without_line_end(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\n").unwrap_or(text)
}

/// A node in /dev.
pub(super) fn node(name: &str) -> Box<Path> {
    let mut path = String::with_capacity("/dev/".len() + name.len());
    path.push_str("/dev/");
    path.push_str(name);
    PathBuf::from(path).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_paths_from_the_root() {
        let inside = |text: &str| inside(text.to_owned());
        assert_eq!(inside("../../devices/a/sg0"), "devices/a/sg0");
        assert_eq!(inside("../devices/a/../b"), "devices/a/../b");
        assert_eq!(inside("devices/a"), "devices/a");
        assert_eq!(inside(""), "");
    }

    #[test]
    fn numbers_have_digits_only() {
        assert_eq!(parse_number(b"512\n"), Some(512));
        for wrong in [&b"+1"[..], b"-1", b"", b"\n", b"0x10", b"\xff", b"1 2"] {
            assert_eq!(parse_number(wrong), None, "{wrong:?}");
        }
        assert_eq!(digits::<u8>("256"), None);
    }

    #[test]
    fn a_sysfs_that_is_none_lists_nothing() {
        for root in ["/nonexistent", "/dev/null"] {
            let sysfs = Sysfs::at(root);
            assert!(sysfs.scsi().unwrap().is_empty());
            assert!(sysfs.nvme().unwrap().is_empty());
        }
    }
}

//! Where an output may go.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io,
    os::{
        fd::AsFd,
        unix::fs::{FileTypeExt, MetadataExt},
    },
    path::{Path, PathBuf},
};

use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
};

use crate::{
    image::{file_problem, refused},
    problem::Problem,
};

/// What is at a path, looked at before anything is sent or written.
#[derive(Debug)]
pub(crate) enum Place {
    /// Nothing.
    New,
    /// A file of so many bytes.
    File(u64),
    /// A pipe, a terminal, /dev/null: what is written cannot be gone on with.
    Stream,
    /// The same as standard output.
    Stdout,
}

/// Character devices that take bytes for bytes: null, zero and full, whose major number
/// is that of /dev/mem too, and terminals (Documentation/admin-guide/devices.txt).
const MEMORY: u64 = 1;
const NULL_ZERO_FULL: [u64; 3] = [3, 5, 7];
const TERMINALS: [std::ops::RangeInclusive<u64>; 2] = [4..=5, 136..=143];

impl Place {
    pub(crate) fn of(path: &Path) -> Result<Self, Problem> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return if path.starts_with("/dev") && !path.starts_with("/dev/shm") {
                    Err(refused(path, "no such node, and no place for a file"))
                } else {
                    Ok(Self::New)
                };
            }
            Err(error) => return Err(file_problem(path, &error)),
        };
        let kind = found.file_type();
        if kind.is_block_device() {
            return Err(refused(path, "is a disk: name a file, or - for a pipe"));
        }
        if kind.is_char_device() && !is_plain(&found) {
            // An sg node, for one, would take what is written for commands.
            return Err(refused(path, "is a device: name a file, or - for a pipe"));
        }
        if kind.is_socket() || kind.is_dir() {
            return Err(refused(path, "is no file"));
        }
        if is_stdout(&found) {
            return Ok(Self::Stdout);
        }
        Ok(if kind.is_file() {
            Self::File(found.len())
        } else {
            Self::Stream
        })
    }

    pub(crate) const fn is_new(&self) -> bool {
        matches!(self, Self::New)
    }

    pub(crate) const fn is_stream(&self) -> bool {
        matches!(self, Self::Stream | Self::Stdout)
    }

    /// Opens it for writing; what is in it stays.
    pub(crate) fn open(&self, path: &Path) -> Result<File, Problem> {
        let file = match self {
            // As the shell has opened it: at its end, or in append mode.
            Self::Stdout => io::stdout().as_fd().try_clone_to_owned().map(File::from),
            _ => OpenOptions::new()
                .write(true)
                .create_new(self.is_new())
                .truncate(false)
                .open(real(path)),
        };
        file.map_err(|error| file_problem(path, &error))
    }
}

/// Where a link leads, also where there is nothing yet.
pub(crate) fn real(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many as the kernel follows.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

fn is_plain(found: &Metadata) -> bool {
    let rdev = found.rdev();
    let (major, minor) = (nix::sys::stat::major(rdev), nix::sys::stat::minor(rdev));
    match major {
        MEMORY => NULL_ZERO_FULL.contains(&minor),
        _ => TERMINALS.iter().any(|majors| majors.contains(&major)),
    }
}

/// /dev/null is one, and can be both.
fn is_stdout(found: &Metadata) -> bool {
    let same = |stdout: Metadata| (stdout.dev(), stdout.ino()) == (found.dev(), found.ino());
    !found.file_type().is_char_device() && fs::metadata("/proc/self/fd/1").is_ok_and(same)
}

/// Nobody else writes to it with this program as long as this is held.
pub(crate) fn lock(path: &Path, file: &File) -> Result<Option<Flock<File>>, Problem> {
    let copy = file
        .try_clone()
        .map_err(|error| file_problem(path, &error))?;
    match Flock::lock(copy, FlockArg::LockExclusiveNonblock) {
        Ok(lock) => Ok(Some(lock)),
        Err((_, Errno::EWOULDBLOCK)) => {
            Err(refused(path, "is being written by another run of readcd"))
        }
        // A file system without locks.
        Err(_) => Ok(None),
    }
}

//! Where data comes from and where it goes: looked at and opened.

use std::{
    fs::{self, File, OpenOptions as FileOptions},
    io,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
};

use nix::sys::stat::{major, minor};
use passthru::{
    AlignedBuf, Error, OpenOptions, Options, ScsiDevice, ScsiTransportExt,
    scsi::TestUnitReady,
    unit::{Disk, Layout},
};

use crate::{
    arguments::is_dash,
    problem::Problem,
    trouble::{is_unit_attention, once_more},
};

/// One end of the copy.
pub(crate) struct End {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// A device that takes commands.
    Node(Node),
    /// A regular file.
    File(File),
    /// Bytes in their order, until they end: a pipe, stdin, stdout.
    Stream(File),
}

/// A device with what had to be asked.
pub(crate) struct Node {
    pub(crate) device: ScsiDevice,
    pub(crate) layout: Layout,
    /// How many bytes a command should move at most.
    pub(crate) max_transfer: usize,
}

/// What a path is, without opening it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Node,
    File,
    Stream,
    Missing,
}

fn sort_of(path: &Path) -> Sort {
    match fs::metadata(path) {
        Err(_) => Sort::Missing,
        Ok(found) if found.is_file() => Sort::File,
        Ok(found) if found.file_type().is_fifo() => Sort::Stream,
        // /dev/null and /dev/zero
        Ok(found)
            if found.file_type().is_char_device()
                && major(found.rdev()) == 1
                && matches!(minor(found.rdev()), 3 | 5) =>
        {
            Sort::Stream
        }
        Ok(_) => Sort::Node,
    }
}

impl End {
    /// Opens where data comes from. Counts UNIT ATTENTIONs. `limits`: whether to
    /// ask devices how much they take at once.
    pub(crate) fn source(path: &Path, limits: bool, attentions: &mut u64) -> Result<Self, Problem> {
        let kind = match sort_of(path) {
            _ if is_dash(path) => Kind::Stream(duplicate("standard input", &io::stdin())?),
            Sort::File => Kind::File(File::open(path).map_err(|e| file_problem(path, &e))?),
            Sort::Stream => Kind::Stream(File::open(path).map_err(|e| file_problem(path, &e))?),
            // What is missing is named by the library.
            Sort::Node | Sort::Missing => {
                Kind::Node(Node::new(ScsiDevice::open(path)?, limits, attentions)?)
            }
        };
        Ok(Self {
            path: path.to_path_buf(),
            kind,
        })
    }

    /// Opens where data goes to.
    pub(crate) fn target(path: &Path, limits: bool, attentions: &mut u64) -> Result<Self, Problem> {
        let file = |create| {
            FileOptions::new()
                .read(true)
                .write(true)
                .create(create)
                .truncate(false)
                .open(path)
                .map_err(|error| file_problem(path, &error))
        };
        let kind = match sort_of(path) {
            _ if is_dash(path) => Kind::Stream(duplicate("standard output", &io::stdout())?),
            Sort::File => Kind::File(file(false)?),
            Sort::Stream => Kind::Stream(
                FileOptions::new()
                    .write(true)
                    .open(path)
                    .map_err(|error| file_problem(path, &error))?,
            ),
            // A node that is not there is no file to be made.
            Sort::Missing if !path.starts_with("/dev") => Kind::File(file(true)?),
            Sort::Node | Sort::Missing => {
                Kind::Node(Node::new(Node::open_target(path)?, limits, attentions)?)
            }
        };
        Ok(Self {
            path: path.to_path_buf(),
            kind,
        })
    }

    pub(crate) fn layout(&self) -> Option<Layout> {
        match &self.kind {
            Kind::Node(node) => Some(node.layout),
            _ => None,
        }
    }

    pub(crate) const fn is_stream(&self) -> bool {
        matches!(self.kind, Kind::Stream(_))
    }
}

impl Node {
    /// With the wish for direct I/O, which means something on sg nodes.
    pub(crate) fn open_target(path: &Path) -> Result<ScsiDevice, Error> {
        let options = OpenOptions::new()
            .write(true)
            .defaults(Options::new().direct(true));
        ScsiDevice::open_with(path, &options)
    }

    fn new(device: ScsiDevice, limits: bool, attentions: &mut u64) -> Result<Self, Problem> {
        // Several can stand after a reset; each is delivered once.
        for _ in 0..4 {
            match device.execute(&TestUnitReady) {
                Err(error) if is_unit_attention(&error) => *attentions += 1,
                other => {
                    other?;
                    break;
                }
            }
        }
        let (layout, mut max_transfer) = {
            let mut disk = once_more(attentions, || Disk::new(&device))?;
            if limits {
                once_more(attentions, || disk.ask_limits())?;
            }
            (disk.layout(), disk.max_transfer())
        };
        let block = layout.block_length() as usize;
        if let Some(limit) = device.max_transfer() {
            let limit = usize::try_from(limit).unwrap_or(usize::MAX);
            max_transfer = (max_transfer.min(limit) / block * block).max(block);
        }
        Ok(Self {
            device,
            layout,
            max_transfer,
        })
    }
}

pub(crate) fn file_problem(path: &Path, error: &io::Error) -> Problem {
    Problem::file(&path.display().to_string(), error)
}

pub(crate) fn buffer(len: usize) -> Result<AlignedBuf, Problem> {
    AlignedBuf::new(len).map_err(|error| Problem::file("memory for a buffer", &error))
}

/// Unbuffered, and whatever stdin or stdout is.
fn duplicate(what: &str, stream: &impl std::os::fd::AsFd) -> Result<File, Problem> {
    let fd = stream.as_fd().try_clone_to_owned();
    Ok(File::from(fd.map_err(|error| Problem::file(what, &error))?))
}

//! The namespaces: opened, and looked at before anything is sent to their blocks.

use std::{
    fs,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use passthru::{
    NvmeNamespace, NvmeTransport, NvmeTransportExt, OpenOptions,
    nvme::{
        Format,
        identify::{CommandSet, IdentifyDescriptors, IdentifyNamespace},
    },
};

use crate::{
    arguments::Cli,
    guard::Disk,
    problem::{Code, Problem},
};

/// A namespace, and what a command moves there.
#[derive(Debug)]
pub(crate) struct Drive {
    pub(crate) path: PathBuf,
    pub(crate) namespace: Arc<NvmeNamespace>,
    pub(crate) shape: Shape,
    /// Held to the end, so that nobody mounts it meanwhile.
    _claim: Option<fs::File>,
}

/// How its blocks look, and a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// How many blocks the namespace has.
    pub(crate) size: u64,
    /// Bytes of data of a block.
    pub(crate) block: u32,
    /// Bytes of metadata that follow it.
    pub(crate) metadata: u16,
    /// How many blocks a command moves.
    pub(crate) blocks: u32,
    /// How many bytes of memory that takes, with metadata.
    pub(crate) len: usize,
}

impl Shape {
    /// Refuses, in words, what cannot work.
    pub(crate) fn new(
        format: &Format,
        size: u64,
        bs: u32,
        limit: Option<usize>,
    ) -> Result<Self, Refusal> {
        let block = format.block_length();
        if format.metadata_size() > 0 && !format.is_extended() {
            return Err(Refusal::Unsupported(format!(
                "its blocks have {} bytes of separate metadata, which this program does not move",
                format.metadata_size()
            )));
        }
        if block == 0 || bs % block != 0 {
            return Err(Refusal::Usage(format!(
                "--bs {bs} is no multiple of its block size, {block}"
            )));
        }
        let blocks = bs / block;
        let len = usize::try_from(format.data_len(blocks)).unwrap_or(usize::MAX);
        if let Some(limit) = limit.filter(|limit| len > *limit) {
            let with = if format.is_extended() {
                format!(", {len} bytes with metadata,")
            } else {
                String::new()
            };
            return Err(Refusal::Usage(format!(
                "--bs {bs}{with} is more than a command may move there: {limit} bytes"
            )));
        }
        if blocks > 65536 {
            return Err(Refusal::Usage(format!(
                "--bs {bs} is more than 65536 blocks of {block} bytes, which is the most that a \
                 command moves"
            )));
        }
        if u64::from(blocks) > size {
            return Err(Refusal::Usage(format!(
                "--bs {bs} is more than there is: {size} blocks of {block} bytes"
            )));
        }
        Ok(Self {
            size,
            block,
            metadata: format.metadata_size(),
            blocks,
            len,
        })
    }
}

/// Why a namespace is not used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// With other arguments it may be.
    Usage(String),
    Unsupported(String),
}

impl Refusal {
    fn of(self, path: &Path) -> Problem {
        let path = path.display();
        match self {
            Self::Usage(why) => Problem::usage(format!("{path}: {why}")),
            Self::Unsupported(why) => {
                Problem::own(Code::System, "unsupported", format!("{path}: {why}"))
            }
        }
    }
}

impl Drive {
    /// Opens it, and refuses what cannot work. Only Identify is sent.
    fn open(path: &Path, cli: &Cli) -> Result<Self, Problem> {
        let refused = |refusal: Refusal| refusal.of(path);
        if fs::metadata(path).is_ok_and(|stat| stat.file_type().is_block_device()) {
            return Err(refused(Refusal::Unsupported(
                "a disk's node takes no NVMe commands by io_uring: give the namespace's generic \
                 node, /dev/ngXnY"
                    .to_owned(),
            )));
        }
        let options = OpenOptions::new().write(cli.rw.writes());
        let namespace = NvmeNamespace::open_with(path, &options)?;
        let nsid = namespace.nsid();
        let format = namespace.format()?.ok_or_else(|| {
            let why = "the namespace has no blocks, or a format that is not known";
            refused(Refusal::Unsupported(why.to_owned()))
        })?;
        let size = namespace.query(&IdentifyNamespace::new(nsid))?.size();
        let limit = namespace.max_transfer();
        let shape = Shape::new(&format, size, cli.bs, limit).map_err(refused)?;
        let mut claim = None;
        if cli.rw.writes() {
            let disk = Disk::of(path, nsid.get());
            if disk.as_ref().is_some_and(Disk::is_zoned) || is_zoned(&namespace) {
                return Err(refused(Refusal::Unsupported(
                    "a zoned namespace is written to zone by zone, in order, which this program \
                     does not do"
                        .to_owned(),
                )));
            }
            claim = disk.map(|disk| disk.claim(path)).transpose()?;
        }
        Ok(Self {
            path: path.to_path_buf(),
            namespace: Arc::new(namespace),
            shape,
            _claim: claim,
        })
    }
}

/// What the namespace says itself, for one that the kernel has made no disk of.
/// Not all are asked by everybody: then there is the disk.
fn is_zoned(namespace: &NvmeNamespace) -> bool {
    namespace
        .query(&IdentifyDescriptors::new(namespace.nsid()))
        .is_ok_and(|descriptors| descriptors.command_set() == Some(CommandSet::ZONED))
}

/// Whether polling ends the whole machine, as it does with Linux 6.1: the library
/// refuses it there, and this says so once for all threads.
pub(crate) fn polling_is_fatal(release: &str) -> bool {
    release.starts_with("6.1.")
}

/// Opens all of them.
pub(crate) fn open(cli: &Cli) -> Result<Vec<Drive>, Problem> {
    let release = || fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    if cli.polled && polling_is_fatal(&release()) {
        return Err(Problem::own(
            Code::System,
            "unsupported",
            "Linux 6.1 crashes when it polls for commands of io_uring: leave --polled out, or \
             use Linux 6.5",
        ));
    }
    cli.devices
        .iter()
        .map(|path| Drive::open(path, cli))
        .collect()
}

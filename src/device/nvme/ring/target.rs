//! Where a ring's commands go.

use std::{os::fd::AsRawFd, path::Path, sync::Arc};

use super::super::{NvmeController, NvmeNamespace, core::Core, formats::Hold};
use crate::{
    Access, Error, NvmeErrorKind, Result,
    nvme::{Format, Queue},
    syscall::{File, Head},
    transport::{NvmeTransport, whole_milliseconds},
};

/// So many bytes that begin at a page are in no more pages than the driver takes
/// (`NVME_MAX_SEGS`).
const SURELY_TAKEN: usize = 127 * 4096;

/// A node of a ring: what [`NvmeRing::add_namespace`](super::NvmeRing) gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Which ring it belongs to.
    pub(super) ring: u64,
    pub(super) index: u32,
}

#[derive(Debug)]
enum Node {
    Namespace(Arc<NvmeNamespace>),
    Controller(Arc<NvmeController>),
}

impl Target {
    /// Which of its ring's targets it is: 0 for the first that was added.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

/// What a ring knows of a node.
#[derive(Debug)]
pub(super) struct State {
    node: Node,
    pub(super) head: Head,
    /// 0 for a controller.
    pub(super) nsid: u32,
    pub(super) read_only: bool,
    /// The most bytes of a command.
    pub(super) limit: usize,
    /// Whether the node stands for all ways to a namespace.
    multipath: bool,
    /// 0 for the kernel's default.
    pub(super) timeout_ms: u32,
    /// How many commands are in flight.
    in_flight: u32,
    /// Kept while any is.
    hold: Option<Hold>,
    /// The count of changes when formats were last held.
    count: u64,
    /// The format, if it is known.
    pub(super) format: Option<Format>,
    /// The count at which it was asked for.
    asked: u64,
}

impl State {
    pub(super) fn namespace(namespace: Arc<NvmeNamespace>) -> Result<Self> {
        let nsid = namespace.nsid().get();
        Self::new(Node::Namespace(namespace), nsid)
    }

    pub(super) fn controller(controller: Arc<NvmeController>) -> Result<Self> {
        Self::new(Node::Controller(controller), 0)
    }

    fn new(node: Node, nsid: u32) -> Result<Self> {
        let core = core(&node);
        let timeout_ms = match core.timeout() {
            None => 0,
            Some(timeout) => whole_milliseconds(timeout).ok_or_else(|| Error::Unsupported {
                path: core.path().to_path_buf(),
                what: "a timeout is 1 ms to 49 days",
            })?,
        };
        Ok(Self {
            // io_uring has fields of 32 bits.
            limit: core
                .max_transfer()
                .unwrap_or(usize::MAX)
                .min(super::MAX_LEN),
            multipath: core.is_multipath(),
            read_only: core.access() == Access::ReadOnly,
            head: Head::new(File::Descriptor(core.fd().as_raw_fd())),
            timeout_ms,
            nsid,
            in_flight: 0,
            hold: None,
            count: 0,
            format: None,
            asked: 0,
            node,
        })
    }

    pub(super) fn core(&self) -> &Core {
        core(&self.node)
    }

    pub(super) fn path(&self) -> &Path {
        self.core().path()
    }

    pub(super) const fn queue(&self) -> Queue {
        match self.node {
            Node::Namespace(_) => Queue::Io,
            Node::Controller(_) => Queue::Admin,
        }
    }

    /// Sees to it that formats stay as they are until [`ended`](Self::ended) has
    /// been called for all commands, or [`settle`](Self::settle) if there are none.
    #[inline]
    pub(super) fn hold(&mut self) {
        if self.hold.is_none() && self.nsid != 0 {
            let (hold, count) = self.core().formats().hold();
            (self.hold, self.count) = (Some(hold), count);
        }
    }

    /// Whether the format is known, which is held.
    #[inline]
    pub(super) fn knows_format(&self) -> bool {
        self.asked == self.count && self.format.is_some()
    }

    /// Asks for it.
    #[cold]
    pub(super) fn ask(&mut self) -> Result<()> {
        if let Node::Namespace(namespace) = &self.node {
            // Nothing can change between the question and the answer's use, for the
            // formats are held.
            (self.format, self.asked) = (namespace.format()?, self.count);
        }
        Ok(())
    }

    /// A command is in flight.
    #[inline]
    pub(super) fn began(&mut self) {
        self.in_flight += 1;
    }

    /// A command has ended.
    #[inline]
    pub(super) fn ended(&mut self) {
        // Each that ends has begun.
        self.in_flight = self.in_flight.wrapping_sub(1);
        self.settle();
    }

    /// Lets formats go if nothing is in flight.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.in_flight == 0 {
            self.hold = None;
        }
    }

    /// What an errno of a completion means.
    #[cold]
    pub(super) fn reason(&self, source: std::io::Error, len: usize) -> NvmeErrorKind {
        match source.raw_os_error() {
            Some(libc::EOPNOTSUPP | libc::ENOTTY) => NvmeErrorKind::Unsupported {
                what: "the kernel takes no such command by io_uring here: I/O commands need Linux \
                       5.19 and a node /dev/ngXnY, admin commands 6.0 and /dev/nvmeX, registered \
                       buffers 6.1, polling 6.5",
            },
            // A node that stands for all ways to its namespace says so when none is
            // usable (`nvme_ns_head_chr_uring_cmd`). Only what is long may have had
            // too many pages.
            Some(libc::EINVAL) if self.multipath && len <= SURELY_TAKEN => {
                NvmeErrorKind::NoPath { source }
            }
            _ => super::super::core::reason(source, len, || self.core().max_transfer()),
        }
    }
}

fn core(node: &Node) -> &Core {
    match node {
        Node::Namespace(namespace) => &namespace.core,
        Node::Controller(controller) => &controller.core,
    }
}

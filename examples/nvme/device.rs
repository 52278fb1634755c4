//! The node that is asked: a controller's or a namespace's.

use std::path::Path;

use passthru::{Error, NvmeController, NvmeNamespace, NvmeTransport, OpenOptions, nvme::Nsid};

use crate::problem::Problem;

/// An open node.
pub(crate) enum Device {
    Controller(NvmeController),
    Namespace(NvmeNamespace),
}

impl Device {
    /// Opens it for commands that change nothing.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        Self::open_with(path, &OpenOptions::new())
    }

    pub(crate) fn open_with(path: &Path, options: &OpenOptions) -> Result<Self, Problem> {
        let controller = || NvmeController::open_with(path, options).map(Self::Controller);
        let namespace = || NvmeNamespace::open_with(path, options).map(Self::Namespace);
        // The name tells which is likely; what the node is, the library finds
        // out before it opens it.
        let opened = if looks_like_a_controller(path) {
            or_else(controller(), namespace)
        } else {
            or_else(namespace(), controller)
        };
        Ok(opened?)
    }

    /// A namespace, for commands that go to blocks.
    pub(crate) fn namespace(path: &Path, options: &OpenOptions) -> Result<NvmeNamespace, Problem> {
        Ok(NvmeNamespace::open_with(path, options)?)
    }

    pub(crate) fn transport(&self) -> &dyn NvmeTransport {
        match self {
            Self::Controller(controller) => controller,
            Self::Namespace(namespace) => namespace,
        }
    }

    /// The namespace that a command is about: what `--namespace` says, or that
    /// of the node.
    pub(crate) fn nsid(&self, asked: Option<Nsid>) -> Result<Nsid, Problem> {
        self.maybe_nsid(asked).ok_or_else(|| {
            Problem::usage(format!(
                "{} is a controller: say which namespace by --namespace N, or give its node",
                self.transport().path().display()
            ))
        })
    }

    /// The same, where a controller without namespace makes sense too.
    pub(crate) fn maybe_nsid(&self, asked: Option<Nsid>) -> Option<Nsid> {
        match self {
            Self::Namespace(namespace) => asked.or(Some(namespace.nsid())),
            Self::Controller(_) => asked,
        }
    }
}

fn or_else(
    first: passthru::Result<Device>,
    other: impl FnOnce() -> passthru::Result<Device>,
) -> passthru::Result<Device> {
    match first {
        Err(error @ Error::WrongNode { .. }) => match other() {
            // What was expected says more than the second guess.
            Err(Error::WrongNode { .. }) => Err(error),
            opened => opened,
        },
        opened => opened,
    }
}

/// `nvme0`, which no namespace's node is called.
fn looks_like_a_controller(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .and_then(|name| name.strip_prefix("nvme"))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit()))
}

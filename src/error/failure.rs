//! A command that failed, with all that is known of it.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use super::{Error, text::Typed};
use crate::{
    Outcome, Verdict,
    scsi::{Cdb, DeviceType},
};

/// A command that reached the device and was no success: which, where, with
/// what outcome, and with what data.
#[derive(Clone, Debug)]
pub struct Failure {
    pub(crate) path: PathBuf,
    pub(crate) cdb: Cdb,
    pub(crate) device_type: Option<DeviceType>,
    pub(crate) outcome: Outcome,
    pub(crate) data: Vec<u8>,
}

impl Failure {
    /// A command that was sent by [`send`](crate::ScsiTransport::send) and came
    /// to `outcome`, which is no success. Its [`Error`] is made by `Error::from`,
    /// of the variant that the outcome's [verdict](Outcome::verdict) asks for.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, cdb: Cdb, outcome: Outcome) -> Self {
        Self {
            path: path.into(),
            cdb,
            device_type: None,
            outcome,
            data: Vec::new(),
        }
    }

    /// With the type of the device that failed it, as
    /// [`ScsiTransport::device_type`](crate::ScsiTransport::device_type) gives it. A message
    /// names the command by it: `BBh` is SET CD SPEED on an optical drive, and nothing of the
    /// kind on others.
    #[must_use]
    pub fn with_device_type(self, device_type: Option<DeviceType>) -> Self {
        Self {
            device_type,
            ..self
        }
    }

    /// The node.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The command.
    #[must_use]
    pub const fn cdb(&self) -> &Cdb {
        &self.cdb
    }

    /// The device type by which the command is named, if known.
    #[must_use]
    pub const fn device_type(&self) -> Option<DeviceType> {
        self.device_type
    }

    /// All that came back.
    #[must_use]
    pub const fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// What a failed [`query`](crate::ScsiTransportExt::query) received, as
    /// long as the residual claims; empty for `read`, whose data is in the
    /// caller's buffer.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}: {}",
            self.path.display(),
            Typed(&self.cdb, self.device_type),
            self.outcome
        )
    }
}

impl std::error::Error for Failure {}

impl From<Error> for io::Error {
    /// With the kind of the errno, if there is one, and [`io::ErrorKind::Other`]
    /// for what a device said.
    fn from(error: Error) -> Self {
        let kind = error.raw_os_error().map_or(io::ErrorKind::Other, |errno| {
            Self::from_raw_os_error(errno).kind()
        });
        Self::new(kind, error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let failure = Box::new(failure);
        match failure.outcome.verdict() {
            Verdict::Transport => Self::Transport(failure),
            Verdict::Status => Self::Status(failure),
            _ => Self::Check(failure),
        }
    }
}

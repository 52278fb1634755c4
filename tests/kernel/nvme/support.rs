//! What these tests have in common.

use std::{fmt::Debug, sync::mpsc::channel, thread, time::Duration};

use passthru::{
    Error, NvmeController, NvmeError, NvmeErrorKind, NvmeNamespace, Result,
    nvme::{Completion, Nsid, StatusCode},
};

use super::guarded::Guarded;
use crate::nvme_lab::{controller, namespace};

/// A namespace of the subsystem with all formats.
pub(super) fn sub(nsid: u32) -> NvmeNamespace {
    NvmeNamespace::open_rw(namespace("PTSUB", nsid).0).unwrap()
}

/// A controller by its serial number, for every command.
pub(super) fn drive(serial: &str) -> NvmeController {
    NvmeController::open_rw(controller(serial)).unwrap()
}

pub(super) fn number(nsid: u32) -> Nsid {
    Nsid::new(nsid).unwrap()
}

/// Why it failed.
pub(super) fn failure<T: Debug>(result: Result<T>) -> NvmeError {
    match result.unwrap_err() {
        Error::Nvme(error) => *error,
        other => panic!("{other:?}"),
    }
}

/// The status that it failed by.
pub(super) fn status<T: Debug>(result: Result<T>) -> StatusCode {
    let error = failure(result);
    let status = error.status();
    status.unwrap_or_else(|| panic!("{error:?}")).status_code()
}

/// That nothing was sent and nothing was written to the buffer.
pub(super) fn refused(memory: &mut Guarded, attempt: impl FnOnce(&mut [u8]) -> Result<Completion>) {
    let len = memory.bytes().len();
    let error = failure(attempt(memory.bytes()));
    assert!(
        matches!(
            error.kind(),
            NvmeErrorKind::Length(_) | NvmeErrorKind::Unsupported { .. }
        ),
        "{len}: {error:?}"
    );
    assert!(!error.was_sent(), "{len}: {error}");
    memory.untouched();
}

/// What `work` gives, in another thread; a panic if it takes longer.
pub(crate) fn within<T: Send + 'static>(
    seconds: u64,
    what: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        // Nobody waits for it after the deadline.
        let _ = sender.send(work());
    });
    receiver
        .recv_timeout(Duration::from_secs(seconds))
        .unwrap_or_else(|error| panic!("{what} within {seconds} s: {error}"))
}

//! What these tests have in common.

use passthru::{
    AlignedBuf, Error, NvmeController, NvmeError, NvmeErrorKind, NvmeNamespace, NvmeRing,
    NvmeTransportExt,
    device::{Completed, Target},
    nvme::{
        Completion, Nsid, StatusCode,
        admin::{AttachNamespace, controller_list},
        identify::IdentifyController,
        io::Read,
    },
};

use crate::nvme_lab::namespace;

/// A ring as it is without any wishes.
pub(crate) fn plain() -> NvmeRing {
    NvmeRing::builder().build().unwrap()
}

/// A namespace for every command.
pub(crate) fn open(serial: &str, nsid: u32) -> NvmeNamespace {
    NvmeNamespace::open_rw(namespace(serial, nsid).0).unwrap()
}

/// One with a namespace.
pub(crate) fn with(serial: &str, nsid: u32) -> (NvmeRing, Target) {
    let mut ring = plain();
    let target = ring.add_namespace(open(serial, nsid)).unwrap();
    (ring, target)
}

/// Memory with these bytes.
pub(crate) fn filled(bytes: &[u8]) -> AlignedBuf {
    let mut buffer = AlignedBuf::new(bytes.len()).unwrap();
    buffer.copy_from_slice(bytes);
    buffer
}

/// Memory that is not zero anywhere.
pub(crate) fn stale(len: usize) -> AlignedBuf {
    filled(&vec![0xee; len])
}

/// The only command in flight, once it has ended.
pub(crate) fn end(ring: &mut NvmeRing) -> Completed {
    assert_eq!(ring.in_flight(), 1);
    let done = ring.complete().unwrap().unwrap();
    assert_eq!((ring.in_flight(), ring.queued()), (0, 0));
    done
}

/// The same, of a command that succeeds.
pub(crate) fn good(ring: &mut NvmeRing) -> (Completed, Completion) {
    let mut done = end(ring);
    let completion = match &mut done.result {
        Ok(completion) => *completion,
        Err(error) => panic!("{error:?}"),
    };
    assert!(completion.status().is_success());
    (done, completion)
}

/// The status that a completed command failed by.
pub(crate) fn status(done: &Completed) -> StatusCode {
    let error = nvme_error(done.result.as_ref().unwrap_err());
    let status = error.status();
    status.unwrap_or_else(|| panic!("{error:?}")).status_code()
}

pub(crate) fn nvme_error(error: &Error) -> &NvmeError {
    match error {
        Error::Nvme(error) => error,
        other => panic!("{other:?}"),
    }
}

/// Why a command was not queued: nothing was sent.
pub(crate) fn kind(error: &Error) -> &NvmeErrorKind {
    assert!(!error.was_sent(), "{error:?}");
    nvme_error(error).kind()
}

/// Has the next command to the slow drive wait for so many seconds.
pub(crate) fn busy(seconds: u32) {
    let slow = open("PTSLOW", 1);
    let mut blocks = vec![0; seconds as usize * 512];
    slow.read(&Read::new(0, seconds), &mut blocks).unwrap();
}

/// Whether a command that may change formats is refused because a ring has
/// commands in flight in that subsystem. This one changes none: namespace 1 is
/// attached.
pub(crate) fn formats_are_held(drive: &NvmeController) -> bool {
    let id = drive.query(&IdentifyController).unwrap().controller_id();
    let list = controller_list(&[id]).unwrap();
    let nsid = Nsid::new(1).unwrap();
    let error = drive
        .write(&AttachNamespace::attach(nsid), &list)
        .unwrap_err();
    let error = nvme_error(&error);
    match error.kind() {
        NvmeErrorKind::InFlight => {
            assert!(!error.was_sent());
            true
        }
        NvmeErrorKind::Status(completion) => {
            let code = completion.status().status_code();
            assert_eq!(code, StatusCode::NAMESPACE_ALREADY_ATTACHED);
            false
        }
        other => panic!("{other:?}"),
    }
}

/// A namespace for commands that change nothing.
pub(crate) fn read_only(serial: &str, nsid: u32) -> NvmeNamespace {
    NvmeNamespace::open(namespace(serial, nsid).0).unwrap()
}

/// Waits for the only command in flight, which succeeds.
pub(crate) fn succeeds(ring: &mut NvmeRing) {
    drop(good(ring));
}

/// Whether this kernel may be given polled rings: Linux 6.1 crashes with them, so
/// there it must be refused.
pub(crate) fn polls() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let fatal = release.starts_with("6.1.");
    if fatal {
        let refused = NvmeRing::builder().polled(true).build().unwrap_err();
        let text = refused.to_string();
        assert!(text.contains("not polled, or use Linux 6.5"), "{text}");
    }
    !fatal
}

//! Namespaces that come and go, and that are formatted while others read them.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use passthru::{
    Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeTransport, NvmeTransportExt,
    nvme::{
        Format, StatusCode,
        admin::{AttachNamespace, FormatNvm, controller_list},
        identify::{IdentifyController, IdentifyNamespace, ListControllers, ListNamespaces},
        io::{Read, Write},
    },
};

use super::{
    guarded::Guarded,
    support::{drive, failure, number, refused, status, within},
};
use crate::{
    lab::{eventually, pattern},
    nvme_lab::namespaces,
};

/// The namespace that is not attached, attached for as long as this lives.
pub(crate) struct Attached {
    drive: NvmeController,
    node: PathBuf,
}

fn nodes() -> Option<PathBuf> {
    namespaces("PTSUB")
        .into_iter()
        .find(|(nsid, ..)| *nsid == 6)
        .map(|(_, generic, _)| generic)
}

fn list(drive: &NvmeController) -> Vec<u8> {
    let id = drive.query(&IdentifyController).unwrap().controller_id();
    controller_list(&[id]).unwrap()
}

fn active(drive: &NvmeController) -> Vec<u32> {
    let list = drive.query(&ListNamespaces::active()).unwrap();
    list.iter().map(|nsid| nsid.get()).collect()
}

impl Attached {
    pub(crate) fn new() -> Self {
        let drive = drive("PTSUB");
        drive
            .write(&AttachNamespace::attach(number(6)), &list(&drive))
            .unwrap();
        drive.rescan().unwrap();
        let node = eventually("the node of namespace 6", nodes);
        Self { drive, node }
    }

    pub(crate) fn open(&self) -> NvmeNamespace {
        let opened = eventually("namespace 6", || NvmeNamespace::open_rw(&self.node).ok());
        assert_eq!(opened.nsid(), number(6));
        opened
    }

    /// The index of the format with blocks of that length and no metadata.
    pub(crate) fn index(&self, block: u32) -> u8 {
        let identify = IdentifyNamespace::new(number(6));
        let data = self.drive.query(&identify).unwrap();
        data.formats()
            .find(|format| format.block_length() == Some(block) && format.metadata_size() == 0)
            .unwrap()
            .index()
    }

    fn format(&self, block: u32) {
        let format = FormatNvm::new(number(6), self.index(block));
        self.drive
            .execute(&format.within(Duration::from_secs(60)))
            .unwrap();
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let list = list(&self.drive);
        let detached = self.drive.write(&AttachNamespace::detach(number(6)), &list);
        let scanned = self.drive.rescan();
        if !thread::panicking() {
            detached.unwrap();
            scanned.unwrap();
            eventually("no node of namespace 6", || nodes().is_none().then_some(()));
        }
    }
}

/// That one which is not attached is not detached either is left out: QEMU 10
/// ends by an assertion then.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_namespace_is_attached_and_detached() {
    within(60, "attaching and detaching", || {
        let drive = drive("PTSUB");
        let of_six = ListControllers::attached_to(number(6));
        assert_eq!(active(&drive), [1, 2, 3, 4, 5]);
        assert!(drive.query(&of_six).unwrap().ids().is_empty());

        let attached = Attached::new();
        assert_eq!(active(&drive), [1, 2, 3, 4, 5, 6]);
        assert_eq!(drive.query(&of_six).unwrap().ids().len(), 1);
        let again = drive.write(&AttachNamespace::attach(number(6)), &list(&drive));
        assert_eq!(status(again), StatusCode::NAMESPACE_ALREADY_ATTACHED);
        let namespace = attached.open();
        let node = attached.node.clone();
        let data = pattern(31, 8 * 512);
        namespace.write(&Write::new(0, 8), &data).unwrap();
        let mut memory = Guarded::new(0, data.len());
        namespace.read(&Read::new(0, 8), memory.bytes()).unwrap();
        memory.check();
        assert!(memory.bytes() == data);
        drop(attached);
        assert_eq!(active(&drive), [1, 2, 3, 4, 5]);

        // The handle is still there, its namespace is not.
        let mut memory = Guarded::new(0, 8 * 512);
        let error = namespace
            .read(&Read::new(0, 8), memory.bytes())
            .unwrap_err();
        gone(&error);
        memory.untouched();
        let error = NvmeNamespace::open(&node).unwrap_err();
        assert!(
            matches!(error, Error::NotFound { .. } | Error::Gone { .. }),
            "{error:?}"
        );

        // What was written is there when it comes back.
        drop(namespace);
        let attached = Attached::new();
        let mut memory = Guarded::new(0, 8 * 512);
        let back = attached.open();
        back.read(&Read::new(0, 8), memory.bytes()).unwrap();
        assert!(memory.bytes() == data);
    });
}

/// Of a namespace that the controller has no more.
fn gone(error: &Error) {
    match error {
        Error::Gone { .. } => {}
        Error::Nvme(error) => match error.kind() {
            NvmeErrorKind::NoPath { .. } => {}
            NvmeErrorKind::Status(completion) => assert_eq!(
                completion.status().status_code(),
                StatusCode::INVALID_NAMESPACE_OR_FORMAT
            ),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_handle_from_before_knows_the_new_format() {
    within(60, "formatting", || {
        let attached = Attached::new();
        let namespace = attached.open();
        let other = attached.open();
        let read = Read::new(0, 4);
        let data = pattern(32, 4 * 512);
        namespace.write(&Write::new(0, 4), &data).unwrap();
        for (old, new) in [(512_u32, 4096_u32), (4096, 512), (512, 4096), (4096, 512)] {
            assert_eq!(namespace.format().unwrap(), Some(Format::new(old)));
            let (old_len, new_len) = (4 * old as usize, 4 * new as usize);
            let mut memory = Guarded::new(0, old_len);
            namespace.read(&read, memory.bytes()).unwrap();
            memory.check();
            attached.format(new);
            for handle in [&namespace, &other] {
                refused(&mut Guarded::new(0, old_len), |data| {
                    handle.read(&read, data)
                });
                let mut memory = Guarded::new(0, new_len);
                handle.read(&read, memory.bytes()).unwrap();
                memory.check();
                assert!(memory.bytes().iter().all(|byte| *byte == 0), "all is lost");
                assert_eq!(handle.format().unwrap(), Some(Format::new(new)));
            }
            let data = pattern(33, new_len);
            namespace.write(&Write::new(0, 4), &data).unwrap();
            let mut memory = Guarded::new(0, new_len);
            other.read(&read, memory.bytes()).unwrap();
            memory.check();
            assert!(memory.bytes() == data);
        }
        let bad = attached.drive.execute(&FormatNvm::new(number(6), 63));
        assert_eq!(status(bad), StatusCode::INVALID_FORMAT);
        assert_eq!(namespace.format().unwrap(), Some(Format::new(512)));
    });
}

/// Four threads read while a fifth formats back and forth: whatever the format
/// is when a read arrives, it ends where its buffer ends.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reads_under_formatting_stay_within() {
    within(180, "formatting under reads", || {
        let attached = Attached::new();
        let namespace = attached.open();
        let done = AtomicBool::new(false);
        let (small, large) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for thread in 0..4_u32 {
                let (attached, namespace, done) = (&attached, &namespace, &done);
                let (small, large) = (&small, &large);
                scope.spawn(move || {
                    // Two of them share a handle.
                    let own = (thread > 1).then(|| attached.open());
                    let namespace = own.as_ref().unwrap_or(namespace);
                    let mut memory = [512, 4096].map(|block| Guarded::new(512, 4 * block));
                    while !done.load(Ordering::Relaxed) {
                        for (which, memory) in memory.iter_mut().enumerate() {
                            let result = namespace.read(&Read::new(0, 4), memory.bytes());
                            memory.check();
                            match result {
                                Ok(_) => [small, large][which].fetch_add(1, Ordering::Relaxed),
                                Err(error) => {
                                    excusable(&error);
                                    continue;
                                }
                            };
                        }
                    }
                });
            }
            for block in [4096, 512, 4096, 512, 4096, 512] {
                let before = [&small, &large].map(|count| count.load(Ordering::Relaxed));
                attached.format(block);
                // Each format is read by.
                let which = usize::from(block == 4096);
                let deadline = Instant::now() + Duration::from_secs(20);
                while [&small, &large][which].load(Ordering::Relaxed) < before[which] + 4 {
                    assert!(Instant::now() < deadline, "nobody reads blocks of {block}");
                    thread::sleep(Duration::from_millis(5));
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(namespace.format().unwrap(), Some(Format::new(512)));
    });
}

/// What a read may meet while its namespace is formatted.
fn excusable(error: &Error) {
    match error {
        Error::Nvme(error) => match error.kind() {
            // The wrong length, the format changed between, and no path for a moment.
            NvmeErrorKind::Length(_)
            | NvmeErrorKind::Unsupported { .. }
            | NvmeErrorKind::NoPath { .. } => {}
            NvmeErrorKind::Status(completion) => assert_eq!(
                completion.status().status_code(),
                StatusCode::FORMAT_IN_PROGRESS
            ),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_only_handle_neither_formats_nor_attaches() {
    let reader = NvmeController::open(crate::nvme_lab::controller("PTSUB")).unwrap();
    let error = failure(reader.execute(&FormatNvm::new(number(6), 0)));
    assert!(matches!(error.kind(), NvmeErrorKind::ReadOnly), "{error}");
    let error = failure(reader.write(&AttachNamespace::attach(number(6)), &list(&reader)));
    assert!(matches!(error.kind(), NvmeErrorKind::ReadOnly), "{error}");
    assert_eq!(active(&reader), [1, 2, 3, 4, 5]);
}

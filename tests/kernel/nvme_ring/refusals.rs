//! What a ring does not take, it says at once, with what to do instead.

use std::time::Duration;

use passthru::{
    Error, NvmeController, NvmeErrorKind, NvmeNamespace, NvmeRing, OpenOptions, Options,
    device::{RingRejected, Target},
    nvme::{
        Sqe,
        admin::{
            AttachNamespace, CreateNamespace, DeleteNamespace, FirmwareAction, FirmwareCommit,
            FormatNvm, Sanitize,
        },
        features::{DwordFeature as _, NumberOfQueues, VolatileWriteCache},
        identify::IdentifyController,
        io::{Compare, DatasetManagement, DatasetRange, Flush, Read, Verify, Write, WriteZeroes},
    },
};

use super::support::{
    end, filled, formats_are_held, good, kind, open, plain, polls, read_only, stale, succeeds, with,
};
use crate::{
    nvme::support::{drive, number},
    nvme_lab::{controller, namespace},
};

/// Nothing was queued, and the buffer is back as it was.
fn back(ring: &NvmeRing, rejected: &RingRejected, text: &str) {
    assert!(rejected.to_string().contains(text), "{rejected}");
    assert!(!rejected.error.was_sent());
    let buffer = rejected.buffer.as_ref().unwrap();
    assert!(buffer.iter().all(|byte| *byte == 0xee));
    assert_eq!((ring.in_flight(), ring.queued()), (0, 0));
}

fn unsupported(error: &Error, text: &str) {
    let Error::Unsupported { what, .. } = error else {
        panic!("{error:?}");
    };
    assert!(what.contains(text), "{what}");
    assert!(!error.was_sent());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn nodes_that_it_cannot_use() {
    let mut ring = plain();
    let (_, disk) = namespace("PTPLAIN", 1);
    let error = ring
        .add_namespace(NvmeNamespace::open(&disk).unwrap())
        .unwrap_err();
    unsupported(&error, "/dev/ngXnY");
    assert!(error.to_string().starts_with(disk.to_str().unwrap()));

    if polls() {
        let mut polled = NvmeRing::builder().polled(true).build().unwrap();
        let error = polled.add_namespace(open("PTSUB", 1)).unwrap_err();
        unsupported(&error, "poll_queues=N");
        let error = polled.add_controller(drive("PTSUB")).unwrap_err();
        unsupported(&error, "another ring");
    }

    // A timeout of nothing would be the kernel's own.
    let now = OpenOptions::new().defaults(Options::new().timeout(Duration::ZERO));
    let (generic, _) = namespace("PTPLAIN", 1);
    let hasty = NvmeNamespace::open_with(&generic, &now).unwrap();
    unsupported(&ring.add_namespace(hasty).unwrap_err(), "1 ms to 49 days");
    let hasty = NvmeController::open_with(controller("PTPLAIN"), &now).unwrap();
    unsupported(&ring.add_controller(hasty).unwrap_err(), "1 ms to 49 days");

    // It goes on with what it can use.
    let target = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
    ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
    assert_eq!(good(&mut ring).0.target, target);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn commands_of_the_other_queue() {
    let (mut ring, on_namespace) = with("PTSUB", 1);
    let on_controller = ring.add_controller(drive("PTSUB")).unwrap();
    let rejected = ring
        .read(on_namespace, &IdentifyController, stale(4096), 0)
        .unwrap_err();
    back(&ring, &rejected, "add the controller, /dev/nvmeX");
    let error = ring
        .execute(on_namespace, &NumberOfQueues::get(), 0)
        .unwrap_err();
    assert!(
        error.to_string().contains("add the controller, /dev/nvmeX"),
        "{error}"
    );
    assert!(matches!(kind(&error), NvmeErrorKind::Unsupported { .. }));
    let rejected = ring
        .read(on_controller, &Read::new(0, 1), stale(512), 0)
        .unwrap_err();
    back(&ring, &rejected, "add a namespace, /dev/ngXnY");
    let rejected = ring
        .write(on_controller, &Write::new(0, 1), stale(512), 0)
        .unwrap_err();
    back(&ring, &rejected, "add a namespace, /dev/ngXnY");
    let error = ring.execute(on_controller, &Flush, 0).unwrap_err();
    assert!(
        error.to_string().contains("add a namespace, /dev/ngXnY"),
        "{error}"
    );
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1)]).unwrap();
    let rejected = ring
        .send(on_controller, &ranges, stale(512), 0)
        .unwrap_err();
    assert!(rejected.to_string().contains("/dev/ngXnY"), "{rejected}");
    assert_eq!(rejected.buffer.unwrap().capacity(), 4096);
    assert!(!formats_are_held(&drive("PTSUB")));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_may_change_formats_goes_by_ioctl() {
    let mut ring = plain();
    let target = ring.add_controller(drive("PTSUB")).unwrap();
    let six = number(6);
    let commit = FirmwareCommit::new(1, FirmwareAction::Activate);
    let results = [
        ring.execute(target, &FormatNvm::new(six, 0), 0),
        ring.execute(target, &Sanitize::block_erase(), 0),
        ring.execute(target, &commit, 0),
        ring.execute(target, &DeleteNamespace::new(six), 0),
    ];
    for result in results {
        let error = result.unwrap_err();
        assert!(
            error.to_string().contains("through an NvmeController"),
            "{error}"
        );
        assert!(matches!(kind(&error), NvmeErrorKind::Unsupported { .. }));
    }
    let attach = ring
        .write(target, &AttachNamespace::attach(six), stale(4096), 0)
        .unwrap_err();
    back(&ring, &attach, "through an NvmeController");
    let create = ring
        .write(target, &CreateNamespace::new(), stale(4096), 0)
        .unwrap_err();
    back(&ring, &create, "through an NvmeController");
    // Raw ones too: also those whose meaning only the vendor knows.
    for opcode in [0x0d, 0x10, 0x15, 0x1c, 0x20, 0x80, 0x84, 0xc0, 0xff] {
        let buffer = stale(4096).into();
        let sqe = Sqe::new(opcode);
        // SAFETY: nothing is sent.
        let rejected = unsafe { ring.submit_raw(target, &sqe, Some(buffer), None, None, 0) };
        back(&ring, &rejected.unwrap_err(), "through an NvmeController");
    }
    assert!(!formats_are_held(&drive("PTSUB")));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_only_handle_changes_nothing() {
    let mut ring = plain();
    let target = ring.add_namespace(read_only("PTSUB", 1)).unwrap();
    let write = ring
        .write(target, &Write::new(0, 1), stale(512), 0)
        .unwrap_err();
    back(&ring, &write, "change nothing");
    assert!(matches!(kind(&write.error), NvmeErrorKind::ReadOnly));
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1)]).unwrap();
    let send = ring.send(target, &ranges, stale(512), 0).unwrap_err();
    assert!(matches!(kind(&send.error), NvmeErrorKind::ReadOnly));
    for result in [
        ring.execute(target, &WriteZeroes::new(0, 1), 0),
        ring.execute(target, &Flush, 0),
    ] {
        assert!(matches!(
            kind(&result.unwrap_err()),
            NvmeErrorKind::ReadOnly
        ));
    }
    let vectored = vec![stale(512).into()];
    let vectored = ring.write_vectored(target, &Write::new(0, 1), vectored, 0);
    assert!(matches!(
        kind(&vectored.unwrap_err().error),
        NvmeErrorKind::ReadOnly
    ));
    let sqe = Sqe::new(0x01);
    let (data, beside) = (stale(512).into(), stale(8).into());
    // SAFETY: nothing is sent.
    let raw = unsafe { ring.submit_raw(target, &sqe, Some(data), Some(beside), None, 0) };
    let raw = raw.unwrap_err();
    back(&ring, &raw, "change nothing");
    assert_eq!(raw.metadata.unwrap().len(), 8);
    let controller = NvmeController::open(controller("PTSUB")).unwrap();
    let controller = ring.add_controller(controller).unwrap();
    let set = VolatileWriteCache::new(true).set();
    let error = ring.execute(controller, &set, 0).unwrap_err();
    assert!(matches!(kind(&error), NvmeErrorKind::ReadOnly));
    assert!(!formats_are_held(&drive("PTSUB")));

    // What it may.
    ring.read(target, &Read::new(0, 1), stale(512), 0).unwrap();
    let block = good(&mut ring).0.buffer.unwrap();
    ring.write(target, &Compare::new(0, 1), block, 0).unwrap();
    succeeds(&mut ring);
    ring.execute(target, &Verify::new(0, 1), 0).unwrap();
    succeeds(&mut ring);
    ring.execute(controller, &NumberOfQueues::get(), 0).unwrap();
    succeeds(&mut ring);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_target_of_another_ring() {
    let (mut ring, own) = with("PTSUB", 1);
    let (other, foreign) = with("PTSUB", 1);
    assert_ne!(own, foreign);
    let text = "another ring: use what this ring's `add_namespace` gave";
    let read = ring.read(foreign, &Read::new(0, 1), stale(512), 0);
    back(&ring, &read.unwrap_err(), text);
    let vectored = vec![stale(512).into()];
    let vectored = ring.read_vectored(foreign, &Read::new(0, 1), vectored, 0);
    assert!(vectored.unwrap_err().to_string().contains(text));
    let error = ring.execute(foreign, &Flush, 0).unwrap_err();
    assert!(
        matches!(error, Error::Ring { source: None, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains(text));
    let sqe = Sqe::new(0x02);
    // SAFETY: nothing is sent.
    let raw = unsafe { ring.submit_raw(foreign, &sqe, Some(stale(512).into()), None, None, 0) };
    back(&ring, &raw.unwrap_err(), text);
    // Also if there are fewer of its own.
    let mut none = plain();
    let admin = none.read(own, &IdentifyController, stale(4096), 0);
    back(&none, &admin.unwrap_err(), text);
    drop(other);
}

fn raw_read(ring: &mut NvmeRing, target: Target, timeout: Duration) -> Result<(), RingRejected> {
    let sqe = Sqe::new(0x02);
    let buffer = Some(stale(512).into());
    // SAFETY: a read of one block of 512 bytes.
    unsafe { ring.submit_raw(target, &sqe, buffer, None, Some(timeout), 4) }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_timeout_that_the_kernel_cannot_have() {
    let (mut ring, target) = with("PTSUB", 1);
    for wrong in [
        Duration::ZERO,
        Duration::from_secs(50 * 86400),
        Duration::MAX,
    ] {
        let rejected = raw_read(&mut ring, target, wrong).unwrap_err();
        back(&ring, &rejected, "1 ms to 49 days");
    }
    assert!(!formats_are_held(&drive("PTSUB")));
    raw_read(&mut ring, target, Duration::from_secs(49 * 86400)).unwrap();
    let (done, _) = good(&mut ring);
    assert_eq!((done.token, done.buffer.unwrap().len()), (4, 512));
}

/// A raw command is what it says, for the namespace that it goes to.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_raw_command_has_the_namespaces_number() {
    let (mut ring, target) = with("PTSUB", 2);
    ring.write(target, &Write::new(950, 1), filled(&[0x3c; 4096]), 0)
        .unwrap();
    succeeds(&mut ring);
    let sqe = Sqe {
        nsid: 77,
        cdw10: 950,
        ..Sqe::new(0x02)
    };
    // SAFETY: a read of one block of 4096 bytes.
    unsafe { ring.submit_raw(target, &sqe, Some(stale(4096).into()), None, None, 0) }.unwrap();
    assert!(good(&mut ring).0.buffer.unwrap()[..] == [0x3c; 4096]);
    // An opcode that the drive does not know.
    // SAFETY: it moves nothing.
    unsafe { ring.submit_raw(target, &Sqe::new(0x74), None, None, None, 0) }.unwrap();
    let error = end(&mut ring).result.unwrap_err();
    assert!(error.was_sent());
    assert!(error.to_string().contains("74h"), "{error}");
}

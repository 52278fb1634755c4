//! Formats that are changed beside a ring.

use std::time::Duration;

use passthru::{
    NvmeErrorKind, NvmeTransportExt, Result,
    nvme::{Completion, LengthMismatch, admin::FormatNvm, io::Read},
};

use crate::nvme::{
    attach::Attached,
    support::{drive, number, within},
};
use crate::nvme_ring::support::{busy, good, kind, nvme_error, open, plain, stale, succeeds};

fn format(attached: &Attached, block: u32) -> Result<Completion> {
    let format = FormatNvm::new(number(6), attached.index(block));
    drive("PTSUB").execute(&format.within(Duration::from_secs(60)))
}

fn refused(result: Result<Completion>) {
    let error = result.unwrap_err();
    let kind = kind(&error);
    assert!(matches!(kind, NvmeErrorKind::InFlight), "{kind:?}");
    assert!(error.to_string().contains("complete them first"), "{error}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn no_format_is_changed_under_a_command() {
    within(120, "formats and a ring", || {
        let attached = Attached::new();
        let mut ring = plain();
        let six = ring.add_namespace(attached.open()).unwrap();
        let one = ring.add_namespace(open("PTSUB", 1)).unwrap();
        let elsewhere = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
        for (old, new) in [(512, 4096), (4096, 512)] {
            let [old, new] = [old, new].map(|len| len as usize);
            // Queued only, handed over, ended and not popped.
            ring.read(six, &Read::new(0, 1), stale(old), 1).unwrap();
            refused(format(&attached, new as u32));
            ring.submit().unwrap();
            refused(format(&attached, new as u32));
            assert_eq!(ring.wait(1).unwrap(), 1);
            refused(format(&attached, new as u32));
            assert_eq!(good(&mut ring).0.buffer.unwrap().len(), old);
            // Of another namespace of that subsystem, for who knows what changes.
            ring.read(one, &Read::new(0, 1), stale(512), 2).unwrap();
            refused(format(&attached, new as u32));
            succeeds(&mut ring);
            // Of another subsystem.
            ring.read(elsewhere, &Read::new(0, 1), stale(512), 3)
                .unwrap();
            format(&attached, new as u32).unwrap();
            succeeds(&mut ring);

            let back = ring.read(six, &Read::new(0, 1), stale(old), 4).unwrap_err();
            let kind = kind(&back.error);
            let NvmeErrorKind::Length(LengthMismatch::Data { len, expected }) = kind else {
                panic!("{kind:?}");
            };
            assert_eq!((*len, *expected), (old, new as u64));
            ring.read(six, &Read::new(0, 1), stale(new), 5).unwrap();
            let buffer = good(&mut ring).0.buffer.unwrap();
            assert_eq!(buffer.len(), new);
            assert!(buffer.iter().all(|byte| *byte == 0), "it was formatted");
        }
    });
}

/// A ring that is dropped, and one that refuses, hold nothing.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn formats_are_free_after_a_ring() {
    within(120, "formats after a ring", || {
        let attached = Attached::new();
        let mut ring = plain();
        let six = ring.add_namespace(attached.open()).unwrap();
        ring.read(six, &Read::new(0, 1), stale(511), 0).unwrap_err();
        format(&attached, 4096).unwrap();
        ring.read(six, &Read::new(0, 1), stale(512), 0).unwrap_err();
        ring.read(six, &Read::new(0, 1), stale(4096), 0).unwrap();
        refused(format(&attached, 512));
        drop(ring);
        format(&attached, 512).unwrap();
        // A past the end ends like any other.
        let mut ring = plain();
        let six = ring.add_namespace(attached.open()).unwrap();
        ring.read(six, &Read::new(1 << 40, 1), stale(512), 0)
            .unwrap();
        let done = ring.complete().unwrap().unwrap();
        assert!(nvme_error(&done.result.unwrap_err()).status().is_some());
        format(&attached, 512).unwrap();
    });
}

/// Another drive's slow command does not matter, nor does the kernel wait for it.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_slow_drive_holds_its_own_formats_only() {
    within(120, "formats beside a slow drive", || {
        let attached = Attached::new();
        let mut ring = plain();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        busy(3);
        ring.read(slow, &Read::new(0, 1), stale(512), 0).unwrap();
        ring.submit().unwrap();
        format(&attached, 512).unwrap();
        // A format of its own drive is refused, before anything is sent.
        let own = FormatNvm::new(number(1), 0);
        refused(drive("PTSLOW").execute(&own));
        assert_eq!(ring.in_flight(), 1);
        succeeds(&mut ring);
    });
}

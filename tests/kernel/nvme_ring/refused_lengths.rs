//! Lengths that are not what a command moves.

use passthru::{
    AlignedBuf, NvmeErrorKind, NvmeRing, NvmeTransport as _,
    device::{RingBuf, RingRejected, Target},
    nvme::{
        LengthMismatch, Query as _, Sqe, WithData as _,
        identify::IdentifyController,
        io::{DatasetManagement, DatasetRange, Read, Write, ZoneAppend},
        log::{GetLog, LogId},
    },
};

use super::support::{formats_are_held, good, kind, open, plain, stale, with};
use crate::nvme::support::drive;

/// A buffer of any length, 0 among them.
fn memory(len: usize) -> AlignedBuf {
    match len {
        0 => AlignedBuf::empty(),
        _ => stale(len),
    }
}

fn length(ring: &NvmeRing, result: Result<(), RingRejected>, len: usize) -> LengthMismatch {
    let back = result.unwrap_err();
    let mismatch = match kind(&back.error) {
        NvmeErrorKind::Length(mismatch) => *mismatch,
        other => panic!("{len}: {other:?}"),
    };
    let buffer = back.buffer.unwrap();
    assert_eq!(buffer.len(), len);
    assert!(buffer.iter().all(|byte| *byte == 0xee));
    assert_eq!((ring.in_flight(), ring.queued()), (0, 0), "{len}");
    mismatch
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn blocks_take_their_own_length_only() {
    for (nsid, block) in [(1, 512), (2, 4096), (4, 528), (5, 4096)] {
        let (mut ring, target) = with("PTSUB", nsid);
        for blocks in [1, 3, 8] {
            let right = blocks * block;
            for wrong in [
                0,
                1,
                right - 1,
                right + 1,
                right - block,
                right + block,
                right - 4,
                2 * right,
                blocks * 520,
            ] {
                if wrong == right {
                    continue;
                }
                let read = ring.read(target, &Read::new(0, blocks as u32), memory(wrong), 0);
                let mismatch = length(&ring, read, wrong);
                assert!(
                    matches!(mismatch, LengthMismatch::Data { len, expected }
                        if len == wrong && expected == right as u64),
                    "{mismatch:?}"
                );
                let write = ring.write(target, &Write::new(0, blocks as u32), memory(wrong), 0);
                length(&ring, write, wrong);
                let append = ZoneAppend::new(0, blocks as u32);
                let append = ring.write(target, &append, memory(wrong), 0);
                length(&ring, append, wrong);
            }
            // The room behind it does not count.
            let mut roomy = RingBuf::from(stale(2 * right + 4096));
            roomy.set_len(right);
            ring.read(target, &Read::new(0, blocks as u32), roomy, 0)
                .unwrap();
            let mut buffer = good(&mut ring).0.buffer.unwrap();
            buffer.set_len(usize::MAX);
            assert!(
                buffer[right..2 * right + 4096]
                    .iter()
                    .all(|byte| *byte == 0xee)
            );
        }
        for blocks in [0, 65537, u32::MAX] {
            let read = ring.read(target, &Read::new(0, blocks), memory(4096), 0);
            let mismatch = length(&ring, read, 4096);
            assert!(
                matches!(mismatch, LengthMismatch::Blocks { .. }),
                "{mismatch:?}"
            );
        }
    }
    assert!(!formats_are_held(&drive("PTSUB")));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn metadata_takes_its_own_length_only() {
    let (mut ring, target) = with("PTSUB", 3);
    let read = Read::new(0, 4);
    let without = ring.read(target, &read, stale(2048), 0);
    let mismatch = length(&ring, without, 2048);
    assert!(
        matches!(
            mismatch,
            LengthMismatch::Metadata {
                len: 0,
                expected: 32
            }
        ),
        "{mismatch:?}"
    );
    for wrong in [0, 1, 8, 31, 33, 64, 4096] {
        let back = ring
            .read_with_metadata(target, &read, stale(2048), memory(wrong), 0)
            .unwrap_err();
        assert_eq!(back.metadata.as_ref().unwrap().len(), wrong);
        let mismatch = length(&ring, Err(back), 2048);
        assert!(
            matches!(mismatch, LengthMismatch::Metadata { .. }),
            "{mismatch:?}"
        );
    }
    for wrong in [0, 512, 2047, 2080] {
        let back = ring.write_with_metadata(target, &Write::new(0, 4), memory(wrong), stale(32), 0);
        length(&ring, back, wrong);
    }
    // Where there is none, or none apart.
    for (nsid, len) in [(1, 2048), (4, 4 * 528)] {
        let target = ring.add_namespace(open("PTSUB", nsid)).unwrap();
        let back = ring.read_with_metadata(target, &read, stale(len), stale(32), 0);
        length(&ring, back, len);
    }
    assert!(!formats_are_held(&drive("PTSUB")));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn other_commands_take_what_they_name() {
    let (mut ring, namespace) = with("PTSUB", 1);
    let controller = ring.add_controller(drive("PTSUB")).unwrap();
    for wrong in [0, 4097, 8192] {
        let read = ring.read(controller, &IdentifyController, memory(wrong), 0);
        length(&ring, read, wrong);
    }
    // It moves a page whatever is wanted of it.
    for less in [1, 512, 4095, 4096] {
        ring.read(controller, &IdentifyController, stale(less), 0)
            .unwrap();
        let mut buffer = good(&mut ring).0.buffer.unwrap();
        assert_eq!(buffer.len(), less);
        buffer.set_len(4096);
        let data = IdentifyController.parse(&buffer).unwrap();
        assert_eq!(data.serial(), "PTSUB");
    }
    let log = GetLog::new(LogId::SMART_HEALTH);
    for wrong in [0, 1, 3, 510] {
        let read = ring.read(controller, &log, memory(wrong), 0);
        length(&ring, read, wrong);
    }
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1), DatasetRange::new(2, 1)]);
    let ranges = ranges.unwrap();
    assert_eq!(ranges.data().len(), 32);
    for wrong in [0, 1, 16, 31, 33, 64, 4096] {
        let write = ring.write(namespace, &ranges, memory(wrong), 0);
        length(&ring, write, wrong);
    }
    // There is no room for the ranges.
    let back = ring
        .send(namespace, &ranges, AlignedBuf::empty(), 0)
        .unwrap_err();
    assert!(matches!(kind(&back.error), NvmeErrorKind::Length(_)));
    let many = DatasetManagement::new((0..256).map(|lba| DatasetRange::new(lba, 1))).unwrap();
    let registered = NvmeRing::builder().registered_buffers(1, 512).build();
    let mut small = registered.unwrap();
    let target = small.add_namespace(open("PTSUB", 1)).unwrap();
    let buffer = small.buffer().unwrap();
    // 256 ranges are a page, whatever the buffer was to have.
    small.send(target, &many, buffer, 0).unwrap();
    assert_eq!(good(&mut small).0.buffer.unwrap().len(), 4096);
    assert!(!formats_are_held(&drive("PTSUB")));
}

fn too_large(result: Result<(), RingRejected>, len: usize, limit: usize) {
    let back = result.unwrap_err();
    match kind(&back.error) {
        NvmeErrorKind::TooLarge {
            len: said,
            limit: Some(most),
            source: None,
        } => assert_eq!((*said, *most), (len, limit)),
        other => panic!("{other:?}"),
    }
    assert!(
        back.to_string().contains(&format!("at most {limit}")),
        "{back}"
    );
    let pieces = back.buffers.iter().flatten();
    let all: usize = pieces.chain(&back.buffer).map(|buffer| buffer.len()).sum();
    assert_eq!(all, len);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn no_more_than_the_drive_takes() {
    for (serial, limit) in [("PTMDTS", 128 << 10), ("PTSUB", 512 << 10)] {
        let mut ring = plain();
        let namespace = open(serial, 1);
        assert_eq!(namespace.max_transfer(), Some(limit));
        let target: Target = ring.add_namespace(namespace).unwrap();
        let (blocks, len) = ((limit / 512) as u32 + 1, limit + 512);
        let read = ring.read(target, &Read::new(0, blocks), stale(len), 0);
        too_large(read, len, limit);
        let write = ring.write(target, &Write::new(0, blocks), stale(len), 0);
        too_large(write, len, limit);
        let pieces = vec![stale(limit).into(), stale(512).into()];
        let vectored = ring.read_vectored(target, &Read::new(0, blocks), pieces, 0);
        too_large(vectored, len, limit);
        let sqe = Sqe {
            cdw12: blocks - 1,
            ..Sqe::new(0x02)
        };
        let buffer = Some(stale(len).into());
        // SAFETY: nothing is sent.
        let raw = unsafe { ring.submit_raw(target, &sqe, buffer, None, None, 0) };
        too_large(raw, len, limit);
        assert_eq!((ring.in_flight(), ring.queued()), (0, 0));
        // As much as that it takes.
        let mut most = stale(limit);
        // Fewer segments than pages.
        let _ = most.advise_huge_pages();
        ring.read(target, &Read::new(0, blocks - 1), most, 0)
            .unwrap();
        let done = ring.complete().unwrap().unwrap();
        assert_eq!(done.buffer.unwrap().len(), limit);
        if serial == "PTMDTS" {
            done.result.unwrap();
        }
    }
    assert!(!formats_are_held(&drive("PTSUB")));
}

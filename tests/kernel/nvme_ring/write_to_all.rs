//! One buffer for several targets.

use passthru::{
    AlignedBuf, Error, NvmeErrorKind, NvmeNamespace, NvmeRing, NvmeTransportExt,
    device::{RingBuf, Target},
    nvme::{
        StatusCode, WithData as _,
        io::{Compare, DatasetManagement, DatasetRange, Read, Write},
    },
};

use super::support::{
    busy, filled, formats_are_held, kind, nvme_error, open, plain, stale, status, with,
};
use crate::{
    lab::pattern,
    nvme::support::{drive, within},
    nvme_lab::namespace,
};

/// Drives with blocks of 512 bytes.
const PLAIN: [&str; 3] = ["PTPLAIN", "PTSUB", "PTMDTS"];

fn targets(ring: &mut NvmeRing) -> [Target; 3] {
    PLAIN.map(|serial| ring.add_namespace(open(serial, 1)).unwrap())
}

fn content(serial: &str, lba: u64, len: usize) -> Vec<u8> {
    let mut data = vec![0; len];
    let read = Read::new(lba, (len / 512) as u32);
    open(serial, 1).read(&read, &mut data).unwrap();
    data
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn all_have_it_and_the_last_completion_too() {
    for registered in [false, true] {
        let mut builder = NvmeRing::builder().depth(8);
        if registered {
            builder = builder.registered_buffers(1, 16 * 512);
        }
        let mut ring = builder.build().unwrap();
        let all = targets(&mut ring);
        for round in 0..20 {
            let data = pattern(round, 16 * 512);
            let mut buffer = match ring.buffer() {
                Some(buffer) => buffer,
                None => RingBuf::from(AlignedBuf::new(data.len()).unwrap()),
            };
            assert_eq!(buffer.is_registered(), registered);
            buffer.copy_from_slice(&data);
            let place = buffer.as_ptr();
            let mut commands: Vec<_> = all
                .iter()
                .map(|target| (*target, Write::new(3000, 16)))
                .collect();
            // And to one of them twice.
            commands.push((all[0], Write::new(3100, 16)));
            ring.write_to_all(&commands, buffer, 40 + u64::from(round))
                .unwrap();
            assert_eq!((ring.in_flight(), ring.queued()), (4, 4));
            for left in (0..4).rev() {
                let done = ring.complete().unwrap().unwrap();
                done.result.unwrap();
                assert_eq!(done.token, 40 + u64::from(round));
                assert!(all.contains(&done.target));
                assert_eq!(done.buffer.is_some(), left == 0, "{left} are left");
                if let Some(buffer) = done.buffer {
                    assert_eq!(buffer.as_ptr(), place);
                    assert!(buffer[..] == data[..]);
                } else {
                    // It is still in flight.
                    assert!(ring.buffer().is_none());
                }
            }
            for serial in PLAIN {
                assert!(content(serial, 3000, data.len()) == data, "{serial}");
            }
            assert!(content(PLAIN[0], 3100, data.len()) == data);
        }
        // As many of other commands as there are, too.
        let same = filled(&content(PLAIN[0], 3000, 512));
        let commands = all.map(|target| (target, Compare::new(3000, 1)));
        ring.write_to_all(&commands, same, 0).unwrap();
        while let Some(done) = ring.complete().unwrap() {
            done.result.unwrap();
        }
        let ranges = DatasetManagement::new([DatasetRange::new(3100, 8)]).unwrap();
        let data = filled(&ranges.data());
        let commands = all.map(|target| (target, ranges.clone()));
        ring.write_to_all(&commands, data, 0).unwrap();
        let mut buffers = 0;
        while let Some(done) = ring.complete().unwrap() {
            done.result.unwrap();
            buffers += u32::from(done.buffer.is_some());
        }
        assert_eq!(buffers, 1);
    }
}

/// The slow drive keeps it for as long as it takes.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_slow_target_keeps_the_buffer() {
    within(60, "a slow target", || {
        let mut ring = plain();
        let slow = ring.add_namespace(open("PTSLOW", 1)).unwrap();
        let fast = ring.add_namespace(open("PTPLAIN", 1)).unwrap();
        busy(2);
        let commands = [(slow, Write::new(6, 1)), (fast, Write::new(3200, 1))];
        // Zeros, as other tests expect there.
        ring.write_to_all(&commands, filled(&[0; 512]), 3).unwrap();
        let first = ring.complete().unwrap().unwrap();
        assert_eq!(first.target, fast);
        assert!(first.buffer.is_none());
        first.result.unwrap();
        let last = ring.complete().unwrap().unwrap();
        assert_eq!(last.target, slow);
        last.result.unwrap();
        assert!(last.buffer.unwrap()[..] == [0; 512]);
    });
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn targets_that_fail_give_the_buffer_once() {
    let mut ring = plain();
    let all = targets(&mut ring);
    // Only the first has blocks there; then none of them has.
    for (lba, good) in [(40_000, vec![all[0]]), (1 << 40, vec![])] {
        let data = pattern(lba as u8 ^ 3, 4 * 512);
        let commands = all.map(|target| (target, Write::new(lba, 4)));
        ring.write_to_all(&commands, filled(&data), 5).unwrap();
        let mut buffers = Vec::new();
        for left in (0..3).rev() {
            let done = ring.complete().unwrap().unwrap();
            match &done.result {
                Ok(_) => assert!(good.contains(&done.target)),
                Err(_) => {
                    assert!(!good.contains(&done.target));
                    assert_eq!(status(&done), StatusCode::LBA_OUT_OF_RANGE);
                }
            }
            assert_eq!(done.buffer.is_some(), left == 0);
            buffers.extend(done.buffer);
        }
        assert_eq!(buffers.len(), 1);
        assert!(buffers[0][..] == data[..]);
        assert!(ring.complete().unwrap().is_none());
    }
    assert!(!formats_are_held(&drive("PTSUB")));
}

/// Whatever is refused: nothing is queued, the buffer is back, and formats are
/// not held for commands that there are not.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn all_or_none_are_queued() {
    let by_ioctl = drive("PTSUB");
    let mut ring = NvmeRing::builder().depth(6).batch(4).build().unwrap();
    let [plain, sub, limited] = targets(&mut ring);
    let mut add = |nsid| ring.add_namespace(open("PTSUB", nsid)).unwrap();
    let [wide, beside, extended] = [2, 3, 4].map(&mut add);
    let reader = NvmeNamespace::open(namespace("PTPLAIN", 1).0).unwrap();
    let reader = ring.add_namespace(reader).unwrap();
    let controller = ring.add_controller(drive("PTPLAIN")).unwrap();
    let (_other, foreign) = with("PTPLAIN", 1);
    let big = 256 << 10;
    for (what, targets, len, text) in [
        ("none", vec![], 512, "no target"),
        ("too many for a batch", vec![sub; 5], 512, "`batch`"),
        ("blocks of 4096", vec![sub, plain, wide], 512, "moves 4096"),
        ("blocks of 512", vec![wide, sub], 4096, "moves 512"),
        ("extended blocks", vec![sub, extended], 512, "moves 528"),
        ("separate metadata", vec![sub, beside], 512, "metadata"),
        ("a foreign target", vec![sub, foreign], 512, "another ring"),
        (
            "a foreign target first",
            vec![foreign, sub],
            512,
            "another ring",
        ),
        ("read-only", vec![sub, reader], 512, "change nothing"),
        (
            "a controller",
            vec![sub, controller],
            512,
            "admin commands only",
        ),
        (
            "too long for one",
            vec![sub, plain, limited],
            big,
            "at most 131072",
        ),
    ] {
        let blocks = match what {
            "too long for one" => (big / 512) as u32,
            _ => 1,
        };
        let commands: Vec<_> = targets
            .into_iter()
            .map(|target| (target, Write::new(3300, blocks)))
            .collect();
        let buffer = stale(len);
        let place = buffer.as_ptr();
        let back = ring.write_to_all(&commands, buffer, 0).unwrap_err();
        assert!(back.to_string().contains(text), "{what}: {back}");
        assert!(!back.error.was_sent());
        let buffer = back.buffer.unwrap();
        assert_eq!((buffer.as_ptr(), buffer.len()), (place, len), "{what}");
        assert_eq!((ring.in_flight(), ring.queued()), (0, 0), "{what}");
        assert!(!formats_are_held(&by_ioctl), "{what}");
    }
    // Too many for what is left of the depth: those before stay as they are.
    for token in 0..3 {
        ring.read(plain, &Read::new(0, 1), stale(512), token)
            .unwrap();
    }
    let commands = [(sub, Write::new(3300, 1)); 4];
    let back = ring.write_to_all(&commands, stale(512), 9).unwrap_err();
    let kind = kind(&back.error);
    assert!(
        matches!(kind, NvmeErrorKind::QueueFull { depth: 6 }),
        "{kind:?}"
    );
    assert!(back.to_string().contains("complete some first"), "{back}");
    assert_eq!(back.buffer.unwrap().len(), 512);
    assert!(!formats_are_held(&by_ioctl));
    assert_eq!(ring.in_flight(), 3);
    // What fits is queued behind them, all of it in one batch.
    ring.write_to_all(&commands[..3], filled(&[0; 512]), 9)
        .unwrap();
    assert_eq!((ring.in_flight(), ring.queued()), (6, 3));
    let mut tokens = Vec::new();
    while let Some(done) = ring.complete().unwrap() {
        done.result.unwrap();
        tokens.push(done.token);
    }
    tokens.sort_unstable();
    assert_eq!(tokens, [0, 1, 2, 9, 9, 9]);
}

/// A command that has to be the only one of its kind in flight sees both.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn formats_are_held_for_as_long_as_one_is_in_flight() {
    let by_ioctl = drive("PTSUB");
    let (mut ring, target) = with("PTSUB", 1);
    let commands = [(target, Write::new(3400, 1)), (target, Write::new(3401, 1))];
    ring.write_to_all(&commands, filled(&[1; 512]), 0).unwrap();
    assert!(formats_are_held(&by_ioctl), "they are queued");
    assert_eq!(ring.wait(2).unwrap(), 2);
    ring.pop().unwrap().result.unwrap();
    assert!(formats_are_held(&by_ioctl), "one is not popped yet");
    ring.pop().unwrap().result.unwrap();
    assert!(!formats_are_held(&by_ioctl));
    let past = ring.read(target, &Read::new(1 << 40, 1), stale(512), 0);
    past.unwrap();
    let error = ring.complete().unwrap().unwrap().result.unwrap_err();
    assert!(nvme_error(&error).status().is_some());
    assert!(matches!(*error, Error::Nvme(_)));
    assert!(!formats_are_held(&by_ioctl));
}

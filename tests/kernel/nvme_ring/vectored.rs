//! Commands whose blocks are in several buffers.

use passthru::{
    AlignedBuf, NvmeErrorKind, NvmeRing, NvmeTransportExt,
    device::RingBuf,
    nvme::io::{DatasetManagement, DatasetRange, Read, ReportZones, Write},
};

use super::support::{end, filled, good, kind, open, stale, with};
use crate::lab::pattern;

/// How 16 blocks are cut.
fn cuts(block: usize) -> Vec<Vec<usize>> {
    vec![
        vec![16 * block],
        vec![block; 16],
        vec![64; block / 4],
        vec![4, 16 * block - 8, 4],
        vec![1000, 4096, 4, 0, 16 * block - 5100],
    ]
}

fn cut(data: &[u8], pieces: &[usize]) -> Vec<RingBuf> {
    let mut rest = data;
    pieces
        .iter()
        .map(|len| {
            let (piece, behind) = rest.split_at(*len);
            rest = behind;
            filled(piece).into()
        })
        .collect()
}

fn addresses(buffers: &[RingBuf]) -> Vec<*const u8> {
    buffers.iter().map(|buffer| buffer.as_ptr()).collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn buffers_come_back_in_order_with_their_bytes() {
    for (nsid, block) in [(1, 512), (2, 4096), (4, 528)] {
        let (mut ring, target) = with("PTSUB", nsid);
        let drive = open("PTSUB", nsid);
        for (pieces, seed) in cuts(block).into_iter().zip(1..) {
            assert_eq!(pieces.iter().sum::<usize>(), 16 * block);
            let data = pattern(seed, 16 * block);
            let buffers = cut(&data, &pieces);
            let places = addresses(&buffers);
            ring.write_vectored(target, &Write::new(2600, 16), buffers, 8)
                .unwrap();
            let (done, _) = good(&mut ring);
            assert_eq!((done.token, done.target), (8, target));
            assert!(done.buffer.is_none() && done.metadata.is_none());
            assert_eq!(addresses(done.buffers.as_ref().unwrap()), places);
            let mut now = vec![0; data.len()];
            drive.read(&Read::new(2600, 16), &mut now).unwrap();
            assert!(now == data, "{nsid}: {pieces:?}");

            let other = pattern(!seed, 16 * block);
            drive.write(&Write::new(2600, 16), &other).unwrap();
            let buffers = cut(&vec![0xee; data.len()], &pieces);
            let places = addresses(&buffers);
            ring.read_vectored(target, &Read::new(2600, 16), buffers, 9)
                .unwrap();
            let (done, _) = good(&mut ring);
            assert_eq!(addresses(done.buffers.as_ref().unwrap()), places);
            let came: Vec<_> = done
                .buffers
                .iter()
                .flatten()
                .map(|buffer| &buffer[..])
                .collect();
            assert!(came.concat() == other, "{nsid}: {pieces:?}");
            let lengths: Vec<_> = done
                .buffers
                .iter()
                .flatten()
                .map(|buffer| buffer.len())
                .collect();
            assert_eq!(lengths, pieces);
        }
    }
}

/// The arrays of a command's buffers are used again for the next one.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn many_in_flight_do_not_mix_their_buffers() {
    let (mut ring, target) = with("PTSUB", 1);
    let drive = open("PTSUB", 1);
    let data = pattern(44, 64 * 512);
    drive.write(&Write::new(2700, 64), &data).unwrap();
    for round in 0..4 {
        for token in 0..32 {
            let pieces = if (token + round) % 2 == 0 { 1 } else { 2 };
            let buffers = cut(&vec![0xee; 1024], &vec![1024 / pieces; pieces]);
            ring.read_vectored(
                target,
                &Read::new(2700 + token as u64, 2),
                buffers,
                token as u64,
            )
            .unwrap();
        }
        let mut seen = [false; 32];
        while let Some(done) = ring.complete().unwrap() {
            done.result.unwrap();
            assert!(!std::mem::replace(&mut seen[done.token as usize], true));
            let came: Vec<_> = done
                .buffers
                .iter()
                .flatten()
                .map(|buffer| &buffer[..])
                .collect();
            assert!(came.concat() == data[done.token as usize * 512..][..1024]);
        }
        assert_eq!(seen, [true; 32]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_cannot_be_cut_is_refused() {
    let mut ring = NvmeRing::builder()
        .registered_buffers(1, 4096)
        .build()
        .unwrap();
    let target = ring.add_namespace(open("PTSUB", 1)).unwrap();
    let beside = ring.add_namespace(open("PTSUB", 3)).unwrap();
    let zoned = ring.add_namespace(open("PTSUB", 5)).unwrap();
    let read = Read::new(0, 2);
    let refusals: [(_, Vec<RingBuf>, &str); 6] = [
        (target, vec![], "0 bytes"),
        (
            target,
            vec![stale(512).into(), stale(511).into()],
            "1023 bytes",
        ),
        (
            target,
            vec![stale(1024).into(), stale(1).into()],
            "1025 bytes",
        ),
        (
            beside,
            vec![stale(512).into(), stale(512).into()],
            "metadata",
        ),
        (
            target,
            vec![stale(512).into(), ring.buffer().unwrap()],
            "`AlignedBuf`s",
        ),
        (
            target,
            (0..1025).map(|_| AlignedBuf::empty().into()).collect(),
            "at most 1024",
        ),
    ];
    for (to, buffers, text) in refusals {
        let places = addresses(&buffers);
        let back = ring.read_vectored(to, &read, buffers, 0).unwrap_err();
        let kind = kind(&back.error);
        assert!(
            matches!(
                kind,
                NvmeErrorKind::Length(_) | NvmeErrorKind::Unsupported { .. }
            ),
            "{kind:?}"
        );
        assert!(back.to_string().contains(text), "{back}");
        assert_eq!(addresses(back.buffers.as_ref().unwrap()), places);
        assert!(back.buffer.is_none() && back.metadata.is_none());
    }
    // Only blocks can be.
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1)]).unwrap();
    let back = ring.write_vectored(target, &ranges, vec![stale(16).into()], 0);
    assert!(
        back.unwrap_err()
            .to_string()
            .contains("commands that move blocks")
    );
    let report = ReportZones::new(0, 1);
    let back = ring.read_vectored(zoned, &report, vec![stale(4096).into()], 0);
    assert!(
        back.unwrap_err()
            .to_string()
            .contains("commands that move blocks")
    );
    let back = ring
        .read_with_metadata(zoned, &report, stale(4096), stale(8), 0)
        .unwrap_err();
    assert!(back.to_string().contains("commands that move blocks"));
    assert_eq!(back.metadata.unwrap().len(), 8);
    assert_eq!((ring.in_flight(), ring.queued()), (0, 0));
    // As many as there can be.
    let buffers: Vec<RingBuf> = (0..1024)
        .map(|index| match index {
            0 | 1023 => stale(512).into(),
            _ => AlignedBuf::empty().into(),
        })
        .collect();
    ring.read_vectored(target, &read, buffers, 0).unwrap();
    assert_eq!(end(&mut ring).buffers.unwrap().len(), 1024);
}

//! No safe I/O command writes outside its buffer.

use std::io::IoSliceMut;

use passthru::{
    NvmeErrorKind, NvmeTransportExt,
    nvme::{
        StatusCode, WithData,
        io::{
            CopyBlocks, CopyFormat, CopyRange, DatasetManagement, DatasetRange, Read,
            ReclaimUnitHandleStatus, ReportZones, ReservationRegister, ReservationReport, Write,
            ZoneAppend,
        },
    },
};

use super::{
    guarded::{GUARD, Guarded},
    support::{failure, number, refused, status, sub},
};
use crate::{lab::pattern, nvme_lab::namespace};

/// Namespaces of the subsystem with the bytes of a block and of its separate
/// metadata.
const FORMATS: [(u32, usize, usize); 5] = [
    (1, 512, 0),
    (2, 4096, 0),
    (3, 512, 8),
    (4, 528, 0),
    (5, 4096, 0),
];

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn reads_of_all_formats_stay_within() {
    for (nsid, block, beside) in FORMATS {
        let namespace = sub(nsid);
        for blocks in [1_u16, 2, 3, 8, 9, 33] {
            let count = usize::from(blocks);
            for offset in [0, 4, 508, 4092, 3] {
                let mut data = Guarded::new(offset, count * block);
                let mut metadata = Guarded::new(offset, count * beside);
                namespace
                    .read_with_metadata(
                        &Read::new(0, blocks.into()),
                        data.bytes(),
                        metadata.bytes(),
                    )
                    .unwrap_or_else(|error| panic!("{nsid} {blocks} {offset}: {error}"));
                data.check();
                metadata.check();
                for memory in [data.bytes(), metadata.bytes()] {
                    let filled = memory.is_empty() || memory.iter().any(|byte| *byte != GUARD);
                    assert!(filled, "namespace {nsid}, {blocks} blocks");
                }
            }
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn wrong_lengths_of_all_formats_are_refused() {
    for (nsid, block, beside) in FORMATS {
        let namespace = sub(nsid);
        for blocks in [1_usize, 8] {
            let read = Read::new(0, blocks as u32);
            let (good, beside_good) = (blocks * block, blocks * beside);
            let mut lengths = vec![0, 1, good - 1, good + 1, good - 4, good + 4];
            lengths.extend([good - block, good + block, good + 8 * blocks, 2 * good]);
            for len in lengths {
                let mut metadata = Guarded::new(0, beside_good);
                refused(&mut Guarded::new(0, len), |data| {
                    namespace.read_with_metadata(&read, data, metadata.bytes())
                });
                metadata.untouched();
            }
            let mut lengths = vec![1, 8 * blocks, 16 * blocks, beside_good + 1, 4096];
            lengths.extend(beside_good.checked_sub(1));
            lengths.extend(beside_good.checked_sub(8));
            lengths.retain(|len| *len != beside_good);
            for len in lengths {
                let mut data = Guarded::new(0, good);
                refused(&mut Guarded::new(0, len), |metadata| {
                    namespace.read_with_metadata(&read, data.bytes(), metadata)
                });
                data.untouched();
            }
            if beside > 0 {
                refused(&mut Guarded::new(0, good), |data| {
                    namespace.read(&read, data)
                });
            }
        }
        for blocks in [0, 65537, u32::MAX] {
            refused(&mut Guarded::new(0, block), |data| {
                namespace.read(&Read::new(0, blocks), data)
            });
        }
        // What would be written is looked at as closely.
        let data = vec![0; 2 * block];
        for blocks in [0, 1, 3] {
            for result in [
                namespace.write(&Write::new(0, blocks), &data),
                namespace.write(&ZoneAppend::new(0, blocks), &data),
            ] {
                let error = failure(result);
                assert!(matches!(error.kind(), NvmeErrorKind::Length(_)), "{error}");
                assert!(!error.was_sent());
            }
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn vectored_reads_stay_within_their_slices() {
    for (nsid, block) in [(1, 512), (2, 4096), (4, 528)] {
        let namespace = sub(nsid);
        let data = pattern(nsid as u8, 16 * block);
        namespace.write(&Write::new(8, 16), &data).unwrap();
        let read = Read::new(8, 16);
        for pieces in [
            vec![16 * block],
            vec![block; 16],
            vec![64; block / 4],
            vec![1, 16 * block - 2, 1],
            vec![1001, 4096, 3, 0, 4 * block, 12 * block - 5100],
        ] {
            assert_eq!(pieces.iter().sum::<usize>(), data.len());
            for offset in [0, 4, 4000, 1] {
                // Each slice has guards of its own.
                let mut memory: Vec<_> = pieces
                    .iter()
                    .take(24)
                    .map(|len| Guarded::new(offset, *len))
                    .collect();
                let mut rest = vec![vec![0; 64]; pieces.len().saturating_sub(24)];
                let mut slices: Vec<_> = memory
                    .iter_mut()
                    .map(|memory| IoSliceMut::new(memory.bytes()))
                    .chain(rest.iter_mut().map(|slice| IoSliceMut::new(slice)))
                    .collect();
                namespace.read_vectored(&read, &mut slices).unwrap();
                let mut came = Vec::new();
                for memory in &mut memory {
                    memory.check();
                    came.extend_from_slice(memory.bytes());
                }
                came.extend(rest.concat());
                assert!(came == data, "{nsid}: {pieces:?} {offset}");
            }
        }
        // One byte more or less in all of them, and too many of them.
        for (count, len, left) in [
            (2, 8 * block, 1),
            (1, 16 * block - 1, 0),
            (1025, 0, 16 * block),
        ] {
            let mut memory = Guarded::new(0, count * len + left);
            refused(&mut memory, |bytes| {
                let (bytes, last) = bytes.split_at_mut(count * len);
                let mut slices: Vec<_> =
                    bytes.chunks_mut(len.max(1)).map(IoSliceMut::new).collect();
                slices.resize_with(count, || IoSliceMut::new(&mut []));
                slices.push(IoSliceMut::new(last));
                namespace.read_vectored(&read, &mut slices)
            });
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zone_reports_of_any_length_stay_within() {
    let namespace = sub(5);
    let report = ReportZones::new(0, 16);
    for len in [
        64, 68, 124, 128, 132, 192, 1084, 1088, 1092, 4096, 4100, 8192,
    ] {
        for offset in [0, 4, 4092] {
            let mut memory = Guarded::new(offset, len);
            namespace.read(&report, memory.bytes()).unwrap();
            memory.check();
            let zones = u64::from_le_bytes(memory.bytes()[..8].try_into().unwrap());
            assert_eq!(zones, ((len - 64) / 64).min(16) as u64, "{len}");
        }
    }
    for len in [4, 8, 60] {
        let mut memory = Guarded::new(0, len);
        let short = namespace.read(&report, memory.bytes());
        assert_eq!(status(short), StatusCode::INVALID_FIELD, "{len}");
        memory.untouched();
    }
    for len in [0, 1, 3, 63, 65, 127, 4097] {
        refused(&mut Guarded::new(0, len), |data| {
            namespace.read(&report, data)
        });
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn commands_with_data_of_their_own_take_no_other_length() {
    let namespace = sub(1);
    let ranges = DatasetManagement::new([DatasetRange::new(0, 1), DatasetRange::new(2, 1)]);
    let ranges = ranges.unwrap();
    let range = CopyRange::new(0, 1).unwrap();
    let copy = CopyBlocks::new(8, CopyFormat::Same, [range, range]).unwrap();
    let register = ReservationRegister::register(7);
    let good = [
        ranges.data().len(),
        copy.data().len(),
        register.data().len(),
    ];
    assert_eq!(good, [32, 64, 16]);
    for (index, good) in good.into_iter().enumerate() {
        for len in [0, 1, 4, good - 1, good + 1, good / 2, 2 * good, 4096] {
            let data = vec![0; len];
            let error = failure(match index {
                0 => namespace.write(&ranges, &data),
                1 => namespace.write(&copy, &data),
                _ => namespace.write(&register, &data),
            });
            assert!(matches!(error.kind(), NvmeErrorKind::Length(_)), "{error}");
            assert!(!error.was_sent(), "{len}");
        }
    }
}

/// QEMU's namespaces know no reservations.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_command_that_fails_leaves_its_buffer_alone() {
    let namespace = sub(1);
    for len in [4, 24, 64, 4096, 4100] {
        let mut memory = Guarded::new(0, len);
        let report = namespace.read(&ReservationReport::new(4), memory.bytes());
        assert_eq!(status(report), StatusCode::INVALID_OPCODE);
        memory.untouched();
    }
    for len in [0, 1, 23, 25] {
        refused(&mut Guarded::new(0, len), |data| {
            namespace.read(&ReservationReport::new(4), data)
        });
    }
    let register = namespace.send(&ReservationRegister::register(7));
    assert_eq!(status(register), StatusCode::INVALID_OPCODE);
    for (slba, blocks) in [(32768, 1), (32767, 2), (u64::MAX, 1), (u64::MAX - 7, 16)] {
        let mut memory = Guarded::new(0, blocks as usize * 512);
        let read = namespace.read(&Read::new(slba, blocks), memory.bytes());
        assert_eq!(status(read), StatusCode::LBA_OUT_OF_RANGE);
        memory.untouched();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn handle_status_of_any_length_stays_within_qemu10() {
    let (node, _) = namespace("PTFDP", 1);
    let namespace = passthru::NvmeNamespace::open(node).unwrap();
    assert_eq!(namespace.nsid(), number(1));
    let whole = 16 + 4 * 32;
    for len in [
        16,
        20,
        44,
        48,
        52,
        whole - 4,
        whole,
        whole + 4,
        4096,
        4100,
        8192,
    ] {
        for offset in [0, 4, 4092] {
            let mut memory = Guarded::new(offset, len);
            let result = namespace.read(&ReclaimUnitHandleStatus::new(4), memory.bytes());
            memory.check();
            if len > 4096 && result.is_err() {
                // By SGLs, QEMU takes no second page for what fits into the first.
                assert_eq!(status(result), StatusCode::DATA_SGL_LENGTH_INVALID);
                memory.untouched();
                continue;
            }
            result.unwrap();
            assert_eq!(memory.bytes()[14..16], [4, 0], "{len}");
        }
    }
    for len in [0, 1, 15, 17, 4095] {
        refused(&mut Guarded::new(0, len), |data| {
            namespace.read(&ReclaimUnitHandleStatus::new(4), data)
        });
    }
}

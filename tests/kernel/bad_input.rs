//! Bad input gets a clear error, and nothing is sent.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use passthru::{
    BlockDevice, BsgDevice, Data, Error, Options, ScsiDevice, ScsiTransport, ScsiTransportExt,
    SgDevice,
    scsi::{Cdb, DataIn, Inquiry, LengthMismatch, Read10, Read16, Write16},
};

use crate::lab::{ScsiDebug, Unit, eventually};

fn all_openers(path: &Path) -> [Error; 4] {
    [
        SgDevice::open(path).unwrap_err(),
        BlockDevice::open(path).unwrap_err(),
        BsgDevice::open(path).unwrap_err(),
        ScsiDevice::open(path).unwrap_err(),
    ]
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_is_no_scsi_node() {
    for error in all_openers(Path::new("/dev/sg99")) {
        assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
        assert_eq!(error.raw_os_error(), Some(libc::ENOENT));
        assert!(error.to_string().contains("/dev/sg99"), "{error}");
    }
    fs::write("/tmp/file", "no device").unwrap();
    for (path, found) in [
        ("/tmp/file", "regular file"),
        ("/tmp", "directory"),
        ("/dev/null", "a character device"),
        ("/dev/nvme0n1", "no SCSI device behind"),
        ("/dev/nvme0", "NVMe"),
    ] {
        for error in all_openers(Path::new(path)) {
            assert!(
                matches!(error, Error::WrongNode { .. }),
                "{path}: {error:?}"
            );
            let text = error.to_string();
            assert!(text.contains(path) && text.contains(found), "{text}");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_wrong_kind_of_node_names_the_right_one() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let unit = lab.unit();
    let hint = |error: Error| match error {
        Error::WrongNode { hint, .. } => hint,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        hint(SgDevice::open(&unit.block).unwrap_err()).as_ref(),
        Some(&unit.sg)
    );
    assert_eq!(
        hint(SgDevice::open(&unit.bsg).unwrap_err()).as_ref(),
        Some(&unit.sg)
    );
    assert_eq!(
        hint(BlockDevice::open(&unit.sg).unwrap_err()).as_ref(),
        Some(&unit.block)
    );
    assert_eq!(
        hint(BsgDevice::open(&unit.sg).unwrap_err()).as_ref(),
        Some(&unit.bsg)
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_partition_is_refused() {
    let lab = ScsiDebug::load("dev_size_mb=16 delay=0 num_parts=2");
    let whole = &lab.unit().block;
    let partition = PathBuf::from(format!("{}1", whole.display()));
    eventually("the partition", || partition.exists().then_some(()));
    for error in [
        BlockDevice::open(&partition).unwrap_err(),
        ScsiDevice::open_rw(&partition).unwrap_err(),
    ] {
        assert!(
            matches!(&error, Error::Partition { path, whole: Some(disk) }
                if *path == partition && disk == whole),
            "{error:?}"
        );
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_bsg_node_that_is_no_logical_unit_is_refused() {
    let node = fs::read_dir("/dev/bsg")
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .find(|path| !path.to_string_lossy().contains(':'))
        .expect("the SAS host of the machine has a bsg node");
    for error in [
        BsgDevice::open(&node).unwrap_err(),
        ScsiDevice::open(&node).unwrap_err(),
    ] {
        assert!(matches!(error, Error::NotLogicalUnit { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&*node.to_string_lossy()), "{text}");
        assert!(text.contains("host"), "{text}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lengths_that_disagree_are_not_sent() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        let before = lab.unit().commands();
        let mut buffer = [0; 8 * 512];
        let cases = [
            device.read(&Read16::new(0, 8), &mut buffer[..512]),
            device.read(&Read10::new(0, 8).block_length(512), &mut buffer[..7 * 512]),
            device.read(&Read10::new(0, 3), &mut buffer[..8 * 512]),
            device.read(&Read10::new(0, 0), &mut buffer[..512]),
            device.write(&Write16::new(0, 4).block_length(512), &buffer[..8 * 512]),
            device.write(&Write16::new(0, 1), &[]),
            device.read(&Inquiry::standard(), &mut vec![0; 65_536]),
        ];
        for (index, result) in cases.into_iter().enumerate() {
            let error = result.unwrap_err();
            assert!(!error.was_sent());
            let Error::Length {
                path,
                command,
                mismatch,
            } = error
            else {
                panic!("{index}: {error:?}")
            };
            assert_eq!(path, device.path());
            assert!(
                ["Read10", "Read16", "Write16", "Inquiry"]
                    .iter()
                    .any(|name| command.contains(name)),
                "{command}"
            );
            if index == 6 {
                assert!(matches!(
                    mismatch,
                    LengthMismatch::TooLong { max: 65_535, .. }
                ));
            }
        }
        assert_eq!(lab.unit().commands(), before, "nothing was sent");
    }
}

/// Sends `command` for all of `buffer` and checks that it is refused unsent.
fn too_large(device: &ScsiDevice, unit: &Unit, command: &impl DataIn, buffer: &mut [u8]) -> Error {
    let before = unit.commands();
    let len = buffer.len();
    let error = device.read(command, buffer).unwrap_err();
    assert!(!error.was_sent());
    assert!(
        matches!(&error, Error::TooLarge { path, cdb, len: said, limit: Some(_), .. }
            if path == device.path() && [0x28, 0x88].contains(&cdb.opcode()) && *said == len),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(
        text.contains("READ(1") && text.contains(&len.to_string()),
        "{text}"
    );
    assert_eq!(unit.commands(), before, "nothing was sent");
    error
}

fn limit_of(error: &Error) -> u64 {
    match error {
        Error::TooLarge {
            limit: Some(limit), ..
        } => *limit,
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn transfers_that_are_too_large_name_the_limit() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0 virtual_gb=4");
    let mut huge = vec![0xee; 256 << 20];
    for device in lab.unit().open_all() {
        // What no node takes, whatever the adapter.
        let error = too_large(&device, lab.unit(), &Read16::new(0, 1 << 19), &mut huge);
        assert_eq!(limit_of(&error), (256 << 20) - 1);
        assert!(error.to_string().contains("268435455"), "{error}");
        assert_eq!(error.raw_os_error(), None, "refused here");
        assert!(error.to_string().contains("at most"), "{error}");
        // What this adapter has no segments for: the kernel refuses it.
        let error = too_large(
            &device,
            lab.unit(),
            &Read16::new(0, 400 << 10),
            &mut huge[..200 << 20],
        );
        assert!(error.raw_os_error().is_some(), "refused by the kernel");
        assert!(limit_of(&error) > 200 << 20, "not the adapter's limit");
        assert!(error.to_string().contains("could not map"), "{error}");
        // A moderate one works.
        device
            .read(&Read16::new(0, 1024), &mut huge[..512 << 10])
            .unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_limit_is_the_adapters() {
    let unit = Unit::only("QEMU DVD-ROM");
    for node in unit.nodes() {
        let device = ScsiDevice::open(node).unwrap();
        let limit = device.max_transfer().unwrap();
        let mut buffer = vec![0; usize::try_from(limit).unwrap() + 2048];
        let blocks = u16::try_from(buffer.len() / 2048).unwrap();
        let error = too_large(&device, &unit, &Read10::new(0, blocks), &mut buffer);
        assert_eq!(limit_of(&error), limit);
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn timeouts_that_make_no_sense_are_refused() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        let before = lab.unit().commands();
        for timeout in [
            Duration::ZERO,
            Duration::from_secs(5_000_000),
            Duration::MAX,
        ] {
            let error = device
                .send(
                    &Cdb::from_array([0; 6]),
                    Data::None,
                    &Options::new().timeout(timeout),
                )
                .unwrap_err();
            assert!(
                matches!(&error, Error::Timeout { timeout: said, .. } if *said == timeout),
                "{error:?}"
            );
        }
        assert_eq!(lab.unit().commands(), before, "nothing was sent");
    }
}

#[test]
fn cdbs_of_five_and_of_thirty_three_bytes() {
    for len in [0, 5, 33, 260, 65_536] {
        let error = Error::from(Cdb::new(&vec![0; len]).unwrap_err());
        assert!(matches!(&error, Error::CdbLength(inner) if inner.len == len));
        assert!(error.to_string().contains(&len.to_string()), "{error}");
        assert!(!error.was_sent());
    }
    for len in 6..=32 {
        assert_eq!(Cdb::new(&vec![0; len]).unwrap().len(), len);
    }
}

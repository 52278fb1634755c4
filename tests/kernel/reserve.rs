//! Mapped reserve buffers, and sharing them with other devices.

use std::{fs, path::Path};

use passthru::{
    BlockDevice, Error, IoPath, OpenOptions, Options, ScsiDevice, ScsiTransportExt, SgDevice,
    scsi::{Inquiry, Read10, Read16, TestUnitReady, Write10, Write16},
};

use crate::lab::{ScsiDebug, Unit, pattern};

/// Two disks with memory of their own.
fn two_disks(more: &str) -> ScsiDebug {
    ScsiDebug::load_many(
        &format!("dev_size_mb=8 delay=0 per_host_store=1 add_host=2 {more}"),
        2,
    )
}

pub(crate) fn fill(unit: &Unit, blocks: u32, seed: u8) -> Vec<u8> {
    let data = pattern(seed, blocks as usize * 512);
    let device = BlockDevice::open_rw(&unit.block).unwrap();
    device.write(&Write16::new(0, blocks), &data).unwrap();
    data
}

fn contents(unit: &Unit, blocks: u32) -> Vec<u8> {
    let mut data = vec![0xee; blocks as usize * 512];
    let device = BlockDevice::open(&unit.block).unwrap();
    device.read(&Read16::new(0, blocks), &mut data).unwrap();
    data
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn data_goes_through_the_mapped_pages() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 256, 7);
    let mut device = SgDevice::open_rw(&lab.unit().sg).unwrap();
    let mut reserve = device.map_reserve(128 << 10).unwrap();
    assert_eq!(reserve.len(), 128 << 10);
    let outcome = reserve.read(&Read16::new(0, 256), 128 << 10).unwrap();
    assert_eq!(outcome.transferred(), 128 << 10);
    assert!(*reserve == data[..], "what the disk holds");
    // Less than the buffer, and back to the disk.
    reserve.fill(0x11);
    reserve.read(&Read10::new(3, 2), 1024).unwrap();
    assert_eq!(reserve[..1024], data[3 * 512..5 * 512]);
    assert!(
        reserve[1024..].iter().all(|byte| *byte == 0x11),
        "the rest stays"
    );
    reserve[..512].fill(0x22);
    reserve.write(&Write10::new(9, 1), 512).unwrap();
    drop(reserve);
    let mut block = [0; 512];
    device.read(&Read10::new(9, 1), &mut block).unwrap();
    assert_eq!(block, [0x22; 512]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lengths_that_do_not_fit_are_not_sent() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    let before = lab.unit().commands();
    for (blocks, len) in [(16, 8192), (1, 1024), (8, 512)] {
        let command = Read10::new(0, blocks).block_length(512);
        let error = reserve.read(&command, len).unwrap_err();
        assert!(matches!(error, Error::Length { .. }), "{error:?}");
    }
    // A read-only handle refuses here as well.
    let error = reserve.write(&Write10::new(0, 1), 512).unwrap_err();
    assert!(matches!(error, Error::ReadOnly { .. }), "{error:?}");
    assert_eq!(lab.unit().commands(), before);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_size_is_fixed_once_mapped() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    drop(device.map_reserve(60_000).unwrap());
    assert_eq!(device.reserved_size().unwrap(), 15 << 12);
    // Less, and as much, again and again.
    for len in [1, 4096, 60_000, 15 << 12] {
        let mut reserve = device.map_reserve(len).unwrap();
        assert_eq!(reserve.len(), len);
        if len >= 512 {
            reserve.read(&Read10::new(0, 1), 512).unwrap();
        }
    }
    let error = device.map_reserve((15 << 12) + 1).unwrap_err();
    assert!(
        matches!(error, Error::ReserveSizeFixed { size: 61_440, .. }),
        "{error:?}"
    );
    let error = device.set_reserved_size(4096).unwrap_err();
    assert!(matches!(error, Error::ReserveBusy { .. }), "{error:?}");
    // A forgotten one is leaked and hurts nobody.
    std::mem::forget(device.map_reserve(4096).unwrap());
    let mut reserve = device.map_reserve(4096).unwrap();
    reserve.read(&Read10::new(0, 1), 512).unwrap();
    drop(reserve);
    unmap_leaked(&lab.unit().sg);
}

/// A forgotten mapping keeps the module in use, so the next test could not
/// unload it.
fn unmap_leaked(node: &Path) {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut found = 0;
    for line in maps
        .lines()
        .filter(|line| line.ends_with(node.to_str().unwrap()))
    {
        let (start, rest) = line.split_once('-').unwrap();
        let end = rest.split(' ').next().unwrap();
        let [start, end] = [start, end].map(|text| usize::from_str_radix(text, 16).unwrap());
        // SAFETY: nothing refers to a mapping whose owner was forgotten.
        let result = unsafe { libc::munmap(start as *mut libc::c_void, end - start) };
        assert_eq!(result, 0);
        found += 1;
    }
    assert_eq!(found, 1, "{maps}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn more_than_the_kernel_gives_names_what_it_gives() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let limit = device.queue_limit().unwrap();
    let error = device.map_reserve(64 << 20).unwrap_err();
    assert!(
        matches!(error, Error::ReserveTooLarge { len: 67_108_864, given, .. } if given <= limit),
        "{error:?}"
    );
    assert!(matches!(
        device.map_reserve(0),
        Err(Error::Unsupported { .. })
    ));
    // It is not mapped yet, so another size can be had.
    assert_eq!(device.map_reserve(8192).unwrap().len(), 8192);
}

/// A command with a buffer of its own on the same descriptor goes through the
/// mapped pages, so it can be sent only while no slice of them is looked at.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn other_commands_pass_through_the_same_pages() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    fill(lab.unit(), 8, 1);
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    reserve.fill(0x5a);
    let inquiry = reserve.device().query(&Inquiry::standard()).unwrap();
    assert_eq!(inquiry.product(), "scsi_debug");
    assert_ne!(
        reserve[..36],
        [0x5a; 36],
        "the trap is there: {:x?}",
        &reserve[..36]
    );
    reserve.device().execute(&TestUnitReady).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn stale_bytes_are_never_written() {
    let lab = two_disks("");
    let (source, target) = (&lab.units[0], &lab.units[1]);
    fill(source, 8, 3);
    fill(target, 8, 4);
    let mut device = SgDevice::open_rw(&source.sg).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    reserve.read(&Read10::new(0, 8), 4096).unwrap();
    // A write with a buffer of its own sends that, not what lies in the reserve.
    let own = [0x33; 512];
    reserve.device().write(&Write10::new(5, 1), &own).unwrap();
    assert_eq!(contents(source, 8)[5 * 512..6 * 512], own);
    // And one from the mapping sends what it holds now.
    reserve[..512].fill(0x44);
    reserve.write(&Write10::new(6, 1), 512).unwrap();
    assert_eq!(contents(source, 8)[6 * 512..7 * 512], [0x44; 512]);
    assert!(contents(target, 8) == pattern(4, 4096));
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn another_drive_takes_the_pages_of_the_first() {
    let lab = two_disks("");
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let allow = "/sys/module/sg/parameters/allow_dio";
    for (index, node) in target.nodes().into_iter().enumerate() {
        let other = ScsiDevice::open_rw(node).unwrap();
        let data = fill(source, 128, index as u8);
        let mut device = SgDevice::open(&source.sg).unwrap();
        let mut reserve = device.map_reserve(64 << 10).unwrap();
        reserve.read(&Read16::new(0, 128), 64 << 10).unwrap();
        let outcome = other.write(&Write16::new(0, 128), &reserve).unwrap();
        let expected = match other {
            ScsiDevice::Sg(_) => IoPath::Indirect,
            // Not told; but not bounced.
            _ => IoPath::Unknown,
        };
        assert_eq!(outcome.io_path(), expected, "{}", node.display());
        assert!(contents(target, 128) == data, "{}", node.display());
        // Into the mapping from the other drive.
        reserve.fill(0);
        other
            .read(&Read16::new(64, 64), &mut reserve[..32 << 10])
            .unwrap();
        assert!(reserve[..32 << 10] == data[32 << 10..]);
        // An sg node by direct I/O, if that is allowed.
        if let ScsiDevice::Sg(_) = other {
            fs::write(allow, "1").unwrap();
            let direct = other.with_options(Options::new().direct(true));
            let outcome = direct.write(&Write16::new(0, 128), &reserve).unwrap();
            fs::write(allow, "0").unwrap();
            assert_eq!(outcome.io_path(), IoPath::Direct);
            assert!(contents(target, 128) == *reserve);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn pages_that_cannot_be_taken_are_bounced_and_told() {
    let lab = two_disks("");
    let (source, target) = (&lab.units[0], &lab.units[1]);
    let data = fill(source, 128, 9);
    for node in [&target.block, &target.bsg] {
        let other = ScsiDevice::open_rw(node).unwrap();
        let mut device = SgDevice::open(&source.sg).unwrap();
        let mut reserve = device.map_reserve(64 << 10).unwrap();
        reserve.read(&Read16::new(0, 128), 64 << 10).unwrap();
        // Throws the pages out of the page table; the driver puts them back
        // when they are touched.
        let drop_pages = |bytes: &[u8]| {
            // SAFETY: the range is that of the slice; a shared mapping of the
            // driver's pages keeps its content.
            let result = unsafe {
                libc::madvise(
                    bytes.as_ptr().cast_mut().cast(),
                    bytes.len(),
                    libc::MADV_DONTNEED,
                )
            };
            assert_eq!(result, 0);
        };
        drop_pages(&reserve);
        let before = target.commands();
        let outcome = other.write(&Write16::new(0, 128), &reserve).unwrap();
        assert_eq!(outcome.io_path(), IoPath::Bounced, "{}", node.display());
        assert_eq!(target.commands() - before, 1, "sent once");
        assert!(contents(target, 128) == data);
        // Into the mapping as well.
        reserve.fill(0);
        drop_pages(&reserve);
        let outcome = other.read(&Read16::new(0, 128), &mut reserve).unwrap();
        assert_eq!(outcome.io_path(), IoPath::Bounced, "{}", node.display());
        assert!(*reserve == data[..]);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn several_targets_from_one_source() {
    let lab = ScsiDebug::load_many("dev_size_mb=8 delay=0 per_host_store=1 add_host=4", 4);
    let data = fill(&lab.units[0], 128, 5);
    let targets: Vec<_> = lab.units[1..]
        .iter()
        .map(|unit| BlockDevice::open_rw(&unit.block).unwrap())
        .collect();
    let mut device = SgDevice::open(&lab.units[0].sg).unwrap();
    let mut reserve = device.map_reserve(64 << 10).unwrap();
    reserve.read(&Read16::new(0, 128), 64 << 10).unwrap();
    std::thread::scope(|scope| {
        for target in &targets {
            let reserve = &reserve;
            scope.spawn(move || target.write(&Write16::new(0, 128), reserve).unwrap());
        }
    });
    for unit in &lab.units[1..] {
        assert!(contents(unit, 128) == data);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn dropping_it_gives_an_exclusive_node_back() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let path = &lab.unit().sg;
    let exclusive = OpenOptions::new().exclusive(true);
    {
        let mut device = SgDevice::open_with(path, &exclusive).unwrap();
        let mut reserve = device.map_reserve(4096).unwrap();
        reserve.read(&Read10::new(0, 1), 512).unwrap();
        assert!(matches!(SgDevice::open(path), Err(Error::InUse { .. })));
    }
    SgDevice::open_with(path, &exclusive).unwrap();
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_mapping_outlives_the_device_itself() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let data = fill(lab.unit(), 8, 2);
    let mut device = SgDevice::open(&lab.unit().sg).unwrap();
    let mut reserve = device.map_reserve(4096).unwrap();
    reserve.read(&Read10::new(0, 8), 4096).unwrap();
    lab.unit().delete();
    assert!(*reserve == data[..], "the bytes are still there");
    let error = reserve.read(&Read10::new(0, 8), 4096).unwrap_err();
    assert!(matches!(error, Error::Gone { .. }), "{error:?}");
    reserve.fill(1);
}

//! The same code on all three nodes.

use passthru::{
    IoPath, Options, QueuePosition, ScsiDevice, ScsiTransportExt, Verdict,
    scsi::{
        DeviceType, Inquiry, Read10, Read16, ReadCapacity10, ReadCapacity16, RequestSense,
        TestUnitReady, Write10, Write16,
    },
};

use crate::lab::{ScsiDebug, Unit, pattern};

fn identify(device: &ScsiDevice, vendor: &str, product: &str, kind: DeviceType) {
    let inquiry = device.query(&Inquiry::standard()).unwrap();
    assert_eq!(inquiry.vendor().trimmed(), vendor);
    assert_eq!(inquiry.product().trimmed(), product);
    assert_eq!(inquiry.device_type(), kind);
    assert_eq!(device.device_type(), Some(kind));
}

fn write_and_read(device: &ScsiDevice, seed: u8, block_length: u32) {
    let size = block_length as usize;
    let capacity = device.query(&ReadCapacity10).unwrap();
    assert_eq!(capacity.block_length(), block_length);
    let long = device.query(&ReadCapacity16::new()).unwrap();
    assert_eq!(long.block_length(), block_length);
    assert_eq!(
        long.last_lba().0,
        u64::from(u32::try_from(capacity.last_lba().0).unwrap())
    );

    let lba = 100 + u32::from(seed);
    let short = pattern(seed, size);
    let outcome = device
        .write(&Write10::new(lba, 1).block_length(block_length), &short)
        .unwrap();
    assert_eq!((outcome.transferred(), outcome.residual()), (size, 0));
    let mut got = vec![0xee; size];
    let outcome = device
        .read(&Read10::new(lba, 1).block_length(block_length), &mut got)
        .unwrap();
    assert_eq!(outcome.verdict(), Verdict::Good);
    assert_eq!(outcome.transferred(), size);
    assert!(got == short, "READ(10) gives what WRITE(10) wrote");

    let long = pattern(seed ^ 0x5a, 128 * size);
    let lba = 1000 + 200 * u64::from(seed);
    let outcome = device
        .write(&Write16::new(lba, 128).block_length(block_length), &long)
        .unwrap();
    assert_eq!(outcome.transferred(), long.len());
    let mut got = vec![0xee; long.len()];
    let outcome = device
        .read(&Read16::new(lba, 128).block_length(block_length), &mut got)
        .unwrap();
    assert_eq!(outcome.transferred(), long.len());
    assert!(got == long, "READ(16) gives what WRITE(16) wrote");
    match device {
        ScsiDevice::Sg(_) => {
            assert_eq!(outcome.io_path(), IoPath::Indirect);
            assert!(outcome.duration().is_some());
        }
        ScsiDevice::Block(_) => {
            assert_eq!(outcome.io_path(), IoPath::Unknown);
            assert!(outcome.duration().is_some());
        }
        _ => assert!(outcome.duration().is_none(), "bsg measures nothing"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn scsi_debug_through_all_nodes() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    for (seed, device) in (1..).zip(lab.unit().open_all()) {
        device.execute(&TestUnitReady).unwrap();
        identify(&device, "Linux", "scsi_debug", DeviceType::DISK);
        write_and_read(&device, seed, 512);
        let sense = device.query(&RequestSense::new()).unwrap();
        assert_eq!(sense.sense().key().unwrap().0, 0);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn four_kibibyte_blocks_through_all_nodes() {
    let lab = ScsiDebug::load("dev_size_mb=64 delay=0 sector_size=4096");
    for (seed, device) in (1..).zip(lab.unit().open_all()) {
        write_and_read(&device, seed, 4096);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn qemu_disk_through_all_nodes() {
    let unit = Unit::only("QEMU HARDDISK");
    for (seed, device) in (1..).zip(unit.open_all()) {
        identify(&device, "QEMU", "QEMU HARDDISK", DeviceType::DISK);
        write_and_read(&device, seed, 512);
    }
}

/// The discs hold their sector's number, big endian, over and over.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn qemu_optical_drives_through_all_nodes() {
    for model in ["QEMU CD-ROM", "QEMU DVD-ROM"] {
        let unit = Unit::only(model);
        for node in unit.nodes() {
            let device = ScsiDevice::open(node).unwrap_or_else(|error| panic!("{error}"));
            identify(&device, "QEMU", model, DeviceType::OPTICAL);
            // A unit attention may stand at first.
            let _ = device.execute(&TestUnitReady);
            let capacity = device.query(&ReadCapacity10).unwrap();
            assert_eq!(capacity.block_length(), 2048, "{model}");
            let mut sectors = vec![0xee; 3 * 2048];
            device
                .read(&Read10::new(17, 3).block_length(2048), &mut sectors)
                .unwrap();
            for (number, sector) in (17u32..).zip(sectors.chunks(2048)) {
                for word in sector.chunks(4) {
                    assert_eq!(word, number.to_be_bytes(), "{model}, sector {number}");
                }
            }
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_capacity_of_a_large_disk_needs_the_long_command() {
    // 3 TiB of virtual size: more blocks than READ CAPACITY(10) can say.
    let lab = ScsiDebug::load("virtual_gb=3072 dev_size_mb=8 delay=0");
    for device in lab.unit().open_all() {
        let short = device.query(&ReadCapacity10).unwrap();
        assert!(short.is_saturated());
        let long = device.query(&ReadCapacity16::new()).unwrap();
        assert_eq!(long.capacity_bytes(), 3072 << 30);
    }
}

/// Whether an sg node moves data directly is for a module parameter to say; the
/// outcome tells what was done, and the data is right either way.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn direct_io_on_an_sg_node_is_done_when_allowed_and_told() {
    let allow = "/sys/module/sg/parameters/allow_dio";
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let device = ScsiDevice::open_rw(&lab.unit().sg).unwrap();
    let mut memory = vec![0u8; 20 << 12];
    let start = memory.as_ptr().align_offset(4096);
    for (allowed, offset, expected) in [
        ("0", 0, IoPath::Indirect),
        ("1", 0, IoPath::Direct),
        // Not aligned as the device wants it.
        ("1", 1, IoPath::Indirect),
        ("0", 0, IoPath::Indirect),
    ] {
        std::fs::write(allow, allowed).unwrap();
        let buffer = &mut memory[start + offset..][..16 << 12];
        let data = pattern(offset as u8 ^ allowed.as_bytes()[0], buffer.len());
        buffer.copy_from_slice(&data);
        let direct = device.with_options(Options::new().direct(true));
        let written = direct.write(&Write10::new(64, 128), buffer).unwrap();
        assert_eq!(written.io_path(), expected, "write, {allowed}, {offset}");
        buffer.fill(0xee);
        let read = direct.read(&Read10::new(64, 128), buffer).unwrap();
        assert_eq!(read.io_path(), expected, "read, {allowed}, {offset}");
        assert_eq!(read.transferred(), buffer.len());
        assert!(*buffer == data[..], "the data, {allowed}, {offset}");
        // Without the wish it is copied.
        let read = device.read(&Read10::new(64, 128), buffer).unwrap();
        assert_eq!(read.io_path(), IoPath::Indirect);
    }
}

/// Four writes to one block, sent without waiting, arrive in order: commands go
/// to the tail of the queue unless told otherwise.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_queue_position_is_set_on_every_node() {
    use std::{thread, time::Duration};
    // One command at a time, 60 ms each.
    let lab = ScsiDebug::load("dev_size_mb=8 ndelay=60000000");
    std::fs::write(lab.unit().sysfs.join("queue_depth"), "1").unwrap();
    for (position, last) in [(QueuePosition::Tail, 3u8), (QueuePosition::Head, 1)] {
        for device in lab.unit().open_all() {
            let options = Options::new().queue_position(position);
            thread::scope(|scope| {
                for number in 0..4u8 {
                    let device = &device;
                    scope.spawn(move || {
                        device
                            .with_options(options)
                            .write(&Write10::new(9, 1), &[number; 512])
                            .unwrap();
                    });
                    // The first is with the device, the others queue up.
                    thread::sleep(Duration::from_millis(10));
                }
            });
            let mut block = [0xee; 512];
            device.read(&Read10::new(9, 1), &mut block).unwrap();
            assert_eq!(block, [last; 512], "{position:?} on {:?}", device.kind());
        }
    }
}

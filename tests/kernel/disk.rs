//! `unit::Disk` on real nodes.

use passthru::{
    Error, ScsiDevice, SgDevice,
    scsi::SenseKey,
    unit::{DEFAULT_TRANSFER, Disk},
};

use crate::lab::{ScsiDebug, Unit, pattern};

/// What `scsi_debug` answers with a medium error for, with opts=2.
const FIRST_BAD: u64 = 0x1234;

fn whole_ranges(disk: &Disk<ScsiDevice>, seed: u8, block_length: u32) {
    assert_eq!(disk.block_length(), block_length);
    let size = block_length as usize;
    let blocks = 3 * disk.max_transfer() / size + 1;
    let data = pattern(seed, blocks * size);
    let lba = disk.blocks() - blocks as u64;
    disk.write(lba, &data).unwrap();
    let mut got = vec![0xee; data.len()];
    disk.read(lba, &mut got).unwrap();
    assert!(got == data);
    disk.verify(0, disk.blocks()).unwrap();
    disk.flush().unwrap();
    let error = Error::from(disk.read(lba + 1, &mut got).unwrap_err());
    assert!(matches!(error, Error::OutOfRange { .. }), "{error:?}");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn disks_of_any_block_length_through_all_nodes() {
    for (parameters, block_length) in [
        ("dev_size_mb=8 delay=0", 512),
        ("dev_size_mb=32 delay=0 sector_size=4096", 4096),
    ] {
        let lab = ScsiDebug::load(parameters);
        let blocks = Disk::open(&lab.unit().sg).unwrap().blocks();
        for (seed, node) in (1..).zip(lab.unit().nodes()) {
            let mut disk = Disk::open_rw(node).unwrap();
            assert_eq!(disk.blocks(), blocks);
            whole_ranges(&disk, seed, block_length);
            disk.ask_limits().unwrap();
            assert!(disk.max_transfer() <= DEFAULT_TRANSFER);
            disk.set_max_transfer(3 * block_length as usize + 1);
            assert_eq!(disk.max_transfer(), 3 * block_length as usize);
            whole_ranges(&disk, seed ^ 0x80, block_length);
        }
    }
    for (seed, node) in (1..).zip(Unit::only("QEMU HARDDISK").nodes()) {
        whole_ranges(&Disk::open_rw(node).unwrap(), seed, 512);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_capacity_of_a_large_disk_is_known() {
    let lab = ScsiDebug::load("virtual_gb=3072 dev_size_mb=8 delay=0");
    for node in lab.unit().nodes() {
        let disk = Disk::open(node).unwrap();
        assert_eq!(disk.layout().bytes(), 3072 << 30);
        // Beyond what 10 bytes reach.
        disk.read(disk.blocks() - 8, &mut [0; 8 * 512]).unwrap();
        disk.verify(disk.blocks() - 8, 8).unwrap();
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_limit_of_the_device_is_kept() {
    // Page B0h gives the size of the memory, 1 MiB, as the longest transfer.
    let lab = ScsiDebug::load("virtual_gb=1 dev_size_mb=1 delay=0");
    for node in lab.unit().nodes() {
        let mut disk = Disk::open(node).unwrap();
        disk.set_max_transfer(2 << 20);
        disk.ask_limits().unwrap();
        assert_eq!(disk.max_transfer(), 1 << 20);
        let before = lab.unit().commands();
        disk.read(0, &mut vec![0; 3 << 19]).unwrap();
        assert_eq!(lab.unit().commands() - before, 2);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_medium_error_says_how_far_it_came() {
    let lab = ScsiDebug::load("dev_size_mb=8 delay=0");
    let mut disk = Disk::new(SgDevice::open(&lab.unit().sg).unwrap()).unwrap();
    disk.set_max_transfer(0x100 * 512);
    lab.set("opts", "2");
    let read = disk.read(0, &mut vec![0; 0x2000 * 512]).unwrap_err();
    lab.set("opts", "0");
    assert_eq!(read.done, 0x1200);
    let Error::Check(failure) = read.error else {
        panic!("{read:?}")
    };
    let sense = failure.outcome().sense();
    assert_eq!(sense.key(), Some(SenseKey::MEDIUM_ERROR));
    assert_eq!(sense.information(), Some(FIRST_BAD));
}

//! Sectors read into the mapped reserve buffer of an sg node.

use passthru::{
    Error, SgDevice,
    scsi::{
        LengthMismatch, SenseKey,
        mmc::{C2, Lba, MainChannel, SectorRequest, SectorType},
    },
    unit::{OpticalDrive, PartialRead, ReadFault},
};

use crate::{
    lab::Unit,
    mmc_drive::{TestDrive, expected::audio},
};

const RAW_C2: SectorRequest =
    SectorRequest::new(SectorType::Any, MainChannel::RAW).c2(C2::Pointers294);

fn missing(partial: PartialRead) -> (u32, u32, usize) {
    let sectors = partial.sectors();
    match partial.into_fault() {
        ReadFault::MissingBytes {
            sectors_complete,
            bytes,
            ..
        } => (sectors, sectors_complete, bytes),
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn sectors_come_to_the_mapped_buffer() {
    let mut drive = TestDrive::start("audio", "");
    let layout = RAW_C2.layout().unwrap();
    let mut device = drive.open_sg();
    let mut reserve = device.map_reserve(24 * 2646).unwrap();
    drive.arm("c2 7 27 10");
    let read = reserve.read_sectors(&RAW_C2, layout, Lba(5), 24).unwrap();
    assert_eq!((read.sectors(), read.end()), (24, Lba(29)));
    assert!(!read.residual_lied() && read.remarks().is_empty());
    for (sector, lba) in read.of(&reserve).iter().zip(5..) {
        assert!(sector.main() == audio(lba), "{lba}");
        let errors = sector.c2().unwrap().bits().count();
        assert_eq!(errors, if lba == 7 { 10 } else { 0 }, "{lba}");
    }
    // One command, and less than the buffer; behind it nothing is touched.
    reserve.fill(0x55);
    assert_eq!(
        reserve
            .read_sectors(&RAW_C2, layout, Lba(100), 2)
            .unwrap()
            .sectors(),
        2
    );
    assert!(reserve[2 * 2646..].iter().all(|byte| *byte == 0x55));
    let sent: Vec<_> = drive
        .log()
        .iter()
        .map(|one| (one.cdb[0], one.buffer))
        .collect();
    assert_eq!(sent, [(0xbe, 24 * 2646), (0xbe, 2 * 2646)]);
    // Nothing of nothing, and more than there is room for.
    let none = reserve.read_sectors(&RAW_C2, layout, Lba(0), 0).unwrap();
    assert_eq!(none.sectors(), 0);
    for sectors in [25, u32::MAX] {
        let error = reserve.read_sectors(&RAW_C2, layout, Lba(0), sectors);
        let error = Error::from(error.unwrap_err());
        assert!(
            matches!(
                error,
                Error::Length {
                    mismatch: LengthMismatch::TooLong { max: 63_504, .. },
                    ..
                }
            ),
            "{error:?}"
        );
    }
    // Nor what has no address.
    let error = reserve.read_sectors(&RAW_C2, layout, Lba(i32::MAX), 2);
    let error = Error::from(error.unwrap_err());
    assert!(matches!(error, Error::OutOfRange { .. }), "{error:?}");
    assert!(drive.log().is_empty());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_a_failed_command_has_brought_is_known() {
    let mut drive = TestDrive::start("audio", "");
    let layout = RAW_C2.layout().unwrap();
    let mut device = drive.open_sg();
    let mut reserve = device.map_reserve(24 * 2646).unwrap();
    drive.arm("medium_error 15");
    let partial = reserve
        .read_sectors(&RAW_C2, layout, Lba(5), 24)
        .unwrap_err();
    assert_eq!(
        (partial.sectors(), partial.failed(), partial.agreed()),
        (0, Some(Lba(15)), 10)
    );
    let ReadFault::Error(Error::Check(failure)) = partial.into_fault() else {
        panic!("a check condition")
    };
    let sense = failure.outcome().sense();
    assert_eq!(sense.key(), Some(SenseKey::MEDIUM_ERROR));
    for (sector, lba) in reserve.chunks(2646).take(10).zip(5..) {
        assert!(sector[..2352] == audio(lba), "{lba}");
    }
    // A residual that tells: 5000 bytes less.
    drive.arm("short 5000");
    let partial = reserve
        .read_sectors(&RAW_C2, layout, Lba(5), 4)
        .unwrap_err();
    assert_eq!(missing(partial), (2, 2, 5000));
}

/// ide-cd answers GOOD with a residual of 0, and leaves the C2 pointers out.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn what_did_not_come_is_seen_though_the_residual_is_zero() {
    let unit = Unit::only("QEMU DVD-ROM");
    let layout = RAW_C2.layout().unwrap();
    let mut device = SgDevice::open(&unit.sg).unwrap();
    // With a buffer of the program's the kernel writes zeros there.
    let mut buffer = vec![0x55; 10 * 2646];
    let read = OpticalDrive::new(&device).read(&RAW_C2, Lba(20), &mut buffer);
    assert_eq!(read.unwrap().sectors(), 10);
    assert!(buffer[10 * 2352..].iter().all(|byte| *byte == 0));

    let mut reserve = device.map_reserve(10 * 2646).unwrap();
    let partial = reserve
        .read_sectors(&RAW_C2, layout, Lba(20), 10)
        .unwrap_err();
    assert!(partial.read().residual_lied());
    // 23,520 bytes came: the eighth sector is the last that they reach the end of.
    let (sectors, complete, bytes) = missing(partial);
    assert_eq!((sectors, complete, bytes), (8, 8, 2 * 2646));
}

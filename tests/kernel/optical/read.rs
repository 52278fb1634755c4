//! Reading across the limit of a transfer, up to what went wrong.

use passthru::{
    scsi::{
        SenseKey,
        mmc::{C2, Lba, SubChannels},
        sense::Condition,
    },
    unit::{OPTICAL_TRANSFER, PartialRead, ReadFault},
};

use super::{drives, raw};
use crate::mmc_drive::{TestDrive, expected::audio};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_long_read_is_split() {
    let mut test = TestDrive::start("audio", "c2 110 27 10\nrecovered 121");
    let request = raw().c2(C2::Pointers294).sub_channels(SubChannels::Raw96);
    for drive in &mut drives(&test) {
        assert_eq!(drive.max_transfer(), OPTICAL_TRANSFER);
        // Ten sectors, and not quite another.
        drive.set_max_transfer(11 * 2742 - 1);
        test.log();
        let mut buffer = vec![0; 37 * 2742];
        let read = drive.read(&request, Lba(100), &mut buffer).unwrap();
        let commands: Vec<_> = test
            .log()
            .iter()
            .map(|logged| (logged.cdb[5], logged.cdb[8], logged.buffer))
            .collect();
        assert_eq!(
            commands,
            [
                (100, 10, 27_420),
                (110, 10, 27_420),
                (120, 10, 27_420),
                (130, 7, 7 * 2742)
            ]
        );
        assert_eq!((read.sectors(), read.end()), (37, Lba(137)));
        assert!(!read.residual_lied());
        for (sector, lba) in read.of(&buffer).iter().zip(100..) {
            assert!(sector.main() == audio(lba), "{lba}");
            let expected = if lba == 110 { 10 } else { 0 };
            assert_eq!(sector.c2().unwrap().bits().count(), expected);
            assert_eq!(sector.q().unwrap().crc(), passthru::scsi::mmc::QCrc::Valid);
        }
        let remarks: Vec<_> = read
            .remarks()
            .iter()
            .map(|remark| (remark.lba(), remark.sectors(), remark.sense().key()))
            .collect();
        assert_eq!(remarks, [(Lba(120), 10, Some(SenseKey::RECOVERED_ERROR))]);
        // The pregap's addresses are negative.
        let mut two = vec![0; 2 * 2352];
        drive.read(&raw(), Lba(-1), &mut two).unwrap();
        assert!(two == [audio(-1), audio(0)].concat());
    }
}

/// Whole sectors, more that came with the failed command, and the one it failed at.
fn how_far(partial: &PartialRead) -> (u32, u32, Option<Lba>) {
    (partial.sectors(), partial.agreed(), partial.failed())
}

fn condition(partial: &PartialRead) -> Condition {
    match partial.fault() {
        ReadFault::Error(error) => error.outcome().unwrap().sense().condition(),
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_read_that_fails_says_how_far_it_came() {
    let mut test = TestDrive::start("default", "");
    let mut drives = drives(&test);
    for sense in ["", "\ndescriptor_sense"] {
        for drive in &mut drives {
            drive.set_max_transfer(10 * 2352);
            let mut buffer = vec![0; 37 * 2352];
            // Four sectors into the third command.
            test.arm(&format!("medium_error 324 ascq 06{sense}"));
            let partial = drive.read(&raw(), Lba(300), &mut buffer).unwrap_err();
            assert_eq!(how_far(&partial), (20, 4, Some(Lba(324))));
            assert_eq!(condition(&partial), Condition::MediumError);
            assert_eq!(partial.next(), Lba(320));
            for (sector, lba) in buffer.chunks(2352).take(24).zip(300..) {
                assert!(sector == audio(lba), "{lba}");
            }
            // Its first sector.
            test.arm(&format!("medium_error 320{sense}"));
            let partial = drive.read(&raw(), Lba(300), &mut buffer).unwrap_err();
            assert_eq!(how_far(&partial), (20, 0, Some(Lba(320))));
            // Audio behind data.
            test.arm(&format!("mixed_tracks_0564{sense}"));
            let partial = drive.read(&raw(), Lba(185), &mut buffer).unwrap_err();
            // The sense data's address is one of a bad block only for some keys.
            assert_eq!(how_far(&partial), (10, 0, None));
            assert_eq!(condition(&partial), Condition::WrongMedium);
            // The end of the disc.
            let partial = drive.read(&raw(), Lba(385), &mut buffer).unwrap_err();
            assert_eq!(how_far(&partial), (10, 0, None));
            assert_eq!(condition(&partial), Condition::OutOfRange);
            // Another disc: what came before is of the old one.
            test.arm(&format!("disc default at 312{sense}"));
            let partial = drive.read(&raw(), Lba(300), &mut buffer).unwrap_err();
            assert_eq!(how_far(&partial), (10, 0, None));
            assert_eq!(condition(&partial), Condition::MediumChanged);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn good_without_all_bytes_is_no_read() {
    let mut test = TestDrive::start("audio", "");
    let request = raw().c2(C2::Pointers294);
    for drive in &mut drives(&test) {
        drive.set_max_transfer(10 * 2646);
        let mut buffer = vec![0; 20 * 2646];
        // What C2 would have been is at the end, when it is left out of ten sectors.
        for (faults, complete, missing) in [
            ("short 100 only be", 9, 100),
            ("short 6000 only be", 7, 6000),
            ("no_c2_bytes short", 8, 2940),
        ] {
            test.arm(faults);
            let partial = drive.read(&request, Lba(50), &mut buffer).unwrap_err();
            match partial.fault() {
                ReadFault::MissingBytes {
                    sectors_complete,
                    bytes,
                    ..
                } => assert_eq!((*sectors_complete, *bytes), (complete, missing), "{faults}"),
                other => panic!("{faults}: {other:?}"),
            }
        }
    }
}

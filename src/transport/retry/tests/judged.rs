//! Which commands can be repeated, and through what.

use std::io::{IoSlice, IoSliceMut};

use super::*;
use crate::{
    scsi::{Inquiry, is_read_only},
    transport::retry::command::{can_be_repeated, reads_medium},
    unit::Disk,
};

fn cdb(bytes: &[u8]) -> Cdb {
    let mut whole = [0; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    Cdb::from_array(whole)
}

const TYPES: [Option<DeviceType>; 7] = [
    None,
    Some(DeviceType::DISK),
    Some(DeviceType::TAPE),
    Some(DeviceType::OPTICAL),
    Some(DeviceType::CHANGER),
    Some(DeviceType::ENCLOSURE),
    Some(DeviceType::ZONED_DISK),
];

#[test]
fn nothing_is_repeated_that_may_write() {
    for opcode in 0..=0xFF {
        for second in 0..=0x1F {
            for kind in TYPES {
                let cdb = cdb(&[opcode, second]);
                assert!(
                    !can_be_repeated(&cdb, kind) || is_read_only(&cdb, kind),
                    "{cdb} {kind:?}"
                );
            }
        }
    }
}

#[test]
fn what_can_be_repeated() {
    let (disk, optical) = (Some(DeviceType::DISK), Some(DeviceType::OPTICAL));
    let (tape, changer) = (Some(DeviceType::TAPE), Some(DeviceType::CHANGER));
    for (bytes, kind, expected) in [
        (&[0x00][..], None, true),
        (&[0x12], None, true),
        (&[0xA0], None, true),
        (&[0x28], disk, true),
        (&[0x28], None, false),
        (&[0x88], disk, true),
        (&[0x25], disk, true),
        (&[0x9E, 0x10], disk, true),
        (&[0x2F], disk, true),
        (&[0xBE], optical, true),
        (&[0x43], optical, true),
        (&[0xB8], changer, true),
        // Vendors' commands.
        (&[0xD8], optical, false),
        // ATA PASS-THROUGH.
        (&[0x85], disk, false),
        (&[0xA1], disk, false),
        (&[0x1B], disk, false),
        (&[0x35], disk, false),
        (&[0x2A], disk, false),
        (&[0x42], disk, false),
        (&[0x42], optical, true),
        // An answer that is given once.
        (&[0x03], None, false),
        (&[0x4A], optical, false),
        (&[0x84], disk, false),
        (&[0xA2], disk, false),
        (&[0xA4, 0, 0, 0, 0, 0, 0, 0], optical, false),
        (&[0xA3, 0x10], disk, false),
        (&[0xA3, 0x0C], disk, true),
        (&[0x4D, 0, 0x2E], changer, false),
        (&[0x4D, 0, 0x6E], changer, false),
        (&[0x4D, 0, 0x2F], changer, true),
        // What depends on where a tape is.
        (&[0x01], tape, false),
        (&[0x08], tape, false),
        (&[0x0F], tape, false),
        (&[0x11], tape, false),
        (&[0x13], tape, false),
        (&[0x2B], tape, false),
        (&[0x81], tape, false),
        (&[0x88], tape, false),
        (&[0x8F], tape, false),
        (&[0x91], tape, false),
        (&[0x92], tape, false),
        (&[0x05], tape, true),
        (&[0x34], tape, true),
        (&[0x44], tape, true),
        (&[0x12], tape, true),
    ] {
        assert_eq!(
            can_be_repeated(&cdb(bytes), kind),
            expected,
            "{bytes:02x?} {kind:?}"
        );
    }
}

#[test]
fn what_reads_the_medium() {
    for opcode in [
        0x08, 0x28, 0xA8, 0x88, 0x3E, 0xB9, 0xBE, 0x2F, 0xAF, 0x8F, 0x7F,
    ] {
        assert!(reads_medium(&cdb(&[opcode])), "{opcode:02x}h");
    }
    assert!(reads_medium(&cdb(&[0x9E, 0x11])));
    for bytes in [
        &[0x9E, 0x10][..],
        &[0x00],
        &[0x12],
        &[0x25],
        &[0x43],
        &[0x46],
        &[0x51],
        &[0x5A],
        &[0xB8],
    ] {
        assert!(!reads_medium(&cdb(bytes)), "{bytes:02x?}");
    }
}

#[test]
fn the_device_type_decides_what_a_read_is() {
    let answers = [reset(), Answer::Good];
    let unknown = Script::of(None, answers.clone());
    assert_eq!(read_on(&unknown.with(all())), Verdict::Check);
    let said = Script::of(None, answers.clone());
    let device = said.with(all()).for_type(DeviceType::DISK);
    assert_eq!(device.device_type(), Some(DeviceType::DISK));
    assert_eq!(read_on(&device), Verdict::Good);
    let tape = Script::of(Some(DeviceType::TAPE), answers.clone());
    assert_eq!(read_on(&tape.with(all())), Verdict::Check);
    // What holds a transport, or has other options, knows the type as well.
    let boxed: Box<dyn ScsiTransport> = Box::new(Script::new(answers));
    let other = boxed.with_options(Options::new());
    assert_eq!(other.device_type(), Some(DeviceType::DISK));
    assert_eq!(read_on(&all().on(&other)), Verdict::Good);
    assert_eq!(read_on(&all().on(boxed.as_ref())), Verdict::Good);
}

#[test]
fn a_vendors_command_waits_and_is_not_repeated() {
    let vendor = RawCdb::from_array([0xD8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for (answer, sent) in [
        (becoming(), vec![0xD8, 0x00, 0xD8]),
        (BUSY, vec![0xD8, 0xD8]),
        (reset(), vec![0xD8]),
        (Answer::Host(0x07), vec![0xD8]),
        (sense(0xB, 0x00, 0x00), vec![0xD8]),
    ] {
        let drive = Script::of(Some(DeviceType::OPTICAL), [answer, Answer::Good]);
        let _ = drive.with(all()).read(&vendor, &mut [0; 16]);
        assert_eq!(drive.opcodes(), sent);
    }
}

/// Every form of data is lent again as it was.
#[test]
fn data_is_sent_again_whole() {
    let read = Cdb::from_array([0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    let write = Cdb::from_array([0x2A, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
    let script = || Script::new([BUSY, BUSY, Answer::Good]);
    let options = Options::new();
    let drive = script();
    let (mut one, mut two) = ([0; 3], [0; 5]);
    let mut slices = [IoSliceMut::new(&mut one), IoSliceMut::new(&mut two)];
    let data = Data::InVectored(&mut slices);
    let outcome = drive.with(all()).send(&read, data, &options).unwrap();
    assert_eq!((outcome.requested(), outcome.transferred()), (8, 8));
    assert_eq!((one, two), ([0xAA; 3], [0xAA; 5]));
    assert_eq!(drive.opcodes(), [0x28; 3]);
    let drive = script();
    let slices = [IoSlice::new(&one), IoSlice::new(&two)];
    let data = Data::OutVectored(&slices);
    let outcome = drive.with(all()).send(&write, data, &options).unwrap();
    assert_eq!((outcome.requested(), drive.opcodes().len()), (8, 3));
}

#[test]
fn a_disk_works_on_it() {
    let medium = Script::new([becoming(), Answer::Good]);
    let device = medium.with(all());
    device.execute(&TestUnitReady).unwrap();
    let disk = Disk::with_layout(&device, crate::unit::Layout::new(512, 100));
    *medium.answers.lock().unwrap() = [reset(), BUSY, Answer::Good].into();
    let mut blocks = [0; 1024];
    disk.read(3, &mut blocks).unwrap();
    disk.write(3, &blocks).unwrap();
    assert_eq!(medium.opcodes(), [0x00, 0x00, 0x00, 0x28, 0x28, 0x28, 0x2A]);
    assert_eq!(device.take_log().entries().len(), 3);
    assert!(device.query(&Inquiry::standard()).is_ok());
}

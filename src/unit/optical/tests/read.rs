//! Reading: splitting, layouts, and errors.

use super::*;
use crate::scsi::{LengthMismatch, sense::Condition};

fn expected(fake: &Fake<'_>, request: &SectorRequest, lba: i32, sectors: u32) -> Vec<u8> {
    let drive = OpticalDrive::new(fake);
    let length = request.layout().unwrap().sector_length();
    let mut buffer = vec![0; sectors as usize * length];
    for (index, sector) in buffer.chunks_mut(length).enumerate() {
        drive
            .read(request, Lba(lba + i32::try_from(index).unwrap()), sector)
            .unwrap();
    }
    fake.sent.take();
    buffer
}

#[test]
fn reads_are_split_to_the_limit() {
    let fake = Fake::new();
    let mut drive = OpticalDrive::new(&fake);
    assert_eq!(drive.max_transfer(), 65_536);
    for (request, most) in [
        (raw(), 27),
        (raw().sub_channels(SubChannels::Q16), 27),
        (raw().sub_channels(SubChannels::Raw96), 26),
        (raw().c2(C2::Pointers294), 24),
        (raw().c2(C2::Block296), 24),
        (
            raw().c2(C2::Pointers294).sub_channels(SubChannels::Raw96),
            23,
        ),
        (raw().c2(C2::Block296).sub_channels(SubChannels::Raw96), 23),
    ] {
        let length = request.layout().unwrap().sector_length();
        let all = 2 * most + 1;
        let wanted = expected(&fake, &request, 7, all);
        let mut buffer = vec![0; all as usize * length];
        let read = drive.read(&request, Lba(7), &mut buffer).unwrap();
        assert_eq!(
            (read.sectors(), read.lba(), read.layout()),
            (all, Lba(7), request.layout().unwrap())
        );
        assert_eq!(read.end().0 - 7, i32::try_from(all).unwrap());
        assert!(buffer == wanted, "{request:?}");
        assert!(!read.residual_lied() && read.remarks().is_empty());
        assert_eq!(read.of(&buffer).len(), all as usize);
        let (first, second) = (7 + most as i32, 7 + 2 * most as i32);
        assert_eq!(fake.ranges(), [(7, most), (first, most), (second, 1)]);
    }
    // At least a sector, whatever the limit.
    for (bytes, sectors) in [(0, 1), (2352, 1), (4703, 1), (4704, 2), (1 << 20, 3)] {
        drive.set_max_transfer(bytes);
        drive.read(&raw(), Lba(0), &mut [0; 3 * 2352]).unwrap();
        assert_eq!(fake.ranges()[0], (0, sectors), "{bytes}");
    }
    drive.set_max_transfer(3000);
    drive.limit(5000);
    assert_eq!(drive.max_transfer(), 3000);
    drive.limit(2400);
    assert_eq!(drive.into_transport().ranges(), []);
}

#[test]
fn addresses_before_the_program_area_are_negative() {
    let fake = Fake::new();
    let mut drive = OpticalDrive::new(&fake);
    drive.set_max_transfer(100 * 2352);
    let mut buffer = vec![0; 151 * 2352];
    let read = drive.read(&raw(), Lba(-150), &mut buffer).unwrap();
    assert_eq!((read.sectors(), read.end()), (151, Lba(1)));
    assert_eq!(buffer[2352..4704], main(-149));
    assert_eq!(buffer[150 * 2352..], main(0));
    let sent = fake.sent.take();
    assert_eq!(
        sent[0].as_bytes(),
        [0xbe, 0, 0xff, 0xff, 0xff, 0x6a, 0, 0, 100, 0xf8, 0, 0]
    );
    assert_eq!(range(&sent[1]), (-50, 51));
    drive
        .read(&raw(), Lba(i32::MIN), &mut buffer[..2352])
        .unwrap();
    drive
        .read(&raw(), Lba(i32::MAX), &mut buffer[..2352])
        .unwrap();
}

#[test]
fn every_layout_is_read_by_its_length() {
    let fake = Fake::answering(|cdb, data| {
        let (_, sectors) = range(cdb);
        let bytes = vec![u8::try_from(data.len() / sectors as usize % 251).unwrap(); data.len()];
        good(data, &bytes)
    });
    let drive = OpticalDrive::new(&fake);
    let main = MainChannel::USER_DATA;
    for (sector, main, byte_1, byte_9, length) in [
        (SectorType::CdDa, main, 0x04, 0x10, 2352),
        (SectorType::Mode1, main, 0x08, 0x10, 2048),
        (SectorType::Mode2Formless, main, 0x0c, 0x10, 2336),
        (SectorType::Form1, main, 0x10, 0x10, 2048),
        (SectorType::Form2, main, 0x14, 0x10, 2328),
        (SectorType::Mode1, main.header(true), 0x08, 0x30, 2052),
        (
            SectorType::Mode1,
            MainChannel::NONE.header(true),
            0x08,
            0x20,
            4,
        ),
        (
            SectorType::Form1,
            MainChannel::NONE.subheader(true),
            0x10,
            0x40,
            8,
        ),
        (SectorType::Any, MainChannel::RAW, 0x00, 0xf8, 2352),
        (SectorType::Any, MainChannel::NONE, 0x00, 0x00, 0),
    ] {
        for (c2, bits) in [(C2::None, 0), (C2::Pointers294, 2), (C2::Block296, 4)] {
            for (sub, code) in [
                (SubChannels::None, 0),
                (SubChannels::Raw96, 1),
                (SubChannels::Q16, 2),
                (SubChannels::Rw96, 4),
            ] {
                let request = SectorRequest::new(sector, main).c2(c2).sub_channels(sub);
                let length = length + usize::from(c2.length() + sub.length());
                let mut buffer = vec![0; 3 * length];
                let read = drive.read(&request, Lba(0), &mut buffer).unwrap();
                if length == 0 {
                    assert_eq!((read.sectors(), fake.opcodes()), (0, vec![]));
                    assert!(drive.read(&request, Lba(0), &mut [0]).is_err());
                    continue;
                }
                assert_eq!(read.sectors(), 3, "{request:?}");
                assert!(buffer.iter().all(|&byte| usize::from(byte) == length % 251));
                let sent = fake.sent.take();
                let [cdb] = sent.as_slice() else { panic!() };
                assert_eq!((cdb.byte(1), cdb.byte(8)), (byte_1, 3));
                assert_eq!((cdb.byte(9), cdb.byte(10)), (byte_9 | bits, code));
            }
        }
    }
}

#[test]
fn what_cannot_be_read_is_not_sent() {
    let fake = Fake::new();
    let drive = OpticalDrive::new(&fake);
    let partial = drive.read(&raw(), Lba(3), &mut [0; 2353]).unwrap_err();
    assert_eq!(
        (partial.sectors(), partial.next(), partial.failed()),
        (0, Lba(3), None)
    );
    assert!(matches!(
        partial.fault(),
        ReadFault::Error(Error::Length {
            mismatch: LengthMismatch::Unit {
                len: 2353,
                block_length: 2352
            },
            ..
        })
    ));
    let any = SectorRequest::new(SectorType::Any, MainChannel::USER_DATA);
    let error = Error::from(drive.read(&any, Lba(0), &mut [0; 2048]).unwrap_err());
    assert!(matches!(error, Error::Sectors { .. }) && !error.was_sent());
    assert!(error.to_string().starts_with("fake: how long"), "{error}");
    assert_eq!(fake.opcodes(), []);
    assert_eq!(drive.read(&raw(), Lba(0), &mut []).unwrap().sectors(), 0);
    assert_eq!(fake.opcodes(), []);
    // With a layout of the caller's it is.
    let layout = any.layout_for(SectorType::Mode1).unwrap();
    let fake = Fake::answering(|_, data| good(data, &[5; 4096]));
    let drive = OpticalDrive::new(&fake);
    let mut buffer = [0; 4096];
    let read = drive.read_with_layout(&any, layout, Lba(16), &mut buffer);
    assert_eq!(read.unwrap().sectors(), 2);
    assert_eq!(fake.sent.take()[0].byte(9), 0x10);
}

#[test]
fn a_medium_error_tells_the_sector() {
    let read = |fake: &Fake<'_>, lba| {
        let mut buffer = vec![0; 60 * 2352];
        OpticalDrive::new(fake)
            .read(&raw(), Lba(lba), &mut buffer)
            .unwrap_err()
    };
    let error = |information, at: i32| Fake {
        bad: Some((at, medium_error(information))),
        ..Fake::new()
    };
    // In the second command, 177 - 127 = 50 sectors behind.
    let fake = error(177, 177);
    let partial = read(&fake, 150 - 27);
    assert_eq!((partial.sectors(), partial.next()), (54, Lba(177)));
    assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(177)), 0));
    let partial = read(&fake, 170 - 27);
    assert_eq!((partial.sectors(), partial.next()), (27, Lba(170)));
    assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(177)), 7));
    assert!(
        partial
            .to_string()
            .ends_with("(after 27 sectors, at sector 177)"),
        "{partial}"
    );
    assert_eq!(
        fake.ranges(),
        [(123, 27), (150, 27), (177, 6), (143, 27), (170, 27)]
    );
    let Error::Check(failure) = Error::from(partial) else {
        panic!()
    };
    assert_eq!(
        failure.outcome().sense().condition(),
        Condition::MediumError
    );
    // Below 0.
    let partial = read(&error(-3, -3), -5);
    assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(-3)), 2));
    // Another sector than the residual says, and one outside.
    let partial = read(&error(9, 5), 0);
    assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(9)), 0));
    let partial = read(&error(27, 5), 0);
    assert_eq!((partial.failed(), partial.agreed()), (None, 0));
    // A residual that says nothing.
    for residual in [Residual::Zero, Residual::Whole, Residual::Negative] {
        let partial = read(
            &Fake {
                residual,
                ..error(5, 5)
            },
            0,
        );
        assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(5)), 0));
    }
    // The residual counts what is not there.
    let fake = Fake {
        answer: None,
        ..error(5, 5)
    };
    let lying = Fake::answering(|cdb, data| {
        let mut outcome = fake.read_cd(cdb, data);
        if let Data::In(bytes) = data {
            mark::put(bytes, 2352);
        }
        outcome.set_residual(22 * 2352);
        Some(Ok(outcome))
    });
    let partial = read(&lying, 0);
    assert_eq!((partial.failed(), partial.agreed()), (Some(Lba(5)), 0));
}

/// Some drives count the sector that they could not read as sent.
#[test]
fn a_residual_agrees_if_it_ends_at_the_bad_sector_or_behind_it() {
    for (bad, left, agreed) in [
        (5, 23, 0),
        (5, 22, 5),
        (5, 21, 5),
        (5, 20, 0),
        // All of it, it says.
        (26, 0, 0),
        (26, 1, 26),
    ] {
        let fake = Fake {
            bad: Some((bad, medium_error(bad))),
            ..Fake::new()
        };
        let told = Fake::answering(|cdb, data| {
            let mut outcome = fake.read_cd(cdb, data);
            outcome.set_residual(left * 2352);
            Some(Ok(outcome))
        });
        let mut buffer = vec![0; 27 * 2352];
        let read = OpticalDrive::new(&told).read(&raw(), Lba(0), &mut buffer);
        assert_eq!(read.unwrap_err().agreed(), agreed, "{bad} {left}");
    }
}

#[test]
fn sense_data_in_descriptors_tells_the_sector() {
    for (bytes, lba) in [
        ([0, 0, 0, 0, 0, 0, 0, 5], Some(Lba(5))),
        ([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xfe], Some(Lba(-2))),
        (
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe],
            Some(Lba(-2)),
        ),
        ([0, 0, 0, 1, 0, 0, 0, 5], None),
    ] {
        let mut sense = vec![0x72, 0x03, 0x11, 0x05, 0, 0, 0, 12, 0x00, 0x0a, 0x80, 0];
        sense.extend(bytes);
        let bad = Some((4, SenseBuffer::from_slice(&sense)));
        let fake = Fake { bad, ..Fake::new() };
        let mut buffer = vec![0; 20 * 2352];
        let partial = OpticalDrive::new(&fake)
            .read(&raw(), Lba(-4), &mut buffer)
            .unwrap_err();
        assert_eq!(partial.failed(), lba);
    }
    // No address: the sense data of an illegal mode, and an error without sense data.
    let error = Error::Os {
        op: "SG_IO",
        path: "fake".into(),
        cdb: None,
        sent: true,
        source: io::Error::from_raw_os_error(5),
    };
    assert_eq!(super::super::read::failed_sector(&error, Lba(0), 5), None);
}

#[test]
fn another_type_of_sector_is_an_illegal_mode() {
    let fake = Fake::answering(|cdb, data| {
        let additional = AdditionalSense::new(0x64, 0x00);
        (range(cdb).0 >= 27).then(|| Ok(refused(data.len(), SenseKey::ILLEGAL_REQUEST, additional)))
    });
    let audio = SectorRequest::new(SectorType::CdDa, MainChannel::USER_DATA);
    let mut buffer = vec![0; 100 * 2352];
    let partial = OpticalDrive::new(&fake)
        .read(&audio, Lba(0), &mut buffer)
        .unwrap_err();
    assert_eq!((partial.sectors(), partial.failed()), (27, None));
    let Error::Check(failure) = Error::from(partial.into_fault()) else {
        panic!()
    };
    assert_eq!(
        failure.outcome().sense().condition(),
        Condition::WrongMedium
    );
    assert_eq!(fake.opcodes(), [0xbe, 0xbe]);
}

#[test]
fn remarks_are_kept() {
    let fake = Fake::answering(|cdb, data| {
        if range(cdb).0 != 27 {
            return None;
        }
        let len = data.len();
        data.fill_from(&vec![1; len]);
        let recovered = AdditionalSense::new(0x17, 0x01);
        Some(Ok(refused(len, SenseKey::RECOVERED_ERROR, recovered)))
    });
    let mut buffer = vec![0; 55 * 2352];
    let read = OpticalDrive::new(&fake)
        .read(&raw(), Lba(0), &mut buffer)
        .unwrap();
    assert_eq!(read.sectors(), 55);
    let [remark] = read.remarks() else { panic!() };
    assert_eq!((remark.lba(), remark.sectors()), (Lba(27), 27));
    assert_eq!(remark.sense().key(), Some(SenseKey::RECOVERED_ERROR));
    assert_eq!(
        remark.to_string(),
        "sectors 27 to 53: RECOVERED ERROR: Recovered data with retries (17h/01h)"
    );
}

#[test]
fn no_address_wraps_around() {
    let fake = Fake::new();
    let drive = OpticalDrive::new(&fake);
    let mut buffer = vec![0; 3 * 2352];
    let partial = drive
        .read(&raw(), Lba(i32::MAX - 1), &mut buffer)
        .unwrap_err();
    let ReadFault::Error(Error::OutOfRange { range, .. }) = partial.fault() else {
        panic!("{partial:?}");
    };
    assert_eq!((range.lba, range.blocks), (0x7fff_fffe, 3));
    assert_eq!((partial.sectors(), fake.ranges()), (0, vec![]));
    drive
        .read(&raw(), Lba(i32::MAX - 1), &mut buffer[..2 * 2352])
        .unwrap();
    drive.read(&raw(), Lba(i32::MIN), &mut buffer).unwrap();
    assert_eq!(fake.ranges(), [(i32::MAX - 1, 2), (i32::MIN, 3)]);
}

//! Positions, events, mechanism, buffer and speeds.

use super::*;

#[test]
fn a_position() {
    let bytes = [
        0, 0x11, 0, 12, 1, 0x14, 7, 2, 0xff, 0xff, 0xff, 0x6a, 0, 1, 2, 3,
    ];
    let lba = reply(&ReadSubChannel::position(), &bytes);
    let position = lba.position().unwrap();
    assert_eq!(lba.audio_status(), AudioStatus::PLAYING);
    assert_eq!(lba.data_length(), 12);
    assert_eq!(lba.format(), Some(SubChannelFormat::POSITION));
    assert_eq!(lba.data(), &bytes[4..]);
    assert_eq!((position.adr, position.control), (1, TrackControl(4)));
    assert_eq!((position.track, position.index), (7, 2));
    assert_eq!(position.absolute, Some(SubChannelAddress::Lba(Lba(-150))));
    assert_eq!(
        position.relative,
        Some(SubChannelAddress::Lba(Lba(0x01_0203)))
    );
    assert_eq!(lba.length_field_lies(), None);
    assert_eq!((lba.catalogue_number(), lba.isrc()), (None, None));
    let msf = reply(&ReadSubChannel::position().msf(true), &bytes);
    let position = msf.position().unwrap();
    assert_eq!(position.absolute, None);
    assert_eq!(
        position.relative,
        Msf::new(1, 2, 3).map(SubChannelAddress::Msf)
    );
    let mut times = bytes;
    times[9..].copy_from_slice(&[79, 59, 74, 0, 0x10, 0x20, 0x30]);
    let msf = reply(&ReadSubChannel::position().msf(true), &times);
    let position = msf.position().unwrap();
    let time = |minute, second, frame| Msf::new(minute, second, frame).map(SubChannelAddress::Msf);
    assert_eq!(position.absolute, time(79, 59, 74));
    assert_eq!(position.relative, time(16, 32, 48), "they are not BCD");
    // Each prefix, and a length that is too small.
    for len in 4..16 {
        let short = reply(&ReadSubChannel::position(), &bytes[..len]);
        assert_eq!(short.position(), None);
        assert_eq!(
            short.length_field_lies(),
            Some(LengthLie::TooHigh {
                claimed: 16,
                arrived: len
            })
        );
    }
    let mut low = bytes;
    low[3] = 11;
    let low = reply(&ReadSubChannel::position(), &low);
    assert_eq!(low.position(), None);
    assert_eq!(low.data().len(), 11);
}

#[test]
fn catalogue_number_and_isrc() {
    let mut bytes = *b"\0\x15\0\x14\x02\0\0\0\x804008321123456\0\0";
    let number = reply(&ReadSubChannel::catalogue_number(), &bytes);
    assert_eq!(number.catalogue_number(), Mcn::new(*b"4008321123456"));
    assert_eq!(number.audio_status(), AudioStatus::NO_STATUS);
    assert_eq!((number.position(), number.isrc()), (None, None));
    assert_eq!(number.isrc_track(), None);
    bytes[8] = 0x7f;
    let none = reply(&ReadSubChannel::catalogue_number(), &bytes);
    assert_eq!(none.catalogue_number(), None, "MCVAL is 0");

    let mut bytes = *b"\0\0\0\x14\x03\x12\x05\0\x80DEA123456789\0\0\0";
    let isrc = reply(&ReadSubChannel::isrc(5), &bytes);
    assert_eq!(isrc.isrc(), Isrc::new(*b"DEA123456789"));
    assert_eq!(isrc.isrc_track(), Some(5));
    assert_eq!(isrc.audio_status(), AudioStatus::INVALID);
    assert_eq!(isrc.catalogue_number(), None);
    bytes[8] = 0;
    assert_eq!(reply(&ReadSubChannel::isrc(5), &bytes).isrc(), None);
    // No digits, and no letters that belong there.
    let bytes = *b"\0\x15\0\x14\x02\0\0\0\x80400832112345 \0\0";
    let number = reply(&ReadSubChannel::catalogue_number(), &bytes);
    assert_eq!(number.catalogue_number(), None);
    let bytes = *b"\0\0\0\x14\x03\x12\x05\0\x80dea123456789\0\0\0";
    let isrc = reply(&ReadSubChannel::isrc(5), &bytes);
    assert_eq!((isrc.isrc(), isrc.isrc_track()), (None, Some(5)));
    // One byte too few for either.
    for (format, len) in [(2, 21), (3, 20)] {
        let mut bytes = [b'1'; 24];
        bytes[..9].copy_from_slice(&[0, 0, 0, 20, format, 0, 0, 0, 0x80]);
        let got = SubChannel::parse(false, &bytes[..len]).unwrap();
        assert_eq!((got.catalogue_number(), got.isrc()), (None, None));
        let got = SubChannel::parse(false, &bytes[..len + 1]).unwrap();
        assert!(got.catalogue_number().is_some() || got.isrc().is_some());
    }
    // More bytes than the format has are not looked at.
    let mut long = [0; 100];
    long[3] = 96;
    assert_eq!(SubChannel::parse(false, &long).unwrap().data().len(), 20);
}

#[test]
fn events() {
    let command = GetEventStatus::new(EventClasses::MEDIA);
    let status = reply(&command, &[0, 6, 0x04, 0x5e, 0xf1, 0x01, 2, 3]);
    assert!(!status.no_event_available());
    assert_eq!(status.class(), EventClass::MEDIA);
    assert_eq!(status.supported().bits(), 0x5e);
    assert!(status.supported().contains(EventClasses::DEVICE_BUSY));
    assert!(!status.supported().contains(EventClasses::MULTI_HOST));
    assert_eq!(status.event(), Some([0xf1, 1, 2, 3]));
    let media = status.media().unwrap();
    assert_eq!(media.code, MediaEventCode::EJECT_REQUEST);
    assert!(media.tray_open && !media.medium_present);
    assert_eq!((media.start_slot, media.end_slot), (2, 3));
    assert_eq!(status.length_field_lies(), None);
    // No class: NEA, and what follows is no event.
    let none = reply(&command, &[0, 2, 0x84, 0x5e, 1, 1, 1, 1]);
    assert!(none.no_event_available());
    assert_eq!((none.event(), none.media()), (None, None));
    assert_eq!(none.length_field_lies(), None, "a header is all there is");
    let none = reply(&command, &[0, 6, 0x84, 0x5e, 1, 1, 1, 1]);
    assert_eq!(none.event(), None);
    // Another class.
    let power = reply(&command, &[0, 6, 0x02, 0x5e, 1, 1, 0, 0]);
    assert_eq!(power.class(), EventClass::POWER_MANAGEMENT);
    assert_eq!(power.event(), Some([1, 1, 0, 0]));
    assert_eq!(power.media(), None);
    let change = reply(&command, &[0, 6, 0x01, 0x5e, 2, 0, 0, 1]);
    assert_eq!(change.class(), EventClass::OPERATIONAL_CHANGE);
    assert_eq!(change.event(), Some([2, 0, 0, 1]));
    // Cut in the event, and a length that ends before it.
    assert_eq!(reply(&command, &[0, 6, 4, 0x5e, 1, 2, 0]).event(), None);
    assert_eq!(reply(&command, &[0, 5, 4, 0x5e, 1, 2, 0, 0]).event(), None);
    assert_eq!(
        reply(&command, &[0, 6, 4, 0x5e]).length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 8,
            arrived: 4
        })
    );
    let head = command.allocation_length(4);
    assert_eq!(reply(&head, &[0, 6, 4, 0x5e]).length_field_lies(), None);
    assert_eq!(
        reply(&command, &[0, 0, 4, 0x5e]).length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 2,
            arrived: 4
        })
    );
}

#[test]
fn a_changer() {
    let bytes = [
        0xa3, 0x32, 0x01, 0x02, 0x03, 3, 0, 12, 0x80, 0x02, 0, 0, 0x01, 0x03, 0, 0, 0x80, 0x01, 0,
        0,
    ];
    let command = MechanismStatus::new().allocation_length(20);
    let table = reply(&command, &bytes);
    assert_eq!(table.fault(), Some(true));
    assert_eq!(table.changer(), Some(ChangerState::LOADING));
    assert_eq!(table.current_slot(), Some(0x43));
    assert_eq!(table.mechanism(), Some(MechanismState::PLAYING));
    assert_eq!(table.door_open(), Some(true));
    assert_eq!(table.current_lba(), Some(0x01_0203));
    assert_eq!(table.slot_count(), Some(3));
    assert_eq!(table.table_length(), Some(12));
    let slot = |disc_present, changed, write_protected| Slot {
        disc_present,
        changed,
        write_protected,
    };
    let slots: Vec<_> = table.slots().collect();
    assert_eq!(
        slots,
        [
            slot(true, false, Some(false)),
            slot(false, true, Some(true)),
            slot(true, false, None)
        ]
    );
    assert_eq!(table.needed_length(), None);
    assert_eq!(table.length_field_lies(), None);
    let other = reply(&command, &[0x7f, 0x8d]);
    assert_eq!(other.fault(), Some(false));
    assert_eq!(other.changer(), Some(ChangerState::INITIALIZING));
    assert_eq!(other.current_slot(), Some(0xbf));
    assert_eq!(other.mechanism(), Some(MechanismState(4)));
    assert_eq!(other.door_open(), Some(false));
    // The header only, and what it takes to get the rest.
    let head = reply(&MechanismStatus::new(), &bytes[..8]);
    assert_eq!(head.slots().count(), 0);
    assert_eq!(head.needed_length(), Some(20));
    assert_eq!(head.length_field_lies(), None);
    let cut = reply(&command, &bytes[..15]);
    assert_eq!(cut.slots().count(), 1);
    assert_eq!(
        cut.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 20,
            arrived: 15
        })
    );
    let short = reply(&command, &bytes[..5]);
    assert_eq!(short.current_lba(), Some(0x01_0203));
    assert_eq!((short.slot_count(), short.table_length()), (None, None));
    let shorter = reply(&command, &bytes[..4]);
    assert_eq!(shorter.current_lba(), None);
}

#[test]
fn buffer_capacity() {
    let bytes = [0, 10, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    let command = ReadBufferCapacity::new();
    let capacity = reply(&command, &bytes);
    assert!(!capacity.in_blocks());
    assert_eq!(capacity.length(), Some(0x0102_0304));
    assert_eq!(capacity.available(), Some(0x0506_0708));
    assert_eq!(capacity.length_field_lies(), None);
    let mut blocks = bytes;
    blocks[3] = 1;
    let capacity = reply(&command, &blocks);
    assert!(capacity.in_blocks());
    assert_eq!(capacity.length(), None, "reserved then");
    assert_eq!(capacity.available(), Some(0x0506_0708));
    let cut = reply(&command, &bytes[..11]);
    assert_eq!((cut.length(), cut.available()), (Some(0x0102_0304), None));
    assert_eq!(
        cut.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 12,
            arrived: 11
        })
    );
    let mut low = bytes;
    low[1] = 5;
    assert_eq!(
        reply(&command, &low).length(),
        None,
        "the length ends in it"
    );
    low[1] = 6;
    let low = reply(&command, &low);
    assert_eq!((low.length(), low.available()), (Some(0x0102_0304), None));
    assert_eq!(
        low.length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 8,
            arrived: 12
        })
    );
}

#[test]
fn performance() {
    let mut bytes = vec![0, 0, 0, 20, 2, 0, 0, 0];
    for value in [0x0001_0203_u32, 11_080, 0x0022_f3ff, 22_160] {
        bytes.extend_from_slice(&value.to_be_bytes());
    }
    bytes.extend_from_slice(&[0xff; 16]);
    let command = GetPerformance::writing(PerformanceList::Nominal);
    let data = reply(&command, &bytes);
    assert_eq!(data.data_length(), 20);
    assert!(data.is_about_writing() && !data.has_exceptions());
    let ranges: Vec<_> = data.ranges().collect();
    assert_eq!(
        ranges,
        [PerformanceRange {
            start_lba: 0x0001_0203,
            start_speed: 11_080,
            end_lba: 0x0022_f3ff,
            end_speed: 22_160,
        }],
        "what the length excludes is none"
    );
    assert_eq!(data.exceptions().count(), 0);
    assert_eq!(data.write_speeds().count(), 0);
    assert_eq!(data.descriptors(), &bytes[8..24]);
    assert_eq!(
        (data.needed_length(), data.length_field_lies()),
        (None, None)
    );
    assert_eq!(reply(&command, &bytes[..23]).ranges().count(), 0);

    // Exceptions are shorter.
    let bytes = [0, 0, 0, 16, 1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0, 9, 0, 1];
    let data = reply(
        &GetPerformance::reading(PerformanceList::Exceptions),
        &bytes,
    );
    assert!(data.has_exceptions() && !data.is_about_writing());
    let exceptions: Vec<_> = data.exceptions().map(|it| (it.lba, it.time)).collect();
    assert_eq!(exceptions, [(0x01_0203, 0x0405), (9, 1)]);
    assert_eq!(data.ranges().count(), 0);
}

#[test]
fn write_speeds() {
    let mut bytes = vec![0, 0, 0, 36, 3, 0, 0, 0];
    bytes.extend_from_slice(&[
        0x0e, 0, 0, 0, 0, 5, 0x7e, 0x3f, 0, 0, 0x1b, 0x90, 0, 0, 0x0d, 0xc8,
    ]);
    bytes.extend_from_slice(&[
        0x11, 0, 0, 0, 0, 5, 0x7e, 0x3f, 0, 0, 0x1b, 0x90, 0, 0, 0x06, 0xe4,
    ]);
    let command = GetPerformance::write_speeds();
    let data = reply(&command, &bytes);
    assert!(!data.is_about_writing() && !data.has_exceptions());
    let speeds: Vec<_> = data.write_speeds().collect();
    assert_eq!(
        speeds,
        [
            WriteSpeedRange {
                rotation: RotationControl::CAV,
                restore_defaults: true,
                exact: true,
                mixed: false,
                end_lba: 0x0005_7e3f,
                read_speed: 7056,
                write_speed: 3528,
            },
            WriteSpeedRange {
                rotation: RotationControl(2),
                restore_defaults: false,
                exact: false,
                mixed: true,
                end_lba: 0x0005_7e3f,
                read_speed: 7056,
                write_speed: 1764,
            },
        ]
    );
    assert_eq!(data.ranges().count(), 0);
    // One descriptor was asked for, two are there.
    let cut = reply(&command.descriptors(1), &bytes[..24]);
    assert_eq!(cut.needed_length(), Some(40));
    assert_eq!(cut.length_field_lies(), None);
    assert_eq!(cut.write_speeds().count(), 1);
    bytes[0] = 0xff;
    let lie = reply(&command, &bytes);
    assert_eq!(lie.write_speeds().count(), 2);
    assert_eq!(
        lie.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 0xff00_0028,
            arrived: 40
        })
    );
    let low = [0, 0, 0, 0, 0, 0, 0, 0, 9];
    let low = reply(&command, &low);
    assert_eq!(low.descriptors(), b"");
    assert_eq!(
        low.length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 4,
            arrived: 9
        })
    );
}

//! The bytes of each command.

use super::*;

#[test]
fn speeds() {
    let command = SetCdSpeed::new(0x0102)
        .write_speed(0x0304)
        .rotation(RotationControl(0xfd));
    assert_eq!(cdb(&command, 0), [0xbb, 1, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0]);
    assert_eq!(
        cdb(&SetCdSpeed::max(), 0),
        [0xbb, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0]
    );
    for (times, speed) in [
        (0, 0),
        (1, 176),
        (2, 352),
        (10, 1764),
        (52, 9172),
        (371, 65_444),
    ] {
        assert_eq!(cd_speed(times), speed);
    }
    assert_eq!(cd_speed(372), SetCdSpeed::MAX);
    assert_eq!(cd_speed(u16::MAX), SetCdSpeed::MAX);
    assert_eq!(
        cdb(&SetStreaming, 28),
        [0xb6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 28, 0]
    );
    let wrong = LengthMismatch::Exact {
        len: 27,
        expected: 28,
    };
    assert_eq!(SetStreaming.cdb_for(27), Err(wrong));
}

#[test]
fn performance() {
    let reading = GetPerformance::reading(PerformanceList::Nominal);
    assert_eq!(
        cdb(&reading.starting_lba(0x0102_0304), 8 + 16 * 0x0506),
        [0xac, 0x10, 1, 2, 3, 4, 0, 0, 5, 6, 0, 0]
    );
    assert_eq!(reading.reply_length(), 248);
    assert_eq!(reading.descriptors(3).reply_length(), 56);
    for (command, data_type) in [
        (GetPerformance::reading(PerformanceList::Entire), 0x11),
        (GetPerformance::reading(PerformanceList::Exceptions), 0x12),
        (GetPerformance::writing(PerformanceList::Nominal), 0x14),
        (GetPerformance::writing(PerformanceList::Entire), 0x15),
        (GetPerformance::writing(PerformanceList::Exceptions), 0x16),
    ] {
        let len = command.reply_length();
        let expected = [0xac, data_type, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0];
        assert_eq!(cdb(&command, len), expected);
        let descriptor = if data_type & 2 == 0 { 16 } else { 6 };
        assert_eq!(len, 8 + 15 * descriptor);
    }
    let exceptions = GetPerformance::reading(PerformanceList::Exceptions);
    assert_eq!(exceptions.descriptors(2).reply_length(), 20);
    assert_eq!(
        cdb(&GetPerformance::write_speeds(), 24),
        [0xac, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0]
    );
    let other = GetPerformance::other(PerformanceType::DEFECT_STATUS, 0xff, 2048);
    assert_eq!(
        cdb(&other, 8 + 2048),
        [0xac, 0x1f, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0]
    );
    // The header alone.
    assert_eq!(cdb(&reading, 8)[8..10], [0, 0]);
    assert_eq!(
        reading.cdb_for(7),
        Err(LengthMismatch::TooShort { len: 7, min: 8 })
    );
    assert_eq!(
        reading.cdb_for(39),
        Err(LengthMismatch::Exact {
            len: 39,
            expected: 24
        })
    );
    let most = 8 + 16 * 65_535;
    assert!(reading.cdb_for(most).is_ok());
    assert_eq!(
        reading.cdb_for(most + 16),
        Err(LengthMismatch::TooLong {
            len: most + 16,
            max: most
        })
    );
    let nothing = GetPerformance::other(PerformanceType(9), 0, 0);
    assert_eq!(cdb(&nothing, 11)[8..10], [0, 3], "no division by zero");
}

#[test]
fn sub_channel() {
    let position = ReadSubChannel::position();
    assert_eq!(
        cdb(&position.msf(true), 0x0203),
        [0x42, 2, 0x40, 1, 0, 0, 0, 2, 3, 0]
    );
    assert_eq!(position.reply_length(), 16);
    assert_eq!(cdb(&position.status_only(), 4)[..4], [0x42, 0, 0, 1]);
    assert_eq!(position.status_only().reply_length(), 4);
    assert_eq!(
        cdb(&ReadSubChannel::isrc(12), 24),
        [0x42, 0, 0x40, 3, 0, 0, 12, 0, 24, 0]
    );
    assert_eq!(ReadSubChannel::isrc(1).reply_length(), 24);
    assert_eq!(ReadSubChannel::catalogue_number().reply_length(), 24);
    let other = ReadSubChannel::other(SubChannelFormat(0xf0));
    assert_eq!(cdb(&other, 4)[3], 0xf0);
}

#[test]
fn structures_and_keys() {
    let structure = ReadDiscStructure::other(DiscStructureMedia(0xf3), DiscStructureFormat(0x84))
        .address(0x0102_0304)
        .layer(5)
        .agid(Agid::new(2));
    assert_eq!(
        cdb(&structure, 0x0607),
        [0xad, 3, 1, 2, 3, 4, 5, 0x84, 6, 7, 0x80, 0]
    );
    let format = DiscStructureFormat::DVD_PHYSICAL;
    assert_eq!(ReadDiscStructure::dvd(format).reply_length(), 2052);
    assert_eq!(ReadDiscStructure::bd(format).reply_length(), 4100);
    assert_eq!(
        cdb(&ReadDiscStructure::bd(format), 4100),
        [0xad, 1, 0, 0, 0, 0, 0, 0, 0x10, 4, 0, 0]
    );
    assert_eq!(structure.reply_length(), 4100);
    assert_eq!(structure.allocation_length(8).reply_length(), 8);

    let key = ReportKey::new(KeyClass(0x20), KeyFormat(0xff))
        .agid(Agid::new(0xf9))
        .address(0x0102_0304)
        .blocks(5)
        .allocation_length(0x0607);
    assert_eq!(
        cdb(&key, key.reply_length()),
        [0xa4, 0, 1, 2, 3, 4, 5, 0x20, 6, 7, 0x7f, 0]
    );
    assert_eq!(Agid::new(0xf9).get(), 1);
    assert_eq!(
        cdb(&ReportKey::take_agid(), 8),
        [0xa4, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0]
    );
    assert_eq!(cdb(&ReportKey::rpc_state(), 8)[10], 8);
    assert_eq!(ReportKey::take_agid().reply_length(), 8);
    let back = InvalidateAgid::new(KeyClass::AACS, Agid::new(3));
    assert_eq!(cdb(&back, 0), [0xa4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0xff, 0]);
}

#[test]
fn events_and_mechanism() {
    let classes = EventClasses::MEDIA | EventClasses::POWER_MANAGEMENT;
    let events = GetEventStatus::new(classes);
    assert_eq!(cdb(&events, 0x0102), [0x4a, 1, 0, 0, 0x14, 0, 0, 1, 2, 0]);
    assert_eq!(events.reply_length(), 8);
    for (class, bit) in [
        (EventClasses::OPERATIONAL_CHANGE, 0x02),
        (EventClasses::POWER_MANAGEMENT, 0x04),
        (EventClasses::EXTERNAL_REQUEST, 0x08),
        (EventClasses::MEDIA, 0x10),
        (EventClasses::MULTI_HOST, 0x20),
        (EventClasses::DEVICE_BUSY, 0x40),
    ] {
        assert_eq!(cdb(&GetEventStatus::new(class), 8)[4], bit);
    }
    assert_eq!(events.allocation_length(4).reply_length(), 4);
    assert_eq!(
        cdb(&MechanismStatus::default(), 0x0102),
        [0xbd, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0]
    );
    assert_eq!(MechanismStatus::new().reply_length(), 8);
    assert_eq!(
        MechanismStatus::new().allocation_length(28).reply_length(),
        28
    );
    assert_eq!(
        cdb(&ReadBufferCapacity::in_blocks(), 0x0102),
        [0x5c, 1, 0, 0, 0, 0, 0, 1, 2, 0]
    );
    assert_eq!(cdb(&ReadBufferCapacity::default(), 12)[1], 0);
    assert_eq!(ReadBufferCapacity::new().reply_length(), 12);
}

#[test]
fn loading() {
    for (command, bytes) in [
        (StartStop::stop(), [0x1b, 0, 0, 0, 0, 0]),
        (StartStop::start(), [0x1b, 0, 0, 0, 1, 0]),
        (StartStop::eject().immediate(true), [0x1b, 1, 0, 0, 2, 0]),
        (StartStop::load(), [0x1b, 0, 0, 0, 3, 0]),
        (StartStop::format_layer(0xff), [0x1b, 0, 0, 3, 7, 0]),
        (
            StartStop::power(PowerCondition::SLEEP),
            [0x1b, 0, 0, 0, 0x50, 0],
        ),
        (
            StartStop::power(PowerCondition(0xf7)),
            [0x1b, 0, 0, 0, 0x70, 0],
        ),
    ] {
        assert_eq!(cdb(&command, 0), bytes);
    }
    for (command, byte) in [
        (PreventAllow::allow(), 0),
        (PreventAllow::allow().persistent(false), 0),
        (PreventAllow::prevent(), 1),
        (PreventAllow::allow().persistent(true), 2),
        (PreventAllow::prevent().persistent(true), 3),
        (
            PreventAllow::prevent().persistent(true).persistent(false),
            1,
        ),
    ] {
        assert_eq!(cdb(&command, 0), [0x1e, 0, 0, 0, byte, 0]);
    }
    assert_eq!(
        cdb(&LoadUnload::load(9).immediate(true), 0),
        [0xa6, 1, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0]
    );
    assert_eq!(
        cdb(&LoadUnload::unload(), 0),
        [0xa6, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    );
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let short = |len, min| Err(LengthMismatch::TooShort { len, min });
    let long = Err(LengthMismatch::TooLong {
        len: 65_536,
        max: 65_535,
    });
    let structure = ReadDiscStructure::dvd(DiscStructureFormat::LIST);
    let events = GetEventStatus::new(EventClasses::MEDIA);
    assert_eq!(structure.cdb_for(3), short(3, 4));
    assert_eq!(ReportKey::rpc_state().cdb_for(3), short(3, 4));
    assert_eq!(ReadSubChannel::position().cdb_for(3), short(3, 4));
    assert_eq!(events.cdb_for(3), short(3, 4));
    assert_eq!(MechanismStatus::new().cdb_for(7), short(7, 8));
    assert_eq!(ReadBufferCapacity::new().cdb_for(11), short(11, 12));
    assert_eq!(structure.cdb_for(65_536), long);
    assert_eq!(ReportKey::rpc_state().cdb_for(65_536), long);
    assert_eq!(ReadSubChannel::position().cdb_for(65_536), long);
    assert_eq!(events.cdb_for(65_536), long);
    assert_eq!(MechanismStatus::new().cdb_for(65_536), long);
    assert_eq!(ReadBufferCapacity::new().cdb_for(65_536), long);
    let none = Err(LengthMismatch::Exact {
        len: 8,
        expected: 0,
    });
    assert_eq!(SetCdSpeed::max().cdb_for(8), none);
    assert_eq!(StartStop::eject().cdb_for(8), none);
    assert_eq!(PreventAllow::allow().cdb_for(8), none);
    assert_eq!(LoadUnload::unload().cdb_for(8), none);
    let back = InvalidateAgid::new(KeyClass::DVD, Agid::default());
    assert_eq!(back.cdb_for(8), none);
}

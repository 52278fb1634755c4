use super::*;

fn msf(minute: u8, second: u8, frame: u8) -> Msf {
    Msf::new(minute, second, frame).unwrap()
}

#[test]
fn lba_and_msf_at_every_border() {
    for (lba, time) in [
        (0, msf(0, 2, 0)),
        (-1, msf(0, 1, 74)),
        (-150, msf(0, 0, 0)),
        (-151, msf(99, 59, 74)),
        (-20_149, msf(95, 33, 26)),
        (-45_150, msf(90, 0, 0)),
        (29_847, msf(6, 39, 72)),
        (404_849, msf(89, 59, 74)),
    ] {
        assert_eq!(Lba(lba).to_msf(), Some(time), "{lba}");
        assert_eq!(time.to_lba(), Lba(lba), "{time}");
    }
    for none in [i32::MIN, -45_151, 404_850, i32::MAX] {
        assert_eq!(Lba(none).to_msf(), None, "{none}");
    }
    assert_eq!(Lba::FIRST.to_msf(), Some(msf(90, 0, 0)));
}

#[test]
fn every_time_code_has_an_address_and_every_address_a_time_code() {
    for frames in 0..450_000 {
        let time = Msf::from_frames(frames).unwrap();
        assert_eq!(time.frames(), frames);
        assert_eq!(time.to_lba().to_msf(), Some(time));
        assert_eq!(Msf::from_bcd(time.to_bcd()), Some(time));
        assert_eq!(Msf::from_binary(time.to_binary()), Some(time));
    }
    assert_eq!(Msf::from_frames(450_000), None);
    assert_eq!(Msf::from_frames(u32::MAX), None);
}

#[test]
fn a_disc_of_more_than_ninety_minutes() {
    let late = msf(99, 0, 0);
    assert_eq!(late.to_program_lba(), Lba(445_350));
    assert_eq!(late.to_lba(), Lba(-4_650));
    let early = msf(0, 2, 10);
    assert_eq!(early.to_program_lba(), early.to_lba());
}

#[test]
fn numbers_that_are_too_large_are_no_time() {
    assert_eq!(Msf::new(100, 0, 0), None);
    assert_eq!(Msf::new(0, 60, 0), None);
    assert_eq!(Msf::new(0, 0, 75), None);
    assert_eq!(Msf::from_bcd([0x99, 0x59, 0x74]), Some(msf(99, 59, 74)));
    assert_eq!(Msf::from_bcd([0x9a, 0x59, 0x74]), None);
    assert_eq!(Msf::from_bcd([0x99, 0x60, 0x74]), None);
    assert_eq!(Msf::from_bcd([0x99, 0x59, 0x75]), None);
    assert_eq!(msf(1, 2, 3).to_string(), "01:02:03");
    assert_eq!((msf(1, 2, 3).minute(), msf(1, 2, 3).second()), (1, 2));
    assert_eq!(msf(1, 2, 3).frame(), 3);
}

#[test]
fn bcd_is_a_hundred_of_the_bytes() {
    let mut valid = 0;
    for byte in 0..=255 {
        if let Some(bcd) = Bcd::new(byte) {
            valid += 1;
            assert_eq!(bcd.byte(), byte);
            assert_eq!(Bcd::from_binary(bcd.get()), Some(bcd));
            assert_eq!(bcd.to_string(), format!("{:02}", bcd.get()));
        }
    }
    assert_eq!(valid, 100);
    assert_eq!(Bcd::new(0x0a), None);
    assert_eq!(Bcd::new(0xa0), None);
    assert_eq!(Bcd::from_binary(99).map(Bcd::byte), Some(0x99));
    assert_eq!(Bcd::from_binary(100), None);
}

#[test]
fn track_numbers() {
    assert_eq!(TrackNumber::from_bcd(0x27), Some(TrackNumber(27)));
    assert_eq!(TrackNumber::from_bcd(0x00), Some(TrackNumber::LEAD_IN));
    assert_eq!(TrackNumber::from_bcd(0xaa), Some(TrackNumber::LEAD_OUT));
    assert_eq!(TrackNumber::from_bcd(0xa0), None);
    assert!(TrackNumber(1).is_track() && TrackNumber(99).is_track());
    for other in [0, 100, 0xaa] {
        assert!(!TrackNumber(other).is_track(), "{other}");
    }
    assert_eq!(TrackNumber(7).to_string(), "7");
    assert_eq!(TrackNumber::LEAD_OUT.to_string(), "lead-out");
    assert_eq!(TrackNumber::LEAD_IN.to_string(), "lead-in");
}

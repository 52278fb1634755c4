use super::*;

const FIRST: &str = include_str!("../../../../../tests/cases/redumper-13-q-subchannel-1.hex");
const SECOND: &str = include_str!("../../../../../tests/cases/redumper-13-q-subchannel-2.hex");
const SECUROM_1: &str = include_str!("../../../../../tests/cases/redumper-256-q-securom-1.hex");
const SECUROM_2: &str = include_str!("../../../../../tests/cases/redumper-256-q-securom-2.hex");

fn parse(case: &str) -> SubQ {
    SubQ::parse(&hex(case)).unwrap()
}

fn position(q: SubQ, numbers: NumberEncoding) -> QPosition {
    match q.data(numbers) {
        QData::Position(position) => position,
        other => panic!("{other:?}"),
    }
}

/// These ten bytes and the CRC that fits.
fn with_crc(bytes: [u8; 10]) -> SubQ {
    let mut all = [0; 12];
    all[..10].copy_from_slice(&bytes);
    all[11] = 1;
    if let QCrc::Invalid { computed, .. } = SubQ::new(all).crc() {
        all[10..].copy_from_slice(&computed.to_be_bytes());
    }
    SubQ::new(all)
}

#[test]
fn two_sectors_of_a_cd_r() {
    for (case, frame, crc) in [(FIRST, 72, [0x02, 0xc5]), (SECOND, 73, [0xb8, 0xb5])] {
        let q = parse(case);
        assert_eq!(q.as_bytes()[10..], crc);
        assert_eq!(q.crc(), QCrc::Valid);
        assert_eq!(q.numbers(), Some(NumberEncoding::Bcd));
        assert_eq!(q.control(), TrackControl(4));
        assert!(q.control().is_data());
        assert!(!q.control().copy_permitted());
        assert_eq!(q.adr(), 1);
        assert_eq!(q.p(), None);
        let position = position(q, NumberEncoding::Bcd);
        assert_eq!(position.track, Some(TrackNumber(1)));
        assert_eq!(position.index, Some(1));
        assert_eq!(position.relative, Msf::new(6, 37, frame));
        assert_eq!(position.absolute, Msf::new(6, 39, frame));
        assert!(position.is_complete());
        let lba = position.absolute.unwrap().to_lba().0;
        assert_eq!(lba, 29_847 + i32::from(frame) - 72);
        assert_eq!(q.absolute_frame(NumberEncoding::Bcd), Some(frame));
    }
}

#[test]
fn a_copy_protection_breaks_the_crc() {
    for (case, stored, computed, second) in [
        (SECUROM_1, 0x2ef1, 0xa282, 1),
        (SECUROM_2, 0x84a0, 0x08d3, 0),
    ] {
        let q = parse(case);
        assert_eq!(q.crc(), QCrc::Invalid { stored, computed });
        assert_eq!(q.numbers(), None);
        assert_eq!((q.control(), q.adr()), (TrackControl(4), 1));
        let position = position(q, NumberEncoding::Bcd);
        assert_eq!(position.track, Some(TrackNumber(1)));
        assert_eq!(position.index, Some(0));
        assert_eq!(position.relative, Msf::new(0, 40, second));
        assert_eq!(position.absolute, Msf::new(0, 3, 74));
    }
}

#[test]
fn a_drive_that_turns_q_into_plain_numbers() {
    let mut bytes = *parse(FIRST).as_bytes();
    for (at, plain) in [(4, 37), (5, 72), (8, 39), (9, 72)] {
        bytes[at] = plain;
    }
    let q = SubQ::new(bytes);
    assert!(matches!(q.crc(), QCrc::Invalid { stored: 0x02c5, .. }));
    assert_eq!(q.numbers(), Some(NumberEncoding::Binary));
    let read = position(q, NumberEncoding::Binary);
    assert_eq!(read, position(parse(FIRST), NumberEncoding::Bcd));
    // Read as BCD, 25h is 25 and not 37.
    let wrong = position(q, NumberEncoding::Bcd);
    assert_eq!(wrong.relative, Msf::new(6, 25, 48));
    assert_eq!(wrong.absolute, Msf::new(6, 27, 48));
    assert_ne!(wrong, read);

    // Without CRC nothing tells.
    bytes[10..].fill(0);
    let q = SubQ::new(bytes);
    assert_eq!(q.crc(), QCrc::Absent);
    assert_eq!(q.numbers(), None);
    assert_eq!(position(q, NumberEncoding::Binary), read);
}

#[test]
fn sixteen_bytes_have_p() {
    let q = hex(FIRST);
    for (last, p) in [(0x80, true), (0x00, false), (0x7f, false)] {
        let bytes = [&q[..], &[0, 0, 0, last]].concat();
        let formatted = SubQ::parse(&bytes).unwrap();
        assert_eq!(formatted.p(), Some(p));
        assert_eq!(formatted.as_bytes()[..], q);
    }
    assert_eq!(
        SubQ::parse(&q[..11]),
        Err(Malformed::Short { need: 12, got: 11 })
    );
    assert_eq!(SubQ::parse(&[0; 15]).unwrap().p(), None);
}

#[test]
fn the_crc_is_of_all_ten_bytes() {
    let good = *parse(FIRST).as_bytes();
    for byte in 0..12 {
        for bit in 0..8 {
            let mut bad = good;
            bad[byte] ^= 1 << bit;
            assert!(
                matches!(SubQ::new(bad).crc(), QCrc::Invalid { .. }),
                "{byte} {bit}"
            );
        }
    }
    // The inverse of nothing is ones.
    let mut zeros = [0; 12];
    assert_eq!(SubQ::new(zeros).crc(), QCrc::Absent);
    zeros[10..].fill(0xff);
    assert_eq!(SubQ::new(zeros).crc(), QCrc::Valid);
}

#[test]
fn bits_of_eight_subchannels() {
    let mut raw = [0; 96];
    for (index, byte) in raw.iter_mut().enumerate() {
        // P all ones, Q ones in the first half, W alternating.
        *byte = 0x80 | u8::from(index < 48) << 6 | u8::from(index % 2 == 1);
    }
    let channels = RawSubChannels::new(&raw).unwrap();
    assert_eq!(channels.as_bytes(), &raw);
    assert_eq!(channels.channel(7), Some([0xff; 12]));
    let q = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0];
    assert_eq!(channels.channel(6), Some(q));
    assert_eq!(channels.q().as_bytes(), &q);
    assert_eq!(channels.channel(5), Some([0; 12]));
    assert_eq!(channels.channel(0), Some([0x55; 12]));
    assert_eq!(channels.channel(8), None);
    assert_eq!(channels.channel(255), None);
    assert_eq!(RawSubChannels::new(&raw[..95]), None);
}

#[test]
fn the_lead_out_has_track_aa() {
    let q = with_crc([0x01, 0xaa, 0x01, 0, 0, 0x12, 0, 0x50, 0x22, 0x12]);
    assert_eq!(q.crc(), QCrc::Valid);
    for numbers in [NumberEncoding::Bcd, NumberEncoding::Binary] {
        assert_eq!(
            position(q, numbers).track,
            Some(TrackNumber::LEAD_OUT),
            "{numbers:?}"
        );
    }
    assert_eq!(
        position(q, NumberEncoding::Bcd).absolute,
        Msf::new(50, 22, 12)
    );
}

#[test]
fn what_is_no_number_is_none() {
    let q = SubQ::new([0x01, 0xab, 0x1a, 0x01, 0x60, 0, 0, 0x01, 0x02, 0x75, 0, 0]);
    let bcd = position(q, NumberEncoding::Bcd);
    assert_eq!((bcd.track, bcd.index), (None, None));
    assert_eq!((bcd.relative, bcd.absolute), (None, None));
    assert!(!bcd.is_complete());
    let binary = position(q, NumberEncoding::Binary);
    assert_eq!((binary.track, binary.index), (None, Some(26)));
    assert_eq!((binary.relative, binary.absolute), (None, None));
    let q = SubQ::new([0x01, 100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let binary = position(q, NumberEncoding::Binary);
    assert_eq!((binary.track, binary.index), (None, None));
}

#[test]
fn a_lead_in_lists_points() {
    // POINT A2h: where the lead-out starts.
    let bytes = [0x41, 0x00, 0xa2, 0x00, 0x12, 0x34, 0, 0x06, 0x40, 0x00];
    let QData::LeadIn(entry) = with_crc(bytes).data(NumberEncoding::Bcd) else {
        panic!()
    };
    assert_eq!(entry.point, 0xa2);
    assert_eq!(entry.running, [0x00, 0x12, 0x34]);
    assert_eq!(Msf::from_bcd(entry.value), Msf::new(6, 40, 0));
    // ADR 5, POINT B0h: where the next session may start.
    let bytes = [0x45, 0x00, 0xb0, 0x09, 0x10, 0x00, 2, 0x79, 0x59, 0x74];
    let QData::MultiSession(entry) = with_crc(bytes).data(NumberEncoding::Bcd) else {
        panic!()
    };
    assert_eq!((entry.point, entry.running), (0xb0, [0x09, 0x10, 0x00]));
    assert_eq!(entry.value, [0x79, 0x59, 0x74]);
    assert_eq!(
        SubQ::new([0x04; 12]).data(NumberEncoding::Bcd),
        QData::Other(4)
    );
}

#[test]
fn a_catalogue_number() {
    let bytes = [0x02, 0x40, 0x12, 0x34, 0x56, 0x78, 0x90, 0x10, 0x00, 0x27];
    let q = with_crc(bytes);
    let QData::Mcn(Some(mcn)) = q.data(NumberEncoding::Bcd) else {
        panic!()
    };
    assert_eq!(mcn.as_str(), "4012345678901");
    assert_eq!(mcn.to_string(), "4012345678901");
    assert_eq!(q.absolute_frame(NumberEncoding::Bcd), Some(27));
    assert_eq!(q.absolute_frame(NumberEncoding::Binary), Some(0x27));
    // The frame alone is a number that a drive turns.
    let mut plain = *q.as_bytes();
    plain[9] = 27;
    assert_eq!(SubQ::new(plain).numbers(), Some(NumberEncoding::Binary));

    let mut wrong = bytes;
    wrong[3] = 0x3a;
    assert_eq!(with_crc(wrong).data(NumberEncoding::Bcd), QData::Mcn(None));
    assert_eq!(
        with_crc([0x02; 10]).absolute_frame(NumberEncoding::Bcd),
        Some(2)
    );
    let late = SubQ::new([0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0x75, 0, 0]);
    assert_eq!(late.absolute_frame(NumberEncoding::Bcd), None);
}

#[test]
fn an_isrc() {
    // D, E, A, 6, 2: 20, 21, 17, 6, 2 in six bits each; then seven digits.
    let letters: u64 = [20, 21, 17, 6, 2]
        .iter()
        .fold(0, |bits, &letter| bits << 6 | letter);
    let bits = (letters << 34) | (0x0123456 << 4);
    let mut bytes = [0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0x41];
    bytes[1..9].copy_from_slice(&bits.to_be_bytes());
    let q = with_crc(bytes);
    let QData::Isrc(Some(isrc)) = q.data(NumberEncoding::Bcd) else {
        panic!()
    };
    assert_eq!(isrc.as_str(), "DEA620123456");
    assert_eq!(
        format!("{isrc} {isrc:?}"),
        "DEA620123456 Isrc(DEA620123456)"
    );
    assert_eq!(q.absolute_frame(NumberEncoding::Bcd), Some(41));

    // 10 to 16 and what is above Z are no letters, ten is no digit.
    for letter in [10, 16, 43, 63] {
        let bits = (letter << 58) | bits & (u64::MAX >> 6);
        bytes[1..9].copy_from_slice(&bits.to_be_bytes());
        assert_eq!(with_crc(bytes).data(NumberEncoding::Bcd), QData::Isrc(None));
    }
    bytes[1..9].copy_from_slice(&(bits | 0xa0).to_be_bytes());
    assert_eq!(with_crc(bytes).data(NumberEncoding::Bcd), QData::Isrc(None));
}

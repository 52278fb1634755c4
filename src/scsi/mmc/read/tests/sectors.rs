use super::*;

/// `count` sectors in this layout, main channel byte `n` of sector `s` is
/// `s + n`, C2 is zero, and each byte of the subchannel is `80h + s`.
fn buffer(layout: SectorLayout, count: u8) -> Vec<u8> {
    let mut all = Vec::new();
    for sector in 0..count {
        let mut bytes = vec![0; layout.sector_length()];
        for (value, byte) in (0_u8..=255).cycle().zip(&mut bytes[layout.main()]) {
            *byte = value.wrapping_add(sector);
        }
        if let Some(range) = layout.sub() {
            bytes[range].fill(0x80 + sector);
        }
        all.extend(bytes);
    }
    all
}

#[test]
fn parts_of_each_sector_in_both_orders() {
    let request = raw().c2(C2::Pointers294).sub_channels(SubChannels::Raw96);
    for order in [SectorOrder::MainC2Sub, SectorOrder::MainSubC2] {
        let layout = request.layout().unwrap().order(order);
        let bytes = buffer(layout, 3);
        let sectors = Sectors::new(&bytes, layout);
        assert_eq!(sectors.len(), 3);
        assert_eq!(sectors.layout(), layout);
        assert!(!sectors.is_empty());
        assert!(sectors.incomplete().is_empty());
        assert_eq!(sectors.iter().len(), 3);
        for (index, sector) in sectors.iter().enumerate() {
            let number = u8::try_from(index).unwrap();
            assert_eq!(Some(sector), sectors.get(index));
            assert_eq!(sector.as_bytes().len(), 2742);
            assert_eq!(sector.main().len(), 2352);
            assert_eq!(sector.main()[..2], [number, number + 1]);
            assert!(sector.c2().unwrap().bits().is_clean(), "{order:?}");
            assert_eq!(sector.sub(), Some(&[0x80 + number; 96][..]), "{order:?}");
            assert_eq!(sector.raw().unwrap().as_bytes(), sector.main());
        }
        assert_eq!(sectors.get(3), None);
        assert_eq!(sectors.get(usize::MAX), None);
    }
}

#[test]
fn named_parts() {
    let all = SectorRequest::new(SectorType::Form1, MainChannel::RAW);
    let layout = all.layout().unwrap();
    let bytes = buffer(layout, 1);
    let sector = Sectors::new(&bytes, layout).get(0).unwrap();
    assert_eq!(sector.sync(), Some(&bytes[..12]));
    assert_eq!(sector.header(), Some(&bytes[12..16]));
    assert_eq!(sector.subheader(), Some(&bytes[16..24]));
    assert_eq!(sector.user_data(), Some(&bytes[24..2072]));
    assert_eq!(sector.edc_ecc(), Some(&bytes[2072..]));
    assert_eq!((sector.c2(), sector.sub(), sector.q()), (None, None, None));

    let data = SectorRequest::new(SectorType::Mode1, MainChannel::USER_DATA);
    let layout = data.layout().unwrap();
    let bytes = buffer(layout, 1);
    let sector = Sectors::new(&bytes, layout).get(0).unwrap();
    assert_eq!(sector.user_data(), Some(&bytes[..]));
    assert_eq!(sector.raw(), None);
    assert_eq!((sector.sync(), sector.header()), (None, None));
}

#[test]
fn a_short_transfer_ends_with_a_piece() {
    let layout = raw().layout().unwrap();
    let bytes = buffer(layout, 3);
    let short = Sectors::new(&bytes[..2 * 2352 + 100], layout);
    assert_eq!(short.len(), 2);
    assert_eq!(short.iter().count(), 2);
    assert_eq!(short.incomplete(), &bytes[2 * 2352..2 * 2352 + 100]);
    assert_eq!(short.get(2), None);
    let less = Sectors::new(&bytes[..2351], layout);
    assert!(less.is_empty());
    assert_eq!(less.incomplete().len(), 2351);
}

#[test]
fn sectors_without_bytes_are_none() {
    let layout = SectorLayout::from_lengths(0, C2::None, SubChannels::None);
    let sectors = Sectors::new(&[1, 2, 3], layout);
    assert_eq!((sectors.len(), sectors.iter().count()), (0, 0));
    assert_eq!(sectors.get(0), None);
    assert_eq!(sectors.incomplete(), [1, 2, 3]);
}

#[test]
fn c2_bits_are_numbered_from_the_highest() {
    let mut bytes = [0; 294];
    (bytes[0], bytes[3], bytes[293]) = (0x80, 0x14, 0x01);
    let bits = C2Bits::new(&bytes);
    assert_eq!(bits.count(), 4);
    assert_eq!(bits.marked_bytes(), 3);
    assert_eq!(bits.samples(), 4);
    assert_eq!(bits.first(), Some(0));
    assert_eq!(bits.positions().collect::<Vec<_>>(), [0, 27, 29, 2351]);
    assert!(!bits.is_clean());
    for (index, marked) in [(0, true), (1, false), (27, true), (28, false), (2351, true)] {
        assert_eq!(bits.is_marked(index), Some(marked), "{index}");
    }
    assert_eq!(bits.is_marked(2352), None);
    assert_eq!(bits.is_marked(usize::MAX), None);

    // readcd -c2scan: "C2 in sector: 7 first at byte: 27 (0x14)".
    bytes[0] = 0;
    assert_eq!(C2Bits::new(&bytes).first(), Some(27));

    let all = [0xff; 294];
    let bits = C2Bits::new(&all);
    assert_eq!((bits.count(), bits.samples()), (2352, 588));
    let none = C2Bits::new(&[0; 294]);
    assert_eq!((none.count(), none.first()), (0, None));
    assert!(none.is_clean());
    assert_eq!(
        format!("{bits:?}"),
        "C2Bits { count: 2352, first: Some(0) }"
    );
}

#[test]
fn the_block_error_byte_at_either_end() {
    let mut bytes = [0; 296];
    (bytes[0], bytes[1], bytes[2]) = (0x80, 0x00, 0x40);
    (bytes[293], bytes[294], bytes[295]) = (0x01, 0xff, 0xee);

    let last = C2Field::new(&bytes, C2::Block296, BlockErrorPlace::Last).unwrap();
    assert_eq!(last.bits().as_bytes(), &bytes[..294]);
    assert_eq!(last.bits().first(), Some(0));
    assert_eq!(last.block_error(), Some([0xff, 0xee]));
    assert_eq!(last.as_bytes(), bytes);

    let first = C2Field::new(&bytes, C2::Block296, BlockErrorPlace::First).unwrap();
    assert_eq!(first.bits().as_bytes(), &bytes[2..]);
    assert_eq!(first.bits().first(), Some(1));
    assert_eq!(first.block_error(), Some([0x80, 0x00]));

    let plain = C2Field::new(&bytes, C2::Pointers294, BlockErrorPlace::First).unwrap();
    assert_eq!(plain.as_bytes(), &bytes[..294]);
    assert_eq!(plain.bits().as_bytes(), &bytes[..294]);
    assert_eq!(plain.block_error(), None);

    let place = BlockErrorPlace::Last;
    assert_eq!(C2Field::new(&bytes[..295], C2::Block296, place), None);
    assert_eq!(C2Field::new(&bytes[..293], C2::Pointers294, place), None);
    assert_eq!(C2Field::new(&bytes, C2::None, place), None);

    // The layout says which it is.
    let layout = SectorLayout::from_lengths(0, C2::Block296, SubChannels::None);
    let at_start = layout.block_error(BlockErrorPlace::First);
    let sector = Sectors::new(&bytes, at_start).get(0).unwrap();
    assert_eq!(sector.c2(), Some(first));
    assert!(format!("{first:?}").contains("block_error: Some([128, 0])"));
}

#[test]
fn pointers_that_come_late() {
    let layout = SectorLayout::from_lengths(2, C2::Pointers294, SubChannels::Q16);
    let length = layout.sector_length();
    let mut bytes = vec![0; 3 * length];
    let c2 = layout.c2().unwrap();
    // Bytes of the stream of pointers: 294 and 295 are in sector 1, 588 and 589
    // in sector 2.
    bytes[length + c2.start] = 0x11;
    bytes[length + c2.start + 1] = 0x22;
    bytes[2 * length + c2.start] = 0x44;
    bytes[2 * length + c2.start + 1] = 0x88;
    let sectors = Sectors::new(&bytes, layout);
    let mut pointers = [0xee; 294];

    let on_time = sectors.late_c2(1, 0, &mut pointers).unwrap();
    assert_eq!(on_time.as_bytes()[..2], [0x11, 0x22]);

    let late = sectors.late_c2(0, 294, &mut pointers).unwrap();
    assert_eq!(late.as_bytes()[..2], [0x11, 0x22]);
    assert_eq!(late.count(), 4);

    let later = sectors.late_c2(0, 295, &mut pointers).unwrap();
    assert_eq!(later.as_bytes()[..2], [0x22, 0x00]);
    assert_eq!(later.as_bytes()[293], 0x44);

    // Sector 1 with 295 needs two bytes of a sector that is not there.
    assert_eq!(sectors.late_c2(1, 295, &mut pointers), None);
    assert!(sectors.late_c2(1, 294, &mut pointers).is_some());
    assert_eq!(sectors.late_c2(2, 294, &mut pointers), None);
    assert_eq!(sectors.late_c2(usize::MAX, 1, &mut pointers), None);
    let without = SectorLayout::from_lengths(2, C2::None, SubChannels::None);
    let sectors = Sectors::new(&bytes, without);
    assert_eq!(sectors.late_c2(0, 0, &mut pointers), None);
}

#[test]
fn q_in_a_sector() {
    const Q: &str = include_str!("../../../../../tests/cases/redumper-13-q-subchannel-1.hex");
    let q: [u8; 12] = hex(Q).try_into().unwrap();
    let raw: Vec<u8> = (0..96)
        .map(|bit| {
            if q[bit / 8] & (0x80 >> (bit % 8)) == 0 {
                0xbf
            } else {
                0xff
            }
        })
        .collect();
    let formatted = [&q[..], &[0, 0, 0, 0x80]].concat();
    for (kind, bytes, found) in [
        (SubChannels::Raw96, &raw, true),
        (SubChannels::Q16, &formatted, true),
        (SubChannels::Rw96, &raw, false),
    ] {
        let layout = SectorLayout::from_lengths(0, C2::None, kind);
        let sector = Sectors::new(bytes, layout).get(0).unwrap();
        let got = sector.q().map(|q| (*q.as_bytes(), q.crc()));
        assert_eq!(got, found.then_some((q, QCrc::Valid)), "{kind:?}");
    }
}

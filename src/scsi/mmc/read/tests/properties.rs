use proptest::prelude::*;

use super::*;

fn layouts() -> impl Strategy<Value = SectorLayout> {
    let c2 = [C2::None, C2::Pointers294, C2::Block296];
    let sub = [
        SubChannels::None,
        SubChannels::Raw96,
        SubChannels::Q16,
        SubChannels::Rw96,
    ];
    let main = prop_oneof![Just(0), Just(2352), 0..3000_u16];
    let parts = (
        main,
        proptest::sample::select(c2.to_vec()),
        proptest::sample::select(sub.to_vec()),
    );
    (
        parts.prop_map(|(main, c2, sub)| SectorLayout::from_lengths(main, c2, sub)),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(layout, turned, first)| {
            let layout = if turned {
                layout.order(SectorOrder::MainSubC2)
            } else {
                layout
            };
            if first {
                layout.block_error(BlockErrorPlace::First)
            } else {
                layout
            }
        })
}

proptest! {
    #[test]
    fn any_buffer_is_sectors(
        bytes in proptest::collection::vec(any::<u8>(), 0..=9000),
        layout in layouts(),
        late in 0..1000_usize,
    ) {
        let sectors = Sectors::new(&bytes, layout);
        let mut pointers = [0; 294];
        let mut seen = 0;
        for (index, sector) in sectors.iter().enumerate() {
            seen += sector.as_bytes().len();
            let c2 = sector.c2();
            let c2_length = c2.map_or(0, |c2| c2.as_bytes().len());
            let sub_length = sector.sub().map_or(0, <[u8]>::len);
            prop_assert_eq!(
                sector.main().len() + c2_length + sub_length,
                layout.sector_length()
            );
            if let Some(c2) = c2 {
                let bits = c2.bits();
                prop_assert_eq!(bits.as_bytes().len(), 294);
                let positions: Vec<_> = bits.positions().collect();
                prop_assert_eq!(positions.len(), usize::try_from(bits.count()).unwrap());
                prop_assert!(positions.is_sorted());
                prop_assert!(positions.iter().all(|&at| bits.is_marked(at) == Some(true)));
                prop_assert_eq!(
                    sectors.late_c2(index, 0, &mut pointers).map(|bits| bits.count()),
                    Some(bits.count())
                );
            }
            let _ = sectors.late_c2(index, late, &mut pointers);
            let _ = format!("{sector:?} {:?} {:?}", sector.q(), sector.raw());
        }
        prop_assert_eq!(seen + sectors.incomplete().len(), bytes.len());
        prop_assert_eq!(sectors.get(sectors.len()), None);
    }

    #[test]
    fn any_bytes_are_q(bytes in proptest::collection::vec(any::<u8>(), 0..=20)) {
        match SubQ::parse(&bytes) {
            Ok(q) => {
                prop_assert!(bytes.len() >= 12);
                prop_assert_eq!(q.p().is_some(), bytes.len() >= 16);
                for numbers in [NumberEncoding::Bcd, NumberEncoding::Binary] {
                    let _ = format!("{:?} {:?}", q.data(numbers), q.absolute_frame(numbers));
                }
                let _ = format!("{q:?} {:?}", q.numbers());
            }
            Err(error) => {
                prop_assert!(bytes.len() < 12);
                prop_assert_eq!(error, Malformed::Short { need: 12, got: bytes.len() });
            }
        }
    }

    #[test]
    fn gathered_bits_are_those_that_were_spread(q in any::<[u8; 12]>(), noise in any::<u8>()) {
        let raw: Vec<u8> = (0..96)
            .map(|bit| noise & !0x40 | (q[bit / 8] >> (7 - bit % 8) & 1) << 6)
            .collect();
        let channels = RawSubChannels::new(&raw).unwrap();
        prop_assert_eq!(*channels.q().as_bytes(), q);
    }

    #[test]
    fn any_bytes_are_a_raw_sector(
        head in any::<[u8; 24]>(),
        sync in any::<bool>(),
    ) {
        let mut bytes = [0; 2352];
        bytes[..24].copy_from_slice(&head);
        if sync {
            bytes[..12].copy_from_slice(&[0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0]);
        }
        let sector = RawSector::new(&bytes).unwrap();
        let kind = sector.kind();
        prop_assert!(sync || kind.is_none() || sector.has_sync());
        if sector.is_scrambled() == Some(true) {
            prop_assert_eq!(kind, None);
            let mut plain = bytes;
            descramble(&mut plain);
            prop_assert_eq!(RawSector::new(&plain).unwrap().is_scrambled(), Some(false));
        }
    }

    #[test]
    fn pieces_are_the_whole(
        lba in -50_000..400_000,
        sectors in 0..5000_u32,
        max in 0..300_000_usize,
        layout in layouts(),
    ) {
        let read = ReadCd::with_layout(Lba(lba), sectors, raw(), layout);
        let mut next = lba;
        for piece in read.chunks(max) {
            prop_assert_eq!(piece.lba(), Lba(next));
            prop_assert!(piece.sectors() > 0);
            let length = usize::try_from(piece.data_length()).unwrap();
            prop_assert!(length <= max || piece.sectors() == 1);
            prop_assert!(piece.cdb_for(length).is_ok());
            next += i32::try_from(piece.sectors()).unwrap();
        }
        prop_assert_eq!(next, lba + i32::try_from(sectors).unwrap());
    }
}

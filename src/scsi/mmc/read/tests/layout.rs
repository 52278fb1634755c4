use super::*;

/// Bits, and the length for CD-DA, mode 1, formless, form 1, form 2; -1 where
/// the parts do not lie side by side, -2 where drives differ.
const TABLE: [(u8, [i32; 5]); 32] = [
    (0x00, [0, 0, 0, 0, 0]),
    (0x08, [-1, -1, -1, -1, -1]),
    (0x10, [2352, 2048, 2336, 2048, 2328]),
    (0x18, [2352, 2336, 2336, 2328, 2328]),
    (0x20, [-2, 4, 4, 4, 4]),
    (0x28, [-1, -1, -1, -1, -1]),
    (0x30, [2352, 2052, 2340, -1, -1]),
    (0x38, [2352, 2340, 2340, -1, -1]),
    (0x40, [-2, -2, -2, 8, 8]),
    (0x48, [-1, -1, -1, -1, -1]),
    (0x50, [2352, 2048, 2336, 2056, 2336]),
    (0x58, [2352, 2336, 2336, 2336, 2336]),
    (0x60, [-2, -2, -2, 12, 12]),
    (0x68, [-1, -1, -1, -1, -1]),
    (0x70, [2352, 2052, 2340, 2060, 2340]),
    (0x78, [2352, 2340, 2340, 2340, 2340]),
    (0x80, [-1, -1, -1, -1, -1]),
    (0x88, [-1, -1, -1, -1, -1]),
    (0x90, [-1, -1, -1, -1, -1]),
    (0x98, [-1, -1, -1, -1, -1]),
    (0xa0, [-2, 16, 16, 16, 16]),
    (0xa8, [-1, -1, -1, -1, -1]),
    (0xb0, [2352, 2064, 2352, -1, -1]),
    (0xb8, [2352, 2352, 2352, -1, -1]),
    (0xc0, [-1, -1, -1, -1, -1]),
    (0xc8, [-1, -1, -1, -1, -1]),
    (0xd0, [-1, -1, -1, -1, -1]),
    (0xd8, [-1, -1, -1, -1, -1]),
    (0xe0, [-2, -2, -2, 24, 24]),
    (0xe8, [-1, -1, -1, -1, -1]),
    (0xf0, [2352, 2064, 2352, 2072, 2352]),
    (0xf8, [2352, 2352, 2352, 2352, 2352]),
];

const TYPES: [SectorType; 5] = [
    SectorType::CdDa,
    SectorType::Mode1,
    SectorType::Mode2Formless,
    SectorType::Form1,
    SectorType::Form2,
];

#[test]
fn every_selection_of_every_type() {
    for (bits, lengths) in TABLE {
        let main = MainChannel::from_bits(bits);
        assert_eq!(main.bits(), bits);
        for (sector, length) in TYPES.into_iter().zip(lengths) {
            let layout = SectorRequest::new(sector, main).layout();
            match length {
                -1 => assert_eq!(
                    layout,
                    Err(SectorRequestError::NotContiguous { main, sector }),
                    "{bits:02x} {sector}"
                ),
                -2 => assert_eq!(
                    layout,
                    Err(SectorRequestError::Undefined { main, sector }),
                    "{bits:02x} {sector}"
                ),
                length => {
                    let got = i32::try_from(layout.unwrap().main_length()).unwrap();
                    assert_eq!(got, length, "{bits:02x} {sector}");
                }
            }
        }
        let any = SectorRequest::new(SectorType::Any, main);
        let agreed = lengths.iter().all(|&length| length == lengths[0]);
        match any.layout() {
            Ok(layout) => {
                assert!(agreed && lengths[0] >= 0, "{bits:02x}");
                let length = i32::try_from(layout.main_length()).unwrap();
                assert_eq!(length, lengths[0]);
            }
            Err(SectorRequestError::DependsOnSector { main: got }) => {
                assert_eq!(got, main);
                assert!(lengths.iter().any(|&length| length >= 0), "{bits:02x}");
                assert!(!agreed, "{bits:02x}");
            }
            Err(error) => {
                let sector = SectorType::Any;
                assert_eq!(error, SectorRequestError::NotContiguous { main, sector });
                assert!(lengths.iter().all(|&length| length < 0), "{bits:02x}");
            }
        }
        for (sector, length) in TYPES.into_iter().zip(lengths) {
            let got = any.layout_for(sector).map(|layout| layout.main_length());
            assert_eq!(
                got.ok(),
                usize::try_from(length).ok(),
                "{bits:02x} {sector}"
            );
        }
    }
}

#[test]
fn main_channel_bits() {
    let none = MainChannel::NONE;
    assert_eq!(none.sync(true).bits(), 0x80);
    assert_eq!(none.subheader(true).bits(), 0x40);
    assert_eq!(none.header(true).bits(), 0x20);
    assert_eq!(none.user_data(true).bits(), 0x10);
    assert_eq!(none.edc_ecc(true).bits(), 0x08);
    assert_eq!(MainChannel::RAW.edc_ecc(false).bits(), 0xf0);
    assert_eq!(MainChannel::from_bits(0xff), MainChannel::RAW);
    assert_eq!(MainChannel::from_bits(0x07), MainChannel::NONE);
    assert_eq!(format!("{:?}", MainChannel::RAW), "MainChannel(f8h)");
    assert_eq!(MainChannel::default(), MainChannel::NONE);
}

#[test]
fn lengths_with_c2_and_subchannels() {
    for (c2, sub, length) in [
        (C2::None, SubChannels::None, 2352),
        (C2::None, SubChannels::Q16, 2368),
        (C2::None, SubChannels::Raw96, 2448),
        (C2::None, SubChannels::Rw96, 2448),
        (C2::Pointers294, SubChannels::None, 2646),
        (C2::Block296, SubChannels::None, 2648),
        (C2::Pointers294, SubChannels::Q16, 2662),
        (C2::Pointers294, SubChannels::Raw96, 2742),
        (C2::Block296, SubChannels::Raw96, 2744),
    ] {
        let layout = raw().c2(c2).sub_channels(sub).layout().unwrap();
        assert_eq!(layout.sector_length(), length, "{c2:?} {sub:?}");
        assert_eq!(layout.main(), 0..2352);
        assert_eq!((layout.c2_kind(), layout.sub_kind()), (c2, sub));
    }
}

#[test]
fn sectors_in_a_transfer() {
    let kib = 1024;
    for (c2, sub, in_128, in_64) in [
        (C2::None, SubChannels::None, 55, 27),
        (C2::None, SubChannels::Q16, 55, 27),
        (C2::None, SubChannels::Raw96, 53, 26),
        (C2::Pointers294, SubChannels::None, 49, 24),
        (C2::Block296, SubChannels::None, 49, 24),
        (C2::Pointers294, SubChannels::Raw96, 47, 23),
        (C2::Block296, SubChannels::Raw96, 47, 23),
    ] {
        let layout = raw().c2(c2).sub_channels(sub).layout().unwrap();
        assert_eq!(layout.sectors_within(128 * kib), in_128, "{c2:?} {sub:?}");
        assert_eq!(layout.sectors_within(64 * kib), in_64, "{c2:?} {sub:?}");
    }
    let data = SectorRequest::new(SectorType::Mode1, MainChannel::USER_DATA);
    assert_eq!(data.layout().unwrap().sectors_within(128 * kib), 64);
    assert_eq!(data.layout().unwrap().sectors_within(2047), 0);
    let nothing = SectorLayout::from_lengths(0, C2::None, SubChannels::None);
    assert_eq!(nothing.sectors_within(128 * kib), 0);
}

#[test]
fn offsets_in_both_orders() {
    let both = raw().c2(C2::Block296).sub_channels(SubChannels::Raw96);
    let layout = both.layout().unwrap();
    assert_eq!(layout.c2(), Some(2352..2648));
    assert_eq!(layout.sub(), Some(2648..2744));

    let turned = layout.order(SectorOrder::MainSubC2);
    assert_eq!(turned.sub(), Some(2352..2448));
    assert_eq!(turned.c2(), Some(2448..2744));
    assert_eq!(turned.sector_length(), 2744);

    let neither = raw().layout().unwrap();
    assert_eq!((neither.c2(), neither.sub()), (None, None));

    let at_start = layout.block_error(BlockErrorPlace::First);
    assert_eq!(layout.block_error_place(), BlockErrorPlace::Last);
    assert_eq!(at_start.block_error_place(), BlockErrorPlace::First);
}

#[test]
fn offsets_in_the_main_channel() {
    let parts = |sector, main| {
        let layout = SectorRequest::new(sector, main).layout().unwrap();
        [
            layout.sync(),
            layout.header(),
            layout.subheader(),
            layout.user_data(),
            layout.edc_ecc(),
        ]
    };
    let all = MainChannel::RAW;
    assert_eq!(
        parts(SectorType::Mode1, all),
        [
            Some(0..12),
            Some(12..16),
            None,
            Some(16..2064),
            Some(2064..2352)
        ]
    );
    assert_eq!(
        parts(SectorType::Form1, all),
        [
            Some(0..12),
            Some(12..16),
            Some(16..24),
            Some(24..2072),
            Some(2072..2352)
        ]
    );
    assert_eq!(
        parts(SectorType::Form2, all),
        [
            Some(0..12),
            Some(12..16),
            Some(16..24),
            Some(24..2352),
            None
        ]
    );
    assert_eq!(
        parts(SectorType::Form1, all.sync(false).edc_ecc(false)),
        [None, Some(0..4), Some(4..12), Some(12..2060), None]
    );
    // Where they are depends on the sector.
    assert_eq!(
        parts(SectorType::Any, all),
        [None, None, None, Some(0..2352), None]
    );
}

#[test]
fn errors_say_what_is_wrong() {
    let hole = MainChannel::USER_DATA.header(true);
    let error = SectorRequest::new(SectorType::Form2, hole).layout();
    assert_eq!(
        error.unwrap_err().to_string(),
        "the parts of MainChannel(30h) do not lie side by side in a mode 2 form 2 sector"
    );
    let header = MainChannel::NONE.header(true);
    let undefined = SectorRequest::new(SectorType::CdDa, header).layout();
    assert_eq!(
        undefined.unwrap_err().to_string(),
        "a CD-DA sector has not what MainChannel(20h) selects, and drives differ in what they send"
    );
    let depends = SectorRequest::new(SectorType::Any, MainChannel::USER_DATA).layout();
    assert_eq!(
        depends.unwrap_err().to_string(),
        "how long MainChannel(10h) is depends on the sector: name its type"
    );
}

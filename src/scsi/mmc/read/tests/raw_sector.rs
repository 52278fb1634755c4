use super::*;

/// A data sector with this header and subheader.
fn sector(header: [u8; 4], subheader: [u8; 8]) -> [u8; 2352] {
    let mut bytes = [0; 2352];
    bytes[1..11].fill(0xff);
    bytes[12..16].copy_from_slice(&header);
    bytes[16..24].copy_from_slice(&subheader);
    bytes
}

fn raw(bytes: &[u8]) -> RawSector<'_> {
    RawSector::new(bytes).unwrap()
}

/// ECMA-130 annex B, and sector 0 of any scrambled image.
const KEY: [u8; 32] = [
    0x01, 0x80, 0x00, 0x60, 0x00, 0x28, 0x00, 0x1e, 0x80, 0x08, 0x60, 0x06, 0xa8, 0x02, 0xfe, 0x81,
    0x80, 0x60, 0x60, 0x28, 0x28, 0x1e, 0x9e, 0x88, 0x68, 0x66, 0xae, 0xaa, 0xfc, 0x7f, 0x01, 0xe0,
];

#[test]
fn scrambling_is_that_of_ecma_130() {
    let mut bytes = [0; 2352];
    descramble(&mut bytes);
    assert_eq!(bytes[..12], [0; 12]);
    assert_eq!(bytes[12..44], KEY);
    assert!(bytes[44..].iter().any(|&byte| byte != 0));
    descramble(&mut bytes);
    assert_eq!(bytes, [0; 2352], "twice is nothing");
}

#[test]
fn a_header_is_bcd_and_a_mode() {
    let header = SectorHeader::new([0x06, 0x39, 0x72, 0x01]);
    assert_eq!(header.as_bytes(), &[0x06, 0x39, 0x72, 0x01]);
    assert_eq!(header.address(), Msf::new(6, 39, 72));
    assert_eq!((header.mode(), header.block_indicator()), (1, 0));
    assert!(header.is_plausible());
    // A link block of a packet.
    let link = SectorHeader::new([0, 2, 0, 0xe2]);
    assert_eq!((link.mode(), link.block_indicator()), (2, 7));
    assert!(link.is_plausible());
    for bad in [
        [0x0a, 2, 0, 1],
        [0, 0x60, 0, 1],
        [0, 2, 0x75, 1],
        [0, 2, 0, 3],
        [0, 2, 0, 5],
    ] {
        assert!(!SectorHeader::new(bad).is_plausible(), "{bad:02x?}");
    }
    assert!(SectorHeader::new([0, 2, 0, 0]).is_plausible(), "mode 0");
}

#[test]
fn scrambled_or_not() {
    let plain = sector([0x06, 0x39, 0x72, 0x01], [0; 8]);
    assert!(raw(&plain).has_sync());
    assert_eq!(raw(&plain).is_scrambled(), Some(false));
    let mut scrambled = plain;
    descramble(&mut scrambled);
    assert!(raw(&scrambled).has_sync());
    assert_eq!(raw(&scrambled).is_scrambled(), Some(true));
    assert_eq!(raw(&scrambled).descrambled_header(), raw(&plain).header());
    assert_eq!(raw(&scrambled).kind(), None);
    // Audio has no sync.
    assert_eq!(raw(&[0; 2352]).is_scrambled(), None);
    assert!(!raw(&[0; 2352]).has_sync());
    // Neither makes sense.
    assert_eq!(raw(&sector([0xff; 4], [0; 8])).is_scrambled(), None);
}

#[test]
fn kinds_of_sectors() {
    let form = |submode| [1, 2, submode, 4, 1, 2, submode, 4];
    for (mode, subheader, kind, length) in [
        (0, [0; 8], None, 2352),
        (1, form(0), Some(SectorType::Mode1), 2048),
        (2, form(0x08), Some(SectorType::Form1), 2048),
        (2, form(0x20), Some(SectorType::Form2), 2328),
        (2, [0; 8], Some(SectorType::Mode2Formless), 2336),
        (
            2,
            [1, 2, 3, 4, 1, 2, 3, 5],
            Some(SectorType::Mode2Formless),
            2336,
        ),
        (3, form(0), None, 2352),
    ] {
        let bytes = sector([0, 2, 0, mode], subheader);
        let sector = raw(&bytes);
        assert_eq!(sector.kind(), kind, "{mode} {subheader:?}");
        assert_eq!(sector.user_data().len(), length, "{kind:?}");
        if let Some(kind) = kind {
            // The same part as that of the layout.
            let layout = SectorRequest::new(kind, MainChannel::RAW).layout().unwrap();
            let part = Sectors::new(&bytes, layout).get(0).unwrap();
            assert_eq!(part.user_data(), Some(sector.user_data()), "{kind:?}");
        }
        assert_eq!(sector.subheaders().concat(), subheader);
    }
    let audio = [0x55; 2352];
    assert_eq!(raw(&audio).kind(), None);
    assert_eq!(raw(&audio).as_bytes(), &audio);
}

#[test]
fn only_2352_bytes_are_a_sector() {
    assert_eq!(RawSector::new(&[0; 2351]), None);
    assert_eq!(RawSector::new(&[0; 2353]), None);
    assert_eq!(RawSector::new(&[]), None);
}

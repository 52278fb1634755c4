//! What the cases of `tests/cases` say beside what the tests of their own modules ask: every other
//! accessor. Where each comes from is said in its file.

use crate::scsi::{
    DeviceType, Inquiry, PeripheralQualifier, Query, ReplyBytes,
    golden::hex,
    mmc::{
        FeatureCode, GetConfiguration, Lba, Msf, NumberEncoding, Profile, QCrc, QData, ReadToc,
        ReadTrackInformation, SubQ, TocQEntry, TrackControl, TrackNumber,
    },
    mode::{ModeForm, ModeSense10, PageCode},
    vpd::{SerialNumber, SupportedPages, VpdCode},
};

macro_rules! case {
    ($name:literal) => {
        hex(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/cases/",
            $name,
            ".hex"
        )))
    };
}

#[test]
fn standard_inquiry_data() {
    // Name, bytes, additional length of byte 4.
    let table = [
        (case!("bluescsi-v2-127-inquiry-plextor-lun0"), 0x33, 48),
        (case!("lab-qemu-idecd-inquiry-alloc96"), 0x1f, 96),
        (case!("lab-qemu-scsicd-inquiry-alloc96"), 0x5b, 96),
        (case!("piscsi-458-inquiry-scsi1-rz24"), 0x1f, 36),
    ];
    for (bytes, additional, len) in table {
        assert_eq!(bytes.len(), len);
        let asked = u16::try_from(len).expect("short");
        let inquiry = Inquiry::standard().allocation_length(asked);
        let data = inquiry.parse(ReplyBytes::borrowed(&bytes)).unwrap();
        // Byte 0 is 00h or 05h: qualifier 000b.
        assert!(data.is_connected() && !data.no_logical_unit());
        assert_eq!(data.as_bytes(), bytes);
        assert_eq!(data.additional_length(), additional);
        assert_eq!(data.is_truncated(), usize::from(additional) + 5 > len);
        assert_eq!(data.length_field_lies(), None);
        assert_eq!(data.version_descriptors().count(), 0);
        assert!(data.vendor().is_printable_ascii() && !data.vendor().is_empty());
        for text in [data.vendor(), data.product(), data.revision()] {
            let trimmed = text.as_bytes().trim_ascii();
            assert_eq!(text.trimmed_bytes(), trimmed);
            assert_eq!(text.trimmed().as_bytes(), trimmed);
        }
    }
}

#[test]
fn a_list_of_pages_with_standard_data_behind_it() {
    let bytes = case!("lab-qemu-idecd-vpd00-alloc252");
    let inquiry = Inquiry::vpd(SupportedPages).allocation_length(252);
    let list = inquiry.parse(ReplyBytes::borrowed(&bytes)).unwrap();
    let page = list.page();
    assert_eq!(page.code(), VpdCode::SUPPORTED_PAGES);
    assert_eq!(page.page_length(), 2);
    assert_eq!(page.as_bytes(), [0x05, 0x00, 0x00, 0x02, 0x00, 0x83]);
    assert_eq!(page.arrived(), bytes);
    assert_eq!(page.peripheral_qualifier(), PeripheralQualifier::CONNECTED);
    assert!(!page.is_truncated());
    for code in 0x00..=0xff {
        let listed = matches!(code, 0x00 | 0x83);
        assert_eq!(list.contains(VpdCode(code)), listed, "{code:02x}");
    }
}

#[test]
fn a_serial_with_spaces_behind_it() {
    let bytes = case!("libstoragemgmt-207-vpd80-trailing-spaces");
    let reply = Inquiry::vpd(SerialNumber).parse(ReplyBytes::borrowed(&bytes));
    let reply = reply.unwrap();
    assert_eq!(reply.serial().trimmed_bytes(), b"S0EXAMPLE00000");
    assert_eq!(reply.serial().trimmed(), "S0EXAMPLE00000");
    assert!(reply.serial().is_printable_ascii() && !reply.serial().is_empty());
    assert_eq!(reply.page().arrived(), bytes);
    assert_eq!(reply.page().as_bytes(), bytes);
    assert_eq!(reply.page().device_type(), DeviceType::DISK);
}

/// Three parts of one form, a byte that names each, and what the page does not say about them.
#[test]
fn a_vendors_page_of_a_scanner() {
    let mut bytes = case!("nkscan-24-vpdF0-len31-padded-spaces");
    bytes.resize(255, b' ');
    let inquiry = Inquiry::vpd(VpdCode(0xf0)).allocation_length(255);
    let page = inquiry.parse(ReplyBytes::borrowed(&bytes)).unwrap();
    let parts: [&[u8]; 4] = [
        &[0x03],
        &[
            0x40, 0, 0, 0, 0, 0, 0, 0x3b, 0xfa, 0x07, 0xd0, 0x07, 0xd0, 0x01, 0, 0x12,
        ],
        &[
            0x41, 0, 0, 0, 0, 0, 0, 0x01, 0xc2, 0x01, 0xf4, 0x01, 0xf4, 0x01, 0, 0x05,
        ],
        &[
            0x42, 0, 0, 0, 0, 0, 0, 0x0c, 0xd3, 0x01, 0xf4, 0x01, 0xf4, 0x01, 0, 0x05,
        ],
    ];
    assert_eq!(page.data(), parts.concat());
    // The spaces behind it came, and are no part of it.
    assert_eq!(page.arrived()[0x35..], [b' '; 202]);
}

/// Every field of the four Q subchannels, by hand from IEC 60908 and MMC-6 4.2.3.5.
#[test]
fn q_subchannels() {
    // Relative, absolute, index, CRC.
    let table = [
        (
            case!("redumper-13-q-subchannel-1"),
            [6, 37, 72],
            [6, 39, 72],
            1,
            None,
        ),
        (
            case!("redumper-13-q-subchannel-2"),
            [6, 37, 73],
            [6, 39, 73],
            1,
            None,
        ),
        (
            case!("redumper-256-q-securom-1"),
            [0, 40, 1],
            [0, 3, 74],
            0,
            Some((0x2ef1, 0xa282)),
        ),
        (
            case!("redumper-256-q-securom-2"),
            [0, 40, 0],
            [0, 3, 74],
            0,
            Some((0x84a0, 0x08d3)),
        ),
    ];
    for (bytes, relative, absolute, index, crc) in table {
        let q = SubQ::parse(&bytes).unwrap();
        assert_eq!(&q.as_bytes()[..], bytes);
        assert_eq!(q.p(), None);
        // 41h: control 4, ADR 1. A data track, uninterrupted, no copy permitted.
        assert_eq!((q.control(), q.adr()), (TrackControl(4), 1));
        let control = q.control();
        assert!(control.is_data() && !control.copy_permitted());
        assert!(!control.has_pre_emphasis() && !control.has_four_channels());
        assert!(!control.is_incremental());
        let expected = match crc {
            None => QCrc::Valid,
            Some((stored, computed)) => QCrc::Invalid { stored, computed },
        };
        assert_eq!(q.crc(), expected);
        assert_eq!(q.numbers(), crc.is_none().then_some(NumberEncoding::Bcd));
        let QData::Position(position) = q.data(NumberEncoding::Bcd) else {
            panic!("{q:?}")
        };
        assert!(position.is_complete());
        assert_eq!(position.track, Some(TrackNumber(1)));
        assert_eq!(position.index, Some(index));
        let msf = |[minute, second, frame]: [u8; 3]| Msf::new(minute, second, frame);
        assert_eq!(position.relative, msf(relative));
        assert_eq!(position.absolute, msf(absolute));
        let [minute, second, frame] = absolute.map(i32::from);
        let lba = (minute * 60 + second) * 75 + frame - 150;
        assert_eq!(position.absolute.map(Msf::to_lba), Some(Lba(lba)));
        assert_eq!(q.absolute_frame(NumberEncoding::Bcd), Some(absolute[2]));
        // As plain numbers the bytes are other times, or none.
        let [.., last, _, _] = q.as_bytes();
        let plain = (*last < 75).then_some(*last);
        assert_eq!(q.absolute_frame(NumberEncoding::Binary), plain);
    }
}

#[test]
fn a_full_table_of_contents() {
    let bytes = case!("lab-qemu-fulltoc");
    let toc = ReadToc::full().parse(ReplyBytes::borrowed(&bytes)).unwrap();
    assert_eq!(toc.reply().arrived(), bytes);
    assert_eq!(toc.reply().needed_length(), None);
    let entries: Vec<_> = toc.entries().collect();
    for (index, entry) in entries.iter().enumerate() {
        assert_eq!(entry.as_bytes()[..], bytes[4 + index * 11..15 + index * 11]);
    }
    let each = |ask: fn(&TocQEntry) -> Option<i32>| entries.iter().map(ask).collect::<Vec<_>>();
    // Points A0h, A1h, A2h and 1.
    assert_eq!(
        each(|entry| entry.track().map(i32::from)),
        [None, None, None, Some(1)]
    );
    assert_eq!(
        each(|entry| entry.point_number().map(i32::from)),
        [Some(1), Some(1), Some(0), Some(0)]
    );
    assert_eq!(
        each(|entry| entry.point_lba().map(|lba| lba.0)),
        [Some(4350), Some(4350), Some(175), Some(0)]
    );
    let times = entries.iter().map(|entry| entry.point_msf());
    let expected = [[1, 0, 0], [1, 0, 0], [0, 4, 25], [0, 2, 0]].map(Msf::from_binary);
    assert!(times.eq(expected));
    control_of_a_data_track(entries[3].control());
    // Read as BCD, 19h is 19 and not 25.
    let bcd = toc.clone().encoding(NumberEncoding::Bcd);
    let lead_out = bcd.entries().nth(2).unwrap();
    assert_eq!(lead_out.point_msf(), Msf::new(0, 4, 19));
}

/// 4: data, recorded without interruption, no copy permitted.
fn control_of_a_data_track(control: TrackControl) {
    assert_eq!(control, TrackControl(4));
    assert!(control.is_data() && !control.copy_permitted());
    assert!(!control.has_pre_emphasis() && !control.is_incremental());
    assert!(!control.has_four_channels());
}

#[test]
fn a_configuration() {
    let bytes = case!("lab-qemu-scsicd-getconfig");
    let reply = GetConfiguration::all().parse(ReplyBytes::borrowed(&bytes));
    let configuration = reply.unwrap();
    assert_eq!(configuration.reply().as_bytes(), bytes);
    assert_eq!(configuration.reply().arrived(), bytes);
    assert_eq!(configuration.reply().needed_length(), None);
    assert!(!configuration.reply().is_truncated());
    let parts = [&bytes[8..20], &bytes[20..32], &bytes[32..40]];
    let features: Vec<_> = configuration.features().map(Result::unwrap).collect();
    assert_eq!(features.len(), 3);
    for (feature, part) in features.iter().zip(parts) {
        assert_eq!(feature.as_bytes(), part);
        assert_eq!(feature.bytes(), &part[4..]);
        assert_eq!(configuration.feature(feature.code()), Some(*feature));
    }
    for code in (0x0000..=0x0200).filter(|code| !matches!(code, 0 | 1 | 3)) {
        assert_eq!(configuration.feature(FeatureCode(code)), None);
    }
    let profile = configuration.current_profile();
    assert_eq!(profile, Profile(0x0008));
    assert!(profile.is_cd() && !profile.is_dvd() && !profile.is_bd());
    assert_eq!(profile.name(), Some("CD-ROM"));
}

#[test]
fn a_closed_track() {
    let bytes = case!("udftools-44-readtrackinfo-closed-cdrw");
    let command = ReadTrackInformation::of_track(1).allocation_length(34);
    let track = command.parse(ReplyBytes::borrowed(&bytes)).unwrap();
    assert_eq!(track.reply().as_bytes(), bytes);
    assert_eq!(track.reply().arrived(), bytes);
    control_of_a_data_track(track.control().unwrap());
}

#[test]
fn a_capabilities_page() {
    let bytes = case!("lab-qemu-scsicd-modepage2a");
    let reply = ModeSense10::new(PageCode::CAPABILITIES).parse(ReplyBytes::borrowed(&bytes));
    let data = reply.unwrap();
    assert_eq!(data.block_descriptor_bytes(), []);
    assert_eq!(ModeForm::Ten.header(), 8);
    let pages: Vec<_> = data.pages().collect();
    let [page] = pages[..] else {
        panic!("{pages:?}")
    };
    assert_eq!((page.subpage(), page.as_bytes()), (Some(0), &bytes[8..]));
    assert_eq!(page.to_owned_page().as_bytes(), &bytes[8..]);
    // No other page is there, and no subpage of it.
    for code in 0x00..=0x3f {
        for subpage in [0x00, 0x01, 0xff] {
            let found = data.page(PageCode(code), subpage).is_some();
            assert_eq!(found, (code, subpage) == (0x2a, 0), "{code:02x}");
        }
    }
}

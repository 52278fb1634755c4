use proptest::prelude::*;

use super::*;
use crate::scsi::{Inquiry, golden::hex};

mod designators;
mod disk;

const SERIAL: &str =
    include_str!("../../../tests/cases/libstoragemgmt-207-vpd80-trailing-spaces.hex");
const NIKON: &str = include_str!("../../../tests/cases/nkscan-24-vpdF0-len31-padded-spaces.hex");

/// The reply to the default command for a page.
fn read<P: Vpd>(page: P, bytes: &[u8]) -> Result<P::Page<'_>, Malformed> {
    Inquiry::vpd(page).parse(ReplyBytes::borrowed(bytes))
}

/// A page with this code and these bytes after the header.
fn page(code: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap().to_be_bytes();
    [&[0, code], &length[..], data].concat()
}

/// Standard INQUIRY data of a USB stick.
const STICK: &[u8; 36] = b"\0\x80\x02\x02\x1f\0\0\0Generic Flash Disk      8.07";

#[test]
fn cdb_bytes_and_default_length() {
    let command = Inquiry::vpd(DeviceIdentification);
    assert_eq!(command.reply_length(), 252);
    assert_eq!(
        command.cdb_for(252).unwrap().as_bytes(),
        [0x12, 1, 0x83, 0, 252, 0]
    );
    assert_eq!(
        command
            .allocation_length(0x1234)
            .cdb_for(0x1234)
            .unwrap()
            .as_bytes(),
        [0x12, 1, 0x83, 0x12, 0x34, 0]
    );
    for (code, cdb) in [
        (Inquiry::vpd(SupportedPages).cdb_for(252), 0x00),
        (Inquiry::vpd(SerialNumber).cdb_for(252), 0x80),
        (Inquiry::vpd(BlockLimits).cdb_for(252), 0xb0),
        (Inquiry::vpd(BlockCharacteristics).cdb_for(252), 0xb1),
        (Inquiry::vpd(Provisioning).cdb_for(252), 0xb2),
    ] {
        assert_eq!(code.unwrap().as_bytes(), [0x12, 1, cdb, 0, 252, 0]);
    }
}

#[test]
fn serial_of_twenty_bytes_with_spaces() {
    let bytes = hex(SERIAL);
    let page = read(SerialNumber, &bytes).unwrap();
    assert_eq!(page.serial(), "S0EXAMPLE00000");
    assert_eq!(page.serial().as_bytes(), b"S0EXAMPLE00000      ");
    assert_eq!(page.page().code(), VpdCode::SERIAL_NUMBER);
    assert_eq!(page.page().page_length(), 0x14);
    assert_eq!(page.page().data(), b"S0EXAMPLE00000      ");
    assert_eq!(page.page().as_bytes(), bytes);
    assert_eq!(page.page().needed_length(), None);
    assert_eq!(page.page().device_type(), DeviceType::DISK);
    assert_eq!(
        page.page().peripheral_qualifier(),
        PeripheralQualifier::CONNECTED
    );
    assert!(!page.page().is_truncated());
    assert_eq!(page.page().length_field_lies(), None);
}

#[test]
fn nikon_page_f0_ends_where_its_length_says() {
    // nkscan#24: 255 bytes come, filled up with spaces.
    let mut bytes = hex(NIKON);
    bytes.resize(255, b' ');
    let page = read(VpdCode(0xf0), &bytes).unwrap();
    assert_eq!(page.device_type(), DeviceType::SCANNER);
    assert_eq!(page.code(), VpdCode(0xf0));
    assert!(page.code().is_vendor_specific());
    assert_eq!(page.page_length(), 0x31);
    assert_eq!(page.data().len(), 0x31);
    assert_eq!(page.as_bytes().len(), 0x35);
    assert_eq!(page.data(), &hex(NIKON)[4..0x35]);
    assert_eq!(page.data().first_chunk(), Some(&[0x03, 0x40]));
    assert_eq!(page.data().last_chunk(), Some(&[0x01, 0x00, 0x05]));
    assert_eq!(page.peripheral_qualifier(), PeripheralQualifier::CONNECTED);
    assert_eq!(page.needed_length(), None);
    assert_eq!(page.arrived().len(), 255);
    assert_eq!(page.length_field_lies(), None);
    assert!(!page.is_truncated());
    assert_eq!(page.clone().into_owned(), page);
    // nkscan#51: the same with 22h.
    bytes[3] = 0x22;
    assert_eq!(read(VpdCode(0xf0), &bytes).unwrap().data().len(), 0x22);
}

#[test]
fn serials_have_any_length_and_begin_after_the_header() {
    // middleware#16755: the header is no part of it; nwipe#547: no fixed size.
    for len in 0..=300 {
        let serial = "%7".repeat(len).into_bytes();
        let bytes = page(0x80, &serial[..len]);
        let reply = Inquiry::vpd(SerialNumber)
            .allocation_length(1000)
            .parse(ReplyBytes::borrowed(&bytes))
            .unwrap();
        assert_eq!(reply.serial().as_bytes(), &serial[..len]);
    }
}

#[test]
fn serials_that_are_no_text_are_kept() {
    // systemd#41585: bytes that are no UTF-8.
    let bytes = page(0x80, b"AB\xff\x01CD");
    let page = read(SerialNumber, &bytes).unwrap();
    assert_eq!(page.serial().as_bytes(), b"AB\xff\x01CD");
    assert_eq!(page.serial().to_string(), "AB\u{fffd}\\u{1}CD");
}

#[test]
fn another_page_is_refused_whatever_was_asked() {
    // sg3_utils#34, spdk#750: EVPD ignored.
    for asked in 0..=255 {
        for got in 0..=255 {
            let bytes = page(got, &[0, 0x80, 0x83]);
            let result = read(VpdCode(asked), &bytes);
            if asked == got {
                assert!(result.is_ok());
            } else {
                assert_eq!(result, Err(Malformed::OtherPage { asked, got }));
            }
        }
    }
}

#[test]
fn no_logical_unit_comes_before_the_page_code() {
    // SCST#249: 7Fh and nothing else filled in.
    for code in 0..=255 {
        for first in 0x60..=0x7f {
            let mut bytes = [0; 64];
            bytes[0] = first;
            assert_eq!(
                read(VpdCode(code), &bytes),
                Err(Malformed::NoLogicalUnit),
                "{code:02x}"
            );
        }
    }
    // Not connected now is another thing: the page is still good.
    let mut bytes = page(0x80, b"1");
    bytes[0] = 0x20;
    assert_eq!(read(SerialNumber, &bytes).unwrap().serial(), "1");
}

#[test]
fn standard_data_is_not_taken_for_page_80_or_00() {
    // hreinecke/sg3_utils#23: RMB, 80h in byte 1; without it 00h.
    for (byte1, code) in [(0x80, 0x80), (0x00, 0x00)] {
        for version in (0..=7).chain([0x0d]) {
            for format in [0x00, 0x01, 0x02, 0x12, 0x22, 0x32] {
                if version == 0 && format > 2 {
                    // No device that claims no standard sets NORMACA or HISUP;
                    // it would look like a serial with NULs in front.
                    continue;
                }
                for length in [0x00, 0x1f, 0x20, 0x24, 0x33, 0x3e, 0x5b, 0x8f, 0xff] {
                    for total in [36, 56, 96, 252] {
                        let mut bytes = STICK.to_vec();
                        bytes.resize(total, 0);
                        bytes[1] = byte1;
                        bytes[2] = version;
                        bytes[3] = format;
                        bytes[4] = length;
                        assert_eq!(
                            read(VpdCode(code), &bytes),
                            Err(Malformed::StandardInquiry { asked: code }),
                            "{bytes:02x?}"
                        );
                    }
                }
            }
        }
    }
    // Nor without names, if the additional length is the usual one.
    let mut nameless = [0; 36];
    nameless[..5].copy_from_slice(&[0x00, 0x80, 0x00, 0x02, 0x1f]);
    let error = read(SerialNumber, &nameless).unwrap_err();
    assert_eq!(error, Malformed::StandardInquiry { asked: 0x80 });
    assert_eq!(
        error.to_string(),
        "asked for page 80h, got standard INQUIRY data: the device ignores the EVPD bit"
    );
}

#[test]
fn real_pages_are_not_taken_for_standard_data() {
    for serial in [
        &b"\0\0\0\0S0123456789A"[..],
        b"    S0123456789A",
        b"S0123456789A\0\0\0\0",
        b"0123456789ABCDEF0123456789ABCDEF",
        b"1",
        b"",
        b"        ",
    ] {
        for fill in [0, b' ', 0xff] {
            let mut bytes = page(0x80, serial);
            bytes.resize(252, fill);
            assert_eq!(
                read(SerialNumber, &bytes).unwrap().serial().as_bytes(),
                serial
            );
        }
    }
    for list in [
        &[0x00][..],
        &[0x00, 0x80, 0x83],
        &[0x00, 0x80, 0x83, 0x84, 0x86, 0x87, 0xb0, 0xb1, 0xb2],
        &[0x00, 0x01, 0x02, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x80],
        &[],
    ] {
        let mut bytes = page(0x00, list);
        bytes.resize(252, 0);
        let page = read(SupportedPages, &bytes).unwrap();
        assert!(page.pages().map(|code| code.0).eq(list.iter().copied()));
    }
}

#[test]
fn a_list_of_pages_in_front_of_the_standard_data() {
    let bytes = hex(include_str!(
        "../../../tests/cases/lab-qemu-idecd-vpd00-alloc252.hex"
    ));
    assert_eq!(bytes.len(), 252);
    let page = read(SupportedPages, &bytes).unwrap();
    assert!(page.pages().map(|code| code.0).eq([0x00, 0x83]));
    assert_eq!(page.page().data(), [0x00, 0x83]);
    assert_eq!(page.page().device_type(), DeviceType::OPTICAL);
    assert_eq!(page.page().length_field_lies(), None);
    assert_eq!(page.page().needed_length(), None);
}

#[test]
fn supported_pages_may_be_junk() {
    // tcmu-runner#216: the last byte of the list is random.
    for junk in 0..=255 {
        let bytes = page(0x00, &[0x00, 0x80, 0x83, junk]);
        let page = read(SupportedPages, &bytes).unwrap();
        assert!(page.contains(VpdCode::DEVICE_IDENTIFICATION));
        assert!(page.contains(VpdCode(junk)));
        assert_eq!(page.pages().count(), 4);
    }
    // The same emulator: ten bytes said, nine sent.
    let bytes = [0, 0, 0, 6, 0x00, 0x80, 0x83, 0x86, 0xb0];
    let page = read(SupportedPages, &bytes).unwrap();
    assert_eq!(page.pages().count(), 5);
    assert_eq!(
        page.page().length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 10,
            arrived: 9
        })
    );
}

#[test]
fn a_page_length_never_makes_the_page_longer() {
    // go-tcg-storage#120: bogus pages from USB sticks.
    for length in [0, 1, 0xff, 0x100, 0xfffe, 0xffff_u16] {
        for arrived in 4..=40 {
            let mut bytes = vec![b'7'; arrived];
            bytes[..2].copy_from_slice(&[0, 0xc1]);
            bytes[2..4].copy_from_slice(&length.to_be_bytes());
            let claimed = usize::from(length) + 4;
            let page = read(VpdCode(0xc1), &bytes).unwrap();
            assert_eq!(page.as_bytes().len(), claimed.min(arrived));
            assert_eq!(page.length_field_lies().is_some(), claimed > arrived);
            let exact = Inquiry::vpd_raw(0xc1).allocation_length(u16::try_from(arrived).unwrap());
            let page = exact.parse(ReplyBytes::borrowed(&bytes)).unwrap();
            assert_eq!(page.length_field_lies(), None);
            let needed = (claimed > arrived).then_some(length.saturating_add(4));
            assert_eq!(page.needed_length(), needed);
            assert_eq!(page.is_truncated(), needed.is_some());
        }
    }
}

#[test]
fn the_needed_length_is_one_that_can_be_asked_for() {
    for (length, needed) in [(0xfffa, 0xfffe), (0xfffb, 0xffff), (0xffff, 0xffff_u16)] {
        let mut bytes = vec![0; 0xffff];
        bytes[1] = 0xc1;
        bytes[2..4].copy_from_slice(&u16::to_be_bytes(length));
        let inquiry = Inquiry::vpd_raw(0xc1);
        let first = inquiry.parse(ReplyBytes::borrowed(&bytes[..252])).unwrap();
        assert_eq!(first.needed_length(), Some(needed));
        let again = inquiry.allocation_length(needed);
        assert!(again.cdb_for(needed.into()).is_ok());
        let all = &bytes[..needed.into()];
        let all = again.parse(ReplyBytes::borrowed(all)).unwrap();
        // Nothing more can be fetched, so no third command is suggested.
        assert_eq!(all.needed_length(), None);
        assert_eq!(all.is_truncated(), length > 0xfffb);
    }
}

#[test]
fn every_typed_page_has_its_page() {
    macro_rules! check {
        ($($marker:ident),*) => {$(
            let code = $marker.code();
            let bytes = page(code.0, &[0, 0x80]);
            let parsed = read($marker, &bytes).unwrap();
            assert_eq!(parsed.page().code(), code);
            assert_eq!(parsed.page().as_bytes(), bytes);
        )*};
    }
    check!(SupportedPages, SerialNumber, DeviceIdentification);
    check!(BlockLimits, BlockCharacteristics, Provisioning);
}

#[test]
fn a_header_that_is_cut_is_short() {
    for len in 0..4 {
        assert_eq!(
            read(SerialNumber, &[0, 0x80, 0, 1][..len]),
            Err(Malformed::Short { need: 4, got: len })
        );
    }
    assert!(read(SerialNumber, &[0, 0x80, 0, 1]).is_ok());
}

#[test]
fn names_of_codes() {
    assert_eq!(VpdCode(0x80).to_string(), "unit serial number (80h)");
    assert_eq!(VpdCode(0xb0).to_string(), "page b0h");
    assert!(!VpdCode(0xbf).is_vendor_specific());
    for (code, name) in [
        (VpdCode::SUPPORTED_PAGES, "supported pages"),
        (VpdCode::SERIAL_NUMBER, "unit serial number"),
        (VpdCode::DEVICE_IDENTIFICATION, "device identification"),
        (
            VpdCode::SOFTWARE_INTERFACE,
            "software interface identification",
        ),
        (
            VpdCode::MANAGEMENT_ADDRESSES,
            "management network addresses",
        ),
        (VpdCode::EXTENDED_INQUIRY, "extended INQUIRY data"),
        (VpdCode::MODE_PAGE_POLICY, "mode page policy"),
        (VpdCode::SCSI_PORTS, "SCSI ports"),
        (VpdCode::ATA_INFORMATION, "ATA information"),
        (VpdCode::POWER_CONDITION, "power condition"),
        (VpdCode::DEVICE_CONSTITUENTS, "device constituents"),
        (VpdCode::POWER_CONSUMPTION, "power consumption"),
        (VpdCode::THIRD_PARTY_COPY, "third-party copy"),
        (
            VpdCode::PROTOCOL_UNIT,
            "protocol-specific logical unit information",
        ),
        (VpdCode::PROTOCOL_PORT, "protocol-specific port information"),
        (VpdCode::FEATURE_SETS, "SCSI feature sets"),
    ] {
        assert_eq!(code.name(), Some(name));
        for device_type in (0..=0x1f).map(DeviceType) {
            assert_eq!(code.name_for(device_type), Some(name));
        }
    }
}

#[test]
fn names_of_codes_that_depend_on_the_device_type() {
    let tape = [
        "sequential-access device capabilities",
        "manufacturer-assigned serial number",
        "TapeAlert supported flags",
        "automation device serial number",
    ];
    let disk = [
        (VpdCode::BLOCK_LIMITS, "block limits"),
        (
            VpdCode::BLOCK_CHARACTERISTICS,
            "block device characteristics",
        ),
        (VpdCode::PROVISIONING, "logical block provisioning"),
        (VpdCode::REFERRALS, "referrals"),
        (
            VpdCode::ZONED_CHARACTERISTICS,
            "zoned block device characteristics",
        ),
        (VpdCode::BLOCK_LIMITS_EXTENSION, "block limits extension"),
    ];
    for code in (0xb0..=0xff).map(VpdCode) {
        assert_eq!(code.name(), None);
        for device_type in (0..=0x1f).map(DeviceType) {
            let expected = if device_type == DeviceType::TAPE {
                tape.get(usize::from(code.0 - 0xb0)).copied()
            } else if device_type.is_block() {
                let found = disk.iter().find(|(named, _)| *named == code);
                found.map(|(_, name)| *name)
            } else {
                None
            };
            assert_eq!(code.name_for(device_type), expected, "{code} {device_type}");
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_any_page(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..=600),
        code: u8,
        asked: u16,
        fit: bool,
    ) {
        if let (true, [first, second, ..]) = (fit, &mut bytes[..]) {
            (*first, *second) = (*first & 0x1f, code);
        }
        let parsed = Inquiry::vpd_raw(code)
            .allocation_length(asked)
            .parse(ReplyBytes::borrowed(&bytes));
        let Ok(page) = parsed else { return Ok(()) };
        prop_assert!(page.as_bytes().len() <= bytes.len());
        prop_assert!(page.data().len() <= usize::from(page.page_length()));
        prop_assert!(page.needed_length().is_none_or(|need| usize::from(need) > bytes.len()));
        prop_assert!(!(page.is_truncated() && page.length_field_lies().is_some()));
        let _ = (page.peripheral_qualifier(), page.device_type(), page.code().to_string());
        let list = SupportedPages.read(page.clone()).unwrap();
        prop_assert_eq!(list.pages().count(), page.data().len());
        let serial = SerialNumber.read(page).unwrap();
        let _ = serial.serial().to_string();
    }
}

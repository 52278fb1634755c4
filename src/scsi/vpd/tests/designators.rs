use proptest::prelude::*;

use super::*;

/// A designation descriptor.
fn descriptor(byte0: u8, byte1: u8, designator: &[u8]) -> Vec<u8> {
    let len = u8::try_from(designator.len()).unwrap();
    [&[byte0, byte1, 0, len], designator].concat()
}

/// What the only designator in `list` is shown as.
fn shown(list: &[u8]) -> String {
    let mut all = Designators::new(list);
    let text = all.next().unwrap().unwrap().to_string();
    assert!(all.next().is_none());
    text
}

#[test]
fn a_sas_disk() {
    let list = [
        descriptor(0x01, 0x03, &[0x50, 0, 0xc5, 0, 0x12, 0x34, 0x56, 0x78]),
        descriptor(0x61, 0x93, &[0x50, 0, 0xc5, 0, 0x12, 0x34, 0x56, 0x79]),
        descriptor(0x61, 0x94, &[0, 0, 0, 1]),
        descriptor(0x61, 0xa3, &[0x50, 0, 0xc5, 0, 0x12, 0x34, 0x56, 0x7b]),
        descriptor(0x63, 0xa8, b"naa.5000C5001234567B\0\0\0\0"),
    ]
    .concat();
    let bytes = super::page(0x83, &list);
    let page = read(DeviceIdentification, &bytes).unwrap();
    assert_eq!(page.page().page_length(), 72);
    let all: Vec<_> = page.designators().map(Result::unwrap).collect();
    assert_eq!(all.len(), 5);

    let unit = all[0];
    assert_eq!(unit.association(), Association::LOGICAL_UNIT);
    assert_eq!(unit.designator_type(), DesignatorType::NAA);
    assert_eq!(unit.code_set(), CodeSet::BINARY);
    assert!(!unit.piv());
    assert_eq!(unit.protocol(), None);
    assert_eq!(unit.bytes(), [0x50, 0, 0xc5, 0, 0x12, 0x34, 0x56, 0x78]);
    assert_eq!(unit.value(), DesignatorValue::Naa(unit.bytes()));
    assert_eq!(unit.as_text(), None);
    assert_eq!(unit.to_string(), "naa.5000c50012345678");

    let port = all[1];
    assert_eq!(port.association(), Association::TARGET_PORT);
    assert!(port.piv());
    assert_eq!(port.protocol(), Some(ProtocolIdentifier::SAS));

    assert_eq!(all[2].value(), DesignatorValue::RelativeTargetPort(1));
    assert_eq!(all[2].to_string(), "relative target port 1");
    assert_eq!(all[3].association(), Association::TARGET_DEVICE);

    let name = all[4];
    assert_eq!(name.code_set(), CodeSet::UTF8);
    assert_eq!(name.as_text().unwrap(), "naa.5000C5001234567B");
    assert_eq!(name.to_string(), "naa.5000C5001234567B");
}

#[test]
fn each_type_is_shown_by_its_rules() {
    let sixteen: Vec<u8> = (0x60..0x70).collect();
    for (list, text) in [
        (
            descriptor(0x02, 0x01, b"ATA     DISK 1234  "),
            "t10.ATA     DISK 1234",
        ),
        (
            descriptor(0x01, 0x01, b"ACME    \x01\x02"),
            "t10.ACME    0102",
        ),
        (
            descriptor(0x01, 0x02, &[0, 0x25, 0x38, 0, 0, 0, 0, 1]),
            "eui.0025380000000001",
        ),
        (
            descriptor(0x01, 0x02, &[1; 12]),
            "eui.010101010101010101010101",
        ),
        (
            descriptor(0x01, 0x02, &[2; 16]),
            "eui.02020202020202020202020202020202",
        ),
        (
            descriptor(0x01, 0x03, &sixteen),
            "naa.606162636465666768696a6b6c6d6e6f",
        ),
        (
            descriptor(0x01, 0x03, &[0x20, 1, 2, 3, 4, 5, 6, 7]),
            "naa.2001020304050607",
        ),
        (
            descriptor(0x01, 0x03, &[0x3f, 1, 2, 3, 4, 5, 6, 7]),
            "naa.3f01020304050607",
        ),
        (
            descriptor(0x01, 0x15, &[0, 0, 1, 2]),
            "target port group 258",
        ),
        (
            descriptor(0x01, 0x06, &[9, 9, 0, 7]),
            "logical unit group 7",
        ),
        (
            descriptor(0x01, 0x07, &sixteen),
            "MD5: 606162636465666768696a6b6c6d6e6f",
        ),
        (
            descriptor(0x03, 0x08, b"iqn.2003-01.org.linux-iscsi:a\0\0\0"),
            "iqn.2003-01.org.linux-iscsi:a",
        ),
        (
            descriptor(0x91, 0x99, &[1, 0, 2, 0]),
            "protocol specific port identifier: 01000200",
        ),
        (
            descriptor(0x01, 0x0a, &[&[0x10, 0], &sixteen[..]].concat()),
            "uuid.60616263-6465-6667-6869-6a6b6c6d6e6f",
        ),
        (
            descriptor(0x02, 0x00, b"MYDISK\n"),
            "vendor specific: MYDISK\\n",
        ),
        (descriptor(0x01, 0x00, &[0xab]), "vendor specific: ab"),
        (descriptor(0x01, 0x0f, &[0xab]), "designator type fh: ab"),
    ] {
        assert_eq!(shown(&list), text);
    }
}

#[test]
fn a_length_that_the_type_cannot_have_is_no_value() {
    for kind in 2..=0xa {
        let fits = |first: u8, len: usize| match kind {
            2 => matches!(len, 8 | 12 | 16),
            3 => match first >> 4 {
                2 | 3 | 5 => len == 8,
                6 => len == 16,
                _ => false,
            },
            4..=6 => len == 4,
            7 => len == 16,
            8 | 9 => true,
            _ => first >> 4 == 1 && len == 18,
        };
        for first in [0x00, 0x10, 0x20, 0x30, 0x50, 0x60, 0xf0] {
            for len in 0..=40 {
                let mut bytes = vec![0; len];
                if let Some(byte) = bytes.first_mut() {
                    *byte = first;
                }
                let list = descriptor(0x01, kind, &bytes);
                let one = Designators::new(&list).next().unwrap().unwrap();
                let other = matches!(one.value(), DesignatorValue::Other(_));
                assert_eq!(
                    other,
                    !(fits(first, len) && (len > 0 || kind > 7)),
                    "{kind} {first:02x} {len}"
                );
                assert_eq!(one.bytes(), bytes);
            }
        }
    }
    for len in 0..8 {
        let list = descriptor(0x02, 0x01, &vec![b'A'; len]);
        let one = Designators::new(&list).next().unwrap().unwrap();
        assert_eq!(one.value(), DesignatorValue::Other(one.bytes()));
    }
}

#[test]
fn an_overrun_is_one_error_and_the_end() {
    // kvm-guest-drivers#1523, #1635, #1637: a designator past the page.
    let good = descriptor(0x01, 0x03, &[0x50, 1, 2, 3, 4, 5, 6, 7]);
    for len in 1..=255u8 {
        for have in 0..usize::from(len) {
            let mut bad = vec![0x01, 0x03, 0, len];
            bad.resize(4 + have, 0);
            let list = [good.clone(), bad].concat();
            let mut all = Designators::new(&list);
            assert!(all.next().unwrap().is_ok());
            assert_eq!(
                all.next(),
                Some(Err(Malformed::Short {
                    need: usize::from(len) + 4,
                    got: have + 4
                }))
            );
            assert!(all.next().is_none() && all.next().is_none());
        }
    }
    for header in 1..4 {
        let list = [good.clone(), vec![1; header]].concat();
        let mut all = Designators::new(&list);
        assert!(all.next().unwrap().is_ok());
        let error = Malformed::Short {
            need: 4,
            got: header,
        };
        assert_eq!(all.next(), Some(Err(error)));
        assert!(all.next().is_none());
    }
}

#[test]
fn a_page_of_more_than_255_bytes_is_whole() {
    // systemd#12554: the length has two bytes.
    let one = descriptor(0x02, 0x00, &[b'x'; 60]);
    let bytes = super::page(0x83, &one.repeat(10));
    let whole = Inquiry::vpd(DeviceIdentification).allocation_length(1000);
    let page = whole.parse(ReplyBytes::borrowed(&bytes)).unwrap();
    assert_eq!(page.designators().filter(|one| one.is_ok()).count(), 10);
    // Cut at the default length: the last one is an error, and the page says
    // how much to ask for.
    let page = read(DeviceIdentification, &bytes[..252]).unwrap();
    assert_eq!(page.page().needed_length(), Some(644));
    let all: Vec<_> = page.designators().collect();
    assert_eq!(all.len(), 4);
    assert!(all[..3].iter().all(Result::is_ok) && all[3].is_err());
}

#[test]
fn the_tail_is_no_designator() {
    let mut bytes = super::page(0x83, &descriptor(0x02, 0x00, b"a"));
    bytes.resize(252, b' ');
    let page = read(DeviceIdentification, &bytes).unwrap();
    assert_eq!(page.designators().count(), 1);
}

#[test]
fn protocol_needs_piv_and_a_port_or_a_target() {
    for (byte1, protocol) in [
        (0x83, None),
        (0x93, Some(ProtocolIdentifier(5))),
        (0xa3, Some(ProtocolIdentifier(5))),
        (0xb3, None),
        (0x13, None),
        (0x23, None),
    ] {
        let list = descriptor(0x51, byte1, &[]);
        let one = Designators::new(&list).next().unwrap().unwrap();
        assert_eq!(one.protocol(), protocol, "{byte1:02x}");
    }
}

#[test]
fn names_of_associations_and_code_sets() {
    for (association, name) in [
        (Association::LOGICAL_UNIT, "logical unit"),
        (Association::TARGET_PORT, "target port"),
        (Association::TARGET_DEVICE, "target device"),
    ] {
        let list = descriptor(0x01, association.0 << 4 | 0xc3, &[]);
        let one = Designators::new(&list).next().unwrap().unwrap();
        assert_eq!(one.association(), association);
        assert_eq!(association.name(), Some(name));
        assert_eq!(association.to_string(), name);
    }
    assert_eq!(Association(3).name(), None);
    assert_eq!(Association(3).to_string(), "association 3h");
    for (code_set, name) in [
        (CodeSet::BINARY, "binary"),
        (CodeSet::ASCII, "ASCII"),
        (CodeSet::UTF8, "UTF-8"),
    ] {
        assert_eq!(code_set.name(), Some(name));
        assert_eq!(code_set.to_string(), name);
    }
    for raw in [0, 4, 0xf] {
        assert_eq!(CodeSet(raw).name(), None);
        assert_eq!(CodeSet(raw).to_string(), format!("code set {raw:x}h"));
    }
}

#[test]
fn names_of_designator_types() {
    for (kind, name) in [
        (DesignatorType::VENDOR_SPECIFIC, "vendor specific"),
        (DesignatorType::T10_VENDOR_ID, "T10 vendor identification"),
        (DesignatorType::EUI64, "EUI-64"),
        (DesignatorType::NAA, "NAA"),
        (DesignatorType::RELATIVE_TARGET_PORT, "relative target port"),
        (DesignatorType::TARGET_PORT_GROUP, "target port group"),
        (DesignatorType::LOGICAL_UNIT_GROUP, "logical unit group"),
        (DesignatorType::MD5, "MD5"),
        (DesignatorType::SCSI_NAME, "SCSI name string"),
        (
            DesignatorType::PROTOCOL_SPECIFIC_PORT,
            "protocol specific port identifier",
        ),
        (DesignatorType::UUID, "UUID"),
    ] {
        assert_eq!(kind.name(), Some(name));
        assert_eq!(kind.to_string(), name);
    }
    for raw in 0xb..=0xf {
        let unnamed = DesignatorType(raw);
        assert_eq!(unnamed.name(), None);
        assert_eq!(unnamed.to_string(), format!("designator type {raw:x}h"));
    }
}

#[test]
fn names_of_protocols() {
    for (protocol, name) in [
        (ProtocolIdentifier::FIBRE_CHANNEL, "Fibre Channel"),
        (ProtocolIdentifier::PARALLEL, "parallel SCSI"),
        (ProtocolIdentifier::SSA, "SSA"),
        (ProtocolIdentifier::IEEE_1394, "IEEE 1394"),
        (ProtocolIdentifier::SRP, "SRP"),
        (ProtocolIdentifier::ISCSI, "iSCSI"),
        (ProtocolIdentifier::SAS, "SAS"),
        (ProtocolIdentifier::ADT, "ADT"),
        (ProtocolIdentifier::ATA, "ATA"),
        (ProtocolIdentifier::UAS, "UAS"),
        (ProtocolIdentifier::SOP, "SCSI over PCIe"),
        (ProtocolIdentifier::PCIE, "PCIe"),
    ] {
        assert_eq!(protocol.name(), Some(name));
        assert_eq!(protocol.to_string(), name);
    }
    for raw in 0xc..=0xf {
        let unnamed = ProtocolIdentifier(raw);
        assert_eq!(unnamed.name(), None);
        assert_eq!(unnamed.to_string(), format!("protocol {raw:x}h"));
    }
}

proptest! {
    #[test]
    fn any_list_ends(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), 0..20u8], 0..=600),
    ) {
        let mut seen = 0;
        let mut all = Designators::new(&bytes);
        while let Some(one) = all.next() {
            seen += 1;
            let Ok(one) = one else {
                prop_assert!(all.next().is_none());
                break;
            };
            let _ = format!("{one} {one:?} {:?} {:?}", one.value(), one.as_text());
            let _ = format!(
                "{} {} {} {:?} {}",
                one.association(), one.code_set(), one.designator_type(), one.protocol(),
                one.piv(),
            );
        }
        prop_assert!(seen <= bytes.len().div_ceil(4));
    }
}

//! Structures of discs, and keys.

use super::*;

const PHYSICAL: DiscStructureFormat = DiscStructureFormat::DVD_PHYSICAL;

#[test]
fn a_dvd_with_two_layers() {
    let mut bytes = vec![0, 0x17, 0, 0];
    bytes.extend_from_slice(&[
        0x91, 0x12, 0x32, 0x13, 0, 3, 0, 0, 0, 0xfc, 0xff, 0xff, 0, 0x20, 0x40, 0x5f, 0x80, 0xee,
        0xed, 0xec, 0xeb, 0xea,
    ]);
    let structure = reply(&ReadDiscStructure::dvd(PHYSICAL), &bytes);
    assert_eq!(structure.media(), DiscStructureMedia::DVD);
    assert_eq!(structure.format(), PHYSICAL);
    assert_eq!(structure.data_length(), 0x17);
    let physical = structure.dvd_physical().unwrap();
    assert_eq!(physical.book_type(), Some(DvdBookType::DVD_PLUS_RW));
    assert_eq!(physical.part_version(), Some(1));
    assert_eq!(physical.disc_size(), Some(1));
    assert_eq!(physical.maximum_rate(), Some(2));
    assert_eq!(physical.layers(), Some(2));
    assert_eq!(physical.opposite_track_path(), Some(true));
    assert_eq!(physical.layer_type(), Some(2));
    assert_eq!(physical.linear_density(), Some(1));
    assert_eq!(physical.track_density(), Some(3));
    assert_eq!(physical.first_sector(), Some(0x03_0000));
    assert_eq!(physical.last_sector(), Some(0xfc_ffff));
    assert_eq!(physical.last_sector_of_layer_0(), Some(0x20_405f));
    assert_eq!(physical.has_bca(), Some(true));
    // 25 bytes are claimed, one more came.
    assert_eq!(physical.media_specific(), [0xee, 0xed, 0xec, 0xeb]);
    assert_eq!(physical.as_bytes(), &bytes[4..25]);
    assert_eq!(structure.length_field_lies(), None);
    assert_eq!(structure.needed_length(), None);
    assert_eq!(structure.dvd_copyright(), None);
    assert_eq!(structure.dvd_manufacturer(), None);
    assert_eq!(structure.bd_disc_information(), None);
    // The same fields in the lead-in; a BD's format 10h is none of that.
    let lead_in = DiscStructureFormat::DVD_PHYSICAL_LEAD_IN;
    let command = ReadDiscStructure::dvd(lead_in);
    assert_eq!(reply(&command, &bytes).dvd_physical(), Some(physical));
    let command = ReadDiscStructure::bd(lead_in);
    assert_eq!(reply(&command, &bytes).dvd_physical(), None);
    let mut parallel = bytes.clone();
    parallel[6] = 0x6f;
    let parallel = reply(&ReadDiscStructure::dvd(PHYSICAL), &parallel);
    let parallel = parallel.dvd_physical().unwrap();
    assert_eq!(parallel.opposite_track_path(), Some(false));
    assert_eq!(
        (parallel.layers(), parallel.layer_type()),
        (Some(4), Some(15))
    );
    // Each prefix.
    for len in 4..bytes.len() {
        let short = reply(&ReadDiscStructure::dvd(PHYSICAL), &bytes[..len]);
        let physical = short.dvd_physical().unwrap();
        assert_eq!(physical.book_type().is_some(), len > 4);
        assert_eq!(physical.layers().is_some(), len > 6);
        assert_eq!(physical.first_sector().is_some(), len >= 12);
        assert_eq!(physical.last_sector_of_layer_0().is_some(), len >= 20);
        assert_eq!(physical.has_bca().is_some(), len > 20);
        assert_eq!(short.length_field_lies().is_some(), len < 25);
    }
}

#[test]
fn copyright_and_manufacturer() {
    let format = DiscStructureFormat::DVD_COPYRIGHT;
    let command = ReadDiscStructure::dvd(format);
    let bytes = [0, 6, 0, 0, 0x02, 0xfe, 0, 0];
    let structure = reply(&command, &bytes);
    let copyright = structure.dvd_copyright().unwrap();
    assert_eq!(copyright.protection(), Some(2));
    assert_eq!(copyright.forbidden_regions(), Some(0xfe));
    assert_eq!(copyright.plays_in_region(1), Some(true));
    assert_eq!(copyright.plays_in_region(8), Some(false));
    assert_eq!(copyright.plays_in_region(0), None);
    assert_eq!(copyright.plays_in_region(9), None);
    assert_eq!(structure.dvd_physical(), None);
    let cut = reply(&command, &bytes[..5]).dvd_copyright().unwrap();
    assert_eq!((cut.protection(), cut.forbidden_regions()), (Some(2), None));
    assert_eq!(cut.plays_in_region(1), None);

    let command = ReadDiscStructure::dvd(DiscStructureFormat::DVD_MANUFACTURER);
    let bytes = [0, 4, 0, 0, 7, 8, 9];
    let structure = reply(&command, &bytes);
    assert_eq!(structure.dvd_manufacturer(), Some(&[7, 8][..]));
    // Asked for 6 bytes of 2052.
    let bytes = [8, 2, 0, 0, 7, 8];
    let structure = reply(&command.allocation_length(6), &bytes);
    assert_eq!(structure.needed_length(), Some(2052));
    assert_eq!(structure.length_field_lies(), None);
    let lie = reply(&command, &bytes);
    assert_eq!(
        lie.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 2052,
            arrived: 6
        })
    );
    assert_eq!(lie.dvd_manufacturer(), Some(&[7, 8][..]));
    let low = reply(&command, &[0, 1, 0, 0, 7, 8]).length_field_lies();
    assert_eq!(
        low,
        Some(LengthLie::TooLow {
            claimed: 3,
            arrived: 6
        })
    );
    // The longest length does not fit into an allocation length.
    let structure = reply(&command.allocation_length(4), &[0xff, 0xff, 0, 0]);
    assert_eq!(structure.needed_length(), Some(u16::MAX));
}

#[test]
fn a_blu_ray_disc() {
    let bytes = b"\0\x10\0\0DI\x01\x0f\0\0\x20\0BDR\x41\x21\x01";
    let format = DiscStructureFormat::BD_DISC_INFORMATION;
    let structure = reply(&ReadDiscStructure::bd(format), bytes);
    let disc = structure.bd_disc_information().unwrap();
    assert!(disc.has_signature());
    assert_eq!(disc.unit_format(), Some(1));
    assert_eq!(disc.disc_type(), Some(*b"BDR"));
    assert_eq!(disc.as_bytes(), &bytes[4..]);
    assert_eq!(
        structure.dvd_physical(),
        None,
        "format 00h of another medium"
    );
    let cut = reply(&ReadDiscStructure::bd(format), &bytes[..14]);
    assert_eq!(cut.bd_disc_information().unwrap().disc_type(), None);
    let other = reply(&ReadDiscStructure::bd(format), &[0, 4, 0, 0, b'I', b'D']);
    assert!(!other.bd_disc_information().unwrap().has_signature());
}

#[test]
fn keys() {
    let bytes = [0, 6, 0, 0, 0x9d, 0xfb, 1, 0xc1];
    let state = reply(&ReportKey::rpc_state(), &bytes).rpc_state().unwrap();
    assert_eq!(state.kind(), RpcType::LAST_CHANCE);
    assert_eq!(state.vendor_resets(), 3);
    assert_eq!(state.user_changes(), 5);
    assert_eq!(state.region_mask(), 0xfb);
    assert_eq!(state.scheme(), 1);
    assert_eq!(state.plays_region(3), Some(true));
    assert_eq!(state.plays_region(2), Some(false));
    assert_eq!(state.plays_region(8), Some(false));
    assert_eq!(state.plays_region(0), None);
    assert_eq!(state.plays_region(9), None);
    let agid = reply(&ReportKey::take_agid(), &bytes);
    assert_eq!(agid.agid(), Some(Agid::new(3)));
    assert_eq!(agid.rpc_state(), None);
    assert_eq!(agid.authentication_success(), None);
    let cprm = ReportKey::new(KeyClass::DVD, KeyFormat::AGID_FOR_CPRM);
    assert_eq!(reply(&cprm, &bytes).agid(), Some(Agid::new(3)));
    let aacs = ReportKey::new(KeyClass::AACS, KeyFormat::AGID);
    assert_eq!(reply(&aacs, &bytes).agid(), Some(Agid::new(3)));
    let success = ReportKey::new(KeyClass::DVD, KeyFormat::AUTHENTICATION_SUCCESS);
    assert_eq!(reply(&success, &bytes).authentication_success(), Some(true));
    assert_eq!(reply(&success, &bytes).agid(), None);
    let challenge = ReportKey::new(KeyClass::DVD, KeyFormat::CHALLENGE);
    assert_eq!(reply(&challenge, &bytes).data(), &bytes[4..]);
    assert_eq!(reply(&challenge, &bytes).length_field_lies(), None);
    // Format 08h of another class is something else.
    let other = ReportKey::new(KeyClass::AACS, KeyFormat::RPC_STATE);
    assert_eq!(reply(&other, &bytes).rpc_state(), None);
    for len in 4..8 {
        let cut = &bytes[..len];
        assert_eq!(reply(&ReportKey::take_agid(), cut).agid(), None);
        let state = reply(&ReportKey::rpc_state(), cut).rpc_state();
        assert_eq!(state.is_some(), len == 7);
    }
    let lie = reply(&ReportKey::rpc_state(), &[0, 2, 0, 0, 1, 1, 1, 1]);
    assert_eq!(lie.rpc_state(), None, "the length ends before it");
    assert_eq!(lie.length_field_lies(), None);
    assert_eq!(
        reply(&ReportKey::rpc_state(), &bytes[..7]).length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 8,
            arrived: 7
        })
    );
}

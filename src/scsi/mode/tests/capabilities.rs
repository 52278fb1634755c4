//! Page 2Ah.

use super::*;

#[test]
fn page_2a_of_a_writer() {
    let mut bytes = vec![0x2a, 40];
    bytes.resize(42, 0);
    bytes[2..8].copy_from_slice(&[0x3f, 0x37, 0xf1, 0x77, 0xab, 0x21]);
    bytes[17] = 0x2e;
    bytes[22..24].copy_from_slice(&[0, 1]);
    bytes[27] = 0xfe;
    bytes[28..].copy_from_slice(&[
        0x0d, 0xc8, 0, 2, 0xff, 1, 0x1b, 0x90, 0, 0, 0x0d, 0xc8, 9, 9,
    ]);
    let page = Capabilities::read(&ModePages::new(&bytes).next().unwrap()).unwrap();
    assert_eq!(page.reads_method_2(), Some(true));
    assert_eq!(page.writes_cd_r(), Some(true));
    assert_eq!(page.writes_cd_rw(), Some(true));
    assert_eq!(page.test_writes(), Some(true));
    assert_eq!(page.writes_dvd_r(), Some(true));
    assert_eq!(page.writes_dvd_ram(), Some(true));
    assert_eq!(page.underrun_protection(), Some(true));
    assert_eq!(page.composite(), Some(false));
    assert_eq!(page.corrects_subchannel(), Some(false));
    assert_eq!(page.is_locked(), Some(true));
    assert_eq!(page.loading_mechanism(), Some(LoadingMechanism::MAGAZINE));
    assert_eq!(page.separate_volume(), Some(true));
    assert_eq!(page.reads_subchannel_in_lead_in(), Some(true));
    assert_eq!(page.digital_output(), Some(0x2e));
    assert_eq!(page.copy_management_revision(), Some(1));
    assert_eq!(page.rotation_control(), Some(RotationControl(2)));
    assert_eq!(page.current_write_speed(), Some(3528));
    assert_eq!(page.write_speed_count(), Some(2));
    let speeds: Vec<_> = page.write_speeds().collect();
    assert_eq!(
        speeds,
        [
            WriteSpeed {
                rotation_control: RotationControl::CAV,
                speed: 7056
            },
            WriteSpeed {
                rotation_control: RotationControl::CLV,
                speed: 3528
            },
        ],
        "what follows is none"
    );
    // A count that is too large: what is there.
    bytes[31] = 200;
    let page = Capabilities::read(&ModePages::new(&bytes).next().unwrap()).unwrap();
    assert_eq!(page.write_speeds().count(), 2);
    assert_eq!(LoadingMechanism(6).to_string(), "loading mechanism 6");
    assert_eq!(LoadingMechanism::TRAY.to_string(), "tray");
    assert_eq!(LoadingMechanism(4).to_string(), "changer");
}

#[test]
fn each_flag_of_page_2a_is_one_bit() {
    type Get = fn(&Capabilities) -> Option<bool>;
    use Capabilities as C;
    let getters: [(usize, u8, Get); 37] = [
        (2, 0x01, C::reads_cd_r),
        (2, 0x02, C::reads_cd_rw),
        (2, 0x04, C::reads_method_2),
        (2, 0x08, C::reads_dvd_rom),
        (2, 0x10, C::reads_dvd_r),
        (2, 0x20, C::reads_dvd_ram),
        (3, 0x01, C::writes_cd_r),
        (3, 0x02, C::writes_cd_rw),
        (3, 0x04, C::test_writes),
        (3, 0x10, C::writes_dvd_r),
        (3, 0x20, C::writes_dvd_ram),
        (4, 0x01, C::plays_audio),
        (4, 0x02, C::composite),
        (4, 0x04, C::digital_port_1),
        (4, 0x08, C::digital_port_2),
        (4, 0x10, C::reads_mode_2_form_1),
        (4, 0x20, C::reads_mode_2_form_2),
        (4, 0x40, C::reads_multi_session),
        (4, 0x80, C::underrun_protection),
        (5, 0x01, C::reads_cd_da),
        (5, 0x02, C::accurate_stream),
        (5, 0x04, C::reads_subchannel),
        (5, 0x08, C::corrects_subchannel),
        (5, 0x10, C::reports_c2_pointers),
        (5, 0x20, C::reads_isrc),
        (5, 0x40, C::reads_catalogue_number),
        (5, 0x80, C::reads_bar_code),
        (6, 0x01, C::can_lock),
        (6, 0x02, C::is_locked),
        (6, 0x04, C::prevent_jumper),
        (6, 0x08, C::can_eject),
        (7, 0x01, C::separate_volume),
        (7, 0x02, C::separate_mute),
        (7, 0x04, C::knows_discs_in_slots),
        (7, 0x08, C::software_slot_selection),
        (7, 0x10, C::changes_sides),
        (7, 0x20, C::reads_subchannel_in_lead_in),
    ];
    for (offset, mask, get) in getters {
        for (other, bit) in (2..8).flat_map(|offset| (0..8).map(move |bit| (offset, 1 << bit))) {
            let mut page = OwnedPage::zeroed(PageCode::CAPABILITIES, 6);
            page.as_bytes_mut()[other] = bit;
            let expected = (other, bit) == (offset, mask);
            assert_eq!(get(&page.into()), Some(expected), "{offset} {mask:02x}");
        }
        let short = u8::try_from(offset).unwrap() - 2;
        assert_eq!(
            get(&OwnedPage::zeroed(PageCode::CAPABILITIES, short).into()),
            None
        );
    }
}

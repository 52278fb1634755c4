//! Pages of real and emulated drives; where each comes from is said in its file.

use super::*;

const PAGE_2A: &str = include_str!("../../../../tests/cases/lab-qemu-scsicd-modepage2a.hex");
const PAGE_05: &str =
    include_str!("../../../../tests/cases/udftools-33-modeselect-page05-refused.hex");
const PAGE_08: &str = include_str!("../../../../tests/cases/openseachest-59-modepage08-sas.hex");

#[test]
fn an_emulated_drive_that_claims_everything() {
    let bytes = hex(PAGE_2A);
    let data = ModeSense10::new(PageCode::CAPABILITIES)
        .parse(ReplyBytes::borrowed(&bytes))
        .unwrap();
    assert_eq!(data.form(), ModeForm::Ten);
    assert_eq!(data.data_length(), 28);
    assert_eq!(data.medium_type(), 0);
    assert_eq!(data.device_specific(), 0);
    assert!(!data.long_lba());
    assert_eq!(data.block_descriptor_length(), 0);
    assert_eq!(data.block_descriptors().count(), 0);
    assert_eq!(data.length_field_lies(), None);
    assert_eq!(data.needed_length(), None);
    assert_eq!(data.pages().count(), 1);
    assert_eq!(data.arrived(), bytes);

    let page = data.page(PageCode::CAPABILITIES, 0).unwrap();
    assert_eq!(page.code(), PageCode::CAPABILITIES);
    assert!(!page.is_saveable());
    assert!(!page.has_subpage());
    assert_eq!(page.page_length(), Some(0x14));
    assert_eq!(page.length_field_lies(), None);
    assert_eq!(page.data(), &bytes[10..]);

    let page: Capabilities = data.find().unwrap().unwrap();
    let yes = [
        page.reads_cd_r(),
        page.reads_cd_rw(),
        page.reads_dvd_rom(),
        page.reads_dvd_r(),
        page.reads_dvd_ram(),
        page.plays_audio(),
        page.composite(),
        page.digital_port_1(),
        page.digital_port_2(),
        page.reads_mode_2_form_1(),
        page.reads_mode_2_form_2(),
        page.reads_multi_session(),
        page.reads_cd_da(),
        page.accurate_stream(),
        page.reads_subchannel(),
        page.corrects_subchannel(),
        page.reports_c2_pointers(),
        page.reads_isrc(),
        page.reads_catalogue_number(),
        page.reads_bar_code(),
        page.can_lock(),
        page.prevent_jumper(),
        page.can_eject(),
    ];
    assert_eq!(yes, [Some(true); 23]);
    let no = [
        page.reads_method_2(),
        page.writes_cd_r(),
        page.writes_cd_rw(),
        page.test_writes(),
        page.writes_dvd_r(),
        page.writes_dvd_ram(),
        page.underrun_protection(),
        page.is_locked(),
        page.separate_volume(),
        page.separate_mute(),
        page.knows_discs_in_slots(),
        page.software_slot_selection(),
        page.changes_sides(),
        page.reads_subchannel_in_lead_in(),
    ];
    assert_eq!(no, [Some(false); 14]);
    assert_eq!(page.loading_mechanism(), Some(LoadingMechanism::TRAY));
    assert_eq!(page.max_read_speed(), Some(8800));
    assert_eq!(page.volume_levels(), Some(2));
    assert_eq!(page.buffer_kib(), Some(2048));
    assert_eq!(page.current_read_speed(), Some(2816));
    assert_eq!(page.digital_output(), Some(0));
    assert_eq!(page.max_write_speed(), Some(2816));
    assert_eq!(page.old_current_write_speed(), Some(2816));
    // A page of 22 bytes: the rest came with later standards.
    assert_eq!(page.copy_management_revision(), None);
    assert_eq!(page.rotation_control(), None);
    assert_eq!(page.current_write_speed(), None);
    assert_eq!(page.write_speed_count(), None);
    assert_eq!(page.write_speeds().count(), 0);
}

#[test]
fn a_list_that_a_drive_refused() {
    let bytes = hex(PAGE_05);
    assert_eq!(
        ModeSelect10::new().cdb_for(bytes.len()).unwrap().as_bytes(),
        [0x55, 0x10, 0, 0, 0, 0, 0, 0, 0x3c, 0]
    );
    let page = ModePages::new(&bytes[8..]).next().unwrap();
    let page = WriteParameters::read(&page).unwrap();
    assert_eq!(page.underrun_protection(), Some(false));
    assert_eq!(page.link_size_valid(), Some(true));
    assert_eq!(page.test_write(), Some(false));
    assert_eq!(page.write_type(), Some(WriteType::PACKET));
    assert_eq!(page.multi_session(), Some(MultiSession::FINAL));
    assert_eq!(page.fixed_packets(), Some(true));
    assert_eq!(page.copy(), Some(false));
    assert_eq!(page.track_mode(), Some(TrackControl(7)));
    assert_eq!(page.data_block_type(), Some(DataBlockType::MODE_1));
    assert_eq!(page.link_size(), Some(0));
    assert_eq!(page.application_code(), Some(0));
    assert_eq!(page.session_format(), Some(SessionFormat::CD_ROM));
    assert_eq!(page.packet_size(), Some(32));
    assert_eq!(page.audio_pause_length(), Some(150));
    assert_eq!(page.catalogue_number(), Some([0; 16]));
    assert_eq!(page.isrc(), Some([0; 16]));
    assert_eq!(page.subheader(), Some([0; 4]));
    assert_eq!(page.vendor_specific(), b"");
    // The same list, made here.
    let mut made = WriteParameters::zeroed();
    made.set_link_size_valid(true).unwrap();
    made.set_write_type(WriteType::PACKET).unwrap();
    made.set_fixed_packets(true).unwrap();
    made.set_track_mode(TrackControl(7)).unwrap();
    made.set_data_block_type(DataBlockType::MODE_1).unwrap();
    made.set_packet_size(32).unwrap();
    made.set_audio_pause_length(150).unwrap();
    assert_eq!(ModeList::ten().page(&made).as_bytes(), bytes);
    assert_eq!(ModeList::ten().page(&page).as_bytes(), bytes);
    // As the answer of MODE SENSE it would have a length that lies.
    let data = ten(&bytes);
    assert_eq!(
        data.length_field_lies(),
        Some(LengthLie::TooLow {
            claimed: 2,
            arrived: 60
        })
    );
    assert_eq!(data.pages().count(), 0);
}

#[test]
fn a_page_with_the_ps_bit() {
    let bytes = hex(PAGE_08);
    let mut pages = ModePages::new(&bytes);
    let page = pages.next().unwrap();
    assert!(pages.next().is_none());
    assert_eq!(page.code(), PageCode::CACHING);
    assert!(page.is_saveable());
    assert!(!page.has_subpage());
    assert_eq!(page.subpage(), Some(0));
    assert_eq!(page.page_length(), Some(0x12));
    assert_eq!(page.as_bytes(), bytes);
    assert_eq!(
        page.data(),
        [
            0x14, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x91, 0x20, 0, 0, 0, 0, 0, 0
        ]
    );
    assert_eq!(page.length_field_lies(), None);
    // Sent back: WCE off, nothing else changed but PS, which is reserved there.
    let mut owned = page.to_owned_page();
    owned.as_bytes_mut()[2] &= !0x04;
    let list = ModeList::six().page(&owned);
    let mut expected = vec![0, 0, 0, 0, 0x08, 0x12, 0x10];
    expected.extend_from_slice(&bytes[3..]);
    assert_eq!(list.as_bytes(), expected);
    assert_eq!(owned.as_bytes()[0], 0x88, "the page itself keeps it");
    assert_eq!(OwnedPage::from(page).as_bytes(), bytes);
}

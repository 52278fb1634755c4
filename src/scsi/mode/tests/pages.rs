//! The fields of each page: where they are, and that setting one leaves the rest.

use super::*;

/// Sets fields of a page of ones and of a page of zeros, and checks what differs:
/// `mask` at `offset`, no more.
macro_rules! field {
    ($page:ident, $offset:expr, $mask:expr, $get:ident, $set:ident, $zero:expr, $ones:expr) => {
        let blank = $page::zeroed();
        let mut full = OwnedPage::from(blank.clone());
        full.as_bytes_mut()[2..].fill(0xff);
        let full = $page::from(full);
        assert_eq!(blank.$get(), Some($zero), stringify!($get));
        assert_eq!(full.$get(), Some($ones), stringify!($get));
        let (mut set, mut cleared) = (blank.clone(), full.clone());
        set.$set($ones).unwrap();
        cleared.$set($zero).unwrap();
        assert_eq!(set.$get(), Some($ones));
        assert_eq!(cleared.$get(), Some($zero));
        let mask: &[u8] = &$mask;
        let mut expected = blank.as_ref().as_bytes().to_vec();
        expected[$offset..$offset + mask.len()].copy_from_slice(mask);
        assert_eq!(set.as_ref().as_bytes(), expected, stringify!($set));
        let mut expected = full.as_ref().as_bytes().to_vec();
        for (byte, mask) in expected[$offset..].iter_mut().zip(mask) {
            *byte &= !mask;
        }
        assert_eq!(cleared.as_ref().as_bytes(), expected, stringify!($set));
        // A page that ends before it.
        let mut short = OwnedPage::zeroed($page::CODE, 0);
        short = OwnedPage::from($page::from(short));
        let mut short = $page::from(short);
        assert_eq!(short.$get(), None);
        let end = $offset + mask.len();
        assert_eq!(short.$set($ones), Err(NotInPage { end, len: 2 }));
        assert_eq!(short.as_ref().as_bytes().len(), 2);
    };
}

#[test]
fn page_01() {
    use ErrorRecovery as P;
    field!(P, 2, [0xff], flags, set_flags, 0, 0xff);
    field!(
        P,
        2,
        [0x80],
        reassigns_on_write,
        set_reassigns_on_write,
        false,
        true
    );
    field!(
        P,
        2,
        [0x40],
        reassigns_on_read,
        set_reassigns_on_read,
        false,
        true
    );
    field!(
        P,
        2,
        [0x20],
        transfer_block,
        set_transfer_block,
        false,
        true
    );
    field!(
        P,
        2,
        [0x10],
        read_continuous,
        set_read_continuous,
        false,
        true
    );
    field!(P, 2, [0x04], posts_errors, set_posts_errors, false, true);
    field!(
        P,
        2,
        [0x02],
        stops_at_errors,
        set_stops_at_errors,
        false,
        true
    );
    field!(
        P,
        2,
        [0x01],
        disable_correction,
        set_disable_correction,
        false,
        true
    );
    field!(
        P,
        3,
        [0xff],
        read_retry_count,
        set_read_retry_count,
        0,
        0xff
    );
    field!(
        P,
        7,
        [0x03],
        media_certification,
        set_media_certification,
        0,
        3
    );
    field!(
        P,
        8,
        [0xff],
        write_retry_count,
        set_write_retry_count,
        0,
        0xff
    );
    field!(
        P,
        9,
        [0xff; 3],
        reporting_window,
        set_reporting_window,
        0,
        0x00ff_ffff
    );
    let mut page = P::zeroed();
    page.set_reporting_window(0xff01_0203).unwrap();
    assert_eq!(page.reporting_window(), Some(0x01_0203));
    // What readcd sets before it scans for C2 errors.
    let mut page = P::zeroed();
    page.set_flags(0x21).unwrap();
    page.set_read_retry_count(10).unwrap();
    assert_eq!(page.transfer_block(), Some(true));
    assert_eq!(page.disable_correction(), Some(true));
    assert_eq!(
        ModeList::ten().page(&page).as_bytes(),
        [
            0, 0, 0, 0, 0, 0, 0, 0, 1, 10, 0x21, 10, 0, 0, 0, 0, 0, 0, 0, 0
        ]
    );
}

#[test]
fn page_05() {
    use WriteParameters as P;
    field!(
        P,
        2,
        [0x40],
        underrun_protection,
        set_underrun_protection,
        false,
        true
    );
    field!(
        P,
        2,
        [0x20],
        link_size_valid,
        set_link_size_valid,
        false,
        true
    );
    field!(P, 2, [0x10], test_write, set_test_write, false, true);
    field!(
        P,
        2,
        [0x0f],
        write_type,
        set_write_type,
        WriteType::PACKET,
        WriteType(15)
    );
    field!(
        P,
        3,
        [0xc0],
        multi_session,
        set_multi_session,
        MultiSession(0),
        MultiSession::OPEN
    );
    field!(P, 3, [0x20], fixed_packets, set_fixed_packets, false, true);
    field!(P, 3, [0x10], copy, set_copy, false, true);
    field!(
        P,
        3,
        [0x0f],
        track_mode,
        set_track_mode,
        TrackControl(0),
        TrackControl(15)
    );
    field!(
        P,
        4,
        [0x0f],
        data_block_type,
        set_data_block_type,
        DataBlockType::RAW,
        DataBlockType(15)
    );
    field!(P, 5, [0xff], link_size, set_link_size, 0, 0xff);
    field!(
        P,
        7,
        [0x3f],
        application_code,
        set_application_code,
        0,
        0x3f
    );
    field!(
        P,
        8,
        [0xff],
        session_format,
        set_session_format,
        SessionFormat(0),
        SessionFormat(0xff)
    );
    field!(P, 10, [0xff; 4], packet_size, set_packet_size, 0, u32::MAX);
    field!(
        P,
        14,
        [0xff; 2],
        audio_pause_length,
        set_audio_pause_length,
        0,
        0xffff
    );
    field!(
        P,
        16,
        [0xff; 16],
        catalogue_number,
        set_catalogue_number,
        [0; 16],
        [0xff; 16]
    );
    field!(P, 32, [0xff; 16], isrc, set_isrc, [0; 16], [0xff; 16]);
    field!(
        P,
        48,
        [0xff; 4],
        subheader,
        set_subheader,
        [0; 4],
        [0xff; 4]
    );
    assert_eq!(P::zeroed().vendor_specific(), b"");
    let longer = P::from(OwnedPage::zeroed(PageCode::WRITE_PARAMETERS, 0x36));
    assert_eq!(longer.vendor_specific(), [0; 4]);
}

#[test]
fn data_block_types_have_lengths() {
    let lengths: Vec<_> = (0..16)
        .map(|kind| DataBlockType(kind).block_length().unwrap_or(0))
        .collect();
    assert_eq!(
        lengths,
        [
            2352, 2368, 2448, 2448, 0, 0, 0, 0, 2048, 2336, 2048, 2056, 2324, 2332, 0, 0
        ]
    );
}

#[test]
fn page_0d() {
    use CdDeviceParameters as P;
    field!(P, 3, [0x0f], inactivity_timer, set_inactivity_timer, 0, 15);
    field!(
        P,
        4,
        [0xff; 2],
        seconds_per_minute,
        set_seconds_per_minute,
        0,
        0xffff
    );
    field!(
        P,
        6,
        [0xff; 2],
        frames_per_second,
        set_frames_per_second,
        0,
        0xffff
    );
}

#[test]
fn page_0e() {
    use CdAudioControl as P;
    field!(P, 2, [0x04], immediate, set_immediate, false, true);
    field!(
        P,
        2,
        [0x02],
        stops_at_track_end,
        set_stops_at_track_end,
        false,
        true
    );
    let mut page = P::zeroed();
    for port in 0..4 {
        let value = AudioPort {
            channels: 1 << port,
            volume: 0x10 + port,
        };
        page.set_port(port, value).unwrap();
        assert_eq!(page.port(port), Some(value));
    }
    assert_eq!(
        page.as_ref().as_bytes(),
        [
            0x0e, 14, 0, 0, 0, 0, 0, 0, 1, 0x10, 2, 0x11, 4, 0x12, 8, 0x13
        ]
    );
    let mut short = P::from(OwnedPage::zeroed(PageCode::CD_AUDIO_CONTROL, 7));
    let loud = AudioPort {
        channels: 1,
        volume: 0xff,
    };
    assert_eq!(short.set_port(0, loud), Err(NotInPage { end: 10, len: 9 }));
    assert_eq!(short.as_ref().as_bytes()[8], 0, "all of a port or nothing");
    assert_eq!(short.port(0), None);
}

#[test]
fn lists() {
    let page = OwnedPage::zeroed(PageCode(0x0a), 1);
    let list = ModeList::six()
        .medium_type(1)
        .device_specific(0x10)
        .block_descriptor(0x02, 0x01_0203, 2352)
        .block_descriptor(0x03, 0, 512)
        .page(&page);
    assert_eq!(
        list.as_bytes(),
        [0, 1, 0x10, 8, 2, 1, 2, 3, 0, 0, 0x09, 0x30, 0x0a, 1, 0]
    );
    // The descriptor goes before pages that are there.
    let list = ModeList::new(ModeForm::Ten)
        .page(&page)
        .page(&page)
        .medium_type(1)
        .device_specific(0x10)
        .block_descriptor(0, 0, 2048);
    assert_eq!(
        list.as_bytes(),
        [
            0, 0, 1, 0x10, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 8, 0, 0x0a, 1, 0, 0x0a, 1, 0
        ]
    );
}

#[test]
fn new_pages_have_their_whole_length() {
    fn header(page: &impl AsRef<OwnedPage>) -> [u8; 3] {
        let bytes = page.as_ref().as_bytes();
        [bytes[0], bytes[1], u8::try_from(bytes.len()).unwrap()]
    }
    assert_eq!(header(&ErrorRecovery::zeroed()), [0x01, 10, 12]);
    assert_eq!(header(&WriteParameters::zeroed()), [0x05, 50, 52]);
    assert_eq!(header(&CdDeviceParameters::zeroed()), [0x0d, 6, 8]);
    assert_eq!(header(&CdAudioControl::zeroed()), [0x0e, 14, 16]);
    let page = OwnedPage::zeroed(PageCode(0xff), 255);
    assert_eq!(page.as_bytes().len(), 257);
    assert_eq!(page.as_page().code(), PageCode(0x3f));
}

//! Headers, block descriptors and the way from page to page.

use super::*;

#[test]
fn block_descriptors_are_skipped() {
    // A disk, MODE SENSE(6): a descriptor of 8 bytes, then pages 01h and 0Ah.
    let bytes = [
        23, 0x12, 0x90, 8, 0x00, 0x3a, 0x38, 0x60, 0, 0x00, 0x02, 0x00, // header, descriptor
        0x81, 2, 0xc0, 8, // page 01h
        0x0a, 6, 1, 2, 3, 4, 5, 6, // page 0Ah
    ];
    let data = six(&bytes);
    assert_eq!(data.medium_type(), 0x12);
    assert_eq!(data.device_specific(), 0x90);
    assert_eq!(data.block_descriptor_length(), 8);
    let descriptors: Vec<_> = data.block_descriptors().collect();
    assert_eq!(descriptors.len(), 1);
    assert_eq!(descriptors[0].as_bytes(), &bytes[4..12]);
    assert_eq!(descriptors[0].density_code(), Some(0));
    assert_eq!(descriptors[0].blocks(), Some(0x3a_3860));
    assert_eq!(descriptors[0].disk_blocks(), Some(0x3a_3860));
    assert_eq!(descriptors[0].block_length(), Some(512));
    let codes: Vec<_> = data.pages().map(|page| page.code().0).collect();
    assert_eq!(codes, [0x01, 0x0a]);
    assert_eq!(data.page(PageCode(0x0a), 0).unwrap().data(), &bytes[18..]);
    assert_eq!(data.length_field_lies(), None);
    assert_eq!(data.clone().into_owned(), data);

    // A CD drive, MODE SENSE(10), whose descriptor has a density code.
    let bytes = [
        0, 18, 0x05, 0x80, 0, 0, 0, 8, 0x01, 1, 2, 3, 0xff, 0, 0x08, 0, 0x0d, 2, 0, 5,
    ];
    let data = ten(&bytes);
    assert_eq!((data.medium_type(), data.device_specific()), (5, 0x80));
    let descriptor = data.block_descriptors().next().unwrap();
    assert_eq!(descriptor.density_code(), Some(1));
    assert_eq!(descriptor.blocks(), Some(0x01_0203));
    assert_eq!(descriptor.disk_blocks(), Some(0x0101_0203));
    assert_eq!(
        descriptor.block_length(),
        Some(2048),
        "byte 4 is no part of it"
    );
    assert_eq!(data.pages().count(), 1);
}

#[test]
fn long_block_descriptors() {
    let mut bytes = vec![0, 26, 0, 0, 1, 0, 0, 16];
    bytes.extend_from_slice(&0x0102_0304_0506_0708_u64.to_be_bytes());
    bytes.extend_from_slice(&[0xff; 4]);
    bytes.extend_from_slice(&4096_u32.to_be_bytes());
    bytes.extend_from_slice(&[0x0a, 2, 1, 2]);
    let data = ten(&bytes);
    assert!(data.long_lba());
    let descriptor = data.block_descriptors().next().unwrap();
    assert_eq!(descriptor.blocks(), Some(0x0102_0304_0506_0708));
    assert_eq!(descriptor.disk_blocks(), Some(0x0102_0304_0506_0708));
    assert_eq!(descriptor.block_length(), Some(4096));
    assert_eq!(descriptor.density_code(), None);
    // The length field is too small by two: the page is cut there.
    assert_eq!(data.pages().next().unwrap().as_bytes(), [0x0a, 2, 1, 2]);
    bytes[1] = 24;
    let data = ten(&bytes);
    let page = data.pages().next().unwrap();
    assert_eq!(page.as_bytes(), [0x0a, 2]);
    assert_eq!(
        page.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 4,
            arrived: 2
        })
    );
}

#[test]
fn descriptors_said_to_reach_past_the_end_leave_no_pages() {
    let bytes = [0, 14, 0, 0, 0, 0, 0, 200, 1, 2, 3, 4, 5, 6, 7, 8];
    let data = ten(&bytes);
    assert_eq!(data.block_descriptor_bytes(), &bytes[8..]);
    assert_eq!(data.block_descriptors().count(), 1);
    assert_eq!(data.pages().count(), 0);
    assert_eq!(data.find::<Capabilities>(), Ok(None));
}

#[test]
fn subpages_have_a_longer_header() {
    let bytes = [
        0x0a, 2, 0x11, 0x22, // 0Ah
        0xca, 0x01, 0x00, 0x03, 1, 2, 3, // 0Ah/01h, saveable
        0x1c, 1, 0x33, // 1Ch
    ];
    let pages: Vec<_> = ModePages::new(&bytes).collect();
    assert_eq!(pages.len(), 3);
    assert_eq!(
        (pages[0].code(), pages[0].subpage()),
        (PageCode(0x0a), Some(0))
    );
    assert_eq!(
        (pages[1].code(), pages[1].subpage()),
        (PageCode(0x0a), Some(1))
    );
    assert!(pages[1].has_subpage() && pages[1].is_saveable());
    assert_eq!(pages[1].page_length(), Some(3));
    assert_eq!(pages[1].data(), [1, 2, 3]);
    assert_eq!(pages[2].data(), [0x33]);
    assert!(format!("{:?}", pages[1]).contains("0Ah/01h"));
    // A subpage is not the page.
    let sub = [0x41, 0x01, 0, 2, 0xff, 0xff];
    let page = ModePages::new(&sub).next().unwrap();
    assert_eq!(
        ErrorRecovery::read(&page),
        Err(Malformed::OtherPage {
            asked: 0x01,
            got: 0x01
        })
    );
}

#[test]
fn page_0_takes_the_rest() {
    let bytes = [0x08, 1, 7, 0x80, 0x20, 1, 2, 3, 4];
    let pages: Vec<_> = ModePages::new(&bytes).collect();
    assert_eq!(pages.len(), 2);
    assert_eq!(pages[1].code(), PageCode::VENDOR);
    assert!(pages[1].is_saveable());
    assert_eq!(pages[1].page_length(), None);
    assert_eq!(pages[1].length_field_lies(), None);
    assert_eq!(pages[1].as_bytes(), &bytes[3..]);
    assert_eq!(pages[1].data(), &bytes[4..]);
    // Bit 6 is no SPF there.
    assert!(!ModePages::new(&[0x40, 1]).next().unwrap().has_subpage());
}

#[test]
fn another_page_than_the_one_that_was_asked_for() {
    let bytes = [7, 0, 0, 0, 0x08, 2, 4, 0];
    assert_eq!(
        six(&bytes).find::<ErrorRecovery>(),
        Err(Malformed::OtherPage { asked: 1, got: 8 })
    );
    assert_eq!(six(&[3, 0, 0, 0]).find::<ErrorRecovery>(), Ok(None));
}

#[test]
fn cut_and_lying_lengths() {
    let bytes = [0, 40, 0, 0, 0, 0, 0, 0, 0x2a, 32];
    let cut = ModeSense10::new(PageCode::CAPABILITIES)
        .allocation_length(10)
        .parse(ReplyBytes::borrowed(&bytes))
        .unwrap();
    assert_eq!(cut.needed_length(), Some(42));
    assert_eq!(cut.length_field_lies(), None);
    let lie = ModeSense10::new(PageCode::CAPABILITIES)
        .parse(ReplyBytes::borrowed(&bytes))
        .unwrap();
    assert_eq!(lie.needed_length(), None);
    assert_eq!(
        lie.length_field_lies(),
        Some(LengthLie::TooHigh {
            claimed: 42,
            arrived: 10
        })
    );
    // ZuluSCSI#212: one byte more than asked for is not of the page.
    let more = [5, 0, 0, 0, 0x0a, 1, 0xee, 0xee];
    let data = six(&more);
    assert_eq!(data.pages().next().unwrap().as_bytes(), [0x0a, 1]);
    // The longest of MODE SENSE(6).
    let data = ModeSense6::new(PageCode::ALL)
        .allocation_length(4)
        .parse(ReplyBytes::borrowed(&[255, 0, 0, 0]))
        .unwrap();
    assert_eq!(data.needed_length(), Some(256));
}

#[test]
fn each_prefix_of_a_reply() {
    let bytes = [
        0, 22, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 8, 0, 0x0d, 6, 0, 5, 0, 60, 0, 75,
    ];
    for len in 0..=bytes.len() {
        let reply = ReplyBytes::borrowed(&bytes[..len]);
        match ModeSense10::new(PageCode::CD_DEVICE_PARAMETERS).parse(reply) {
            Err(error) => {
                assert_eq!(error, Malformed::Short { need: 8, got: len });
                assert!(len < 8);
            }
            Ok(data) => {
                assert!(len >= 8);
                assert_eq!(data.block_descriptors().count(), usize::from(len >= 16));
                let page: Option<CdDeviceParameters> = data.find().unwrap();
                assert_eq!(page.is_some(), len > 16);
                let timer = page.as_ref().and_then(CdDeviceParameters::inactivity_timer);
                assert_eq!(timer.is_some(), len >= 20);
                let frames = page
                    .as_ref()
                    .and_then(CdDeviceParameters::frames_per_second);
                assert_eq!(frames.is_some(), len >= 24);
            }
        }
    }
}

/// Page 0Dh with a subpage, of which only the first byte came.
#[test]
fn a_page_cut_before_its_subpage_code_is_no_page_without_one() {
    let data = ten(&[0, 7, 0, 0, 0, 0, 0, 0, 0x4d]);
    let page = data.pages().next().unwrap();
    assert_eq!((page.code(), page.subpage()), (PageCode(0x0d), None));
    assert!(data.page(PageCode(0x0d), 0).is_none());
    assert!(format!("{page:?}").starts_with("ModePage(0Dh"), "{page:?}");
}

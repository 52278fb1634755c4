use proptest::prelude::*;

use super::*;
use crate::scsi::{
    Command, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes,
    golden::hex,
    mmc::{RotationControl, TrackControl},
};

mod capabilities;
mod golden;
mod pages;
mod walk;

fn ten(bytes: &[u8]) -> ModeData<'_> {
    ModeData::parse(ModeForm::Ten, ReplyBytes::borrowed(bytes)).unwrap()
}

fn six(bytes: &[u8]) -> ModeData<'_> {
    ModeData::parse(ModeForm::Six, ReplyBytes::borrowed(bytes)).unwrap()
}

#[test]
fn sense_cdb_bytes() {
    let short = ModeSense6::new(PageCode(0x7f))
        .subpage(0x12)
        .control(PageControl::Saved)
        .disable_block_descriptors(true);
    assert_eq!(
        short.cdb_for(0xff).unwrap().as_bytes(),
        [0x1a, 0x08, 0xff, 0x12, 0xff, 0]
    );
    assert_eq!(short.reply_length(), 252);
    assert_eq!(short.allocation_length(7).reply_length(), 7);
    let long = ModeSense10::new(PageCode::CAPABILITIES)
        .subpage(0x12)
        .control(PageControl::Default)
        .long_lba(true);
    assert_eq!(
        long.cdb_for(0x0304).unwrap().as_bytes(),
        [0x5a, 0x10, 0xaa, 0x12, 0, 0, 0, 3, 4, 0]
    );
    let long = long.disable_block_descriptors(true).long_lba(false);
    assert_eq!(long.cdb_for(8).unwrap().as_bytes()[1], 0x08);
    assert_eq!(long.reply_length(), 252);
    for (control, bits) in [
        (PageControl::Current, 0x00),
        (PageControl::Changeable, 0x40),
        (PageControl::Default, 0x80),
        (PageControl::Saved, 0xc0),
    ] {
        let short = ModeSense6::new(PageCode(0)).control(control);
        assert_eq!(
            short.cdb_for(4).unwrap().as_bytes(),
            [0x1a, 0, bits, 0, 4, 0]
        );
        let long = ModeSense10::new(PageCode(0)).control(control);
        assert_eq!(
            long.cdb_for(8).unwrap().as_bytes(),
            [0x5a, 0, bits, 0, 0, 0, 0, 0, 8, 0]
        );
    }
    assert_eq!(PageControl::default(), PageControl::Current);
    assert_eq!(long.allocation_length(700).reply_length(), 700);
}

#[test]
fn select_cdb_bytes() {
    let save = ModeSelect6::new().save(true);
    assert_eq!(
        save.cdb_for(0x40).unwrap().as_bytes(),
        [0x15, 0x11, 0, 0, 0x40, 0]
    );
    assert_eq!(
        save.page_format(false).cdb_for(4).unwrap().as_bytes()[1],
        0x01
    );
    let save = ModeSelect10::new().save(true);
    assert_eq!(
        save.cdb_for(0x1234).unwrap().as_bytes(),
        [0x55, 0x11, 0, 0, 0, 0, 0, 0x12, 0x34, 0]
    );
    let plain = save.save(false).page_format(false);
    assert_eq!(plain.cdb_for(8).unwrap().as_bytes()[1], 0x00);
    assert_eq!(ModeSelect6::default(), ModeSelect6::new());
    assert_eq!(ModeSelect10::default(), ModeSelect10::new());
}

#[test]
fn lengths_that_no_cdb_can_say_are_refused() {
    let page = PageCode::ALL;
    for len in 0..4 {
        let short = Err(LengthMismatch::TooShort { len, min: 4 });
        assert_eq!(ModeSense6::new(page).cdb_for(len), short);
        assert_eq!(ModeSelect6::new().cdb_for(len), short);
    }
    for len in 0..8 {
        let short = Err(LengthMismatch::TooShort { len, min: 8 });
        assert_eq!(ModeSense10::new(page).cdb_for(len), short);
        assert_eq!(ModeSelect10::new().cdb_for(len), short);
    }
    let long = Err(LengthMismatch::TooLong { len: 256, max: 255 });
    assert_eq!(ModeSense6::new(page).cdb_for(256), long);
    assert_eq!(ModeSelect6::new().cdb_for(256), long);
    let long = Err(LengthMismatch::TooLong {
        len: 65_536,
        max: 65_535,
    });
    assert_eq!(ModeSense10::new(page).cdb_for(65_536), long);
    assert_eq!(ModeSelect10::new().cdb_for(65_536), long);
}

/// What every page has, found out without a panic.
fn look(data: &ModeData<'_>) -> String {
    let typed = (
        data.find::<Capabilities>(),
        data.find::<WriteParameters>(),
        data.find::<ErrorRecovery>(),
        data.find::<CdDeviceParameters>(),
        data.find::<CdAudioControl>(),
    );
    let head = (
        data.medium_type(),
        data.device_specific(),
        data.length_field_lies(),
        data.needed_length(),
    );
    let mut text = format!("{typed:?} {head:?}");
    for descriptor in data.block_descriptors() {
        text += &format!(
            "{descriptor:?} {:?} {:?} {:?} {:?}",
            descriptor.blocks(),
            descriptor.disk_blocks(),
            descriptor.density_code(),
            descriptor.block_length()
        );
    }
    for page in data.pages() {
        text += &format!("{page:?} {:?} {:?}", page.data(), page.length_field_lies());
    }
    text
}

proptest! {
    #[test]
    fn any_bytes_are_walked_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..=300),
        ten: bool,
        asked in 0_usize..400,
    ) {
        let form = if ten { ModeForm::Ten } else { ModeForm::Six };
        let data = ModeData::asked(form, ReplyBytes::borrowed(&bytes), asked);
        prop_assert_eq!(data.is_ok(), bytes.len() >= form.header());
        if let Ok(data) = data {
            look(&data);
            let walked: usize = data.pages().map(|page| page.as_bytes().len()).sum();
            let descriptors = data.block_descriptor_bytes().len();
            prop_assert!(form.header() + descriptors + walked <= bytes.len());
            prop_assert!(data.pages().all(|page| !page.as_bytes().is_empty()));
        }
    }

    #[test]
    fn small_lengths_make_many_pages(
        bytes in proptest::collection::vec(0_u8..5, 0..=300),
    ) {
        let walked: Vec<u8> = ModePages::new(&bytes)
            .flat_map(|page| page.as_bytes().to_vec())
            .collect();
        prop_assert_eq!(walked, bytes, "each byte is in one page");
    }
}

use proptest::prelude::*;

use super::*;
use crate::scsi::{Command, LengthLie, LengthMismatch, Malformed, Query, ReplyBytes};

mod cdbs;
mod data;
mod replies;
mod structures;

fn cdb(command: &impl Command, len: usize) -> Vec<u8> {
    command.cdb_for(len).unwrap().as_bytes().to_vec()
}

/// The reply to a command, as a value.
fn reply<'a, C: Query>(command: &C, bytes: &'a [u8]) -> C::Reply<'a> {
    command.parse(ReplyBytes::borrowed(bytes)).unwrap()
}

/// Asserts that fewer than `need` bytes are no reply, and so many are one.
fn least<C: Query>(command: &C, need: usize) {
    for len in 0..need {
        let bytes = vec![0; len];
        let error = command.parse(ReplyBytes::borrowed(&bytes)).err();
        assert_eq!(error, Some(Malformed::Short { need, got: len }));
    }
    assert!(command.parse(ReplyBytes::borrowed(&vec![0; need])).is_ok());
}

#[test]
fn replies_of_too_few_bytes() {
    least(&ReadBufferCapacity::new(), 4);
    least(&MechanismStatus::new(), 2);
    least(&GetEventStatus::new(EventClasses::all()), 4);
    least(&GetPerformance::write_speeds(), 8);
    least(&ReadDiscStructure::dvd(DiscStructureFormat::LIST), 4);
    least(&ReportKey::rpc_state(), 4);
    least(&ReadSubChannel::position(), 4);
}

fn look(bytes: &[u8], kind: u8, msf: bool) -> String {
    let view = || ReplyBytes::borrowed(bytes);
    let mut text = String::new();
    if let Ok(it) = BufferCapacity::parse(bytes) {
        text += &format!("{it:?} {:?} {:?}", it.length(), it.length_field_lies());
    }
    if let Ok(it) = SlotTable::parse(view()) {
        text += &format!("{:?} {:?}", it.slots().collect::<Vec<_>>(), it.fault());
        text += &format!("{:?} {:?}", it.current_slot(), it.current_lba());
        text += &format!("{:?} {:?}", it.changer(), it.length_field_lies());
        assert!(it.slots().count() <= bytes.len() / 4);
    }
    if let Ok(it) = EventStatus::parse(bytes) {
        text += &format!("{it:?} {:?} {:?}", it.media(), it.length_field_lies());
    }
    if let Ok(it) = PerformanceData::parse(PerformanceType(kind), view()) {
        text += &format!("{:?}", it.ranges().collect::<Vec<_>>());
        text += &format!("{:?}", it.exceptions().collect::<Vec<_>>());
        text += &format!("{:?}", it.write_speeds().collect::<Vec<_>>());
        text += &format!("{:?} {:?}", it.needed_length(), it.length_field_lies());
        assert!(it.descriptors().len() + 8 <= bytes.len());
    }
    let (media, format) = (DiscStructureMedia(kind & 1), DiscStructureFormat(kind >> 1));
    if let Ok(it) = DiscStructure::parse(media, format, view()) {
        text += &format!("{:?} {:?}", it.dvd_copyright(), it.dvd_manufacturer());
        text += &format!("{:?} {:?}", it.needed_length(), it.length_field_lies());
        if let Some(physical) = it.dvd_physical() {
            text += &format!("{:?} {:?}", physical.layers(), physical.last_sector());
            text += &format!("{:?}", physical.media_specific());
        }
        if let Some(disc) = it.bd_disc_information() {
            text += &format!("{:?} {:?}", disc.disc_type(), disc.has_signature());
        }
        assert!(it.data().len() + 4 <= bytes.len().max(4));
    }
    if let Ok(it) = KeyReply::parse(KeyClass::DVD, KeyFormat(kind), view()) {
        text += &format!("{:?} {:?} {:?}", it.agid(), it.rpc_state(), it.data());
        text += &format!("{:?}", it.authentication_success());
    }
    if let Ok(it) = SubChannel::parse(msf, bytes) {
        text += &format!("{:?} {:?} {:?}", it.position(), it.isrc(), it.data());
        text += &format!("{:?} {:?}", it.catalogue_number(), it.length_field_lies());
    }
    text
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..=300),
        kind in 0_u8..0x12,
        msf: bool,
    ) {
        look(&bytes, kind, msf);
    }

    #[test]
    fn what_a_length_field_excludes_is_not_read(
        bytes in proptest::collection::vec(any::<u8>(), 24..=60),
        claimed in 0_u8..20,
        kind in 0_u8..0x12,
    ) {
        // Replies whose length counts from byte 2: the rest changes nothing but that
        // more bytes arrived.
        let mut one = bytes.clone();
        one[..2].copy_from_slice(&[0, claimed]);
        let mut other = one.clone();
        other[usize::from(claimed).max(2) + 2..].fill(0x5a);
        let (media, format) = (DiscStructureMedia(kind & 1), DiscStructureFormat(kind >> 1));
        let read = |bytes: &[u8]| {
            let view = ReplyBytes::borrowed(bytes);
            let structure = DiscStructure::parse(media, format, view.clone()).unwrap();
            let key = KeyReply::parse(KeyClass::DVD, KeyFormat(kind), view).unwrap();
            let capacity = BufferCapacity::parse(bytes).unwrap();
            let event = EventStatus::parse(bytes).unwrap();
            format!(
                "{:?} {:?} {capacity:?} {:?}",
                structure.data(),
                key.data(),
                event.event()
            )
        };
        prop_assert_eq!(read(&one), read(&other));
    }
}

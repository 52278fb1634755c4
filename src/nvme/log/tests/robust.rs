//! No bytes may bring a parser down.

use proptest::prelude::*;

use crate::nvme::{Query, log::*};

/// Reads everything that has a length of its own.
fn walk(bytes: &[u8]) {
    fn of<R: LogReply>(bytes: &[u8]) -> Option<R> {
        R::from_bytes(bytes.to_vec()).ok()
    }
    if let Some(log) = of::<Ana>(bytes) {
        for group in log.groups().flatten() {
            assert!(group.namespaces().count() <= bytes.len() / 4);
        }
    }
    if let Some(log) = of::<PersistentEvents>(bytes) {
        let read: usize = log
            .events()
            .flatten()
            .map(|event| event.vendor().len() + event.data().len())
            .sum();
        assert!(read <= bytes.len());
        if let Ok(whole) = PersistentEvents::whole(log.header()) {
            let length = whole.reply_length();
            assert!(length % 4 == 0 && length as u64 <= MAX_LENGTH);
        }
    }
    if let Some(log) = of::<Telemetry>(bytes) {
        let areas = (0..=255).filter_map(|area| log.area(area));
        assert!(areas.map(<[u8]>::len).sum::<usize>() <= bytes.len());
    }
    if let Some(log) = of::<FdpConfigurations>(bytes) {
        for configuration in log.iter().flatten() {
            assert!(configuration.handles().count() <= bytes.len() / 4);
        }
    }
    if let Some(log) = of::<LbaStatus>(bytes) {
        for element in log.elements().flatten() {
            assert!(element.ranges().count() <= bytes.len() / 16);
        }
    }
    of::<FdpEvents>(bytes).map(|log| log.iter().count());
    of::<FdpHandleUsage>(bytes).map(|log| log.iter().count());
    of::<ErrorInformation>(bytes)
        .map(|log| log.entries().filter_map(|entry| entry.location()).count());
    of::<ChangedNamespaces>(bytes).map(|log| log.iter().count());
    of::<ChangedZones>(bytes).map(|log| log.iter().count());
    of::<SelfTest>(bytes).map(|log| log.results().filter_map(|result| result.nsid()).count());
    of::<SupportedLogs>(bytes).map(|log| log.iter().count());
    of::<SmartHealth>(bytes).map(|log| (0..=255).filter_map(|number| log.sensor(number)).count());
    of::<FirmwareSlots>(bytes).map(|log| (0..=255).filter_map(|slot| log.revision(slot)).count());
    of::<BootPartition>(bytes).map(|log| log.data().len());
    of::<SanitizeStatus>(bytes).map(|log| log.fraction());
    of::<EnduranceGroup>(bytes).map(|log| log.capacity());
    of::<RotationalMedia>(bytes).map(|log| log.loads());
    of::<ReservationNotification>(bytes).map(|log| log.count());
    of::<FdpStatistics>(bytes).map(|log| log.media_bytes_erased());
    of::<CommandEffects>(bytes).map(|log| log.of(crate::nvme::Queue::Io, 255).raw());
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..1500)) {
        walk(&bytes);
    }

    /// Small numbers get further than random ones.
    #[test]
    fn small_numbers(bytes in prop::collection::vec(prop_oneof![6 => Just(0_u8), 2 => 0_u8..9, 1 => any::<u8>()], 0..1500), id in 0_u8..0x20) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() {
            *first = id;
        }
        walk(&bytes);
    }
}

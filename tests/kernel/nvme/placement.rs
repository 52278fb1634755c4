//! Flexible data placement, and the log page of the Open Compute Project.

use passthru::{
    NvmeController, NvmeNamespace, NvmeTransportExt,
    nvme::{
        StatusCode,
        features::{self, FlexibleDataPlacement},
        identify::IdentifyController,
        io::{Directive, ReclaimUnitHandleStatus, ReclaimUnitHandleUpdate, Write},
        log::{
            FdpConfigurations, FdpEventSource, FdpEventType, FdpEvents, FdpHandleUsage,
            FdpStatistics, GetLog, LogId,
        },
    },
};

use super::support::{drive, number, status};
use crate::{lab::pattern, nvme_lab::namespace};

/// The only endurance group of QEMU's subsystems.
const GROUP: u16 = 1;
/// The blocks of a reclaim unit: 16 MiB.
const UNIT: u64 = (16 << 20) / 512;

fn open() -> (NvmeController, NvmeNamespace) {
    let namespace = NvmeNamespace::open_rw(namespace("PTFDP", 1).0).unwrap();
    (drive("PTFDP"), namespace)
}

/// What is left of each handle's reclaim unit.
fn available(namespace: &NvmeNamespace) -> Vec<u64> {
    let status = namespace.query(&ReclaimUnitHandleStatus::new(8)).unwrap();
    assert_eq!(status.count(), 4);
    for (handle, index) in status.handles().iter().zip(0..) {
        assert_eq!((handle.placement(), handle.handle()), (index, index));
    }
    let left = status.handles().iter().map(|handle| handle.available());
    left.collect()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_configuration_is_what_qemu_was_told_qemu10() {
    let (drive, _) = open();
    let identify = drive.query(&IdentifyController).unwrap();
    assert_eq!(identify.endurance_group_maximum(), GROUP);
    let header = drive.query(&FdpConfigurations::header_page(GROUP)).unwrap();
    assert_eq!(header.count(), 1);
    let whole = FdpConfigurations::whole(GROUP, &header).unwrap();
    let page = drive.query(&whole).unwrap();
    let all: Vec<_> = page.iter().map(Result::unwrap).collect();
    assert_eq!(all.len(), 1);
    let configuration = &all[0];
    assert!(configuration.is_valid());
    assert_eq!(configuration.reclaim_groups(), 1);
    assert_eq!(configuration.handles().count(), 4);
    assert_eq!(configuration.reclaim_unit_size(), 16 << 20);
    let feature = drive
        .execute(&FlexibleDataPlacement::get_of(GROUP))
        .unwrap();
    let feature = FlexibleDataPlacement::from_dword(feature.dword0());
    assert!(feature.is_enabled());
    assert_eq!(feature.index(), 0);
    let usage = drive.query(&FdpHandleUsage::page(GROUP, 4)).unwrap();
    assert_eq!(usage.count(), 4);
    assert_eq!(usage.iter().collect::<Vec<_>>(), [1; 4], "by the host");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn data_goes_where_its_handle_points_qemu10() {
    let (drive, namespace) = open();
    let written = || drive.query(&FdpStatistics::page(GROUP)).unwrap();
    // QEMU refuses all four at once.
    for some in [[0, 1], [2, 3]] {
        let update = ReclaimUnitHandleUpdate::new(some).unwrap();
        namespace.send(&update).unwrap();
    }
    assert_eq!(available(&namespace), [UNIT; 4]);
    let before = written();
    let data = pattern(41, 64 * 512);
    for (handle, blocks) in [(2, 64), (3, 8), (2, 16)] {
        let write = Write::new(u64::from(handle) * 1000, blocks);
        let data = &data[..blocks as usize * 512];
        namespace
            .write(&write.directive(Directive::placement(handle)), data)
            .unwrap();
    }
    assert_eq!(available(&namespace), [UNIT, UNIT, UNIT - 80, UNIT - 8]);
    let after = written();
    let host = after.host_bytes_written() - before.host_bytes_written();
    assert_eq!(host, 88 * 512);
    assert!(after.media_bytes_written() - before.media_bytes_written() >= host);
    // An update begins a new unit for those that are named.
    let two = ReclaimUnitHandleUpdate::new([2]).unwrap();
    namespace.send(&two).unwrap();
    assert_eq!(available(&namespace), [UNIT, UNIT, UNIT, UNIT - 8]);
    let nobody = ReclaimUnitHandleUpdate::new([77]).unwrap();
    assert_eq!(status(namespace.send(&nobody)), StatusCode::INVALID_FIELD);
    let mut back = vec![0; 8 * 512];
    namespace.read_blocks(3000, &mut back).unwrap();
    assert!(back == data[..8 * 512]);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn events_are_recorded_when_asked_for_qemu10() {
    let (drive, namespace) = open();
    let kind = FdpEventType::NOT_FULLY_WRITTEN;
    let recorded = || {
        let get = features::FdpEvents::get(number(1), 1, 16);
        let mut bytes = vec![0; get.data_len()];
        let completion = drive.read(&get, &mut bytes).unwrap();
        let events = features::FdpEvents::parse(&bytes, completion.dword0()).unwrap();
        let found = events.events().iter().find(|event| event.kind == kind.0);
        found.unwrap().recorded
    };
    let record = |on| {
        let set = features::FdpEvents::set(number(1), 1, 1, on);
        drive.write(&set, &[kind.0]).unwrap();
        assert_eq!(recorded(), on);
    };
    let count = || {
        let page = FdpEvents::page(GROUP, FdpEventSource::Host);
        let events = drive.query(&page).unwrap();
        let of_one = events.iter().filter(|event| {
            event.kind() == kind && event.placement() == Some(1) && event.nsid() == Some(number(1))
        });
        of_one.count()
    };
    // Each leaves a reclaim unit that is not full.
    let leave = || {
        let write = Write::new(5000, 4).directive(Directive::placement(1));
        namespace.write(&write, &pattern(42, 4 * 512)).unwrap();
        let update = ReclaimUnitHandleUpdate::new([1]).unwrap();
        namespace.send(&update).unwrap();
    };
    record(false);
    let before = count();
    leave();
    assert_eq!(count(), before);
    record(true);
    leave();
    leave();
    let after = count();
    record(false);
    assert_eq!(after, before + 2);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_page_of_the_open_compute_project_qemu10() {
    let page = GetLog::new(LogId::new(0xc0)).bytes(512);
    let bytes = drive("PTFDP").query(&page).unwrap();
    // The GUID by which such a page is known.
    let guid = u128::from_le_bytes(bytes[496..].try_into().unwrap());
    assert_eq!(guid, 0xafd5_14c9_7c6f_4f9c_a4f2_bfea_2810_afc5);
    let other = drive("PTSUB").query(&page);
    assert!(matches!(
        status(other),
        StatusCode::INVALID_FIELD | StatusCode::INVALID_LOG_PAGE
    ));
}

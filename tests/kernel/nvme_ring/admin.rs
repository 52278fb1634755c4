//! Admin commands by a ring say what they say by ioctl.

use passthru::{
    NvmeController, NvmeTransportExt,
    nvme::{
        Query, StatusCode,
        features::{DwordFeature as _, ErrorRecovery, NumberOfQueues, VolatileWriteCache},
        identify::{IdentifyController, IdentifyNamespace, ListNamespaces},
        log::{GetLog, LogId, SmartHealth},
    },
};

use super::support::{end, filled, good, plain, stale, status, succeeds};
use crate::{
    nvme::support::{drive, failure, number},
    nvme_lab::{controller, identify},
};

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn identify_and_logs_are_those_of_the_ioctl() {
    for serial in ["PTPLAIN", "PTSUB", "PTMDTS"] {
        let drive = NvmeController::open(controller(serial)).unwrap();
        let mut ring = plain();
        let node = NvmeController::open(controller(serial)).unwrap();
        let target = ring.add_controller(node).unwrap();
        // Three at once.
        let id = IdentifyNamespace::new(number(1));
        ring.read(target, &IdentifyController, stale(4096), 1)
            .unwrap();
        ring.read(target, &id, stale(4096), 2).unwrap();
        ring.read(target, &ListNamespaces::active(), stale(4096), 3)
            .unwrap();
        assert_eq!(ring.wait(3).unwrap(), 3);
        while let Some(done) = ring.pop() {
            done.result.unwrap();
            let bytes = done.buffer.unwrap();
            match done.token {
                1 => {
                    let data = IdentifyController.parse(&bytes).unwrap();
                    assert_eq!(data.serial(), serial);
                    assert!(bytes[..] == identify(serial, 1, 0, 0));
                }
                2 => {
                    let (data, known) = (id.parse(&bytes).unwrap(), drive.query(&id).unwrap());
                    assert_eq!((data.size(), data.format()), (known.size(), known.format()));
                    assert!(bytes[..] == identify(serial, 0, 0, 1));
                }
                3 => {
                    let list = ListNamespaces::active();
                    let known = drive.query(&list).unwrap();
                    assert!(list.parse(&bytes).unwrap().iter().eq(known.iter()));
                    assert!(bytes[..] == identify(serial, 2, 0, 0));
                }
                other => panic!("{other}"),
            }
        }
        let smart = SmartHealth::page();
        ring.read(target, &smart, stale(512), 4).unwrap();
        let bytes = good(&mut ring).0.buffer.unwrap();
        assert_eq!(bytes.len(), 512, "though a page was moved");
        let (data, known) = (smart.parse(&bytes).unwrap(), drive.query(&smart).unwrap());
        assert_eq!(data.temperature(), known.temperature());
        assert_eq!(data.power_on_hours(), known.power_on_hours());
        assert_eq!(data.critical_warning(), known.critical_warning());
    }
}

/// A controller may move a page whatever is wanted of it, for which there has to
/// be room; the buffer keeps its length.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_short_log_needs_room_for_a_page() {
    let mut ring = plain();
    let target = ring.add_controller(drive("PTPLAIN")).unwrap();
    let log = GetLog::new(LogId::SMART_HEALTH);
    for len in [4, 64, 512, 4096] {
        ring.read(target, &log, stale(len), 0).unwrap();
        let buffer = good(&mut ring).0.buffer.unwrap();
        assert_eq!((buffer.len(), buffer.capacity()), (len, 4096));
        assert!(buffer.iter().any(|byte| *byte != 0xee), "{len}");
    }
    // A page and a piece of another.
    ring.read(
        target,
        &GetLog::new(LogId::ERROR_INFORMATION),
        stale(4100),
        0,
    )
    .unwrap();
    let done = end(&mut ring);
    assert_eq!(done.buffer.unwrap().len(), 4100);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn features_are_got_and_set() {
    let by_ioctl = drive("PTPLAIN");
    let mut ring = plain();
    let target = ring.add_controller(drive("PTPLAIN")).unwrap();
    let mut get = |command: passthru::nvme::features::GetFeature| {
        ring.execute(target, &command, 7).unwrap();
        let (done, completion) = good(&mut ring);
        assert_eq!(done.token, 7);
        assert!(done.buffer.is_none());
        completion.result()
    };
    let queues = by_ioctl.execute(&NumberOfQueues::get()).unwrap();
    assert_ne!(queues.result(), 0);
    assert_eq!(get(NumberOfQueues::get()), queues.result());
    assert_eq!(get(VolatileWriteCache::get()), 1);
    let set = VolatileWriteCache::new(false).set();
    ring.execute(target, &set, 0).unwrap();
    succeeds(&mut ring);
    let cache = by_ioctl.execute(&VolatileWriteCache::get()).unwrap();
    by_ioctl
        .execute(&VolatileWriteCache::new(true).set())
        .unwrap();
    assert_eq!(cache.dword0(), 0);
    // Of a namespace that there is not: its status is the ioctl's.
    let nobody = ErrorRecovery::get().namespace(number(99));
    ring.execute(target, &nobody, 0).unwrap();
    let code = status(&end(&mut ring));
    let known = failure(by_ioctl.execute(&nobody)).status().unwrap();
    assert_eq!(code, known.status_code());
    assert_ne!(code, StatusCode::SUCCESS);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn data_goes_to_a_controller_too() {
    use passthru::nvme::features::{DataFeature as _, Timestamp};
    let by_ioctl = drive("PTPLAIN");
    let mut ring = plain();
    let target = ring.add_controller(drive("PTPLAIN")).unwrap();
    let then = 1_700_000_100_000;
    let bytes = Timestamp::new(then).to_bytes();
    ring.write(target, &Timestamp::set(), filled(&bytes), 0)
        .unwrap();
    assert!(good(&mut ring).0.buffer.unwrap()[..] == bytes[..]);
    let now = by_ioctl.query(&Timestamp::get()).unwrap().milliseconds();
    assert!((then..then + 60_000).contains(&now), "{now}");
}

/// I/O and admin commands side by side in one ring.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn both_queues_share_a_ring() {
    use passthru::nvme::io::Read;
    let (mut ring, namespace) = super::support::with("PTSUB", 2);
    let controller = ring.add_controller(drive("PTSUB")).unwrap();
    for token in 0..20 {
        if token % 2 == 0 {
            let read = Read::new(token, 1);
            ring.read(namespace, &read, stale(4096), token).unwrap();
        } else {
            ring.read(controller, &IdentifyController, stale(4096), token)
                .unwrap();
        }
    }
    let mut seen = 0_u32;
    while let Some(done) = ring.complete().unwrap() {
        done.result.unwrap();
        seen |= 1 << done.token;
        if done.token % 2 == 1 {
            assert_eq!(done.target, controller);
            let data = IdentifyController.parse(&done.buffer.unwrap()).unwrap();
            assert_eq!(data.serial(), "PTSUB");
        } else {
            assert_eq!(done.target, namespace);
        }
    }
    assert_eq!(seen, 0xfffff);
}

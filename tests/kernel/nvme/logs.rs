//! Log pages, before and after what they tell of.

use passthru::{
    NvmeNamespace, NvmeTransportExt,
    nvme::{
        Nsid, Queue, StatusCode,
        features::{DwordFeature as _, TemperatureThreshold},
        identify::IdentifyController,
        io::{Flush, Read, Write},
        log::{
            ChangedNamespaces, CommandEffects, CriticalWarning, ErrorInformation, FirmwareSlots,
            SanitizeStatus, SmartHealth,
        },
    },
};

use super::support::{drive, number, status};
use crate::nvme_lab::namespace;

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_health_page_counts_what_was_done() {
    let drive = drive("PTMDTS");
    let namespace = NvmeNamespace::open_rw(namespace("PTMDTS", 1).0).unwrap();
    let health = || drive.query(&SmartHealth::page()).unwrap();
    let before = health();
    assert!(!before.is_blank());
    let mut data = vec![0; 64 << 10];
    for _ in 0..20 {
        namespace.read(&Read::new(0, 128), &mut data).unwrap();
    }
    for _ in 0..10 {
        namespace.write(&Write::new(0, 128), &data).unwrap();
        namespace.execute(&Flush).unwrap();
    }
    let after = health();
    // Nobody else uses this drive: but the kernel might, so no less.
    let reads = after.host_read_commands() - before.host_read_commands();
    let writes = after.host_write_commands() - before.host_write_commands();
    assert!((20..60).contains(&reads), "{reads} reads");
    assert!((10..60).contains(&writes), "{writes} writes");
    // In thousands of 512 bytes, rounded up.
    let read = after.data_units_read() - before.data_units_read();
    let written = after.data_units_written() - before.data_units_written();
    assert!((2..10).contains(&read), "{read}");
    assert!((1..10).contains(&written), "{written}");
    // QEMU's drives have 323 K, which is 50 degrees.
    assert_eq!(after.temperature(), 323);
    assert_eq!(after.media_errors(), 0);
    assert!(after.critical_warning().is_empty());
    // Each namespace has a page of its own.
    let of_one = drive.query(&SmartHealth::page().namespace(Some(number(1))));
    assert_eq!(of_one.unwrap().temperature(), 323);
    let of_none = drive.query(&SmartHealth::page().namespace(Some(number(99))));
    assert!(of_none.is_err());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_temperature_beyond_its_threshold_is_critical() {
    let drive = drive("PTPLAIN");
    let get = || {
        let completion = drive.execute(&TemperatureThreshold::get()).unwrap();
        TemperatureThreshold::from_dword(completion.dword0())
    };
    let warning = || {
        drive
            .query(&SmartHealth::page())
            .unwrap()
            .critical_warning()
    };
    let before = get();
    assert!(before.kelvin() > 323, "{before:?}");
    assert!(warning().is_empty());
    drive
        .execute(&TemperatureThreshold::new(300).set())
        .unwrap();
    assert_eq!(get().kelvin(), 300);
    let critical = warning();
    drive.execute(&before.set()).unwrap();
    assert!(critical.contains(CriticalWarning::TEMPERATURE));
    assert_eq!(get(), before);
    assert!(warning().is_empty());
}

/// QEMU keeps no errors: it says so, and the page stays empty.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_error_page_has_no_entry_that_is_not_in_use() {
    let drive = drive("PTPLAIN");
    let namespace = NvmeNamespace::open("/dev/ng0n1").unwrap();
    let count = || {
        let health = drive.query(&SmartHealth::page()).unwrap();
        health.error_log_entries()
    };
    let before = count();
    let mut block = vec![0; 512];
    let failed = namespace.read(&Read::new(1 << 40, 1), &mut block);
    assert_eq!(status(failed), StatusCode::LBA_OUT_OF_RANGE);
    let kept = drive
        .query(&IdentifyController)
        .unwrap()
        .error_log_entries();
    let page = drive.query(&ErrorInformation::page(kept)).unwrap();
    assert_eq!(page.entries().count() as u128, count() - before);
    for entry in page.entries() {
        assert_eq!(entry.status().status_code(), StatusCode::LBA_OUT_OF_RANGE);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_firmware_page_has_one_slot() {
    let drive = drive("PTPLAIN");
    let slots = drive.query(&FirmwareSlots::page()).unwrap();
    assert_eq!((slots.active(), slots.next()), (1, None));
    // QEMU's own number for it, whatever its version is.
    assert_eq!(slots.revision(1).as_deref(), Some("1.0"));
    for slot in [0, 2, 7, 8] {
        assert_eq!(slots.revision(slot), None);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_effects_page_knows_the_commands() {
    let drive = drive("PTSUB");
    let effects = drive.query(&CommandEffects::page(0)).unwrap();
    for (queue, opcode, changes) in [
        (Queue::Io, 0x00, true),
        (Queue::Io, 0x01, true),
        (Queue::Io, 0x02, false),
        (Queue::Io, 0x05, false),
        (Queue::Io, 0x08, true),
        (Queue::Io, 0x09, true),
        (Queue::Io, 0x0c, false),
        (Queue::Io, 0x19, true),
        (Queue::Admin, 0x02, false),
        (Queue::Admin, 0x06, false),
        (Queue::Admin, 0x80, true),
    ] {
        let effects = effects.of(queue, opcode);
        assert!(effects.is_supported(), "{queue} {opcode:02x}h");
        assert_eq!(effects.changes_blocks(), changes, "{queue} {opcode:02x}h");
    }
    let attach = effects.of(Queue::Admin, 0x15);
    assert!(attach.is_supported() && attach.changes_inventory());
    for (queue, opcode) in [
        (Queue::Io, 0x0d),
        (Queue::Io, 0x0e),
        (Queue::Io, 0x80),
        (Queue::Io, 0x7d),
        (Queue::Admin, 0x84),
        (Queue::Admin, 0xc0),
    ] {
        assert!(!effects.of(queue, opcode).is_supported(), "{opcode:02x}h");
    }
    let zoned = drive.query(&CommandEffects::page(2)).unwrap();
    for opcode in [0x79, 0x7d] {
        let effects = zoned.of(Queue::Io, opcode);
        assert!(effects.is_supported() && effects.changes_blocks());
    }
    assert!(zoned.of(Queue::Io, 0x7a).is_supported());
}

/// The kernel reads it at each change, so at most the namespace is in it that
/// other tests attach.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_list_of_changed_namespaces_is_a_list() {
    let drive = drive("PTSUB");
    drive.rescan().unwrap();
    let page = ChangedNamespaces::page().retain_event(true);
    let changed = drive.query(&page).unwrap();
    assert!(!changed.overflowed());
    assert!(
        changed
            .iter()
            .all(|nsid| nsid != Nsid::ALL && nsid == number(6))
    );
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_page_that_the_controller_lacks_has_its_status() {
    let missing = drive("PTPLAIN").query(&SanitizeStatus::page());
    assert!(matches!(
        status(missing),
        StatusCode::INVALID_FIELD | StatusCode::INVALID_LOG_PAGE
    ));
}

//! Values of the library beside those of nvme-cli 2.3, for what the program
//! `nvme` does not show, or shows in another form (`nvme_example.rs` has the
//! rest).
//!
//! The differences that are meant: counts that the drive gives less one, and
//! limits whose value is "none", are real counts and `None` here.

use std::{
    path::Path,
    process::{Command, Output},
};

use passthru::{
    NvmeController, NvmeNamespace, NvmeTransportExt,
    nvme::{
        Nsid,
        features::{FeatureId, GetFeature},
        identify::{
            IdentifyDescriptors, IdentifyNvmController, IdentifyNvmNamespace,
            IdentifyPrimaryController, IdentifyZonedController, IdentifyZonedNamespace,
            ListControllers, ListNamespaces,
        },
        io::ReportZones,
        log::{ErrorInformation, FirmwareSlots, GetLog, LogId},
    },
};
use serde_json::{Value, json};

use crate::nvme_lab::{controller, namespace};

/// The example of that name comes before it in PATH.
const NVME_CLI: &str = "/usr/bin/nvme";

fn run(arguments: &[&str], node: &Path) -> Output {
    let output = Command::new(NVME_CLI)
        .args(arguments)
        .arg(node)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    output
}

fn theirs(arguments: &[&str], node: &Path) -> Value {
    let output = run(&[arguments, &["-o", "json"]].concat(), node);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"))
}

fn open(serial: &str) -> NvmeController {
    NvmeController::open(controller(serial)).unwrap()
}

fn nsid(number: u32) -> Nsid {
    Nsid::new(number).unwrap()
}

/// A limit as nvme-cli gives it: less one, and all bits set for none.
fn less_one(limit: Option<u32>) -> u32 {
    limit.map_or(u32::MAX, |limit| limit - 1)
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zoned_namespaces_and_controllers() {
    let (generic, block) = namespace("PTSUB", 5);
    let zoned = NvmeNamespace::open(&generic).unwrap();
    let data = zoned.query(&IdentifyZonedNamespace::new(nsid(5))).unwrap();
    let theirs_id = theirs(&["zns", "id-ns"], &block);
    let ours = json!({
        "zoc": data.characteristics().bits(),
        "ozcs": data.commands().bits(),
        "mar": less_one(data.max_active()),
        "mor": less_one(data.max_open()),
        "numzrwa": data.random_write_areas(),
        "zrwafg": data.random_write_flush_granularity(),
        "zrwasz": data.random_write_area_size(),
        "zrwacap": u8::from(data.random_write_explicit_flush()),
        "rrl": data.reset_limit(0).unwrap_or(0),
        "rrl1": data.reset_limit(1).unwrap_or(0),
        "rrl2": data.reset_limit(2).unwrap_or(0),
        "rrl3": data.reset_limit(3).unwrap_or(0),
        "frl": data.finish_limit(0).unwrap_or(0),
        "frl1": data.finish_limit(1).unwrap_or(0),
        "frl2": data.finish_limit(2).unwrap_or(0),
        "frl3": data.finish_limit(3).unwrap_or(0),
    });
    for (key, value) in ours.as_object().unwrap() {
        assert_eq!(&theirs_id[key], value, "{key}");
    }
    let formats = theirs_id["lbafe"].as_array().unwrap();
    assert!(!formats.is_empty());
    for (index, format) in (0..).zip(formats) {
        assert_eq!(
            format["zsze"],
            data.zone_size(index).unwrap_or(0),
            "{index}"
        );
        assert_eq!(
            format["zdes"],
            data.zone_descriptor_extension(index),
            "{index}"
        );
    }
    let data = open("PTSUB").query(&IdentifyZonedController).unwrap();
    let zasl = theirs(&["zns", "id-ctrl"], &controller("PTSUB"))["zasl"]
        .as_u64()
        .unwrap();
    let limit = (zasl > 0).then(|| 4096u64 << zasl);
    assert_eq!(data.max_append(4096), limit);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zones() {
    let (generic, block) = namespace("PTSUB", 5);
    let zoned = NvmeNamespace::open(&generic).unwrap();
    let report = zoned.query(&ReportZones::new(0, 16)).unwrap();
    let theirs = theirs(&["zns", "report-zones"], &block);
    assert_eq!(theirs["nr_zones"], report.count());
    let list = theirs["zone_list"].as_array().unwrap();
    assert_eq!(list.len(), report.zones().len());
    for (zone, other) in report.zones().iter().zip(list) {
        assert_eq!(other["slba"], zone.start());
        assert_eq!(other["cap"], zone.capacity());
        assert_eq!(other["attrs"], zone.attributes().0);
        if let Some(pointer) = zone.write_pointer() {
            assert_eq!(other["wp"], pointer);
        }
        // Their names are the kernel's.
        let state = match zone.state().0 {
            0x1 => "EMPTY",
            0x2 => "IMP_OPENED",
            0x3 => "EXP_OPENED",
            0x4 => "CLOSED",
            0xd => "READONLY",
            0xe => "FULL",
            0xf => "OFFLINE",
            other => panic!("{other}"),
        };
        assert_eq!(other["state"], state, "{}", zone.state());
        assert_eq!(other["type"], "SEQWRITE_REQ");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn the_nvm_command_set() {
    let drive = open("PTPLAIN");
    let data = drive.query(&IdentifyNvmController).unwrap();
    let theirs_id = theirs(&["nvm-id-ctrl"], &controller("PTPLAIN"));
    let size = |key: &str| {
        let power = theirs_id[key].as_u64().unwrap();
        (power > 0).then(|| 4096u64 << power)
    };
    assert_eq!(data.max_verify(4096), size("vsl"));
    assert_eq!(data.max_write_zeroes(4096), size("wzsl"));
    assert_eq!(data.max_write_uncorrectable(4096), size("wusl"));
    let none_at_zero = |key: &str| theirs_id[key].as_u64().filter(|value| *value > 0);
    assert_eq!(
        data.max_dataset_ranges().map(u64::from),
        none_at_zero("dmrl")
    );
    assert_eq!(
        data.max_dataset_range_blocks().map(u64::from),
        none_at_zero("dmrsl")
    );
    assert_eq!(data.max_dataset_blocks(), none_at_zero("dmsl"));

    for (serial, number) in [("PTPLAIN", 1), ("PTSUB", 3)] {
        let data = open(serial)
            .query(&IdentifyNvmNamespace::new(nsid(number)))
            .unwrap();
        let theirs = theirs(&["nvm-id-ns"], &namespace(serial, number).1);
        assert_eq!(theirs["lbstm"], data.storage_tag_mask());
        assert_eq!(theirs["pic"], data.guard_capabilities().bits());
        let formats = theirs["elbafs"].as_array().unwrap();
        assert!(!formats.is_empty());
        for (index, format) in (0..).zip(formats) {
            assert_eq!(
                format["sts"],
                data.storage_tag_size(index).unwrap(),
                "{index}"
            );
            assert_eq!(format["pif"], data.guard(index).unwrap().raw(), "{index}");
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lists_and_capabilities() {
    let (drive, node) = (open("PTSUB"), controller("PTSUB"));
    let ours: Vec<_> = drive
        .query(&ListNamespaces::active())
        .unwrap()
        .iter()
        .map(|nsid| json!({ "nsid": nsid.get() }))
        .collect();
    assert_eq!(theirs(&["list-ns"], &node)["nsid_list"], json!(ours));
    let ours: Vec<_> = drive
        .query(&ListControllers::all())
        .unwrap()
        .ids()
        .iter()
        .map(|id| json!({ "ctrl_id": id }))
        .collect();
    assert_eq!(theirs(&["list-ctrl"], &node)["ctrl_list"], json!(ours));

    let data = drive.query(&IdentifyPrimaryController::new(0)).unwrap();
    let theirs = theirs(&["primary-ctrl-caps"], &node);
    for (key, value) in [
        ("cntlid", u64::from(data.controller_id())),
        ("portid", data.port_id().into()),
        ("crt", data.resource_types().bits().into()),
        ("vqfrt", data.flexible_queues().into()),
        ("vqrfa", data.assigned_queues().into()),
        ("vqrfap", data.primary_queues().into()),
        ("vqprt", data.private_queues().into()),
        ("vqfrsm", data.secondary_queues_maximum().into()),
        ("vqgran", data.queue_granularity().into()),
        ("vifrt", data.flexible_interrupts().into()),
        ("virfa", data.assigned_interrupts().into()),
        ("virfap", data.primary_interrupts().into()),
        ("viprt", data.private_interrupts().into()),
        ("vifrsm", data.secondary_interrupts_maximum().into()),
        ("vigran", data.interrupt_granularity().into()),
    ] {
        assert_eq!(theirs[key], value, "{key}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn identification_descriptors() {
    for number in 1..=5 {
        let (generic, block) = namespace("PTSUB", number);
        let theirs = theirs(&["ns-descs"], &block);
        let theirs = theirs["ns-descs"].as_array().unwrap();
        let namespace = NvmeNamespace::open(&generic).unwrap();
        let ours = namespace
            .query(&IdentifyDescriptors::new(nsid(number)))
            .unwrap();
        assert!(!theirs.is_empty());
        let set = theirs.iter().find(|entry| entry["type"] == "csi").unwrap();
        let ours_set = ours.command_set().unwrap();
        let theirs_set = set["csi"].as_str().unwrap().trim_start_matches("0x");
        let theirs_set = u8::from_str_radix(theirs_set, 16).unwrap();
        assert_eq!(theirs_set, ours_set.raw(), "{number}");
        assert_eq!(ours.iter().count(), theirs.len(), "{number}");
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn errors_and_firmware() {
    let (drive, node) = (open("PTSUB"), controller("PTSUB"));
    let log = drive.query(&ErrorInformation::page(1)).unwrap();
    let theirs_log = theirs(&["error-log", "-e", "1"], &node);
    let other = &theirs_log["errors"].as_array().unwrap()[0];
    // An entry that was never used is not given here.
    if let Some(entry) = log.entries().next() {
        assert_eq!(other["error_count"], entry.count());
        assert_eq!(other["lba"], entry.lba());
        assert_eq!(other["nsid"], entry.nsid().map_or(0, Nsid::get));
        assert_eq!(other["status_field"], entry.status().raw());
        assert_eq!(other["trtype"], entry.transport());
        assert_eq!(other["cs"], entry.command_specific());
        assert_eq!(other["trtype_spec_info"], entry.transport_specific());
    } else {
        assert_eq!(other["error_count"], 0);
    }

    let slots = drive.query(&FirmwareSlots::page()).unwrap();
    let name = node.file_name().unwrap().to_str().unwrap();
    let theirs = &theirs(&["fw-log"], &node)[name];
    assert_eq!(theirs["Active Firmware Slot (afi)"], slots.active());
    let revision = theirs["Firmware Rev Slot 1"].as_str().unwrap();
    // "number (text)", with dots for what does not print.
    let text = revision.split(['(', ')']).nth(1).unwrap();
    let ours = slots.revision(1).unwrap();
    assert_eq!(text.trim_end_matches('.'), ours.trim_end());
    assert!(!ours.trim().is_empty());
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn features() {
    let (drive, node) = (open("PTPLAIN"), controller("PTPLAIN"));
    // Arbitration, power management, temperature threshold, error recovery,
    // volatile write cache, number of queues, write atomicity, events.
    for id in [0x01u8, 0x02, 0x04, 0x06, 0x07, 0x0a, 0x0b] {
        let output = run(&["get-feature", "-f", &id.to_string()], &node);
        let text = String::from_utf8(output.stdout).unwrap();
        // Zero has no prefix there.
        let (_, rest) = text.split_once("Current value:").unwrap();
        let digits = rest.strip_prefix("0x").unwrap_or(rest);
        let hex: String = digits.chars().take_while(char::is_ascii_hexdigit).collect();
        let value = u32::from_str_radix(&hex, 16).unwrap();
        let ours = drive.execute(&GetFeature::new(FeatureId(id))).unwrap();
        assert_eq!(ours.dword0(), value, "{id:#x}: {text}");
    }
}

/// The bytes of any log page.
fn log_bytes(serial: &str, id: u8, length: usize, identifier: u16) {
    let (drive, node) = (open(serial), controller(serial));
    let log = GetLog::new(LogId::new(id)).specific_identifier(identifier);
    let ours = drive.query(&log.bytes(length)).unwrap();
    let output = run(
        &[
            "get-log",
            "-i",
            &id.to_string(),
            "-l",
            &length.to_string(),
            "-S",
            &identifier.to_string(),
            "-b",
        ],
        &node,
    );
    assert_eq!(output.stdout.len(), length, "{id:#x}");
    // The counters of commands move between the two.
    let same = ours
        .iter()
        .zip(&output.stdout)
        .filter(|(one, other)| one == other)
        .count();
    let most = if id == 2 { length - 16 } else { length };
    assert!(same >= most, "{id:#x}: {same} of {length} bytes");
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn any_log_page() {
    for serial in ["PTPLAIN", "PTSUB", "PTMDTS"] {
        for (id, length) in [(1, 64), (2, 512), (3, 512), (4, 4096), (5, 4096), (5, 1000)] {
            log_bytes(serial, id, length, 0);
        }
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn log_pages_of_data_placement_qemu10() {
    for (id, length) in [(0x20, 16), (0x20, 512), (0x21, 40), (0x22, 64), (0x23, 64)] {
        log_bytes("PTFDP", id, length, 1);
    }
    log_bytes("PTFDP", 0xc0, 512, 0);
}

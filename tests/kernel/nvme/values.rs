//! What Identify says, beside what the kernel says in sysfs and what QEMU was
//! told.

use std::{fs, path::Path};

use passthru::{
    NvmeController, NvmeNamespace, NvmeTransport, NvmeTransportExt,
    nvme::{
        Format, StatusCode,
        identify::{
            CommandSet, ControllerType, IdentifyController, IdentifyDescriptors, IdentifyNamespace,
            IdentifyNvmNamespace, IdentifyZonedController, IdentifyZonedNamespace, ListControllers,
            ListNamespaces,
        },
    },
};

use super::support::{number, status};
use crate::nvme_lab::{controller, namespaces};

/// The drives that both emulators have.
const DRIVES: [&str; 4] = ["PTPLAIN", "PTSUB", "PTMDTS", "PTSLOW"];

fn attribute(class: &str, node: &Path, name: &str) -> Option<String> {
    let folder = Path::new("/sys/class").join(class);
    let file = folder.join(node.file_name().unwrap()).join(name);
    Some(fs::read_to_string(file).ok()?.trim().to_owned())
}

fn open(serial: &str) -> NvmeController {
    NvmeController::open(controller(serial)).unwrap()
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn controllers_are_as_sysfs_has_them() {
    for serial in DRIVES {
        let drive = open(serial);
        let data = drive.query(&IdentifyController).unwrap();
        let sysfs = |name| attribute("nvme", drive.path(), name).unwrap();
        assert_eq!(data.serial(), sysfs("serial"));
        assert_eq!(data.model(), sysfs("model"));
        assert_eq!(data.firmware_revision(), sysfs("firmware_rev"));
        assert_eq!(data.controller_id().to_string(), sysfs("cntlid"));
        assert_eq!(data.subsystem_nqn(), sysfs("subsysnqn"));
        assert_eq!(data.controller_type(), ControllerType::IO);
        assert_eq!(sysfs("cntrltype"), "io");
        assert_eq!(
            (data.vendor_id(), data.subsystem_vendor_id()),
            (0x1b36, 0x1af4)
        );
        // MDTS 7 and 5, of pages of 4096 bytes, and what the kernel makes of it.
        let limit = if serial == "PTMDTS" { 128 } else { 512 } << 10;
        assert_eq!(data.max_transfer(4096), Some(limit));
        assert_eq!(drive.max_transfer(), Some(limit as usize));
        assert_eq!(data.submission_entry_sizes(), (64, 64));
        assert_eq!(data.completion_entry_sizes(), (16, 16));
        assert!(data.has_write_cache());
        assert!(data.error_log_entries() >= 1);
        assert!(data.namespaces() >= 1);
        assert_eq!(data.power_states().len(), 1);
    }
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn namespaces_are_as_sysfs_has_them() {
    for serial in DRIVES {
        for (nsid, generic, block) in namespaces(serial) {
            let namespace = NvmeNamespace::open(&generic).unwrap();
            let sysfs = |name| attribute("block", &block, name).unwrap();
            assert_eq!(namespace.nsid().to_string(), sysfs("nsid"));
            let data = namespace
                .query(&IdentifyNamespace::new(number(nsid)))
                .unwrap();
            let format = namespace.format().unwrap().unwrap();
            assert_eq!(data.format(), Some(format), "{serial} {nsid}");
            assert_eq!(
                format.block_length().to_string(),
                sysfs("queue/logical_block_size")
            );
            let bytes = data.size() * u64::from(format.block_length());
            // The kernel has no block I/O for metadata that it does not know.
            let usable = !format.is_extended();
            assert_eq!(
                sysfs("size"),
                (if usable { bytes / 512 } else { 0 }).to_string()
            );
            assert_eq!(
                (data.capacity(), data.utilization()),
                (data.size(), data.size())
            );
            assert_eq!(data.formats().count(), 8);
            let found = data.formats().nth(data.format_index().into()).unwrap();
            assert_eq!(found.block_length(), Some(format.block_length()));
            assert_eq!(found.metadata_size(), format.metadata_size());
            assert_eq!(data.protection_type(), u8::from(nsid == 3));
            identifiers(&namespace, &block);
        }
    }
}

/// The name that the kernel gives a namespace is the best of its identifiers.
fn identifiers(namespace: &NvmeNamespace, block: &Path) {
    let nsid = namespace.nsid();
    let found = namespace.query(&IdentifyDescriptors::new(nsid)).unwrap();
    let data = namespace.query(&IdentifyNamespace::new(nsid)).unwrap();
    let wwid = attribute("block", block, "wwid").unwrap();
    let nguid = found.nguid().or_else(|| data.nguid());
    let eui64 = found.eui64().or_else(|| data.eui64());
    match (found.uuid(), nguid, eui64) {
        (Some(uuid), ..) => assert_eq!(wwid, format!("uuid.{uuid}")),
        (None, Some(nguid), _) => assert_eq!(wwid, format!("eui.{nguid}")),
        (None, None, Some(eui64)) => assert_eq!(wwid, format!("eui.{eui64}")),
        (None, None, None) => assert!(wwid.starts_with("nvme.1b36-"), "{wwid}"),
    }
    if let Some(uuid) = found.uuid() {
        assert_eq!(attribute("block", block, "uuid").unwrap(), uuid.to_string());
    }
    let zoned = attribute("block", block, "queue/zoned").unwrap() == "host-managed";
    let set = found.command_set();
    let expected = if zoned {
        CommandSet::ZONED
    } else {
        CommandSet::NVM
    };
    assert_eq!(set.unwrap_or(CommandSet::NVM), expected, "{wwid}");
    assert!(set.is_some() || !zoned);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn lists_have_what_is_there() {
    let drive = open("PTSUB");
    let numbers = |query: &ListNamespaces| -> Vec<u32> {
        let list = drive.query(query).unwrap();
        assert!(!list.is_full());
        assert_eq!(list.len(), list.iter().count());
        list.iter().map(|nsid| nsid.get()).collect()
    };
    assert_eq!(numbers(&ListNamespaces::active()), [1, 2, 3, 4, 5]);
    assert_eq!(numbers(&ListNamespaces::active().after(number(3))), [4, 5]);
    assert!(numbers(&ListNamespaces::active().after(number(5))).is_empty());
    assert_eq!(numbers(&ListNamespaces::allocated()), [1, 2, 3, 4, 5, 6]);
    let zoned = ListNamespaces::active().command_set(CommandSet::ZONED);
    assert_eq!(numbers(&zoned), [5]);
    let plain = ListNamespaces::active().command_set(CommandSet::NVM);
    assert_eq!(numbers(&plain), [1, 2, 3, 4]);

    let own = drive.query(&IdentifyController).unwrap().controller_id();
    let all = drive.query(&ListControllers::all()).unwrap();
    assert_eq!(all.ids(), [own]);
    let of_one = ListControllers::attached_to(number(1));
    assert_eq!(drive.query(&of_one).unwrap().ids(), [own]);
    let behind = ListControllers::all().from(own + 1);
    assert!(drive.query(&behind).unwrap().ids().is_empty());
}

/// Of one that is not attached there is the allocated structure alone.
#[test]
#[ignore = "needs the VM: cargo vm test"]
fn a_namespace_that_is_not_attached_has_a_structure() {
    let drive = open("PTSUB");
    let data = drive
        .query(&IdentifyNamespace::allocated(number(6)))
        .unwrap();
    assert_eq!(data.size(), (16 << 20) / 512);
    assert_eq!(data.format(), Some(Format::new(512)));
    let inactive = drive.query(&IdentifyNamespace::new(number(6))).unwrap();
    assert_eq!(inactive.size(), 0, "zeros");
    let nobody = drive.query(&IdentifyNamespace::allocated(number(4000)));
    assert!(nobody.is_err() || nobody.unwrap().size() == 0);
    let none = drive.query(&IdentifyZonedNamespace::new(number(1)));
    assert_eq!(status(none), StatusCode::INVALID_FIELD);
}

#[test]
#[ignore = "needs the VM: cargo vm test"]
fn zoned_namespaces_are_as_qemu_was_told() {
    let drive = open("PTSUB");
    let data = drive
        .query(&IdentifyZonedNamespace::new(number(5)))
        .unwrap();
    assert_eq!((data.max_open(), data.max_active()), (Some(4), Some(8)));
    let index = drive
        .query(&IdentifyNamespace::new(number(5)))
        .unwrap()
        .format_index();
    // 4 MiB of 4096 bytes; the kernel counts sectors of 512.
    assert_eq!(data.zone_size(index), Some(1024));
    let (_, _, block) = namespaces("PTSUB")
        .into_iter()
        .find(|(nsid, ..)| *nsid == 5)
        .unwrap();
    let sysfs = |name| attribute("block", &block, name).unwrap();
    assert_eq!(sysfs("queue/chunk_sectors"), (1024 * 8).to_string());
    assert_eq!(sysfs("queue/nr_zones"), "16");
    assert_eq!(data.zone_descriptor_extension(index), 0);
    assert_eq!(data.random_write_areas(), 0);
    let data = drive.query(&IdentifyZonedController).unwrap();
    // No limit of its own: as much as any command.
    assert!(matches!(data.max_append(4096), None | Some(524_288)));
    let data = drive.query(&IdentifyNvmNamespace::new(number(1))).unwrap();
    assert_eq!(data.storage_tag_mask(), 0);
}

use std::fs;

use proptest::prelude::*;

use super::*;
use crate::{
    discover::{
        Transport,
        tree::{Tree, inquiry},
    },
    scsi::VpdCode,
};

const HOST: &str = "devices/pci0000:00/0000:00:02.0/host2";

fn unit(target: u32, lun: u64) -> String {
    format!("{HOST}/target2:0:{target}/2:0:{target}:{lun}")
}

#[test]
fn units_have_their_nodes_and_the_order_of_numbers() {
    let tree = Tree::new();
    let disk = inquiry(0, "ACME", "DISK", "1.0");
    tree.unit(
        &unit(0, 10),
        &disk,
        &[
            ("scsi_generic", "sg10"),
            ("block", "sdk"),
            ("bsg", "2:0:0:10"),
        ],
    );
    tree.unit(&unit(0, 9), &disk, &[("scsi_generic", "sg9")]);
    tree.unit(
        &unit(3, 0),
        &inquiry(1, "TAPES", "LTO", "A"),
        &[
            ("scsi_generic", "sg2"),
            ("scsi_tape", "st0"),
            ("scsi_tape", "st0a"),
            ("scsi_tape", "nst0"),
            ("scsi_tape", "nst0m"),
        ],
    );
    tree.unit(
        &unit(4, 0),
        &inquiry(8, "TAPES", "LIB", "A"),
        &[("scsi_changer", "sch0")],
    );
    // No node at all: its folder is found by the class of units.
    tree.unit(
        "devices/platform/host10/target10:0:0/10:0:0:0",
        &inquiry(13, "ACME", "SHELF", ""),
        &[],
    );
    // What is not a unit's.
    tree.link("class/bsg", &format!("{HOST}/bsg/sas_host2"));
    tree.link("block", "devices/virtual/block/loop0");
    tree.link("class/scsi_device", "devices/nothing");
    tree.link("class/scsi_generic", "devices/x/host9/sgx");

    let units = tree.sysfs().scsi().unwrap();
    let lines: Vec<_> = units.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "2:0:0:9 disk ACME DISK 1.0 /dev/sg9",
            "2:0:0:10 disk ACME DISK 1.0 /dev/sg10 /dev/bsg/2:0:0:10 /dev/sdk",
            "2:0:3:0 tape TAPES LTO A /dev/sg2 /dev/st0 /dev/nst0",
            "2:0:4:0 medium changer TAPES LIB A /dev/sch0",
            "10:0:0:0 enclosure services ACME SHELF",
        ]
    );
    assert_eq!(units[1].sysfs(), tree.path(&unit(0, 10)));
    assert_eq!(units[1].bsg(), Some(Path::new("/dev/bsg/2:0:0:10")));
    assert_eq!(units[2].tape(), Some(Path::new("/dev/st0")));
    assert_eq!(units[2].tape_no_rewind(), Some(Path::new("/dev/nst0")));
    assert_eq!(units[2].is_removable(), Some(false));
    assert_eq!(units[0].inquiry().unwrap().product(), "DISK");
}

/// Its links are there, but not its folder; or only its folder is left.
#[test]
fn what_has_vanished_is_left_out() {
    let tree = Tree::new();
    tree.unit(&unit(0, 0), &inquiry(0, "A", "B", "C"), &[]);
    let gone = unit(0, 1);
    tree.dead_link("class/scsi_device", &format!("{gone}/scsi_device/2:0:0:1"));
    tree.dead_link("class/scsi_generic", &format!("{gone}/scsi_generic/sg1"));
    tree.link(
        "class/scsi_device",
        &format!("{}/scsi_device/2:0:0:2", unit(0, 2)),
    );
    // A node of a unit that was not there yet.
    tree.link(
        "class/scsi_generic",
        &format!("{}/scsi_generic/sg3", unit(0, 3)),
    );
    let units = tree.sysfs().scsi().unwrap();
    assert_eq!(units.len(), 1);
    assert_eq!(units[0].address().lun, 0);

    fs::remove_dir_all(tree.path(&unit(0, 0))).unwrap();
    for value in [
        units[0].serial(),
        units[0].wwid(),
        units[0].state(),
        units[0].transport_address(),
    ] {
        assert_eq!(value, None);
    }
    assert_eq!(units[0].inquiry(), None);
    assert_eq!(units[0].size(), None);
    assert!(tree.sysfs().scsi().unwrap().is_empty());
}

#[test]
fn an_error_is_not_taken_for_an_empty_machine() {
    let tree = Tree::new();
    tree.link(
        "class/scsi_device",
        &format!("{}/scsi_device/2:0:0:0", unit(0, 0)),
    );
    // A folder where the kernel has a file.
    tree.folder(&format!("{}/type", unit(0, 0)));
    let error = tree.sysfs().scsi().unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::EISDIR));
}

#[test]
fn the_kind_is_what_the_kernel_takes_it_for() {
    let tree = Tree::new();
    let kind = |lun, device_type: u8, nodes: &[(&str, &str)], file: Option<&str>| {
        let folder = unit(1, lun);
        tree.unit(&folder, &inquiry(device_type, "A", "B", "C"), nodes);
        if let Some(file) = file {
            tree.file(&format!("{folder}/type"), file);
        }
    };
    // The file is read only where there is a doubt.
    kind(0, 0, &[("block", "sda")], Some("31\n"));
    kind(1, 0x20, &[("block", "sr0")], Some("5\n"));
    kind(2, 4, &[("block", "sr1")], None);
    kind(3, 0x85, &[], None);
    kind(0xc101, 0, &[], None);
    kind(5, 5, &[("block", "sdb")], Some("0\n"));
    // In doubt, and the kernel says no more: it has vanished.
    kind(6, 5, &[("block", "sdc")], None);
    let units = tree.sysfs().scsi().unwrap();
    let found: Vec<_> = units
        .iter()
        .map(|unit| (unit.address().lun, unit.device_type().0))
        .collect();
    assert_eq!(
        found,
        [(0, 0), (1, 5), (2, 4), (3, 5), (5, 0), (0xc101, 0x1e)]
    );
}

/// Kernels without the file `inquiry`, and devices that gave less than 36 bytes.
#[test]
fn names_come_from_other_files_too() {
    let tree = Tree::new();
    for (lun, bytes) in [(0, None), (1, Some([0; 35]))] {
        let folder = unit(0, lun);
        tree.link(
            "class/scsi_device",
            &format!("{folder}/scsi_device/2:0:0:{lun}"),
        );
        if let Some(bytes) = bytes {
            tree.file(&format!("{folder}/inquiry"), bytes);
        }
        tree.file(&format!("{folder}/type"), "14\n");
        tree.file(&format!("{folder}/vendor"), "ACME    \n");
        tree.file(&format!("{folder}/model"), "A LONG NAME OF 16 AND MORE\n");
    }
    let units = tree.sysfs().scsi().unwrap();
    assert_eq!(units.len(), 2);
    for unit in units {
        assert_eq!(unit.device_type(), DeviceType::SIMPLE_DISK);
        assert_eq!(unit.vendor(), "ACME");
        assert_eq!(unit.model(), "A LONG NAME OF 1");
        assert!(unit.revision().is_empty());
        assert_eq!(unit.is_removable(), None);
    }
}

#[test]
fn control_characters_stay_in_the_bytes_and_out_of_the_text() {
    let tree = Tree::new();
    let mut bytes = inquiry(0, "\x1b[31mBAD", "M\nODEL", "\u{7f}");
    bytes[1] = 0x80;
    tree.unit(&unit(0, 0), &bytes, &[]);
    tree.file(&format!("{}/wwid", unit(0, 0)), "t10.\x1b[0m\n");
    let units = tree.sysfs().scsi().unwrap();
    assert_eq!(units[0].vendor().as_bytes(), b"\x1b[31mBAD");
    assert_eq!(units[0].is_removable(), Some(true));
    let wwid = units[0].wwid().unwrap();
    assert_eq!(wwid.as_bytes(), b"t10.\x1b[0m");
    assert_eq!(wwid, "t10.\x1b[0m");
    for text in [
        units[0].to_string(),
        wwid.to_string(),
        format!("{:?} {wwid:?}", units[0]),
    ] {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

#[test]
fn serial_numbers_end_where_the_page_ends() {
    let tree = Tree::new();
    let folder = unit(0, 0);
    tree.unit(&folder, &inquiry(0, "A", "B", "C"), &[]);
    let unit = tree.sysfs().scsi().unwrap().remove(0);
    assert_eq!(unit.serial(), None);
    for (bytes, serial) in [
        (&b"\0\x80\0\x06  AB12"[..], Some("AB12")),
        // Longer than its length says, and shorter.
        (b"\0\x80\0\x02AB12", Some("AB")),
        (b"\0\x80\xff\xffAB12", Some("AB12")),
        (b"\0\x80\0\x04    ", None),
        (b"\0\x80\0\0", None),
        (b"\0\x83\0\x04AB12", None),
        (b"\0\x80", None),
        (b"", None),
    ] {
        tree.file(&format!("{folder}/vpd_pg80"), bytes);
        let found = unit.serial();
        assert_eq!(
            found.as_ref().map(|text| text.trimmed()),
            serial.map(Into::into)
        );
    }
    tree.file(&format!("{folder}/vpd_pg80"), b"\0\x80\0\x06  AB12");
    assert_eq!(unit.serial().unwrap().as_bytes(), b"  AB12");
    tree.file(&format!("{folder}/vpd_pgb1"), b"\0\xb1\0\x02\0\x01");
    assert_eq!(unit.vpd(VpdCode(0xb1)).unwrap().data(), [0, 1]);
    assert_eq!(unit.vpd(VpdCode(0xb2)), None);
}

#[test]
fn sizes_are_in_bytes() {
    let tree = Tree::new();
    let folder = unit(0, 0);
    tree.unit(&folder, &inquiry(0, "A", "B", "C"), &[("block", "sda")]);
    let unit = tree.sysfs().scsi().unwrap().remove(0);
    assert_eq!((unit.size(), unit.logical_block_size()), (None, None));
    let block = format!("{folder}/block/sda");
    tree.file(&format!("{block}/queue/logical_block_size"), "4096\n");
    tree.file(&format!("{block}/size"), "16\n");
    assert_eq!(unit.size(), Some(8192));
    assert_eq!(unit.logical_block_size(), Some(4096));
    // More than 64 bits of bytes.
    tree.file(&format!("{block}/size"), "36028797018963968\n");
    assert_eq!(unit.size(), None);
}

#[test]
fn transports() {
    let tree = Tree::new();
    let place = |host: u32, above: &str, below: &str| {
        format!("devices/{above}/host{host}{below}/target{host}:0:0/{host}:0:0:0")
    };
    let pci = "pci0000:00/0000:00:1f.2";
    let cases = [
        (1, format!("{pci}/ata3"), "", Transport::Ata, Some("ata3")),
        (
            2,
            format!("{pci}/usb1/1-2/1-2:1.0"),
            "",
            Transport::Usb,
            Some("1-2:1.0"),
        ),
        (
            3,
            format!("{pci}/virtio4"),
            "",
            Transport::Virtio,
            Some("virtio4"),
        ),
        (
            4,
            pci.to_owned(),
            "/port-4:0/end_device-4:0",
            Transport::Sas,
            Some("0x5000c50012345678"),
        ),
        (
            5,
            "platform".to_owned(),
            "/session7",
            Transport::Iscsi,
            Some("iqn.2001-04.com.example:disk"),
        ),
        (
            6,
            pci.to_owned(),
            "/rport-6:0-1",
            Transport::FibreChannel,
            Some("0x21000024ff123456"),
        ),
        (
            7,
            "pseudo_0/adapter0".to_owned(),
            "",
            Transport::Other("scsi_debug".to_owned()),
            None,
        ),
        (
            8,
            format!("{pci}/fw1/fw1.0"),
            "",
            Transport::FireWire,
            Some("fw1.0"),
        ),
        (9, "platform/ufs".to_owned(), "", Transport::Ufs, None),
        (
            11,
            pci.to_owned(),
            // Below the host adapter: a SATA drive behind something else.
            "/port-11:0/ata5",
            Transport::Other(String::new()),
            None,
        ),
    ];
    for (host, above, below, ..) in &cases {
        let folder = place(*host, above, below);
        tree.unit(&folder, &inquiry(0, "A", "B", "C"), &[]);
    }
    let host = |number: u32, above: &str| format!("devices/{above}/host{number}");
    tree.folder(&format!("{}/sas_host/host4", host(4, pci)));
    tree.folder(&format!("{}/iscsi_host/host5", host(5, "platform")));
    tree.folder(&format!("{}/fc_host/host6", host(6, pci)));
    for (place, name) in [
        (host(7, "pseudo_0/adapter0"), "scsi_debug\n"),
        (host(9, "platform/ufs"), "ufshcd\n"),
        (host(11, pci), "(null)\n"),
    ] {
        let (_, number) = place.rsplit_once('/').unwrap();
        tree.file(&format!("{place}/scsi_host/{number}/proc_name"), name);
    }
    for (file, text) in [
        (
            "sas_device/end_device-4:0/sas_address",
            "0x5000c50012345678\n",
        ),
        (
            "iscsi_session/session7/targetname",
            "iqn.2001-04.com.example:disk\n",
        ),
        ("fc_transport/target6:0:0/port_name", "0x21000024ff123456\n"),
    ] {
        tree.file(&format!("class/{file}"), text);
    }
    let units = tree.sysfs().scsi().unwrap();
    assert_eq!(units.len(), cases.len());
    for (unit, (host, _, _, transport, address)) in units.iter().zip(&cases) {
        assert_eq!(unit.address().host, *host);
        assert_eq!(unit.transport(), *transport);
        let found = unit.transport_address();
        let found = found.as_ref().map(|text| text.trimmed());
        assert_eq!(found.as_deref(), *address, "{transport}");
    }
}

proptest! {
    /// Whatever a link says, it is taken for what it is or for nothing.
    #[test]
    fn links_of_any_kind(
        target in "[/.a-z0-9:]{0,40}",
        address in (any::<u32>(), any::<u32>(), any::<u32>(), any::<u64>()),
    ) {
        if let Some((address, folder)) = unit_of(&target) {
            let name = folder.rsplit('/').next().unwrap();
            prop_assert_eq!(ScsiAddress::parse(name), Some(address));
            prop_assert!(target.starts_with(folder));
        }
        let (host, channel, id, lun) = address;
        let address = ScsiAddress { host, channel, target: id, lun };
        let folder = format!("devices/{target}/{address}");
        let target = format!("{folder}/block/sda");
        prop_assert_eq!(unit_of(&target), Some((address, folder.as_str())));
    }
}
